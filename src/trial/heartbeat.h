// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A thread for each allowed CPU that should wake every 10 ms. How late it is, is what a person
 * at the keyboard would feel. It runs at normal priority on purpose: SCHED_FIFO would hide the
 * wait for a CPU.
 */
#ifndef TRIAL_HEARTBEAT_H
#define TRIAL_HEARTBEAT_H

#include <sched.h>
#include <stdint.h>

#include "base/error.h"
#include "stats/histogram.h"

#define HEARTBEAT_INTERVAL_NS (10 * 1000000LL)
#define HEARTBEAT_FREEZE_NS (100 * 1000000LL)

struct heartbeat;

struct heartbeat_result {
	struct histogram lateness; /* of all threads, censored ones included as far as they got */
	uint64_t beats;
	uint64_t freezes; /* lateness of HEARTBEAT_FREEZE_NS or more */
	int64_t freeze_longest_ns, freeze_sum_ns;
	uint64_t censored; /* threads still waiting, late, at the end */
};

/* Starts the threads; they sleep until heartbeat_open(). cpus NULL: one thread, not bound. */
int heartbeat_new(const cpu_set_t *cpus, size_t cpus_size, struct heartbeat **ret_heartbeat,
	struct error *err);

/* The window opens at now_ns. */
void heartbeat_open(struct heartbeat *heartbeat, int64_t now_ns);

/* The window closes at now_ns: nothing that wakes later counts, but as censored. */
void heartbeat_close(struct heartbeat *heartbeat, int64_t now_ns);

/* Ends the threads and adds up. After heartbeat_close(). */
void heartbeat_read(struct heartbeat *heartbeat, struct heartbeat_result *ret_result);

void heartbeat_free(struct heartbeat *heartbeat);

#endif
