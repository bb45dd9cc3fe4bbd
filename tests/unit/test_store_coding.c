// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include "base/random.h"
#include "record/metric.h"
#include "store/coding.h"

static size_t packed_size;

static void assert_round_trip(const int64_t *values, size_t n)
{
	struct coder coder = { 0 };
	int64_t *read = calloc(n + 1, sizeof(*read));

	assert_non_null(read);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(coder_put(&coder, values[i]), 0);
	assert_int_equal(coder_finish(&coder), 0);
	packed_size = coder.bytes.size;
	assert_int_equal(series_unpack(coder.bytes.data, coder.bytes.size, read, n), 0);
	assert_memory_equal(read, values, n * sizeof(*values));
	/* Neither one value more nor one less is in it. */
	assert_int_equal(series_unpack(coder.bytes.data, coder.bytes.size, read, n + 1), -EBADMSG);
	if (n)
		assert_int_equal(
			series_unpack(coder.bytes.data, coder.bytes.size, read, n - 1), -EBADMSG);
	for (size_t size = 0; size < coder.bytes.size; size++)
		assert_int_equal(series_unpack(coder.bytes.data, size, read, n), -EBADMSG);
	coder_done(&coder);
	free(read);
}

static void extreme_values_come_back(void **state)
{
	static const int64_t values[] = { INT64_MAX, VALUE_ABSENT, INT64_MAX, -INT64_MAX,
		VALUE_ABSENT, VALUE_ABSENT, 0, 0, -1, 1, INT64_MIN / 2, INT64_MAX / 2 + 1, 63, -64,
		64, -65 };

	(void)state;
	assert_round_trip(values, ARRAY_SIZE(values));
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		assert_round_trip(&values[i], 1);
}

static void any_values_come_back(void **state)
{
	struct random random = { 1 };
	int64_t values[1000];

	(void)state;
	for (int round = 0; round < 50; round++) {
		unsigned shift = (unsigned)random_below(&random, 64);

		for (size_t i = 0; i < ARRAY_SIZE(values); i++)
			values[i] = (int64_t)(random_next(&random) << shift >> shift);
		assert_round_trip(values, random_below(&random, ARRAY_SIZE(values)));
	}
}

static void what_does_not_change_takes_no_room(void **state)
{
	static int64_t values[100000];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		values[i] = VALUE_ABSENT;
	assert_round_trip(values, ARRAY_SIZE(values));
	assert_true(packed_size <= 14);
}

static void a_series_can_go_on_after_it_was_finished(void **state)
{
	struct coder coder = { 0 };
	int64_t read[4];

	(void)state;
	for (int i = 0; i < 4; i++) {
		assert_int_equal(coder_put(&coder, 5), 0);
		assert_int_equal(coder_finish(&coder), 0);
	}
	assert_int_equal(series_unpack(coder.bytes.data, coder.bytes.size, read, 4), 0);
	assert_int_equal(read[3], 5);
	coder_done(&coder);
}

static void a_blob_that_lies_is_refused(void **state)
{
	static const unsigned char endless[] = { 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff, 0x01 };
	static const unsigned char overlong[] = { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
		0x80, 0x80, 0x80, 0x01 };
	int64_t read[4];

	(void)state;
	assert_int_equal(series_unpack(endless, sizeof(endless), read, 4), -EBADMSG);
	assert_int_equal(series_unpack(overlong, sizeof(overlong), read, 1), -EBADMSG);
}

static void a_histogram_comes_back(void **state)
{
	struct histogram histogram = { 0 }, read = { 0 };
	struct bytes bytes = { 0 };

	(void)state;
	histogram.buckets[0] = 1;
	histogram.buckets[77] = UINT32_MAX;
	histogram.buckets[HISTOGRAM_BUCKETS - 1] = 3;
	assert_int_equal(histogram_pack(&histogram, &bytes), 0);
	assert_int_equal(histogram_unpack(bytes.data, bytes.size, &read), 0);
	assert_memory_equal(&read, &histogram, sizeof(read));
	assert_int_equal(histogram_unpack(bytes.data, bytes.size - 1, &read), -EBADMSG);
	bytes_done(&bytes);
}

static void an_empty_histogram_is_no_bytes(void **state)
{
	struct histogram histogram = { 0 };
	struct bytes bytes = { 0 };
	int64_t read[1];

	(void)state;
	assert_int_equal(histogram_pack(&histogram, &bytes), 0);
	assert_int_equal(bytes.size, 0);
	assert_int_equal(histogram_unpack(NULL, 0, &histogram), 0);
	assert_int_equal(series_unpack(NULL, 0, read, 1), -EBADMSG);
	bytes_done(&bytes);
}

static void a_bucket_that_does_not_exist_is_refused(void **state)
{
	static const unsigned char far[] = { 0xff, 0xff, 0x03, 1 };
	struct histogram read = { 0 };

	(void)state;
	assert_int_equal(histogram_unpack(far, sizeof(far), &read), -EBADMSG);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(extreme_values_come_back),
		cmocka_unit_test(any_values_come_back),
		cmocka_unit_test(what_does_not_change_takes_no_room),
		cmocka_unit_test(a_series_can_go_on_after_it_was_finished),
		cmocka_unit_test(a_blob_that_lies_is_refused),
		cmocka_unit_test(a_histogram_comes_back),
		cmocka_unit_test(an_empty_histogram_is_no_bytes),
		cmocka_unit_test(a_bucket_that_does_not_exist_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
