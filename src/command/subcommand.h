// SPDX-License-Identifier: GPL-2.0-or-later
/* What the subcommands are made of and share. A subcommand is one file and one line in command.c. */
#ifndef COMMAND_SUBCOMMAND_H
#define COMMAND_SUBCOMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/option.h"
#include "command/command.h"
#include "config/config.h"
#include "report/results.h"
#include "store/store.h"

struct subcommand {
	const char *name;
	const char *summary; /* one line, no full stop */
	const char *operands; /* "[RUN]"; NULL: none */
	const struct option_rows *options; /* NULL: none */
	const char *notes; /* whole lines that help prints behind the options; NULL: none */
	bool hidden; /* not for people: help does not list it */
	/* It looks after a dead owner's journal itself. */
	bool repairs;
	/* argv[0] is the subcommand. Returns an exit code; has said what went wrong. */
	int (*run)(int argc, char **argv);
};

extern const struct subcommand subcommand_bisect;
extern const struct subcommand subcommand_compare;
extern const struct subcommand subcommand_agent;
extern const struct subcommand subcommand_doctor;
extern const struct subcommand subcommand_export;
extern const struct subcommand subcommand_list;
extern const struct subcommand subcommand_restore;
extern const struct subcommand subcommand_run;
extern const struct subcommand subcommand_selftest;
extern const struct subcommand subcommand_show;

/* Set by SIGINT, SIGTERM and SIGHUP once catch_signals() was called. */
extern volatile sig_atomic_t interrupted;

/* SA_RESTART: what is being cleaned up is finished first. */
void catch_signals(void);

/* "contend: TEXT" on standard error; for journal_watch, too. */
void say(void *data, const char *text);

/* Says the error. Returns EXIT_TROUBLE. */
int fail(const struct error *err);

/* Help of the whole program, and of one subcommand. */
void help_print(FILE *out, const struct subcommand *const subcommands[]);
void help_print_subcommand(FILE *out, const struct subcommand *subcommand);

/* "table", "json", "csv", "md", NULL: choices for an option of enum output_format. */
extern const char *const output_formats[];

/* Prints to standard output, as wide as the terminal. */
int model_print(const struct model *model, enum output_format format, struct error *err);

/* Prints a view of a run; name "": the one that fits the run. options NULL: the defaults. */
int view_print(struct store *store, int64_t run, const char *name,
	const struct view_options *options, enum output_format format, struct error *err);

/* Opens the store at path, "" the default one, for reading. */
int store_open_to_read(const char *path, struct store **ret_store, struct error *err);

/* The run that an operand names; NULL: the newest. */
int run_find(struct store *store, const char *operand, int64_t *ret_run, struct error *err);

/* Not more operands than `most`: -EINVAL, naming the first that is too many. */
int operands_check(char *const operands[], size_t most, struct error *err);

#endif
