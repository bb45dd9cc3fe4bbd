// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernels to boot in a virtual machine: found, fetched from Debian, unpacked. docs/vm.md. */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include <limits.h>
#include <stddef.h>

#include "base/error.h"

#define KERNEL_RELEASE_SIZE 128

struct kernel {
	char image[PATH_MAX]; /* bzImage or vmlinux */
	char release[KERNEL_RELEASE_SIZE]; /* as uname(2) will say; "": a vmlinux that hides it */
	char package[128]; /* "linux-image-6.1.0-50-cloud-amd64_6.1.176-1"; "": no package */
	char modules[PATH_MAX]; /* its lib/modules/RELEASE; "": all that it needs is built in */
	char config[PATH_MAX]; /* its configuration; "": not known */
};

/*
 * Finds a kernel: a file (bzImage, vmlinux, Debian package), an installed version (as in /boot), or
 * "debian:SUITE[:FLAVOUR]", which is looked up and fetched. "": the running kernel where its image
 * is in /boot, else Debian's of the suite that this machine is on. What is unpacked is kept below
 * `cache`. -ENOENT, -ENOEXEC, -EINVAL: no such kernel, a file that is none, a name that is none;
 * -EOPNOTSUPP: it cannot be fetched here.
 */
int kernel_find(const char *name, const char *cache, struct kernel *ret_kernel, struct error *err);

/*
 * Is the file a kernel for x86-64? Reads its release where the file says it. -ENOEXEC: it is none.
 */
int kernel_image_read(const char *path, char release[KERNEL_RELEASE_SIZE], struct error *err);

/* "6.12.95+deb12-cloud-amd64" -> 6, 12. False when the text begins with no version. */
_Bool kernel_version(const char *release, unsigned *ret_major, unsigned *ret_minor);

/* $XDG_CACHE_HOME/contend, ~/.cache/contend, or for root without a home /var/cache/contend. */
int kernel_cache_path(char *buf, size_t size, struct error *err);

#endif
