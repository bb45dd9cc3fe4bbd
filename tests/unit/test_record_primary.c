// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include <stdbool.h>

#include "record/primary.h"

static void time_is_the_metric_that_needs_no_name(void **state)
{
	struct primary primary;

	(void)state;
	assert_int_equal(primary_parse("time", &primary, NULL), 0);
	assert_true(primary_is_time(&primary));
	assert_false(primary.more_is_better);
	assert_string_equal(primary.text, "time");
}

static void a_metric_is_source_role_and_name(void **state)
{
	struct primary primary;

	(void)state;
	assert_int_equal(primary_parse("vmstat//pswpin", &primary, NULL), 0);
	assert_false(primary_is_time(&primary));
	assert_string_equal(primary.source, "vmstat");
	assert_string_equal(primary.role, "");
	assert_string_equal(primary.name, "pswpin");
	assert_false(primary.more_is_better);
	assert_int_equal(primary_parse("trial/io-2/progress+", &primary, NULL), 0);
	assert_string_equal(primary.role, "io-2");
	assert_string_equal(primary.name, "progress");
	assert_true(primary.more_is_better);
	assert_string_equal(primary.text, "trial/io-2/progress+");
	/* A name may hold what parts the others. */
	assert_int_equal(primary_parse("diskstats//sda/1", &primary, NULL), 0);
	assert_string_equal(primary.name, "sda/1");
}

static void what_is_none_is_refused_with_an_example(void **state)
{
	static const char *const wrong[] = { "", "+", "Time", "pswpin", "vmstat/pswpin",
		"/lead/pswpin", "vmstat//", "vmstat//+" };
	struct primary primary = { .text = "kept" };
	struct error err;
	char long_one[400];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		assert_int_equal(primary_parse(wrong[i], &primary, &err), -EINVAL);
		assert_non_null(strstr(err.text, "vmstat//pswpin"));
	}
	memset(long_one, 'a', sizeof(long_one) - 1);
	long_one[sizeof(long_one) - 1] = '\0';
	assert_int_equal(primary_parse(long_one, &primary, &err), -EINVAL);
	memcpy(long_one + 100, "//x", 4);
	assert_int_equal(primary_parse(long_one, &primary, &err), -EINVAL);
	assert_string_equal(primary.text, "kept");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_is_the_metric_that_needs_no_name),
		cmocka_unit_test(a_metric_is_source_role_and_name),
		cmocka_unit_test(what_is_none_is_refused_with_an_example),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
