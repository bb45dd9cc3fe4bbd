// SPDX-License-Identifier: GPL-2.0-or-later
#include "config/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/file.h"
#include "base/nearest.h"
#include "config/cmdline.h"
#include "config/draft.h"
#include "config/params.h"
#include "config/suite.h"
#include "config/words.h"

/* What runs when nothing is named. */
#define DEFAULT_SUITE "contest"

void config_free(struct config *config)
{
	if (!config)
		return;
	for (size_t i = 0; i < config->n_variants; i++) {
		if (config->variants[i].scenarios)
			scenarios_free(config->variants[i].scenarios, config->n_scenarios);
	}
	scenarios_free(config->scenarios, config->n_scenarios);
	variants_free(config->variants, config->n_variants);
	free(config);
}

void config_cleanup(struct config **config)
{
	config_free(*config);
}

/* An option as typed: some add to the draft at once, the others are a layer of their own. */
static int typed(void *data, const struct option_row *row, const char *value, struct error *err)
{
	struct draft *draft = data;
	int r;

	if (!strcmp(row->name, "lead"))
		return lines_add(&draft->lead, "lead", value, "--lead", err);
	if (!strcmp(row->name, "load"))
		return lines_add(&draft->loads, "load", value, "--load", err);
	if (!strcmp(row->name, "plan"))
		return lines_add(&draft->plans, "plan", value, NULL, err);
	if (!strcmp(row->name, "variant"))
		r = variant_parse(draft, value, err);
	else if (!strcmp(row->name, "vary"))
		r = vary_parse(draft, value, err);
	else
		return lines_add(&draft->typed, row->name, value, NULL, err);
	return r < 0 ? error_prefix(err, r, "--%s", row->name) : 0;
}

static int read_plans(struct draft *draft, struct error *err)
{
	for (size_t i = 0; i < draft->plans.n; i++) {
		const char *path = draft->plans.items[i].value;
		char *text CLEANUP(free_text) = NULL;
		size_t size;
		int r = file_read(path, &text, &size, err);

		if (r < 0)
			return error_prefix(err, r, "--plan");
		if (strlen(text) != size)
			return error_set(err, -EINVAL, "%s: a NUL byte: this is no text", path);
		r = plan_file_parse(draft, path, text, err);
		if (r < 0)
			return r;
	}
	return 0;
}

/* The scenario that --lead and --load make; its name is that of its parts. */
static int own_scenario(struct draft *draft, struct error *err)
{
	char name[sizeof(((struct scenario *)0)->name)] = "";
	const char *lead =
		draft->lead.n ? draft->lead.items[draft->lead.n - 1].value : DEFAULT_LEAD;
	struct sketch *sketch;
	int r;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(lead, ":"), lead);
	for (size_t i = 0; i < draft->loads.n; i++) {
		const char *load = draft->loads.items[i].value;
		size_t used = strlen(name);

		snprintf(name + used, sizeof(name) - used, "+%.*s", (int)strcspn(load, ":"), load);
	}
	sketch = draft_sketch(draft, name, NULL, err);
	if (!sketch)
		return -ENOMEM;
	draft_title(draft, name);
	r = lines_add(&sketch->parts, "lead", lead, "--lead", err);
	for (size_t i = 0; i < draft->loads.n && r == 0; i++)
		r = lines_add(&sketch->parts, "load", draft->loads.items[i].value, "--load", err);
	return r;
}

static int read_scenarios(struct draft *draft, char *const operands[], struct error *err)
{
	int r = read_plans(draft, err);

	for (; *operands && r == 0; operands++)
		r = draft_operand(draft, *operands, err);
	if (r < 0)
		return r;
	if (draft->n_sketches && draft->loads.n)
		return error_set(err, -EINVAL,
			"--load makes a scenario of its own and goes with no other; "
			"write lead+load instead");
	if (!draft->n_sketches && (draft->lead.n || draft->loads.n))
		return own_scenario(draft, err);
	return draft->n_sketches ? 0 : draft_operand(draft, DEFAULT_SUITE, err);
}

