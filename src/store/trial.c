// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "store/readings.h"
#include "store/store.h"

/* The trial whose transaction is open. */
struct pending {
	int64_t trial;
	struct outcome outcome; /* the last that came */
	struct readings readings;
};

static int pending_check(const struct store *store, int64_t trial, struct error *err)
{
	if (!store->pending || store->pending->trial != trial)
		return error_set(err, -EINVAL, "%s: trial %lld is not being stored", store->path,
			(long long)trial);
	return 0;
}

static int trial_insert(struct store *store, const struct trial_row *row, struct error *err)
{
	return database_run(store, err,
		"INSERT INTO trial (run, position, block, scenario, lead, loads, variant, "
		"assignments, solo, cold, seed, deadline_ns, started_s, outcome, outcome_text, "
		"open_ns, close_ns) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, "
		"?13, '', '', 0, 0)",
		"iiitttttiiiii", row->run, (int64_t)row->position, (int64_t)row->block,
		row->scenario, row->lead, row->loads, row->variant, row->assignments,
		(int64_t)row->solo, (int64_t)row->cold, (int64_t)row->seed, row->deadline_ns,
		row->started_s);
}

/* IMMEDIATE: another process that stores a trial is waited for here, where nothing is lost. */
int store_trial_begin(
	struct store *store, const struct trial_row *row, int64_t *ret_trial, struct error *err)
{
	struct pending *pending;
	int r;

	if (store->pending)
		return error_set(err, -EBUSY, "%s: trial %lld is still being stored", store->path,
			(long long)store->pending->trial);
	pending = calloc(1, sizeof(*pending));
	if (!pending)
		return error_errno(err, -ENOMEM, "trial");
	pending->outcome = (struct outcome) { OUTCOME_BROKEN, "the record has no outcome", 0, 0 };
	store->pending = pending;
	r = database_run(store, err, "BEGIN IMMEDIATE", "");
	if (r == 0)
		r = trial_insert(store, row, err);
	if (r < 0) {
		store_trial_abort(store, 0);
		return r;
	}
	pending->trial = sqlite3_last_insert_rowid(store->db);
	*ret_trial = pending->trial;
	return 0;
}

static int event_put(struct store *store, int64_t trial, int64_t t_ns, enum event_kind kind,
	const char *role, const char *text, struct error *err)
{
	return database_run(store, err,
		"INSERT INTO event (trial, t_ns, kind, role, text) VALUES (?1, ?2, ?3, ?4, ?5)",
		"iittt", trial, t_ns, event_name(kind), role, text);
}

static void bytes_cleanup(struct bytes **bytes)
{
	bytes_done(*bytes);
}

static int histogram_put(
	struct store *store, int64_t trial, const struct record *record, struct error *err)
{
	struct bytes storage = { 0 };
	struct bytes *packed CLEANUP(bytes_cleanup) = &storage;
	const struct histogram *histogram = &record->histogram;

	if (histogram_pack(histogram, packed) < 0)
		return error_errno(err, -ENOMEM, "histogram");
	return database_run(store, err,
		"INSERT OR REPLACE INTO histogram (trial, role, name, count, negative, sum_ns, "
		"max_ns, buckets) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
		"ittiiiib", trial, record->origin.role, record->name, (int64_t)histogram->count,
		(int64_t)histogram->negative, histogram->sum, histogram->max,
		packed->data ? (const void *)packed->data : "", packed->size);
}

/* FNV-1a, 64 bits (Fowler, Noll, Vo 1991). Equal hashes are compared: it only has to spread. */
static int64_t text_hash(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325ULL;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3ULL;
	return (int64_t)hash;
}

static int text_find(struct store *store, const char *text, int64_t *ret_id, struct error *err)
{
	struct rows *rows CLEANUP(rows_cleanup) = rows_read(store, err,
		"SELECT id FROM text WHERE hash = ?1 AND text = ?2", "it", text_hash(text), text);
	int r;

	if (!rows)
		return -errno;
	if (rows->n) {
		*ret_id = row_integer(rows, 0, 0);
		return 0;
	}
	r = database_run(store, err, "INSERT INTO text (hash, text) VALUES (?1, ?2)", "it",
		text_hash(text), text);
	if (r == 0)
		*ret_id = sqlite3_last_insert_rowid(store->db);
	return r;
}

static int environment_put(
	struct store *store, int64_t trial, const char *key, const char *text, struct error *err)
{
	int64_t id = 0;
	int r = text_find(store, text, &id, err);

	if (r < 0)
		return r;
	return database_run(store, err,
		"INSERT OR REPLACE INTO environment (trial, key, text) VALUES (?1, ?2, ?3)", "iti",
		trial, key, id);
}

int store_trial_put(
	struct store *store, int64_t trial, const struct record *record, struct error *err)
{
	int r = pending_check(store, trial, err);

	if (r < 0)
		return r;
	switch (record->type) {
	case RECORD_METRIC: return readings_declare(&store->pending->readings, store, record, err);
	case RECORD_SAMPLE: return readings_sample(&store->pending->readings, record, err);
	case RECORD_EVENT:
		return event_put(store, trial, record->t_ns, record->event, record->origin.role,
			record->text, err);
	case RECORD_HISTOGRAM: return histogram_put(store, trial, record, err);
	case RECORD_ENVIRONMENT:
		return environment_put(store, trial, record->name, record->text, err);
	case RECORD_OUTCOME: store->pending->outcome = record->outcome; return 0;
	case RECORD_END: return 0;
	}
	return error_set(err, -EBADMSG, "record of unknown type %d", record->type);
}

static int lost_note(struct store *store, struct error *err)
{
	const struct pending *pending = store->pending;
	char text[128];

	if (!pending->readings.lost)
		return 0;
	snprintf(text, sizeof(text),
		"%llu readings are lost: their metrics found no room in the record",
		(unsigned long long)pending->readings.lost);
	return event_put(
		store, pending->trial, pending->outcome.close_ns, EVENT_DEGRADED, "", text, err);
}

static int outcome_write(struct store *store, struct error *err)
{
	const struct pending *pending = store->pending;

	return database_run(store, err,
		"UPDATE trial SET outcome = ?1, outcome_text = ?2, open_ns = ?3, close_ns = ?4 "
		"WHERE id = ?5",
		"ttiii", outcome_name(pending->outcome.code), pending->outcome.text,
		pending->outcome.open_ns, pending->outcome.close_ns, pending->trial);
}

int store_trial_commit(struct store *store, int64_t trial, struct error *err)
{
	int r = pending_check(store, trial, err);

	if (r < 0)
		return r;
	r = readings_write(&store->pending->readings, store, trial, err);
	if (r == 0)
		r = lost_note(store, err);
	if (r == 0)
		r = outcome_write(store, err);
	if (r == 0)
		r = database_run(store, err, "COMMIT", "");
	/* After a commit there is no transaction left that this could roll back. */
	store_trial_abort(store, trial);
	return r;
}

void store_trial_abort(struct store *store, int64_t trial)
{
	(void)trial;
	if (!store->pending)
		return;
	/* SQLite may have rolled back by itself, as it does when the disk is full. */
	if (!sqlite3_get_autocommit(store->db))
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	readings_done(&store->pending->readings);
	free(store->pending);
	store->pending = NULL;
}
