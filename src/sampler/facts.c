// SPDX-License-Identifier: GPL-2.0-or-later
#include "sampler/facts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/unit.h"

/* The longest is the kernel's command line: COMMAND_LINE_SIZE is 4096 at most. */
#define TEXT_SIZE (8 * KIB)

/* "256\t256\t32 " -> "256 256 32" */
static void blanks_single(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		bool blank = strchr(" \t\n", *from);

		if (blank && (to == text || to[-1] == ' '))
			continue;
		*to++ = blank ? ' ' : *from;
	}
	if (to > text && to[-1] == ' ')
		to--;
	*to = '\0';
}

void fact_put(const struct facts *facts, const char *key, const char *format, ...)
{
	char text[TEXT_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	blanks_single(text);
	if (*text)
		facts->put(facts->data, key, text);
}

void fact_file(const struct facts *facts, const char *key, const char *path)
{
	char text[TEXT_SIZE];

	if (root_read_line(facts->root, path, text, sizeof(text)) == 0)
		fact_put(facts, key, "%s", text);
}

void fact_choice(const struct facts *facts, const char *key, const char *path)
{
	char text[TEXT_SIZE];
	char *open, *close;

	if (root_read_line(facts->root, path, text, sizeof(text)) < 0)
		return;
	/* kernel/sched/debug.c puts parentheses round the preemption model. */
	open = strpbrk(text, "[(");
	close = open ? strpbrk(open, "])") : NULL;
	if (close)
		*close = '\0';
	fact_put(facts, key, "%s", close ? open + 1 : text);
}
