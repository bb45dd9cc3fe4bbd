// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Option rows: one row describes one option, and serves the command line, the plan file,
 * `contend list` and the man pages.
 */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/unit.h"

enum option_type {
	OPTION_COUNT, /* uint64_t */
	OPTION_BYTES, /* uint64_t */
	OPTION_SIZE, /* struct size: bytes, or a share of the box's RAM (or as help says) */
	OPTION_DURATION, /* int64_t, ns */
	OPTION_REAL, /* double */
	OPTION_BOOL, /* bool: yes no on off 1 0 true false; the bare name means yes */
	OPTION_CHOICE, /* int: index into choices */
	OPTION_TEXT, /* char[size], NUL at the end */
};

struct option_row {
	const char *name;
	enum option_type type;
	size_t offset; /* of the field in the params structure */
	size_t size; /* of the field; only OPTION_TEXT reads it */
	const char *fallback; /* the default, as a user would write it; NULL: zeroes */
	const char *min, *max; /* inclusive limits, as a user would write them; NULL: none */
	const char *const *choices; /* ends in NULL */
	const char *argument; /* its value's name in help: "FILE"; NULL: as the type has it */
	const char *help; /* one line, no full stop */
};

/* Row initialisers: .name, .type, .offset and .size of a field of struct type `params`. */
#define OPTION(option_name, option_type, params, field) \
	.name = (option_name), .type = (option_type), .offset = offsetof(params, field), \
	.size = sizeof(((params *)0)->field)

struct option_rows {
	const struct option_row *rows;
	size_t n;
};

#define OPTION_ROWS(array) ((struct option_rows) { (array), ARRAY_SIZE(array) })

/* Fills params from the rows' defaults. A default that does not parse is a bug: it aborts. */
void option_defaults(struct option_rows rows, void *params);

const struct option_row *option_find(struct option_rows rows, const char *name);

/*
 * Sets one option from text. -ENOENT: no such option (the text names the nearest); -EINVAL,
 * -ERANGE: a value that is wrong. `value` NULL means that only the name was written.
 */
int option_set(struct option_rows rows, void *params, const char *name, const char *value,
	struct error *err);

/*
 * Sets options from "opt=val,opt=val". A comma inside a value is written "\,", a backslash "\\".
 * An empty text is valid.
 */
int option_set_list(struct option_rows rows, void *params, const char *text, struct error *err);

/* The value as text that option_set() reads back to the same value. */
const char *option_spell(const struct option_row *row, const void *params, char *buf, size_t size);

/* "opt=val,opt=val" of all options whose value is not the default, in the rows' order. */
const char *option_spell_list(struct option_rows rows, const void *params, char *buf, size_t size);

/* Takes the next "a=b" of a comma list; un-escapes it in place. Advances *rest, NULL at the end. */
char *option_next(char **rest);

#endif
