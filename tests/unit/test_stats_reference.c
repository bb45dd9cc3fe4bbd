// SPDX-License-Identifier: GPL-2.0-or-later
/* Against tests/fixtures/stats/reference.txt, which make.py beside it finds by enumeration. */
#include "test.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "stats/aligned.h"
#include "stats/fisher.h"
#include "stats/hodges.h"
#include "stats/kendall.h"
#include "stats/mannwhitney.h"
#include "stats/signflip.h"

#define MOST 64

/* One line: what is given before "=", and the answers behind it ("-": not asked). */
struct line {
	char text[2048];
	char *words[MOST], *answers[MOST];
	size_t n_words, n_answers;
};

static FILE *open_reference(void)
{
	const char *root = getenv("SOURCE_ROOT");
	char path[PATH_MAX];
	FILE *file;

	assert_non_null(root);
	snprintf(path, sizeof(path), "%s/tests/fixtures/stats/reference.txt", root);
	file = fopen(path, "re");
	assert_non_null(file);
	return file;
}

/* The next line of that kind; false behind the last. */
static bool next_line(FILE *file, const char *kind, struct line *line)
{
	while (fgets(line->text, sizeof(line->text), file)) {
		bool behind = false;
		char *save, *word = strtok_r(line->text, " \n", &save);

		if (!word || strcmp(word, kind) != 0)
			continue;
		line->n_words = line->n_answers = 0;
		while ((word = strtok_r(NULL, " \n", &save))) {
			assert_in_range(line->n_words, 0, MOST - 1);
			if (!strcmp(word, "="))
				behind = true;
			else if (behind)
				line->answers[line->n_answers++] = word;
			else
				line->words[line->n_words++] = word;
		}
		return true;
	}
	return false;
}

static void assert_near(double value, const char *expected)
{
	double wanted = strtod(expected, NULL);

	if (!strcmp(expected, "-") || value == wanted)
		return;
	if (!(fabs(value - wanted) <= 3e-9))
		fail_msg("%.17g is not %s", value, expected);
}

/* "0:B:38" */
static size_t read_samples(const struct line *line, struct sample *samples)
{
	for (size_t i = 0; i < line->n_words; i++) {
		char *at;

		samples[i].block = (unsigned)strtoul(line->words[i], &at, 10);
		samples[i].b = at[1] == 'B';
		samples[i].value = strtod(at + 3, NULL);
	}
	return line->n_words;
}

static size_t read_numbers(const struct line *line, size_t from, double *numbers)
{
	size_t n = 0;

	for (size_t i = from; i < line->n_words && strcmp(line->words[i], "/") != 0; i++)
		numbers[n++] = strtod(line->words[i], NULL);
	return n;
}

static void assert_answers(const struct line *line, const struct significance *significance,
	double estimate, const struct interval *interval90, const struct interval *interval95)
{
	assert_int_equal(line->n_answers, 6);
	assert_true(significance->exact);
	assert_near(significance->p, line->answers[0]);
	assert_near(estimate, line->answers[1]);
	assert_near(interval90->low, line->answers[2]);
	assert_near(interval90->high, line->answers[3]);
	assert_near(interval95->low, line->answers[4]);
	assert_near(interval95->high, line->answers[5]);
}

static void blocks_agree_with_enumeration(void **state)
{
	FILE *file CLEANUP(close_file) = open_reference();
	struct line line;
	unsigned lines = 0;

	(void)state;
	for (; next_line(file, "aligned", &line); lines++) {
		struct sample samples[MOST];
		size_t n = read_samples(&line, samples);
		struct interval interval90, interval95;
		struct significance significance;
		double estimate;

		assert_int_equal(aligned_test(samples, n, 0, &significance), 0);
		assert_int_equal(hodges_estimate(samples, n, &estimate), 0);
		assert_int_equal(hodges_interval(samples, n, 0.90, &interval90), 0);
		assert_int_equal(hodges_interval(samples, n, 0.95, &interval95), 0);
		assert_answers(&line, &significance, estimate, &interval90, &interval95);
	}
	assert_int_equal(lines, 15);
}

static void data_without_blocks_agree_with_enumeration(void **state)
{
	FILE *file CLEANUP(close_file) = open_reference();
	struct line line;
	unsigned lines = 0;

	(void)state;
	for (; next_line(file, "apart", &line); lines++) {
		struct sample samples[MOST];
		size_t n = read_samples(&line, samples);
		struct interval interval90, interval95;
		struct significance significance;
		double estimate;

		assert_int_equal(mannwhitney_test(samples, n, 0, &significance), 0);
		assert_int_equal(mannwhitney_estimate(samples, n, &estimate), 0);
		assert_int_equal(mannwhitney_interval(samples, n, 0.90, &interval90), 0);
		assert_int_equal(mannwhitney_interval(samples, n, 0.95, &interval95), 0);
		assert_answers(&line, &significance, estimate, &interval90, &interval95);
	}
	assert_int_equal(lines, 7);
}

