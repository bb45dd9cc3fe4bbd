// SPDX-License-Identifier: GPL-2.0-or-later
/* Verdicts over stores of made-up trials, with p worked out by hand. */
#include "test_report.h"

#include "report/verdicts.h"

/*
 * A block of two of A and two of B, or with `more` variants two of A and one of each. Between two
 * trials of a variant lie 0.1 %; the block is slower by a half than the one before it.
 */
static void put_block(struct made_run *run, const struct made *a, const struct made *others,
	size_t n, unsigned block)
{
	for (unsigned i = 0; i < 2; i++) {
		struct made made = *a;

		made.block = block;
		made.time_s *= (1 + 0.5 * block) * (i ? 1.001 : 1);
		made_trial(run, &made);
	}
	for (size_t k = 0; k < n; k++) {
		for (unsigned i = 0; i < (n > 1 ? 1 : 2); i++) {
			struct made made = others[k];

			made.block = block;
			if (made.outcome != OUTCOME_TIMEOUT)
				made.time_s *= (1 + 0.5 * block) * (i ? 1.001 : 1);
			made_trial(run, &made);
		}
	}
}

static const struct made trial_a = {
	.scenario = "burn", .lead = "burn", .variant = "a", .time_s = 10
};
static const struct made trial_b = {
	.scenario = "burn", .lead = "burn", .variant = "b", .time_s = 11
};

static struct made_run *blocks_of(const struct made *a, const struct made *b, unsigned blocks)
{
	struct made_run *run = made_run_open("burn", "a");
	struct made warmup = *a;

	warmup.warmup = true;
	warmup.time_s = 1000;
	made_trial(run, &warmup);
	for (unsigned block = 1; block <= blocks; block++)
		put_block(run, a, b, 1, block);
	return run;
}

static enum verdict worst_of(struct made_run *run)
{
	struct results results;
	struct verdicts verdicts;
	enum verdict worst;

	assert_int_equal(results_open(run->store, run->run, &results, NULL), 0);
	assert_int_equal(verdicts_of_run(&results, 0, &verdicts, NULL), 0);
	assert_int_equal(verdicts_worst(&verdicts, &worst, NULL), 0);
	results_done(&results);
	return worst;
}

/* One arrangement of 6^3 on either side: p = 2 / 216. The warm-up would be the slowest of all. */
static void ten_per_cent_over_three_blocks_is_slower(void **state)
{
	struct made_run *run = blocks_of(&trial_a, &trial_b, 3);
	struct model *model = made_model(run, "verdict");

	(void)state;
	assert_cell(model, 0, 0, "scenario", "burn");
	assert_cell(model, 0, 0, "reference", "a");
	assert_cell(model, 0, 0, "variant", "b");
	assert_cell(model, 0, 0, "a_s", "20.0");
	assert_cell(model, 0, 0, "b_s", "22.0");
	assert_cell(model, 0, 0, "change", "+10.0 %");
	assert_cell(model, 0, 0, "p", "0.00926");
	assert_cell(model, 0, 0, "verdict", "SLOWER");
	assert_cell(model, 0, 0, "trials_a", "6");
	assert_cell(model, 0, 0, "trials_b", "6");
	assert_true(model->first->first->bad);
	assert_true(lines_contain(&model->notes, "3 blocks, shuffled"));
	assert_int_equal(worst_of(run), VERDICT_SLOWER);
	model_free(model);
	/* A run with several variants shows its verdict before anything else. */
	assert_int_equal(view_build(NULL, run->store, run->run, NULL, &model, NULL), 0);
	assert_string_equal(model->first->caption, "Time of the lead");
	model_free(model);
	made_run_close(run);
}

static void what_does_not_differ_is_the_same(void **state)
{
	struct made b = trial_b;
	struct made_run *run;
	struct model *model;

	(void)state;
	b.time_s = 10;
	run = blocks_of(&trial_a, &b, 3);
	model = made_model(run, "verdict");
	assert_cell(model, 0, 0, "verdict", "SAME");
	assert_cell(model, 0, 0, "p", "1.00");
	assert_int_equal(worst_of(run), VERDICT_SAME);
	model_free(model);
	made_run_close(run);
}

