// SPDX-License-Identifier: GPL-2.0-or-later
#include "setting/value.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r\n"

/*
 * The start of the one word of the list that is in parentheses, which it loses:
 * "none voluntary (full)", as only kernel/sched/debug.c marks a choice. NULL: there is none.
 */
static char *choice_in_parentheses(char *text)
{
	for (char *word = text + strspn(text, BLANKS); *word; word += strspn(word, BLANKS)) {
		size_t length = strcspn(word, BLANKS);

		if (length > 2 && *word == '(' && word[length - 1] == ')' &&
			strspn(word + 1, "abcdefghijklmnopqrstuvwxyz") == length - 2) {
			word[length - 1] = '\0';
			return word + 1;
		}
		word += length;
	}
	return NULL;
}

char *value_trim(char *text)
{
	char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
	char *choice = open ? NULL : choice_in_parentheses(text);
	size_t length;

	if (choice)
		return choice;

	if (close) {
		*close = '\0';
		return open + 1;
	}
	text += strspn(text, BLANKS);
	length = strlen(text);
	while (length && strchr(BLANKS, text[length - 1]))
		length--;
	text[length] = '\0';
	return text;
}

/* Base 10, and 16 with 0x: a leading zero is no octal number to a reader. */
static bool number(const char *text, size_t length, long long *ret_number)
{
	char word[32], *end;
	long long value;

	if (length == 1 && (*text == 'Y' || *text == 'N')) {
		*ret_number = *text == 'Y';
		return true;
	}
	if (!length || length >= sizeof(word))
		return false;
	memcpy(word, text, length);
	word[length] = '\0';
	errno = 0;
	value = strtoll(word, &end, strncmp(word, "0x", 2) ? 10 : 16);
	if (*end || errno)
		return false;
	*ret_number = value;
	return true;
}

static bool word_equal(const char *a, size_t a_length, const char *b, size_t b_length)
{
	long long x, y;

	if (a_length == b_length && !memcmp(a, b, a_length))
		return true;
	return number(a, a_length, &x) && number(b, b_length, &y) && x == y;
}

bool value_equal(const char *a, const char *b)
{
	for (;;) {
		size_t a_length, b_length;

		a += strspn(a, BLANKS);
		b += strspn(b, BLANKS);
		a_length = strcspn(a, BLANKS);
		b_length = strcspn(b, BLANKS);
		if (!a_length || !b_length)
			return a_length == b_length;
		if (!word_equal(a, a_length, b, b_length))
			return false;
		a += a_length;
		b += b_length;
	}
}
