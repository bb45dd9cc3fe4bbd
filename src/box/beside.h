// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trials side by side. Guests of an exact box do not notice each other: what a trial measures
 * follows from its seed alone. Each is conducted by a process of its own, which dies with contend,
 * and its guest with it.
 */
#ifndef BOX_BESIDE_H
#define BOX_BESIDE_H

#include "box/box.h"

struct beside;

/*
 * How many of the plan's trials may run at once: in an exact box as many as `guests` says, else as
 * this process has CPUs and the machine memory for; in every other box 1.
 */
unsigned box_width(struct box *box, const struct plan *plan);

/*
 * Begins a trial. No two that run have the same `place`, which names its directory. Of the watch
 * only `interrupted` is used, and only where the signal reaches that process, too: see
 * beside_interrupt().
 */
int beside_begin(struct box *box, const struct trial *trial, unsigned place,
	const struct trial_watch *watch, struct beside **ret_beside, struct error *err);

/* Readable when the trial has ended, for poll(2). */
int beside_fd(const struct beside *beside);

/* Tells the process what a terminal would: to end, and say so in the record. */
void beside_interrupt(const struct beside *beside);

/*
 * Waits for the end. The record lasts as long as *beside. As box_conduct(); of a process that
 * died the trial is broken.
 */
int beside_end(struct beside *beside, const unsigned char **ret_record, size_t *ret_size,
	struct error *err);

/* Kills what has not ended. */
void beside_free(struct beside *beside);
void beside_cleanup(struct beside **beside);

#endif