static void pairs_agree_with_enumeration(void **state)
{
	FILE *file CLEANUP(close_file) = open_reference();
	struct line line;
	unsigned lines = 0;

	(void)state;
	for (; next_line(file, "pairs", &line); lines++) {
		double differences[MOST], estimate;
		size_t n = read_numbers(&line, 0, differences);
		struct interval interval90, interval95;
		struct significance significance;

		assert_int_equal(signflip_test(differences, n, 0, &significance), 0);
		assert_int_equal(signflip_estimate(differences, n, &estimate), 0);
		assert_int_equal(signflip_interval(differences, n, 0.90, &interval90), 0);
		assert_int_equal(signflip_interval(differences, n, 0.95, &interval95), 0);
		assert_answers(&line, &significance, estimate, &interval90, &interval95);
	}
	assert_int_equal(lines, 6);
}

static void failures_agree_with_enumeration(void **state)
{
	FILE *file CLEANUP(close_file) = open_reference();
	struct line line;
	unsigned lines = 0;

	(void)state;
	for (; next_line(file, "fisher", &line); lines++) {
		double counts[MOST], p;

		assert_int_equal(read_numbers(&line, 0, counts), 4);
		assert_int_equal(fisher_test((size_t)counts[0], (size_t)counts[1],
					 (size_t)counts[2], (size_t)counts[3], &p),
			0);
		assert_near(p, line.answers[0]);
	}
	assert_int_equal(lines, 7);
}

static void drift_agrees_with_enumeration(void **state)
{
	FILE *file CLEANUP(close_file) = open_reference();
	struct line line;
	unsigned lines = 0;

	(void)state;
	for (; next_line(file, "kendall", &line); lines++) {
		double x[MOST], y[MOST];
		size_t n = read_numbers(&line, 0, x);
		struct kendall kendall;

		assert_int_equal(read_numbers(&line, n + 1, y), n);
		assert_int_equal(kendall_test(x, y, n, &kendall), 0);
		assert_near(kendall.tau, line.answers[0]);
		assert_near(kendall.p, line.answers[1]);
		assert_int_equal(kendall.exact, !strcmp(line.answers[2], "exact"));
	}
	assert_int_equal(lines, 6);
}

/*
 * The examples of R's help pages: wilcox.test (permeability and depression, from Hollander and
 * Wolfe 1973), fisher.test (tea, convictions), cor.test (tuna). R prints four digits.
 */
static void examples_of_r_come_out_as_in_r(void **state)
{
	static const double x[] = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46 };
	static const double y[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };
	static const double depression[] = { 1.83 - 0.878, 0.50 - 0.647, 1.62 - 0.598, 2.48 - 2.05,
		1.68 - 1.06, 1.88 - 1.29, 1.55 - 1.06, 3.06 - 3.14, 1.30 - 1.29 };
	static const double tuna[] = { 44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1 };
	static const double panel[] = { 2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8 };
	struct sample samples[ARRAY_SIZE(x) + ARRAY_SIZE(y)];
	struct significance significance;
	struct interval interval;
	struct kendall kendall;
	double estimate, p;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++)
		samples[i] = i < ARRAY_SIZE(x) ? (struct sample) { .value = x[i], .b = true }
					       : (struct sample) { .value = y[i - ARRAY_SIZE(x)] };
	assert_int_equal(mannwhitney_test(samples, ARRAY_SIZE(samples), 0, &significance), 0);
	assert_float_equal(significance.p, 0.2544, 5e-5);
	assert_int_equal(signflip_test(depression, 9, 0, &significance), 0);
	assert_float_equal(significance.p, 0.03906, 5e-6);
	assert_int_equal(signflip_estimate(depression, 9, &estimate), 0);
	assert_float_equal(estimate, 0.46, 5e-6);
	assert_int_equal(signflip_interval(depression, 9, 0.95, &interval), 0);
	assert_float_equal(interval.low, 0.010, 5e-6);
	assert_float_equal(interval.high, 0.786, 5e-6);
	assert_int_equal(fisher_test(1, 4, 3, 4, &p), 0);
	assert_float_equal(p, 0.4857, 5e-5);
	assert_int_equal(fisher_test(2, 12, 15, 18, &p), 0);
	assert_float_equal(p, 0.0005367, 5e-8);
	assert_int_equal(kendall_test(tuna, panel, 9, &kendall), 0);
	assert_float_equal(kendall.tau, 0.4444444, 1e-6);
	assert_float_equal(kendall.p, 0.1194, 5e-5);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_agree_with_enumeration),
		cmocka_unit_test(data_without_blocks_agree_with_enumeration),
		cmocka_unit_test(pairs_agree_with_enumeration),
		cmocka_unit_test(failures_agree_with_enumeration),
		cmocka_unit_test(drift_agrees_with_enumeration),
		cmocka_unit_test(examples_of_r_come_out_as_in_r),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
