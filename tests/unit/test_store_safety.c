// SPDX-License-Identifier: GPL-2.0-or-later
/* What becomes of trials when a process ends, the disk is full, or another one writes, too. */
#include "test_store.h"

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

static struct sink sink;

static int sink_setup(void **state)
{
	(void)state;
	return sink_init(&sink, 16 << 20, NULL);
}

static int sink_teardown(void **state)
{
	(void)state;
	sink_done(&sink);
	return 0;
}

static void an_aborted_trial_leaves_nothing(void **state)
{
	struct store *store = opened(*state);
	struct trial_row row = trial_of_run(run_made(store));
	struct error err;
	int64_t trial;

	sink_reset(&sink);
	fill(&sink);
	assert_int_equal(store_trial_begin(store, &row, &trial, NULL), 0);
	assert_int_equal(put_stream(store, trial, &sink, NULL), 0);
	store_trial_abort(store, trial);
	store_trial_abort(store, trial);
	assert_int_equal(store_trial_commit(store, trial, &err), -EINVAL);
	assert_int_equal(count(*state, "SELECT count(*) FROM trial"), 0);
	assert_int_equal(count(*state, "SELECT count(*) FROM metric"), 0);
	assert_int_equal(count(*state, "SELECT count(*) FROM text"), 0);
	/* Closing in mid-trial is an abort as well. */
	assert_int_equal(store_trial_begin(store, &row, &trial, NULL), 0);
	store_close(store);
	assert_int_equal(count(*state, "SELECT count(*) FROM trial"), 0);
}

/* Called in children, too, and a sink is not theirs: it has one of its own. */
static int append(const char *path, int64_t run, int trials)
{
	struct sink own CLEANUP(sink_done) = { 0 };
	struct trial_row row = trial_of_run(run);
	struct store *store;
	int64_t trial;

	if (sink_init(&own, 1 << 20, NULL) < 0 || store_open(path, false, &store, NULL) < 0)
		return 1;
	for (int i = 0; i < trials; i++) {
		sink_reset(&own);
		fill(&own);
		if (store_trial_begin(store, &row, &trial, NULL) < 0 ||
			put_stream(store, trial, &own, NULL) < 0 ||
			store_trial_commit(store, trial, NULL) < 0)
			return 1;
	}
	store_close(store);
	return 0;
}

static void two_processes_may_append_at_once(void **state)
{
	struct store *store = opened(*state);
	int64_t run = run_made(store);
	int status, failed = 0;

	store_close(store);
	for (int i = 0; i < 2; i++) {
		if (fork() == 0)
			_exit(append(*state, run, 15));
	}
	while (wait(&status) > 0)
		failed += status != 0;
	assert_int_equal(failed, 0);
	store = opened(*state);
	assert_int_equal(count_trials(store, run), 30);
	store_close(store);
	assert_int_equal(count(*state, "SELECT count(*) FROM metric"), 5);
}

static int store_while_visited(void *data, const struct trial_row *trial)
{
	return append(data, trial->run, 1);
}

static void a_reader_that_takes_its_time_locks_nothing(void **state)
{
	struct store *store = opened(*state), *reader;
	int64_t run = run_made(store);

	store_close(store);
	assert_int_equal(append(*state, run, 2), 0);
	assert_int_equal(store_open(*state, true, &reader, NULL), 0);
	assert_int_equal(store_trials(reader, run, store_while_visited, *state, NULL), 0);
	assert_int_equal(count_trials(reader, run), 4);
	store_close(reader);
}

/* More than the page cache of SQLite holds, so that pages reach the file before the commit. */
static int put_large(struct store *store, int64_t trial)
{
	static char text[4 << 20];
	struct record record = { .type = RECORD_ENVIRONMENT, .name = "large", .text = text };

	memset(text, 'x', sizeof(text) - 1);
	return store_trial_put(store, trial, &record, NULL);
}

static void a_writer_that_is_killed_loses_its_last_trial_only(void **state)
{
	struct store *store = opened(*state);
	struct trial_row row = trial_of_run(run_made(store));
	char journal[80];
	int status;
	pid_t pid;

	store_close(store);
	assert_int_equal(append(*state, row.run, 1), 0);
	pid = fork();
	if (pid == 0) {
		int64_t trial;

		if (store_open(*state, false, &store, NULL) == 0 &&
			store_trial_begin(store, &row, &trial, NULL) == 0 &&
			put_large(store, trial) == 0)
			raise(SIGKILL);
		_exit(1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	snprintf(journal, sizeof(journal), "%s-journal", (const char *)*state);
	assert_int_equal(access(journal, F_OK), 0);
	/* A mere reader repairs it, too. */
	assert_int_equal(store_open(*state, true, &store, NULL), 0);
	assert_int_equal(count_trials(store, row.run), 1);
	store_close(store);
	assert_int_equal(access(journal, F_OK), -1);
	assert_int_equal(append(*state, row.run, 1), 0);
}

/*
 * In a process of its own: a filesystem of 1 MB in a mount namespace where that is allowed, else
 * a limit on the size of files.
 */
static int fill_the_disk(char *path)
{
	struct rlimit limit = { 1 << 20, 1 << 20 };
	char *slash = strrchr(path, '/');
	struct store *store;
	struct error err = { "" };
	struct trial_row row;
	int64_t trial;
	bool mounted;

	*slash = '\0';
	mounted = unshare(CLONE_NEWNS) == 0 &&
		  mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
		  mount("none", path, "tmpfs", 0, "size=1m") == 0;
	*slash = '/';
	signal(SIGXFSZ, SIG_IGN);
	if (!mounted && setrlimit(RLIMIT_FSIZE, &limit) < 0)
		return 1;
	store = opened(path);
	row = trial_of_run(run_made(store));
	if (append(path, row.run, 1) || store_trial_begin(store, &row, &trial, &err) < 0)
		return 2;
	if (put_large(store, trial) == 0 && store_trial_commit(store, trial, &err) == 0)
		return 3;
	store_trial_abort(store, trial);
	/* The trials before are there, and there is room for a small one. */
	if (count_trials(store, row.run) != 1 || append(path, row.run, 1))
		return 4;
	store_close(store);
	return 0;
}

static void a_full_disk_costs_the_trial_that_did_not_fit(void **state)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(fill_the_disk(*state));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		store_test(an_aborted_trial_leaves_nothing),
		store_test(two_processes_may_append_at_once),
		store_test(a_reader_that_takes_its_time_locks_nothing),
		store_test(a_writer_that_is_killed_loses_its_last_trial_only),
		store_test(a_full_disk_costs_the_trial_that_did_not_fit),
	};

	return cmocka_run_group_tests(tests, sink_setup, sink_teardown);
}
