// SPDX-License-Identifier: GPL-2.0-or-later
/* /proc/stat: CPU time of all CPUs together, context switches, interrupts, forks, tasks. */
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "sampler/listing.h"
#include "sampler/registry.h"

/*
 * Columns of the "cpu" line, Documentation/filesystems/proc.rst. steal came with 2.6.11, guest
 * with 2.6.24, guest_nice with 2.6.33. guest is also in user, guest_nice also in nice.
 */
static const char *const columns[] = { "user", "nice", "system", "idle", "iowait", "irq", "softirq",
	"steal", "guest", "guest_nice" };

struct stat_state {
	struct listing_state listing; /* first: it is the state of the callbacks */
	struct listing_field cpu[ARRAY_SIZE(columns)];
};

static const struct listing_field *stat_describe(
	const void *data, const char *name, const char *rest, size_t *ret_n)
{
	static const struct {
		const char *name;
		struct listing_field field;
	} singles[] = {
		{ "ctxt", { .unit = "events", .kind = METRIC_COUNTER } },
		/* The first number is the total. */
		{ "intr", { .unit = "events", .kind = METRIC_COUNTER } },
		{ "processes", { .unit = "events", .kind = METRIC_COUNTER } },
		{ "procs_running", { .unit = "tasks", .kind = METRIC_GAUGE } },
		{ "procs_blocked", { .unit = "tasks", .kind = METRIC_GAUGE } },
	};
	const struct stat_state *state = data;

	(void)rest;
	if (!strcmp(name, "cpu")) {
		*ret_n = ARRAY_SIZE(columns);
		return state->cpu;
	}
	*ret_n = 1;
	for (size_t i = 0; i < ARRAY_SIZE(singles); i++) {
		if (!strcmp(name, singles[i].name))
			return &singles[i].field;
	}
	return NULL;
}

static int stat_open(void *data, const struct sampler_target *target, struct error *err)
{
	struct stat_state *state = data;
	const struct listing_layout layout = { .describe = stat_describe, .data = state };

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		state->cpu[i] = (struct listing_field) { columns[i], "ns", METRIC_COUNTER,
			NS_PER_S / sysconf(_SC_CLK_TCK) };
	return listing_state_open(&state->listing, target->root, "/proc/stat", &layout, err);
}

const struct sampler sampler_stat = {
	.name = "stat",
	.summary = "CPU time, context switches, interrupts and tasks (/proc/stat)",
	.revision = 1,
	.scope = SAMPLER_SYSTEM,
	.state_size = sizeof(struct stat_state),
	.interval_ns = NS_PER_S,
	.open = stat_open,
	.metrics = listing_state_metrics,
	.read = listing_state_read,
	.close = listing_state_close,
};
