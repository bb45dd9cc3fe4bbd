// SPDX-License-Identifier: GPL-2.0-or-later
/* All samplers of one trial: opened before the window, read in it as often as each is due. */
#ifndef TRIAL_SAMPLING_H
#define TRIAL_SAMPLING_H

#include "record/sink.h"
#include "sampler/sampler.h"
#include "trial/instance.h"

struct sampling;

/*
 * Opens every sampler that this kernel has, declares its metrics in the sink, and does the same
 * for the trial's own counters of the roles. What is missing becomes a `degraded` event.
 */
int sampling_new(const struct stage *stage, struct role *roles, size_t n_roles, struct sink *sink,
	struct sampling **ret_sampling, struct error *err);

/* Bytes that a tick's readings take in the sink, on average, when ticks are so far apart. */
double sampling_bytes(const struct sampling *sampling, int64_t interval_ns);

/*
 * Reads once into the sink: at an edge of the window everything, else what is due by its
 * interval. Allocates nothing.
 */
void sampling_read(struct sampling *sampling, struct sink *sink, bool edge);

void sampling_free(struct sampling *sampling);

#endif
