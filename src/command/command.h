// SPDX-License-Identifier: GPL-2.0-or-later
/* The subcommands: the only room that prints or exits. */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

/* Exit codes of every subcommand; docs/exit-codes.md. */
enum exit_code {
	EXIT_CLEAN = 0, /* no confirmed regression */
	EXIT_REGRESSION = 1, /* a confirmed regression */
	EXIT_TROUBLE = 2, /* could not measure, or bad usage */
	EXIT_INCONCLUSIVE = 3,
};

/* The whole program. Returns an exit code. */
int command_main(int argc, char **argv);

#endif
