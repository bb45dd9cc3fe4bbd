// SPDX-License-Identifier: GPL-2.0-or-later
#include "test_store.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include "base/random.h"

static struct sink sink;

static int sink_setup(void **state)
{
	(void)state;
	return sink_init(&sink, 16 << 20, NULL);
}

static int sink_teardown(void **state)
{
	(void)state;
	sink_done(&sink);
	return 0;
}

/* Stores one sample trial in a run of its own. */
static int64_t trial_made(struct store *store)
{
	struct trial_row row = trial_of_run(run_made(store));
	struct error err = { "" };
	int64_t trial;

	sink_reset(&sink);
	fill(&sink);
	if (store_trial_begin(store, &row, &trial, &err) < 0 ||
		put_stream(store, trial, &sink, &err) < 0 ||
		store_trial_commit(store, trial, &err) < 0)
		fail_msg("%s", err.text);
	return trial;
}

static int check_run(void *data, const struct run_row *run)
{
	assert_int_equal(run->id, *(int64_t *)data);
	assert_string_equal(run->title, a_run.title);
	assert_string_equal(run->command, a_run.command);
	assert_string_equal(run->version, a_run.version);
	assert_string_equal(run->box, a_run.box);
	assert_string_equal(run->reference, a_run.reference);
	assert_true(run->seed == a_run.seed);
	assert_int_equal(run->started_s, a_run.started_s);
	assert_int_equal(run->state, run->finished_s ? RUN_FINISHED : RUN_RUNNING);
	return run->finished_s != 0;
}

static int check_note(void *data, const char *text)
{
	int *n = data;

	assert_string_equal(text, *n ? "second" : "first");
	++*n;
	return 0;
}

static void a_run_comes_back(void **state)
{
	struct store *store = opened(*state);
	int64_t run = run_made(store), latest;
	int n = 0;

	assert_int_equal(store_run_visit(store, run, check_run, &run, NULL), 0);
	assert_int_equal(store_run_note(store, run, "first", NULL), 0);
	assert_int_equal(store_run_note(store, run, "second", NULL), 0);
	assert_int_equal(store_run_notes(store, run, check_note, &n, NULL), 0);
	assert_int_equal(n, 2);
	assert_int_equal(store_run_finish(store, run, RUN_FINISHED, NULL), 0);
	assert_int_equal(store_run_visit(store, run, check_run, &run, NULL), 1);
	/* Resumed: it is running again. */
	assert_int_equal(store_run_finish(store, run, RUN_RUNNING, NULL), 0);
	assert_int_equal(store_runs(store, check_run, &run, NULL), 0);
	assert_int_equal(store_run_latest(store, &latest, NULL), 0);
	assert_int_equal(latest, run);
	store_close(store);
}

static int check_trial(void *data, const struct trial_row *trial)
{
	struct trial_row made = trial_of_run(trial->run);

	assert_int_equal(trial->id, *(int64_t *)data);
	assert_int_equal(trial->position, made.position);
	assert_int_equal(trial->block, made.block);
	assert_string_equal(trial->scenario, made.scenario);
	assert_string_equal(trial->lead, made.lead);
	assert_string_equal(trial->loads, made.loads);
	assert_string_equal(trial->variant, made.variant);
	assert_string_equal(trial->assignments, made.assignments);
	assert_false(trial->solo);
	assert_true(trial->cold);
	assert_true(trial->seed == made.seed);
	assert_int_equal(trial->deadline_ns, made.deadline_ns);
	assert_int_equal(trial->started_s, made.started_s);
	assert_int_equal(trial->outcome.code, OUTCOME_OK);
	assert_int_equal(trial->outcome.open_ns, 100);
	assert_int_equal(trial->outcome.close_ns, 350);
	return 5;
}

static int check_metric(void *data, const struct metric *metric, const struct origin *origin)
{
	static const char *const names[] = { "pgfault", "pgmajfault", "nr_free_pages", "progress",
		"workers" };
	int *n = data;

	assert_string_equal(metric->name, names[*n]);
	if (*n == 2) {
		assert_string_equal(metric->unit, "pages");
		assert_int_equal(metric->kind, METRIC_GAUGE);
		assert_string_equal(origin->source, "vmstat");
		assert_int_equal(origin->revision, 2);
	}
	if (*n == 3)
		assert_string_equal(origin->role, "lead");
	++*n;
	return 0;
}

