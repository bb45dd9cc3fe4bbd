// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs of an X session: its server, its window manager, its apps. */
#ifndef WORKLOAD_X_PROGRAM_H
#define WORKLOAD_X_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct x_program {
	pid_t pid; /* 0: it does not run */
	int status; /* of one that has ended */
};

/*
 * Starts a command of words that blanks part, with DISPLAY set (NULL: as it is) and standard files
 * as they are. It ends with the calling thread. A victim is the OOM killer's first choice.
 */
int x_program_start(struct x_program *program, const char *command, const char *display,
	bool victim, struct error *err);

/* Has it ended? Then it is reaped. */
bool x_program_ended(struct x_program *program);

/* How it ended, as a text. */
const char *x_program_end_text(const struct x_program *program, char *buf, size_t size);

/*
 * Page faults since it started, its descendants' with them; of one that has left the tree (its
 * parent has ended) they are no longer in. False: it is gone.
 */
bool x_program_faults(const struct x_program *program, int64_t *ret_majors, int64_t *ret_minors);

void x_program_kill(struct x_program *program);

/* Starts Xvfb, waits until it serves, and names its display. -ENOENT: there is no Xvfb. */
int x_server_start(struct x_program *server, char *display, size_t size, struct error *err);

#endif
