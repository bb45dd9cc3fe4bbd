// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs of an exact box: pairs over seeds, and their spread beside every figure. */
#include "test_report.h"

#include "report/verdicts.h"

/* A trial of a seed, which is slower by as many hundredths as its number. */
static void put_trial(struct made_run *run, const char *variant, double time_s, unsigned seed)
{
	struct made made = {
		.scenario = "burn",
		.lead = "burn",
		.variant = variant,
		.exact = true,
		.time_s = time_s * (1 + seed / 100.0),
		.cpu_s = time_s,
		.majors = 12120 + seed,
		.block = seed,
	};

	made_trial(run, &made);
}

static void put_seeds(struct made_run *run, const char *variant, double time_s, unsigned seeds)
{
	for (unsigned seed = 1; seed <= seeds; seed++)
		put_trial(run, variant, time_s, seed);
}

static struct made_run *pairs_of(double a, double b, unsigned seeds)
{
	struct made_run *run = made_run_open("burn", "a");

	for (unsigned seed = 1; seed <= seeds; seed++) {
		put_trial(run, "a", a, seed);
		/* The effect itself is not the same on all seeds. */
		put_trial(run, "b", b * (1 + seed / 1000.0), seed);
	}
	return run;
}

/* All six differences have one sign: p is 2 in 2^6, and the look after six asks for 1 in 32. */
static void six_seeds_that_agree_are_a_verdict(void **state)
{
	struct made_run *run = pairs_of(20, 22, 6);
	struct model *model = made_model(run, "verdict");

	(void)state;
	assert_cell(model, 0, 0, "a_s", "20.7 (20.2–21.2)");
	assert_cell(model, 0, 0, "seeds", "+10.1 % to +10.7 %");
	assert_cell(model, 0, 0, "p", "0.0312");
	assert_cell(model, 0, 0, "verdict", "SLOWER");
	assert_cell(model, 0, 0, "trials_a", "6");
	assert_true(lines_contain(&model->notes, "6 seeds, A and B once on each"));
	assert_false(lines_contain(&model->notes, "shuffled"));
	model_free(model);
	made_run_close(run);
}

static void five_seeds_show_no_difference_but_that_there_is_none(void **state)
{
	struct made_run *run = pairs_of(10, 11, 5);
	struct model *model = made_model(run, "verdict");

	(void)state;
	assert_cell(model, 0, 0, "p", "0.0625");
	assert_cell(model, 0, 0, "verdict", "INCONCLUSIVE");
	assert_cell(model, 0, 0, "trials_to_settle", "6");
	assert_true(lines_contain(&model->notes, "p cannot be below 0.0625 with 5 seeds"));
	model_free(model);
	made_run_close(run);
	run = pairs_of(10, 10, 5);
	model = made_model(run, "verdict");
	assert_cell(model, 0, 0, "verdict", "SAME");
	model_free(model);
	made_run_close(run);
}

static void one_seed_is_no_verdict(void **state)
{
	struct made_run *run = pairs_of(10, 30, 1);
	struct model *model = made_model(run, "verdict");

	(void)state;
	assert_cell(model, 0, 0, "verdict", "INCONCLUSIVE");
	assert_cell(model, 0, 0, "change", "+200.3 %");
	assert_cell(model, 0, 0, "interval", "open");
	assert_true(lines_contain(&model->notes, "no verdict rests on it"));
	model_free(model);
	made_run_close(run);
}

static void the_spread_stands_beside_each_figure(void **state)
{
	struct made_run *run = made_run_open("burn", "a");
	struct model *model;
	char *json;

	(void)state;
	put_seeds(run, "a", 10, 3);
	model = made_model(run, "contest");
	assert_cell(model, 0, 0, "time_s", "10.2");
	assert_cell(model, 0, 0, "range", "10.10–10.30");
	assert_cell(model, 0, 0, "major_faults", "12122 (12121–12123)");
	assert_cell(model, 0, 0, "cpu_percent", "98 (97.1–99.0)");
	assert_cell(model, 0, 0, "ratio", "1.00 (0.990–1.010)");
	assert_cell(model, 0, 0, "sys", "40/10 (40/10)");
	assert_true(lines_contain(&model->first->notes, "exact on each seed"));
	/* A machine reads numbers. */
	json = made_render(model, RENDER_JSON, 0, false);
	assert_non_null(strstr(json, "\"major_faults\": 12122,"));
	free(json);
	model_free(model);
	made_run_close(run);
	run = made_run_open("burn", "a");
	put_seeds(run, "a", 10, 1);
	model = made_model(run, "contest");
	assert_cell(model, 0, 0, "major_faults", "12121");
	assert_true(lines_contain(&model->first->notes, "one seed"));
	model_free(model);
	made_run_close(run);
}

static struct verdicts verdicts_of_two(struct results *a, struct results *b)
{
	struct verdicts verdicts;

	assert_int_equal(verdicts_of_arms((struct arm) { a, "a" }, (struct arm) { b, "a" }, 0,
				 &verdicts, NULL),
		0);
	return verdicts;
}

/* Nothing but the seed enters a trial: it does not matter that one run came after the other. */
static void two_exact_runs_of_one_seed_are_pairs(void **state)
{
	struct made_run *run = made_run_open("burn", "a");
	struct results a, b;
	struct verdicts verdicts;
	int64_t first = run->run;

	(void)state;
	put_seeds(run, "a", 10, 6);
	made_run_next(run, "a", NULL);
	put_seeds(run, "a", 12, 6);
	assert_int_equal(results_open(run->store, first, &a, NULL), 0);
	assert_int_equal(results_open(run->store, run->run, &b, NULL), 0);
	verdicts = verdicts_of_two(&a, &b);
	/* The seeds of the two are others. */
	assert_int_equal(verdicts.design, DESIGN_APART);
	b.run.seed = a.run.seed;
	verdicts = verdicts_of_two(&a, &b);
	assert_int_equal(verdicts.design, DESIGN_PAIRS);
	assert_int_equal(verdicts.all[0].primary.comparison.blocks, 6);
	assert_int_equal(verdicts.all[0].primary.verdict, VERDICT_SLOWER);
	results_done(&a);
	results_done(&b);
	made_run_close(run);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(six_seeds_that_agree_are_a_verdict),
		cmocka_unit_test(five_seeds_show_no_difference_but_that_there_is_none),
		cmocka_unit_test(one_seed_is_no_verdict),
		cmocka_unit_test(the_spread_stands_beside_each_figure),
		cmocka_unit_test(two_exact_runs_of_one_seed_are_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
