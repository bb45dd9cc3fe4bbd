// SPDX-License-Identifier: GPL-2.0-or-later
/* Directories into which packages have been unpacked. */
#ifndef KERNEL_TREE_H
#define KERNEL_TREE_H

#include "base/error.h"

/* Was it unpacked to its end? A directory gets its name only then. */
_Bool tree_is_whole(const char *path);

/*
 * Unpacks a .deb, or all of a directory, into a new directory. -EINVAL: it is no Debian package;
 * -EOPNOTSUPP: no dpkg here.
 */
int tree_unpack(const char *from, const char *path, struct error *err);

#endif
