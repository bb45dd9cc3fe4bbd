// SPDX-License-Identifier: GPL-2.0-or-later
/* The stated ratio is what the kernel's codecs make of each page. */
#include "test.h"

#include <lz4.h>
#include <lzo/lzo1x.h>
#include <math.h>
#include <zstd.h>

#include "workload/data.h"

#define PAGES 64

static size_t lzo_size(const void *page)
{
	static lzo_align_t work[LZO1X_1_MEM_COMPRESS / sizeof(lzo_align_t) + 1];
	static unsigned char out[2 * DATA_PAGE];
	lzo_uint size = sizeof(out);

	assert_int_equal(lzo1x_1_compress(page, DATA_PAGE, out, &size, work), LZO_E_OK);
	return size;
}

static size_t lz4_size(const void *page)
{
	static char out[2 * DATA_PAGE];

	return (size_t)LZ4_compress_default(page, out, DATA_PAGE, sizeof(out));
}

static size_t zstd_size(const void *page)
{
	static char out[2 * DATA_PAGE];

	return ZSTD_compress(out, sizeof(out), page, DATA_PAGE, 3);
}

static double ratio_by(size_t (*compressed)(const void *), const char *pages)
{
	size_t sum = 0;

	for (size_t i = 0; i < PAGES; i++)
		sum += compressed(pages + i * DATA_PAGE);
	return (double)(PAGES * DATA_PAGE) / (double)sum;
}

static void pages_compress_by_the_ratio_with_each_codec(void **state)
{
	static const struct {
		const char *name;
		size_t (*compressed)(const void *);
	} codecs[] = { { "lzo", lzo_size }, { "lz4", lz4_size }, { "zstd", zstd_size } };
	static _Alignas(8) char pages[PAGES * DATA_PAGE];

	(void)state;
	assert_int_equal(lzo_init(), LZO_E_OK);
	for (double ratio = 1; ratio <= 8; ratio += 0.25) {
		struct data data = data_of(ratio, 7);

		data_fill(&data, pages, sizeof(pages), 0);
		for (size_t i = 0; i < ARRAY_SIZE(codecs); i++) {
			double measured = ratio_by(codecs[i].compressed, pages);

			if (fabs(measured / ratio - 1) > 0.1)
				fail_msg("%s: ratio %g is %g", codecs[i].name, ratio, measured);
		}
	}
}

static void a_page_follows_from_seed_and_number(void **state)
{
	static _Alignas(8) char all[4 * DATA_PAGE], one[DATA_PAGE];
	struct data data = data_of(3, 11), other = data_of(3, 12);

	(void)state;
	data_fill(&data, all, sizeof(all), 5);
	data_fill(&data, one, sizeof(one), 7);
	assert_memory_equal(all + 2 * DATA_PAGE, one, DATA_PAGE);
	assert_memory_not_equal(all, all + DATA_PAGE, DATA_PAGE);
	data_fill(&other, one, sizeof(one), 7);
	assert_memory_not_equal(all + 2 * DATA_PAGE, one, DATA_PAGE);
}

static void only_whole_pages_are_filled(void **state)
{
	static _Alignas(8) char buf[2 * DATA_PAGE];
	struct data data = data_of(1, 1);

	(void)state;
	data_fill(&data, buf, DATA_PAGE, 0);
	for (size_t i = DATA_PAGE; i < sizeof(buf); i++)
		assert_int_equal(buf[i], 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_compress_by_the_ratio_with_each_codec),
		cmocka_unit_test(a_page_follows_from_seed_and_number),
		cmocka_unit_test(only_whole_pages_are_filled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
