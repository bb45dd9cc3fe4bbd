// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "trial/disturb.h"
#include "trial/heartbeat.h"

static void it_beats_in_the_window_alone(void **state)
{
	struct heartbeat *heartbeat;
	struct heartbeat_result result;

	(void)state;
	assert_int_equal(heartbeat_new(NULL, 0, &heartbeat, NULL), 0);
	clock_sleep_until(clock_now() + 50 * NS_PER_MS);
	heartbeat_open(heartbeat, clock_now());
	clock_sleep_until(clock_now() + 500 * NS_PER_MS);
	heartbeat_close(heartbeat, clock_now());
	heartbeat_read(heartbeat, &result);
	heartbeat_free(heartbeat);
	/* At most one for each 10 ms; at least one, however busy the machine is. */
	assert_in_range(result.beats, 1, 51);
	assert_int_equal(result.beats, result.lateness.count);
	assert_int_equal(result.lateness.negative, 0);
}

/* A window that opened long ago: the first beat is late by all of that, once. */
static void a_stall_is_one_freeze(void **state)
{
	struct heartbeat *heartbeat;
	struct heartbeat_result result;
	int64_t now;

	(void)state;
	assert_int_equal(heartbeat_new(NULL, 0, &heartbeat, NULL), 0);
	now = clock_now();
	heartbeat_open(heartbeat, now - 3 * NS_PER_S - HEARTBEAT_INTERVAL_NS);
	clock_sleep_until(now + 60 * NS_PER_MS);
	heartbeat_close(heartbeat, clock_now());
	heartbeat_read(heartbeat, &result);
	heartbeat_free(heartbeat);
	assert_true(result.freezes >= 1);
	assert_true(result.freeze_longest_ns >= 3 * NS_PER_S);
	assert_true(result.freeze_sum_ns >= result.freeze_longest_ns);
}

static void a_window_that_never_opened_is_empty(void **state)
{
	struct heartbeat *heartbeat;

	(void)state;
	assert_int_equal(heartbeat_new(NULL, 0, &heartbeat, NULL), 0);
	heartbeat_free(heartbeat);
	heartbeat_free(NULL);
}

static void disturbances_have_limits(void **state)
{
	static const struct {
		struct disturb_result result;
		unsigned steal;
		const char *reason;
	} cases[] = {
		{ { 0, 0, 0 }, 5, NULL },
		{ { 99 * NS_PER_MS, 499 * NS_PER_MS, 0.0499 }, 5, NULL },
		{ { 2 * NS_PER_S, 0, 0 }, 5, "the machine was suspended for 2.0 s" },
		{ { 0, -3 * NS_PER_S, 0 }, 5, "the clock was set by -3.0 s" },
		{ { 0, 0, 0.05 }, 5, "the hypervisor took 5.0 % of the CPU time" },
		{ { 0, 0, 0.05 }, 40, NULL },
		{ { 0, 0, 0.9 }, 0, NULL },
		{ { 0, 0, 0 }, 0, NULL },
	};
	char text[128];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *reason =
			disturb_reason(&cases[i].result, cases[i].steal, text, sizeof(text));

		if (cases[i].reason)
			assert_string_equal(reason, cases[i].reason);
		else
			assert_null(reason);
	}
}

/* Steal counts against all CPU time; guest time is inside user and is not added again. */
static void steal_is_a_share_of_all_time(void **state)
{
	static const char before[] = "cpu  100 0 100 700 0 0 0 100 50 0\n";
	static const char after[] = "cpu  200 0 200 1400 0 0 0 200 150 0\n";
	char directory[] = "/tmp/contend-test-XXXXXX";
	char path[64];
	struct root root;
	struct disturb disturb;
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/proc", directory);
	assert_int_equal(mkdir(path, 0755), 0);
	snprintf(path, sizeof(path), "%s/proc/stat", directory);
	file = fopen(path, "w");
	fputs(before, file);
	fclose(file);
	assert_int_equal(root_open(&root, directory, NULL), 0);
	disturb_open(&disturb, &root);
	disturb_begin(&disturb);
	file = fopen(path, "w");
	fputs(after, file);
	fclose(file);
	assert_true(disturb_end(&disturb).steal > 0.0999 && disturb_end(&disturb).steal < 0.1001);
	disturb_close(&disturb);
	root_close(&root);
	assert_int_equal(tree_remove(directory, NULL), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_beats_in_the_window_alone),
		cmocka_unit_test(a_stall_is_one_freeze),
		cmocka_unit_test(a_window_that_never_opened_is_empty),
		cmocka_unit_test(disturbances_have_limits),
		cmocka_unit_test(steal_is_a_share_of_all_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
