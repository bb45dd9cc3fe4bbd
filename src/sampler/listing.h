// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files with a name and numbers on each line: /proc/vmstat, /proc/meminfo, /proc/diskstats,
 * memory.stat. The names are learned at open. At read each line is expected where it was and its
 * name is checked; only when it is not there is it searched for, so that a read costs little more
 * than its digits. A line that vanishes gives VALUE_ABSENT; a line that is new is ignored.
 */
#ifndef SAMPLER_LISTING_H
#define SAMPLER_LISTING_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "record/metric.h"
#include "sampler/feed.h"
#include "sampler/list.h"

/* One number on a line, in the order in which they stand there. */
struct listing_field {
	/*
	 * Name of the metric. NULL: the line's own name; ".reads": behind the line's name; "user":
	 * instead of it. The layout's prefix stands in front in each case.
	 */
	const char *name;
	const char *unit; /* NULL, in a rule: the line is left out */
	enum metric_kind kind;
	int64_t scale; /* what one of the kernel's is in the unit; 0: 1 */
};

/* What a line with one number means. */
struct listing_rule {
	const char *begins; /* the line's name begins with this; "": all others */
	struct listing_field field;
};

struct listing_layout {
	const char *prefix; /* of the names of all metrics; NULL: none */
	unsigned column; /* of a line's name: 2 in /proc/diskstats, else 0 */
	/* The first rule that fits counts; the last one must fit all. NULL: describe() knows. */
	const struct listing_rule *rules;
	/*
	 * Fields of a line, which must outlive the listing; NULL leaves it out. `rest` is the line
	 * behind its name. Of the fields only those are taken that this kernel's line has.
	 */
	const struct listing_field *(*describe)(
		const void *data, const char *name, const char *rest, size_t *ret_n);
	const void *data;
};

struct listing_line;

/* Zeroed: not open. */
struct listing {
	struct feed feed;
	unsigned column;
	struct listing_line *lines;
	size_t n;
};

/* Adds its metrics behind those that are in the list. Takes a listing whose open failed to close. */
int listing_open(struct listing *ret_listing, const struct root *root, const char *path,
	const struct listing_layout *layout, struct metric_list *list, struct error *err);

/* Fills its metrics' places in values; -errno and VALUE_ABSENT for all when nothing was read. */
int listing_read(struct listing *listing, int64_t *values);

void listing_close(struct listing *listing);

/* A sampler that is one listing and nothing else; its metrics, read and close callbacks. */
struct listing_state {
	struct listing listing;
	struct metric_list list;
};

/* -EOPNOTSUPP when the file has none of what the layout describes. */
int listing_state_open(struct listing_state *state, const struct root *root, const char *path,
	const struct listing_layout *layout, struct error *err);
size_t listing_state_metrics(const void *state, const struct metric **ret_metrics);
int listing_state_read(void *state, int64_t *values);
void listing_state_close(void *state);

#endif
