// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files with all that they need to be used elsewhere: the symbolic links on the way to them, the
 * shared libraries of programs, the interpreters of scripts.
 */
#ifndef VM_CLOSURE_H
#define VM_CLOSURE_H

#include <stddef.h>
#include <sys/stat.h>

#include "base/error.h"

struct closure {
	struct closure_entry {
		char *path; /* absolute, with no link in it but the last */
		char *target; /* of a link; NULL: a regular file */
		struct stat st;
	} * entries;
	size_t n;
};

/*
 * Adds a path, which begins with a slash. Where there is nothing, or no regular file, nothing is
 * added but the links on the way. -EBADMSG: a program whose library is missing.
 */
int closure_add(struct closure *closure, const char *path, struct error *err);

/* Puts the entries in the order of their paths. */
void closure_sort(struct closure *closure);

void closure_done(struct closure *closure);

#endif
