// SPDX-License-Identifier: GPL-2.0-or-later
#include "config/params.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/nearest.h"

static void box_init(struct box_config *ret_box)
{
	memset(ret_box, 0, sizeof(*ret_box));
	option_defaults(box_options, ret_box);
	ret_box->swap = UINT64_MAX;
}

void params_init(struct run_params *ret_params)
{
	memset(ret_params, 0, sizeof(*ret_params));
	for (size_t i = 0; i < run_options.n; i++) {
		const struct option_row *row = &run_options.rows[i];

		if (row->fallback)
			option_defaults((struct option_rows) { row, 1 }, ret_params);
	}
	box_init(&ret_params->box);
}

/* In the order of enum box_kind. */
static const char *const box_kinds[] = { "host", "cgroup", "vm" };

static int box_kind_parse(const char *text, struct box_config *box, struct error *err)
{
	struct nearest nearest = nearest_to(text);

	for (size_t i = 0; i < ARRAY_SIZE(box_kinds); i++) {
		if (!strcmp(box_kinds[i], text)) {
			box->kind = (enum box_kind)i;
			box->typed = true;
			return 0;
		}
		nearest_offer(&nearest, box_kinds[i]);
	}
	return error_set(
		err, -EINVAL, "no box \"%s\": host, cgroup or vm%s", text, nearest_hint(&nearest));
}

int box_set(struct box_config *box, const char *name, const char *value, struct error *err)
{
	if (!strcmp(name, "kind"))
		return box_kind_parse(value, box, err);
	if (box->typed && box->kind == BOX_HOST)
		return error_set(err, -EINVAL, "the box \"host\" has no options");
	if (box->typed && box->kind != BOX_VM && option_find(box_options, name) &&
		!option_find(limit_options, name))
		return error_set(err, -EINVAL, "only the box \"vm\" has the option \"%s\"", name);
	if (!strcmp(name, "swap") && value && !strcmp(value, "zram")) {
		box->swap_kind = BOX_SWAP_ZRAM;
		return 0;
	}
	return option_set(box_options, box, name, value, err);
}

int box_parse(const char *text, struct box_config *ret_box, struct error *err)
{
	struct box_config box;
	char *copy CLEANUP(free_text) = strdup(text);
	char *rest, *item;
	int r;

	box_init(&box);
	if (!copy)
		return error_errno(err, -ENOMEM, "box");
	rest = strchr(copy, ':');
	if (rest)
		*rest++ = '\0';
	r = box_kind_parse(copy, &box, err);
	while (r == 0 && (item = option_next(&rest))) {
		char *equals = strchr(item, '=');

		if (equals)
			*equals = '\0';
		r = box_set(&box, item, equals ? equals + 1 : NULL, err);
		if (r < 0)
			r = error_prefix(err, r, "%s", copy);
	}
	if (r < 0)
		return r;
	*ret_box = box;
	return 0;
}

int params_set(struct run_params *params, const char *name, const char *value, struct error *err)
{
	int r;

	if (!strcmp(name, "box")) {
		r = box_parse(value, &params->box, err);
		return r < 0 ? error_prefix(err, r, "box") : 0;
	}
	r = option_set(run_options, params, name, value, err);
	if (r == 0 && !strcmp(name, "primary")) {
		struct primary primary;

		r = primary_parse(params->primary, &primary, err);
		return r < 0 ? error_prefix(err, r, "primary") : 0;
	}
	if (r < 0)
		return r;
	if (!strcmp(name, "seed"))
		params->seed_given = true;
	else if (!strcmp(name, "warm"))
		params->cold = !params->warm;
	else if (!strcmp(name, "cold"))
		params->warm = !params->cold;
	else if (!strcmp(name, "quick"))
		params->full = !params->quick;
	else if (!strcmp(name, "full"))
		params->quick = !params->full;
	return 0;
}

int params_apply(struct run_params *params, const struct lines *lines, struct error *err)
{
	for (size_t i = 0; i < lines->n; i++) {
		int r = params_set(params, lines->items[i].name, lines->items[i].value, err);

		if (r < 0)
			return line_blame(&lines->items[i], r, err);
	}
	return 0;
}
