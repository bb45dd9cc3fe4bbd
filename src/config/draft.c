// SPDX-License-Identifier: GPL-2.0-or-later
#include "config/draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "config/part.h"
#include "config/suite.h"

const struct contest_name contest_names[] = {
	{ "noload", "compile" },
	{ "cacherun", "cacherun" },
	{ "process_load", "compile+process" },
	{ "io_load", "compile+io" },
	{ "io_other", "compile+io-other" },
	{ "mem_load", "compile+mem" },
	{ "ctar_load", "compile+tarc" },
	{ "tarc_load", "compile+tarc" },
	{ "xtar_load", "compile+tarx" },
	{ "tarx_load", "compile+tarx" },
	{ "read_load", "compile+read" },
	{ "list_load", "compile+lslr" },
	{ "dbench_load", "compile+dbench" },
	{ NULL },
};

struct source *draft_source(struct draft *draft, struct error *err)
{
	struct source *grown = array_grow(draft->sources, draft->n_sources, sizeof(*grown));

	if (!grown) {
		error_errno(err, -ENOMEM, "plan file");
		return NULL;
	}
	draft->sources = grown;
	return &grown[draft->n_sources++];
}

struct sketch *draft_sketch(
	struct draft *draft, const char *name, const char *where, struct error *err)
{
	struct sketch *grown = array_grow(draft->sketches, draft->n_sketches, sizeof(*grown));
	struct sketch *sketch;

	if (!grown) {
		error_errno(err, -ENOMEM, "scenario");
		return NULL;
	}
	draft->sketches = grown;
	sketch = &grown[draft->n_sketches++];
	sketch->source = SIZE_MAX;
	sketch->name = strdup(name);
	sketch->where = where ? strdup(where) : NULL;
	if (!sketch->name || (where && !sketch->where)) {
		error_errno(err, -ENOMEM, "scenario");
		return NULL;
	}
	return sketch;
}

void draft_title(struct draft *draft, const char *name)
{
	size_t used = strlen(draft->title);

	snprintf(draft->title + used, sizeof(draft->title) - used, "%s%s", used ? " " : "", name);
}

void draft_done(struct draft *draft)
{
	for (size_t i = 0; i < draft->n_sources; i++) {
		lines_done(&draft->sources[i].defaults);
		lines_done(&draft->sources[i].full);
		lines_done(&draft->sources[i].box);
	}
	for (size_t i = 0; i < draft->n_sketches; i++) {
		free(draft->sketches[i].name);
		free(draft->sketches[i].where);
		lines_done(&draft->sketches[i].parts);
		lines_done(&draft->sketches[i].options);
	}
	free(draft->sources);
	free(draft->sketches);
	variants_free(draft->variants, draft->n_variants);
	lines_done(&draft->vary);
	lines_done(&draft->typed);
	lines_done(&draft->lead);
	lines_done(&draft->loads);
	lines_done(&draft->plans);
}

/* Is the text, up to its options, the name of a workload of one of the roles? */
static bool names_workload(const char *text, unsigned roles)
{
	char name[64];
	size_t n = strcspn(text, ":");

	if (n >= sizeof(name))
		return false;
	memcpy(name, text, n);
	name[n] = '\0';
	return workload_find(name, roles);
}

static int unknown(const char *text, struct error *err)
{
	struct nearest nearest = nearest_to(text);

	for (size_t i = 0; i < suite_count; i++)
		nearest_offer(&nearest, suite_registry[i].name);
	for (size_t i = 0; contest_names[i].name; i++)
		nearest_offer(&nearest, contest_names[i].name);
	for (const struct workload *const *each = workload_registry; *each; each++)
		nearest_offer(&nearest, (*each)->name);
	return error_set(err, -EINVAL, "no suite, scenario, lead or load \"%s\"%s", text,
		nearest_hint(&nearest));
}

/* "lead+load+load"; a load alone is beside the default lead. */
static int sketch_parts(struct sketch *sketch, const char *text, struct error *err)
{
	char *copy CLEANUP(free_text) = strdup(text);
	char *rest = copy, *part;

	if (!copy)
		return error_errno(err, -ENOMEM, "%s", text);
	while ((part = part_next(&rest))) {
		const char *role = sketch->parts.n ? "load" : "lead";
		int r = 0;

		if (!*part)
			return error_set(err, -EINVAL, "\"%s\": a part is empty", text);
		if (!sketch->parts.n && !rest && !names_workload(part, WORKLOAD_LEAD)) {
			if (!names_workload(part, WORKLOAD_LOAD))
				return unknown(part, err);
			r = lines_add(&sketch->parts, "lead", DEFAULT_LEAD, sketch->name, err);
			role = "load";
		}
		if (r == 0)
			r = lines_add(&sketch->parts, role, part, sketch->name, err);
		if (r < 0)
			return r;
	}
	return 0;
}

int draft_operand(struct draft *draft, const char *text, struct error *err)
{
	const struct suite *suite = suite_find(text);
	const char *parts = text;
	struct sketch *sketch;

	if (suite) {
		char name[64];

		snprintf(name, sizeof(name), "%s.ini", suite->name);
		return plan_file_parse(draft, name, suite->text, err);
	}
	for (size_t i = 0; contest_names[i].name; i++) {
		if (!strcmp(contest_names[i].name, text))
			parts = contest_names[i].parts;
	}
	draft_title(draft, text);
	sketch = draft_sketch(draft, text, NULL, err);
	return sketch ? sketch_parts(sketch, parts, err) : -ENOMEM;
}
