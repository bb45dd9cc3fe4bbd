// SPDX-License-Identifier: GPL-2.0-or-later
#include "test_store.h"

#include "base/random.h"
#include "record/frame.h"
#include "recorder/recorder.h"

static struct sink sink;

static int sink_setup(void **state)
{
	(void)state;
	return sink_init(&sink, 1 << 20, NULL);
}

static int sink_teardown(void **state)
{
	(void)state;
	sink_done(&sink);
	return 0;
}

static int keep_trial(void *data, const struct trial_row *trial)
{
	struct trial_row *kept = data;

	*kept = *trial;
	return 0;
}

static int count_event(void *data, const struct event_row *event)
{
	int *n = data;

	*n += event->kind == EVENT_DEGRADED;
	return 0;
}

/* Saves it in a run of its own; the stored outcome is the one that is given back. */
static int64_t saved(
	struct store *store, const unsigned char *data, size_t size, struct outcome *ret_outcome)
{
	struct trial_row row = trial_of_run(run_made(store)), kept = { 0 };
	struct error err;

	if (recorder_save(store, &row, data, size, ret_outcome, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(store_trials(store, row.run, keep_trial, &kept, NULL), 0);
	assert_int_equal(kept.outcome.code, ret_outcome->code);
	assert_string_equal(kept.outcome.text, ret_outcome->text);
	return kept.id;
}

static void a_whole_stream_keeps_its_outcome(void **state)
{
	struct store *store = opened(*state);
	struct outcome outcome;
	int64_t value, trial;

	sink_reset(&sink);
	fill(&sink);
	trial = saved(store, sink.data, sink.used, &outcome);
	assert_int_equal(outcome.code, OUTCOME_OK);
	assert_int_equal(outcome.close_ns, 350);
	assert_int_equal(store_value(store, trial, "vmstat", "", "pgfault", &value, NULL), 0);
	assert_int_equal(value, 500);
	store_close(store);
}

static void a_stream_cut_anywhere_is_broken_and_says_where(void **state)
{
	struct store *store = opened(*state);
	struct outcome outcome;

	sink_reset(&sink);
	fill(&sink);
	for (size_t size = 0; size < sink.used; size += 1 + size / 16) {
		saved(store, sink.data, size, &outcome);
		assert_int_equal(outcome.code, OUTCOME_BROKEN);
		assert_non_null(strstr(outcome.text, "record cut off at byte "));
	}
	store_close(store);
}

static void what_came_before_the_cut_is_kept(void **state)
{
	static const struct metric metric = { "n", "events", METRIC_COUNTER };
	static const struct origin origin = { "s", "", 1 };
	struct store *store = opened(*state);
	struct outcome outcome;
	struct series series;
	int64_t trial;

	sink_reset(&sink);
	sink_metric(&sink, &metric, &origin);
	for (int64_t i = 0; i < 10; i++)
		sink_sample(&sink, i, 0, 1, &i);
	trial = saved(store, sink.data, sink.used - 1, &outcome);
	assert_int_equal(store_series(store, trial, "s", "", "n", &series, NULL), 0);
	assert_int_equal(series.n, 9);
	assert_int_equal(series.values[8], 8);
	series_done(&series);
	store_close(store);
}

static void a_stream_without_its_end_names_the_outcome_that_it_had(void **state)
{
	static const struct outcome timeout = { OUTCOME_TIMEOUT, "60 s", 5, 65 };
	struct store *store = opened(*state);
	struct outcome outcome;

	sink_reset(&sink);
	sink_outcome(&sink, &timeout);
	saved(store, sink.data, sink.used, &outcome);
	assert_int_equal(outcome.code, OUTCOME_BROKEN);
	assert_int_equal(outcome.close_ns, 65);
	assert_non_null(strstr(outcome.text, "no closing frame (until then: timeout, 60 s)"));
	store_close(store);
}

static void a_stream_without_an_outcome_is_broken(void **state)
{
	struct store *store = opened(*state);
	struct outcome outcome;

	sink_reset(&sink);
	sink_environment(&sink, "kernel", "6.1");
	sink_end(&sink);
	saved(store, sink.data, sink.used, &outcome);
	assert_int_equal(outcome.code, OUTCOME_BROKEN);
	assert_non_null(strstr(outcome.text, "no outcome"));
	store_close(store);
}

static void nothing_may_follow_the_end(void **state)
{
	struct store *store = opened(*state);
	struct outcome outcome;

	sink_reset(&sink);
	fill(&sink);
	sink_environment(&sink, "late", "");
	saved(store, sink.data, sink.used, &outcome);
	assert_int_equal(outcome.code, OUTCOME_BROKEN);
	assert_non_null(strstr(outcome.text, "behind its end"));
	store_close(store);
}

static void readings_without_their_metric_are_counted(void **state)
{
	static const struct outcome ok = { OUTCOME_OK, "", 1, 2 };
	struct store *store = opened(*state);
	struct outcome outcome;
	int64_t value = 1;
	int degraded = 0;

	sink_reset(&sink);
	sink_sample(&sink, 1, UINT32_MAX, 1, &value);
	sink_outcome(&sink, &ok);
	sink_end(&sink);
	assert_int_equal(store_events(store, saved(store, sink.data, sink.used, &outcome),
				 count_event, &degraded, NULL),
		0);
	assert_int_equal(outcome.code, OUTCOME_OK);
	assert_int_equal(degraded, 1);
	store_close(store);
}

static void an_id_cannot_be_declared_twice_or_out_of_all_bounds(void **state)
{
	static const struct metric metric = { "n", "events", METRIC_COUNTER };
	static const struct origin origin = { "s", "", 1 };
	struct store *store = opened(*state);
	struct outcome outcome;
	size_t size;

	sink_reset(&sink);
	sink_metric(&sink, &metric, &origin);
	size = sink.used;
	sink_metric(&sink, &metric, &origin);
	frame_put_u32(sink.data + size + FRAME_HEADER, 0);
	saved(store, sink.data, sink.used, &outcome);
	assert_non_null(strstr(outcome.text, "declared twice"));
	frame_put_u32(sink.data + size + FRAME_HEADER, UINT32_MAX);
	saved(store, sink.data, sink.used, &outcome);
	assert_non_null(strstr(outcome.text, "metric 4294967295: there are at most"));
	store_close(store);
}

static void a_metric_that_is_declared_twice_is_one_series(void **state)
{
	static const struct origin origin = { "s", "lead", 1 };
	struct store *store = opened(*state);
	struct outcome outcome;
	struct series series;
	int64_t trial;

	sink_reset(&sink);
	sink_figure(&sink, 1, "dropout", "ns", &origin, 10);
	sink_figure(&sink, 2, "dropout", "ns", &origin, 20);
	trial = saved(store, sink.data, sink.used, &outcome);
	assert_int_equal(store_series(store, trial, "s", "lead", "dropout", &series, NULL), 0);
	assert_int_equal(series.n, 2);
	assert_int_equal(series.t_ns[1], 2);
	assert_int_equal(series.values[1], 20);
	series_done(&series);
	store_close(store);
}

/* Bytes turned at random: whatever comes out, it is stored, and never as something whole. */
static void a_damaged_stream_is_stored_as_far_as_it_goes(void **state)
{
	struct store *store = opened(*state);
	struct random random = { 7 };
	struct outcome outcome;

	for (int round = 0; round < 60; round++) {
		sink_reset(&sink);
		fill(&sink);
		sink.data[random_below(&random, sink.used)] ^=
			(unsigned char)(1 + random_below(&random, 255));
		saved(store, sink.data, sink.used, &outcome);
		assert_true(outcome.code < OUTCOME_CODES);
	}
	store_close(store);
}

static void a_trial_of_no_run_is_an_error_and_leaves_nothing(void **state)
{
	struct store *store = opened(*state);
	struct trial_row row = trial_of_run(4711), kept = { 0 };
	struct outcome outcome;
	struct error err = { "" };

	sink_reset(&sink);
	fill(&sink);
	assert_int_equal(recorder_save(store, &row, sink.data, sink.used, &outcome, &err), -EINVAL);
	assert_int_not_equal(err.text[0], '\0');
	assert_int_equal(store_trials(store, 4711, keep_trial, &kept, NULL), 0);
	assert_int_equal(kept.id, 0);
	run_made(store);
	store_close(store);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		store_test(a_whole_stream_keeps_its_outcome),
		store_test(a_stream_cut_anywhere_is_broken_and_says_where),
		store_test(what_came_before_the_cut_is_kept),
		store_test(a_stream_without_its_end_names_the_outcome_that_it_had),
		store_test(a_stream_without_an_outcome_is_broken),
		store_test(nothing_may_follow_the_end),
		store_test(readings_without_their_metric_are_counted),
		store_test(an_id_cannot_be_declared_twice_or_out_of_all_bounds),
		store_test(a_metric_that_is_declared_twice_is_one_series),
		store_test(a_damaged_stream_is_stored_as_far_as_it_goes),
		store_test(a_trial_of_no_run_is_an_error_and_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, sink_setup, sink_teardown);
}