/*
 * B takes more than the 100 s that it was given, where A took 15, 20 and 25: logarithms that lie
 * 1.897, 1.609 and 1.386 apart, whose means in pairs have the median 1.642, less half of 0.1 %.
 */
static void a_timeout_is_longer_than_everything_and_shown_as_a_bound(void **state)
{
	struct made b = trial_b;
	struct made_run *run;
	struct model *model;
	char *json;

	(void)state;
	b.outcome = OUTCOME_TIMEOUT;
	b.time_s = 100;
	run = blocks_of(&trial_a, &b, 3);
	model = made_model(run, "verdict");
	assert_cell(model, 0, 0, "verdict", "SLOWER");
	assert_cell(model, 0, 0, "p", "0.00926");
	assert_cell(model, 0, 0, "b_s", "> 100");
	assert_cell(model, 0, 0, "change", "> +415.9 %");
	assert_true(lines_contain(&model->first->notes, "failed trials: 0 of 6 of a, 6 of 6 of b"));
	json = made_render(model, RENDER_JSON, 0, false);
	assert_null(strstr(json, "nan"));
	assert_null(strstr(json, "inf\""));
	assert_non_null(strstr(json, "\"change_percent\": null"));
	free(json);
	model_free(model);
	made_run_close(run);
}

/* All load-died of B, none of A: Fisher's p is 2 over 12 choose 6 = 924. */
static void failures_are_compared_by_themselves(void **state)
{
	struct made b = trial_b;
	struct made_run *run;
	struct model *model;

	(void)state;
	b.outcome = OUTCOME_LOAD_DIED;
	run = blocks_of(&trial_a, &b, 3);
	model = made_model(run, "verdict");
	assert_cell(model, 0, 0, "verdict", "INCONCLUSIVE");
	assert_cell(model, 0, 0, "p", "n/a");
	assert_cell(model, 0, 0, "b_s", "n/a");
	assert_true(lines_contain(&model->first->notes,
		"failed trials: 0 of 6 of a, 6 of 6 of b (Fisher's exact test: p 0.00216)"));
	assert_true(lines_contain(&model->first->notes, "nothing to compare"));
	model_free(model);
	made_run_close(run);
}

static void a_variant_that_was_skipped_is_shown_with_its_reason(void **state)
{
	struct made others[] = { trial_b, trial_b };
	struct made_run *run = made_run_open("burn", "a");
	struct results results;
	struct verdicts verdicts;
	enum verdict worst = VERDICT_CODES;
	struct error err;
	struct model *model;

	(void)state;
	others[0].bare = true;
	others[0].outcome = OUTCOME_SKIPPED;
	others[0].text = "zswap=lzo: this kernel has no lzo";
	put_block(run, &trial_a, others, 1, 1);
	model = made_model(run, "verdict");
	assert_cell(model, 0, 0, "verdict", "skipped");
	assert_cell(model, 0, 0, "p", "n/a");
	assert_true(lines_contain(&model->first->notes, "this kernel has no lzo"));
	model_free(model);
	assert_int_equal(results_open(run->store, run->run, &results, NULL), 0);
	assert_int_equal(verdicts_of_run(&results, 0, &verdicts, NULL), 0);
	assert_int_equal(verdicts_worst(&verdicts, &worst, &err), -ENODATA);
	assert_non_null(strstr(err.text, "this kernel has no lzo"));
	assert_int_equal(worst, VERDICT_CODES);
	results_done(&results);
	/* Beside one that can be measured it has no part in the answer. */
	others[1].variant = "c";
	others[1].time_s = 10;
	for (unsigned block = 2; block <= 8; block++)
		put_block(run, &trial_a, others, 2, block);
	assert_int_equal(worst_of(run), VERDICT_SAME);
	made_run_close(run);
}

