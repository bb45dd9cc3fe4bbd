// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/sampling.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"

/* A sample's frame and header in the sink. */
#define SAMPLE_OVERHEAD 21

#define SLACK_NS (50 * NS_PER_MS)

#define BOX_ROLE "box"

struct source {
	const struct sampler *sampler;
	void *state;
	uint32_t first, n;
	int64_t *values;
	int64_t due_ns; /* no reading before, but at an edge */
	bool edges; /* read at the edges alone; the box's group, too, which is the roles' together */
};

/* The trial's own counters of one role, and the workload's. */
struct role_source {
	struct role *role;
	uint32_t first; /* progress, cpu_ns */
	uint32_t first_value; /* the workload's metrics */
};

struct sampling {
	struct source *sources;
	size_t n_sources;
	struct role_source *roles;
	size_t n_roles;
	int64_t *values; /* for the widest role */
};

static void source_done(struct source *source)
{
	if (source->state)
		source->sampler->close(source->state);
	free(source->state);
	free(source->values);
}

static void declare(struct source *source, const char *role, struct sink *sink)
{
	const struct metric *metrics;
	struct origin origin = { source->sampler->name, role, source->sampler->revision };

	source->n = (uint32_t)source->sampler->metrics(source->state, &metrics);
	for (uint32_t i = 0; i < source->n; i++) {
		uint32_t id = sink_metric(sink, &metrics[i], &origin);

		if (i == 0)
			source->first = id;
	}
}

static int source_open(struct sampling *sampling, const struct sampler *sampler,
	const struct sampler_target *target, const char *role, struct sink *sink, struct error *err)
{
	struct source *source = &sampling->sources[sampling->n_sources];
	struct error why;
	char text[700];
	int r;

	source->sampler = sampler;
	source->edges = !strcmp(role, BOX_ROLE) || sampler->interval_ns == SAMPLER_EDGES;
	source->state = calloc(1, sampler->state_size);
	if (!source->state)
		return error_errno(err, -ENOMEM, "sampler %s", sampler->name);
	r = sampler->open(source->state, target, &why);
	if (r < 0) {
		snprintf(text, sizeof(text), "no %s samples: %s", sampler->name, why.text);
		sink_event(sink, clock_now(), EVENT_DEGRADED, role, text);
		source_done(source);
		*source = (struct source) { 0 };
		return 0;
	}
	declare(source, role, sink);
	source->values = calloc(source->n + 1, sizeof(int64_t));
	/* Counted now, so that sampling_free() finds it. */
	sampling->n_sources++;
	return source->values ? 0 : error_errno(err, -ENOMEM, "sampler %s", sampler->name);
}

static void role_declare(struct role_source *source, struct sink *sink)
{
	const struct workload *workload = source->role->part->workload;
	struct origin trial = { "trial", source->role->part->role, 1 };
	struct origin own = { workload->name, source->role->part->role, workload->revision };
	struct metric progress = { "progress", workload->unit, METRIC_COUNTER };
	struct metric cpu = { "cpu_ns", "ns", METRIC_COUNTER };

	source->first = sink_metric(sink, &progress, &trial);
	sink_metric(sink, &cpu, &trial);
	for (size_t i = 0; i < workload->n_metrics; i++) {
		uint32_t id = sink_metric(sink, &workload->metrics[i], &own);

		if (i == 0)
			source->first_value = id;
	}
}

static int open_all(struct sampling *sampling, const struct stage *stage, struct role *roles,
	size_t n_roles, struct sink *sink, struct error *err)
{
	for (const struct sampler *const *each = sampler_registry; *each; each++) {
		struct sampler_target target = { .root = stage->root, .scratch = stage->scratch };
		int r = 0;

		if ((*each)->scope == SAMPLER_SYSTEM)
			r = source_open(sampling, *each, &target, "", sink, err);
		if ((*each)->scope == SAMPLER_ROLE && stage->box) {
			target.cgroup = stage->box;
			r = source_open(sampling, *each, &target, BOX_ROLE, sink, err);
		}
		for (size_t i = 0; r == 0 && (*each)->scope == SAMPLER_ROLE && i < n_roles; i++) {
			target.cgroup = &roles[i].cgroup;
			if (roles[i].grouped)
				r = source_open(
					sampling, *each, &target, roles[i].part->role, sink, err);
		}
		if (r < 0)
			return r;
	}
	return 0;
}

