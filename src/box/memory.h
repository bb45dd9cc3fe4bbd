// SPDX-License-Identifier: GPL-2.0-or-later
/* The machine's RAM and swap. */
#ifndef BOX_MEMORY_H
#define BOX_MEMORY_H

#include <stdint.h>

#include "base/error.h"
#include "base/root.h"

struct memory {
	uint64_t total, available; /* bytes */
	uint64_t swap_total, swap_free;
};

/* /proc/meminfo. MemAvailable is there since 3.14. */
int memory_read(const struct root *root, struct memory *ret_memory, struct error *err);

#endif
