// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/query.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "store/coding.h"
#include "store/database.h"

static struct outcome outcome_of(const struct rows *rows, size_t i, int column)
{
	struct outcome outcome = {
		.code = outcome_parse(row_text(rows, i, column)),
		.open_ns = row_integer(rows, i, column + 2),
		.close_ns = row_integer(rows, i, column + 3),
	};

	if (outcome.code == OUTCOME_CODES)
		outcome.code = OUTCOME_BROKEN;
	snprintf(outcome.text, sizeof(outcome.text), "%s", row_text(rows, i, column + 1));
	return outcome;
}

static struct trial_row trial_of(const struct rows *rows, size_t i)
{
	return (struct trial_row) {
		.id = row_integer(rows, i, 0),
		.run = row_integer(rows, i, 1),
		.position = (unsigned)row_integer(rows, i, 2),
		.block = (unsigned)row_integer(rows, i, 3),
		.scenario = row_text(rows, i, 4),
		.lead = row_text(rows, i, 5),
		.loads = row_text(rows, i, 6),
		.variant = row_text(rows, i, 7),
		.assignments = row_text(rows, i, 8),
		.solo = row_integer(rows, i, 9),
		.cold = row_integer(rows, i, 10),
		.seed = (uint64_t)row_integer(rows, i, 11),
		.deadline_ns = row_integer(rows, i, 12),
		.started_s = row_integer(rows, i, 13),
		.outcome = outcome_of(rows, i, 14),
	};
}

int store_trials(struct store *store, int64_t run,
	int (*visit)(void *data, const struct trial_row *trial), void *data, struct error *err)
{
	struct rows *rows CLEANUP(rows_cleanup) = rows_read(store, err,
		"SELECT id, run, position, block, scenario, lead, loads, variant, assignments, "
		"solo, cold, seed, deadline_ns, started_s, outcome, outcome_text, open_ns, "
		"close_ns FROM trial WHERE run = ?1 ORDER BY position, id",
		"i", run);

	if (!rows)
		return -errno;
	for (size_t i = 0; i < rows->n; i++) {
		struct trial_row trial = trial_of(rows, i);
		int r = visit(data, &trial);

		if (r)
			return r;
	}
	return 0;
}

static enum metric_kind kind_of(const char *name)
{
	enum metric_kind kind = METRIC_COUNTER;

	while (kind < METRIC_FIGURE && strcmp(metric_kind_name(kind), name))
		kind++;
	return kind;
}

/* Columns: name, unit, kind, source, role, revision. */
static struct metric metric_of(const struct rows *rows, size_t i)
{
	return (struct metric) {
		.name = row_text(rows, i, 0),
		.unit = row_text(rows, i, 1),
		.kind = kind_of(row_text(rows, i, 2)),
	};
}

static struct origin origin_of(const struct rows *rows, size_t i)
{
	return (struct origin) {
		.source = row_text(rows, i, 3),
		.role = row_text(rows, i, 4),
		.revision = (unsigned)row_integer(rows, i, 5),
	};
}

int store_metrics(struct store *store, int64_t trial,
	int (*visit)(void *data, const struct metric *metric, const struct origin *origin),
	void *data, struct error *err)
{
	struct rows *rows CLEANUP(rows_cleanup) = rows_read(store, err,
		"SELECT name, unit, kind, source, role, revision FROM reading "
		"JOIN metric ON metric.id = metric WHERE trial = ?1 ORDER BY metric.id",
		"i", trial);

	if (!rows)
		return -errno;
	for (size_t i = 0; i < rows->n; i++) {
		struct metric metric = metric_of(rows, i);
		struct origin origin = origin_of(rows, i);
		int r = visit(data, &metric, &origin);

		if (r)
			return r;
	}
	return 0;
}

/*
 * One metric of a trial. Two revisions of a source never meet in one trial, as far as contend
 * writes it; of a foreign one the metric that was known first is taken.
 */
#define READING_OF(columns) \
	"SELECT " columns " FROM metric JOIN reading ON reading.metric = metric.id " \
	"JOIN ticks ON ticks.id = ticks WHERE trial = ?1 AND source = ?2 AND role = ?3 " \
	"AND name = ?4 ORDER BY metric.id LIMIT 1"

