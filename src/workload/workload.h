// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What runs in a trial. A workload is one file, everything in it static, that ends in one
 * `const struct workload`, listed in registry.c. docs/workloads.md walks through one.
 *
 * The trial owns time: it decides when a step starts, paces it, times it and stops. The workload
 * owns what a step does. Each instance is a process of its own in a cgroup of its own, its
 * workers are threads of that process. A workload may fork or run programs; what it leaves
 * running is killed with the instance's cgroup or process group.
 */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/option.h"
#include "base/random.h"
#include "record/metric.h"

enum workload_roles {
	WORKLOAD_LEAD = 1, /* it can end by itself */
	WORKLOAD_LOAD = 2, /* it can go on for ever */
};

/* What a workload may know of where it runs. */
struct place {
	uint64_t ram_bytes; /* of the box: a load of "RAM size" is sized by this */
	uint64_t swap_bytes; /* of the box */
	unsigned cpus; /* that this process may run on */
	const char *
		scratch; /* this instance's own directory: empty at setup, removed after the trial */
	const char *shelf; /* shared by the trials of a run: see workload/shelf.h */
	uint64_t seed; /* of the trial */
};

/* Progress of one worker, written by it alone, read by the trial; one cache line each. */
struct progress {
	_Alignas(64) _Atomic uint64_t units;
};

/* Only the worker writes its counter, so a plain read and store will do: no locked instruction. */
static inline void progress_add(struct progress *progress, uint64_t units)
{
	atomic_store_explicit(&progress->units,
		atomic_load_explicit(&progress->units, memory_order_relaxed) + units,
		memory_order_relaxed);
}

/* Something that happened at one moment: a dropout, a start, a switch. */
struct workload_event {
	int64_t t_ns; /* CLOCK_MONOTONIC */
	char text[48];
};

/* The first this many are kept; those beyond are only counted. */
#define WORKLOAD_EVENTS 256

/* Shared with the trial, which records them when the window has closed. */
struct workload_events {
	_Atomic uint64_t n;
	struct workload_event events[WORKLOAD_EVENTS];
};

struct instance;

/* One thread that makes steps. */
struct worker {
	struct instance *instance;
	unsigned index; /* 0 .. instance->workers - 1 */
	struct progress *progress;
	struct random random; /* seeded from the trial's seed and the worker's index */
};

/* One workload at work in one trial, seen from inside its process. */
struct instance {
	const struct workload *workload;
	const struct place *place;
	const void *params;
	enum workload_roles role; /* the one that it plays in this trial */
	void *state; /* state_size zeroed bytes, shared by the workers */
	unsigned workers;
	/*
	 * Shared with the trial, one for each of workload->metrics; the trial reads them at every
	 * sample. Starts at VALUE_ABSENT for figures and gauges, 0 for counters.
	 */
	_Atomic int64_t *values;
	struct workload_events *events; /* NULL: nobody keeps them */
};

/* Says what happened at t_ns. For worker 0 alone; allocates nothing. */
void instance_event(const struct instance *instance, int64_t t_ns, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What a step says. Negative: -errno, and the error says why. */
enum step_result {
	STEP_DONE = 0, /* the work is over: for a lead the window closes now */
	STEP_MORE = 1,
	STEP_PASS = 2, /* more to do, and an iteration of the workload ended with this step */
};

struct workload {
	const char *name;
	const char *summary; /* one line, no full stop */
	const char *unit; /* of progress: "bytes", "files", "iterations" */
	/* contest's Loads column counts in larger units: "100 MB" is 100e6 bytes. */
	const char *table_unit;
	uint64_t table_divisor;
	unsigned revision; /* raised when old numbers stop being comparable */
	unsigned roles; /* enum workload_roles */
	struct option_rows options;
	size_t params_size;
	size_t state_size;
	const struct metric *metrics; /* beyond progress; may be NULL */
	size_t n_metrics;

	/* Workers when `workers` is not given (0 there). NULL: one. */
	unsigned (*default_workers)(const struct place *place, const void *params);
	/*
	 * Can it run here? Called before anything is set up, in contend's own process: it looks
	 * and changes nothing. 0, or negative with the reason, which becomes the outcome `skipped`
	 * for -EOPNOTSUPP and `broken` for the rest. NULL: always.
	 */
	int (*probe)(const struct place *place, const void *params, struct error *err);
	/* In the instance's process, before the window. Files that can serve later trials go on the
	 * shelf. */
	int (*setup)(struct instance *instance, struct error *err);
	/*
	 * One small step (a file, 64 KiB, one pass of a ring) on one worker's thread; adds what it
	 * did to worker->progress. May block as long as the kernel makes it. A load starts again
	 * at its end; it never returns STEP_DONE.
	 */
	int (*step)(struct worker *worker, struct error *err);
	/* After the last step, when the process is still alive. Files in scratch go by themselves. */
	void (*teardown)(struct instance *instance);
	/*
	 * Files that must not be in page cache when a cold trial starts, given one by one to
	 * visit(). Called after setup. NULL: nothing to prove.
	 */
	void (*cold_files)(const struct instance *instance,
		void (*visit)(void *data, const char *path), void *data);
	/*
	 * Files of this machine that it cannot do without: programs that it runs and what those
	 * read, but for shared libraries. Called in contend's own process; a guest is given them.
	 * A path where there is nothing is passed over. NULL: contend itself is all.
	 */
	void (*needs)(const void *params, void (*visit)(void *data, const char *path), void *data);
};

/* The options that every workload has, applied by the trial. */
struct common_params {
	uint64_t workers; /* 0: the workload's default */
	double rate; /* units per second and instance; 0: as fast as it goes */
};

extern const struct option_rows workload_common_options;

/* All workloads, in the order of `contend list`; ends in NULL. */
extern const struct workload *const workload_registry[];

/* NULL when there is none of this name that can play one of the roles. */
const struct workload *workload_find(const char *name, unsigned roles);

#endif
