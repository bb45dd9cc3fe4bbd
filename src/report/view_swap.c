// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What was swapped, where to, and what compressed swap kept from the device: the whole machine's
 * counters, for zswap has no others.
 */
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/unit.h"
#include "report/naming.h"
#include "report/view.h"

static const struct column columns[] = {
	NAME_COLUMNS,
	{ "trials_ok", "ok", .style = STYLE_COUNT, .flags = COLUMN_RIGHT },
	{ "time_s", "Time", "s", .style = STYLE_SECONDS, .flags = COLUMN_RIGHT },
	{ "device_out_pages", "out", "pages", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "pages written to swap devices (pswpout), zram's included" },
	{ "device_in_pages", "in", "pages", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "pages read from swap devices (pswpin)" },
	{ "zswap_out_pages", "zswap out", "pages", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "pages that zswap took (zswpout)" },
	{ "zswap_in_pages", "zswap in", "pages", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "pages that zswap gave back (zswpin)" },
	{ "written_back_pages", "written back", "pages", .style = STYLE_COUNT,
		.flags = COLUMN_RIGHT,
		.definition = "of what zswap took, pages that it had to write to the device "
			      "after all (zswpwb)" },
	{ "saved_percent", "saved", "%", .style = STYLE_SHARE, .flags = COLUMN_RIGHT,
		.definition = "of all pages that were swapped out, those that never reached a "
			      "device: (zswap out - written back) / (zswap out - written back + "
			      "out)" },
	{ "pool_mib", "pool MiB", "MiB", .style = STYLE_AMOUNT, .flags = COLUMN_RIGHT,
		.definition = "RAM that zswap used, at its largest reading (meminfo Zswap)" },
	{ "compression_ratio", "ratio", .style = STYLE_RATIO, .flags = COLUMN_RIGHT,
		.definition = "what the pool held at that reading / its size (Zswapped / Zswap)" },
	{ "zram_mib", "zram MiB", "MiB", .style = STYLE_AMOUNT,
		.flags = COLUMN_RIGHT | COLUMN_OPTIONAL,
		.definition = "most RAM that zram devices took (mm_stat mem_used_max)" },
	{ "zram_ratio", "ratio", .style = STYLE_RATIO, .flags = COLUMN_RIGHT | COLUMN_OPTIONAL,
		.definition = "what they held at that reading / what they took" },
};

/* What one trial swapped. NAN: absent. */
struct swapped {
	double time_s, out, in, zswap_out, zswap_in, written_back;
	double pool_bytes, ratio; /* zswap's */
	double zram_bytes, zram_ratio;
};

/* Where compressed pages lie: at most how large it was, its size, and how many bytes they were. */
struct pool {
	const char *source, *most, *used, *held;
};

static const struct pool zswap = { "meminfo", "Zswap", "Zswap", "Zswapped" };
static const struct pool zram = { "zram", "used_most", "used", "original" };

/* The place of the largest value; n: there is none above 0. */
static size_t largest_of(const struct series *series)
{
	size_t largest = 0;

	for (size_t i = 1; i < series->n; i++) {
		if (series->values[i] > series->values[largest])
			largest = i;
	}
	return series->n && series->values[largest] > 0 ? largest : series->n;
}

/*
 * The largest it was, and how much more it held at its largest reading. NAN: never anything. A short
 * trial is read at its ends only, when next to nothing is held: that ratio says nothing.
 */
static void read_pool(struct results *results, const struct result *trial, const struct pool *pool,
	double *ret_bytes, double *ret_ratio)
{
	struct series most CLEANUP(series_done) = { 0 };
	struct series used CLEANUP(series_done) = { 0 };
	struct series held CLEANUP(series_done) = { 0 };
	size_t at;

	*ret_bytes = *ret_ratio = NAN;
	if (results_series(results, trial, pool->source, "", pool->most, &most) &&
		(at = largest_of(&most)) < most.n)
		*ret_bytes = (double)most.values[at];
	if (!results_series(results, trial, pool->source, "", pool->used, &used) ||
		!results_series(results, trial, pool->source, "", pool->held, &held))
		return;
	at = largest_of(&used);
	if (at < used.n && at < held.n && held.values[at] != VALUE_ABSENT &&
		(double)used.values[at] >= *ret_bytes / 2)
		*ret_ratio = (double)held.values[at] / (double)used.values[at];
}

