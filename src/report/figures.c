// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/figures.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/unit.h"

#define JOINT " + "

/* An option's value may hold the joint, too: behind a true one stands a workload's name. */
static const char *next_joint(const char *text)
{
	for (const char *at = strstr(text, JOINT); at; at = strstr(at + 1, JOINT)) {
		const char *end = at + strlen(JOINT);

		while (isalnum((unsigned char)*end) || *end == '-' || *end == '_')
			end++;
		if (end > at + strlen(JOINT) &&
			(!*end || *end == ':' || !strncmp(end, JOINT, strlen(JOINT))))
			return at;
	}
	return NULL;
}

/* The workload's name; the second of a name is "name-2". */
static const char *role_of(struct arena *arena, const struct load_name *names, size_t i)
{
	size_t length = strcspn(names[i].spelled, ":"), same = 1;

	for (size_t k = 0; k < i; k++)
		same += strcspn(names[k].spelled, ":") == length &&
			!strncmp(names[k].spelled, names[i].spelled, length);
	if (same == 1)
		return arena_format(arena, "%.*s", (int)length, names[i].spelled);
	return arena_format(arena, "%.*s-%zu", (int)length, names[i].spelled, same);
}

struct load_name *loads_split(struct arena *arena, const char *loads, size_t *ret_n)
{
	struct load_name *names;
	size_t n = 0;

	*ret_n = 0;
	if (!loads || !loads[0])
		return NULL;
	n = 1;
	for (const char *at = next_joint(loads); at; at = next_joint(at + strlen(JOINT)))
		n++;
	names = arena_alloc(arena, n, sizeof(*names));
	if (!names)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const char *end = next_joint(loads);

		names[i].spelled = arena_format(
			arena, "%.*s", (int)(end ? end - loads : strlen(loads)), loads);
		if (!names[i].spelled)
			return NULL;
		names[i].role = role_of(arena, names, i);
		if (!names[i].role)
			return NULL;
		if (end)
			loads = end + strlen(JOINT);
	}
	*ret_n = n;
	return names;
}

/* x / y; absent where either is, and where nothing can be divided by. */
static double ratio(double x, double y)
{
	return y > 0 ? x / y : NAN;
}

static void read_cpus(struct results *results, const struct result *trial, struct figures *figures)
{
	static const char *const names[] = { "user", "nice", "system", "irq", "softirq", "iowait",
		"steal", "idle" };
	double values[sizeof(names) / sizeof(names[0])], all = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		values[i] = results_value(results, trial, "stat", "", names[i]);
		all += values[i];
	}
	/* One that is absent makes the sum NAN, and all shares with it. */
	figures->busy_percent =
		ratio(100 * (values[0] + values[1] + values[2] + values[3] + values[4]), all);
	figures->wait_percent = ratio(100 * (values[5] + values[6]), all);
}

static void read_load(struct results *results, const struct result *trial, const char *role,
	double time_s, struct load_figures *load)
{
	load->progress = results_value(results, trial, "trial", role, "progress");
	load->divisor = results_value(results, trial, "trial", role, "table_divisor");
	load->loads = ratio(load->progress, load->divisor);
	load->rate = ratio(load->progress, time_s);
	load->cpu_percent = ratio(
		100 * results_value(results, trial, "trial", role, "cpu_ns"), time_s * NS_PER_S);
}

void figures_read(struct results *results, const struct result *trial, struct figures *ret_figures)
{
	double due = results_value(results, trial, "trial", "", "samples_due");
	double taken = results_value(results, trial, "trial", "", "samples_taken");
	double time_s = result_window_s(trial);
	struct figures figures = {
		.time_s = time_s,
		.cpu_percent = ratio(100 * results_value(results, trial, "trial", "lead", "cpu_ns"),
			time_s * NS_PER_S),
		.major_faults = results_value(results, trial, "trial", "lead", "major_faults"),
		.freeze_s =
			results_value(results, trial, "heartbeat", "", "freeze_longest") / NS_PER_S,
		.missing_percent = ratio(100 * (due - taken), due),
	};

	read_cpus(results, trial, &figures);
	figures.names = loads_split(&results->arena, trial->row.loads, &figures.n_loads);
	figures.loads = arena_alloc(&results->arena, figures.n_loads, sizeof(*figures.loads));
	if (!figures.loads)
		figures.n_loads = 0;
	for (size_t i = 0; i < figures.n_loads; i++)
		read_load(results, trial, figures.names[i].role, time_s, &figures.loads[i]);
	*ret_figures = figures;
}
