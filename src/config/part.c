// SPDX-License-Identifier: GPL-2.0-or-later
#include "config/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

static const char *roles_name(unsigned roles)
{
	if (roles == WORKLOAD_LEAD)
		return "lead";
	return roles == WORKLOAD_LOAD ? "load" : "workload";
}

static int unknown_workload(const char *name, unsigned roles, struct error *err)
{
	struct nearest nearest = nearest_to(name);

	if (workload_find(name, WORKLOAD_LEAD))
		return error_set(err, -EINVAL, "%s can only be a lead", name);
	if (workload_find(name, WORKLOAD_LOAD))
		return error_set(
			err, -EINVAL, "%s can only be a load: it never ends by itself", name);
	for (const struct workload *const *each = workload_registry; *each; each++) {
		if ((*each)->roles & roles)
			nearest_offer(&nearest, (*each)->name);
	}
	return error_set(
		err, -EINVAL, "no %s \"%s\"%s", roles_name(roles), name, nearest_hint(&nearest));
}

/* One option: the workload's own, or one that every workload has. */
static int set_option(struct part *part, const char *name, const char *value, struct error *err)
{
	struct option_rows own = part->workload->options;
	struct nearest nearest = nearest_to(name);

	if (option_find(own, name))
		return option_set(own, part->params, name, value, err);
	if (option_find(workload_common_options, name))
		return option_set(workload_common_options, &part->common, name, value, err);
	for (size_t i = 0; i < own.n; i++)
		nearest_offer(&nearest, own.rows[i].name);
	for (size_t i = 0; i < workload_common_options.n; i++)
		nearest_offer(&nearest, workload_common_options.rows[i].name);
	return error_set(err, -EINVAL, "no option \"%s\"%s", name, nearest_hint(&nearest));
}

static int set_options(struct part *part, char *text, bool full, struct error *err)
{
	const struct option_row *row = option_find(part->workload->options, "full");
	char *item;

	option_defaults(part->workload->options, part->params);
	option_defaults(workload_common_options, &part->common);
	if (full && row && row->type == OPTION_BOOL) {
		int r = option_set(part->workload->options, part->params, "full", NULL, err);

		if (r < 0)
			return r;
	}
	while ((item = option_next(&text))) {
		char *equals = strchr(item, '=');
		int r;

		if (equals)
			*equals = '\0';
		r = set_option(part, item, equals ? equals + 1 : NULL, err);
		if (r < 0)
			return r;
	}
	return 0;
}

static int spell(struct part *part, struct error *err)
{
	char own[sizeof(part->spelled)], common[sizeof(part->spelled)];
	const char *name = part->workload->name;
	int n;

	option_spell_list(part->workload->options, part->params, own, sizeof(own));
	option_spell_list(workload_common_options, &part->common, common, sizeof(common));
	n = snprintf(part->spelled, sizeof(part->spelled), "%s%s%s%s%s", name,
		*own || *common ? ":" : "", own, *own && *common ? "," : "", common);
	/* option_spell_list() cuts what does not fit. */
	if (n >= (int)sizeof(part->spelled) || strlen(own) + 1 == sizeof(own))
		return error_set(err, -ERANGE, "options of more than %zu characters",
			sizeof(part->spelled) - 1);
	return 0;
}

int part_set(struct part *part, const char *name, const char *value, struct error *err)
{
	int r = set_option(part, name, value, err);

	if (r == 0)
		r = spell(part, err);
	return r < 0 ? error_prefix(err, r, "%s", part->workload->name) : 0;
}

int part_parse_full(
	const char *text, unsigned roles, bool full, struct part *ret_part, struct error *err)
{
	struct part part CLEANUP(part_done) = { 0 };
	char *copy CLEANUP(free_text) = strdup(text);
	char *options;
	int r;

	if (!copy)
		return error_errno(err, -ENOMEM, "%s", text);
	options = strchr(copy, ':');
	if (options)
		*options++ = '\0';
	part.workload = workload_find(copy, roles);
	if (!part.workload)
		return unknown_workload(copy, roles, err);
	snprintf(part.role, sizeof(part.role), "%s", roles == WORKLOAD_LEAD ? "lead" : copy);
	part.params = calloc(1, part.workload->params_size ? part.workload->params_size : 1);
	if (!part.params)
		return error_errno(err, -ENOMEM, "%s", copy);
	r = set_options(&part, options && *options ? options : NULL, full, err);
	if (r == 0)
		r = spell(&part, err);
	if (r < 0)
		return error_prefix(err, r, "%s", copy);
	*ret_part = part;
	part.params = NULL;
	return 0;
}

int part_parse(const char *text, unsigned roles, struct part *ret_part, struct error *err)
{
	return part_parse_full(text, roles, false, ret_part, err);
}

void part_done(struct part *part)
{
	free(part->params);
	part->params = NULL;
}

char *part_next(char **rest)
{
	char *item = *rest, *out = item, *in = item;

	if (!item)
		return NULL;
	while (*in && *in != '+') {
		if (in[0] == '\\' && in[1] == '+')
			in++;
		else if (in[0] == '\\' && in[1])
			*out++ = *in++;
		*out++ = *in++;
	}
	*rest = *in ? in + 1 : NULL;
	*out = '\0';
	return item;
}