static int check_event(void *data, const struct event_row *event)
{
	int *n = data;

	assert_int_equal(event->t_ns, *n ? 350 : 90);
	assert_int_equal(event->kind, *n ? EVENT_NOTE : EVENT_PHASE);
	assert_string_equal(event->role, *n ? "io" : "");
	assert_string_equal(event->text, *n ? "a, \"note\"\n\xc3\xa9\xff" : "lead-in");
	++*n;
	return 0;
}

static int check_environment(void *data, const char *key, const char *text)
{
	++*(int *)data;
	assert_string_equal(key, "kernel");
	assert_string_equal(text, "6.1 \"x\"");
	return 0;
}

static int check_histogram(
	void *data, const char *role, const char *name, const struct histogram *histogram)
{
	++*(int *)data;
	assert_string_equal(role, "");
	assert_string_equal(name, "lateness");
	assert_int_equal(histogram->count, 2);
	assert_int_equal(histogram->max, 1000000);
	assert_int_equal(histogram->buckets[5], 1);
	return 0;
}

static void a_trial_comes_back(void **state)
{
	struct store *store = opened(*state);
	int64_t trial = trial_made(store), run;
	struct histogram histogram;
	char unit[16];
	int n = 0;

	store_close(store);
	store = opened(*state);
	assert_int_equal(store_run_latest(store, &run, NULL), 0);
	assert_int_equal(store_trials(store, run, check_trial, &trial, NULL), 5);
	assert_int_equal(store_metrics(store, trial, check_metric, &n, NULL), 0);
	assert_int_equal(n, 5);
	n = 0;
	assert_int_equal(store_events(store, trial, check_event, &n, NULL), 0);
	assert_int_equal(n, 2);
	n = 0;
	assert_int_equal(store_environment(store, trial, check_environment, &n, NULL), 0);
	assert_int_equal(store_histograms(store, trial, check_histogram, &n, NULL), 0);
	assert_int_equal(n, 2);
	assert_int_equal(store_histogram(store, trial, "", "lateness", &histogram, NULL), 0);
	assert_int_equal(histogram.sum, 1000005);
	assert_int_equal(
		store_unit(store, trial, "trial", "lead", "progress", unit, sizeof(unit), NULL), 0);
	assert_string_equal(unit, "files");
	store_close(store);
}

static void samples_keep_the_times_of_their_source(void **state)
{
	struct store *store = opened(*state);
	int64_t trial = trial_made(store);
	struct series series;

	assert_int_equal(
		store_series(store, trial, "vmstat", "", "nr_free_pages", &series, NULL), 0);
	assert_int_equal(series.n, 3);
	assert_int_equal(series.t_ns[0], 100);
	assert_int_equal(series.t_ns[2], 300);
	assert_int_equal(series.values[0], 50);
	assert_true(series.values[1] == VALUE_ABSENT);
	assert_int_equal(series.values[2], 20);
	series_done(&series);
	assert_int_equal(store_series(store, trial, "trial", "lead", "progress", &series, NULL), 0);
	assert_int_equal(series.n, 2);
	assert_int_equal(series.t_ns[0], 101);
	assert_int_equal(series.t_ns[1], 301);
	series_done(&series);
	assert_int_equal(store_series(store, trial, "trial", "lead", "workers", &series, NULL), 0);
	assert_int_equal(series.n, 1);
	assert_int_equal(series.t_ns[0], 350);
	assert_int_equal(series.values[0], 4);
	series_done(&series);
	store_close(store);
}

static void a_value_is_last_minus_first_or_the_figure(void **state)
{
	struct store *store = opened(*state);
	int64_t value, trial = trial_made(store);

	assert_int_equal(store_value(store, trial, "vmstat", "", "pgfault", &value, NULL), 0);
	assert_int_equal(value, 500);
	assert_int_equal(store_value(store, trial, "trial", "lead", "progress", &value, NULL), 0);
	assert_int_equal(value, 12);
	assert_int_equal(store_value(store, trial, "trial", "lead", "workers", &value, NULL), 0);
	assert_int_equal(value, 4);
	store_close(store);
}

