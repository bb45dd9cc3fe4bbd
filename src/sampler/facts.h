// SPDX-License-Identifier: GPL-2.0-or-later
/* What the files of the environment share: where facts are looked up and where they go. */
#ifndef SAMPLER_FACTS_H
#define SAMPLER_FACTS_H

#include <stdbool.h>

#include "base/root.h"

struct facts {
	const struct root *root;
	void (*put)(void *data, const char *key, const char *text);
	void *data;
};

/* Puts what the format makes. Blanks are made single; an empty text is not put. */
void fact_put(const struct facts *facts, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Puts the first line of a file, if it can be read. */
void fact_file(const struct facts *facts, const char *key, const char *path);

/* The same of a file that marks the choice that is in force: "always [madvise] never". */
void fact_choice(const struct facts *facts, const char *key, const char *path);

/* Swap areas, zram, disks, and the filesystem beneath scratch. */
void facts_storage(const struct facts *facts, const char *scratch);

#endif
