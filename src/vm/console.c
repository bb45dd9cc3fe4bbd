// SPDX-License-Identifier: GPL-2.0-or-later
/* What a guest said last, for an outcome's one line. */
#include <stdio.h>
#include <string.h>

#include "vm/guest.h"

#define LINES 4

/* Behind "[    1.234567] ". */
static const char *past_stamp(const char *line)
{
	const char *end = *line == '[' ? strchr(line, ']') : NULL;

	if (!end || strspn(line + 1, " 0123456789.") != (size_t)(end - line - 1))
		return line;
	return end + 1 + strspn(end + 1, " ");
}

/* Appends one line without what is not text. */
static size_t append(char *buf, size_t size, size_t used, const char *line, size_t length)
{
	const char *start = line, *end = line + length;

	line = past_stamp(line);
	if (line >= end)
		line = start;
	if (used && used + 4 < size)
		used += (size_t)sprintf(buf + used, " | ");
	for (; line < end && used + 1 < size; line++) {
		/* ESC [ ... letter */
		if (*line == '\033' && line + 1 < end && line[1] == '[') {
			line += 2;
			while (line < end && (*line < '@' || *line > '~'))
				line++;
			continue;
		}
		if (*line >= ' ' && *line < 127)
			buf[used++] = *line;
	}
	buf[used] = '\0';
	return used;
}

/* Start of the line that `lines` lines end with. */
static const char *last_lines(const char *text, unsigned lines)
{
	const char *at = text + strlen(text);

	while (at > text && (at[-1] == '\n' || at[-1] == '\r'))
		at--;
	while (at > text && lines) {
		at--;
		if (*at == '\n' && --lines == 0)
			return at + 1;
	}
	return at;
}

static const char *line_of(const char *text, const char *at)
{
	while (at > text && at[-1] != '\n')
		at--;
	return at;
}

const char *console_tail(const char *text, char *buf, size_t size)
{
	static const char *const deaths[] = { "Kernel panic", "BUG:", "Oops:", "Out of memory" };
	const char *at = NULL;
	size_t used = 0;

	for (size_t i = 0; !at && i < sizeof(deaths) / sizeof(deaths[0]); i++) {
		const char *found = strstr(text, deaths[i]);

		at = found ? line_of(text, found) : NULL;
	}
	at = at ? at : last_lines(text, LINES);
	buf[0] = '\0';
	for (unsigned lines = 0; *at && lines < LINES; lines++) {
		size_t length = strcspn(at, "\n");

		if (length > strspn(at, " \r\t"))
			used = append(buf, size, used, at, length);
		at += length + (at[length] == '\n');
	}
	return buf;
}