/* 2 of A and 1 of B in 5 blocks: one of 3^5 on either side, and twice that after Holm. */
static void several_variants_are_adjusted_after_holm(void **state)
{
	struct made others[] = { trial_b, trial_b };
	struct made_run *run = made_run_open("burn", "a");
	struct model *model;

	(void)state;
	others[1].variant = "c";
	others[1].time_s = 12;
	for (unsigned block = 1; block <= 5; block++)
		put_block(run, &trial_a, others, 2, block);
	model = made_model(run, "verdict");
	assert_cell(model, 0, 0, "variant", "b");
	assert_cell(model, 0, 1, "variant", "c");
	/* 4 / 243 is above .0157, the level of the look after 5 blocks. */
	assert_cell(model, 0, 0, "p", "0.0165");
	assert_cell(model, 0, 1, "p", "0.0165");
	assert_cell(model, 0, 1, "change", "+19.9 %");
	assert_cell(model, 0, 0, "verdict", "INCONCLUSIVE");
	assert_cell(model, 0, 0, "trials_b", "5");
	model_free(model);
	made_run_close(run);
}

/* 6 and 6 without blocks: 2 / 924. */
static void two_runs_are_compared_apart_and_that_is_said(void **state)
{
	struct made_run *run = blocks_of(&trial_a, &trial_a, 0);
	struct results results[2];
	struct verdicts verdicts;
	struct made b = trial_a;
	int64_t first = run->run;

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		b.time_s = 10 + 0.01 * i;
		made_trial(run, &b);
	}
	made_run_next(run, "a", NULL);
	for (unsigned i = 0; i < 6; i++) {
		b.time_s = 11 + 0.01 * i;
		made_trial(run, &b);
	}
	assert_int_equal(results_open(run->store, first, &results[0], NULL), 0);
	assert_int_equal(results_open(run->store, run->run, &results[1], NULL), 0);
	assert_int_equal(verdicts_of_arms((struct arm) { &results[0], "a" },
				 (struct arm) { &results[1], "a" }, 0, &verdicts, NULL),
		0);
	assert_int_equal(verdicts.n, 1);
	assert_int_equal(verdicts.blocks, 0);
	assert_int_equal(verdicts.all[0].primary.design, DESIGN_APART);
	assert_float_equal(verdicts.all[0].primary.p, 2 / 924.0, 1e-12);
	assert_int_equal(verdicts.all[0].primary.verdict, VERDICT_SLOWER);
	/* From one run to the next is no drift. */
	assert_true(isnan(verdicts.all[0].drift.p));
	results_done(&results[0]);
	results_done(&results[1]);
	made_run_close(run);
}

static void two_variants_of_one_run_are_compared_in_their_blocks(void **state)
{
	struct made others[] = { trial_b, trial_b };
	struct made_run *run = made_run_open("burn", "a");
	struct verdicts verdicts;
	struct results results;

	(void)state;
	others[1].variant = "c";
	for (unsigned block = 1; block <= 8; block++)
		put_block(run, &trial_a, others, 2, block);
	assert_int_equal(results_open(run->store, run->run, &results, NULL), 0);
	assert_int_equal(verdicts_of_arms((struct arm) { &results, "b" },
				 (struct arm) { &results, "c" }, 0, &verdicts, NULL),
		0);
	assert_int_equal(verdicts.all[0].primary.design, DESIGN_BLOCKS);
	assert_int_equal(verdicts.all[0].primary.comparison.blocks, 8);
	assert_int_equal(verdicts.blocks, 8);
	/* The run looked three times, whoever is compared now. */
	assert_float_equal(verdicts.level, 0.025, 1e-12);
	results_done(&results);
	made_run_close(run);
}

