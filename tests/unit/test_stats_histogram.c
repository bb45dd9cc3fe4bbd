// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include "stats/histogram.h"

static void every_value_lies_in_its_bucket(void **state)
{
	(void)state;
	for (int64_t ns = 0; ns >= 0 && ns < INT64_MAX / 3; ns += ns / 7 + 1) {
		unsigned bucket = histogram_bucket(ns);

		assert_in_range(bucket, 0, HISTOGRAM_BUCKETS - 1);
		assert_true(histogram_bound(bucket) <= ns);
		assert_true(histogram_bound(bucket + 1) > ns);
	}
}

static void buckets_are_narrow(void **state)
{
	(void)state;
	for (unsigned i = HISTOGRAM_SUB; i + 1 < HISTOGRAM_BUCKETS; i++) {
		int64_t low = histogram_bound(i), width = histogram_bound(i + 1) - low;

		assert_true(width * HISTOGRAM_SUB <= low);
	}
}

static void a_stall_of_hours_is_kept(void **state)
{
	static struct histogram histogram;
	int64_t hours = 5LL * 3600 * 1000000000;

	(void)state;
	for (int i = 0; i < 99; i++)
		histogram_add(&histogram, 1000);
	histogram_add(&histogram, hours);
	histogram_add(&histogram, -1);
	assert_int_equal(histogram.count, 100);
	assert_int_equal(histogram.negative, 1);
	assert_int_equal(histogram_quantile(&histogram, 1.0), hours);
	assert_in_range(histogram_quantile(&histogram, 0.5), 1000, 1032);
}

static void the_largest_value_has_a_bucket(void **state)
{
	static struct histogram histogram;

	(void)state;
	histogram_add(&histogram, INT64_MAX);
	assert_int_equal(histogram.buckets[HISTOGRAM_BUCKETS - 1], 1);
	assert_true(histogram_quantile(&histogram, 0.5) == INT64_MAX);
}

static void an_empty_one_has_no_quantile(void **state)
{
	static struct histogram histogram;

	(void)state;
	assert_int_equal(histogram_quantile(&histogram, 0.99), -1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_value_lies_in_its_bucket),
		cmocka_unit_test(buckets_are_narrow),
		cmocka_unit_test(a_stall_of_hours_is_kept),
		cmocka_unit_test(the_largest_value_has_a_bucket),
		cmocka_unit_test(an_empty_one_has_no_quantile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