static void what_is_absent_is_never_a_number(void **state)
{
	static const struct metric metric = { "n", "events", METRIC_COUNTER };
	static const struct origin origin = { "s", "", 1 };
	static const int64_t far[] = { -INT64_MAX, INT64_MAX };
	struct store *store = opened(*state);
	int64_t value, trial = trial_made(store);
	struct trial_row row = trial_of_run(run_made(store));
	struct series series;
	struct histogram histogram;

	/* absent at the first end; a gauge; no such metric, role or trial */
	assert_int_equal(
		store_value(store, trial, "vmstat", "", "pgmajfault", &value, NULL), -ENOENT);
	assert_int_equal(
		store_value(store, trial, "vmstat", "", "nr_free_pages", &value, NULL), -ENOENT);
	assert_int_equal(store_value(store, trial, "vmstat", "", "none", &value, NULL), -ENOENT);
	assert_int_equal(
		store_value(store, trial, "vmstat", "lead", "pgfault", &value, NULL), -ENOENT);
	assert_int_equal(
		store_series(store, trial + 1, "vmstat", "", "pgfault", &series, NULL), -ENOENT);
	assert_int_equal(
		store_histogram(store, trial, "io", "lateness", &histogram, NULL), -ENOENT);
	/* a difference beyond 64 bits */
	sink_reset(&sink);
	sink_metric(&sink, &metric, &origin);
	sink_sample(&sink, 1, 0, 1, &far[0]);
	sink_sample(&sink, 2, 0, 1, &far[1]);
	sink_figure(&sink, 2, "f", "ns", &origin, VALUE_ABSENT);
	assert_int_equal(store_trial_begin(store, &row, &trial, NULL), 0);
	assert_int_equal(put_stream(store, trial, &sink, NULL), 0);
	assert_int_equal(store_trial_commit(store, trial, NULL), 0);
	assert_int_equal(store_value(store, trial, "s", "", "n", &value, NULL), -ENOENT);
	assert_int_equal(store_value(store, trial, "s", "", "f", &value, NULL), -ENOENT);
	store_close(store);
}

static void what_does_not_exist_is_named(void **state)
{
	struct store *store = opened(*state);
	struct error err;
	int64_t run;

	assert_int_equal(store_run_latest(store, &run, &err), -ENOENT);
	assert_non_null(strstr(err.text, "holds no run yet"));
	assert_int_equal(store_run_visit(store, 7, check_run, NULL, &err), -ENOENT);
	assert_non_null(strstr(err.text, "no run 7"));
	run = run_made(store);
	assert_int_equal(store_run_finish(store, 7, RUN_FINISHED, &err), -ENOENT);
	assert_non_null(strstr(err.text, "the newest is 1"));
	store_close(store);
}

static int stop_at_once(void *data, const struct trial_row *trial)
{
	(void)trial;
	++*(int *)data;
	return 42;
}

static void a_position_may_be_tried_again_and_a_visit_ends_when_told(void **state)
{
	struct store *store = opened(*state);
	struct trial_row row = trial_of_run(run_made(store));
	int64_t trial;
	int n = 0;

	for (int i = 0; i < 2; i++) {
		assert_int_equal(store_trial_begin(store, &row, &trial, NULL), 0);
		assert_int_equal(store_trial_commit(store, trial, NULL), 0);
	}
	assert_int_equal(store_trials(store, row.run, count_one, &n, NULL), 0);
	assert_int_equal(n, 2);
	n = 0;
	assert_int_equal(store_trials(store, row.run, stop_at_once, &n, NULL), 42);
	assert_int_equal(n, 1);
	store_close(store);
}

