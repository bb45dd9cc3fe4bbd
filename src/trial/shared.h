// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the supervisor and an instance's process share: one mapping, made before the fork, locked
 * by the supervisor. Everything in it is written by one side only, but for the gate.
 */
#ifndef TRIAL_SHARED_H
#define TRIAL_SHARED_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "stats/histogram.h"
#include "workload/workload.h"

/*
 * Supervisor -> instance. A futex. Every value from GATE_PROVE on asks anew whether the cold
 * files are out of page cache: numbered, so that no request is taken for the one before.
 */
enum gate {
	GATE_SHUT,
	GATE_OPEN, /* work */
	GATE_PROVE,
};

/* Instance -> supervisor. A futex. */
enum stand {
	STAND_SETUP,
	STAND_READY, /* setup is done */
	STAND_PROVED, /* the answer to GATE_PROVE is there */
	STAND_ENDED, /* all workers have ended; `code` says how */
	STAND_FAILED, /* setup failed; `code` and `error` say why */
};

/* getrusage(2) of the process plus that of the children that it waited for. */
struct usage {
	int64_t user_ns, system_ns;
	int64_t major_faults, minor_faults;
};

/* One pass of the first worker over its work: what `time` would say of it. */
struct iteration {
	int64_t start_ns, end_ns;
	struct usage usage; /* of the process and the children that it waited for, in this pass */
	int64_t swap_bytes; /* used in the box (without one: on the machine) when it ended */
};

/* More passes than these are counted, and not kept one by one. */
#define ITERATIONS_KEPT 1000

struct shared {
	_Atomic uint32_t gate;
	_Atomic uint32_t stand;
	_Atomic uint32_t stop;

	int code; /* 0 or negative errno */
	struct error error;
	int64_t end_ns; /* when the last worker ended */
	struct usage at_gate, at_end;
	uint64_t passes; /* iterations that ended, of the first worker */
	int64_t swap_before; /* as iteration.swap_bytes, at the gate */
	uint64_t resident_pages; /* of the cold files */
	char resident_path[256]; /* the first of them that was not cold */

	unsigned workers;
	size_t n_values;
	size_t size; /* of the mapping */
	/* Behind the structure, each aligned to a cache line. */
	struct progress *progress; /* workers */
	struct histogram *steps; /* workers: from when a step was due to its end */
	_Atomic int64_t *values; /* n_values: the workload's own metrics */
	struct workload_events *events;
	struct iteration *iterations; /* ITERATIONS_KEPT */
	int64_t *iteration_values; /* n_values for each: the workload's metrics when it ended */
};

/* Maps and touches it. */
int shared_new(const struct workload *workload, unsigned workers, struct shared **ret_shared,
	struct error *err);
void shared_free(struct shared *shared);

/* Units of all workers together. */
uint64_t shared_progress(const struct shared *shared);

/* futex(2) across processes. Waits until *word differs from value, at most timeout_ns. */
void shared_wait(_Atomic uint32_t *word, uint32_t value, int64_t timeout_ns);

/* Sets the word and wakes who waits for it. */
void shared_set(_Atomic uint32_t *word, uint32_t value);

#endif
