// SPDX-License-Identifier: GPL-2.0-or-later
/* The environment before a trial, and what of it changed while the trial ran. */
#ifndef TRIAL_SURROUNDINGS_H
#define TRIAL_SURROUNDINGS_H

#include "base/root.h"
#include "record/sink.h"

struct surroundings;

/* Reads it and writes it to the record. *ret_surroundings is NULL when there is no memory. */
void surroundings_begin(const struct root *root, const char *scratch, struct sink *sink,
	struct surroundings **ret_surroundings);

/*
 * Reads it again and records what is different: "after.KEY" with the new text, or "gone". Some
 * milliseconds; not for the window.
 */
void surroundings_end(struct surroundings *surroundings, const struct root *root,
	const char *scratch, struct sink *sink);

/* Takes NULL. */
void surroundings_free(struct surroundings *surroundings);

#endif
