// SPDX-License-Identifier: GPL-2.0-or-later
/* Block devices, by the names that /sys/block and /proc/diskstats give them. */
#ifndef SAMPLER_DISK_H
#define SAMPLER_DISK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/disk.h"
#include "base/root.h"

/*
 * Is it worth a look: the disk named scratch_disk, a physical disk with a medium, a zram device of
 * some size, or one that is swapped to? False for partitions.
 */
bool disk_wanted(const struct root *root, const char *name, const char *scratch_disk);

/*
 * Does what is written to it come again as I/O of another device (dm, md, loop), or never reach a
 * disk (zram, ram)? Then a sum over devices must leave it out.
 */
bool disk_counts_twice(const struct root *root, const char *name);

/* First line of a file of the disk's, "queue/scheduler". As root_read_line(). */
int disk_read(const struct root *root, const char *name, const char *file, char *buf, size_t size);

#endif