static void texts_times_and_metrics_are_stored_once(void **state)
{
	struct store *store = opened(*state);

	trial_made(store);
	trial_made(store);
	store_close(store);
	assert_int_equal(count(*state, "SELECT count(*) FROM environment"), 2);
	assert_int_equal(count(*state, "SELECT count(*) FROM text"), 1);
	assert_int_equal(count(*state, "SELECT count(*) FROM metric"), 5);
	/* of a trial: those of vmstat, of progress, of the figure */
	assert_int_equal(count(*state, "SELECT count(*) FROM ticks"), 6);
}

/*
 * 400 metrics at 10 Hz for a minute: a third stands still, a third moves slowly, a third is busy.
 * A trial reads a tenth of that; docs/store.md gives its size.
 */
static void fill_minute(void)
{
	static const struct origin origin = { "vmstat", "", 1 };
	struct random random = { 1 };
	int64_t values[400] = { 0 };

	sink_reset(&sink);
	for (int i = 0; i < 400; i++) {
		char name[16];
		struct metric metric = { name, "events", METRIC_COUNTER };

		snprintf(name, sizeof(name), "counter_%d", i);
		sink_metric(&sink, &metric, &origin);
	}
	for (int64_t tick = 0; tick <= 600; tick++) {
		for (int i = 0; i < 400; i++) {
			if (i % 3 == 1)
				values[i] += random_below(&random, 8) == 0;
			if (i % 3 == 2)
				values[i] += (int64_t)random_below(&random, 5000);
		}
		sink_sample(&sink, tick * 100000000 + (int64_t)random_below(&random, 50000), 0, 400,
			values);
	}
}

static void a_minute_of_400_metrics_takes_less_than_300_kb(void **state)
{
	struct store *store = opened(*state);
	struct trial_row row = trial_of_run(run_made(store));
	int64_t trial, sizes[2];
	struct stat st;

	fill_minute();
	for (int i = 0; i < 2; i++) {
		assert_int_equal(store_trial_begin(store, &row, &trial, NULL), 0);
		assert_int_equal(put_stream(store, trial, &sink, NULL), 0);
		assert_int_equal(store_trial_commit(store, trial, NULL), 0);
		assert_int_equal(stat(*state, &st), 0);
		sizes[i] = st.st_size;
	}
	store_close(store);
	print_message("# %lld bytes a minute\n", (long long)(sizes[1] - sizes[0]));
	assert_true(sizes[1] - sizes[0] < 300 * 1024);
}

static int count_row(void *data, int columns, char **values, char **names)
{
	(void)columns;
	(void)values;
	(void)names;
	++*(int *)data;
	return 0;
}

/* Each ```sql block of the page is run as it stands there. */
static void the_queries_of_the_manual_work(void **state)
{
	const char *root = getenv("SOURCE_ROOT");
	struct store *store = opened(*state);
	char page[4096], *text, *block;
	int queries = 0;
	sqlite3 *db;

	trial_made(store);
	store_close(store);
	snprintf(page, sizeof(page), "%s/docs/store.md", root ? root : ".");
	assert_int_equal(file_read(page, &text, NULL, NULL), 0);
	assert_int_equal(sqlite3_open(*state, &db), SQLITE_OK);
	for (block = text; (block = strstr(block, "```sql\n")); queries++) {
		char *end = strstr(block += 7, "```"), *message = NULL;
		int rows = 0;

		assert_non_null(end);
		*end = '\0';
		if (sqlite3_exec(db, block, count_row, &rows, &message) != SQLITE_OK)
			fail_msg("%s: %s", message, block);
		assert_true(rows > 0);
		block = end + 1;
	}
	assert_true(queries >= 2);
	sqlite3_close(db);
	free(text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		store_test(a_run_comes_back),
		store_test(a_trial_comes_back),
		store_test(samples_keep_the_times_of_their_source),
		store_test(a_value_is_last_minus_first_or_the_figure),
		store_test(what_is_absent_is_never_a_number),
		store_test(what_does_not_exist_is_named),
		store_test(a_position_may_be_tried_again_and_a_visit_ends_when_told),
		store_test(texts_times_and_metrics_are_stored_once),
		store_test(a_minute_of_400_metrics_takes_less_than_300_kb),
		store_test(the_queries_of_the_manual_work),
	};

	return cmocka_run_group_tests(tests, sink_setup, sink_teardown);
}
