// SPDX-License-Identifier: GPL-2.0-or-later
/* Texts of others, made fit to print, and how wide they are. */
#ifndef REPORT_UTF8_H
#define REPORT_UTF8_H

#include <stddef.h>

/*
 * Bytes of the character at the start of the text, 0 when it is none: overlong forms,
 * surrogates, and what lies above U+10FFFF are none (RFC 3629). A NUL is a character of one.
 */
size_t utf8_length(const char *text);

/*
 * In place: a control character becomes a blank, a byte that is no UTF-8 a question mark. Takes
 * and returns NULL.
 */
char *utf8_clean(char *text);

/* Columns of a terminal that the first `bytes` bytes take, counting each character as one. */
size_t utf8_width(const char *text, size_t bytes);

#endif
