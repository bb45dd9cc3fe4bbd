// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/sample.h"

#include <errno.h>
#include <math.h>

int samples_log(const struct sample *in, size_t n, struct sample *out, size_t *ret_n)
{
	size_t used = 0;

	for (size_t i = 0; i < n; i++)
		if (in[i].value < 0)
			return -EDOM;
	for (size_t i = 0; i < n; i++) {
		struct sample sample = in[i];

		if (isnan(sample.value))
			continue;
		/* log(0) would raise the floating-point exception for a division by zero. */
		sample.value = sample.value > 0 ? log(sample.value) : -INFINITY;
		out[used++] = sample;
	}
	*ret_n = used;
	return 0;
}

/* The block's only sample of that side; NULL when there is none or more than one. */
static const struct sample *only_one(const struct sample *samples, size_t n, unsigned block, bool b)
{
	const struct sample *found = NULL;

	for (size_t i = 0; i < n; i++) {
		if (samples[i].block != block || samples[i].b != b)
			continue;
		if (found)
			return NULL;
		found = &samples[i];
	}
	return found;
}

int samples_pair(const struct sample *samples, size_t n, double *ret, size_t *ret_n)
{
	size_t pairs = 0;

	for (size_t i = 0; i < n; i++) {
		const struct sample *a = only_one(samples, n, samples[i].block, false);
		const struct sample *b = only_one(samples, n, samples[i].block, true);

		/* The later of the two has been counted with the earlier. */
		if (a && b && &samples[i] == (a < b ? a : b))
			ret[pairs++] = difference(b->value, a->value);
	}
	if (!pairs)
		return -EDOM;
	*ret_n = pairs;
	return 0;
}

double difference(double b, double a)
{
	return isinf(b) && b == a ? 0 : b - a;
}

double midpoint(double low, double high)
{
	if (isfinite(low) && isfinite(high))
		return low + (high - low) / 2;
	if (isinf(low) && isinf(high) && low != high)
		return 0;
	return isinf(low) ? low : high;
}

double ratio_percent(double difference)
{
	return 100 * expm1(difference);
}
