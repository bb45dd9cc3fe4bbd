// SPDX-License-Identifier: GPL-2.0-or-later
/* The tests of contend selftest. */
#ifndef COMMAND_SELFTEST_H
#define COMMAND_SELFTEST_H

#include "command/subcommand.h"

/*
 * argv[0] is the test's name; the rest are options of `contend run`, and the test's own. Prints
 * its result. Negative: it could not be carried out.
 */
int selftest_aa(int argc, char **argv, enum exit_code *ret_code, struct error *err);
int selftest_inject(int argc, char **argv, enum exit_code *ret_code, struct error *err);
int selftest_exact(int argc, char **argv, enum exit_code *ret_code, struct error *err);

/*
 * The configuration of "run", then `before`, then argv[1] and on, so that what is typed has its
 * way, then `after`. The lists end in NULL; `after` may be NULL.
 */
int selftest_parse(const char *const before[], int argc, char **argv, const char *const after[],
	struct config **ret_config, struct error *err);

#endif
