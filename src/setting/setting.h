// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Settings of the machine and of the box: found, read, and changed so that they can be put back.
 * A setting is a row of the registry ("zswap", "iosched"), a sysctl by its name, or a path below
 * /proc/sys or /sys. docs/settings.md has them all.
 */
#ifndef SETTING_SETTING_H
#define SETTING_SETTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/root.h"
#include "cgroup/cgroup.h"
#include "setting/journal.h"

/*
 * What settings are applied to: the machine, and the box of one trial. The box's fields are
 * changed by the settings that are about it; whoever made the box has the trial run as they say,
 * and gives the group its limits back afterwards.
 */
struct setting_place {
	const struct root *root;
	struct journal *journal; /* NULL: nothing may be changed */
	const char *scratch; /* directory on the disk that is meant; new swap files go there */

	const struct cgroup *group; /* NULL: memory is not limited */
	uint64_t ram, swap; /* bytes; 0 where there is no box to speak of */
	unsigned cpus;
	const char *swap_kind; /* what of its swap is contend's own: "file", "zram"; "": nothing */
	char zram[64]; /* a device made for the trial: "lzo:1G:32767"; "": none */
};

enum setting_scope {
	SETTING_MACHINE,
	SETTING_DISK, /* of the disk beneath scratch */
	SETTING_BOX,
};

/* A value as a person writes it, and as the kernel does (NULL: the same). */
struct setting_word {
	const char *word, *kernel;
};

struct setting {
	const char *name;
	const char *summary; /* one line, no full stop */
	const char *values; /* for people, where there are no words */
	enum setting_scope scope;
	const struct setting_word *words; /* ends in NULL; NULL: any that check() takes */
	bool open; /* there may be other words than these */
	const char *path; /* the one file that it is; NULL: read() and apply() know */
	const char *needs; /* what a kernel without it lacks: "CONFIG_KSM"; NULL */
	/* Can the value be right on any machine? -EINVAL. NULL: the words and the kernel decide. */
	int (*check)(const char *value, struct error *err);
	/* These two as setting_read() and setting_apply(). NULL: read and write the file at path. */
	int (*read)(const struct setting_place *place, char *buf, size_t size, struct error *err);
	int (*apply)(struct setting_place *place, const char *value, struct error *err);
};

/* All rows in the order in which they are listed, NULL at the end. */
extern const struct setting *const setting_registry[];

/* The row by its name, or by its path however that is spelled. NULL: none. */
const struct setting *setting_find(const char *key);

/* The values of a row for people: "always | madvise | never", "0 to 100". */
const char *setting_values(const struct setting *setting, char *buf, size_t size);

/*
 * The file of a setting that is no row: a sysctl as sysctl(8) spells it ("vm.page-cluster",
 * "net/ipv4/conf/eth0.7/mtu"), or a path below /proc/sys or /sys. -EINVAL: neither.
 */
int setting_path(const char *key, char *buf, size_t size, struct error *err);

/*
 * Could it be applied? -EINVAL: no such setting, or no such value; the text names the nearest.
 * Looks at what root has, and changes nothing: what only the kernel can refuse is found out by
 * setting_apply(). root NULL: it is for another kernel, which may have other sysctls.
 */
int setting_check(const struct root *root, const char *key, const char *value, struct error *err);

/*
 * The value in force, as a person writes it. -EOPNOTSUPP: this machine has no such setting, or it
 * cannot be read; the text says what is missing.
 */
int setting_read(const struct setting_place *place, const char *key, char *buf, size_t size,
	struct error *err);

/*
 * Journals what is in force, changes it and reads it back. -EOPNOTSUPP: it cannot be set here, and
 * the text says why: no such setting, read-only, refused by the kernel, or taken as another value.
 * Whatever was changed by then goes back with journal_undo().
 */
int setting_apply(
	struct setting_place *place, const char *key, const char *value, struct error *err);

#endif
