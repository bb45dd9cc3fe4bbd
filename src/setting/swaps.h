// SPDX-License-Identifier: GPL-2.0-or-later
/* /proc/swaps: what the machine swaps to. */
#ifndef SETTING_SWAPS_H
#define SETTING_SWAPS_H

#include <limits.h>
#include <stdbool.h>

#include "base/root.h"

/* "/var/my\040swap" -> "/var/my swap": the kernel writes blanks in paths as octal. In place. */
void octal_unescape(char *text);

/*
 * Calls visit() for each area in use until it returns other than 0, and returns that. `kind` is
 * "file", "partition" or "zram". Returns -errno where /proc/swaps cannot be read.
 */
int swaps_visit(const struct root *root,
	int (*visit)(void *data, const char *path, const char *kind), void *data);

/* Is path in use as swap? 1, 0 or -errno. */
int swaps_find(const struct root *root, const char *path);

#endif