/* Time went up, and with it faults, but not those that never change. */
static void what_else_moved_is_pointed_at_most_certain_first(void **state)
{
	struct made a = trial_a, b = trial_b;
	struct made_run *run;
	struct model *model;

	(void)state;
	a.majors = 100;
	b.majors = 150;
	a.numbers[0] = (struct made_number) { "vmstat", "", "pswpin", "pages", 1000 };
	b.numbers[0] = (struct made_number) { "vmstat", "", "pswpin", "pages", 4000 };
	a.numbers[1] = b.numbers[1] = (struct made_number) { "vmstat", "", "still", "pages", 7 };
	run = blocks_of(&a, &b, 3);
	model = made_model(run, "verdict");
	assert_string_equal(made_table(model, 1)->caption, "Look here: what else moved");
	assert_cell(model, 1, 0, "metric", "pswpin");
	assert_cell(model, 1, 0, "role", "system");
	assert_cell(model, 1, 0, "change", "+300.0 %");
	assert_cell(model, 1, 0, "a", "1000");
	assert_cell(model, 1, 0, "interval", "+300.0 % to +300.0 %");
	assert_cell(model, 1, 0, "p", "0.00926");
	assert_cell(model, 1, 0, "verdict", "MORE");
	assert_cell(model, 1, 0, "trials_a", "6");
	assert_cell(model, 1, 1, "metric", "major_faults");
	assert_cell(model, 1, 1, "role", "lead");
	for (const struct row *row = made_table(model, 1)->first; row; row = row->next) {
		const char *metric = row->cells[made_column(row->table, "metric")].text;

		assert_string_not_equal(metric, "still");
		/* How many samples there were says how long it took, and no more. */
		assert_string_not_equal(metric, "samples_taken");
	}
	model_free(model);
	made_run_close(run);
}

static void another_metric_decides_when_it_is_named(void **state)
{
	struct made_run *run = made_run_open("burn", "a");
	struct made a = trial_a, b = trial_b;
	struct model *model;

	(void)state;
	made_run_next(run, "a", "vmstat//pgsteal+");
	for (unsigned block = 1; block <= 3; block++) {
		a.numbers[0] = (struct made_number) { "vmstat", "", "pgsteal", "pages", 1000 };
		b.numbers[0] = (struct made_number) { "vmstat", "", "pgsteal", "pages", 1500 };
		put_block(run, &a, &b, 1, block);
	}
	model = made_model(run, "verdict");
	assert_string_equal(
		model->first->caption, "pgsteal of the system: vmstat (pages), more is better");
	assert_cell(model, 0, 0, "a", "1000");
	assert_cell(model, 0, 0, "change", "+50.0 %");
	assert_cell(model, 0, 0, "verdict", "FASTER");
	model_free(model);
	made_run_close(run);
}

/* Its Time was measured beside less load than was asked for; nor was it endless. */
static void a_trial_whose_load_was_killed_says_nothing_of_the_lead(void **state)
{
	struct made b = trial_b;
	struct made_run *run;
	struct model *model;

	(void)state;
	b.outcome = OUTCOME_KILLED;
	run = blocks_of(&trial_a, &b, 3);
	assert_int_equal(worst_of(run), VERDICT_SLOWER);
	made_run_close(run);
	b.ended = true;
	run = blocks_of(&trial_a, &b, 3);
	model = made_model(run, "verdict");
	assert_cell(model, 0, 0, "verdict", "INCONCLUSIVE");
	assert_cell(model, 0, 0, "change", "n/a");
	model_free(model);
	made_run_close(run);
}

static void one_variant_alone_has_no_verdict(void **state)
{
	struct made_run *run = made_run_open("burn", "a");
	struct model *model;

	(void)state;
	made_trial(run, &trial_a);
	model = made_model(run, "verdict");
	assert_null(model->first);
	assert_true(lines_contain(&model->notes, "one variant alone"));
	model_free(model);
	made_run_close(run);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(ten_per_cent_over_three_blocks_is_slower),
		cmocka_unit_test(what_does_not_differ_is_the_same),
		cmocka_unit_test(a_timeout_is_longer_than_everything_and_shown_as_a_bound),
		cmocka_unit_test(failures_are_compared_by_themselves),
		cmocka_unit_test(a_variant_that_was_skipped_is_shown_with_its_reason),
		cmocka_unit_test(several_variants_are_adjusted_after_holm),
		cmocka_unit_test(two_runs_are_compared_apart_and_that_is_said),
		cmocka_unit_test(two_variants_of_one_run_are_compared_in_their_blocks),
		cmocka_unit_test(what_else_moved_is_pointed_at_most_certain_first),
		cmocka_unit_test(another_metric_decides_when_it_is_named),
		cmocka_unit_test(a_trial_whose_load_was_killed_says_nothing_of_the_lead),
		cmocka_unit_test(one_variant_alone_has_no_verdict),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
