// SPDX-License-Identifier: GPL-2.0-or-later
/* The readings of the trial that is being stored, packed in memory until it is committed. */
#ifndef STORE_READINGS_H
#define STORE_READINGS_H

#include "record/wire.h"
#include "store/coding.h"
#include "store/database.h"

/* One metric of the dictionary, and its samples. */
struct lane {
	int64_t metric;
	struct coder times, values;
	int64_t first, last;
	uint64_t n;
};

/* More than the largest machine has; a stream that goes beyond is no record. */
#define METRICS_MAX 65536

/* All zero is a valid, empty one. */
struct readings {
	struct lane *lanes;
	size_t n_lanes, lanes_room;
	uint32_t *lane_of; /* by the record's id: index of the lane + 1, 0 when not declared */
	size_t n_ids;
	uint64_t lost; /* readings of metrics that were not declared: the sink was full */
};

/*
 * Takes a METRIC record: finds the metric in the dictionary or adds it. A metric that a stream
 * declares twice is one lane.
 */
int readings_declare(struct readings *readings, struct store *store, const struct record *record,
	struct error *err);

/* Takes a SAMPLE record. */
int readings_sample(struct readings *readings, const struct record *record, struct error *err);

int readings_write(
	struct readings *readings, struct store *store, int64_t trial, struct error *err);

void readings_done(struct readings *readings);

#endif
