// SPDX-License-Identifier: GPL-2.0-or-later
#include "test_store.h"

#include <jansson.h>

#include "report/export.h"

static void store_trial(struct store *store, const struct trial_row *row, const struct sink *sink)
{
	int64_t trial;

	assert_int_equal(store_trial_begin(store, row, &trial, NULL), 0);
	assert_int_equal(put_stream(store, trial, sink, NULL), 0);
	assert_int_equal(store_trial_commit(store, trial, NULL), 0);
}

/* One whole trial, and one that was skipped and has no readings. */
static struct store *filled(const char *path)
{
	static const struct outcome skipped = { OUTCOME_SKIPPED, "no second disk", 0, 0 };
	struct store *store = opened(path);
	struct trial_row row = trial_of_run(run_made(store));
	struct sink sink;

	assert_int_equal(store_run_note(store, row.run, "swap: \"made\"", NULL), 0);
	assert_int_equal(sink_init(&sink, 1 << 16, NULL), 0);
	fill(&sink);
	store_trial(store, &row, &sink);
	row.position++;
	row.scenario = "a,b \"c\"\xff";
	sink_reset(&sink);
	sink_outcome(&sink, &skipped);
	sink_end(&sink);
	store_trial(store, &row, &sink);
	sink_done(&sink);
	return store;
}

static char *exported(struct store *store, bool series,
	int (*export)(struct store *, int64_t, bool, FILE *, struct error *))
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct error err;

	assert_non_null(out);
	if (export(store, 1, series, out, &err) < 0)
		fail_msg("%s", err.text);
	fclose(out);
	return text;
}

static json_t *at(json_t *root, const char *list, size_t index)
{
	json_t *item = json_array_get(json_object_get(root, list), index);

	assert_non_null(item);
	return item;
}

static json_int_t number(json_t *object, const char *key)
{
	assert_true(json_is_integer(json_object_get(object, key)));
	return json_integer_value(json_object_get(object, key));
}

static const char *text_at(json_t *object, const char *key)
{
	assert_true(json_is_string(json_object_get(object, key)));
	return json_string_value(json_object_get(object, key));
}

static void json_is_valid_and_whole(void **state)
{
	struct store *store = filled(*state);
	char *text = exported(store, false, export_json);
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL), *trial;

	assert_non_null(root);
	assert_string_equal(text_at(root, "format"), "contend");
	assert_string_equal(text_at(json_object_get(root, "run"), "seed"), "18446744073709551615");
	assert_string_equal(
		json_string_value(at(json_object_get(root, "run"), "notes", 0)), "swap: \"made\"");
	assert_true(json_is_null(json_object_get(json_object_get(root, "run"), "finished_s")));
	assert_int_equal(json_array_size(json_object_get(root, "trials")), 2);
	trial = at(root, "trials", 0);
	assert_string_equal(text_at(trial, "outcome"), "ok");
	assert_int_equal(number(trial, "window_ns"), 250);
	assert_string_equal(text_at(at(trial, "environment", 0), "text"), "6.1 \"x\"");
	/* What is no UTF-8 is replaced; what is, stays. */
	assert_string_equal(
		text_at(at(trial, "events", 1), "text"), "a, \"note\"\n\xc3\xa9\xef\xbf\xbd");
	assert_int_equal(number(at(trial, "histograms", 0), "p50_ns"), 5);
	assert_int_equal(number(at(trial, "histograms", 0), "max_ns"), 1000000);
	json_decref(root);
	free(text);
	store_close(store);
}

