// SPDX-License-Identifier: GPL-2.0-or-later
/* /proc/meminfo: all levels, in bytes. */
#include <string.h>

#include "base/unit.h"
#include "sampler/listing.h"
#include "sampler/registry.h"

static const struct listing_field *meminfo_describe(
	const void *data, const char *name, const char *rest, size_t *ret_n)
{
	static const struct listing_field bytes = { NULL, "bytes", METRIC_GAUGE, 1024 };
	/* HugePages_Total and its like are the only lines without a unit. */
	static const struct listing_field huge_pages = { NULL, "huge pages", METRIC_GAUGE, 1 };

	(void)data;
	(void)name;
	*ret_n = 1;
	return strstr(rest, " kB") ? &bytes : &huge_pages;
}

static int meminfo_open(void *state, const struct sampler_target *target, struct error *err)
{
	static const struct listing_layout layout = { .describe = meminfo_describe };

	return listing_state_open(state, target->root, "/proc/meminfo", &layout, err);
}

const struct sampler sampler_meminfo = {
	.name = "meminfo",
	.summary = "what memory is used for (/proc/meminfo)",
	.revision = 1,
	.scope = SAMPLER_SYSTEM,
	.state_size = sizeof(struct listing_state),
	.interval_ns = NS_PER_S,
	.open = meminfo_open,
	.metrics = listing_state_metrics,
	.read = listing_state_read,
	.close = listing_state_close,
};
