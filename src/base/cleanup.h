// SPDX-License-Identifier: GPL-2.0-or-later
/* Scope-bound release of what a function acquired. */
#ifndef BASE_CLEANUP_H
#define BASE_CLEANUP_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * int fd CLEANUP(close_fd) = open(...);
 *
 * The variable is declared and acquired in one statement. A destructor is given the address of
 * the variable; it accepts a variable that holds nothing (NULL, -1) and keeps errno.
 */
#define CLEANUP(fn) __attribute__((cleanup(fn)))

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static inline void close_fd(int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		close(*fd);
	errno = saved;
}

static inline void close_file(FILE **file)
{
	int saved = errno;

	if (*file)
		fclose(*file);
	errno = saved;
}

static inline void free_text(char **text)
{
	free(*text);
}

/* Gives the descriptor away: the caller owns it, the cleanup finds nothing. */
static inline int take_fd(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

#endif