/* [box] sections, before what [defaults] and the command line say as one text. */
static int apply_box(struct run_params *params, const struct lines *lines, struct error *err)
{
	for (size_t i = 0; i < lines->n; i++) {
		const struct line *line = &lines->items[i];
		int r = box_set(&params->box, line->name, line->value, err);

		if (r < 0)
			return line_blame(line, r, err);
	}
	return 0;
}

/* All layers of the options that hold for the whole run; `full` is itself one of them. */
static int apply_layers(
	const struct draft *draft, bool full, struct run_params *ret_params, struct error *err)
{
	int r = 0;

	params_init(ret_params);
	for (size_t i = 0; i < draft->n_sources && r == 0; i++) {
		const struct source *source = &draft->sources[i];

		r = apply_box(ret_params, &source->box, err);
		if (r == 0)
			r = params_apply(ret_params, &source->defaults, err);
		if (r == 0 && full)
			r = params_apply(ret_params, &source->full, err);
	}
	return r < 0 ? r : params_apply(ret_params, &draft->typed, err);
}

static int set_reference(struct config *config, const char *name, struct error *err)
{
	struct nearest nearest = nearest_to(name);

	for (size_t i = 0; i < config->n_variants && *name; i++) {
		if (!strcmp(config->variants[i].name, name)) {
			config->reference = i;
			return 0;
		}
		nearest_offer(&nearest, config->variants[i].name);
	}
	if (!*name)
		return 0;
	return error_set(
		err, -EINVAL, "--reference: no variant \"%s\"%s", name, nearest_hint(&nearest));
}

static int set_seed(struct config *config, const struct run_params *params, struct error *err)
{
	uint32_t drawn;

	config->seed = params->seed;
	if (params->seed_given)
		return 0;
	/* 32 bits: enough to be its own, short enough to be typed again. */
	if (getrandom(&drawn, sizeof(drawn), 0) != sizeof(drawn))
		return error_errno(err, -errno, "seed");
	config->seed = drawn;
	return 0;
}

/*
 * Pairs with which all differences can be found, as far as seeds agree: the smallest p of n pairs
 * is 2^(1 - n), Holm multiplies it by the number of comparisons, and the last look has .01875 of
 * it left (stats/stopping.h).
 */
static unsigned pairs_for(const struct config *config)
{
	double comparisons = 0, found = 0.01875 * (1 << (CONFIG_PAIRS - 1));
	unsigned pairs = CONFIG_PAIRS;

	for (size_t i = 0; i < config->n_scenarios; i++)
		comparisons += config->scenarios[i].solo ? 0 : (double)config->n_variants - 1;
	for (; found < comparisons; found *= 2)
		pairs++;
	return pairs;
}

static unsigned default_runs(const struct config *config)
{
	if (config->box.exact)
		return config->n_variants > 1 ? pairs_for(config) : CONFIG_SEEDS;
	return config->n_variants > 1 ? CONFIG_BLOCKS : CONFIG_RUNS;
}

static void set_options(struct config *config, const struct run_params *params)
{
	config->box = params->box;
	config->runs = (unsigned)params->runs;
	config->runs_typed = config->runs != 0;
	if (!config->runs)
		config->runs = default_runs(config);
	config->budget_ns = params->budget_ns;
	config->delta = params->delta;
	config->full = params->full;
	config->dry_run = params->dry_run;
	config->resume = (int64_t)params->resume;
	config->format = (enum output_format)params->format;
	memcpy(config->store, params->store, sizeof(config->store));
	memcpy(config->scratch, params->scratch, sizeof(config->scratch));
	memcpy(config->view, params->view, sizeof(config->view));
}

