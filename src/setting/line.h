// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One line of the journal: a checksum of 16 hex digits and, separated by single blanks,
 *
 *	journal 1 BOOT              the entries below were made under this boot id
 *	note SEQ KIND PATH VALUE    an entry
 *	undone SEQ                  that entry is settled
 *
 * Blanks, control characters and '%' in a field are written as %XX.
 */
#ifndef SETTING_LINE_H
#define SETTING_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "setting/journal.h"

enum line_kind {
	LINE_JOURNAL,
	LINE_NOTE,
	LINE_UNDONE
};

struct line {
	enum line_kind kind;
	uint64_t seq; /* NOTE, UNDONE */
	enum undo_kind undo; /* NOTE */
	const char *path; /* NOTE; JOURNAL: the boot id */
	const char *value; /* NOTE: "" for none */
};

/* "write", "swapoff", ... */
const char *undo_name(enum undo_kind kind);

/* The line with its newline, in fresh memory; NULL without memory. -> caller frees. */
char *line_spell(const struct line *line);

/*
 * Reads a line without its newline, in place: the fields point into text. -EBADMSG: the checksum
 * or the form is wrong.
 */
int line_parse(char *text, struct line *ret_line);

#endif
