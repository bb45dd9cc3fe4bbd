// SPDX-License-Identifier: GPL-2.0-or-later
/* Random orders without a table of them. */
#include "test.h"

#include "workload/shuffle.h"

static void each_number_comes_once(void **state)
{
	static const uint64_t sizes[] = { 1, 2, 3, 4, 5, 8, 9, 1000, 4096, 4097, 100003 };
	struct random random = { 5 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct shuffle shuffle = shuffle_of(sizes[i]);

		for (unsigned pass = 0; pass < 3; pass++) {
			unsigned char *seen = calloc(1, sizes[i]);

			shuffle_begin(&shuffle, &random);
			for (uint64_t n = 0; n < sizes[i]; n++) {
				uint64_t number = shuffle_next(&shuffle);

				assert_true(number < sizes[i]);
				assert_int_equal(seen[number]++, 0);
			}
			free(seen);
		}
	}
}

static void neighbours_are_rare(void **state)
{
	struct random random = { 5 };
	struct shuffle shuffle = shuffle_of(100000);
	uint64_t before;
	unsigned near = 0;

	(void)state;
	shuffle_begin(&shuffle, &random);
	before = shuffle_next(&shuffle);
	for (unsigned i = 1; i < 100000; i++) {
		uint64_t number = shuffle_next(&shuffle);

		near += (number > before ? number - before : before - number) <= 64;
		before = number;
	}
	/* By chance it would be one in 780. */
	assert_true(near < 1000);
}

static void orders_follow_from_the_seed_and_differ(void **state)
{
	struct random a = { 5 }, b = { 5 };
	struct shuffle one = shuffle_of(1000), same = shuffle_of(1000);
	unsigned equal = 0;

	(void)state;
	shuffle_begin(&one, &a);
	shuffle_begin(&same, &b);
	for (unsigned i = 0; i < 1000; i++)
		assert_int_equal(shuffle_next(&one), shuffle_next(&same));
	shuffle_begin(&same, &b);
	for (unsigned i = 0; i < 1000; i++)
		equal += shuffle_next(&one) == shuffle_next(&same);
	assert_true(equal < 100);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_number_comes_once),
		cmocka_unit_test(neighbours_are_rare),
		cmocka_unit_test(orders_follow_from_the_seed_and_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
