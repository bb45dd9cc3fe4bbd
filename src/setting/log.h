// SPDX-License-Identifier: GPL-2.0-or-later
/* The journal's file: lines are added at its end, and it is locked while it is open. */
#ifndef SETTING_LOG_H
#define SETTING_LOG_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "setting/line.h"

struct log {
	int fd; /* -1: not open */
	off_t size;
	char path[PATH_MAX];
};

/*
 * Opens and locks the file `journal` in a directory; `create` makes both. -EBUSY: another process
 * holds it. A process must not have one file open twice: see lock() in log.c.
 */
int log_open(struct log *ret_log, const char *directory, bool create, struct error *err);

/* Takes what log_open() failed on, too. */
void log_close(struct log *log);

/*
 * Calls visit() for every line until it returns other than 0, and returns that. The text is
 * visit()'s to change. What stands behind the last newline is a line whose writing was cut off:
 * it is taken off the file, and *ret_torn is set.
 */
int log_read(struct log *log, int (*visit)(void *data, char *text, unsigned number), void *data,
	bool *ret_torn, struct error *err);

/* `sync` has the line on disk when it returns. A line that does not fit leaves nothing. */
int log_append(struct log *log, const struct line *line, bool sync, struct error *err);

/* Makes the file empty. Returns 0 or -errno. */
int log_clear(struct log *log);

#endif
