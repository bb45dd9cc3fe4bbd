// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What `vmstat 1` would have printed beside a trial, from the counters that were recorded. The
 * definitions are those of procps-ng 4.0 (src/vmstat.c); only that a rate is per second of the time
 * that really passed.
 */
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/unit.h"
#include "report/naming.h"
#include "report/view.h"

/* No deadline is longer: 1000 h. */
#define LONGEST_S 3.6e6

enum {
	TODAY = 1 << VMSTAT_PROCPS,
	IN_2001 = 1 << VMSTAT_2001,
	BOTH = TODAY | IN_2001,
};

#define NUMBER(key, heading, unit, text) \
	{ \
		key, heading, unit, .flags = COLUMN_RIGHT, .definition = text \
	}

static const struct {
	unsigned in;
	struct column column;
} all_columns[] = {
	{ BOTH, { "time_s", "time", "s", .flags = COLUMN_MACHINE } },
	{ BOTH, NUMBER("r", "r", "tasks",
			"tasks that run or wait for a CPU, the reader included") },
	{ BOTH, NUMBER("b", "b", "tasks", "tasks in uninterruptible sleep") },
	{ IN_2001, NUMBER("w", "w", "tasks", "always 0: tasks are no longer swapped out whole") },
	{ BOTH, NUMBER("swpd_kib", "swpd", "KiB", "swap in use, KiB") },
	{ BOTH, NUMBER("free_kib", "free", "KiB", "memory that nothing uses, KiB") },
	{ BOTH, NUMBER("buff_kib", "buff", "KiB", "page cache of block devices, KiB") },
	{ BOTH, NUMBER("cache_kib", "cache", "KiB",
			"page cache of files, and slabs that can be reclaimed, KiB") },
	{ BOTH, NUMBER("si_kib_per_s", "si", "KiB/s", "read from swap, KiB a second") },
	{ BOTH, NUMBER("so_kib_per_s", "so", "KiB/s", "written to swap, KiB a second") },
	{ BOTH, NUMBER("bi_kib_per_s", "bi", "KiB/s", "read from block devices, KiB a second") },
	{ BOTH, NUMBER("bo_kib_per_s", "bo", "KiB/s", "written to block devices, KiB a second") },
	{ BOTH, NUMBER("in_per_s", "in", "events/s", "interrupts a second") },
	{ BOTH, NUMBER("cs_per_s", "cs", "events/s", "context switches a second") },
	{ BOTH, NUMBER("us_percent", "us", "%", "user and nice, % of all CPUs") },
	{ BOTH, NUMBER("sy_percent", "sy", "%", "system and interrupts, % of all CPUs") },
	{ TODAY, NUMBER("id_percent", "id", "%", "idle, % of all CPUs") },
	{ IN_2001, NUMBER("id_percent", "id", "%",
			   "idle, with what waits for I/O as it was in 2001, % of all CPUs") },
	{ TODAY, NUMBER("wa_percent", "wa", "%", "idle while I/O is awaited, % of all CPUs") },
	{ TODAY, NUMBER("st_percent", "st", "%", "taken by the hypervisor, % of all CPUs") },
};

enum reading {
	/* Of one file each: read together. */
	STAT_USER,
	STAT_NICE,
	STAT_SYSTEM,
	STAT_IDLE,
	STAT_IOWAIT,
	STAT_IRQ,
	STAT_SOFTIRQ,
	STAT_STEAL,
	STAT_INTR,
	STAT_CTXT,
	STAT_RUNNING,
	STAT_BLOCKED,
	VM_PGPGIN,
	VM_PGPGOUT,
	VM_PSWPIN,
	VM_PSWPOUT,
	MEM_SWAP_TOTAL,
	MEM_SWAP_FREE,
	MEM_FREE,
	MEM_BUFFERS,
	MEM_CACHED,
	MEM_SLAB,
	READINGS
};

static const struct {
	const char *source, *name;
} names[READINGS] = {
	[STAT_USER] = { "stat", "user" },
	[STAT_NICE] = { "stat", "nice" },
	[STAT_SYSTEM] = { "stat", "system" },
	[STAT_IDLE] = { "stat", "idle" },
	[STAT_IOWAIT] = { "stat", "iowait" },
	[STAT_IRQ] = { "stat", "irq" },
	[STAT_SOFTIRQ] = { "stat", "softirq" },
	[STAT_STEAL] = { "stat", "steal" },
	[STAT_INTR] = { "stat", "intr" },
	[STAT_CTXT] = { "stat", "ctxt" },
	[STAT_RUNNING] = { "stat", "procs_running" },
	[STAT_BLOCKED] = { "stat", "procs_blocked" },
	[VM_PGPGIN] = { "vmstat", "pgpgin" },
	[VM_PGPGOUT] = { "vmstat", "pgpgout" },
	[VM_PSWPIN] = { "vmstat", "pswpin" },
	[VM_PSWPOUT] = { "vmstat", "pswpout" },
	[MEM_SWAP_TOTAL] = { "meminfo", "SwapTotal" },
	[MEM_SWAP_FREE] = { "meminfo", "SwapFree" },
	[MEM_FREE] = { "meminfo", "MemFree" },
	[MEM_BUFFERS] = { "meminfo", "Buffers" },
	[MEM_CACHED] = { "meminfo", "Cached" },
	[MEM_SLAB] = { "meminfo", "SReclaimable" },
};

