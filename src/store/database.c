// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/database.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "record/metric.h"

static int error_code(sqlite3 *db)
{
	switch (sqlite3_errcode(db)) {
	case SQLITE_NOMEM: return -ENOMEM;
	case SQLITE_BUSY:
	case SQLITE_LOCKED: return -EBUSY;
	case SQLITE_FULL: return -ENOSPC;
	case SQLITE_READONLY: return -EROFS;
	case SQLITE_CANTOPEN: return -EACCES;
	case SQLITE_PERM: return -EPERM;
	case SQLITE_NOTADB:
	case SQLITE_CONSTRAINT:
	case SQLITE_MISMATCH: return -EINVAL;
	case SQLITE_CORRUPT: return -EUCLEAN;
	default: return -EIO;
	}
}

int database_error(struct store *store, struct error *err)
{
	int code = error_code(store->db);
	int cause = sqlite3_system_errno(store->db);

	if (code == -EBUSY)
		return error_set(err, code, "%s: another process has been writing to it for %d s",
			store->path, BUSY_TIMEOUT_S);
	if ((code == -EIO || code == -EACCES) && cause)
		return error_errno(err, -cause, "%s: %s", store->path, sqlite3_errmsg(store->db));
	return error_set(err, code, "%s: %s", store->path, sqlite3_errmsg(store->db));
}

static void statement_cleanup(sqlite3_stmt **stmt)
{
	int saved = errno;

	sqlite3_finalize(*stmt);
	errno = saved;
}

static int statement_bind(sqlite3_stmt *stmt, const char *types, va_list args)
{
	int r = SQLITE_OK;

	for (int i = 1; *types && r == SQLITE_OK; i++, types++) {
		const void *blob;
		int64_t number;

		switch (*types) {
		case 'i': r = sqlite3_bind_int64(stmt, i, va_arg(args, int64_t)); break;
		case 'o':
			number = va_arg(args, int64_t);
			if (number != VALUE_ABSENT)
				r = sqlite3_bind_int64(stmt, i, number);
			break;
		case 'r': r = sqlite3_bind_double(stmt, i, va_arg(args, double)); break;
		case 't':
			r = sqlite3_bind_text(
				stmt, i, va_arg(args, const char *), -1, SQLITE_STATIC);
			break;
		case 'b':
			blob = va_arg(args, const void *);
			r = sqlite3_bind_blob64(stmt, i, blob, va_arg(args, size_t), SQLITE_STATIC);
			break;
		default: abort();
		}
	}
	return r;
}

/* NULL: see database_error(). */
static sqlite3_stmt *statement_new(
	struct store *store, const char *sql, const char *types, va_list args)
{
	sqlite3_stmt *stmt;

	if (sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL) != SQLITE_OK)
		return NULL;
	if (statement_bind(stmt, types, args) == SQLITE_OK)
		return stmt;
	sqlite3_finalize(stmt);
	return NULL;
}

int database_run(struct store *store, struct error *err, const char *sql, const char *types, ...)
{
	sqlite3_stmt *stmt CLEANUP(statement_cleanup) = NULL;
	va_list args;
	int r;

	va_start(args, types);
	stmt = statement_new(store, sql, types, args);
	va_end(args);
	if (!stmt)
		return database_error(store, err);
	do {
		r = sqlite3_step(stmt);
	} while (r == SQLITE_ROW);
	return r == SQLITE_DONE ? 0 : database_error(store, err);
}

void rows_cleanup(struct rows **rows)
{
	int saved = errno;

	for (size_t i = 0; *rows && i < (*rows)->n * (size_t)(*rows)->columns; i++)
		sqlite3_value_free((*rows)->values[i]);
	if (*rows)
		free((*rows)->values);
	free(*rows);
	errno = saved;
}

static int rows_add(struct rows *rows, sqlite3_stmt *stmt)
{
	size_t columns = (size_t)rows->columns, used = rows->n * columns;

	/* The array doubles whenever the number of rows is a power of two. */
	if ((rows->n & (rows->n - 1)) == 0) {
		size_t room = rows->n ? 2 * rows->n : 1;
		sqlite3_value **values =
			reallocarray(rows->values, room * columns, sizeof(values[0]));

		if (!values)
			return -ENOMEM;
		rows->values = values;
	}
	for (size_t i = 0; i < columns; i++) {
		rows->values[used + i] = sqlite3_value_dup(sqlite3_column_value(stmt, (int)i));
		if (rows->values[used + i])
			continue;
		while (i--)
			sqlite3_value_free(rows->values[used + i]);
		return -ENOMEM;
	}
	rows->n++;
	return 0;
}

static int rows_fill(struct store *store, struct rows *rows, sqlite3_stmt *stmt, struct error *err)
{
	int r;

	rows->columns = sqlite3_column_count(stmt);
	while ((r = sqlite3_step(stmt)) == SQLITE_ROW) {
		if (rows_add(rows, stmt) < 0)
			return error_errno(err, -ENOMEM, "%s", store->path);
	}
	return r == SQLITE_DONE ? 0 : database_error(store, err);
}

struct rows *rows_read(
	struct store *store, struct error *err, const char *sql, const char *types, ...)
{
	struct rows *rows CLEANUP(rows_cleanup) = calloc(1, sizeof(*rows));
	sqlite3_stmt *stmt CLEANUP(statement_cleanup) = NULL;
	struct rows *filled = rows;
	va_list args;
	int r;

	if (!rows) {
		errno = -error_errno(err, -ENOMEM, "%s", store->path);
		return NULL;
	}
	va_start(args, types);
	stmt = statement_new(store, sql, types, args);
	va_end(args);
	r = stmt ? rows_fill(store, rows, stmt, err) : database_error(store, err);
	if (r < 0) {
		errno = -r;
		return NULL;
	}
	rows = NULL;
	return filled;
}

static sqlite3_value *cell(const struct rows *rows, size_t row, int column)
{
	return rows->values[row * (size_t)rows->columns + (size_t)column];
}

int64_t row_integer(const struct rows *rows, size_t row, int column)
{
	return sqlite3_value_int64(cell(rows, row, column));
}

double row_real(const struct rows *rows, size_t row, int column)
{
	return sqlite3_value_double(cell(rows, row, column));
}

bool row_null(const struct rows *rows, size_t row, int column)
{
	return sqlite3_value_type(cell(rows, row, column)) == SQLITE_NULL;
}

const char *row_text(const struct rows *rows, size_t row, int column)
{
	const unsigned char *text = sqlite3_value_text(cell(rows, row, column));

	return text ? (const char *)text : "";
}

const unsigned char *row_blob(const struct rows *rows, size_t row, int column, size_t *ret_size)
{
	const unsigned char *blob = sqlite3_value_blob(cell(rows, row, column));

	*ret_size = blob ? (size_t)sqlite3_value_bytes(cell(rows, row, column)) : 0;
	return blob;
}
