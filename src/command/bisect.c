// SPDX-License-Identifier: GPL-2.0-or-later
/* contend bisect: which kernel was the first in which a metric moved? */
#include "command/bisect.h"

#include <stdarg.h>
#include <string.h>

#include "base/cleanup.h"
#include "config/cmdline.h"
#include "config/words.h"

static const struct option_row own_rows[] = {
	{
		OPTION("kernels", OPTION_TEXT, struct bisect_params, kernels),
		.fallback = "",
		.argument = "A,B,...",
		.help = "kernels, the oldest first, each as vm:kernel= has it: finds the first "
			"that moved",
	},
	{
		OPTION("good", OPTION_TEXT, struct bisect_params, good),
		.fallback = "",
		.argument = "KERNEL|RUN",
		.help = "a step of git bisect run: the kernel, or the stored run of one, to "
			"compare the tree with",
	},
	{
		OPTION("tree", OPTION_TEXT, struct bisect_params, tree),
		.fallback = ".",
		.argument = "DIR",
		.help = "with --good: the kernel tree that is built",
	},
	{
		OPTION("build", OPTION_TEXT, struct bisect_params, build),
		.fallback = "",
		.argument = "COMMAND",
		.help = "how, in the tree; default: make olddefconfig, then make -jCPUS bzImage",
	},
	{
		OPTION("image", OPTION_TEXT, struct bisect_params, image),
		.fallback = "",
		.argument = "FILE",
		.help = "what is built, below the tree; default: arch/x86/boot/bzImage",
	},
	{
		OPTION("moved", OPTION_CHOICE, struct bisect_params, moved),
		.fallback = "either",
		.choices = bisect_moved_names,
		.help = "which way a kernel must have moved, by more than --delta, to be bad",
	},
	{
		OPTION("level", OPTION_REAL, struct bisect_params, level),
		.fallback = "0.05",
		.min = "0.0001",
		.max = "0.25",
		.help = "chance of a false alarm in a comparison: the greatest p that counts",
	},
};

/* Options of run that say nothing here. */
static const char *const left_out[] = { "budget", "reference", "view", "format", "vary", "dry-run",
	"resume", "noload", "solo", "solo-time" };

static const char *const before[] = { "run", "--noload=no", "--solo=no", "--runs=6", "--seed=1",
	"--box=vm:exact,mem=128M,swap=128M" };

#define MOST_ROWS 64

static const struct option_rows options = OPTION_ROWS(own_rows);

static bool has_part(const struct option_row *row)
{
	for (size_t i = 0; i < ARRAY_SIZE(left_out); i++) {
		if (!strcmp(left_out[i], row->name))
			return false;
	}
	return true;
}

static void words_done(struct words *words)
{
	for (size_t i = 0; i < words->n; i++)
		free(words->items[i]);
	free(words->items);
}

static void bisect_done(struct bisect *bisect)
{
	session_done(&bisect->session);
	words_done(&bisect->words);
}

__attribute__((format(printf, 3, 4))) static int words_add(
	struct words *words, struct error *err, const char *format, ...)
{
	char **grown = reallocarray(words->items, words->n + 2, sizeof(*grown));
	va_list args;
	int n;

	if (!grown)
		return error_errno(err, -ENOMEM, "command line");
	words->items = grown;
	va_start(args, format);
	n = vasprintf(&grown[words->n], format, args);
	va_end(args);
	if (n < 0) {
		grown[words->n] = NULL;
		return error_errno(err, -ENOMEM, "command line");
	}
	grown[++words->n] = NULL;
	return 0;
}

static int take(void *data, const struct option_row *row, const char *value, struct error *err)
{
	struct bisect *bisect = data;
	struct error told;
	int r;

	if (!option_find(options, row->name))
		return words_add(&bisect->words, err, "--%s%s%s", row->name, value ? "=" : "",
			value ? value : "");
	r = option_set(options, &bisect->params, row->name, value, &told);
	return r < 0 ? error_set(err, r, "--%s", told.text) : 0;
}

