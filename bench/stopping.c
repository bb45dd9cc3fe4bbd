// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What stopping early is worth: contend's procedure against ten runs of A and then ten of B with
 * Welch's t test, which is what one does with hyperfine or benchstat, on the noise of trials
 * that were recorded.
 *
 * usage: bench_stopping [-n SIMULATIONS] FILE...
 *
 * A file has the Time of one trial a line, all of one variant, in the order in which they ran, which
 * keeps drifts and bursts of the machine as they were. A simulation takes trials from a random
 * place on, one after the other, and makes those of B longer by the effect. To record another:
 *
 *   contend run --lead ... --runs 160
 *   contend export --format csv | awk -F, '$9 == "window" { print $12 / 1e9 }'
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/random.h"
#include "stats/outlook.h"
#include "stats/stopping.h"

#define FIXED 10 /* runs of either, where nobody looks */
#define DELTA VERDICT_DELTA
#define MOST_SAMPLES (4 * STOPPING_BLOCKS)

struct record {
	double *times;
	size_t n, at;
};

static double next_time(struct record *record)
{
	return record->times[record->at++ % record->n];
}

/* What a simulation came to. */
struct answer {
	bool slower, faster;
	unsigned trials;
};

static void shuffle_labels(bool labels[4], struct random *random)
{
	labels[0] = labels[1] = false;
	labels[2] = labels[3] = true;
	for (unsigned i = 4; i > 1; i--) {
		unsigned k = (unsigned)random_below(random, i);
		bool kept = labels[i - 1];

		labels[i - 1] = labels[k];
		labels[k] = kept;
	}
}

/* A warm-up, blocks, looks; as `contend run` with two variants and no options. */
static int contend(
	struct record *record, double factor, struct random *random, struct answer *ret_answer)
{
	struct sample samples[MOST_SAMPLES];
	const struct plan_end end = { STOPPING_BLOCKS,
		stopping_level(STOPPING_BLOCKS, STOPPING_BLOCKS), DELTA };
	struct question question = { .values = samples };
	unsigned block = 0;
	bool ended;

	next_time(record);
	do {
		double level = stopping_level(++block, STOPPING_BLOCKS);
		bool labels[4];

		shuffle_labels(labels, random);
		for (unsigned i = 0; i < 4; i++)
			samples[question.n++] = (struct sample) {
				next_time(record) * (labels[i] ? factor : 1),
				block,
				labels[i],
			};
		question.verdict = VERDICT_INCONCLUSIVE;
		if (level > 0 && decide(&question, 1, level, DELTA) < 0)
			return -ENOMEM;
		ended = block == STOPPING_BLOCKS || question.verdict != VERDICT_INCONCLUSIVE ||
			(level > 0 && outlook_hopeless(&question, 1, block, &end));
	} while (!ended);
	*ret_answer = (struct answer) {
		.slower = question.verdict == VERDICT_SLOWER,
		.faster = question.verdict == VERDICT_FASTER,
		.trials = 1 + 4 * block,
	};
	return 0;
}

