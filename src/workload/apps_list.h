// SPDX-License-Identifier: GPL-2.0-or-later
/* Which X programs `apps` starts. */
#ifndef WORKLOAD_APPS_LIST_H
#define WORKLOAD_APPS_LIST_H

#include <stdbool.h>

#include "workload/apps.h"

struct apps_entry {
	char name[32];
	char command[256]; /* words that blanks part; the first is the program */
};

struct apps_list {
	struct apps_entry entries[APPS_MAX];
	unsigned n;
	char missing[512]; /* names of those that are not installed, parted by ", " */
};

/*
 * Reads an INI file with a section [apps] of lines "NAME = COMMAND", or with path "" takes a
 * built-in list of common X programs. What is not installed is left out, and named.
 */
int apps_list_read(const char *path, struct apps_list *ret_list, struct error *err);

#endif
