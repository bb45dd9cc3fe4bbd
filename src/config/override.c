// SPDX-License-Identifier: GPL-2.0-or-later
/* Options of workloads that differ from variant to variant: "lead.rounds=2000", "load.size=64M". */
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "config/draft.h"
#include "config/part.h"

#define LEAD "lead."
#define LOAD "load."

static bool is_option(const struct assignment *assignment)
{
	return !strncmp(assignment->key, LEAD, strlen(LEAD)) ||
	       !strncmp(assignment->key, LOAD, strlen(LOAD));
}

/* Moves such assignments from the settings to the options; both keep their order. */
static int take_options(struct variant *variant, struct error *err)
{
	size_t kept = 0;

	for (size_t i = 0; i < variant->n; i++) {
		struct assignment *grown;

		if (!is_option(&variant->assignments[i])) {
			variant->assignments[kept++] = variant->assignments[i];
			continue;
		}
		grown = array_grow(variant->options, variant->n_options, sizeof(*grown));
		if (!grown)
			return error_errno(err, -ENOMEM, "variant");
		variant->options = grown;
		grown[variant->n_options++] = variant->assignments[i];
	}
	variant->n = kept;
	return 0;
}

static int copy_part(
	const struct part *from, unsigned roles, struct part *ret_part, struct error *err)
{
	int r = part_parse(from->spelled, roles, ret_part, err);

	if (r == 0)
		memcpy(ret_part->role, from->role, sizeof(ret_part->role));
	return r;
}

/* *to is zeroed, and freed with the others also where this fails. */
static int copy_scenario(const struct scenario *from, struct scenario *to, struct error *err)
{
	int r;

	*to = *from;
	to->lead = (struct part) { 0 };
	to->n_loads = 0;
	to->loads = calloc(from->n_loads + 1, sizeof(*to->loads));
	if (!to->loads)
		return error_errno(err, -ENOMEM, "%s", from->name);
	r = copy_part(&from->lead, WORKLOAD_LEAD, &to->lead, err);
	for (size_t i = 0; r == 0 && i < from->n_loads; i++) {
		r = copy_part(&from->loads[i], WORKLOAD_LOAD, &to->loads[i], err);
		to->n_loads += r == 0;
	}
	return r;
}

/* The option in all parts that have it. The clock that is a solo scenario's lead is not theirs. */
struct override {
	const char *name, *value;
	struct nearest nearest;
	bool taken;
};

static int override_part(struct override *override, struct part *part, struct error *err)
{
	const struct option_rows rows[] = { part->workload->options, workload_common_options };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		for (size_t k = 0; k < rows[i].n; k++)
			nearest_offer(&override->nearest, rows[i].rows[k].name);
		if (!option_find(rows[i], override->name))
			continue;
		override->taken = true;
		return part_set(part, override->name, override->value, err);
	}
	return 0;
}

static int override_scenario(
	struct override *override, struct scenario *scenario, bool lead, struct error *err)
{
	int r = 0;

	if (lead)
		return scenario->solo ? 0 : override_part(override, &scenario->lead, err);
	for (size_t i = 0; r == 0 && i < scenario->n_loads; i++)
		r = override_part(override, &scenario->loads[i], err);
	return r;
}

static int override_all(struct scenario *scenarios, size_t n, const struct assignment *assignment,
	struct error *err)
{
	bool lead = !strncmp(assignment->key, LEAD, strlen(LEAD));
	const char *name = assignment->key + strlen(LEAD);
	struct override override = {
		.name = name,
		.value = assignment->value,
		.nearest = nearest_to(name),
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < n; i++)
		r = override_scenario(&override, &scenarios[i], lead, err);
	if (r == 0 && !override.taken)
		r = error_set(err, -EINVAL, "no %s has an option \"%s\"%s", lead ? "lead" : "load",
			name, nearest_hint(&override.nearest));
	return r < 0 ? error_prefix(err, r, "%s: %s", assignment->where, assignment->key) : 0;
}

static int override_variant(const struct config *config, struct variant *variant, struct error *err)
{
	int r = take_options(variant, err);

	if (r < 0 || !variant->n_options)
		return r;
	variant->scenarios = calloc(config->n_scenarios, sizeof(*variant->scenarios));
	if (!variant->scenarios)
		return error_errno(err, -ENOMEM, "variant");
	for (size_t i = 0; r == 0 && i < config->n_scenarios; i++)
		r = copy_scenario(&config->scenarios[i], &variant->scenarios[i], err);
	for (size_t i = 0; r == 0 && i < variant->n_options; i++)
		r = override_all(
			variant->scenarios, config->n_scenarios, &variant->options[i], err);
	return r;
}

int variants_override(struct config *config, struct error *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < config->n_variants; i++)
		r = override_variant(config, &config->variants[i], err);
	return r;
}