static void json_gives_null_for_what_is_absent(void **state)
{
	struct store *store = filled(*state);
	char *text = exported(store, true, export_json);
	json_t *root = json_loads(text, 0, NULL), *trial, *metric;

	assert_non_null(root);
	trial = at(root, "trials", 0);
	metric = at(trial, "metrics", 0);
	assert_int_equal(number(metric, "first"), 1000);
	assert_int_equal(number(metric, "last"), 1500);
	assert_int_equal(number(metric, "delta"), 500);
	metric = at(trial, "metrics", 1);
	assert_true(json_is_null(json_object_get(metric, "first")));
	assert_int_equal(number(metric, "last"), 7);
	assert_true(json_is_null(json_object_get(metric, "delta")));
	metric = at(trial, "metrics", 2);
	assert_int_equal(number(metric, "min"), 20);
	assert_int_equal(number(metric, "max"), 50);
	assert_true(json_real_value(json_object_get(metric, "mean")) == 35.0);
	assert_int_equal(json_integer_value(at(metric, "t_ns", 1)), 200);
	assert_true(json_is_null(at(metric, "values", 1)));
	assert_int_equal(number(at(trial, "metrics", 4), "value"), 4);
	trial = at(root, "trials", 1);
	assert_string_equal(text_at(trial, "outcome"), "skipped");
	assert_string_equal(text_at(trial, "outcome_text"), "no second disk");
	assert_true(json_is_null(json_object_get(trial, "window_ns")));
	assert_int_equal(json_array_size(json_object_get(trial, "metrics")), 0);
	json_decref(root);
	free(text);
	store_close(store);
}

static void assert_line(const char *text, const char *line)
{
	const char *found = strstr(text, line);

	if (!found || (found != text && found[-1] != '\n'))
		fail_msg("no line \"%s\" in\n%s", line, text);
}

static void csv_has_a_line_for_each_number(void **state)
{
	struct store *store = filled(*state);
	char *text = exported(store, false, export_csv);

	assert_line(text,
		"run,trial,scenario,variant,block,outcome,source,role,metric,unit,kind,value\n");
	assert_line(text, "1,1,compile+io,default,1,ok,trial,,window,ns,figure,250\n");
	assert_line(text, "1,1,compile+io,default,1,ok,vmstat,,pgfault,events,first,1000\n");
	assert_line(text, "1,1,compile+io,default,1,ok,vmstat,,pgfault,events,delta,500\n");
	assert_line(text, "1,1,compile+io,default,1,ok,vmstat,,pgmajfault,events,delta,\n");
	assert_line(text, "1,1,compile+io,default,1,ok,vmstat,,nr_free_pages,pages,mean,35\n");
	assert_line(text, "1,1,compile+io,default,1,ok,trial,lead,workers,threads,figure,4\n");
	assert_line(text, "1,1,compile+io,default,1,ok,histogram,,lateness,ns,p50,5\n");
	assert_line(text, "1,2,\"a,b \"\"c\"\"\xef\xbf\xbd\",default,1,skipped,trial,,window,ns,"
			  "figure,\n");
	free(text);
	store_close(store);
}

static void csv_has_the_samples_when_asked(void **state)
{
	struct store *store = filled(*state);
	char *text = exported(store, true, export_csv);

	assert_line(text, "run,trial,scenario,variant,block,outcome,source,role,metric,unit,kind,"
			  "value,t_ns\n");
	assert_line(text, "1,1,compile+io,default,1,ok,vmstat,,pgfault,events,delta,500,\n");
	assert_line(text, "1,1,compile+io,default,1,ok,vmstat,,nr_free_pages,pages,sample,50,100\n"
			  "1,1,compile+io,default,1,ok,vmstat,,nr_free_pages,pages,sample,,200\n");
	free(text);
	store_close(store);
}

static void a_run_that_does_not_exist_is_an_error_and_prints_nothing(void **state)
{
	struct store *store = filled(*state);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct error err = { "" };

	assert_int_equal(export_json(store, 9, false, out, &err), -ENOENT);
	assert_int_equal(export_csv(store, 9, false, out, &err), -ENOENT);
	assert_non_null(strstr(err.text, "no run 9"));
	fclose(out);
	assert_int_equal(size, 0);
	free(text);
	store_close(store);
}

static void a_full_disk_is_an_error(void **state)
{
	struct store *store = filled(*state);
	FILE *out = fopen("/dev/full", "we");
	struct error err = { "" };

	assert_non_null(out);
	assert_int_equal(export_json(store, 1, true, out, &err), -ENOSPC);
	assert_int_equal(export_csv(store, 1, true, out, &err), -ENOSPC);
	assert_int_not_equal(err.text[0], '\0');
	fclose(out);
	store_close(store);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		store_test(json_is_valid_and_whole),
		store_test(json_gives_null_for_what_is_absent),
		store_test(csv_has_a_line_for_each_number),
		store_test(csv_has_the_samples_when_asked),
		store_test(a_run_that_does_not_exist_is_an_error_and_prints_nothing),
		store_test(a_full_disk_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
