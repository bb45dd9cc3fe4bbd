// SPDX-License-Identifier: GPL-2.0-or-later
#include "command/command.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "command/subcommand.h"
#include "setting/journal.h"
#include "workload/app.h"

static const struct subcommand subcommand_help;

/* In the order of help. */
static const struct subcommand *const subcommands[] = {
	&subcommand_run,
	&subcommand_show,
	&subcommand_compare,
	&subcommand_bisect,
	&subcommand_export,
	&subcommand_list,
	&subcommand_doctor,
	&subcommand_restore,
	&subcommand_selftest,
	&subcommand_help,
	&subcommand_agent,
	NULL,
};

void say(void *data, const char *text)
{
	(void)data;
	fprintf(stderr, "contend: %s\n", text);
}

int fail(const struct error *err)
{
	say(NULL, err->text);
	return EXIT_TROUBLE;
}

int operands_check(char *const operands[], size_t most, struct error *err)
{
	size_t n = 0;

	while (operands[n])
		n++;
	if (n <= most)
		return 0;
	return error_set(err, -EINVAL, "unexpected \"%s\"", operands[most]);
}

static const struct subcommand *subcommand_find(const char *name, struct error *err)
{
	struct nearest nearest = nearest_to(name);

	for (const struct subcommand *const *each = subcommands; *each; each++) {
		if (!strcmp((*each)->name, name))
			return *each;
		nearest_offer(&nearest, (*each)->name);
	}
	error_set(err, -ENOENT, "no subcommand \"%s\"%s", name, nearest_hint(&nearest));
	return NULL;
}

static int help_main(int argc, char **argv)
{
	const struct subcommand *subcommand;
	struct error err;

	if (argc < 2) {
		help_print(stdout, subcommands);
		return EXIT_CLEAN;
	}
	if (operands_check(argv + 1, 1, &err) < 0)
		return fail(&err);
	subcommand = subcommand_find(argv[1], &err);
	if (!subcommand)
		return fail(&err);
	help_print_subcommand(stdout, subcommand);
	return EXIT_CLEAN;
}

static const struct subcommand subcommand_help = {
	.name = "help",
	.summary = "say how a subcommand is used",
	.operands = "[SUBCOMMAND]",
	.repairs = true,
	.run = help_main,
};

/*
 * Puts back what a contend that was killed has left. Another one that is at work has the journal:
 * it will do that itself. No home directory: then there is no journal either.
 */
static void repair(void)
{
	const struct journal_watch watch = { .say = say };
	struct root root CLEANUP(root_close) = { -1 };
	struct error err;
	int r = root_open(&root, "/", &err);

	if (r == 0)
		r = journal_repair(&root, &watch, &err);
	if (r < 0 && r != -EBUSY && r != -ENOENT)
		fail(&err);
}

/* Is help asked for, before a "--"? */
static bool wants_help(char *const argv[])
{
	for (; *argv && strcmp(*argv, "--"); argv++) {
		if (!strcmp(*argv, "--help") || !strcmp(*argv, "-h"))
			return true;
	}
	return false;
}

static int dispatch(int argc, char **argv)
{
	const struct subcommand *subcommand;
	struct error err;

	if (argc < 2) {
		help_print(stderr, subcommands);
		return EXIT_TROUBLE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		help_print(stdout, subcommands);
		return EXIT_CLEAN;
	}
	if (!strcmp(argv[1], "--version")) {
		puts("contend " CONTEND_VERSION);
		return EXIT_CLEAN;
	}
	subcommand = subcommand_find(argv[1], &err);
	if (!subcommand)
		return fail(&err);
	if (wants_help(argv + 2)) {
		help_print_subcommand(stdout, subcommand);
		return EXIT_CLEAN;
	}
	if (!subcommand->repairs)
		repair();
	return subcommand->run(argc - 1, argv + 1);
}

int command_main(int argc, char **argv)
{
	int code = app_main(argc, argv);

	/* An app of contend's own, which a workload has started. */
	if (code >= 0)
		return code;
	/* Numbers with a point, and messages that can be searched for: here and in children. */
	setlocale(LC_ALL, "C");
	setenv("LC_ALL", "C", 1);
	code = dispatch(argc, argv);
	/* A subcommand that failed has said why. */
	if (code != EXIT_TROUBLE && (fflush(stdout) != 0 || ferror(stdout))) {
		struct error err;

		error_errno(&err, -errno, "standard output");
		return fail(&err);
	}
	return code;
}