/* Continued fraction of the incomplete beta function (Lentz); x below (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), h = d;

	for (unsigned m = 1; m < 300; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 / (1 + even * d);
		c = 1 + even / c;
		h *= d * c;
		d = 1 / (1 + odd * d);
		c = 1 + odd / c;
		h *= d * c;
		if (fabs(d * c - 1) < 1e-12)
			break;
	}
	return h;
}

/* Chance of a larger |t| with so many degrees of freedom. */
static double student_tail(double t, double freedom)
{
	double a = freedom / 2, b = 0.5, x = freedom / (freedom + t * t);
	int sign;
	double front = exp(lgamma_r(a + b, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) +
			   a * log(x) + b * log1p(-x));

	if (t == 0)
		return 1;
	return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
					 : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

static void mean_of(const double *values, double *ret_mean, double *ret_variance)
{
	double mean = 0, squares = 0;

	for (unsigned i = 0; i < FIXED; i++)
		mean += values[i] / FIXED;
	for (unsigned i = 0; i < FIXED; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	*ret_mean = mean;
	*ret_variance = squares / (FIXED - 1) / FIXED;
}

/* All of A, then all of B, and a difference is one when p is at most 0.05. */
static struct answer welch(struct record *record, double factor)
{
	double a[FIXED], b[FIXED], mean_a, mean_b, var_a, var_b, freedom, p;

	for (unsigned i = 0; i < FIXED; i++)
		a[i] = next_time(record);
	for (unsigned i = 0; i < FIXED; i++)
		b[i] = next_time(record) * factor;
	mean_of(a, &mean_a, &var_a);
	mean_of(b, &mean_b, &var_b);
	freedom = (var_a + var_b) * (var_a + var_b) * (FIXED - 1) / (var_a * var_a + var_b * var_b);
	p = var_a + var_b > 0 ? student_tail((mean_b - mean_a) / sqrt(var_a + var_b), freedom) : 1;
	return (struct answer) {
		.slower = p <= STOPPING_ALPHA && mean_b > mean_a,
		.faster = p <= STOPPING_ALPHA && mean_b < mean_a,
		.trials = 2 * FIXED,
	};
}

struct tally {
	double slower, faster, trials; /* means */
};

static void add(struct tally *tally, const struct answer *answer, unsigned n)
{
	tally->slower += (double)answer->slower / n;
	tally->faster += (double)answer->faster / n;
	tally->trials += (double)answer->trials / n;
}

/* Right is SLOWER; without an effect, anything but SLOWER and FASTER. */
static void print_row(const char *who, double effect, const struct tally *tally)
{
	double right = effect > 0 ? tally->slower : 1 - tally->slower - tally->faster;

	printf("%8.0f %%  %-22s  %6.1f %%  %6.1f %%  %6.1f  ", effect, who, 100 * tally->slower,
		100 * tally->faster, tally->trials);
	if (right > 0)
		printf("%6.1f\n", tally->trials / right);
	else
		printf("%6s\n", "never");
}

static int simulate(struct record *record, double effect, unsigned n)
{
	struct random random = { (uint64_t)effect + 1 };
	struct tally ours = { 0 }, fixed = { 0 };
	double factor = 1 + effect / 100;

	for (unsigned i = 0; i < n; i++) {
		size_t place = random_below(&random, record->n);
		struct answer answer;

		record->at = place;
		if (contend(record, factor, &random, &answer) < 0)
			return -ENOMEM;
		add(&ours, &answer, n);
		record->at = place;
		answer = welch(record, factor);
		add(&fixed, &answer, n);
	}
	print_row("contend", effect, &ours);
	print_row("10 + 10, Welch's t", effect, &fixed);
	return 0;
}

static int record_read(const char *path, struct record *ret_record)
{
	FILE *file CLEANUP(close_file) = fopen(path, "re");
	char *line CLEANUP(free_text) = NULL;
	struct record record = { 0 };
	size_t size = 0;

	while (file && getline(&line, &size, file) > 0) {
		double *grown;
		char *end;
		double time = strtod(line, &end);

		if (*line == '#' || end == line || !(time > 0))
			continue;
		grown = reallocarray(record.times, record.n + 1, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		record.times = grown;
		record.times[record.n++] = time;
	}
	*ret_record = record;
	return !file ? -errno : record.n < 1 + MOST_SAMPLES ? -ENODATA : 0;
}

/* The spread between neighbours, which is what blocks see of the noise. */
static double spread_of(const struct record *record)
{
	double squares = 0;

	for (size_t i = 1; i < record->n; i++) {
		double step = log(record->times[i] / record->times[i - 1]);

		squares += step * step / (double)(record->n - 1) / 2;
	}
	return 100 * sqrt(squares);
}

static int compare(const char *path, unsigned n)
{
	static const double effects[] = { 0, 5, 10, 20 };
	struct record record = { 0 };
	int r = record_read(path, &record);

	if (r == 0) {
		printf("%s: %zu trials, neighbours differ by %.1f %%; %u simulations\n", path,
			record.n, spread_of(&record), n);
		printf("%10s  %-22s  %8s  %8s  %6s  %s\n", "effect", "", "SLOWER", "FASTER",
			"trials", "for each right answer");
	}
	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(effects); i++)
		r = simulate(&record, effects[i], n);
	free(record.times);
	return r;
}

int main(int argc, char **argv)
{
	unsigned n = 500;
	int option;

	while ((option = getopt(argc, argv, "n:")) == 'n')
		n = (unsigned)strtoul(optarg, NULL, 10);
	if (option != -1 || optind == argc || !n) {
		fprintf(stderr, "usage: bench_stopping [-n SIMULATIONS] FILE...\n");
		return 2;
	}
	for (int i = optind; i < argc; i++) {
		int r = compare(argv[i], n);

		if (r < 0) {
			fprintf(stderr, "%s: %s\n", argv[i], strerror(-r));
			return 2;
		}
	}
	return 0;
}
