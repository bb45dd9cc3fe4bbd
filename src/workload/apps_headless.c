// SPDX-License-Identifier: GPL-2.0-or-later
/* Apps of contend's own, of different sizes. */
#include <stdio.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "workload/apps.h"

struct headless {
	unsigned n;
	uint64_t seed;
	int64_t patience_ns;
	struct set_plan plans[APPS_MAX];
	struct app apps[APPS_MAX];
};

/* Thousandths of the mean set, by turns. */
static const unsigned sizes[] = { 1000, 500, 1500 };

static void plans_make(
	struct set_plan *plans, const struct place *place, const struct apps_params *params)
{
	for (unsigned i = 0; i < params->apps; i++)
		set_plan_size(&plans[i], &params->set, place, sizes[i % ARRAY_SIZE(sizes)]);
}

static int headless_probe(
	const struct place *place, const struct apps_params *params, struct error *err)
{
	struct set_plan *plans = calloc(APPS_MAX, sizeof(*plans));
	int r;

	if (!plans)
		return error_errno(err, -ENOMEM, "apps");
	plans_make(plans, place, params);
	r = set_files_check(place, plans, (unsigned)params->apps, err);
	free(plans);
	return r;
}

static int headless_setup(struct instance *instance, void *data, unsigned *ret_n, struct error *err)
{
	const struct apps_params *params = instance->params;
	struct headless *headless = data;
	int r;

	headless->seed = instance->place->seed;
	headless->patience_ns = params->patience_ns;
	plans_make(headless->plans, instance->place, params);
	r = set_files_find(instance->place, headless->plans, (unsigned)params->apps, err);
	if (r == 0)
		*ret_n = headless->n = (unsigned)params->apps;
	return r;
}

static uint64_t headless_bytes(void *data, unsigned i)
{
	const struct headless *headless = data;
	uint64_t pages = 0;

	for (unsigned kind = 0; kind < SET_KINDS; kind++)
		pages += headless->plans[i].pages[kind];
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static const char *headless_name(void *data, unsigned i, char *buf, size_t size)
{
	char bytes[32];

	snprintf(buf, size, "app of %s",
		bytes_render(headless_bytes(data, i), bytes, sizeof(bytes)));
	return buf;
}

/* Its own clock tells when it was through: the driver may itself have been kept waiting. */
static void await(struct headless *headless, unsigned i, int64_t due_ns, struct turn *ret_turn,
	struct error *err)
{
	struct app_answer answer;

	ret_turn->fate = app_wait(&headless->apps[i], headless->patience_ns, &answer, err);
	if (ret_turn->fate != APP_ANSWERED) {
		ret_turn->latency_ns = clock_now() - due_ns;
		ret_turn->majors = ret_turn->minors = VALUE_ABSENT;
		return;
	}
	ret_turn->latency_ns = answer.done_ns - due_ns;
	ret_turn->majors = answer.majors;
	ret_turn->minors = answer.minors;
}

static int headless_start(void *data, unsigned i, struct turn *ret_turn, struct error *err)
{
	struct headless *headless = data;
	int64_t due = clock_now();

	if (app_start(&headless->apps[i], i + 1, &headless->plans[i], headless->seed + i, err) < 0)
		*ret_turn = (struct turn) { APP_DIED, 0, VALUE_ABSENT, VALUE_ABSENT };
	else
		await(headless, i, due, ret_turn, err);
	return 0;
}

static int headless_activate(void *data, unsigned i, struct turn *ret_turn, struct error *err)
{
	struct headless *headless = data;
	int64_t due = clock_now();

	app_ask(&headless->apps[i]);
	await(headless, i, due, ret_turn, err);
	return 0;
}

static void headless_teardown(void *data)
{
	struct headless *headless = data;

	for (unsigned i = 0; i < headless->n; i++)
		app_end(&headless->apps[i]);
}

static void headless_cold_files(void *data, void (*visit)(void *data, const char *path), void *to)
{
	struct headless *headless = data;

	for (unsigned kind = 0; kind < SET_ANON; kind++)
		if (headless->n && headless->plans[0].path[kind][0])
			visit(to, headless->plans[0].path[kind]);
}

const struct apps_kind apps_headless = {
	.state_size = sizeof(struct headless),
	.probe = headless_probe,
	.setup = headless_setup,
	.name = headless_name,
	.bytes = headless_bytes,
	.start = headless_start,
	.activate = headless_activate,
	.teardown = headless_teardown,
	.cold_files = headless_cold_files,
};
