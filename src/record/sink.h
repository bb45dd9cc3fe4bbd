// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where a trial writes what it saw: one preallocated, locked buffer that holds the record stream
 * in wire form. Writing is a copy: no allocation, no system call. The buffer is read, stored, or
 * sent out of a VM after the window has closed.
 *
 * The stream is a row of frames: u32 length of the payload, u8 type, payload. All integers are
 * little-endian. A stream is whole only when its last frame is RECORD_END and names the number
 * of frames before it: a guest that panics can leave a stream that merely looks short.
 */
#ifndef RECORD_SINK_H
#define RECORD_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "record/metric.h"
#include "stats/histogram.h"

enum record_type {
	RECORD_METRIC = 1, /* declares an id */
	RECORD_SAMPLE, /* a row of readings with consecutive ids */
	RECORD_EVENT,
	RECORD_HISTOGRAM,
	RECORD_ENVIRONMENT, /* key and text */
	RECORD_OUTCOME,
	RECORD_END,
};

struct sink {
	unsigned char *data;
	size_t size, used;
	uint32_t frames;
	uint32_t metrics; /* ids given out: 0 .. metrics - 1 */
	uint32_t lost; /* frames that found no room */
};

/* Maps, locks (where allowed) and touches the buffer. A forked child does not have it. */
int sink_init(struct sink *ret_sink, size_t size, struct error *err);
void sink_done(struct sink *sink);

/* Makes it empty again. */
void sink_reset(struct sink *sink);

/*
 * Declares a metric and returns its id. Ids are consecutive, so that a source that declares n
 * metrics in a row may give all their readings in one sample.
 */
uint32_t sink_metric(struct sink *sink, const struct metric *metric, const struct origin *origin);

/* values[i] is the reading of metric first + i at t_ns. */
void sink_sample(
	struct sink *sink, int64_t t_ns, uint32_t first, uint32_t n, const int64_t *values);

/* One value of one metric that is declared at once: for figures. */
void sink_figure(struct sink *sink, int64_t t_ns, const char *name, const char *unit,
	const struct origin *origin, int64_t value);

void sink_event(
	struct sink *sink, int64_t t_ns, enum event_kind kind, const char *role, const char *text);
void sink_histogram(
	struct sink *sink, const char *role, const char *name, const struct histogram *histogram);
void sink_environment(struct sink *sink, const char *key, const char *text);
void sink_outcome(struct sink *sink, const struct outcome *outcome);

/* Writes the closing frame. There is always room for it and for one outcome. */
void sink_end(struct sink *sink);

#endif
