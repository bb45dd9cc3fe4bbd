// SPDX-License-Identifier: GPL-2.0-or-later
#include <jansson.h>
#include <string.h>

#include "base/cleanup.h"
#include "report/export.h"
#include "report/export_common.h"
#include "report/utf8.h"

static json_t *json_text(const char *text)
{
	char *clean CLEANUP(free_text) = malloc(3 * strlen(text) + 1);
	char *end = clean;

	if (!clean)
		return NULL;
	while (*text) {
		size_t length = utf8_length(text);

		memcpy(end, length ? text : UTF8_REPLACEMENT, length ? length : 3);
		end += length ? length : 3;
		text += length ? length : 1;
	}
	*end = '\0';
	return json_string(clean);
}

static json_t *json_number(int64_t value)
{
	return value == VALUE_ABSENT ? json_null() : json_integer(value);
}

/* 64 bits without sign are more than a JSON reader is sure to take as a number. */
static json_t *json_seed(uint64_t seed)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%llu", (unsigned long long)seed);
	return json_string(digits);
}

/* Takes item over; NULL is the sign that there was no memory for it. */
static int list_add(json_t *list, json_t *item)
{
	return json_array_append_new(list, item) < 0 ? -ENOMEM : 0;
}

static int add_note(void *data, const char *text)
{
	return list_add(data, json_text(text));
}

static int add_event(void *data, const struct event_row *event)
{
	return list_add(data, json_pack("{s:o,s:s,s:o,s:o}", "t_ns", json_number(event->t_ns),
				      "kind", event_name(event->kind), "role",
				      json_text(event->role), "text", json_text(event->text)));
}

static int add_environment(void *data, const char *key, const char *text)
{
	return list_add(
		data, json_pack("{s:o,s:o}", "key", json_text(key), "text", json_text(text)));
}

static int add_histogram(
	void *data, const char *role, const char *name, const struct histogram *histogram)
{
	json_t *item = json_pack("{s:o,s:o,s:I,s:I,s:I,s:o}", "role", json_text(role), "name",
		json_text(name), "count", (json_int_t)histogram->count, "negative",
		(json_int_t)histogram->negative, "sum_ns", (json_int_t)histogram->sum, "max_ns",
		histogram->count ? json_integer(histogram->max) : json_null());

	for (size_t i = 0; item && i < QUANTILES; i++) {
		int64_t ns = histogram_quantile(histogram, quantiles[i].q);
		char key[16];

		snprintf(key, sizeof(key), "%s_ns", quantiles[i].name);
		if (json_object_set_new(item, key, ns < 0 ? json_null() : json_integer(ns)) < 0) {
			json_decref(item);
			item = NULL;
		}
	}
	return list_add(data, item);
}

static void json_cleanup(json_t **json)
{
	json_decref(*json);
}

static void series_cleanup(struct series **series)
{
	series_done(*series);
}

/* What the visitors of a trial's metrics share. */
struct walk {
	struct store *store;
	const struct trial_row *trial;
	json_t *list;
	FILE *out;
	bool series, begun; /* begun: a trial is printed already */
	struct error *err;
};

static int set_series(json_t *item, const struct series *series)
{
	json_t *times = json_array(), *values = json_array();
	int r = 0;

	for (size_t i = 0; i < series->n && r == 0; i++) {
		r = list_add(times, json_integer(series->t_ns[i]));
		if (r == 0)
			r = list_add(values, json_number(series->values[i]));
	}
	if (json_object_set_new(item, "t_ns", times) < 0)
		r = -ENOMEM;
	if (json_object_set_new(item, "values", values) < 0)
		r = -ENOMEM;
	return r;
}

static json_t *metric_json(const struct metric *metric, const struct origin *origin,
	const struct summary *summary, const struct series *series)
{
	json_t *item =
		json_pack("{s:o,s:o,s:o,s:o,s:s,s:I,s:I}", "source", json_text(origin->source),
			"role", json_text(origin->role), "name", json_text(metric->name), "unit",
			json_text(metric->unit), "kind", metric_kind_name(metric->kind), "revision",
			(json_int_t)origin->revision, "samples", (json_int_t)series->n);
	json_t *numbers = NULL;
	int r = -1;

	switch (metric->kind) {
	case METRIC_FIGURE:
		numbers = json_pack("{s:o}", "value", json_number(summary->last));
		break;
	case METRIC_COUNTER:
		numbers = json_pack("{s:o,s:o,s:o}", "first", json_number(summary->first), "last",
			json_number(summary->last), "delta", json_number(summary->delta));
		break;
	case METRIC_GAUGE:
		numbers = json_pack("{s:o,s:o,s:o,s:o,s:o}", "first", json_number(summary->first),
			"last", json_number(summary->last), "min", json_number(summary->min), "max",
			json_number(summary->max), "mean",
			summary->n ? json_real(summary->mean) : json_null());
		break;
	}
	if (item && numbers)
		r = json_object_update(item, numbers);
	json_decref(numbers);
	if (r == 0)
		return item;
	json_decref(item);
	return NULL;
}

