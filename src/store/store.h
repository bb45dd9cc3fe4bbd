// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Results in SQLite, append-only: raw counters go in; differences and opinions are computed on
 * the way out. docs/store.md has the tables.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdint.h>

#include "base/error.h"
#include "record/wire.h"

struct store;

/* "$XDG_STATE_HOME/contend/contend.db" or "~/.local/state/..."; into buf. */
int store_default_path(char *buf, size_t size, struct error *err);

/*
 * Opens or creates. -EINVAL: not a contend store, or of a newer contend. `readonly`: it must
 * exist (-ENOENT).
 */
int store_open(const char *path, bool readonly, struct store **ret_store, struct error *err);
void store_close(struct store *store);
void store_cleanup(struct store **store);

enum run_state {
	RUN_RUNNING,
	RUN_FINISHED,
	RUN_INTERRUPTED
};

struct run_row {
	int64_t id;
	const char *title; /* suite or scenario */
	const char *command; /* the command line, as typed */
	const char *version; /* of contend */
	const char *box; /* box_describe() */
	const char *reference; /* name of the reference variant */
	uint64_t seed;
	double delta; /* per cent: the least difference that matters */
	const char *primary; /* the metric that decides, as primary_parse() reads it; NULL: time */
	unsigned blocks; /* that the plan had at most */
	int64_t started_s; /* CLOCK_REALTIME: only shown, never subtracted */
	int64_t finished_s; /* 0: not yet */
	enum run_state state;
};

/* Creates a run; *ret_run is its id. */
int store_run_create(
	struct store *store, const struct run_row *row, int64_t *ret_run, struct error *err);
int store_run_finish(struct store *store, int64_t run, enum run_state state, struct error *err);

/* A line that the run's reader must know ("swap: made by contend"), in order. */
int store_run_note(struct store *store, int64_t run, const char *text, struct error *err);

/* What a trial was, besides its record. */
struct trial_row {
	int64_t id;
	int64_t run;
	unsigned position, block; /* block: from 1; 0: warm-up, which does not count */
	const char *scenario;
	const char *lead; /* as spelled, with options */
	const char *loads; /* as spelled, joined by " + "; "" without */
	const char *variant;
	const char *assignments; /* "vm.swappiness=10,zswap=lzo"; "" none */
	bool solo, cold;
	uint64_t seed;
	int64_t deadline_ns;
	int64_t started_s; /* CLOCK_REALTIME */
	struct outcome outcome;
};

/* One transaction a trial. */
int store_trial_begin(
	struct store *store, const struct trial_row *row, int64_t *ret_trial, struct error *err);
int store_trial_put(
	struct store *store, int64_t trial, const struct record *record, struct error *err);
int store_trial_commit(struct store *store, int64_t trial, struct error *err);
void store_trial_abort(struct store *store, int64_t trial);

#endif
