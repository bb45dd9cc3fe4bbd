// SPDX-License-Identifier: GPL-2.0-or-later
/* Modules for a guest's kernel: found without modules.dep, unpacked, in the order to load them. */
#ifndef KERNEL_MODULE_H
#define KERNEL_MODULE_H

#include <stddef.h>

#include "base/error.h"

struct module {
	char name[64]; /* as lsmod(8) spells it: "nd_pmem" */
	char *data; /* the ELF object, not compressed */
	size_t size;
};

struct modules {
	struct module *items; /* each behind those that it needs */
	size_t n;
};

/*
 * Reads the wanted modules (ends in NULL) and all that they need from a directory lib/modules/X;
 * "" has none. What is built in, or not there at all, is passed over: the guest says what it
 * lacks. -EBADMSG: a module that is no ELF object.
 */
int modules_read(const char *directory, const char *const wanted[], struct modules *ret_modules,
	struct error *err);
void modules_done(struct modules *modules);

/*
 * The value of a key of the module's .modinfo ("depends" -> "libnvdimm,nd_btt"), inside data; NULL
 * when there is none or data is no 64-bit little-endian ELF object.
 */
const char *module_info(const char *data, size_t size, const char *key);

/* "zram/zram-core.ko.xz" -> "zram_core". False: no module's file. */
_Bool module_name(const char *path, char name[64]);

#endif