void series_done(struct series *series)
{
	free(series->t_ns);
	free(series->values);
	*series = (struct series) { 0 };
}

/* Row: n, first, samples, times. */
static int series_of(const struct rows *rows, struct series *series)
{
	size_t size, n = (size_t)row_integer(rows, 0, 0);
	const unsigned char *blob;
	int r;

	series->t_ns = calloc(n, sizeof(*series->t_ns));
	series->values = calloc(n, sizeof(*series->values));
	if (!series->t_ns || !series->values)
		return -ENOMEM;
	series->n = n;
	blob = row_blob(rows, 0, 3, &size);
	r = series_unpack(blob, size, series->t_ns, n);
	if (r < 0)
		return r;
	blob = row_blob(rows, 0, 2, &size);
	if (blob)
		return series_unpack(blob, size, series->values, n);
	if (n != 1)
		return -EBADMSG;
	series->values[0] = row_null(rows, 0, 1) ? VALUE_ABSENT : row_integer(rows, 0, 1);
	return 0;
}

static int corrupt(
	struct store *store, int64_t trial, const char *name, int code, struct error *err)
{
	return error_errno(
		err, code, "%s: \"%s\" of trial %lld", store->path, name, (long long)trial);
}

int store_series(struct store *store, int64_t trial, const char *source, const char *role,
	const char *name, struct series *ret_series, struct error *err)
{
	struct rows *rows CLEANUP(rows_cleanup) = rows_read(store, err,
		READING_OF("n, first, samples, times"), "ittt", trial, source, role, name);
	struct series series = { 0 };
	int r;

	if (!rows)
		return -errno;
	if (!rows->n)
		return -ENOENT;
	r = series_of(rows, &series);
	if (r < 0) {
		series_done(&series);
		return corrupt(store, trial, name, r, err);
	}
	*ret_series = series;
	return 0;
}

/* Of a reading whose first and last value stand in this column and the next. */
static int64_t value_of(const struct rows *rows, size_t i, enum metric_kind kind, int column)
{
	bool first = !row_null(rows, i, column), last = !row_null(rows, i, column + 1);
	int64_t value;

	if (kind == METRIC_FIGURE && last)
		return row_integer(rows, i, column + 1);
	/* A difference that 64 bits do not hold is none. */
	if (kind != METRIC_COUNTER || !first || !last ||
		__builtin_sub_overflow(
			row_integer(rows, i, column + 1), row_integer(rows, i, column), &value))
		return VALUE_ABSENT;
	return value;
}

int store_value(struct store *store, int64_t trial, const char *source, const char *role,
	const char *name, int64_t *ret_value, struct error *err)
{
	struct rows *rows CLEANUP(rows_cleanup) = rows_read(
		store, err, READING_OF("kind, first, last"), "ittt", trial, source, role, name);
	int64_t value;

	if (!rows)
		return -errno;
	if (!rows->n)
		return -ENOENT;
	value = value_of(rows, 0, kind_of(row_text(rows, 0, 0)), 1);
	if (value == VALUE_ABSENT)
		return -ENOENT;
	*ret_value = value;
	return 0;
}

int store_values(struct store *store, int64_t trial,
	int (*visit)(void *data, int64_t id, const struct metric *metric,
		const struct origin *origin, int64_t value),
	void *data, struct error *err)
{
	struct rows *rows CLEANUP(rows_cleanup) = rows_read(store, err,
		"SELECT name, unit, kind, source, role, revision, metric.id, first, last "
		"FROM reading JOIN metric ON metric.id = metric "
		"WHERE trial = ?1 AND kind != 'gauge' ORDER BY metric.id",
		"i", trial);

	if (!rows)
		return -errno;
	for (size_t i = 0; i < rows->n; i++) {
		struct metric metric = metric_of(rows, i);
		struct origin origin = origin_of(rows, i);
		int r = visit(data, row_integer(rows, i, 6), &metric, &origin,
			value_of(rows, i, metric.kind, 7));

		if (r)
			return r;
	}
	return 0;
}

