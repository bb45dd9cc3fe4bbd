// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program of contend's own that stays open: it holds a set (workload/set.h), and when it is
 * switched to it touches all of that and answers. It is this executable, run again under another
 * name, so that a box without any package has it.
 *
 * It is the OOM killer's first choice, whoever started it never is, and it ends with the thread
 * that started it.
 */
#ifndef WORKLOAD_APP_H
#define WORKLOAD_APP_H

#include <sys/types.h>

#include "workload/set.h"

#define APP_NAME "contend-app"

struct app {
	pid_t pid; /* 0: it does not run */
	int socket;
};

struct app_answer {
	int64_t done_ns; /* CLOCK_MONOTONIC */
	int64_t majors, minors; /* page faults of the process since it answered last, or started */
	struct touch touches[SET_KINDS];
	int64_t resident[SET_KINDS]; /* pages, before they were touched */
};

enum app_fate {
	APP_ANSWERED,
	APP_DIED,
	APP_HUNG,
	APP_FATES
};

/*
 * Starts it. -errno: nothing was started. It answers when its set is in memory; what it gives as
 * touches then is that of the first time.
 */
int app_start(struct app *app, unsigned number, const struct set_plan *plan, uint64_t seed,
	struct error *err);

/* Asks it to touch its set. No answer to what was asked before may be outstanding. */
void app_ask(const struct app *app);

/*
 * Waits for an answer. One that died or hung is no longer there then, and the error says what
 * became of it. A negative patience_ns is without end.
 */
enum app_fate app_wait(
	struct app *app, int64_t patience_ns, struct app_answer *ret_answer, struct error *err);

/* Ends it with SIGKILL. */
void app_end(struct app *app);

/* main() asks first: is this process an app? -1: no. Else it was one, with this exit status. */
int app_main(int argc, char **argv);

#endif
