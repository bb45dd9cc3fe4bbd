// SPDX-License-Identifier: GPL-2.0-or-later
/* "Did you mean": the known name that is nearest to a word. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

struct nearest {
	const char *word;
	const char *name; /* NULL: none so far */
	size_t distance;
	char hint[128];
};

struct nearest nearest_to(const char *word);
void nearest_offer(struct nearest *nearest, const char *name);

/*
 * "; did you mean \"io\"?" when an offered name is near enough to be a slip of the fingers, else
 * "". Valid as long as the structure.
 */
const char *nearest_hint(struct nearest *nearest);

#endif
