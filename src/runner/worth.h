// SPDX-License-Identifier: GPL-2.0-or-later
/* What the trials so far are worth by the primary metric. */
#ifndef RUNNER_WORTH_H
#define RUNNER_WORTH_H

#include <stddef.h>

#include "store/query.h"

/*
 * Fills n values, by position, from the store: NAN for what has not run or says nothing. Where ok
 * trials are stored and none of them has the metric at all, that is -ENOENT, and the text names
 * the nearest that they have.
 */
int worth_read(struct store *store, int64_t run, const struct primary *primary, double *ret_values,
	size_t n, struct error *err);

#endif