static int make(struct draft *draft, struct config *config, struct error *err)
{
	struct run_params params;
	int r = apply_layers(draft, false, &params, err);

	if (r == 0 && params.full)
		r = apply_layers(draft, true, &params, err);
	if (r == 0)
		r = variants_make(draft, config, err);
	if (r == 0)
		r = scenarios_make(draft, &params, config, err);
	if (r == 0)
		r = variants_override(config, err);
	if (r == 0)
		r = set_reference(config, params.reference, err);
	if (r == 0)
		r = set_seed(config, &params, err);
	if (r == 0)
		r = primary_parse(params.primary, &config->primary, err);
	if (r < 0)
		return r;
	set_options(config, &params);
	memcpy(config->title, draft->title, sizeof(config->title));
	return 0;
}

/* The draft as a configuration. Callers are promised -EINVAL whatever it was. */
static int finish(struct draft *draft, struct config **ret_config, struct error *err)
{
	struct config *config CLEANUP(config_cleanup) = calloc(1, sizeof(*config));

	if (!config)
		return error_errno(err, -ENOMEM, "configuration");
	if (make(draft, config, err) < 0)
		return -EINVAL;
	*ret_config = config;
	config = NULL;
	return 0;
}

/* --resume takes everything from the run; only what does not change the plan goes with it. */
static int check_resume(const struct draft *draft, char *const operands[], struct error *err)
{
	static const char *const allowed[] = { "resume", "dry-run", "store", "scratch", "view",
		"format" };
	const char *other = draft->plans.n ? "--plan" : *operands;

	if (draft->lead.n || draft->loads.n)
		other = draft->lead.n ? "--lead" : "--load";
	else if (draft->n_variants || draft->vary.n)
		other = draft->vary.n ? "--vary" : "--variant";
	for (size_t i = 0; i < draft->typed.n && !other; i++) {
		const char *name = draft->typed.items[i].name;
		size_t k = 0;

		while (k < ARRAY_SIZE(allowed) && strcmp(allowed[k], name))
			k++;
		other = k < ARRAY_SIZE(allowed) ? NULL : name;
	}
	if (!other)
		return 0;
	return error_set(err, -EINVAL,
		"--resume goes on with a run as it was: \"%s\" cannot go with it", other);
}

int config_parse_run(int argc, char *const argv[], struct config **ret_config, struct error *err)
{
	struct draft draft CLEANUP(draft_done) = { 0 };
	char **operands CLEANUP(operands_cleanup) = NULL;
	int r;

	if (cmdline_walk(argc, argv, run_options, typed, &draft, &operands, err) < 0)
		return -EINVAL;
	r = lines_find(&draft.typed, "resume") ? check_resume(&draft, operands, err)
					       : read_scenarios(&draft, operands, err);
	return r < 0 ? -EINVAL : finish(&draft, ret_config, err);
}

int config_parse_text(
	const char *name, const char *text, struct config **ret_config, struct error *err)
{
	struct draft draft CLEANUP(draft_done) = { 0 };

	if (plan_file_parse(&draft, name, text, err) < 0)
		return -EINVAL;
	if (!draft.n_sketches)
		return error_set(err, -EINVAL, "%s: no scenario in it", name);
	return finish(&draft, ret_config, err);
}

/* A text field of the run that goes on is the one typed with --resume, where one was. */
static void take_text(char *field, const char *given, size_t size)
{
	if (*given)
		memcpy(field, given, size);
}

int config_resume(const struct config *resume, const char *command, uint64_t seed,
	struct config **ret_config, struct error *err)
{
	char **argv CLEANUP(operands_cleanup) = NULL;
	struct config *config CLEANUP(config_cleanup) = NULL;
	int argc;

	if (words_split(command, &argc, &argv, err) < 0 || argc < 1 ||
		config_parse_run(argc, argv, &config, err) < 0)
		return error_prefix(
			err, -EINVAL, "run %lld cannot be resumed", (long long)resume->resume);
	config->seed = seed;
	config->resume = resume->resume;
	config->dry_run = resume->dry_run;
	if (resume->format != FORMAT_TABLE)
		config->format = resume->format;
	memcpy(config->store, resume->store, sizeof(config->store));
	take_text(config->scratch, resume->scratch, sizeof(config->scratch));
	take_text(config->view, resume->view, sizeof(config->view));
	*ret_config = config;
	config = NULL;
	return 0;
}