static void read_trial(struct results *results, const struct result *trial, struct swapped *swapped)
{
	swapped->time_s = result_window_s(trial);
	swapped->out = results_value(results, trial, "vmstat", "", "pswpout");
	swapped->in = results_value(results, trial, "vmstat", "", "pswpin");
	swapped->zswap_out = results_value(results, trial, "vmstat", "", "zswpout");
	swapped->zswap_in = results_value(results, trial, "vmstat", "", "zswpin");
	swapped->written_back = results_value(results, trial, "vmstat", "", "zswpwb");
	read_pool(results, trial, &zswap, &swapped->pool_bytes, &swapped->ratio);
	read_pool(results, trial, &zram, &swapped->zram_bytes, &swapped->zram_ratio);
}

static double median(const struct swapped *trials, size_t n, size_t offset, double *scratch)
{
	for (size_t i = 0; i < n; i++)
		memcpy(&scratch[i], (const char *)&trials[i] + offset, sizeof(double));
	return number_median(scratch, n);
}

static void fill_row(struct row *row, const struct swapped *trials, size_t n, double *scratch)
{
#define MEDIAN(field) median(trials, n, offsetof(struct swapped, field), scratch)
	double out = MEDIAN(out), taken = MEDIAN(zswap_out), back = MEDIAN(written_back);
	double kept = taken - (isnan(back) ? 0 : back);

	row_set_number(row, "time_s", MEDIAN(time_s));
	row_set_number(row, "device_out_pages", out);
	row_set_number(row, "device_in_pages", MEDIAN(in));
	row_set_number(row, "zswap_out_pages", taken);
	row_set_number(row, "zswap_in_pages", MEDIAN(zswap_in));
	row_set_number(row, "written_back_pages", back);
	/* Nothing was swapped: there is no share of it. */
	row_set_number(row, "saved_percent", kept + out > 0 ? 100 * kept / (kept + out) : NAN);
	row_set_number(row, "pool_mib", MEDIAN(pool_bytes) / (double)MIB);
	row_set_number(row, "compression_ratio", MEDIAN(ratio));
	row_set_number(row, "zram_mib", MEDIAN(zram_bytes) / (double)MIB);
	row_set_number(row, "zram_ratio", MEDIAN(zram_ratio));
#undef MEDIAN
}

static void add_row(struct table *table, const struct group *group)
{
	struct results *results = group->contest->results;
	struct swapped *trials = arena_alloc(&results->arena, results->n + 1, sizeof(*trials));
	struct row *row = row_new(table);
	size_t n = 0;

	if (!trials)
		return;
	for (size_t i = 0; i < results->n; i++) {
		const struct result *trial = &results->trials[i];

		if (group_has(group, trial) && result_counts(trial))
			read_trial(results, trial, &trials[n++]);
	}
	name_variant(row, group);
	row_set_number(row, "trials_ok", (double)group->ok);
	fill_row(row, trials, n, group->contest->scratch);
}

static void add_scenario(
	struct model *model, struct contest *contest, const struct result *scenario)
{
	struct table *table;

	if (scenario->row.solo)
		return;
	table = table_new(model, columns, ARRAY_SIZE(columns), "%s",
		name_scenario(contest->results, scenario));
	name_table(table, contest, scenario);
	for (size_t v = 0; v < contest->n_variants; v++) {
		struct group group = contest_group(contest, scenario, contest->variants[v]);

		if (group.n)
			add_row(table, &group);
		name_failures(model, table, &group);
	}
}

static int build(struct results *results, struct model *model, struct error *err)
{
	(void)err;
	name_scenarios(results, model, add_scenario);
	return 0;
}

const struct view view_swap = {
	.name = "swap",
	.summary = "pages swapped, and what compressed swap kept from the device",
	.build = build,
};
