// SPDX-License-Identifier: GPL-2.0-or-later
/* Command lines from option rows, by getopt_long(3). */
#ifndef CONFIG_CMDLINE_H
#define CONFIG_CMDLINE_H

#include <stddef.h>

#include "base/error.h"
#include "base/option.h"

/*
 * Parses argv[1] and on; argv[0] is the subcommand. set() is called for each option in order, as
 * often as it was typed; value NULL: none was. What is no option is gathered, in order, in
 * *ret_operands, which ends in NULL and is freed by the caller; its texts are argv's.
 */
int cmdline_walk(int argc, char *const argv[], struct option_rows rows,
	int (*set)(void *data, const struct option_row *row, const char *value, struct error *err),
	void *data, char ***ret_operands, struct error *err);

/* The same for options that go straight into params, whose defaults are set first. */
int cmdline_parse(int argc, char *const argv[], struct option_rows rows, void *params,
	char ***ret_operands, struct error *err);

void operands_cleanup(char ***operands);

/* The option and its argument as help writes them: "--runs N", "--full". */
const char *cmdline_usage(const struct option_row *row, char *buf, size_t size);

#endif
