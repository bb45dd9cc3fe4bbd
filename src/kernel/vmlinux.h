// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel inside a bzImage: a guest that need not unpack it boots in four fifths of the time. */
#ifndef KERNEL_VMLINUX_H
#define KERNEL_VMLINUX_H

#include <stddef.h>

#include "base/error.h"

/*
 * Writes a bzImage's vmlinux to a file. -EOPNOTSUPP: it is no bzImage, compressed in a way that is
 * not known here, or without the entry that QEMU starts a vmlinux by (CONFIG_PVH): then the image
 * itself is to be booted.
 */
int vmlinux_write(const char *image, const char *path, struct error *err);

/* Has the ELF file in data the PVH entry, a note of Xen's (include/xen/interface/elfnote.h)? */
_Bool vmlinux_has_entry(const char *data, size_t size);

#endif
