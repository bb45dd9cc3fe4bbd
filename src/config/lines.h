// SPDX-License-Identifier: GPL-2.0-or-later
/* "name = value" as written, and where: kept as text until all layers of a run are known. */
#ifndef CONFIG_LINES_H
#define CONFIG_LINES_H

#include <stddef.h>

#include "base/error.h"

struct line {
	char *name;
	char *value; /* NULL: only the name was written */
	char *where; /* "night.ini:12"; NULL: the command line */
};

struct lines {
	struct line *items;
	size_t n;
};

/* Takes copies. */
int lines_add(struct lines *lines, const char *name, const char *value, const char *where,
	struct error *err);
const struct line *lines_find(const struct lines *lines, const char *name);
void lines_done(struct lines *lines);

/* Puts the place of the line in front of an error that its value made. Returns code. */
int line_blame(const struct line *line, int code, struct error *err);

/*
 * One more zeroed element at the end of an array of n: the array's new place, or NULL when there
 * is no memory (the old one is then still valid).
 */
void *array_grow(void *array, size_t n, size_t size);

#endif
