// SPDX-License-Identifier: GPL-2.0-or-later
/* Which disk a file's device number stands for. */
#ifndef WORKLOAD_DISK_H
#define WORKLOAD_DISK_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/root.h"

/*
 * Have two devices (st_dev) a disk in common? Partitions are followed to their disk, device
 * mapper and md to the disks below them. A device that /sys does not know (btrfs, overlayfs, NFS
 * number their own) shares with itself only.
 */
bool disk_shared(const struct root *root, dev_t a, dev_t b);

#endif
