// SPDX-License-Identifier: GPL-2.0-or-later
/* Variants: as named, and as the combinations of what varies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/draft.h"
#include "setting/setting.h"

#define MOST_VARIANTS 1000

/* Copies into a field whole, or says that it is too long. */
static int fit(char *field, size_t size, const char *what, const char *text, struct error *err)
{
	if (!*text)
		return error_set(err, -EINVAL, "%s without a name", what);
	if (strlen(text) >= size)
		return error_set(err, -EINVAL, "%s \"%s\" has more than %zu characters", what, text,
			size - 1);
	memcpy(field, text, strlen(text) + 1);
	return 0;
}

struct variant *variant_add(struct draft *draft, const char *name, struct error *err)
{
	struct variant *grown;

	for (size_t i = 0; i < draft->n_variants; i++) {
		if (!strcmp(draft->variants[i].name, name)) {
			error_set(err, -EINVAL, "variant \"%s\" is there twice", name);
			return NULL;
		}
	}
	grown = array_grow(draft->variants, draft->n_variants, sizeof(*grown));
	if (!grown) {
		error_errno(err, -ENOMEM, "variant");
		return NULL;
	}
	draft->variants = grown;
	grown += draft->n_variants;
	if (fit(grown->name, sizeof(grown->name), "variant", name, err) < 0)
		return NULL;
	draft->n_variants++;
	return grown;
}

int variant_assign(struct variant *variant, const char *key, const char *value, const char *where,
	struct error *err)
{
	struct assignment *grown =
		array_grow(variant->assignments, variant->n, sizeof(*variant->assignments));
	const struct setting *setting = setting_find(key);
	struct assignment *assignment;

	if (!grown)
		return error_errno(err, -ENOMEM, "%s", key);
	/* "vm/swappiness" is "vm.swappiness": one name in the record, and not twice in a variant. */
	key = setting ? setting->name : key;
	variant->assignments = grown;
	assignment = &grown[variant->n];
	for (size_t i = 0; i < variant->n; i++) {
		if (!strcmp(grown[i].key, key))
			return error_set(err, -EINVAL, "\"%s\" is set twice", key);
	}
	if (strlen(value) >= sizeof(assignment->value))
		return error_set(err, -EINVAL, "value of \"%s\" has more than %zu characters", key,
			sizeof(assignment->value) - 1);
	memcpy(assignment->value, value, strlen(value) + 1);
	if (fit(assignment->key, sizeof(assignment->key), "setting", key, err) < 0)
		return -EINVAL;
	snprintf(assignment->where, sizeof(assignment->where), "%s", where);
	variant->n++;
	return 0;
}

int variant_parse(struct draft *draft, const char *text, struct error *err)
{
	char *copy CLEANUP(free_text) = strdup(text);
	struct variant *variant;
	char *rest, *item;

	if (!copy)
		return error_errno(err, -ENOMEM, "variant");
	rest = strchr(copy, ':');
	if (rest)
		*rest++ = '\0';
	variant = variant_add(draft, copy, err);
	if (!variant)
		return -EINVAL;
	while ((item = option_next(&rest))) {
		char *equals = strchr(item, '=');
		int r;

		if (!equals)
			return error_set(err, -EINVAL, "variant \"%s\": \"%s\" is not key=value",
				copy, item);
		*equals = '\0';
		r = variant_assign(variant, item, equals + 1, "--variant", err);
		if (r < 0)
			return error_prefix(err, r, "variant \"%s\"", copy);
	}
	return 0;
}

int vary_add(struct draft *draft, const char *key, const char *values, const char *where,
	struct error *err)
{
	if (!*values)
		return error_set(err, -EINVAL, "\"%s\" varies over nothing", key);
	if (lines_find(&draft->vary, key))
		return error_set(err, -EINVAL, "\"%s\" varies twice", key);
	return lines_add(&draft->vary, key, values, where, err);
}

int vary_parse(struct draft *draft, const char *text, struct error *err)
{
	char *copy CLEANUP(free_text) = strdup(text);
	char *equals = copy ? strchr(copy, '=') : NULL;

	if (!copy)
		return error_errno(err, -ENOMEM, "vary");
	if (!equals || equals == copy)
		return error_set(err, -EINVAL, "\"%s\" is not KEY=VAL,VAL,...", text);
	*equals = '\0';
	return vary_add(draft, copy, equals + 1, NULL, err);
}

void variants_free(struct variant *variants, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(variants[i].assignments);
		free(variants[i].options);
	}
	free(variants);
}

static const char *vary_where(const struct line *line)
{
	return line->where ? line->where : "--vary";
}

/* A variant that is `base` with one more assignment, behind those of `to`. */
static int variant_extend(struct draft *to, const struct variant *base, bool named,
	const struct line *line, const char *value, struct error *err)
{
	char name[2 * sizeof(base->name) + sizeof(base->assignments->key)];
	struct variant *variant;
	int r = 0;

	snprintf(name, sizeof(name), "%s%s%s=%s", named ? base->name : "", named ? "," : "",
		line->name, value);
	variant = variant_add(to, name, err);
	if (!variant)
		return -EINVAL;
	for (size_t i = 0; i < base->n && r == 0; i++)
		r = variant_assign(variant, base->assignments[i].key, base->assignments[i].value,
			base->assignments[i].where, err);
	return r < 0 ? r : variant_assign(variant, line->name, value, vary_where(line), err);
}

static void variants_done(struct draft *draft)
{
	variants_free(draft->variants, draft->n_variants);
}

/* Replaces each variant by one for each value. */
static int multiply(struct draft *draft, const struct line *line, bool named, struct error *err)
{
	struct draft product CLEANUP(variants_done) = { 0 };
	struct variant *before = draft->variants;
	size_t n_before = draft->n_variants;

	for (size_t i = 0; i < n_before; i++) {
		char *values CLEANUP(free_text) = strdup(line->value);
		char *rest = values, *value;

		if (!values)
			return error_errno(err, -ENOMEM, "vary");
		while ((value = option_next(&rest))) {
			int r = variant_extend(&product, &before[i], named, line, value, err);

			if (r == 0 && product.n_variants > MOST_VARIANTS)
				r = error_set(err, -EINVAL, "more than %d variants", MOST_VARIANTS);
			if (r < 0)
				return r;
		}
	}
	draft->variants = product.variants;
	draft->n_variants = product.n_variants;
	product.variants = before;
	product.n_variants = n_before;
	return 0;
}

int variants_make(struct draft *draft, struct config *config, struct error *err)
{
	bool named = draft->n_variants;

	if (!named && !variant_add(draft, "default", err))
		return -ENOMEM;
	for (size_t i = 0; i < draft->vary.n; i++) {
		const struct line *line = &draft->vary.items[i];
		int r = multiply(draft, line, named || i, err);

		if (r < 0)
			return error_prefix(err, r, "%s", vary_where(line));
	}
	config->variants = draft->variants;
	config->n_variants = draft->n_variants;
	draft->variants = NULL;
	draft->n_variants = 0;
	return 0;
}

int config_check_settings(const struct config *config, const struct root *root, struct error *err)
{
	const struct root *here = config->box.kind == BOX_VM ? NULL : root;

	for (size_t i = 0; i < config->n_variants; i++) {
		const struct variant *variant = &config->variants[i];

		for (size_t j = 0; j < variant->n; j++) {
			const struct assignment *each = &variant->assignments[j];

			if (setting_check(here, each->key, each->value, err) < 0)
				return error_prefix(err, -EINVAL, "%s", each->where);
		}
	}
	return 0;
}
