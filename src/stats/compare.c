// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/compare.h"

#include <errno.h>
#include <math.h>

#include "stats/hodges.h"
#include "stats/layout.h"
#include "stats/signflip.h"

static const struct interval anywhere = { -INFINITY, INFINITY };

static int layout_intervals(struct layout *layout, struct comparison *comparison)
{
	int err = layout_interval(layout, 0.90, &comparison->interval90);

	return err ? err : layout_interval(layout, 0.95, &comparison->interval95);
}

static int compare_layout(const struct sample *logs, size_t n, bool by_block, bool brief,
	struct comparison *comparison)
{
	struct layout *layout CLEANUP(layout_cleanup) = NULL;
	struct significance significance;
	struct tails tails;
	int err;

	err = layout_new(logs, n, by_block, &layout);
	if (err)
		return err;
	err = layout_tails(layout, 0, &tails);
	if (err)
		return err;
	significance = tails_significance(&tails);
	comparison->p = significance.p;
	comparison->exact = significance.exact;
	comparison->blocks = layout->n_groups;
	err = layout_estimate(layout, &comparison->estimate);
	return err || brief ? err : layout_intervals(layout, comparison);
}

static void measure_spread(const double *differences, size_t n, struct comparison *comparison)
{
	double mean = 0, squares = 0;

	comparison->least = comparison->most = differences[0];
	for (size_t i = 0; i < n; i++) {
		double from = differences[i] - mean;

		/* Welford's: without a difference of large sums. */
		mean += from / (double)(i + 1);
		squares += from * (differences[i] - mean);
		comparison->least = fmin(comparison->least, differences[i]);
		comparison->most = fmax(comparison->most, differences[i]);
	}
	comparison->spread = isfinite(squares) && n > 1 ? sqrt(squares / (double)(n - 1)) : NAN;
}

static int compare_pairs(
	const struct sample *logs, size_t n, bool brief, struct comparison *comparison)
{
	double *differences CLEANUP(memory_free) = memory_alloc(n, sizeof(*differences));
	struct significance significance;
	int err;

	if (!differences)
		return -ENOMEM;
	err = samples_pair(logs, n, differences, &comparison->blocks);
	if (err)
		return err;
	n = comparison->blocks;
	measure_spread(differences, n, comparison);
	err = signflip_test(differences, n, 0, &significance);
	if (err)
		return err;
	comparison->p = significance.p;
	comparison->exact = significance.exact;
	err = signflip_estimate(differences, n, &comparison->estimate);
	if (err || brief)
		return err;
	err = signflip_interval(differences, n, 0.90, &comparison->interval90);
	if (err)
		return err;
	return signflip_interval(differences, n, 0.95, &comparison->interval95);
}

static int add_noise(const struct sample *logs, size_t n, struct comparison *comparison)
{
	int err = noise_measure(logs, n, &comparison->noise);

	comparison->floor = INFINITY;
	if (err)
		return err == -EDOM ? 0 : err;
	comparison->floor = noise_floor(comparison->noise.sigma, comparison->n_a, comparison->n_b);
	return 0;
}

static int compare(const struct sample *values, size_t n, enum design design, bool brief,
	struct comparison *ret_comparison)
{
	struct sample *logs CLEANUP(memory_free) = memory_alloc(n, sizeof(*logs));
	struct comparison comparison = {
		.interval90 = anywhere,
		.interval95 = anywhere,
		.spread = NAN,
		.least = NAN,
		.most = NAN,
	};
	int err;

	if (!logs)
		return -ENOMEM;
	err = samples_log(values, n, logs, &n);
	if (err)
		return err;
	for (size_t i = 0; i < n; i++)
		*(logs[i].b ? &comparison.n_b : &comparison.n_a) += 1;
	if (design == DESIGN_PAIRS)
		err = compare_pairs(logs, n, brief, &comparison);
	else
		err = compare_layout(logs, n, design == DESIGN_BLOCKS, brief, &comparison);
	if (err)
		return err;
	err = add_noise(logs, n, &comparison);
	if (err)
		return err;
	*ret_comparison = comparison;
	return 0;
}

int compare_samples(const struct sample *values, size_t n, enum design design,
	struct comparison *ret_comparison)
{
	return compare(values, n, design, false, ret_comparison);
}

int compare_briefly(const struct sample *values, size_t n, enum design design,
	struct comparison *ret_comparison)
{
	return compare(values, n, design, true, ret_comparison);
}
