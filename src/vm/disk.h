// SPDX-License-Identifier: GPL-2.0-or-later
/* The disk that a guest has: `disk=` of the box. */
#ifndef VM_DISK_H
#define VM_DISK_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum vm_disk_kind {
	VM_DISK_LINEAR, /* as fast as RAM, with the block layer's queues above it */
	VM_DISK_DELAY, /* each request takes delay_ns of virtual time, in whole ticks of the kernel */
	VM_DISK_ZRAM, /* swap is zram; scratch as linear */
};

struct vm_disk {
	enum vm_disk_kind kind;
	int64_t delay_ns;
};

/* "linear", "delay:2ms", "zram". */
int vm_disk_parse(const char *text, struct vm_disk *ret_disk, struct error *err);
const char *vm_disk_spell(const struct vm_disk *disk, char *buf, size_t size);

#endif
