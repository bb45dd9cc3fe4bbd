// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a role's group used (`cgroup`), and how it met its limits (`limits`), by the files of its
 * control group (v2, v1, or both): each metric is the file's name, a dot, and the kernel's name in
 * it. Values count the groups below, too. What the group lacks is absent.
 */
#include <limits.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/unit.h"
#include "sampler/iosum.h"
#include "sampler/listing.h"
#include "sampler/number.h"
#include "sampler/pressure.h"
#include "sampler/registry.h"

/* mm/memcontrol.c, memory_stat_format(): levels in bytes, then events since the group was made. */
static const struct listing_rule memory_v2[] = {
	{ "workingset_", { .unit = "pages", .kind = METRIC_COUNTER } },
	{ "pgfault", { .unit = "events", .kind = METRIC_COUNTER } },
	{ "pgmajfault", { .unit = "events", .kind = METRIC_COUNTER } },
	{ "pg", { .unit = "pages", .kind = METRIC_COUNTER } },
	{ "swpin_zero", { .unit = "pages", .kind = METRIC_COUNTER } },
	{ "swpout_zero", { .unit = "pages", .kind = METRIC_COUNTER } },
	{ "zswpin", { .unit = "pages", .kind = METRIC_COUNTER } },
	{ "zswpout", { .unit = "pages", .kind = METRIC_COUNTER } },
	{ "zswpwb", { .unit = "pages", .kind = METRIC_COUNTER } },
	{ "thp_", { .unit = "events", .kind = METRIC_COUNTER } },
	{ "numa_", { .unit = "events", .kind = METRIC_COUNTER } },
	{ "", { .unit = "bytes", .kind = METRIC_GAUGE } },
};

/* The lines without total_ say the same of the group alone, without those below it. */
static const struct listing_rule memory_v1[] = {
	{ "total_workingset_", { .unit = "pages", .kind = METRIC_COUNTER } },
	{ "total_pgfault", { .unit = "events", .kind = METRIC_COUNTER } },
	{ "total_pgmajfault", { .unit = "events", .kind = METRIC_COUNTER } },
	{ "total_pg", { .unit = "pages", .kind = METRIC_COUNTER } },
	{ "total_", { .unit = "bytes", .kind = METRIC_GAUGE } },
	{ "", { .unit = NULL } },
};

static const struct listing_rule cpu[] = {
	{ "nr_", { .unit = "events", .kind = METRIC_COUNTER } },
	{ "", { .unit = "us", .kind = METRIC_COUNTER } },
};

static const struct listing_rule events[] = {
	{ "", { .unit = "events", .kind = METRIC_COUNTER } },
};

static const struct listing_rule oom_control[] = {
	{ "oom_kill_disable", { .unit = NULL } },
	{ "oom_kill", { .unit = "events", .kind = METRIC_COUNTER } },
	{ "", { .unit = NULL } },
};

static const struct iosum_field io_v2[] = { { "rbytes", "bytes" }, { "wbytes", "bytes" },
	{ "rios", "events" }, { "wios", "events" }, { "dbytes", "bytes" }, { "dios", "events" },
	{ NULL } };
static const struct iosum_field io_bytes_v1[] = { { "Read", "bytes" }, { "Write", "bytes" },
	{ NULL } };
static const struct iosum_field io_events_v1[] = { { "Read", "events" }, { "Write", "events" },
	{ NULL } };

enum form {
	FORM_BYTES, /* one number, a level */
	FORM_EVENTS, /* one number that rises */
	FORM_TIME, /* the same, in ns */
	FORM_LISTING,
	FORM_IOSUM,
	FORM_PRESSURE,
};

struct part_row {
	enum cgroup_hierarchy hierarchy;
	const char *file;
	enum form form;
	const struct listing_rule *rules; /* FORM_LISTING */
	const struct iosum_field *io; /* FORM_IOSUM */
};