/* Its own options and those of run. */
static struct option_rows join_rows(struct option_row rows[MOST_ROWS])
{
	struct option_rows joined = { rows, 0 };

	for (size_t i = 0; i < options.n; i++)
		rows[joined.n++] = options.rows[i];
	for (size_t i = 0; i < run_options.n && joined.n < MOST_ROWS; i++) {
		if (has_part(&run_options.rows[i]))
			rows[joined.n++] = run_options.rows[i];
	}
	return joined;
}

static int parse(struct bisect *bisect, int argc, char **argv, struct error *err)
{
	struct option_row rows[MOST_ROWS];
	char **operands CLEANUP(operands_cleanup) = NULL;
	int r = 0;

	option_defaults(options, &bisect->params);
	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(before); i++)
		r = words_add(&bisect->words, err, "%s", before[i]);
	if (r == 0)
		r = cmdline_walk(argc, argv, join_rows(rows), take, bisect, &operands, err);
	for (size_t i = 0; r == 0 && operands[i]; i++)
		r = words_add(&bisect->words, err, "%s", operands[i]);
	if (r == 0 && bisect->params.kernels[0] && bisect->params.good[0])
		return error_set(err, -EINVAL, "--kernels and --good: a list, or a tree?");
	return r;
}

/* Known before anything is parsed: the exit code of an error depends on it. */
static bool is_list(char *const argv[])
{
	while (*++argv) {
		if (!strncmp(*argv, "--k", 3))
			return true;
	}
	return false;
}

static int carry_out(bool list, int argc, char **argv, int *ret_code, struct error *err)
{
	struct bisect bisect CLEANUP(bisect_done) = { .session = { .root = { -1 } } };
	char *command CLEANUP(free_text) = words_join(argc, argv);
	enum exit_code code;
	int r;

	if (!command)
		return error_errno(err, -ENOMEM, "the command line");
	bisect.command = command;
	r = parse(&bisect, argc, argv, err);
	if (r < 0)
		return r;
	catch_signals();
	if (!list)
		return bisect_tree(&bisect, ret_code, err);
	r = bisect_list(&bisect, &code, err);
	if (r == 0)
		*ret_code = (int)code;
	return r;
}

static int bisect_main(int argc, char **argv)
{
	bool list = is_list(argv);
	struct error err;
	int code;

	if (carry_out(list, argc, argv, &code, &err) < 0) {
		fail(&err);
		return list ? EXIT_TROUBLE : BISECT_CODE_STOP;
	}
	/* What command_main() would make of it is a bad kernel to git. */
	if (!list && (fflush(stdout) != 0 || ferror(stdout))) {
		error_errno(&err, -errno, "standard output");
		fail(&err);
		clearerr(stdout);
		return BISECT_CODE_STOP;
	}
	return code;
}

const struct subcommand subcommand_bisect = {
	.name = "bisect",
	.summary = "find the first kernel in which a metric moved",
	.operands = "[SCENARIO]",
	.options = &options,
	.notes =
		"With --kernels: measures the first and the last, and halves what lies between.\n"
		"Exit: 0 none is bad, or the first bad is no regression, 1 it is one, 2 could not\n"
		"measure, 3 undecided.\n"
		"With --good: builds the tree, boots it and compares it, for\n"
		"    git bisect run contend bisect --good KERNEL --lead W ...\n"
		"Exit: 0 good, 1 bad, 125 cannot be tested or undecided, 255 trouble of contend's\n"
		"own (git then stops).\n"
		"What is measured is said by options of run: --lead, --load, --box, --runs, "
		"--seed,\n"
		"--primary, --delta ... Defaults other than there: --runs 6 (seeds), --seed 1,\n"
		"--box vm:exact,mem=128M,swap=128M. A kernel that was measured with the same "
		"options is\n"
		"not measured again: docs/bisect.md.\n",
	.run = bisect_main,
};
