// SPDX-License-Identifier: GPL-2.0-or-later
/* What stored trials are worth by the primary metric. */
#include "test_store.h"

#include <math.h>

#include "runner/worth.h"

static void put(
	struct store *store, int64_t run, unsigned position, enum outcome_code code, int64_t faults)
{
	struct trial_row row = trial_of_run(run);
	struct metric metric = { "pgmajfault", "events", METRIC_COUNTER };
	struct origin origin = { "vmstat", "", 1 };
	struct outcome outcome = { code, "", 1000000000, 3500000000 };
	int64_t trial, none = 0;
	struct sink sink;
	uint32_t id;

	row.position = position;
	assert_int_equal(sink_init(&sink, 1 << 20, NULL), 0);
	id = sink_metric(&sink, &metric, &origin);
	sink_sample(&sink, 1, id, 1, &none);
	sink_sample(&sink, 2, id, 1, &faults);
	sink_outcome(&sink, &outcome);
	sink_end(&sink);
	assert_int_equal(store_trial_begin(store, &row, &trial, NULL), 0);
	assert_int_equal(put_stream(store, trial, &sink, NULL), 0);
	assert_int_equal(store_trial_commit(store, trial, NULL), 0);
	sink_done(&sink);
}

static int read_values(
	struct store *store, int64_t run, const char *name, double values[4], struct error *err)
{
	struct primary primary;

	assert_int_equal(primary_parse(name, &primary, NULL), 0);
	return worth_read(store, run, &primary, values, 4, err);
}

static void time_is_the_window_and_without_end_where_it_did_not_end(void **state)
{
	struct store *store CLEANUP(store_cleanup) = opened(*state);
	int64_t run = run_made(store);
	double values[4];

	put(store, run, 0, OUTCOME_OK, 5);
	put(store, run, 1, OUTCOME_TIMEOUT, 5);
	put(store, run, 2, OUTCOME_LOAD_DIED, 5);
	assert_int_equal(read_values(store, run, "time", values, NULL), 0);
	assert_float_equal(values[0], 2.5, 1e-9);
	assert_true(isinf(values[1]));
	assert_true(isnan(values[2]));
	assert_true(isnan(values[3]));
}

static void a_metric_is_taken_from_ok_trials_and_their_last_try(void **state)
{
	struct store *store CLEANUP(store_cleanup) = opened(*state);
	int64_t run = run_made(store);
	double values[4];

	put(store, run, 0, OUTCOME_OK, 5);
	put(store, run, 1, OUTCOME_TIMEOUT, 6);
	put(store, run, 0, OUTCOME_OK, 7);
	/* Beyond the plan. */
	put(store, run, 9, OUTCOME_OK, 8);
	assert_int_equal(read_values(store, run, "vmstat//pgmajfault", values, NULL), 0);
	assert_float_equal(values[0], 7, 0);
	assert_true(isnan(values[1]));
}

static void a_metric_that_nothing_has_is_named_with_the_nearest(void **state)
{
	struct store *store CLEANUP(store_cleanup) = opened(*state);
	int64_t run = run_made(store);
	struct error err;
	double values[4];

	put(store, run, 0, OUTCOME_TIMEOUT, 5);
	/* Nothing has been measured that could have it. */
	assert_int_equal(read_values(store, run, "vmstat//pgmajflt+", values, &err), 0);
	put(store, run, 1, OUTCOME_OK, 5);
	assert_int_equal(read_values(store, run, "vmstat//pgmajflt+", values, &err), -ENOENT);
	assert_string_equal(err.text,
		"no trial has a counter or a figure \"vmstat//pgmajflt\"; did you mean "
		"\"vmstat//pgmajfault\"?");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		store_test(time_is_the_window_and_without_end_where_it_did_not_end),
		store_test(a_metric_is_taken_from_ok_trials_and_their_last_try),
		store_test(a_metric_that_nothing_has_is_named_with_the_nearest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
