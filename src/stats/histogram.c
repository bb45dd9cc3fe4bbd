// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/histogram.h"

#define SUB_BITS 5 /* HISTOGRAM_SUB == 1 << SUB_BITS */

unsigned histogram_bucket(int64_t ns)
{
	unsigned exponent;

	if (ns < HISTOGRAM_SUB)
		return (unsigned)ns;
	exponent = 63 - (unsigned)__builtin_clzll((uint64_t)ns);
	return (exponent - SUB_BITS + 1) * HISTOGRAM_SUB +
	       (unsigned)((uint64_t)ns >> (exponent - SUB_BITS)) % HISTOGRAM_SUB;
}

int64_t histogram_bound(unsigned bucket)
{
	unsigned power = bucket / HISTOGRAM_SUB;

	if (power == 0)
		return bucket;
	return (int64_t)(HISTOGRAM_SUB + bucket % HISTOGRAM_SUB) << (power - 1);
}

void histogram_add(struct histogram *histogram, int64_t ns)
{
	if (ns < 0) {
		histogram->negative++;
		return;
	}
	histogram->count++;
	histogram->sum += ns;
	if (ns > histogram->max)
		histogram->max = ns;
	histogram->buckets[histogram_bucket(ns)]++;
}

void histogram_merge(struct histogram *histogram, const struct histogram *other)
{
	histogram->count += other->count;
	histogram->negative += other->negative;
	histogram->sum += other->sum;
	if (other->max > histogram->max)
		histogram->max = other->max;
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		histogram->buckets[i] += other->buckets[i];
}

int64_t histogram_quantile(const struct histogram *histogram, double q)
{
	double wanted = q * (double)histogram->count;
	uint64_t seen = 0;

	if (!histogram->count)
		return -1;
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		int64_t upper;

		seen += histogram->buckets[i];
		if (!histogram->buckets[i] || (double)seen < wanted)
			continue;
		/* The last bucket's upper bound is 2^63 - 1, which has no bucket behind it. */
		upper = i + 1 < HISTOGRAM_BUCKETS ? histogram_bound(i + 1) - 1 : INT64_MAX;
		return upper < histogram->max ? upper : histogram->max;
	}
	return histogram->max;
}
