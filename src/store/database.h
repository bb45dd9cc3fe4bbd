// SPDX-License-Identifier: GPL-2.0-or-later
/* SQLite as the rest of the room uses it: statements in one line, rows in memory. */
#ifndef STORE_DATABASE_H
#define STORE_DATABASE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct pending;

struct store {
	sqlite3 *db;
	char *path;
	struct pending *pending; /* the trial that is being stored, or NULL */
};

/* How long a writer waits for another one, who may be slowed down by what contend measures. */
#define BUSY_TIMEOUT_S 60

/* The errno of SQLite's last failure; the text names the file. */
int database_error(struct store *store, struct error *err);

/*
 * Runs one statement. `types` has a letter for each argument, bound to ?1, ?2, ...:
 * i int64_t; r double; o int64_t, null when VALUE_ABSENT; t const char *; b const void *, size_t.
 */
int database_run(struct store *store, struct error *err, const char *sql, const char *types, ...);

/*
 * All rows of a query, copied: while a reader looks at them nothing is locked, so that a pager
 * that waits for its user does not keep a run from storing a trial.
 */
struct rows {
	size_t n;
	int columns;
	sqlite3_value **values; /* n * columns */
};

/* NULL with errno set and the text filled. */
struct rows *rows_read(
	struct store *store, struct error *err, const char *sql, const char *types, ...);
void rows_cleanup(struct rows **rows);

int64_t row_integer(const struct rows *rows, size_t row, int column);
double row_real(const struct rows *rows, size_t row, int column);
bool row_null(const struct rows *rows, size_t row, int column);

/* "" for null. Lives as long as the rows. */
const char *row_text(const struct rows *rows, size_t row, int column);
const unsigned char *row_blob(const struct rows *rows, size_t row, int column, size_t *ret_size);

#endif
