// SPDX-License-Identifier: GPL-2.0-or-later
/* contend compare: variants of one run, or of two runs, with a verdict. */
#include "command/compare.h"

#include <string.h>

#include "base/nearest.h"
#include "command/subcommand.h"
#include "config/cmdline.h"
#include "report/view.h"
#include "report/view_verdict.h"

struct compare_params {
	char store[4096];
	int format;
	double delta;
};

static const struct option_row rows[] = {
	{
		OPTION("delta", OPTION_REAL, struct compare_params, delta),
		.fallback = "5",
		.min = "0.01",
		.max = "1000",
		.help = "per cent: the least difference that matters, for two runs",
	},
	{
		OPTION("format", OPTION_CHOICE, struct compare_params, format),
		.fallback = "table",
		.choices = output_formats,
		.help = "as what it is printed",
	},
	{
		OPTION("store", OPTION_TEXT, struct compare_params, store),
		.fallback = "",
		.argument = "FILE",
		.help = "where results are kept; default: below $XDG_STATE_HOME",
	},
};

static const struct option_rows options = OPTION_ROWS(rows);

enum exit_code verdicts_code(const struct verdicts *verdicts)
{
	switch (verdicts_worst(verdicts)) {
	case VERDICT_SLOWER: return EXIT_REGRESSION;
	case VERDICT_INCONCLUSIVE: return EXIT_INCONCLUSIVE;
	default: return EXIT_CLEAN;
	}
}

int run_code(struct store *store, int64_t run, enum exit_code *ret_code, struct error *err)
{
	struct results results CLEANUP(results_done) = { 0 };
	struct verdicts verdicts;
	int r;

	r = results_open(store, run, &results, err);
	if (r == 0)
		r = verdicts_of_run(&results, &verdicts, err);
	if (r == 0)
		*ret_code = verdicts_code(&verdicts);
	return r;
}

/* "3" or "3:zswap": the run's reference unless a variant is named. Changes the operand. */
static int arm_open(struct store *store, char *operand, struct results *results,
	struct arm *ret_arm, struct error *err)
{
	char *variant = strchr(operand, ':');
	struct nearest nearest = nearest_to(variant ? variant + 1 : "");
	int64_t run;
	int r;

	if (variant)
		*variant++ = '\0';
	r = run_find(store, operand, &run, err);
	if (r == 0)
		r = results_open(store, run, results, err);
	if (r < 0)
		return r;
	*ret_arm = (struct arm) { results, variant ? variant : results->run.reference };
	for (size_t i = 0; i < results->n; i++) {
		if (!strcmp(results->trials[i].row.variant, ret_arm->variant))
			return 0;
		nearest_offer(&nearest, results->trials[i].row.variant);
	}
	return error_set(err, -ENOENT, "run %s has no variant \"%s\"%s", operand, ret_arm->variant,
		nearest_hint(&nearest));
}

static int tell(struct verdicts *verdicts, const char *a, const char *b, enum output_format format,
	struct error *err)
{
	struct model *model CLEANUP(model_cleanup) = NULL;
	int r;

	if (!verdicts->n)
		return error_set(err, -ENOENT, "%s and %s have no scenario in common", a, b);
	r = model_new(&model, err);
	if (r < 0)
		return r;
	model_title(model, "Run %s against run %s", b, a);
	r = verdicts_tell(verdicts, model, err);
	if (r == 0)
		r = model_finish(model, err);
	return r < 0 ? r : model_print(model, format, err);
}

static int compare_two(struct store *store, char *const operands[],
	const struct compare_params *params, enum exit_code *ret_code, struct error *err)
{
	struct results a CLEANUP(results_done) = { 0 };
	struct results b CLEANUP(results_done) = { 0 };
	char *typed_a CLEANUP(free_text) = strdup(operands[0]);
	char *typed_b CLEANUP(free_text) = strdup(operands[1]);
	struct verdicts verdicts;
	struct arm arms[2];
	int r;

	if (!typed_a || !typed_b)
		return error_errno(err, -ENOMEM, "compare");
	r = arm_open(store, typed_a, &a, &arms[0], err);
	if (r == 0)
		r = arm_open(store, typed_b, &b, &arms[1], err);
	if (r == 0)
		r = verdicts_of_arms(arms[0], arms[1], params->delta, &verdicts, err);
	if (r == 0)
		r = tell(&verdicts, operands[0], operands[1], (enum output_format)params->format,
			err);
	if (r == 0)
		*ret_code = verdicts_code(&verdicts);
	return r;
}

static int compare_one(struct store *store, const char *operand,
	const struct compare_params *params, enum exit_code *ret_code, struct error *err)
{
	int64_t run;
	int r;

	r = run_find(store, operand, &run, err);
	if (r == 0)
		r = view_print(store, run, view_verdict.name, NULL,
			(enum output_format)params->format, err);
	return r < 0 ? r : run_code(store, run, ret_code, err);
}

static int compare(int argc, char **argv, enum exit_code *ret_code, struct error *err)
{
	char **operands CLEANUP(operands_cleanup) = NULL;
	struct store *store CLEANUP(store_cleanup) = NULL;
	struct compare_params params;
	int r;

	r = cmdline_parse(argc, argv, options, &params, &operands, err);
	if (r == 0)
		r = operands_check(operands, 2, err);
	if (r == 0)
		r = store_open_to_read(params.store, &store, err);
	if (r < 0)
		return r;
	if (operands[0] && operands[1])
		return compare_two(store, operands, &params, ret_code, err);
	return compare_one(store, operands[0], &params, ret_code, err);
}

static int compare_main(int argc, char **argv)
{
	enum exit_code code;
	struct error err;

	return compare(argc, argv, &code, &err) < 0 ? fail(&err) : (int)code;
}

const struct subcommand subcommand_compare = {
	.name = "compare",
	.summary = "say what differs between variants of a run, or between two runs",
	.operands = "[RUN[:VARIANT] [RUN[:VARIANT]]]",
	.options = &options,
	.notes = "With one run, its variants against its reference; it is the newest if none is\n"
		 "named. Two runs were not measured side by side, and the answer says so.\n"
		 "Exit: 0 no confirmed regression, 1 one, 3 inconclusive.\n",
	.run = compare_main,
};
