// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the box's swap comes from. */
#include <string.h>

#include "base/cleanup.h"
#include "box/inside.h"
#include "box/memory.h"
#include "setting/swap.h"
#include "setting/swaps.h"

/* Collects the kinds of the machine's swap: "partition", "file+zram". */
static int add_kind(void *data, const char *path, const char *kind)
{
	char *kinds = data;

	(void)path;
	if (!strstr(kinds, kind)) {
		if (*kinds)
			strcat(kinds, "+");
		strcat(kinds, kind);
	}
	return 0;
}

static void use_machines(struct box *box, uint64_t bytes)
{
	char kinds[40] = "";

	box->swap = bytes;
	swaps_visit(box->root, add_kind, kinds);
	snprintf(box->swap_text, sizeof(box->swap_text), "of the machine's swap (%s)", kinds);
}

static int make(struct box *box, bool zram, uint64_t bytes, struct error *err)
{
	const struct zram device = { "", bytes, SWAP_PRIORITY_BOX };
	char algorithm[32];

	if (!box->journal)
		return error_set(err, -EPERM, "swap is not made without an undo journal");
	if (geteuid() != 0)
		return error_set(err, -EPERM, "only root can make swap");
	return zram ? swap_make_zram(box->root, box->journal, &device, algorithm, err)
		    : swap_make_file(box->journal, box->scratch, bytes, SWAP_PRIORITY_BOX, err);
}

int box_provide_swap(
	struct box *box, const struct box_config *config, uint64_t bytes, struct error *err)
{
	bool zram = config->swap_kind == BOX_SWAP_ZRAM;
	bool typed = zram || (config->typed && config->swap != UINT64_MAX);
	struct memory memory;
	struct error why;
	int r;

	box->swap = 0;
	if (!bytes)
		return 0;
	r = memory_read(box->root, &memory, err);
	if (r < 0)
		return r;
	if (!zram && memory.swap_free >= bytes) {
		use_machines(box, bytes);
		return 0;
	}
	r = make(box, zram, bytes, &why);
	if (r == 0) {
		box->swap = bytes;
		box->swap_kind = zram ? "zram" : "file";
		strcpy(box->swap_text, zram ? "zram" : "swap file");
		return 0;
	}
	if (typed || r == -ENOSPC)
		return error_set(err, r, "%s", why.text);
	if (memory.swap_free)
		use_machines(box, memory.swap_free);
	box_note(box, "swap: %s: %s", box->swap ? "only what the machine has free" : "none",
		why.text);
	return 0;
}
