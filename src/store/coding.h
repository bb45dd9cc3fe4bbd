// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How series and histograms are packed in blobs.
 *
 * A series is the row of differences of consecutive values (the first to 0, modulo 2^64), each
 * zigzag-coded and written as a LEB128 varint; a run of equal values is a 0 and the number of
 * further ones. VALUE_ABSENT is a value like any other: it costs ten bytes to become absent or
 * present, and nothing to stay so.
 *
 * A histogram is, for each bucket that is not empty, the distance to the one before and the
 * count, as varints.
 */
#ifndef STORE_CODING_H
#define STORE_CODING_H

#include <stddef.h>
#include <stdint.h>

#include "stats/histogram.h"

/* Bytes that grow. All zero is a valid, empty one. */
struct bytes {
	unsigned char *data;
	size_t size, room;
};

void bytes_done(struct bytes *bytes);

/* A series as it comes in. All zero is a valid, empty one. */
struct coder {
	struct bytes bytes;
	int64_t last;
	uint64_t repeats; /* of last, not written yet */
};

/* -ENOMEM; the coder is then as it was. */
int coder_put(struct coder *coder, int64_t value);

/* Writes what is pending: coder->bytes is the whole series, until the next value is put. */
int coder_finish(struct coder *coder);

void coder_done(struct coder *coder);

/* Unpacks exactly n values. -EBADMSG: the blob holds fewer, more, or something else. */
int series_unpack(const unsigned char *data, size_t size, int64_t *values, size_t n);

int histogram_pack(const struct histogram *histogram, struct bytes *bytes);

/* Fills the buckets, which are zero. -EBADMSG: the blob is no histogram. */
int histogram_unpack(const unsigned char *data, size_t size, struct histogram *histogram);

#endif
