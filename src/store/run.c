// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "store/database.h"
#include "store/query.h"

static const char *const state_names[] = {
	[RUN_RUNNING] = "running",
	[RUN_FINISHED] = "finished",
	[RUN_INTERRUPTED] = "interrupted",
};

int store_run_create(
	struct store *store, const struct run_row *row, int64_t *ret_run, struct error *err)
{
	int r = database_run(store, err,
		"INSERT INTO run (title, command, version, box, reference, seed, delta, "
		"primary_metric, blocks, started_s, state) "
		"VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
		"tttttirtiit", row->title, row->command, row->version, row->box, row->reference,
		(int64_t)row->seed, row->delta, row->primary ? row->primary : "time",
		(int64_t)row->blocks, row->started_s, state_names[row->state]);

	if (r == 0)
		*ret_run = sqlite3_last_insert_rowid(store->db);
	return r;
}

static int run_missing(struct store *store, int64_t run, struct error *err)
{
	int64_t latest;

	if (store_run_latest(store, &latest, NULL) < 0)
		return error_set(
			err, -ENOENT, "no run %lld: %s holds none", (long long)run, store->path);
	return error_set(err, -ENOENT, "no run %lld in %s; the newest is %lld", (long long)run,
		store->path, (long long)latest);
}

int store_run_finish(struct store *store, int64_t run, enum run_state state, struct error *err)
{
	int r = database_run(store, err,
		"UPDATE run SET state = ?1, finished_s = iif(?1 = 'running', NULL, ?2) "
		"WHERE id = ?3",
		"tii", state_names[state], (int64_t)time(NULL), run);

	if (r == 0 && sqlite3_changes(store->db) == 0)
		return run_missing(store, run, err);
	return r;
}

int store_run_note(struct store *store, int64_t run, const char *text, struct error *err)
{
	return database_run(
		store, err, "INSERT INTO note (run, text) VALUES (?1, ?2)", "it", run, text);
}

#define RUN_COLUMNS \
	"id, title, command, version, box, reference, seed, delta, primary_metric, blocks, " \
	"started_s, finished_s, state"

static struct run_row run_of(const struct rows *rows, size_t i)
{
	struct run_row run = {
		.id = row_integer(rows, i, 0),
		.title = row_text(rows, i, 1),
		.command = row_text(rows, i, 2),
		.version = row_text(rows, i, 3),
		.box = row_text(rows, i, 4),
		.reference = row_text(rows, i, 5),
		.seed = (uint64_t)row_integer(rows, i, 6),
		.delta = row_real(rows, i, 7),
		.primary = row_text(rows, i, 8),
		.blocks = (unsigned)row_integer(rows, i, 9),
		.started_s = row_integer(rows, i, 10),
		.finished_s = row_integer(rows, i, 11),
	};

	for (size_t state = 0; state < ARRAY_SIZE(state_names); state++) {
		if (!strcmp(state_names[state], row_text(rows, i, 12)))
			run.state = state;
	}
	return run;
}

int store_runs(struct store *store, int (*visit)(void *data, const struct run_row *run), void *data,
	struct error *err)
{
	struct rows *rows CLEANUP(rows_cleanup) =
		rows_read(store, err, "SELECT " RUN_COLUMNS " FROM run ORDER BY id", "");

	if (!rows)
		return -errno;
	for (size_t i = 0; i < rows->n; i++) {
		struct run_row run = run_of(rows, i);
		int r = visit(data, &run);

		if (r)
			return r;
	}
	return 0;
}

int store_run_latest(struct store *store, int64_t *ret_run, struct error *err)
{
	struct rows *rows CLEANUP(rows_cleanup) =
		rows_read(store, err, "SELECT id FROM run ORDER BY id DESC LIMIT 1", "");

	if (!rows)
		return -errno;
	if (!rows->n)
		return error_set(
			err, -ENOENT, "%s holds no run yet; `contend run` makes one", store->path);
	*ret_run = row_integer(rows, 0, 0);
	return 0;
}

int store_run_visit(struct store *store, int64_t run,
	int (*visit)(void *data, const struct run_row *run), void *data, struct error *err)
{
	struct rows *rows CLEANUP(rows_cleanup) =
		rows_read(store, err, "SELECT " RUN_COLUMNS " FROM run WHERE id = ?1", "i", run);
	struct run_row row;

	if (!rows)
		return -errno;
	if (!rows->n)
		return run_missing(store, run, err);
	row = run_of(rows, 0);
	return visit(data, &row);
}

int store_run_notes(struct store *store, int64_t run, int (*visit)(void *data, const char *text),
	void *data, struct error *err)
{
	struct rows *rows CLEANUP(rows_cleanup) =
		rows_read(store, err, "SELECT text FROM note WHERE run = ?1 ORDER BY id", "i", run);

	if (!rows)
		return -errno;
	for (size_t i = 0; i < rows->n; i++) {
		int r = visit(data, row_text(rows, i, 0));

		if (r)
			return r;
	}
	return 0;
}
