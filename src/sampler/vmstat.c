// SPDX-License-Identifier: GPL-2.0-or-later
/* /proc/vmstat: every line under its exact name. Which lines there are differs from kernel to
 * kernel. */
#include "base/unit.h"
#include "sampler/listing.h"
#include "sampler/registry.h"

/*
 * mm/vmstat.c: nr_* are levels, all else are events since boot. Some nr_* only ever rise
 * (include/linux/mmzone.h, enum node_stat_item; include/linux/vm_event_item.h).
 */
static const struct listing_rule rules[] = {
	{ "nr_dirtied", { .unit = "pages", .kind = METRIC_COUNTER } },
	{ "nr_written", { .unit = "pages", .kind = METRIC_COUNTER } },
	{ "nr_throttled_written", { .unit = "pages", .kind = METRIC_COUNTER } },
	{ "nr_vmscan_", { .unit = "pages", .kind = METRIC_COUNTER } },
	{ "nr_foll_pin_", { .unit = "events", .kind = METRIC_COUNTER } },
	{ "nr_tlb_", { .unit = "events", .kind = METRIC_COUNTER } },
	{ "nr_kernel_stack", { .unit = "KiB", .kind = METRIC_GAUGE } },
	{ "nr_shadow_call_stack", { .unit = "KiB", .kind = METRIC_GAUGE } },
	{ "nr_", { .unit = "pages", .kind = METRIC_GAUGE } },
	{ "workingset_nodes", { .unit = "nodes", .kind = METRIC_GAUGE } },
	{ "workingset_nodereclaim", { .unit = "nodes", .kind = METRIC_COUNTER } },
	{ "workingset_", { .unit = "pages", .kind = METRIC_COUNTER } },
	/* Sectors halved, since 2.5. */
	{ "pgpgin", { .unit = "KiB", .kind = METRIC_COUNTER } },
	{ "pgpgout", { .unit = "KiB", .kind = METRIC_COUNTER } },
	{ "pswp", { .unit = "pages", .kind = METRIC_COUNTER } },
	{ "pgfault", { .unit = "events", .kind = METRIC_COUNTER } },
	{ "pgmajfault", { .unit = "events", .kind = METRIC_COUNTER } },
	{ "pgreuse", { .unit = "events", .kind = METRIC_COUNTER } },
	{ "pgscan_direct_throttle", { .unit = "events", .kind = METRIC_COUNTER } },
	{ "pg", { .unit = "pages", .kind = METRIC_COUNTER } },
	{ "unevictable_pgs_", { .unit = "pages", .kind = METRIC_COUNTER } },
	{ "", { .unit = "events", .kind = METRIC_COUNTER } },
};

static int vmstat_open(void *state, const struct sampler_target *target, struct error *err)
{
	static const struct listing_layout layout = { .rules = rules };

	return listing_state_open(state, target->root, "/proc/vmstat", &layout, err);
}

const struct sampler sampler_vmstat = {
	.name = "vmstat",
	.summary = "virtual memory events and levels (/proc/vmstat)",
	.revision = 1,
	.scope = SAMPLER_SYSTEM,
	.interval_ns = NS_PER_S,
	.state_size = sizeof(struct listing_state),
	.open = vmstat_open,
	.metrics = listing_state_metrics,
	.read = listing_state_read,
	.close = listing_state_close,
};
