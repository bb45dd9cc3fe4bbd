// SPDX-License-Identifier: GPL-2.0-or-later
/* Verdicts as exit codes. */
#ifndef COMMAND_COMPARE_H
#define COMMAND_COMPARE_H

#include "command/command.h"
#include "report/verdicts.h"

/*
 * SLOWER is a regression, INCONCLUSIVE is inconclusive, all else is clean. -ENODATA: nothing could
 * be compared.
 */
int verdicts_code(const struct verdicts *verdicts, enum exit_code *ret_code, struct error *err);

/* The same of a stored run with several variants. */
int run_code(struct store *store, int64_t run, enum exit_code *ret_code, struct error *err);

#endif
