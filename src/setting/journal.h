// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The undo journal: what must be put back or removed, on disk before it is changed or made, so
 * that not even kill -9 loses it. One journal for the machine (root) or the user; its owner holds
 * a lock that dies with the process. Whoever opens a journal that a dead owner left, repairs
 * first.
 *
 * It is the file `journal` in /var/lib/contend for root (/run/contend where that cannot be
 * written), in $XDG_STATE_HOME/contend or ~/.local/state/contend else. The environment variable
 * CONTEND_JOURNAL names another directory. After a reboot only files are still there to be
 * removed (UNDO_REMOVE): settings, swap, mounts and cgroups went with the kernel.
 */
#ifndef SETTING_JOURNAL_H
#define SETTING_JOURNAL_H

#include <stddef.h>

#include "base/error.h"
#include "base/root.h"

enum undo_kind {
	UNDO_WRITE, /* write value to path (a setting's old value), and read it back */
	UNDO_SWAPOFF, /* swapoff path */
	/*
	 * swapoff, reset and hot_remove the zram device path (/dev/zramN), if its disksize is value:
	 * a device must be journalled before it exists, and another may take its number.
	 */
	UNDO_ZRAM,
	UNDO_UNMOUNT, /* unmount path */
	UNDO_CGROUP, /* kill what is in the group directory path, and remove it */
	UNDO_REMOVE, /* remove the file or tree path: absolute, of two components or more */
	UNDO_KINDS
};

struct journal;

/*
 * One line that a person should see: what was put back or could not be. Called by undo and
 * repair for entries of a dead owner and for failures, with data as given.
 */
struct journal_watch {
	void (*say)(void *data, const char *line);
	void *data;
};

/*
 * Opens and locks the journal. If a dead owner left entries, they are undone first and each is
 * said. -EBUSY: another contend holds it (the text names its pid). -EROFS, -EACCES: nowhere to
 * keep a journal; contend then changes nothing that would need one. root must outlive the journal.
 * Only the process that opened it may use it: its forked children are refused (-EPERM).
 */
int journal_open(const struct root *root, struct journal **ret_journal,
	const struct journal_watch *watch, struct error *err);

/* Undoes what is left, and gives the lock back. */
void journal_close(struct journal *journal);

/*
 * Remembers how to undo what the caller is about to do: on disk (fsync) when it returns. `value`
 * is for UNDO_WRITE and UNDO_ZRAM, else NULL.
 */
int journal_note(struct journal *journal, enum undo_kind kind, const char *path, const char *value,
	struct error *err);

/* Where the journal stands, for a later journal_undo() down to here. */
size_t journal_mark(const struct journal *journal);

/*
 * Undoes the entries above mark in reverse, each verified. Goes on after a failure: what failed
 * stays in the journal and is said. Returns 0, or the first failure.
 */
int journal_undo(struct journal *journal, size_t mark, struct error *err);

/*
 * Drops the entries above mark without acting on them: what they announced was found to belong
 * to another (mkdir said EEXIST), and undoing it would take it away.
 */
void journal_forget(struct journal *journal, size_t mark);

/*
 * Undoes what a dead owner left, without making a journal where there is none: for `contend
 * restore`, and for the start of any command. Returns the number of entries undone or -errno:
 * -EBUSY as journal_open(), or the first entry's failure.
 */
int journal_repair(const struct root *root, const struct journal_watch *watch, struct error *err);

#endif
