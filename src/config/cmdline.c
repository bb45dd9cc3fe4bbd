// SPDX-License-Identifier: GPL-2.0-or-later
#include "config/cmdline.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

#define FIRST_OPTION 256 /* getopt values below are characters */

void operands_cleanup(char ***operands)
{
	free(*operands);
}

/* `word` is what getopt_long(3) stopped at. */
static int unknown(struct option_rows rows, const char *word, struct error *err)
{
	struct nearest nearest;
	char name[128];

	snprintf(name, sizeof(name), "%s", word + strspn(word, "-"));
	name[strcspn(name, "=")] = '\0';
	nearest = nearest_to(name);
	for (size_t i = 0; i < rows.n; i++)
		nearest_offer(&nearest, rows.rows[i].name);
	return error_set(err, -EINVAL, "no option \"%s\"%s", word, nearest_hint(&nearest));
}

static struct option *getopt_options(struct option_rows rows)
{
	struct option *options = calloc(rows.n + 1, sizeof(*options));

	for (size_t i = 0; options && i < rows.n; i++) {
		options[i].name = rows.rows[i].name;
		options[i].has_arg =
			rows.rows[i].type == OPTION_BOOL ? optional_argument : required_argument;
		options[i].val = FIRST_OPTION + (int)i;
	}
	return options;
}

static void free_options(struct option **options)
{
	free(*options);
}

int cmdline_walk(int argc, char *const argv[], struct option_rows rows,
	int (*set)(void *data, const struct option_row *row, const char *value, struct error *err),
	void *data, char ***ret_operands, struct error *err)
{
	/* getopt_long(3) moves the operands behind the options. */
	char **words CLEANUP(operands_cleanup) = calloc((size_t)argc + 1, sizeof(*words));
	struct option *options CLEANUP(free_options) = getopt_options(rows);
	int value, r;

	if (!words || !options)
		return error_errno(err, -ENOMEM, "command line");
	memcpy(words, argv, (size_t)argc * sizeof(*words));
	opterr = 0;
	optind = 0; /* start anew (glibc) */
	while ((value = getopt_long(argc, words, ":", options, NULL)) != -1) {
		const char *word = words[optind - 1];

		if (value == ':')
			return error_set(err, -EINVAL, "option \"%s\" needs a value", word);
		if (value < FIRST_OPTION)
			return unknown(rows, word, err);
		r = set(data, &rows.rows[value - FIRST_OPTION], optarg, err);
		if (r < 0)
			return r;
	}
	memmove(words, words + optind, ((size_t)(argc - optind) + 1) * sizeof(*words));
	*ret_operands = words;
	words = NULL;
	return 0;
}

struct target {
	struct option_rows rows;
	void *params;
};

static int set_params(
	void *data, const struct option_row *row, const char *value, struct error *err)
{
	const struct target *target = data;
	struct error told;
	int r = option_set(target->rows, target->params, row->name, value, &told);

	/* What option_set() says begins with the option's name. */
	return r < 0 ? error_set(err, r, "--%s", told.text) : 0;
}

int cmdline_parse(int argc, char *const argv[], struct option_rows rows, void *params,
	char ***ret_operands, struct error *err)
{
	struct target target = { rows, params };

	option_defaults(rows, params);
	return cmdline_walk(argc, argv, rows, set_params, &target, ret_operands, err);
}

static const char *argument(const struct option_row *row, char *buf, size_t size)
{
	size_t used = 0;

	if (row->argument)
		return row->argument;
	switch (row->type) {
	case OPTION_COUNT: return "N";
	case OPTION_REAL: return "NUMBER";
	case OPTION_BYTES:
	case OPTION_SIZE: return "SIZE";
	case OPTION_DURATION: return "TIME";
	case OPTION_TEXT: return "TEXT";
	case OPTION_BOOL: return "";
	case OPTION_CHOICE: break;
	}
	buf[0] = '\0';
	for (size_t i = 0; row->choices[i] && used < size; i++)
		used += (size_t)snprintf(
			buf + used, size - used, "%s%s", i ? "|" : "", row->choices[i]);
	return buf;
}

const char *cmdline_usage(const struct option_row *row, char *buf, size_t size)
{
	char choices[128];
	const char *name = argument(row, choices, sizeof(choices));

	snprintf(buf, size, "--%s%s%s", row->name, *name ? " " : "", name);
	return buf;
}
