// SPDX-License-Identifier: GPL-2.0-or-later
/* The limits of the box's memory, for the settings that change them. */
#ifndef SETTING_LIMIT_H
#define SETTING_LIMIT_H

#include "setting/setting.h"

/*
 * Sets both and reads back what holds. -EOPNOTSUPP: the box has no limits. That swap alone is not
 * limited on this machine is no failure: *ret_swap then says so.
 */
int limit_set(const struct setting_place *place, uint64_t ram, uint64_t swap, uint64_t *ret_ram,
	uint64_t *ret_swap, struct error *err);

#endif