static int add_metric(void *data, const struct metric *metric, const struct origin *origin)
{
	const struct walk *walk = data;
	struct series storage = { 0 };
	struct series *series CLEANUP(series_cleanup) = &storage;
	struct summary summary;
	json_t *item;
	int r = store_series(walk->store, walk->trial->id, origin->source, origin->role,
		metric->name, series, walk->err);

	if (r < 0)
		return r;
	summary = summary_of(series);
	item = metric_json(metric, origin, &summary, series);
	r = list_add(walk->list, item);
	if (r == 0 && walk->series)
		r = set_series(item, series);
	return r;
}

static json_t *run_json(const struct run_row *run)
{
	static const char *const states[] = { "running", "finished", "interrupted" };

	return json_pack("{s:I,s:o,s:o,s:o,s:o,s:o,s:o,s:f,s:o,s:I,s:I,s:o,s:s}", "id",
		(json_int_t)run->id, "title", json_text(run->title), "command",
		json_text(run->command), "version", json_text(run->version), "box",
		json_text(run->box), "reference", json_text(run->reference), "seed",
		json_seed(run->seed), "delta", run->delta, "primary_metric",
		json_text(run->primary), "blocks", (json_int_t)run->blocks, "started_s",
		(json_int_t)run->started_s, "finished_s",
		run->finished_s ? json_integer(run->finished_s) : json_null(), "state",
		states[run->state]);
}

static json_t *trial_json(const struct trial_row *trial)
{
	const struct outcome *outcome = &trial->outcome;
	bool opened = outcome->open_ns != 0;

	return json_pack(
		"{s:I,s:I,s:I,s:o,s:o,s:o,s:o,s:o,s:b,s:b,s:o,s:I,s:I,s:s,s:o,s:o,s:o,s:o}", "id",
		(json_int_t)trial->id, "position", (json_int_t)trial->position, "block",
		(json_int_t)trial->block, "scenario", json_text(trial->scenario), "lead",
		json_text(trial->lead), "loads", json_text(trial->loads), "variant",
		json_text(trial->variant), "assignments", json_text(trial->assignments), "solo",
		trial->solo, "cold", trial->cold, "seed", json_seed(trial->seed), "deadline_ns",
		(json_int_t)trial->deadline_ns, "started_s", (json_int_t)trial->started_s,
		"outcome", outcome_name(outcome->code), "outcome_text", json_text(outcome->text),
		"open_ns", json_number(opened ? outcome->open_ns : VALUE_ABSENT), "close_ns",
		json_number(opened ? outcome->close_ns : VALUE_ABSENT), "window_ns",
		json_number(window_of(outcome)));
}

/* The list under `key` of the object; NULL when there was no memory for it. */
static json_t *list_of(json_t *object, const char *key)
{
	json_object_set_new(object, key, json_array());
	return json_object_get(object, key);
}

static int trial_lists(struct walk *walk, json_t *trial)
{
	int64_t id = walk->trial->id;
	int r;

	walk->list = list_of(trial, "metrics");
	r = store_metrics(walk->store, id, add_metric, walk, walk->err);
	if (r == 0)
		r = store_histograms(
			walk->store, id, add_histogram, list_of(trial, "histograms"), walk->err);
	if (r == 0)
		r = store_events(walk->store, id, add_event, list_of(trial, "events"), walk->err);
	if (r == 0)
		r = store_environment(
			walk->store, id, add_environment, list_of(trial, "environment"), walk->err);
	return r;
}

#define DUMP_FLAGS (JSON_COMPACT | JSON_REAL_PRECISION(15))

static int print_trial(void *data, const struct trial_row *row)
{
	struct walk *walk = data;
	json_t *trial CLEANUP(json_cleanup) = trial_json(row);
	struct walk inner = *walk;
	int r;

	if (!trial)
		return error_errno(walk->err, -ENOMEM, "export");
	inner.trial = row;
	r = trial_lists(&inner, trial);
	if (r == -ENOMEM)
		return error_errno(walk->err, r, "export");
	if (r < 0)
		return r;
	fputs(walk->begun ? ",\n" : "\n", walk->out);
	walk->begun = true;
	json_dumpf(trial, walk->out, DUMP_FLAGS);
	return export_flush(walk->out, walk->err);
}

static int make_run(void *data, const struct run_row *run)
{
	json_t **ret_json = data;

	*ret_json = run_json(run);
	return *ret_json ? 0 : -ENOMEM;
}

int export_json(struct store *store, int64_t run, bool series, FILE *out, struct error *err)
{
	struct walk walk = { .store = store, .out = out, .series = series, .err = err };
	json_t *head CLEANUP(json_cleanup) = NULL;
	int r = store_run_visit(store, run, make_run, &head, err);

	if (r == 0)
		r = store_run_notes(store, run, add_note, list_of(head, "notes"), err);
	if (r == -ENOMEM)
		return error_errno(err, r, "export");
	if (r < 0)
		return r;
	fputs("{\"format\":\"contend\",\"revision\":1,\"run\":", out);
	json_dumpf(head, out, DUMP_FLAGS);
	fputs(",\"trials\":[", out);
	r = store_trials(store, run, print_trial, &walk, err);
	if (r < 0)
		return r;
	fputs("\n]}\n", out);
	return export_flush(out, err);
}