/* What a trial recorded, and how far the table has come in it. */
struct log {
	const struct result *trial;
	struct series series[READINGS];
	size_t from[READINGS], to[READINGS]; /* the samples between which a row lies */
	double page_kib;
	enum vmstat_columns columns;
};

static void log_done(struct log *log)
{
	for (size_t i = 0; i < READINGS; i++)
		series_done(&log->series[i]);
}

static void log_read(struct log *log, struct results *results, const struct result *trial)
{
	double page = results_value(results, trial, "trial", "", "page_bytes");

	log->trial = trial;
	log->columns = results->options.columns;
	log->page_kib = (page > 0 ? page : 4096) / KIB;
	for (size_t i = 0; i < READINGS; i++)
		results_series(results, trial, names[i].source, "", names[i].name, &log->series[i]);
}

/* Nanoseconds; of any two instants, for a record may come from elsewhere. */
static double apart(int64_t from_ns, int64_t to_ns)
{
	return (double)to_ns - (double)from_ns;
}

/* The sample nearest to an instant, from `at` on. */
static size_t nearest(const struct series *series, size_t at, double t_ns)
{
	while (at + 1 < series->n &&
		fabs((double)series->t_ns[at + 1] - t_ns) <= fabs((double)series->t_ns[at] - t_ns))
		at++;
	return at;
}

static void log_move(struct log *log, double t_ns)
{
	for (size_t i = 0; i < READINGS; i++) {
		log->from[i] = log->to[i];
		log->to[i] = nearest(&log->series[i], log->to[i], t_ns);
	}
}

static double sample(const struct log *log, enum reading reading, size_t at)
{
	const struct series *series = &log->series[reading];

	return at < series->n && series->values[at] != VALUE_ABSENT ? (double)series->values[at]
								    : NAN;
}

static double level(const struct log *log, enum reading reading)
{
	return sample(log, reading, log->to[reading]);
}

static double rise(const struct log *log, enum reading reading)
{
	return sample(log, reading, log->to[reading]) - sample(log, reading, log->from[reading]);
}

/* Seconds between the samples of a row; 0 where no sample is new. */
static double seconds(const struct log *log, enum reading reading)
{
	const struct series *series = &log->series[reading];

	if (log->to[reading] >= series->n)
		return 0;
	return apart(series->t_ns[log->from[reading]], series->t_ns[log->to[reading]]) / NS_PER_S;
}

static double rate(const struct log *log, enum reading reading)
{
	double passed = seconds(log, reading);

	return passed > 0 ? rise(log, reading) / passed : NAN;
}

/* CPU time. idle and iowait may fall (Documentation/filesystems/proc.rst): that is none. */
static double ticks(const struct log *log, enum reading reading)
{
	/* Columns that an old kernel lacks hold nothing. */
	return log->series[reading].n ? fmax(rise(log, reading), 0) : 0;
}

/* People read whole numbers, halves rounded up as procps does; machines the number itself. */
static void put(struct row *row, const char *key, double number)
{
	row_set_number(row, key, number);
	if (isfinite(number))
		row_set_instead(row, key, "%.0f", floor(number + 0.5));
}

static void put_cpus(struct row *row, const struct log *log)
{
	double user = ticks(log, STAT_USER) + ticks(log, STAT_NICE);
	double system = ticks(log, STAT_SYSTEM) + ticks(log, STAT_IRQ) + ticks(log, STAT_SOFTIRQ);
	double idle = ticks(log, STAT_IDLE), wait = ticks(log, STAT_IOWAIT);
	double steal = ticks(log, STAT_STEAL), all = user + system + idle + wait + steal;
	double share = all > 0 ? 100 / all : NAN;

	put(row, "us_percent", user * share);
	put(row, "sy_percent", system * share);
	if (log->columns == VMSTAT_2001) {
		put(row, "id_percent", (idle + wait) * share);
		return;
	}
	put(row, "id_percent", idle * share);
	put(row, "wa_percent", wait * share);
	put(row, "st_percent", log->series[STAT_STEAL].n ? steal * share : NAN);
}

static void put_memory(struct row *row, const struct log *log)
{
	double slab = log->series[MEM_SLAB].n ? level(log, MEM_SLAB) : 0;

	put(row, "swpd_kib", (level(log, MEM_SWAP_TOTAL) - level(log, MEM_SWAP_FREE)) / KIB);
	put(row, "free_kib", level(log, MEM_FREE) / KIB);
	put(row, "buff_kib", level(log, MEM_BUFFERS) / KIB);
	put(row, "cache_kib", (level(log, MEM_CACHED) + slab) / KIB);
}

