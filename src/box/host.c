// SPDX-License-Identifier: GPL-2.0-or-later
/* The whole machine, with nothing limited. */
#include "base/unit.h"
#include "box/inside.h"
#include "box/memory.h"

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * The machine's size as far as this process may use it: what limits the groups above it have,
 * even where no groups can be made.
 */
static int measure(struct box *box, struct memory *ret_memory, struct error *err)
{
	uint64_t ram, swap;
	int r = memory_read(box->root, ret_memory, err);

	if (r < 0)
		return r;
	box->ram = ret_memory->total;
	box->swap = ret_memory->swap_total;
	if (cgroup_tree_read(box->root, &box->tree, NULL) < 0 ||
		cgroup_bounds(&box->tree, NULL, &ram, &swap, NULL) < 0)
		return 0;
	box->ram = least(box->ram, ram);
	box->swap = least(box->swap, swap);
	return 0;
}

/* Nobody named the host: loads must leave the machine alive. */
static void scale(struct box *box, const struct memory *memory)
{
	box->scaled = true;
	box->ram = least(BOX_RAM_DEFAULT, least(memory->available, box->ram) / 2);
	box->swap = least(BOX_SWAP_DEFAULT, least(memory->swap_free, box->swap) / 2);
}

int box_enter_host(struct box *box, const struct box_config *config, struct error *err)
{
	bool own = config->typed && (config->swap != UINT64_MAX && config->swap > 0);
	struct memory memory;
	int r = 0;

	box->kind = BOX_HOST;
	snprintf(box->swap_text, sizeof(box->swap_text), "swap");
	/* Swap that was asked for is made before the machine is measured. */
	if (own || config->swap_kind == BOX_SWAP_ZRAM)
		r = box_provide_swap(box, config, own ? config->swap : BOX_SWAP_DEFAULT, err);
	if (r == 0)
		r = measure(box, &memory, err);
	if (r < 0)
		return r;
	if (!config->typed) {
		scale(box, &memory);
		return 0;
	}
	if (config->mem && config->mem < box->ram) {
		box->ram = config->mem;
		box->scaled = true;
	} else if (config->mem > box->ram) {
		box_note(box, "memory: no more than the machine has");
	}
	if (config->swap < box->swap) {
		box->swap = config->swap;
		box->scaled = true;
	}
	return 0;
}