static void sampling_cleanup(struct sampling **sampling)
{
	sampling_free(*sampling);
}

int sampling_new(const struct stage *stage, struct role *roles, size_t n_roles, struct sink *sink,
	struct sampling **ret_sampling, struct error *err)
{
	struct sampling *sampling CLEANUP(sampling_cleanup) = calloc(1, sizeof(*sampling));
	size_t n = 0, widest = 2;
	int r;

	while (sampler_registry[n])
		n++;
	if (sampling) {
		sampling->sources = calloc(n * (n_roles + 1), sizeof(struct source));
		sampling->roles = calloc(n_roles, sizeof(struct role_source));
	}
	if (!sampling || !sampling->sources || !sampling->roles)
		return error_errno(err, -ENOMEM, "samplers");
	r = open_all(sampling, stage, roles, n_roles, sink, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < n_roles; i++) {
		sampling->roles[i].role = &roles[i];
		role_declare(&sampling->roles[i], sink);
		if (roles[i].part->workload->n_metrics > widest)
			widest = roles[i].part->workload->n_metrics;
	}
	sampling->n_roles = n_roles;
	sampling->values = calloc(widest, sizeof(int64_t));
	if (!sampling->values)
		return error_errno(err, -ENOMEM, "samplers");
	*ret_sampling = sampling;
	sampling = NULL;
	return 0;
}

double sampling_bytes(const struct sampling *sampling, int64_t interval_ns)
{
	double bytes = 0;

	for (size_t i = 0; i < sampling->n_sources; i++) {
		const struct source *source = &sampling->sources[i];
		int64_t own_ns = source->sampler->interval_ns - SLACK_NS;
		double share = own_ns > interval_ns ? (double)interval_ns / (double)own_ns : 1;

		bytes += share * (SAMPLE_OVERHEAD + 8 * (double)source->n);
	}
	for (size_t i = 0; i < sampling->n_roles; i++)
		bytes += 2 * SAMPLE_OVERHEAD +
			 8 * (double)(2 + sampling->roles[i].role->part->workload->n_metrics);
	return bytes;
}

static void role_read(
	struct sampling *sampling, struct role_source *source, struct sink *sink, bool edge)
{
	const struct shared *shared = source->role->shared;
	int64_t now = clock_now();

	sampling->values[0] = (int64_t)shared_progress(shared);
	sink_sample(sink, now, source->first, 1, sampling->values);
	/* In the window, cpu.stat of the role's group tells it (sampler cgroup). */
	if (edge) {
		sampling->values[0] = role_cpu_ns(source->role);
		sink_sample(sink, now, source->first + 1, 1, sampling->values);
	}
	for (size_t i = 0; i < shared->n_values; i++)
		sampling->values[i] = atomic_load(&shared->values[i]);
	if (shared->n_values)
		sink_sample(sink, now, source->first_value, (uint32_t)shared->n_values,
			sampling->values);
}

void sampling_read(struct sampling *sampling, struct sink *sink, bool edge)
{
	/* The roles first: their counts belong closest to the window's edge. */
	for (size_t i = 0; i < sampling->n_roles; i++)
		role_read(sampling, &sampling->roles[i], sink, edge);
	for (size_t i = 0; i < sampling->n_sources; i++) {
		struct source *source = &sampling->sources[i];
		int64_t now = clock_now();

		if (!edge && (source->edges || now < source->due_ns))
			continue;
		/* Half a tick's slack, so that a reading each second is not one each 1.1 s. */
		if (!source->edges)
			source->due_ns = now + source->sampler->interval_ns - SLACK_NS;
		if (source->sampler->read(source->state, source->values) == 0)
			sink_sample(sink, now, source->first, source->n, source->values);
	}
}

void sampling_free(struct sampling *sampling)
{
	if (!sampling)
		return;
	for (size_t i = 0; i < sampling->n_sources; i++)
		source_done(&sampling->sources[i]);
	free(sampling->sources);
	free(sampling->roles);
	free(sampling->values);
	free(sampling);
}
