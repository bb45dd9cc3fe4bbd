// SPDX-License-Identifier: GPL-2.0-or-later
/* Sizes of memory and files, up to 64 TiB. */
#include "test.h"

#include <stdio.h>

#include "base/file.h"
#include "workload/extent.h"

#define PAGE 4096ULL

static uint64_t of_box(uint64_t ram, uint64_t swap, double percent)
{
	return extent_of_box(
		&(struct place) { .ram_bytes = ram, .swap_bytes = swap }, percent, PAGE);
}

static void a_share_of_the_box_is_of_ram_and_swap(void **state)
{
	(void)state;
	assert_int_equal(of_box(512 * MIB, GIB, 80), 1536 * MIB / 5 * 4 / PAGE * PAGE);
	assert_int_equal(of_box(GIB, 0, 50), 512 * MIB);
	assert_int_equal(of_box(GIB, GIB, 100), 2 * GIB);
	assert_int_equal(of_box(GIB, GIB, 150), 3 * GIB);
	assert_int_equal(of_box(1000 * PAGE, 0, 12.3), 123 * PAGE);
}

static void a_share_is_whole_pages_and_at_least_one(void **state)
{
	(void)state;
	assert_int_equal(of_box(16 * MIB + 1, 0, 100), 16 * MIB);
	assert_int_equal(of_box(16 * MIB, 0, 33.3) % PAGE, 0);
	assert_int_equal(of_box(100, 0, 80), PAGE);
	assert_int_equal(extent_whole(0, PAGE), PAGE);
	assert_int_equal(extent_whole(2 * PAGE - 1, PAGE), PAGE);
}

static void shares_of_large_boxes_are_exact(void **state)
{
	(void)state;
	for (uint64_t size = GIB; size <= 64 * TIB; size *= 2) {
		/* Five times a fifth is the whole, less what page and permille cut off. */
		uint64_t fifth = of_box(size / 2, size / 2, 20);

		assert_true(5 * fifth <= size && size - 5 * fifth < 5 * PAGE);
		assert_true(of_box(size, 0, 80) >= 4 * fifth);
		assert_int_equal(of_box(size, 3 * size, 100), 4 * size);
	}
	assert_int_equal(of_box(64 * TIB, 0, 80), 56294995341312);
	/* Beyond what there is: saturated, not wrapped. */
	assert_int_equal(of_box(UINT64_MAX, UINT64_MAX, 1000), INT64_MAX / PAGE * PAGE);
}

static void pages_beyond_4_gigabytes_do_not_wrap(void **state)
{
	uint64_t bytes = 0;

	(void)state;
	assert_int_equal(extent_of_pages(1048577, PAGE, &bytes, NULL), 0);
	assert_int_equal(bytes, 4 * GIB + 4 * KIB);
	assert_int_equal(extent_of_pages(64 * TIB / PAGE, PAGE, &bytes, NULL), 0);
	assert_int_equal(bytes, 64 * TIB);
	assert_int_equal(extent_of_pages(500000, 65536, &bytes, NULL), 0);
	assert_int_equal(bytes, 32768000000);
}

static void more_pages_than_a_file_can_have_are_refused(void **state)
{
	uint64_t bytes = 7;
	struct error err;

	(void)state;
	assert_int_equal(extent_of_pages(1ULL << 51, PAGE, &bytes, &err), -ERANGE);
	assert_int_equal(extent_of_pages(UINT64_MAX, PAGE, &bytes, &err), -ERANGE);
	assert_string_equal(err.text, "18446744073709551615 pages of 4096 bytes are more than a "
				      "file can be");
	assert_int_equal(bytes, 7);
}

static void parts_make_up_the_whole(void **state)
{
	static const uint64_t wholes[] = { 0, 1, 2, 7, 1000, 64 * TIB / PAGE };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wholes); i++) {
		for (unsigned n = 1; n < 10; n++) {
			uint64_t sum = 0;

			for (unsigned index = 0; index < n; index++)
				sum += extent_part(wholes[i], index, n);
			assert_int_equal(sum, wholes[i]);
		}
	}
	assert_int_equal(extent_part(10, 0, 3), 3);
	assert_int_equal(extent_part(10, 2, 3), 4);
}

static void room_is_looked_for_before(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(extent_check_space("/", 0, 1, &err), 0);
	assert_int_equal(extent_check_space("/no such directory", INT64_MAX, 1, &err), 0);
	assert_int_equal(extent_check_space("/", INT64_MAX, 1, &err), -ENOSPC);
	assert_non_null(strstr(err.text, "needed for the files"));
	/* Not even when the sum is beyond 64 bits. */
	assert_int_equal(extent_check_space("/", INT64_MAX, 1000, &err), -ENOSPC);
}

static void a_box_below_16_megabytes_is_too_small(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(
		extent_check_ram(&(struct place) { .ram_bytes = 16 * MIB - 1 }, &err), -EOPNOTSUPP);
	assert_int_equal(extent_check_ram(&(struct place) { .ram_bytes = 16 * MIB }, &err), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_share_of_the_box_is_of_ram_and_swap),
		cmocka_unit_test(a_share_is_whole_pages_and_at_least_one),
		cmocka_unit_test(shares_of_large_boxes_are_exact),
		cmocka_unit_test(pages_beyond_4_gigabytes_do_not_wrap),
		cmocka_unit_test(more_pages_than_a_file_can_have_are_refused),
		cmocka_unit_test(parts_make_up_the_whole),
		cmocka_unit_test(room_is_looked_for_before),
		cmocka_unit_test(a_box_below_16_megabytes_is_too_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
