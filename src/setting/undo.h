// SPDX-License-Identifier: GPL-2.0-or-later
/* What the entries of the journal do when they are undone. */
#ifndef SETTING_UNDO_H
#define SETTING_UNDO_H

#include "setting/journal.h"

/*
 * Undoes one entry and proves it. What is gone already counts as undone. Returns 1 when something
 * was there to undo, 0 when not, or -errno.
 */
int undo_act(const struct root *root, enum undo_kind kind, const char *path, const char *value,
	struct error *err);

/* "put back /proc/sys/vm/swappiness to 60", "removed /var/tmp/contend-7": what undo_act() did. */
const char *undo_render(
	enum undo_kind kind, const char *path, const char *value, char *buf, size_t size);

#endif
