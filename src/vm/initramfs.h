// SPDX-License-Identifier: GPL-2.0-or-later
/* The guest's root: a cpio archive (newc) that the kernel unpacks into RAM. */
#ifndef VM_INITRAMFS_H
#define VM_INITRAMFS_H

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"
#include "kernel/module.h"

/* Where things are in the guest. */
#define INITRAMFS_PROGRAM "/bin/contend"
#define INITRAMFS_MODULES "/modules" /* 000-NAME.ko, 001-...: in the order to load them */
#define INITRAMFS_TOOLS "/tools" /* see vm/tools.h */

/*
 * Writes an archive with this program, mkfs.ext4 and mkswap, where there are such, each with its
 * shared libraries, the modules, and `config` (a kernel's configuration, "" none) as /boot/config-RELEASE.
 */
int initramfs_write(const char *path, const struct modules *modules, const char *config,
	const char *release, struct error *err);

/* Where the host has a program of the administrator's, whose PATH may not be the user's. */
bool initramfs_maker(const char *name, char ret_path[PATH_MAX]);

/*
 * Calls visit() for each shared library of a program, and the dynamic loader, by the path that the
 * loader would open. A program without any is fine.
 */
int libraries_visit(const char *program, int (*visit)(void *data, const char *path, struct error *),
	void *data, struct error *err);

#endif
