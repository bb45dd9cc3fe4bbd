// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * contend list metrics: the trial's own numbers, those of the workloads, and what the samplers
 * find on this machine when they open.
 */
#include <stdlib.h>
#include <string.h>

#include "base/root.h"
#include "cgroup/cgroup.h"
#include "command/list.h"
#include "sampler/sampler.h"
#include "workload/workload.h"

/* What a trial records of itself: docs/record.md. */
static const struct {
	const char *source, *role;
	struct metric metric;
	const char *meaning;
} own[] = {
	{ "trial", "each", { "progress", "the workload's", METRIC_COUNTER },
		"work done, all workers together" },
	{ "trial", "each", { "table_divisor", "contest's", METRIC_FIGURE },
		"units of progress that make one of the Loads column" },
	{ "trial", "each", { "workers", "threads", METRIC_FIGURE }, "workers of the instance" },
	{ "trial", "each", { "cpu_ns", "ns", METRIC_COUNTER },
		"user + system time of the role's whole process tree" },
	{ "trial", "lead", { "user_ns", "ns", METRIC_COUNTER }, "user time" },
	{ "trial", "lead", { "system_ns", "ns", METRIC_COUNTER }, "system time" },
	{ "trial", "lead", { "major_faults", "events", METRIC_COUNTER }, "faults that needed I/O" },
	{ "trial", "lead", { "minor_faults", "events", METRIC_COUNTER },
		"faults that needed none" },
	{ "trial", "", { "ram_bytes", "bytes", METRIC_FIGURE }, "RAM of the box" },
	{ "trial", "", { "swap_bytes", "bytes", METRIC_FIGURE }, "swap of the box" },
	{ "trial", "", { "page_bytes", "bytes", METRIC_FIGURE }, "size of a page" },
	{ "trial", "", { "samples_due", "samples", METRIC_FIGURE },
		"samples that should have been taken" },
	{ "trial", "", { "samples_taken", "samples", METRIC_FIGURE }, "samples that were taken" },
	{ "trial", "", { "supervisor_major_faults", "events", METRIC_FIGURE },
		"of contend itself in the window; should be 0" },
	{ "trial", "", { "supervisor_heap_bytes", "bytes", METRIC_FIGURE },
		"growth of contend's heap in the window; should be 0" },
	{ "trial", "", { "clock_boot_drift_ns", "ns", METRIC_FIGURE },
		"CLOCK_BOOTTIME less CLOCK_MONOTONIC over the window: a suspend" },
	{ "heartbeat", "", { "beats", "events", METRIC_FIGURE },
		"wake-ups of all heartbeat threads" },
	{ "heartbeat", "", { "freezes", "events", METRIC_FIGURE },
		"wake-ups that came 100 ms late or later" },
	{ "heartbeat", "", { "freeze_longest", "ns", METRIC_FIGURE }, "the latest of them" },
	{ "heartbeat", "", { "freeze_sum", "ns", METRIC_FIGURE }, "their lateness, summed" },
	{ "heartbeat", "", { "censored", "events", METRIC_FIGURE },
		"threads that were still waiting, late, when the window closed" },
};

static void add_metric(struct table *table, const char *source, const char *role,
	const struct metric *metric, const char *meaning)
{
	struct row *row = row_new(table);

	row_set_text(row, "source", "%s", source);
	row_set_text(row, "role", "%s", role);
	row_set_text(row, "name", "%s", metric->name);
	row_set_text(row, "unit", "%s", metric->unit);
	row_set_text(row, "kind", "%s", metric_kind_name(metric->kind));
	row_set_text(row, "meaning", "%s", meaning);
}

/* A sampler's metrics as it finds them here, or a note why it finds none. */
static int add_sampler(struct table *table, const struct sampler *sampler,
	const struct sampler_target *target, struct error *err)
{
	void *state = calloc(1, sampler->state_size);
	const struct metric *metrics;
	struct error why;

	if (!state)
		return error_errno(err, -ENOMEM, "%s", sampler->name);
	if (sampler->open(state, target, &why) < 0) {
		table_note(table, "%s: none here: %s", sampler->name, why.text);
	} else {
		size_t n = sampler->metrics(state, &metrics);

		for (size_t i = 0; i < n; i++)
			add_metric(table, sampler->name,
				sampler->scope == SAMPLER_ROLE ? "each" : "", &metrics[i],
				"the kernel's number of this name");
	}
	sampler->close(state);
	free(state);
	return 0;
}

/* The groups below which contend makes its own: their files are those of any. */
static void parent_group(const struct cgroup_tree *tree, struct cgroup *ret_group)
{
	*ret_group = (struct cgroup) { .tree = tree };
	memcpy(ret_group->path, tree->parent, sizeof(ret_group->path));
}

static int add_samplers(struct table *table, struct error *err)
{
	struct root root CLEANUP(root_close) = { -1 };
	struct cgroup_tree tree;
	struct cgroup group;
	struct sampler_target target = { .root = &root, .scratch = "/var/tmp" };
	int r;

	r = root_open(&root, "/", err);
	if (r == 0)
		r = cgroup_tree_read(&root, &tree, err);
	if (r < 0)
		return r;
	parent_group(&tree, &group);
	for (const struct sampler *const *each = sampler_registry; *each && r == 0; each++) {
		target.cgroup = (*each)->scope == SAMPLER_ROLE ? &group : NULL;
		if ((*each)->scope == SAMPLER_ROLE && tree.mode == CGROUP_NONE)
			table_note(table, "%s: none here: no control groups", (*each)->name);
		else
			r = add_sampler(table, *each, &target, err);
	}
	return r;
}

int list_metrics(struct model *model, const char *store, struct error *err)
{
	static const struct column columns[] = {
		{ .key = "source", .heading = "Source" },
		{ .key = "role", .heading = "Role" },
		{ .key = "name", .heading = "Name" },
		{ .key = "unit", .heading = "Unit" },
		{ .key = "kind", .heading = "Kind" },
		{ .key = "meaning", .heading = "Meaning", .flags = COLUMN_WRAP },
	};
	struct table *table = table_new(model, columns, ARRAY_SIZE(columns), "%s", "");

	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		add_metric(table, own[i].source, own[i].role, &own[i].metric, own[i].meaning);
	for (const struct workload *const *each = workload_registry; *each; each++) {
		for (size_t i = 0; i < (*each)->n_metrics; i++)
			add_metric(table, (*each)->name, "its own", &(*each)->metrics[i],
				"the workload's own");
	}
	return add_samplers(table, err);
}
