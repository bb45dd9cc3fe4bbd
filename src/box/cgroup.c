// SPDX-License-Identifier: GPL-2.0-or-later
/* Limits on this kernel. */
#include <string.h>

#include "base/cleanup.h"
#include "base/unit.h"
#include "box/inside.h"
#include "box/memory.h"

static bool any_exists(const struct box *box)
{
	for (int i = 0; i < CGROUP_HIERARCHIES; i++) {
		if (box->group.path[i][0] && root_exists(box->root, box->group.path[i]))
			return true;
	}
	return false;
}

/* Makes the named group. -EEXIST: somebody else has it, and the journal must not kill it. */
static int make_named(struct box *box, struct error *err)
{
	size_t mark = journal_mark(box->journal);
	int r = 0;

	if (any_exists(box))
		return error_set(err, -EEXIST, "a group of this name is there already");
	for (int i = 0; r == 0 && i < CGROUP_HIERARCHIES; i++) {
		if (box->group.path[i][0])
			r = journal_note(box->journal, UNDO_CGROUP, box->group.path[i], NULL, err);
	}
	if (r < 0)
		return r;
	r = cgroup_make(&box->group, err);
	if (r < 0)
		journal_forget(box->journal, mark);
	return r;
}

int box_make_group(struct box *box, struct error *err)
{
	char name[64];
	int r = -EEXIST;

	for (unsigned i = 1; r == -EEXIST && i < 100; i++) {
		if (i == 1)
			snprintf(name, sizeof(name), "contend-%d", getpid());
		else
			snprintf(name, sizeof(name), "contend-%d-%u", getpid(), i);
		r = cgroup_name(&box->tree, NULL, name, &box->group, err);
		if (r == 0)
			r = make_named(box, err);
	}
	box->grouped = r == 0;
	return r;
}

/* RAM of the box: as asked for; when nobody asked, what does not hurt the machine. */
static int choose_ram(struct box *box, const struct box_config *config, struct error *err)
{
	struct memory memory;
	char wanted[32], there[32];
	int r = memory_read(box->root, &memory, err);

	if (r < 0)
		return r;
	box->ram = config->mem ? config->mem : BOX_RAM_DEFAULT;
	box_amount(box->ram, wanted, sizeof(wanted));
	box_amount(memory.available, there, sizeof(there));
	if (config->mem && box->tree.memory) {
		if (box->ram > memory.available && box->ram <= memory.total)
			box_note(box,
				"memory: %s is more than the machine has available (%s): it "
				"reclaims "
				"outside the box, too",
				wanted, there);
		return 0;
	}
	if (box->ram <= memory.available / 2)
		return 0;
	box->ram = memory.available / 2;
	box_note(box, "memory: half of what is available (%s), not %s", there, wanted);
	return 0;
}

/* Takes what the kernel made of the limits: those of the machine and of groups above hold, too. */
static int read_back(struct box *box, struct error *err)
{
	char got[32], wanted[32];
	uint64_t ram, swap;
	int r = cgroup_bounds(&box->tree, &box->group, &ram, &swap, err);

	if (r < 0)
		return r;
	/* Limits are kept in whole pages. */
	if (box->ram > ram && box->ram - ram >= 65536)
		box_note(box, "memory: %s, not %s: the machine or a group above allows no more",
			box_amount(ram, got, sizeof(got)),
			box_amount(box->ram, wanted, sizeof(wanted)));
	if (box->ram > ram)
		box->ram = ram;
	/* A swap area gives its first page to the header. */
	if (box->swap > swap && box->swap - swap >= 65536)
		box_note(box, "swap: %s, not %s: the machine or a group above allows no more",
			box_amount(swap, got, sizeof(got)),
			box_amount(box->swap, wanted, sizeof(wanted)));
	if (box->swap > swap)
		box->swap = swap;
	return 0;
}

static int limit(struct box *box, struct error *err)
{
	struct error why;
	uint64_t ram, swap;
	int r = cgroup_limit(&box->group, box->ram, box->swap, &why);

	if (r == -EOPNOTSUPP)
		box_note(box, "%s", why.text);
	else if (r < 0)
		return error_set(err, r, "%s", why.text);
	/* Refused is perhaps only the limit of swap. */
	r = cgroup_bounds(&box->tree, &box->group, &ram, &swap, err);
	if (r < 0)
		return r;
	box->limited = ram <= box->ram;
	return read_back(box, err);
}

/* A group above may allow no swap at all: then there is no use for what was made. */
static int limit_or_drop_swap(struct box *box, size_t before_swap, struct error *err)
{
	uint64_t wanted = box->swap;
	int r = limit(box, err);

	if (r == 0 && wanted && !box->swap)
		r = journal_undo(box->journal, before_swap, err);
	return r;
}

static int enter(struct box *box, const struct box_config *config, struct error *err)
{
	uint64_t swap = config->swap == UINT64_MAX ? BOX_SWAP_DEFAULT : config->swap;
	size_t before_swap;
	int r = choose_ram(box, config, err);

	if (r == 0)
		r = box_make_group(box, err);
	if (r < 0)
		return r;
	before_swap = journal_mark(box->journal);
	r = box_provide_swap(box, config, swap, err);
	if (r < 0)
		return r;
	if (box->tree.memory)
		return limit_or_drop_swap(box, before_swap, err);
	return read_back(box, err);
}

int box_enter_cgroup(struct box *box, const struct box_config *config, struct error *err)
{
	struct error why = { 0 };
	size_t mark, notes = box->n_notes;
	int r = cgroup_tree_read(box->root, &box->tree, &why);

	box->kind = BOX_CGROUP;
	if (r < 0)
		return error_set(err, r, "%s", why.text);
	if (box->tree.mode == CGROUP_NONE)
		return error_set(err, -EOPNOTSUPP, "no cgroup box: %s", why.text);
	if (!box->journal)
		return error_set(err, -EOPNOTSUPP, "no cgroup box without an undo journal");
	if (!box->tree.memory)
		box_note(box, "memory is not limited: %s", why.text);
	mark = journal_mark(box->journal);
	r = enter(box, config, err);
	if (r < 0) {
		if (box->grouped)
			cgroup_remove(&box->group, NULL);
		box->grouped = false;
		journal_undo(box->journal, mark, NULL);
		while (box->n_notes > notes) {
			free(box->notes[--box->n_notes]);
			box->notes[box->n_notes] = NULL;
		}
	}
	return r;
}
