// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/noise.h"

#include <errno.h>
#include <math.h>

#include "stats/memory.h"
#include "stats/signflip.h"
#include "stats/summary.h"

/* Each trial of A less the one of A before it in its block. Returns how many. */
static size_t pair_up(const struct sample *samples, size_t n, double *ret_differences)
{
	size_t pairs = 0;

	for (size_t i = 0; i < n; i++) {
		if (samples[i].b || !isfinite(samples[i].value))
			continue;
		for (size_t k = i; k-- > 0;) {
			if (samples[k].b || samples[k].block != samples[i].block)
				continue;
			if (isfinite(samples[k].value))
				ret_differences[pairs++] = samples[i].value - samples[k].value;
			break;
		}
	}
	return pairs;
}

int noise_measure(const struct sample *samples, size_t n, struct noise *ret_noise)
{
	double *differences CLEANUP(memory_free) = memory_alloc(n, sizeof(*differences));
	struct significance significance;
	struct noise noise = {};
	int err;

	if (!differences)
		return -ENOMEM;
	noise.pairs = pair_up(samples, n, differences);
	err = signflip_estimate(differences, noise.pairs, &noise.order);
	if (err)
		return err;
	err = signflip_test(differences, noise.pairs, 0, &significance);
	if (err)
		return err;
	noise.order_p = significance.p;
	for (size_t i = 0; i < noise.pairs; i++)
		differences[i] = fabs(differences[i]);
	values_sort(differences, noise.pairs);
	noise.sigma = 1.4826 / sqrt(2) * quantile_sorted(differences, noise.pairs, 0.5);
	*ret_noise = noise;
	return 0;
}

double noise_floor(double sigma, size_t n_a, size_t n_b)
{
	if (!n_a || !n_b)
		return INFINITY;
	return 1.96 * sigma * sqrt(1 / (double)n_a + 1 / (double)n_b);
}

/* Takes the median of one variant from its values. */
static void centre_side(
	const struct sample *samples, size_t n, bool b, double *residuals, double *scratch)
{
	double median;
	size_t used = 0;

	for (size_t i = 0; i < n; i++)
		if (samples[i].b == b && isfinite(samples[i].value))
			scratch[used++] = samples[i].value;
	values_sort(scratch, used);
	median = used ? quantile_sorted(scratch, used, 0.5) : 0;
	for (size_t i = 0; i < n; i++)
		if (samples[i].b == b)
			residuals[i] = samples[i].value - median;
}

int noise_drift(const struct sample *samples, size_t n, struct kendall *ret_drift)
{
	double *numbers CLEANUP(memory_free) = memory_alloc(3 * n, sizeof(*numbers));
	double *residuals = numbers, *times, *scratch;

	if (!numbers)
		return -ENOMEM;
	times = residuals + n;
	scratch = times + n;
	centre_side(samples, n, false, residuals, scratch);
	centre_side(samples, n, true, residuals, scratch);
	for (size_t i = 0; i < n; i++)
		times[i] = (double)i;
	return kendall_test(times, residuals, n, ret_drift);
}
