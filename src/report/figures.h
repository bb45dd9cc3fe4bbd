// SPDX-License-Identifier: GPL-2.0-or-later
/* What one trial measured, in the terms of the views. docs/record.md names the sources. */
#ifndef REPORT_FIGURES_H
#define REPORT_FIGURES_H

#include "report/results.h"

/* One of the loads that a trial's row spells. */
struct load_name {
	const char *spelled; /* "io:size=64M" */
	const char *role; /* "io", "io-2": as config names the part */
};

/* Takes "io:size=64M + io + mem" apart. NULL and *ret_n 0 without loads. */
struct load_name *loads_split(struct arena *arena, const char *loads, size_t *ret_n);

struct load_figures {
	double progress; /* the workload's units, in the window */
	double divisor; /* units of one of the Loads column */
	double loads; /* progress / divisor */
	double rate; /* progress per second of window */
	double cpu_percent;
};

/* NAN: absent */
struct figures {
	double time_s;
	double cpu_percent; /* of the lead's whole tree, not divided by CPUs */
	double major_faults; /* of the lead */
	double busy_percent; /* user + system, of all CPUs */
	double wait_percent; /* iowait + steal */
	double freeze_s; /* the longest */
	double missing_percent; /* of the samples */
	const struct load_name *names;
	struct load_figures *loads;
	size_t n_loads;
};

void figures_read(struct results *results, const struct result *trial, struct figures *ret_figures);

#endif