static const struct part_row usage[] = {
	{ CGROUP_UNIFIED, "cpu.stat", FORM_LISTING, cpu },
	{ CGROUP_UNIFIED, "memory.stat", FORM_LISTING, memory_v2 },
	{ CGROUP_UNIFIED, "memory.current", FORM_BYTES },
	{ CGROUP_UNIFIED, "memory.swap.current", FORM_BYTES },
	{ CGROUP_UNIFIED, "memory.zswap.current", FORM_BYTES },
	{ CGROUP_UNIFIED, "io.stat", FORM_IOSUM, .io = io_v2 },
	{ CGROUP_UNIFIED, "cpu.pressure", FORM_PRESSURE },
	{ CGROUP_UNIFIED, "memory.pressure", FORM_PRESSURE },
	{ CGROUP_UNIFIED, "io.pressure", FORM_PRESSURE },
	{ CGROUP_UNIFIED, "irq.pressure", FORM_PRESSURE },
	{ CGROUP_MEMORY, "memory.stat", FORM_LISTING, memory_v1 },
	{ CGROUP_MEMORY, "memory.usage_in_bytes", FORM_BYTES },
	{ CGROUP_MEMORY, "memory.memsw.usage_in_bytes", FORM_BYTES },
	{ CGROUP_CPUACCT, "cpuacct.usage_user", FORM_TIME },
	{ CGROUP_CPUACCT, "cpuacct.usage_sys", FORM_TIME },
	{ CGROUP_BLKIO, "blkio.throttle.io_service_bytes_recursive", FORM_IOSUM,
		.io = io_bytes_v1 },
	{ CGROUP_BLKIO, "blkio.throttle.io_serviced_recursive", FORM_IOSUM, .io = io_events_v1 },
};

/* Sums and peaks: the window's edges tell all of it. */
static const struct part_row limits[] = {
	{ CGROUP_UNIFIED, "memory.events", FORM_LISTING, events },
	{ CGROUP_UNIFIED, "memory.swap.events", FORM_LISTING, events },
	{ CGROUP_UNIFIED, "memory.peak", FORM_BYTES },
	{ CGROUP_MEMORY, "memory.oom_control", FORM_LISTING, oom_control },
	{ CGROUP_MEMORY, "memory.failcnt", FORM_EVENTS },
	{ CGROUP_MEMORY, "memory.memsw.failcnt", FORM_EVENTS },
	{ CGROUP_MEMORY, "memory.max_usage_in_bytes", FORM_BYTES },
};

/* A file that holds one number. */
struct number {
	struct feed feed;
	size_t place;
};

struct part {
	const struct part_row *row;
	union {
		struct listing listing;
		struct iosum iosum;
		struct pressure pressure;
		struct number number;
	};
};

struct cgroup_state {
	struct metric_list list;
	struct part parts[ARRAY_SIZE(usage) + ARRAY_SIZE(limits)];
	size_t n;
};

static int number_open(struct number *number, const struct root *root, const char *path,
	const struct part_row *row, struct metric_list *list, struct error *err)
{
	static const char *const units[] = {
		[FORM_BYTES] = "bytes",
		[FORM_EVENTS] = "events",
		[FORM_TIME] = "ns",
	};
	enum metric_kind kind = row->form == FORM_BYTES ? METRIC_GAUGE : METRIC_COUNTER;
	int r = feed_open(&number->feed, root, path, err);

	if (r < 0)
		return r;
	number->place = list->n;
	return metric_list_add(list, units[row->form], kind, err, "%s", row->file);
}

static int number_read(struct number *number, int64_t *values)
{
	int r = feed_read(&number->feed);
	const char *at = number->feed.text;

	if (r < 0 || !number_parse(&at, &values[number->place]))
		values[number->place] = VALUE_ABSENT;
	return r;
}

static int part_open(struct part *part, const struct root *root, const char *path,
	struct metric_list *list, struct error *err)
{
	const struct part_row *row = part->row;
	struct listing_layout layout = { .rules = row->rules };
	char prefix[NAME_MAX];

