// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads a record stream (see sink.h). What it reads may come from a guest: it trusts nothing. */
#ifndef RECORD_WIRE_H
#define RECORD_WIRE_H

#include "record/sink.h"

/* Texts point into the stream and end in NUL there; they live as long as its buffer. */
struct record {
	enum record_type type;
	int64_t t_ns; /* SAMPLE, EVENT */
	uint32_t id; /* METRIC: its id; SAMPLE: the first */
	uint32_t n; /* SAMPLE: readings; END: frames before it */
	struct metric metric; /* METRIC */
	struct origin origin; /* METRIC; EVENT and HISTOGRAM: only the role */
	enum event_kind event; /* EVENT */
	const char *name; /* HISTOGRAM: its name; ENVIRONMENT: the key */
	const char *text; /* EVENT, ENVIRONMENT */
	const unsigned char *values; /* SAMPLE: n little-endian int64; see record_value() */
	struct histogram histogram; /* HISTOGRAM */
	struct outcome outcome; /* OUTCOME */
};

struct wire {
	const unsigned char *data;
	size_t size, used;
	uint32_t frames;
};

/*
 * Reads the next record. Returns 1, 0 behind the last one, -EBADMSG where the stream is cut or
 * is no stream (the text says at which byte).
 */
int wire_next(struct wire *wire, struct record *ret_record, struct error *err);

int64_t record_value(const struct record *record, uint32_t i);

#endif
