// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All trials in the order in which they run. It follows from the configuration and the seed
 * alone: no clock, no I/O.
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"

/* One run of one scenario under one variant. */
struct trial {
	const struct scenario *scenario; /* with the variant's options, where it has some */
	const struct variant *variant;
	unsigned block; /* from 1: trials of one block are compared; 0: warm-up, not counted */
	unsigned position; /* 0 .. plan->n - 1: place in the run, unique */
	uint64_t seed; /* for the workloads: the same in every variant of one block */
};

struct plan {
	const struct config *config;
	struct trial *trials;
	size_t n;
	unsigned blocks; /* that count */
	bool paired; /* a block is a seed */
};

/*
 * Arranges the trials in blocks. With one variant, a block holds each scenario once, shuffled by
 * the seed. With several, it holds each scenario's trials next to each other, scenarios and trials
 * shuffled: two of the reference and two of the other variant, or one of each other where there
 * are more; the pairs of the reference measure the noise. A block of warm-up, one trial of the
 * reference for each scenario, comes first.
 *
 * In an exact box a block is a seed, and holds each scenario under each variant once, in the order
 * of the configuration: a repeat gives the same bytes, so there is nothing to warm up, no noise to
 * measure, and no drift to shuffle against. Variants are pairs on each seed.
 *
 * The configuration must outlive the plan.
 */
int plan_make(const struct config *config, struct plan **ret_plan, struct error *err);
void plan_free(struct plan *plan);
void plan_cleanup(struct plan **plan);

/* Is it a trial of that scenario, whatever options the variant of either has? */
bool trial_is_of(const struct trial *trial, const struct scenario *scenario);

/* "io + mem:size=64M", as a trial_row has them: "" without loads. */
const char *loads_spell(const struct scenario *scenario, char *buf, size_t size);

/* "vm.swappiness=10,zswap=lzo": "" without assignments. */
const char *assignments_spell(const struct variant *variant, char *buf, size_t size);

/* One line for people: "   3  block 1  io  default  compile | io:size=64M, cold, lead-in 2s". */
const char *trial_spell(const struct trial *trial, char *buf, size_t size);

#endif
