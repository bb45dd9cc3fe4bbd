// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Log-linear histogram of durations: 32 buckets to each power of two, so that a bucket is at
 * most 3.2 % wide, from 1 ns to 2^63 - 1 ns (292 years). No allocation, no pointer: it may lie in
 * shared memory and is written by one thread.
 */
#ifndef STATS_HISTOGRAM_H
#define STATS_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_SUB 32
#define HISTOGRAM_BUCKETS (HISTOGRAM_SUB * 59)

struct histogram {
	uint64_t count;
	uint64_t negative; /* values below 0: counted apart, never dropped and never a bucket */
	int64_t sum; /* ns, of the values in buckets */
	int64_t max; /* ns, exact */
	uint32_t buckets[HISTOGRAM_BUCKETS];
};

/* Adds one value, in ns. */
void histogram_add(struct histogram *histogram, int64_t ns);

/* Adds all of `other`. */
void histogram_merge(struct histogram *histogram, const struct histogram *other);

/* Bucket of a value, and the smallest value of a bucket. */
unsigned histogram_bucket(int64_t ns);
int64_t histogram_bound(unsigned bucket);

/*
 * The value below which the share q (0 to 1) of all lies: upper bound of its bucket, never above
 * max. -1 when the histogram is empty.
 */
int64_t histogram_quantile(const struct histogram *histogram, double q);

#endif