static void add_row(struct table *table, const struct log *log)
{
	const struct series *clock = &log->series[STAT_CTXT];
	struct row *row = row_new(table);

	row_set_number(row, "time_s",
		apart(log->trial->row.outcome.open_ns, clock->t_ns[log->to[STAT_CTXT]]) / NS_PER_S);
	put(row, "r", level(log, STAT_RUNNING));
	put(row, "b", level(log, STAT_BLOCKED));
	if (log->columns == VMSTAT_2001)
		put(row, "w", 0);
	put_memory(row, log);
	put(row, "si_kib_per_s", rate(log, VM_PSWPIN) * log->page_kib);
	put(row, "so_kib_per_s", rate(log, VM_PSWPOUT) * log->page_kib);
	put(row, "bi_kib_per_s", rate(log, VM_PGPGIN));
	put(row, "bo_kib_per_s", rate(log, VM_PGPGOUT));
	put(row, "in_per_s", rate(log, STAT_INTR));
	put(row, "cs_per_s", rate(log, STAT_CTXT));
	put_cpus(row, log);
}

static struct table *add_table(struct model *model, struct results *results, const struct log *log)
{
	const struct trial_row *trial = &log->trial->row;
	struct column columns[ARRAY_SIZE(all_columns)];
	struct table *table;
	char position[24];
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(all_columns); i++)
		if (all_columns[i].in & (1U << log->columns))
			columns[n++] = all_columns[i].column;
	table = table_new(model, columns, n, "trial %u, %s, %s: %s, each second", trial->position,
		name_scenario(results, log->trial), trial->variant,
		outcome_name(trial->outcome.code));
	snprintf(position, sizeof(position), "%u", trial->position);
	table_fact_text(table, "trial", position);
	table_fact_text(table, "variant", trial->variant);
	name_facts(table, log->trial);
	return table;
}

/*
 * A row ends at the readings nearest to each whole second since the window opened. What is left
 * of the last second is in the last row when it is half a second or more.
 */
static void add_rows(struct table *table, struct log *log)
{
	const struct outcome *outcome = &log->trial->row.outcome;
	const struct series *clock = &log->series[STAT_CTXT];
	const size_t *at = &log->to[STAT_CTXT];
	double window_s = apart(outcome->open_ns, outcome->close_ns) / NS_PER_S;
	double last = fmin(fmax(round(window_s), 1), LONGEST_S);
	double missing = 0, second = 1;

	log_move(log, (double)outcome->open_ns);
	while (second <= last) {
		double next = last + 1;

		log_move(log, (double)outcome->open_ns + second * NS_PER_S);
		if (seconds(log, STAT_CTXT) > 0)
			add_row(table, log);
		else
			missing++;
		if (*at + 1 < clock->n)
			next = floor(apart(outcome->open_ns, clock->t_ns[*at + 1]) / NS_PER_S);
		next = fmin(fmax(next, second + 1), last + 1);
		missing += next - (second + 1);
		second = next;
	}
	if (missing > 0)
		table_note(table,
			"%.0f seconds have no reading of their own: the row behind them spans them",
			missing);
}

/* The first that is ok, those of a load alone last; else any that has a window. */
static const struct result *choose(const struct results *results)
{
	const struct result *best = NULL;
	int best_rank = 0;

	for (size_t i = 0; i < results->n; i++) {
		const struct result *trial = &results->trials[i];
		int rank = !trial->row.outcome.open_ns ? 0
			   : !result_counts(trial)     ? 1
			   : trial->row.solo	       ? 2
						       : 3;

		if (rank > best_rank) {
			best = trial;
			best_rank = rank;
		}
	}
	return best;
}

static const struct result *find(const struct results *results, struct error *err)
{
	for (size_t i = 0; i < results->n; i++) {
		const struct result *trial = &results->trials[i];

		if (trial->row.position == results->options.trial && !trial->superseded)
			return trial;
	}
	error_set(err, -ENOENT,
		"no trial %llu in run %lld; contend show %lld --view trials has all",
		(unsigned long long)results->options.trial, (long long)results->run.id,
		(long long)results->run.id);
	return NULL;
}

static int build(struct results *results, struct model *model, struct error *err)
{
	struct log log CLEANUP(log_done) = { 0 };
	const struct result *trial;
	struct table *table;

	trial = results->options.one_trial ? find(results, err) : choose(results);
	if (!trial && results->options.one_trial)
		return -ENOENT;
	if (!trial)
		return 0;
	log_read(&log, results, trial);
	table = add_table(model, results, &log);
	if (!trial->row.outcome.open_ns || !log.series[STAT_CTXT].n) {
		table_note(table, "nothing was sampled");
		return 0;
	}
	add_rows(table, &log);
	table_note(table, "of the whole machine, whatever the box");
	return 0;
}

const struct view view_vmstat = {
	.name = "vmstat",
	.summary = "one trial second by second, in vmstat's columns (--trial, --columns)",
	.build = build,
};
