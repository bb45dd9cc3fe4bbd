// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The runner over real trials without a box: when a run ends, and what it tries again. Leads sleep,
 * so that what is compared does not depend on how busy the machine is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "config/words.h"
#include "runner/runner.h"
#include "store/query.h"

#define USUAL \
	"run --box host --warm --steal 0 --noload no --solo no --seed 5 --lead null:seconds=0.1 " \
	"--variant a --variant b:lead.seconds=0.3 "

struct fixture {
	char directory[32];
	struct root root;
	struct store *store;
	struct config *config;
	struct plan *plan;
	struct box *box;
	int64_t run;
	struct runner_result result;
	size_t trials; /* stored */
	char note[256]; /* the last of the run */
	volatile sig_atomic_t interrupted;
	size_t interrupt_after; /* so many trials; 0: never */
};

static int fixture_open(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	char path[64];

	if (!fixture)
		return -1;
	strcpy(fixture->directory, "/tmp/contend-test-XXXXXX");
	if (!mkdtemp(fixture->directory))
		return -1;
	snprintf(path, sizeof(path), "%s/store.db", fixture->directory);
	*state = fixture;
	if (root_open(&fixture->root, "/", NULL) < 0)
		return -1;
	return store_open(path, false, &fixture->store, NULL);
}

static int fixture_close(void **state)
{
	struct fixture *fixture = *state;
	int r;

	box_close(fixture->box);
	plan_free(fixture->plan);
	config_free(fixture->config);
	store_close(fixture->store);
	root_close(&fixture->root);
	r = tree_remove(fixture->directory, NULL);
	free(fixture);
	return r;
}

/* A configuration, its plan and box, and a run for it. */
static void stand(struct fixture *fixture, const char *command)
{
	struct run_row row = {
		.title = "", .command = command, .version = "", .box = "", .reference = "a"
	};
	struct error err;
	char **argv;
	int argc;

	assert_int_equal(words_split(command, &argc, &argv, NULL), 0);
	if (config_parse_run(argc, argv, &fixture->config, &err) < 0 ||
		plan_make(fixture->config, &fixture->plan, &err) < 0 ||
		box_open(&fixture->config->box, &fixture->root, NULL, fixture->directory,
			&fixture->box, &err) < 0 ||
		store_run_create(fixture->store, &row, &fixture->run, &err) < 0)
		fail_msg("%s", err.text);
	free(argv);
}

static void on_progress(void *data, const struct runner_state *state)
{
	struct fixture *fixture = data;

	if (fixture->interrupt_after && state->outcome && state->done == fixture->interrupt_after)
		fixture->interrupted = 1;
}

static int count_trial(void *data, const struct trial_row *row)
{
	struct fixture *fixture = data;

	assert_int_equal(row->outcome.code, OUTCOME_OK);
	fixture->trials++;
	return 0;
}

static int keep_note(void *data, const char *text)
{
	struct fixture *fixture = data;

	snprintf(fixture->note, sizeof(fixture->note), "%s", text);
	return 0;
}

static int walk(struct fixture *fixture, struct error *err)
{
	const struct runner_watch watch = {
		.interrupted = &fixture->interrupted,
		.progress = on_progress,
		.data = fixture,
	};
	int r = runner_run(fixture->plan, fixture->box, fixture->store, fixture->run, &watch,
		&fixture->result, err);

	fixture->trials = 0;
	assert_int_equal(store_trials(fixture->store, fixture->run, count_trial, fixture, NULL), 0);
	assert_int_equal(
		store_run_notes(fixture->store, fixture->run, keep_note, fixture, NULL), 0);
	return r;
}

static void carry_out(struct fixture *fixture, const char *command)
{
	struct error err;

	stand(fixture, command);
	if (walk(fixture, &err) < 0)
		fail_msg("%s", err.text);
}

static void a_run_ends_when_its_verdict_is_known(void **state)
{
	struct fixture *fixture = *state;

	carry_out(fixture, USUAL);
	assert_int_equal(fixture->plan->n, 1 + 8 * 4);
	assert_int_equal(fixture->trials, 1 + 3 * 4);
	assert_int_equal(fixture->result.ok, 1 + 3 * 4);
	assert_string_equal(fixture->note, "ended after 3 of 8 blocks: all verdicts are reached");
}

static void a_budget_begins_no_block_but_the_first_that_would_end_behind_it(void **state)
{
	struct fixture *fixture = *state;

	carry_out(fixture, USUAL "--budget 1us");
	assert_int_equal(fixture->trials, 1 + 4);
	assert_string_equal(fixture->note, "ended after 1 of 8 blocks: the budget is spent");
}

static void a_budget_that_is_large_enough_says_nothing(void **state)
{
	struct fixture *fixture = *state;

	carry_out(fixture, USUAL "--budget 10h --blocks 2");
	assert_int_equal(fixture->trials, 1 + 2 * 4);
	assert_string_equal(fixture->note, "");
}

/* Naps last 10 ms: there are three times as many, and more of them are said to be better. */
static void looks_go_by_the_metric_that_decides(void **state)
{
	struct fixture *fixture = *state;

	carry_out(fixture, USUAL "--primary trial/lead/progress+");
	assert_int_equal(fixture->trials, 1 + 3 * 4);
}

static void a_metric_that_nothing_has_ends_the_run_behind_the_warm_up(void **state)
{
	struct fixture *fixture = *state;
	struct error err;

	stand(fixture, USUAL "--primary trial/lead/progres");
	assert_int_equal(walk(fixture, &err), -ENOENT);
	assert_string_equal(err.text,
		"no trial has a counter or a figure \"trial/lead/progres\"; did you mean "
		"\"trial/lead/progress\"?");
	assert_int_equal(fixture->trials, 1);
}

static void a_run_that_is_resumed_ends_where_it_would_have(void **state)
{
	struct fixture *fixture = *state;
	struct error err;

	fixture->interrupt_after = 7;
	carry_out(fixture, USUAL);
	assert_true(fixture->result.interrupted);
	assert_int_equal(fixture->trials, 7);
	fixture->interrupted = 0;
	fixture->interrupt_after = 0;
	assert_int_equal(walk(fixture, &err), 0);
	assert_int_equal(fixture->result.trials, 6);
	assert_int_equal(fixture->trials, 1 + 3 * 4);
}

int main(void)
{
#define with_fixture(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)
	static const struct CMUnitTest tests[] = {
		with_fixture(a_run_ends_when_its_verdict_is_known),
		with_fixture(a_budget_begins_no_block_but_the_first_that_would_end_behind_it),
		with_fixture(a_budget_that_is_large_enough_says_nothing),
		with_fixture(looks_go_by_the_metric_that_decides),
		with_fixture(a_metric_that_nothing_has_ends_the_run_behind_the_warm_up),
		with_fixture(a_run_that_is_resumed_ends_where_it_would_have),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
