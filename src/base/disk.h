// SPDX-License-Identifier: GPL-2.0-or-later
/* Which block device a path lies on. */
#ifndef BASE_DISK_H
#define BASE_DISK_H

#include <limits.h>

#include "base/root.h"

#define DISK_NAME_SIZE 64

/*
 * The whole disk, or the device made of disks (dm, md), that holds `path`. -ENOENT: it lies on
 * no block device (tmpfs, overlay, a network).
 */
int disk_of_path(const struct root *root, const char *path, char name[DISK_NAME_SIZE]);

/* Its file in /sys, "queue/scheduler": "cciss/c0d0" is "/sys/block/cciss!c0d0". */
void disk_file(char path[PATH_MAX], const char *name, const char *file);

/*
 * Calls visit() for the disks that a device stands on: itself, or those below dm and md. One that
 * is there twice is visited twice.
 */
void disks_visit(const struct root *root, const char *name,
	void (*visit)(void *data, const char *disk), void *data);

#endif
