// SPDX-License-Identifier: GPL-2.0-or-later
/* The parts of `apps`: the sequence of starts and switches, and the kinds of apps that it drives. */
#ifndef WORKLOAD_APPS_H
#define WORKLOAD_APPS_H

#include "workload/app.h"

/* With each start followed by a switch to all that are open, a trial's record keeps every turn. */
#define APPS_MAX 43

struct apps_params {
	uint64_t apps;
	int64_t patience_ns;
	struct set_params set;
	char display[128];
	char wm[128];
	char list[PATH_MAX];
};

/* The display that is meant: "none", "xvfb", or an X display's name. */
const char *apps_display(const struct apps_params *params);

/* One start or switch. */
struct turn {
	enum app_fate fate;
	int64_t latency_ns; /* of one that hung: as long as was waited */
	int64_t majors,
		minors; /* page faults of the app and its children in this turn; VALUE_ABSENT: unknown */
};

/* What knows how to start apps and how to switch to them. */
struct apps_kind {
	size_t state_size;
	int (*probe)(
		const struct place *place, const struct apps_params *params, struct error *err);
	/* Fills *ret_n, at most APPS_MAX, and `data`, zeroed and of state_size. */
	int (*setup)(struct instance *instance, void *data, unsigned *ret_n, struct error *err);
	/* What app i is called. */
	const char *(*name)(void *data, unsigned i, char *buf, size_t size);
	/* The size of its set. NULL: unknown. */
	uint64_t (*bytes)(void *data, unsigned i);
	/*
	 * One that did not answer is no longer there, and the error says what became of it.
	 * Negative: nothing can go on.
	 */
	int (*start)(void *data, unsigned i, struct turn *ret_turn, struct error *err);
	int (*activate)(void *data, unsigned i, struct turn *ret_turn, struct error *err);
	void (*teardown)(void *data);
	void (*cold_files)(void *data, void (*visit)(void *data, const char *path), void *to);
};

extern const struct apps_kind apps_headless;
extern const struct apps_kind apps_x;

#endif
