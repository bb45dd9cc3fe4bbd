// SPDX-License-Identifier: GPL-2.0-or-later
/* A command line as one text, as a shell would read it: how a run remembers what was typed. */
#ifndef CONFIG_WORDS_H
#define CONFIG_WORDS_H

#include "base/error.h"

/* Joins the words with blanks; what a shell would not take literally is quoted. Caller frees. */
char *words_join(int argc, char *const argv[]);

/*
 * Takes such a text apart again: blanks, '...', and backslashes; nothing is expanded. *ret_argv
 * ends in NULL and is one block, freed by the caller. -EINVAL: a quote is open.
 */
int words_split(const char *text, int *ret_argc, char ***ret_argv, struct error *err);

#endif
