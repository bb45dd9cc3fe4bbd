// SPDX-License-Identifier: GPL-2.0-or-later
/* contend restore: puts back what a contend that was killed has left. */
#include "base/root.h"
#include "command/subcommand.h"
#include "config/cmdline.h"
#include "setting/journal.h"

static void print(void *data, const char *line)
{
	(void)data;
	puts(line);
}

static int restore(int argc, char **argv, struct error *err)
{
	const struct journal_watch watch = { .say = print };
	char **operands CLEANUP(operands_cleanup) = NULL;
	struct root root CLEANUP(root_close) = { -1 };
	int r;

	r = cmdline_parse(argc, argv, (struct option_rows) { 0 }, NULL, &operands, err);
	if (r == 0)
		r = operands_check(operands, 0, err);
	if (r == 0)
		r = root_open(&root, "/", err);
	return r < 0 ? r : journal_repair(&root, &watch, err);
}

static int restore_main(int argc, char **argv)
{
	struct error err;
	int r = restore(argc, argv, &err);

	if (r < 0)
		return fail(&err);
	if (r == 0)
		puts("nothing was left to put back");
	return EXIT_CLEAN;
}

const struct subcommand subcommand_restore = {
	.name = "restore",
	.summary = "put back what a run that was killed has left changed",
	.repairs = true,
	.run = restore_main,
};
