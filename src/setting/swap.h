// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes swap. What is made is journalled first, and a failure leaves nothing behind. */
#ifndef SETTING_SWAP_H
#define SETTING_SWAP_H

#include <stdint.h>

#include "base/error.h"
#include "base/root.h"
#include "setting/journal.h"

/*
 * Priorities: what the box swaps goes to its own area and not to one of the machine's, so that the
 * box's swap is the one that it says it has; and what a variant adds goes before that.
 */
#define SWAP_PRIORITY_BOX 32766
#define SWAP_PRIORITY_FIRST 32767

/*
 * Swap to a new file in the directory. -ENOSPC: no room for it (the text says how much, where,
 * and what would help); -EPERM; -EOPNOTSUPP: the filesystem does not do it.
 */
int swap_make_file(struct journal *journal, const char *directory, uint64_t bytes, int priority,
	struct error *err);

struct zram {
	const char *algorithm; /* "": the kernel's own choice */
	uint64_t bytes;
	int priority;
};

/*
 * Swap to a new zram device. The module is loaded where it is missing; it stays loaded.
 * -EOPNOTSUPP: this kernel has no zram, or not the algorithm. ret_algorithm: the one in force.
 */
int swap_make_zram(const struct root *root, struct journal *journal, const struct zram *zram,
	char ret_algorithm[32], struct error *err);

/* mkswap and swapon, journalled; for the two above. */
int swap_start(struct journal *journal, const char *path, int priority, struct error *err);

#endif
