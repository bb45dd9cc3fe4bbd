// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A working set: memory of the three kinds that a program has. It is mapped, touched, left alone,
 * and touched again; what that costs is told for each kind.
 *
 * Executable text is a file of machine code, mapped as the dynamic loader maps a library, and
 * executed: each of its pages begins with a function that is called. To the kernel it differs from
 * the data file in one thing alone, VM_EXEC, and that is what a kernel may go by when it chooses
 * what to throw out. The data file is its control: read, and otherwise the same.
 */
#ifndef WORKLOAD_SET_H
#define WORKLOAD_SET_H

#include <limits.h>
#include <stdint.h>

#include "base/error.h"
#include "base/option.h"
#include "workload/workload.h"

enum set_kind {
	SET_EXEC,
	SET_DATA,
	SET_ANON,
	SET_KINDS
};

extern const char *const set_kind_names[SET_KINDS]; /* "exec", "data", "anon" */

/* What a user may say of it. */
struct set_params {
	struct size size[SET_KINDS];
	double compress;
};

/* Their option rows, in a params structure that has them in its field `set`. */
#define SET_OPTIONS(params, exec, data, anon) \
	{ OPTION("exec", OPTION_SIZE, params, set.size[SET_EXEC]), .fallback = (exec), \
		.help = "executable text of a set, in bytes or per cent of the box's RAM" }, \
		{ OPTION("data", OPTION_SIZE, params, set.size[SET_DATA]), .fallback = (data), \
			.help = "mapped data of a set, likewise; it is read" }, \
		{ OPTION("anon", OPTION_SIZE, params, set.size[SET_ANON]), .fallback = (anon), \
			.help = "anonymous memory of a set, likewise; it is written" }, \
	{ \
		OPTION("compress", OPTION_REAL, params, set.compress), \
			.fallback = "2", .min = DATA_RATIO_MIN, .max = DATA_RATIO_MAX, \
			.help = "ratio by which each 4 KiB of a set compresses; 1: not at all" \
	}

/* One set. Goes to the process that holds it as it is. */
struct set_plan {
	uint64_t pages[SET_KINDS];
	uint64_t first[SET_KINDS]; /* number of its first page: in the file, or of its contents */
	double compress;
	char path[SET_ANON][PATH_MAX]; /* the files */
};

struct set {
	struct set_plan plan;
	uint64_t page_size;
	char *area[SET_KINDS];
	struct random random; /* the order in which pages are touched */
};

/* What it cost to touch all pages of a kind. */
struct touch {
	int64_t ns;
	int64_t majors, minors; /* page faults of this process */
};

/*
 * The files of n sets are one of each kind, in which every set has pages of its own: made on the
 * shelf, once, and taken out of the page cache. Fills path and first of each plan.
 */
int set_files_find(
	const struct place *place, struct set_plan *plans, unsigned n, struct error *err);

/* Is there room for them, and may what lies on the shelf be executed? */
int set_files_check(
	const struct place *place, const struct set_plan *plans, unsigned n, struct error *err);

/* Pages of each kind; permille scales the whole set. */
void set_plan_size(struct set_plan *plan, const struct set_params *params,
	const struct place *place, unsigned permille);

/* Maps it, and fills its anonymous memory. */
int set_map(struct set *set, const struct set_plan *plan, uint64_t seed, struct error *err);

/* Touches every page of a kind, in random order. Allocates nothing. */
struct touch set_touch(struct set *set, enum set_kind kind);

/* Pages of a kind that are in memory, by mincore(2); negative errno. */
int64_t set_resident(const struct set *set, enum set_kind kind);

#endif
