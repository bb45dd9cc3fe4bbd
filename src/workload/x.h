// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What `apps` wants of an X display: to see a program's first window come up, to bring a window to
 * the front, and to know when its program has painted it and answers.
 *
 * A window counts as painted when its program has drawn into it after it was told to (an Expose
 * event that is sent to it and all its inferiors); what the server fills in by itself comes before
 * that and does not count.
 */
#ifndef WORKLOAD_X_H
#define WORKLOAD_X_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct x;

/* -ECONNREFUSED: no such display; -EOPNOTSUPP: it has no DAMAGE extension. */
int x_open(const char *display, struct x **ret_x, struct error *err);
void x_close(struct x *x);

/* Is there a window manager that knows EWMH? Waits for one as long. */
bool x_managed(struct x *x, int64_t patience_ns);

/*
 * A window manager that has just announced itself may still lose the windows that come then: this
 * shows windows of contend's own until one has been mapped. False: none was.
 */
bool x_serves(struct x *x, int64_t patience_ns);

enum x_wait {
	X_DONE,
	X_LATE,
	X_ENDED, /* ended() said so */
	X_GONE, /* the display */
};

/* How long to wait, and for whom: a program that has ended is waited for in vain. */
struct x_patience {
	int64_t until_ns;
	bool (*ended)(void *data);
	void *data;
};

/* Waits for a new window with a WM_CLASS, mapped, that no call before has returned. */
enum x_wait x_new_window(struct x *x, const struct x_patience *patience, uint32_t *ret_window);

/* By the window manager where there is one, else by the server: raised and focused. */
void x_activate(struct x *x, uint32_t window);

enum x_wait x_painted(struct x *x, uint32_t window, const struct x_patience *patience);

/* Answers _NET_WM_PING. Done at once when it does not know it. */
enum x_wait x_answered(struct x *x, uint32_t window, const struct x_patience *patience);

#endif
