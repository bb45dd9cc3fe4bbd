// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes swap. What is made is journalled first, and a failure leaves nothing behind. */
#ifndef SETTING_SWAP_H
#define SETTING_SWAP_H

#include <stdint.h>

#include "base/error.h"
#include "base/root.h"
#include "setting/journal.h"

/*
 * Swap to a new file in the directory. -ENOSPC: no room for it (the text says how much, where,
 * and what would help); -EPERM; -EOPNOTSUPP: the filesystem does not do it.
 */
int swap_make_file(
	struct journal *journal, const char *directory, uint64_t bytes, struct error *err);

/*
 * Swap to a new zram device. The module is loaded where it is missing; it stays loaded.
 * -EOPNOTSUPP: this kernel has no zram.
 */
int swap_make_zram(
	const struct root *root, struct journal *journal, uint64_t bytes, struct error *err);

/* mkswap and swapon, journalled; for the two above. */
int swap_start(struct journal *journal, const char *path, struct error *err);

#endif
