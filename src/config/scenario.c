// SPDX-License-Identifier: GPL-2.0-or-later
/* From sketches to scenarios: parts found, options laid over each other, references added. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/draft.h"
#include "config/params.h"
#include "config/part.h"

/* The lead that runs warm, because running again is what it measures. */
#define WARM_LEAD "cacherun"
#define WARM_LEAD_COLD "compile" /* the same work, cold */

void scenarios_free(struct scenario *scenarios, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		part_done(&scenarios[i].lead);
		for (size_t k = 0; k < scenarios[i].n_loads; k++)
			part_done(&scenarios[i].loads[k]);
		free(scenarios[i].loads);
	}
	free(scenarios);
}

static bool is_named(const char *text, const char *name)
{
	size_t n = strcspn(text, ":");

	return strlen(name) == n && !strncmp(text, name, n);
}

/* Gives the load its workload's name as role, with a number when it is not the first. */
static void name_role(struct scenario *scenario, struct part *load)
{
	unsigned same = 1;

	for (size_t i = 0; i < scenario->n_loads; i++)
		same += scenario->loads[i].workload == load->workload;
	if (same > 1)
		snprintf(load->role, sizeof(load->role), "%s-%u", load->workload->name, same);
}

static int add_load(
	struct scenario *scenario, const char *text, const char *where, struct error *err)
{
	struct part *grown = array_grow(scenario->loads, scenario->n_loads, sizeof(*grown));
	int r;

	if (!grown)
		return error_errno(err, -ENOMEM, "%s", text);
	scenario->loads = grown;
	grown += scenario->n_loads;
	r = part_parse(text, WORKLOAD_LOAD, grown, err);
	if (r < 0)
		return error_prefix(err, r, "%s", where);
	name_role(scenario, grown);
	scenario->n_loads++;
	return 0;
}

/*
 * The lead as the sketch has it, or as --lead has it for all: `cacherun` stays one when the new
 * lead is a compile.
 */
static int set_lead(const struct draft *draft, const char *text, const char *where, bool full,
	struct scenario *scenario, struct error *err)
{
	char *warm CLEANUP(free_text) = NULL;
	int r;

	if (draft->lead.n) {
		const struct line *typed = &draft->lead.items[draft->lead.n - 1];

		if (is_named(text, WARM_LEAD) && is_named(typed->value, WARM_LEAD_COLD)) {
			if (asprintf(&warm, "%s%s", WARM_LEAD,
				    typed->value + strlen(WARM_LEAD_COLD)) < 0) {
				warm = NULL;
				return error_errno(err, -ENOMEM, "lead");
			}
		}
		text = warm ? warm : typed->value;
		where = typed->where;
	}
	r = part_parse_full(text, WORKLOAD_LEAD, full, &scenario->lead, err);
	return r < 0 ? error_prefix(err, r, "%s", where) : 0;
}

static int set_parts(const struct draft *draft, const struct sketch *sketch, bool full,
	struct scenario *scenario, struct error *err)
{
	for (size_t i = 0; i < sketch->parts.n; i++) {
		const struct line *line = &sketch->parts.items[i];
		int r = !strcmp(line->name, "lead")
				? set_lead(draft, line->value, line->where, full, scenario, err)
				: add_load(scenario, line->value, line->where, err);

		if (r < 0)
			return r;
	}
	return 0;
}

static int set_params(const struct draft *draft, const struct sketch *sketch, bool full,
	struct scenario *scenario, struct error *err)
{
	const struct line *lead = lines_find(&sketch->parts, "lead");
	struct run_params params;
	int r = 0;

	params_init(&params);
	if (sketch->source != SIZE_MAX) {
		const struct source *source = &draft->sources[sketch->source];

		r = params_apply(&params, &source->defaults, err);
		if (r == 0 && full)
			r = params_apply(&params, &source->full, err);
	}
	if (is_named(lead->value, WARM_LEAD))
		params.cold = false;
	if (r == 0)
		r = params_apply(&params, &sketch->options, err);
	if (r == 0)
		r = params_apply(&params, &draft->typed, err);
	if (r < 0)
		return r;
	scenario->cold = params.cold;
	scenario->deadline_ns = params.deadline_ns;
	scenario->lead_in_ns = params.lead_in_ns;
	scenario->interval_ns = params.interval_ns;
	scenario->steal = (unsigned)params.steal;
	return 0;
}

static int set_name(
	const struct config *config, struct scenario *scenario, const char *name, struct error *err)
{
	if (strlen(name) >= sizeof(scenario->name))
		return error_set(err, -EINVAL,
			"\"%s\" is too long for a scenario's name (%zu characters at most); a plan "
			"file can give it a shorter one",
			name, sizeof(scenario->name) - 1);
	for (size_t i = 0; i < config->n_scenarios; i++) {
		if (!strcmp(config->scenarios[i].name, name))
			return error_set(err, -EINVAL, "scenario \"%s\" is there twice", name);
	}
	memcpy(scenario->name, name, strlen(name) + 1);
	return 0;
}

static struct scenario *scenario_add(struct config *config, struct error *err)
{
	struct scenario *grown = array_grow(config->scenarios, config->n_scenarios, sizeof(*grown));

	if (!grown) {
		error_errno(err, -ENOMEM, "scenario");
		return NULL;
	}
	config->scenarios = grown;
	return &grown[config->n_scenarios];
}

