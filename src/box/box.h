// SPDX-License-Identifier: GPL-2.0-or-later
/* Where trials run: prepares the place, has a trial conducted in it, cleans up. */
#ifndef BOX_BOX_H
#define BOX_BOX_H

#include "base/root.h"
#include "config/config.h"
#include "plan/plan.h"
#include "record/sink.h"
#include "setting/journal.h"
#include "trial/trial.h"

struct box;

/*
 * Opens the box that the configuration names. Not typed: as root `cgroup:mem=512M,swap=1G`
 * on all allowed CPUs; without root a delegated v2 group where there is one; else `host` with
 * sizes scaled down (ram_bytes is then at most 512 MB and half of what is available).
 * Swap that the machine lacks is made in scratch, through the journal. A group named `contend-PID`
 * holds everything. -EOPNOTSUPP, -ENOSPC, ...: the text says what is missing and what would help.
 * `root` must outlive the box.
 */
int box_open(const struct box_config *config, const struct root *root, struct journal *journal,
	const char *scratch, struct box **ret_box, struct error *err);
void box_close(struct box *box);
void box_cleanup(struct box **box);

/* One line for people: "cgroup (hybrid, memory v1), 512 MiB RAM + 1 GiB swap file, 2 CPUs". */
const char *box_describe(const struct box *box);

/* Things that were wanted and not had, one line each; NULL at the end. "memory is not limited: ..." */
const char *const *box_notes(const struct box *box);

/* Adds one. */
void box_note(struct box *box, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The box's RAM and swap in bytes, and its CPUs. */
void box_sizes(const struct box *box, uint64_t *ret_ram, uint64_t *ret_swap, unsigned *ret_cpus);

/*
 * Can the part run in it? What its workload's probe() says, before anything is set up: the
 * trial asks the same again.
 */
int box_probe(const struct box *box, const struct part *part, struct error *err);

/*
 * Makes what trials of the plan will want that takes a while and is kept, and says so where it was
 * not there yet. A failure is the trials' own, later.
 */
void box_prepare(struct box *box, const struct plan *plan,
	void (*say)(void *data, const char *line), void *data);

/*
 * Conducts a trial in it: applies the variant's settings through the journal (and reads them
 * back), has trial_conduct() do the work, puts the settings back. As trial_conduct().
 */
int box_conduct(struct box *box, const struct trial *trial, const struct trial_watch *watch,
	struct sink *sink, struct error *err);

#endif
