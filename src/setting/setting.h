// SPDX-License-Identifier: GPL-2.0-or-later
/* Settings of the machine: found, read, and changed so that they can be put back. */
#ifndef SETTING_SETTING_H
#define SETTING_SETTING_H

#include <stddef.h>

#include "base/error.h"
#include "base/root.h"
#include "setting/journal.h"

/*
 * The file of a setting: a sysctl as sysctl(8) spells it ("vm.page-cluster",
 * "net/ipv4/conf/eth0.7/mtu"), or a path below /proc/sys or /sys. -EINVAL: neither.
 */
int setting_path(const char *key, char *buf, size_t size, struct error *err);

/*
 * The value in force: without blanks at its ends; of a list of choices the chosen one.
 * -EOPNOTSUPP: this kernel has no such setting, or it cannot be read.
 */
int setting_read(
	const struct root *root, const char *key, char *buf, size_t size, struct error *err);

/*
 * Journals the value in force, writes the new one and reads it back. -EOPNOTSUPP: it cannot be
 * set here, and the text says why: no such setting, read-only, refused by the kernel, or taken
 * as another value. Whatever was changed by then goes back with journal_undo().
 */
int setting_apply(struct journal *journal, const struct root *root, const char *key,
	const char *value, struct error *err);

#endif
