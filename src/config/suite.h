// SPDX-License-Identifier: GPL-2.0-or-later
/* Suites: the plan files under suites/, embedded when contend is built. */
#ifndef CONFIG_SUITE_H
#define CONFIG_SUITE_H

#include <stddef.h>

struct suite {
	const char *name; /* "contest": the file's name without .ini */
	const char *text; /* the file */
};

extern const struct suite suite_registry[];
extern const size_t suite_count;

const struct suite *suite_find(const char *name);

/* The `summary` of its [suite] section, copied into buf. */
const char *suite_summary(const struct suite *suite, char *buf, size_t size);

/* What contest itself calls its scenarios, accepted as operands. Ends in a NULL name. */
struct contest_name {
	const char *name; /* "io_load" */
	const char *parts; /* "compile+io" */
};

extern const struct contest_name contest_names[];

#endif
