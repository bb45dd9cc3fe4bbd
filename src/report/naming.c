// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/naming.h"

#include <stdio.h>
#include <string.h>

static const char *heading(const struct contest *contest)
{
	for (size_t i = 0; i < contest->n_variants; i++) {
		const char *assignments = contest->variants[i]->row.assignments;

		if (assignments[0] &&
			(strncmp(assignments, "kernel=", 7) || strchr(assignments, ',')))
			return "Variant";
	}
	return "Kernel";
}

static const char *kernel_of(const struct group *group)
{
	struct results *results = group->contest->results;

	for (size_t i = 0; i < results->n; i++) {
		const char *release = NULL;

		if (group_has(group, &results->trials[i]))
			release =
				results_environment(results, &results->trials[i], "kernel.release");
		if (release)
			return release;
	}
	return NULL;
}

void name_variant(struct row *row, const struct group *group)
{
	const char *kernel = kernel_of(group), *variant = group->variant->row.variant;
	bool unnamed = group->contest->n_variants == 1 && !strcmp(variant, "default");

	row_set_text(row, "name", "%s", unnamed && kernel ? kernel : variant);
	row_set_text(row, "variant", "%s", variant);
	if (kernel)
		row_set_text(row, "kernel", "%s", kernel);
}

const char *name_scenario(struct results *results, const struct result *scenario)
{
	const struct trial_row *row = &scenario->row;
	const char *warm = row->cold ? "" : " (warm)", *name;
	bool plain = !strchr(row->lead, ':') && !strchr(row->loads, ':');

	if (plain && (strchr(row->scenario, '+') || !strcmp(row->scenario, row->lead)))
		name = arena_format(&results->arena, "%s%s", row->scenario, warm);
	else
		name = arena_format(&results->arena, "%s: %s%s%s%s", row->scenario, row->lead,
			row->loads[0] ? " + " : "", row->loads, warm);
	return name ? name : "";
}

void name_facts(struct table *table, const struct result *scenario)
{
	const struct trial_row *row = &scenario->row;

	table_fact_text(table, "scenario", row->scenario);
	table_fact_text(table, "lead", row->lead);
	table_fact_text(table, "loads", row->loads);
	table_fact_text(table, "start", row->cold ? "cold" : "warm");
}

void name_table(struct table *table, const struct contest *contest, const struct result *scenario)
{
	for (size_t i = 0; table && i < table->n_columns; i++)
		if (!strcmp(table->columns[i].key, "name"))
			table->columns[i].heading = heading(contest);
	name_facts(table, scenario);
}

void name_runs(struct row *row, const struct group *group)
{
	row_set_number(row, "trials_ok", (double)group->ok);
	row_set_number(row, "trials", (double)group->n);
	if (group->ok == group->n)
		row_set_text(row, "runs", "[%zu]", group->n);
	else
		row_set_text(row, "runs", "[%zu/%zu]", group->ok, group->n);
}

static void name_assignments(struct model *model, const struct contest *contest)
{
	for (size_t i = 0; i < contest->n_variants; i++) {
		const struct trial_row *row = &contest->variants[i]->row;

		/* --vary names a variant by what it sets. */
		if (row->assignments[0] && strcmp(row->assignments, row->variant) != 0)
			model_legend(model, row->variant, "%s", row->assignments);
	}
}

void name_scenarios(struct results *results, struct model *model,
	void (*add)(struct model *model, struct contest *contest, const struct result *scenario))
{
	struct contest contest;

	if (!contest_read(results, &contest))
		return;
	name_assignments(model, &contest);
	for (size_t i = 0; i < contest.n_scenarios; i++)
		add(model, &contest, contest.scenarios[i]);
}

static bool same_failure(const struct result *a, const struct result *b)
{
	return a->row.outcome.code == b->row.outcome.code && a->superseded == b->superseded &&
	       !strcmp(a->row.outcome.text, b->row.outcome.text);
}

/* Is it a failure that the reader must know of? An interrupted try that was repeated is none. */
static bool failed(const struct result *trial)
{
	return trial->row.outcome.code != OUTCOME_OK &&
	       !(trial->superseded && trial->row.outcome.code == OUTCOME_INTERRUPTED);
}

void name_failures(struct model *model, struct table *table, const struct group *group)
{
	const struct results *results = group->contest->results;
	const char *scenario = table ? "" : group->scenario->row.scenario;
	bool named = group->contest->n_variants > 1;

	for (size_t i = 0; i < results->n; i++) {
		const struct result *trial = &results->trials[i];
		const struct outcome *outcome = &trial->row.outcome;
		size_t alike = 0, before = 0;
		char text[800];

		if (!group_has(group, trial) || !failed(trial))
			continue;
		for (size_t k = 0; k < results->n; k++) {
			bool same = group_has(group, &results->trials[k]) &&
				    same_failure(trial, &results->trials[k]);

			alike += same;
			before += same && k < i;
		}
		if (before)
			continue;
		snprintf(text, sizeof(text), "%s%s%s%s%zu of %zu%s: %s%s%s%s", scenario,
			scenario[0] ? ": " : "", named ? group->variant->row.variant : "",
			named ? ": " : "", alike, group->n,
			trial->superseded ? ", tried again" : "", outcome_name(outcome->code),
			outcome->text[0] ? " (" : "", outcome->text, outcome->text[0] ? ")" : "");
		if (table)
			table_note(table, "%s", text);
		else
			model_note(model, "%s", text);
	}
}
