// SPDX-License-Identifier: GPL-2.0-or-later
/* contend compare: variants of one run, or of two runs, with a verdict and what else differs. */
#include "command/compare.h"

#include <string.h>

#include "base/nearest.h"
#include "command/subcommand.h"
#include "config/cmdline.h"
#include "report/differences.h"
#include "report/view_verdict.h"

struct compare_params {
	char store[4096];
	int format;
	double delta;
};

static const struct option_row rows[] = {
	{
		OPTION("delta", OPTION_REAL, struct compare_params, delta),
		.fallback = "0",
		.min = "0",
		.max = "1000",
		.help = "per cent: the least difference that matters; 0: as the (first) run has it",
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

int verdicts_code(const struct verdicts *verdicts, enum exit_code *ret_code, struct error *err)
{
	enum verdict worst;
	int r = verdicts_worst(verdicts, &worst, err);

	if (r < 0)
		return r;
	switch (worst) {
	case VERDICT_SLOWER: *ret_code = EXIT_REGRESSION; break;
	case VERDICT_INCONCLUSIVE: *ret_code = EXIT_INCONCLUSIVE; break;
	default: *ret_code = EXIT_CLEAN; break;
	}
	return 0;
}

int run_code(struct store *store, int64_t run, enum exit_code *ret_code, struct error *err)
{
	struct results results CLEANUP(results_done) = { 0 };
	struct verdicts verdicts;
	int r;

	r = results_open(store, run, &results, err);
	if (r == 0)
		r = verdicts_of_run(&results, 0, &verdicts, err);
	if (r == 0)
		r = results_check(&results, err);
	return r < 0 ? r : verdicts_code(&verdicts, ret_code, err);
}

/* What is compared: one run, or two; all variants of one, or one of either. */
struct sides {
	struct results results[2];
	size_t n_results;
	struct arm *arms;
	size_t n_arms;
	struct verdicts verdicts;
};

static void sides_done(struct sides *sides)
{
	for (size_t i = 0; i < sides->n_results; i++)
		results_done(&sides->results[i]);
	free(sides->arms);
}

/* Opens the run, once. */
static int results_find(struct sides *sides, struct store *store, int64_t run, struct results **ret,
	struct error *err)
{
	int r;

	for (size_t i = 0; i < sides->n_results; i++) {
		if (sides->results[i].run.id == run) {
			*ret = &sides->results[i];
			return 0;
		}
	}
	r = results_open(store, run, &sides->results[sides->n_results], err);
	if (r == 0)
		*ret = &sides->results[sides->n_results++];
	return r;
}

/* The variant's name as the results have it, which lasts as long as they do. */
static int variant_find(
	struct results *results, const char *name, struct arm *ret_arm, struct error *err)
{
	struct nearest nearest = nearest_to(name);

	for (size_t i = 0; i < results->n; i++) {
		const char *variant = results->trials[i].row.variant;

		if (!strcmp(variant, name)) {
			*ret_arm = (struct arm) { results, variant };
			return 0;
		}
		nearest_offer(&nearest, variant);
	}
	return error_set(err, -ENOENT, "run %lld has no variant \"%s\"%s",
		(long long)results->run.id, name, nearest_hint(&nearest));
}

/* "3" or "3:zswap": the run's reference unless a variant is named; NULL: the newest run. */
static int add_arm(struct sides *sides, struct store *store, const char *operand, struct error *err)
{
	char *name CLEANUP(free_text) = operand ? strdup(operand) : NULL;
	char *variant = name ? strchr(name, ':') : NULL;
	struct results *results;
	int64_t run;
	int r;

	if (operand && !name)
		return error_errno(err, -ENOMEM, "compare");
	if (variant)
		*variant++ = '\0';
	r = run_find(store, name, &run, err);
	if (r == 0)
		r = results_find(sides, store, run, &results, err);
	if (r == 0)
		r = variant_find(results, variant ? variant : results->run.reference,
			&sides->arms[sides->n_arms], err);
	sides->n_arms += r == 0;
	return r;
}

/* All other variants of the first arm's run. */
static int add_others(struct sides *sides, struct error *err)
{
	struct results *results = sides->arms[0].results;
	struct arm *grown = reallocarray(sides->arms, results->n + 1, sizeof(*grown));

	if (!grown)
		return error_errno(err, -ENOMEM, "compare");
	sides->arms = grown;
	for (size_t i = 0; i < results->n; i++) {
		const char *variant = results->trials[i].row.variant;
		size_t k = 0;

		while (k < sides->n_arms && strcmp(grown[k].variant, variant) != 0)
			k++;
		if (k == sides->n_arms)
			grown[sides->n_arms++] = (struct arm) { results, variant };
	}
	if (sides->n_arms > 1)
		return 0;
	return error_set(err, -EINVAL,
		"run %lld has one variant, and nothing to compare it with: name a second run",
		(long long)results->run.id);
}

/* One operand with a variant in it: against its run's reference. */
static int add_both(
	struct sides *sides, struct store *store, char *const operands[], struct error *err)
{
	const char *second = operands[0] ? operands[1] : NULL;
	bool alone = operands[0] && !second && strchr(operands[0], ':');
	char reference[32] = "";
	int r;

	if (alone)
		snprintf(reference, sizeof(reference), "%.*s", (int)strcspn(operands[0], ":"),
			operands[0]);
	r = add_arm(sides, store, alone ? reference : operands[0], err);
	if (r == 0 && (alone || second))
		r = add_arm(sides, store, alone ? operands[0] : second, err);
	if (r < 0)
		return r;
	if (sides->n_arms == 1)
		return add_others(sides, err);
	if (sides->arms[0].results != sides->arms[1].results ||
		strcmp(sides->arms[0].variant, sides->arms[1].variant) != 0)
		return 0;
	return error_set(err, -EINVAL, "\"%s\" of run %lld would be compared with itself",
		sides->arms[0].variant, (long long)sides->arms[0].results->run.id);
}

static int judge(struct sides *sides, double delta, struct error *err)
{
	const struct arm *arms = sides->arms;
	int r;

	if (sides->n_results == 1 && !strcmp(arms[0].variant, arms[0].results->run.reference) &&
		sides->n_arms != 2)
		return verdicts_of_run(arms[0].results, delta, &sides->verdicts, err);
	r = verdicts_of_arms(arms[0], arms[1], delta, &sides->verdicts, err);
	if (r == 0 && !sides->verdicts.n)
		return error_set(err, -ENOENT, "%lld:%s and %lld:%s have no scenario in common",
			(long long)arms[0].results->run.id, arms[0].variant,
			(long long)arms[1].results->run.id, arms[1].variant);
	return r;
}

static int tell_differences(struct sides *sides, struct model *model, struct error *err)
{
	struct differences differences CLEANUP(differences_done) = { 0 };
	int r = differences_read(
		&sides->results[0].arena, sides->arms, sides->n_arms, &differences, err);

	if (r < 0)
		return r;
	if (!differences_tell(&differences, model))
		model_note(model, "nothing differs in the environment as it was recorded");
	differences_tell_config(&differences, model);
	return 0;
}

static void set_title(const struct sides *sides, struct model *model)
{
	const struct arm *a = &sides->arms[0], *b = &sides->arms[1];

	if (sides->n_arms == 2)
		model_title(model, "Run %lld, %s, against run %lld, %s",
			(long long)b->results->run.id, b->variant, (long long)a->results->run.id,
			a->variant);
	else
		model_title(model, "Run %lld: %zu variants against %s",
			(long long)a->results->run.id, sides->n_arms - 1, a->variant);
}

static int tell(struct sides *sides, enum output_format format, struct error *err)
{
	struct model *model CLEANUP(model_cleanup) = NULL;
	int r;

	r = model_new(&model, err);
	if (r < 0)
		return r;
	set_title(sides, model);
	r = verdicts_tell(&sides->verdicts, model, err);
	if (r == 0)
		r = tell_differences(sides, model, err);
	if (r == 0 && sides->n_results == 1)
		results_notes(&sides->results[0], model);
	for (size_t i = 0; r == 0 && i < sides->n_results; i++)
		r = results_check(&sides->results[i], err);
	if (r == 0)
		r = model_finish(model, err);
	return r < 0 ? r : model_print(model, format, err);
}

static int compare(int argc, char **argv, enum exit_code *ret_code, struct error *err)
{
	char **operands CLEANUP(operands_cleanup) = NULL;
	struct store *store CLEANUP(store_cleanup) = NULL;
	struct sides sides CLEANUP(sides_done) = { .arms = calloc(2, sizeof(struct arm)) };
	struct compare_params params;
	int r;

	if (!sides.arms)
		return error_errno(err, -ENOMEM, "compare");
	r = cmdline_parse(argc, argv, options, &params, &operands, err);
	if (r == 0)
		r = operands_check(operands, 2, err);
	if (r == 0)
		r = store_open_to_read(params.store, &store, err);
	if (r == 0)
		r = add_both(&sides, store, operands, err);
	if (r == 0)
		r = judge(&sides, params.delta, err);
	if (r == 0)
		r = tell(&sides, (enum output_format)params.format, err);
	return r < 0 ? r : verdicts_code(&sides.verdicts, ret_code, err);
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
		 "named. A run of two stands for its reference, unless a variant is named.\n"
		 "Two runs were not measured side by side, and the answer says so.\n"
		 "Exit: 0 no confirmed regression, 1 one, 2 nothing to compare, 3 inconclusive.\n",
	.run = compare_main,
};
