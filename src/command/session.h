// SPDX-License-Identifier: GPL-2.0-or-later
/* All that carrying out a plan needs, taken apart in the opposite order. */
#ifndef COMMAND_SESSION_H
#define COMMAND_SESSION_H

#include "box/box.h"
#include "command/progress.h"
#include "runner/runner.h"

struct session {
	struct config *config;
	struct plan *plan;
	struct root root; /* .fd -1: not open */
	struct journal *journal;
	struct store *store;
	struct box *box;
	int64_t run; /* 0: none yet */
};

void session_done(struct session *session);

/*
 * The configuration's plan and box; its root must be open. Options that no trial can run with are
 * said here, before the first one.
 */
int session_stand(struct session *session, struct error *err);

/* The store that the configuration names, to be written. */
int session_open_store(struct session *session, struct error *err);

/* A run of the session's plan in its store; `title` NULL: the configuration's. */
int session_create_run(
	struct session *session, const char *title, const char *command, struct error *err);

/* Carries the plan out, and says so in the run. line NULL: nothing is shown meanwhile. */
int session_carry_out(struct session *session, struct progress_line *line,
	struct runner_result *ret_result, struct error *err);

#endif
