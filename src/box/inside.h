// SPDX-License-Identifier: GPL-2.0-or-later
/* What the files of this room share: the box, and the steps of opening one. */
#ifndef BOX_INSIDE_H
#define BOX_INSIDE_H

#include <limits.h>
#include <stdbool.h>

#include "box/box.h"
#include "cgroup/cgroup.h"

#define BOX_RAM_DEFAULT (512 * MIB)
#define BOX_SWAP_DEFAULT GIB
#define BOX_NOTES 16

struct box {
	const struct root *root;
	struct journal *journal; /* NULL: nothing may be made that must be undone */
	size_t mark; /* of the journal, before the box was opened */
	size_t settled; /* of the journal, when it stood */
	enum box_kind kind;
	bool scaled; /* host: sizes are less than the machine's */
	bool limited; /* cgroup: memory is */
	bool altered; /* the limits may be those of a trial's settings */
	struct cgroup_tree tree;
	struct cgroup group;
	bool grouped; /* the group has been made */
	uint64_t ram, swap; /* bytes */
	const char *swap_kind; /* what of it is contend's own: "file", "zram"; NULL: nothing */
	char swap_text[64]; /* what the swap is: "swap file", "of the machine's swap (zram)" */
	cpu_set_t *cpus;
	size_t cpus_size;
	unsigned n_cpus;
	char scratch[PATH_MAX]; /* the run's own directory; "": not made yet */
	char trials[PATH_MAX], shelf[PATH_MAX]; /* below it */
	bool can_drop_caches;
	struct vm_box *vm; /* NULL: not that box */
	char description[320];
	char *notes[BOX_NOTES + 1];
	size_t n_notes;
};

/* -> host.c, cgroup.c: set kind, ram and swap. */
int box_enter_host(struct box *box, const struct box_config *config, struct error *err);

/* Makes the box's group, which the journal knows, in box->tree. */
int box_make_group(struct box *box, struct error *err);

/* -EOPNOTSUPP: no groups can be made here. Leaves nothing behind on failure. */
int box_enter_cgroup(struct box *box, const struct box_config *config, struct error *err);

/* Allowed CPUs: the affinity mask, or the first `wanted` of it (0: all). */
int box_find_cpus(struct box *box, uint64_t wanted, struct error *err);

/* A mask of the first n of the box's, as large as its own. NULL: no memory. */
cpu_set_t *box_first_cpus(const struct box *box, unsigned n);
void cpus_free(cpu_set_t **cpus);

/* Makes the run's own directory below base, with its subdirectories. */
int box_make_scratch(struct box *box, const char *base, struct error *err);

/*
 * Sees to it that the machine has `bytes` of free swap, and sets box->swap to what there is.
 * Negative only when the user asked for swap that cannot be had, or scratch is too small for it.
 */
int box_provide_swap(
	struct box *box, const struct box_config *config, uint64_t bytes, struct error *err);

/* "512 MiB", "1 GiB": whole units where it is some, else as bytes_render(). */
const char *box_amount(uint64_t bytes, char *buf, size_t size);

#endif
