// SPDX-License-Identifier: GPL-2.0-or-later
/* Long format, one number a line: a spreadsheet, R or awk can filter it without knowing contend. */
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "report/export.h"
#include "report/export_common.h"
#include "report/utf8.h"

struct sheet {
	struct store *store;
	const struct trial_row *trial;
	FILE *out;
	bool series;
	struct error *err;
};

/* What stands in front of the kind and the value. */
struct subject {
	const char *source, *role, *metric, *unit;
};

/* RFC 4180: quoted when it must be, a quote doubled. */
static void put_field(FILE *out, const char *text)
{
	bool quoted = strpbrk(text, ",\"\r\n");

	if (quoted)
		putc('"', out);
	while (*text) {
		size_t length = utf8_length(text);

		if (*text == '"')
			putc('"', out);
		if (length)
			fwrite(text, 1, length, out);
		else
			fputs(UTF8_REPLACEMENT, out);
		text += length ? length : 1;
	}
	if (quoted)
		putc('"', out);
}

/* All of a line up to the comma in front of the value. */
static void put_subject(const struct sheet *sheet, const struct subject *subject, const char *kind)
{
	const struct trial_row *trial = sheet->trial;
	const char *const fields[] = { subject->source, subject->role, subject->metric,
		subject->unit, kind };

	fprintf(sheet->out, "%" PRId64 ",%" PRId64 ",", trial->run, trial->id);
	put_field(sheet->out, trial->scenario);
	putc(',', sheet->out);
	put_field(sheet->out, trial->variant);
	fprintf(sheet->out, ",%u,%s,", trial->block, outcome_name(trial->outcome.code));
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		put_field(sheet->out, fields[i]);
		putc(',', sheet->out);
	}
}

static void put_value(const struct sheet *sheet, int64_t value)
{
	if (value != VALUE_ABSENT)
		fprintf(sheet->out, "%" PRId64, value);
}

static void put_line(
	const struct sheet *sheet, const struct subject *subject, const char *kind, int64_t value)
{
	put_subject(sheet, subject, kind);
	put_value(sheet, value);
	fputs(sheet->series ? ",\n" : "\n", sheet->out);
}

static void put_mean(
	const struct sheet *sheet, const struct subject *subject, const struct summary *summary)
{
	put_subject(sheet, subject, "mean");
	if (summary->n)
		fprintf(sheet->out, "%.15g", summary->mean);
	fputs(sheet->series ? ",\n" : "\n", sheet->out);
}

static void put_samples(
	const struct sheet *sheet, const struct subject *subject, const struct series *series)
{
	for (size_t i = 0; i < series->n; i++) {
		put_subject(sheet, subject, "sample");
		put_value(sheet, series->values[i]);
		fprintf(sheet->out, ",%" PRId64 "\n", series->t_ns[i]);
	}
}

static void series_cleanup(struct series **series)
{
	series_done(*series);
}

static int put_metric(void *data, const struct metric *metric, const struct origin *origin)
{
	const struct sheet *sheet = data;
	const struct subject subject = { origin->source, origin->role, metric->name, metric->unit };
	struct series storage = { 0 };
	struct series *series CLEANUP(series_cleanup) = &storage;
	struct summary summary;
	int r = store_series(sheet->store, sheet->trial->id, origin->source, origin->role,
		metric->name, series, sheet->err);

	if (r < 0)
		return r;
	summary = summary_of(series);
	if (metric->kind == METRIC_FIGURE) {
		put_line(sheet, &subject, "figure", summary.last);
	} else {
		put_line(sheet, &subject, "first", summary.first);
		put_line(sheet, &subject, "last", summary.last);
	}
	if (metric->kind == METRIC_COUNTER)
		put_line(sheet, &subject, "delta", summary.delta);
	if (metric->kind == METRIC_GAUGE) {
		put_line(sheet, &subject, "min", summary.min);
		put_line(sheet, &subject, "max", summary.max);
		put_mean(sheet, &subject, &summary);
	}
	if (sheet->series)
		put_samples(sheet, &subject, series);
	return 0;
}

static int put_histogram(
	void *data, const char *role, const char *name, const struct histogram *histogram)
{
	const struct sheet *sheet = data;
	const struct subject events = { "histogram", role, name, "events" };
	const struct subject times = { "histogram", role, name, "ns" };

	put_line(sheet, &events, "count", (int64_t)histogram->count);
	put_line(sheet, &events, "negative", (int64_t)histogram->negative);
	put_line(sheet, &times, "max", histogram->count ? histogram->max : VALUE_ABSENT);
	for (size_t i = 0; i < QUANTILES; i++) {
		int64_t ns = histogram_quantile(histogram, quantiles[i].q);

		put_line(sheet, &times, quantiles[i].name, ns < 0 ? VALUE_ABSENT : ns);
	}
	return 0;
}

/* The window is a line of its own, so that a trial that measured nothing is there, too. */
static int put_trial(void *data, const struct trial_row *trial)
{
	static const struct subject window = { "trial", "", "window", "ns" };
	struct sheet *sheet = data;
	int r;

	sheet->trial = trial;
	put_line(sheet, &window, "figure", window_of(&trial->outcome));
	r = store_metrics(sheet->store, trial->id, put_metric, sheet, sheet->err);
	if (r == 0)
		r = store_histograms(sheet->store, trial->id, put_histogram, sheet, sheet->err);
	return r < 0 ? r : export_flush(sheet->out, sheet->err);
}

static int nothing(void *data, const struct run_row *run)
{
	(void)data;
	(void)run;
	return 0;
}

int export_csv(struct store *store, int64_t run, bool series, FILE *out, struct error *err)
{
	struct sheet sheet = { .store = store, .out = out, .series = series, .err = err };
	int r = store_run_visit(store, run, nothing, NULL, err);

	if (r < 0)
		return r;
	fprintf(out,
		"run,trial,scenario,variant,block,outcome,source,role,metric,unit,kind,value%s\n",
		series ? ",t_ns" : "");
	r = store_trials(store, run, put_trial, &sheet, err);
	return r < 0 ? r : export_flush(out, err);
}