static int add_scenario(const struct draft *draft, const struct sketch *sketch, bool full,
	struct config *config, struct error *err)
{
	struct scenario *scenario = scenario_add(config, err);
	int r;

	if (!scenario)
		return -ENOMEM;
	r = set_name(config, scenario, sketch->name, err);
	if (r < 0 && sketch->where)
		r = error_prefix(err, r, "%s", sketch->where);
	if (r < 0)
		return r;
	/* From here on it is freed with the others. */
	config->n_scenarios++;
	r = set_parts(draft, sketch, full, scenario, err);
	return r < 0 ? r : set_params(draft, sketch, full, scenario, err);
}

static void copy_options(struct scenario *to, const struct scenario *from)
{
	to->cold = from->cold;
	to->deadline_ns = from->deadline_ns;
	to->lead_in_ns = from->lead_in_ns;
	to->interval_ns = from->interval_ns;
	to->steal = from->steal;
}

/* Is the load measured alone already? */
static bool has_solo(const struct config *config, const struct part *load)
{
	for (size_t i = 0; i < config->n_scenarios; i++) {
		if (config->scenarios[i].solo &&
			!strcmp(config->scenarios[i].loads[0].spelled, load->spelled))
			return true;
	}
	return false;
}

/* "solo+io:size=64M"; with a number for the options where those are too long for a name. */
static int name_solo(struct config *config, struct scenario *solo, const char *load,
	const char *spelled, struct error *err)
{
	char name[sizeof(((struct part *)0)->spelled) + 8];

	snprintf(name, sizeof(name), "solo+%s", spelled);
	if (strlen(name) >= sizeof(solo->name))
		snprintf(name, sizeof(name), "solo+%s-%zu", load, config->n_scenarios);
	return set_name(config, solo, name, err);
}

static int add_solo(
	struct config *config, size_t of, size_t load, int64_t time_ns, struct error *err)
{
	struct scenario *solo = scenario_add(config, err);
	const struct scenario *scenario;
	char lead[64], time[32];
	int r;

	if (!solo)
		return -ENOMEM;
	scenario = &config->scenarios[of];
	r = name_solo(config, solo, scenario->loads[load].workload->name,
		scenario->loads[load].spelled, err);
	if (r < 0)
		return r;
	config->n_scenarios++;
	solo->solo = true;
	copy_options(solo, scenario);
	/* The deadline is there for leads that hang; this one ends when it should. */
	if (solo->deadline_ns < 2 * time_ns)
		solo->deadline_ns = 2 * time_ns;
	snprintf(
		lead, sizeof(lead), "null:seconds=%s", duration_spell(time_ns, time, sizeof(time)));
	r = part_parse(lead, WORKLOAD_LEAD, &solo->lead, err);
	return r < 0 ? r : add_load(solo, scenario->loads[load].spelled, solo->name, err);
}

/* Is the scenario's lead measured without loads, in the same state of the cache? */
static bool has_noload(const struct config *config, const struct scenario *of)
{
	for (size_t i = 0; i < config->n_scenarios; i++) {
		const struct scenario *scenario = &config->scenarios[i];

		if (!scenario->n_loads && scenario->cold == of->cold &&
			!strcmp(scenario->lead.spelled, of->lead.spelled))
			return true;
	}
	return false;
}

static int add_noload(struct config *config, size_t of, struct error *err)
{
	struct scenario *noload = scenario_add(config, err);
	const struct scenario *scenario;
	char name[sizeof(((struct part *)0)->spelled) + 8];
	int r;

	if (!noload)
		return -ENOMEM;
	scenario = &config->scenarios[of];
	snprintf(name, sizeof(name), "%s", scenario->lead.spelled);
	if (strlen(name) >= sizeof(noload->name) || set_name(config, noload, name, NULL) < 0) {
		snprintf(name, sizeof(name), "noload-%zu", config->n_scenarios);
		r = set_name(config, noload, name, err);
		if (r < 0)
			return r;
	}
	config->n_scenarios++;
	copy_options(noload, scenario);
	return part_parse(scenario->lead.spelled, WORKLOAD_LEAD, &noload->lead, err);
}

/* The trials that figures of others refer to. A scenario without a real lead needs none. */
static int add_references(struct config *config, const struct run_params *params, struct error *err)
{
	size_t n = config->n_scenarios;
	int r = 0;

	for (size_t i = 0; i < n && r == 0; i++) {
		if (!config->scenarios[i].n_loads ||
			!strcmp(config->scenarios[i].lead.workload->name, "null"))
			continue;
		if (params->noload && !has_noload(config, &config->scenarios[i]))
			r = add_noload(config, i, err);
		for (size_t k = 0; k < config->scenarios[i].n_loads && r == 0; k++) {
			if (params->solo && !has_solo(config, &config->scenarios[i].loads[k]))
				r = add_solo(config, i, k, params->solo_time_ns, err);
		}
	}
	return r;
}

int scenarios_make(const struct draft *draft, const struct run_params *params,
	struct config *config, struct error *err)
{
	for (size_t i = 0; i < draft->n_sketches; i++) {
		int r = add_scenario(draft, &draft->sketches[i], params->full, config, err);

		if (r < 0)
			return r;
	}
	return add_references(config, params, err);
}
