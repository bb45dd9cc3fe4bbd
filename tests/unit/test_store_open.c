// SPDX-License-Identifier: GPL-2.0-or-later
#include "test_store.h"

#include <dirent.h>
#include <limits.h>
#include <sqlite3.h>
#include <sys/wait.h>

static void assert_refused(const char *path, bool readonly, int code, const char *words)
{
	struct store *store = NULL;
	struct error err = { "" };

	assert_int_equal(store_open(path, readonly, &store, &err), code);
	assert_null(store);
	assert_non_null(strstr(err.text, path));
	if (!strstr(err.text, words))
		fail_msg("\"%s\" does not say \"%s\"", err.text, words);
	assert_null(strchr(err.text, '\n'));
}

static void sql(const char *path, const char *statements)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, statements, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void the_default_path_follows_the_environment(void **state)
{
	char path[PATH_MAX], *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;

	(void)state;
	setenv("HOME", "/home/u", 1);
	setenv("XDG_STATE_HOME", "/state", 1);
	assert_int_equal(store_default_path(path, sizeof(path), NULL), 0);
	assert_string_equal(path, "/state/contend/contend.db");
	setenv("XDG_STATE_HOME", "relative", 1);
	assert_int_equal(store_default_path(path, sizeof(path), NULL), 0);
	assert_string_equal(path, "/home/u/.local/state/contend/contend.db");
	unsetenv("XDG_STATE_HOME");
	assert_int_equal(store_default_path(path, sizeof(path), NULL), 0);
	assert_string_equal(path, "/home/u/.local/state/contend/contend.db");
	assert_int_equal(store_default_path(path, 12, NULL), -ENAMETOOLONG);
	unsetenv("HOME");
	assert_int_equal(store_default_path(path, sizeof(path), NULL), 0);
	assert_non_null(strstr(path, "/.local/state/contend/contend.db"));
	if (home)
		setenv("HOME", home, 1);
	free(home);
}

static void opening_makes_the_directories(void **state)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s.d/a/b/contend.db", (const char *)*state);
	store_close(opened(path));
	store_close(opened(path));
	assert_int_equal(access(path, F_OK), 0);
}

static void one_file_is_left_after_closing(void **state)
{
	char directory[PATH_MAX];
	struct store *store = opened(*state);
	struct dirent *entry;
	int files = 0;
	DIR *dir;

	run_made(store);
	store_close(store);
	snprintf(directory, sizeof(directory), "%s", (const char *)*state);
	*strrchr(directory, '/') = '\0';
	dir = opendir(directory);
	assert_non_null(dir);
	while ((entry = readdir(dir)))
		files += entry->d_name[0] != '.';
	closedir(dir);
	assert_int_equal(files, 1);
}

static void a_store_that_does_not_exist_cannot_be_read(void **state)
{
	assert_refused(*state, true, -ENOENT, "no results yet");
	assert_int_equal(access(*state, F_OK), -1);
}

static void a_name_that_means_something_to_sqlite_is_a_file(void **state)
{
	char directory[PATH_MAX], before[PATH_MAX];

	assert_non_null(getcwd(before, sizeof(before)));
	snprintf(directory, sizeof(directory), "%s", (const char *)*state);
	*strrchr(directory, '/') = '\0';
	assert_int_equal(chdir(directory), 0);
	store_close(opened(":memory:"));
	assert_int_equal(access(":memory:", F_OK), 0);
	assert_int_equal(chdir(before), 0);
}

static void a_text_file_is_refused_and_left_alone(void **state)
{
	char *data;
	size_t size;

	assert_int_equal(file_write(*state, "hello\n", 6, NULL), 0);
	assert_refused(*state, false, -EINVAL, "not a database");
	assert_refused(*state, true, -EINVAL, "not a database");
	assert_int_equal(file_read(*state, &data, &size, NULL), 0);
	assert_string_equal(data, "hello\n");
	free(data);
}

static void a_directory_is_refused(void **state)
{
	char *directory = *state;

	*strrchr(directory, '/') = '\0';
	assert_refused(directory, false, -EISDIR, "directory");
	directory[strlen(directory)] = '/';
}

static void a_database_of_another_program_is_refused_and_left_alone(void **state)
{
	sql(*state, "CREATE TABLE t (x)");
	assert_refused(*state, false, -EINVAL, "another program");
	sql(*state, "PRAGMA application_id = 7");
	assert_refused(*state, true, -EINVAL, "another program");
	sql(*state, "INSERT INTO t VALUES (1)");
}

static void a_store_of_a_newer_contend_is_refused(void **state)
{
	store_close(opened(*state));
	sql(*state, "PRAGMA user_version = 2");
	assert_refused(*state, false, -EINVAL, "newer contend");
	assert_refused(*state, true, -EINVAL, "newer contend");
}

static void an_empty_file_becomes_a_store(void **state)
{
	assert_int_equal(file_write(*state, "", 0, NULL), 0);
	assert_refused(*state, true, -EINVAL, "empty file");
	store_close(opened(*state));
}

static void nothing_can_be_stored_through_a_store_that_is_only_read(void **state)
{
	struct store *store;
	struct error err;
	int64_t run;

	store_close(opened(*state));
	assert_int_equal(store_open(*state, true, &store, NULL), 0);
	assert_int_equal(store_run_create(store, &a_run, &run, &err), -EROFS);
	store_close(store);
}

/* Both find no tables; one makes them, the other one waits and takes them as they are. */
static void two_processes_may_make_the_store_at_once(void **state)
{
	int status, failed = 0;

	for (int i = 0; i < 4; i++) {
		if (fork() == 0) {
			struct store *store;
			int64_t run;
			int r = store_open(*state, false, &store, NULL);

			_exit(r < 0 || store_run_create(store, &a_run, &run, NULL) < 0);
		}
	}
	while (wait(&status) > 0)
		failed += status != 0;
	assert_int_equal(failed, 0);
	store_close(opened(*state));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_default_path_follows_the_environment),
		store_test(opening_makes_the_directories),
		store_test(one_file_is_left_after_closing),
		store_test(a_store_that_does_not_exist_cannot_be_read),
		store_test(a_name_that_means_something_to_sqlite_is_a_file),
		store_test(a_text_file_is_refused_and_left_alone),
		store_test(a_directory_is_refused),
		store_test(a_database_of_another_program_is_refused_and_left_alone),
		store_test(a_store_of_a_newer_contend_is_refused),
		store_test(an_empty_file_becomes_a_store),
		store_test(nothing_can_be_stored_through_a_store_that_is_only_read),
		store_test(two_processes_may_make_the_store_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
