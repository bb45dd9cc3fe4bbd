// SPDX-License-Identifier: GPL-2.0-or-later
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "store/database.h"
#include "store/schema.h"
#include "store/store.h"

/* As schema.sql sets them. */
#define APPLICATION_ID 0x636f6e74 /* "cont" */
#define SCHEMA_VERSION 1

static const char *home(void)
{
	const char *path = getenv("HOME");
	const struct passwd *user;

	if (path && *path)
		return path;
	user = getpwuid(getuid());
	return user ? user->pw_dir : NULL;
}

int store_default_path(char *buf, size_t size, struct error *err)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *base = state;
	int length;

	/* A relative path there is invalid and ignored: XDG Base Directory Specification. */
	if (!state || state[0] != '/')
		base = home();
	if (!base)
		return error_set(err, -ENOENT,
			"no home directory is known to keep results in; name a file with --store");
	length = snprintf(
		buf, size, "%s%s/contend/contend.db", base, base == state ? "" : "/.local/state");
	if (length < 0 || (size_t)length >= size)
		return error_set(err, -ENAMETOOLONG, "%.60s...: path too long", base);
	return 0;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	if (store->pending)
		store_trial_abort(store, 0);
	sqlite3_close(store->db);
	free(store->path);
	free(store);
}

void store_cleanup(struct store **store)
{
	int saved = errno;

	store_close(*store);
	errno = saved;
}

static int parent_make(const char *path, struct error *err)
{
	char *parent CLEANUP(free_text) = strdup(path);
	char *slash = parent ? strrchr(parent, '/') : NULL;

	if (!parent)
		return error_errno(err, -ENOMEM, "%s", path);
	if (!slash || slash == parent)
		return 0;
	*slash = '\0';
	return directory_make(parent, err);
}

/* Whose file it is, and of which revision. */
struct identity {
	int64_t application, version;
	bool empty; /* no table in it */
};

static int identity_read(struct store *store, struct identity *ret_identity, struct error *err)
{
	struct rows *rows CLEANUP(rows_cleanup) = rows_read(store, err,
		"SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) "
		"FROM pragma_application_id, pragma_user_version",
		"");

	if (!rows && sqlite3_errcode(store->db) == SQLITE_NOTADB)
		return error_set(
			err, -EINVAL, "%s is no store of contend: not a database", store->path);
	if (!rows)
		return -errno;
	*ret_identity = (struct identity) {
		.application = row_integer(rows, 0, 0),
		.version = row_integer(rows, 0, 1),
		.empty = row_integer(rows, 0, 2) == 0,
	};
	return 0;
}

static int identity_check(
	const struct store *store, const struct identity *identity, struct error *err)
{
	if (identity->application != APPLICATION_ID)
		return error_set(err, -EINVAL, "%s is no store of contend: %s", store->path,
			identity->empty ? "an empty file" : "a database of another program");
	if (identity->version > SCHEMA_VERSION)
		return error_set(err, -EINVAL,
			"%s was written by a newer contend (revision %lld of the store, this one "
			"knows %d); use that one, or another file with --store",
			store->path, (long long)identity->version, SCHEMA_VERSION);
	if (identity->version != SCHEMA_VERSION)
		return error_set(err, -EINVAL, "%s has a revision that never was: %lld",
			store->path, (long long)identity->version);
	return 0;
}

static bool identity_new(const struct identity *identity)
{
	return identity->empty && !identity->application && !identity->version;
}

static int statements_run(struct store *store, const char *sql, struct error *err)
{
	return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK
		       ? 0
		       : database_error(store, err);
}

/* Makes the tables unless another process has just done so. */
static int schema_make(struct store *store, struct error *err)
{
	struct identity identity;
	int r = statements_run(store, "BEGIN IMMEDIATE", err);

	if (r < 0)
		return r;
	r = identity_read(store, &identity, err);
	if (r == 0 && identity_new(&identity))
		r = statements_run(store, schema_sql, err);
	if (r == 0)
		r = statements_run(store, "COMMIT", err);
	if (r < 0)
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return r;
}

/*
 * A rollback journal, not a write-ahead log: there is one writer at most times and it writes once
 * a trial, so that a log gains nothing; it would leave two more files behind after a crash, and
 * it does not work on network filesystems. EXTRA also syncs the directory once the journal is
 * deleted: without it a power cut right after a commit can bring the journal back, and with it
 * the state before (https://www.sqlite.org/pragma.html#pragma_synchronous).
 */
static int connection_prepare(struct store *store, bool readonly, struct error *err)
{
	struct identity identity;
	int r;

	sqlite3_extended_result_codes(store->db, 0);
	sqlite3_busy_timeout(store->db, BUSY_TIMEOUT_S * 1000);
	r = identity_read(store, &identity, err);
	if (r < 0)
		return r;
	if (!readonly && identity_new(&identity)) {
		r = schema_make(store, err);
		if (r == 0)
			r = identity_read(store, &identity, err);
		if (r < 0)
			return r;
	}
	r = identity_check(store, &identity, err);
	if (r < 0)
		return r;
	return statements_run(store,
		readonly ? "PRAGMA query_only = 1; PRAGMA trusted_schema = 0"
			 : "PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA;"
			   "PRAGMA foreign_keys = 1; PRAGMA temp_store = MEMORY;"
			   "PRAGMA trusted_schema = 0",
		err);
}

static struct store *store_new(const char *path)
{
	struct store *store CLEANUP(store_cleanup) = calloc(1, sizeof(*store));
	struct store *made = store;

	/* "./" in front: SQLite takes ":memory:" for something else than a file. */
	if (!store || asprintf(&store->path, "%s%s", path[0] == '/' ? "" : "./", path) < 0)
		return NULL;
	store = NULL;
	return made;
}

/*
 * Read-only means that nothing is stored, not that the file is opened so: what a writer that was
 * killed left half done must be rolled back before anyone can read (SQLite falls back to reading
 * where the file may not be written).
 */
int store_open(const char *path, bool readonly, struct store **ret_store, struct error *err)
{
	int flags = SQLITE_OPEN_READWRITE | (readonly ? 0 : SQLITE_OPEN_CREATE);
	struct store *store CLEANUP(store_cleanup) = NULL;
	int r;

	if (!*path)
		return error_set(err, -EINVAL, "the store's file has an empty name");
	if (readonly && access(path, F_OK) < 0 && errno == ENOENT)
		return error_set(err, -ENOENT,
			"there are no results yet: %s does not exist; `contend run` makes it",
			path);
	r = readonly ? 0 : parent_make(path, err);
	if (r < 0)
		return r;
	store = store_new(path);
	if (!store)
		return error_errno(err, -ENOMEM, "%s", path);
	if (sqlite3_open_v2(store->path, &store->db, flags, NULL) != SQLITE_OK)
		return store->db ? database_error(store, err)
				 : error_errno(err, -ENOMEM, "%s", path);
	r = connection_prepare(store, readonly, err);
	if (r < 0)
		return r;
	*ret_store = store;
	store = NULL;
	return 0;
}
