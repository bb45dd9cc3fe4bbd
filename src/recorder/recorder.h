// SPDX-License-Identifier: GPL-2.0-or-later
/* From a record stream to the store. */
#ifndef RECORDER_RECORDER_H
#define RECORDER_RECORDER_H

#include "record/wire.h"
#include "store/store.h"

/*
 * Stores one trial in one transaction. A stream without its closing frame, or without an
 * outcome, is stored as far as it goes with the outcome `broken`. The outcome is given back.
 */
int recorder_save(struct store *store, const struct trial_row *row, const unsigned char *data,
	size_t size, struct outcome *ret_outcome, struct error *err);

#endif
