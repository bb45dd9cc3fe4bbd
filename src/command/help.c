// SPDX-License-Identifier: GPL-2.0-or-later
/* Help texts, from the same rows as everything else. */
#include <ctype.h>
#include <string.h>

#include "command/subcommand.h"
#include "config/cmdline.h"

#define WIDTH 80
#define INDENT 4

/* Prints words from the indent on, broken at blanks. */
static void print_words(FILE *out, const char *text)
{
	size_t at = INDENT;

	fprintf(out, "%*s", INDENT, "");
	while (*text) {
		size_t n = strcspn(text, " ");

		if (at > INDENT && at + 1 + n > WIDTH) {
			fprintf(out, "\n%*s", INDENT, "");
			at = INDENT;
		} else if (at > INDENT) {
			fputc(' ', out);
			at++;
		}
		fwrite(text, 1, n, out);
		at += n;
		text += n;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

static void print_option(FILE *out, const struct option_row *row)
{
	char usage[128], text[512];
	bool told = row->fallback && *row->fallback && row->type != OPTION_BOOL &&
		    !strstr(row->help, "default");

	fprintf(out, "  %s\n", cmdline_usage(row, usage, sizeof(usage)));
	snprintf(text, sizeof(text), "%s%s%s", row->help, told ? "; default: " : "",
		told ? row->fallback : "");
	print_words(out, text);
}

void help_print_subcommand(FILE *out, const struct subcommand *subcommand)
{
	const struct option_rows *options = subcommand->options;

	fprintf(out, "Usage: contend %s%s%s%s\n\n%c%s.\n", subcommand->name,
		options ? " [OPTION]..." : "", subcommand->operands ? " " : "",
		subcommand->operands ? subcommand->operands : "", toupper(subcommand->summary[0]),
		subcommand->summary + 1);
	if (options)
		fputs("\nOptions:\n", out);
	for (size_t i = 0; options && i < options->n; i++)
		print_option(out, &options->rows[i]);
	if (subcommand->notes)
		fprintf(out, "\n%s", subcommand->notes);
}

void help_print(FILE *out, const struct subcommand *const subcommands[])
{
	fputs("Usage: contend SUBCOMMAND [OPTION]... [OPERAND]...\n\n"
	      "Runs foreground work against background loads and says what got slower.\n\n",
		out);
	for (; *subcommands; subcommands++) {
		if (!(*subcommands)->hidden)
			fprintf(out, "  %-10s %s\n", (*subcommands)->name, (*subcommands)->summary);
	}
	fputs("\n`contend help SUBCOMMAND` has the options. Exit codes: 0 clean, 1 a confirmed\n"
	      "regression, 2 could not measure or bad usage, 3 inconclusive.\n",
		out);
}
