// SPDX-License-Identifier: GPL-2.0-or-later
/* Archives that a guest's kernel reads, written in such a way that the same content is the same. */
#ifndef VM_PACK_H
#define VM_PACK_H

#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

enum pack_format {
	PACK_INITRAMFS, /* cpio (newc) */
	PACK_IMAGE, /* ISO 9660 with Rock Ridge, for a block device */
};

/* Under construction. Names begin with a slash; directories above one are made as needed. */
struct pack {
	struct archive *archive;
	char **names; /* that are in it already */
	size_t n;
};

int pack_open(const char *path, enum pack_format format, struct pack *ret_pack, struct error *err);
/* Writes the rest. */
int pack_close(struct pack *pack, struct error *err);
void pack_done(struct pack *pack);

/* A name that is in it already stays as it is. */
int pack_directory(struct pack *pack, const char *name, struct error *err);
int pack_device(struct pack *pack, const char *name, dev_t device, struct error *err);
int pack_data(struct pack *pack, const char *name, mode_t mode, const char *data, size_t size,
	struct error *err);
int pack_file(
	struct pack *pack, const char *path, const char *name, mode_t mode, struct error *err);
int pack_link(struct pack *pack, const char *name, const char *target, struct error *err);

#endif
