// SPDX-License-Identifier: GPL-2.0-or-later
#include "config/words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What every shell leaves alone, at any place in a word. */
static bool is_plain(const char *word)
{
	return *word &&
	       !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				  "_@%+=:,./-")];
}

static char *quote(char *out, const char *word)
{
	if (is_plain(word))
		return stpcpy(out, word);
	*out++ = '\'';
	for (; *word; word++) {
		if (*word == '\'')
			out = stpcpy(out, "'\\''");
		else
			*out++ = *word;
	}
	*out++ = '\'';
	*out = '\0';
	return out;
}

char *words_join(int argc, char *const argv[])
{
	size_t size = 1;
	char *text, *out;

	for (int i = 0; i < argc; i++)
		size += 4 * strlen(argv[i]) + 3;
	out = text = malloc(size);
	if (!text)
		return NULL;
	*out = '\0';
	for (int i = 0; i < argc; i++) {
		if (i)
			*out++ = ' ';
		out = quote(out, argv[i]);
	}
	return text;
}

/* One word, unquoted to *out. Returns where it ended, NULL when a quote is open. */
static const char *unquote(const char *text, char **out)
{
	for (; *text && *text != ' '; text++) {
		if (*text == '\'') {
			for (text++; *text && *text != '\''; text++)
				*(*out)++ = *text;
			if (!*text)
				return NULL;
			continue;
		}
		if (*text == '\\' && !*++text)
			return NULL;
		*(*out)++ = *text;
	}
	*(*out)++ = '\0';
	return text;
}

int words_split(const char *text, int *ret_argc, char ***ret_argv, struct error *err)
{
	/* A word takes at least one character and the blank behind it. */
	size_t most = strlen(text) / 2 + 2;
	char **argv = malloc(most * sizeof(*argv) + strlen(text) + 1);
	char *out;
	int argc = 0;

	if (!argv)
		return error_errno(err, -ENOMEM, "command line");
	out = (char *)(argv + most);
	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		argv[argc++] = out;
		text = unquote(text, &out);
		if (!text) {
			free(argv);
			return error_set(err, -EINVAL, "a quote or backslash is left open");
		}
	}
	argv[argc] = NULL;
	*ret_argc = argc;
	*ret_argv = argv;
	return 0;
}
