// SPDX-License-Identifier: GPL-2.0-or-later
/* Progress of a run on standard error: a line that is rewritten on a terminal, plain lines else. */
#ifndef COMMAND_PROGRESS_H
#define COMMAND_PROGRESS_H

#include <stdbool.h>

#include "runner/runner.h"

struct progress_line {
	bool terminal;
	bool drawn; /* a line stands there that must be wiped first */
	char last[512]; /* the last result */
};

void progress_start(struct progress_line *ret_line);

/* For runner_watch.progress. */
void progress_show(void *data, const struct runner_state *state);

/* Wipes the line, so that other output can follow. */
void progress_wipe(struct progress_line *line);

#endif