	snprintf(prefix, sizeof(prefix), "%s.", row->file);
	layout.prefix = prefix;
	switch (row->form) {
	case FORM_LISTING: return listing_open(&part->listing, root, path, &layout, list, err);
	case FORM_IOSUM: return iosum_open(&part->iosum, root, path, row->file, row->io, list, err);
	case FORM_PRESSURE: return pressure_open(&part->pressure, root, path, row->file, list, err);
	default: return number_open(&part->number, root, path, row, list, err);
	}
}

static int part_read(struct part *part, int64_t *values)
{
	switch (part->row->form) {
	case FORM_LISTING: return listing_read(&part->listing, values);
	case FORM_IOSUM: return iosum_read(&part->iosum, values);
	case FORM_PRESSURE: return pressure_read(&part->pressure, values);
	default: return number_read(&part->number, values);
	}
}

static void part_close(struct part *part)
{
	if (!part->row)
		return;
	switch (part->row->form) {
	case FORM_LISTING: listing_close(&part->listing); break;
	case FORM_IOSUM: iosum_close(&part->iosum); break;
	case FORM_PRESSURE: pressure_close(&part->pressure); break;
	default: feed_close(&part->number.feed); break;
	}
	*part = (struct part) { 0 };
}

static int group_open(struct cgroup_state *state, const struct sampler_target *target,
	const struct part_row *rows, size_t n_rows, struct error *err)
{
	bool cpu_stat = false;

	for (size_t i = 0; target->cgroup && i < n_rows; i++) {
		const char *group = target->cgroup->path[rows[i].hierarchy];
		struct part *part = &state->parts[state->n];
		char path[PATH_MAX];
		int r;

		/* The same time once more. */
		if (rows[i].hierarchy == CGROUP_CPUACCT && cpu_stat)
			continue;
		if (!*group ||
			snprintf(path, sizeof(path), "%s/%s", group, rows[i].file) >= PATH_MAX)
			continue;
		part->row = &rows[i];
		r = part_open(part, target->root, path, &state->list, err);
		if (r == -ENOMEM)
			return r;
		if (r < 0) {
			part_close(part);
			continue;
		}
		cpu_stat = cpu_stat || rows[i].rules == cpu;
		state->n++;
	}
	if (state->list.n == 0)
		return error_set(err, -ENOENT, "no control group counts what this role uses");
	return 0;
}

static int usage_open(void *data, const struct sampler_target *target, struct error *err)
{
	return group_open(data, target, usage, ARRAY_SIZE(usage), err);
}

static int limits_open(void *data, const struct sampler_target *target, struct error *err)
{
	return group_open(data, target, limits, ARRAY_SIZE(limits), err);
}

static size_t group_metrics(const void *data, const struct metric **ret_metrics)
{
	const struct cgroup_state *state = data;

	*ret_metrics = state->list.metrics;
	return state->list.n;
}

static int group_read(void *data, int64_t *values)
{
	struct cgroup_state *state = data;
	int ret = -ENODATA;

	for (size_t i = 0; i < state->n; i++) {
		int r = part_read(&state->parts[i], values);

		ret = ret == 0 ? 0 : r;
	}
	return ret;
}

static void group_close(void *data)
{
	struct cgroup_state *state = data;

	for (size_t i = 0; i < ARRAY_SIZE(state->parts); i++)
		part_close(&state->parts[i]);
	metric_list_done(&state->list);
}

const struct sampler sampler_cgroup = {
	.name = "cgroup",
	.summary = "memory, CPU time, I/O and pressure of each role's control group",
	.revision = 2,
	.scope = SAMPLER_ROLE,
	.state_size = sizeof(struct cgroup_state),
	.interval_ns = NS_PER_S,
	.open = usage_open,
	.metrics = group_metrics,
	.read = group_read,
	.close = group_close,
};

const struct sampler sampler_limits = {
	.name = "limits",
	.summary = "how often each role's control group met its limits, and its most memory",
	.revision = 1,
	.scope = SAMPLER_ROLE,
	.state_size = sizeof(struct cgroup_state),
	.interval_ns = SAMPLER_EDGES,
	.open = limits_open,
	.metrics = group_metrics,
	.read = group_read,
	.close = group_close,
};