int store_unit(struct store *store, int64_t trial, const char *source, const char *role,
	const char *name, char *buf, size_t size, struct error *err)
{
	struct rows *rows CLEANUP(rows_cleanup) =
		rows_read(store, err, READING_OF("unit"), "ittt", trial, source, role, name);

	if (!rows)
		return -errno;
	if (!rows->n)
		return -ENOENT;
	snprintf(buf, size, "%s", row_text(rows, 0, 0));
	return 0;
}

static enum event_kind event_of(const char *name)
{
	enum event_kind kind = 0;

	while (kind < EVENT_KINDS && strcmp(event_name(kind), name))
		kind++;
	return kind == EVENT_KINDS ? EVENT_NOTE : kind;
}

int store_events(struct store *store, int64_t trial,
	int (*visit)(void *data, const struct event_row *event), void *data, struct error *err)
{
	struct rows *rows CLEANUP(rows_cleanup) = rows_read(store, err,
		"SELECT t_ns, kind, role, text FROM event WHERE trial = ?1 ORDER BY t_ns, id", "i",
		trial);

	if (!rows)
		return -errno;
	for (size_t i = 0; i < rows->n; i++) {
		struct event_row event = {
			.t_ns = row_integer(rows, i, 0),
			.kind = event_of(row_text(rows, i, 1)),
			.role = row_text(rows, i, 2),
			.text = row_text(rows, i, 3),
		};
		int r = visit(data, &event);

		if (r)
			return r;
	}
	return 0;
}

#define HISTOGRAM_COLUMNS "role, name, count, negative, sum_ns, max_ns, buckets"

static int histogram_of(const struct rows *rows, size_t i, struct histogram *ret_histogram)
{
	struct histogram histogram = {
		.count = (uint64_t)row_integer(rows, i, 2),
		.negative = (uint64_t)row_integer(rows, i, 3),
		.sum = row_integer(rows, i, 4),
		.max = row_integer(rows, i, 5),
	};
	size_t size;
	const unsigned char *blob = row_blob(rows, i, 6, &size);
	int r = histogram_unpack(blob, size, &histogram);

	if (r == 0)
		*ret_histogram = histogram;
	return r;
}

int store_histogram(struct store *store, int64_t trial, const char *role, const char *name,
	struct histogram *ret_histogram, struct error *err)
{
	struct rows *rows CLEANUP(rows_cleanup) = rows_read(store, err,
		"SELECT " HISTOGRAM_COLUMNS " FROM histogram "
		"WHERE trial = ?1 AND role = ?2 AND name = ?3",
		"itt", trial, role, name);
	int r;

	if (!rows)
		return -errno;
	if (!rows->n)
		return -ENOENT;
	r = histogram_of(rows, 0, ret_histogram);
	return r < 0 ? corrupt(store, trial, name, r, err) : 0;
}

int store_histograms(struct store *store, int64_t trial,
	int (*visit)(
		void *data, const char *role, const char *name, const struct histogram *histogram),
	void *data, struct error *err)
{
	struct rows *rows CLEANUP(rows_cleanup) = rows_read(store, err,
		"SELECT " HISTOGRAM_COLUMNS " FROM histogram WHERE trial = ?1 ORDER BY role, name",
		"i", trial);
	struct histogram histogram;

	if (!rows)
		return -errno;
	for (size_t i = 0; i < rows->n; i++) {
		int r = histogram_of(rows, i, &histogram);

		if (r < 0)
			return corrupt(store, trial, row_text(rows, i, 1), r, err);
		r = visit(data, row_text(rows, i, 0), row_text(rows, i, 1), &histogram);
		if (r)
			return r;
	}
	return 0;
}

int store_environment(struct store *store, int64_t trial,
	int (*visit)(void *data, const char *key, const char *text), void *data, struct error *err)
{
	struct rows *rows CLEANUP(rows_cleanup) = rows_read(store, err,
		"SELECT key, text.text FROM environment JOIN text ON text.id = environment.text "
		"WHERE trial = ?1 ORDER BY key",
		"i", trial);

	if (!rows)
		return -errno;
	for (size_t i = 0; i < rows->n; i++) {
		int r = visit(data, row_text(rows, i, 0), row_text(rows, i, 1));

		if (r)
			return r;
	}
	return 0;
}
