// SPDX-License-Identifier: GPL-2.0-or-later
/* /proc/pressure: how long tasks waited for CPU, memory, I/O and interrupts (4.20; irq 6.1). */
#include <stdio.h>

#include "base/cleanup.h"
#include "base/unit.h"
#include "sampler/pressure.h"
#include "sampler/registry.h"

static const char *const resources[] = { "cpu", "memory", "io", "irq" };

struct psi_state {
	struct metric_list list;
	struct pressure pressure[ARRAY_SIZE(resources)];
	size_t n;
};

static int psi_open(void *data, const struct sampler_target *target, struct error *err)
{
	struct psi_state *state = data;

	for (size_t i = 0; i < ARRAY_SIZE(resources); i++) {
		struct pressure *pressure = &state->pressure[state->n];
		char path[32];
		int r;

		snprintf(path, sizeof(path), "/proc/pressure/%s", resources[i]);
		r = pressure_open(pressure, target->root, path, resources[i], &state->list, err);
		if (r == -ENOMEM)
			return r;
		if (r < 0)
			pressure_close(pressure);
		else
			state->n++;
	}
	if (state->n == 0)
		return error_set(err, -EOPNOTSUPP,
			"no pressure stall information: needs Linux 4.20 with CONFIG_PSI, and "
			"psi=1 "
			"where it is off by default");
	return 0;
}

static size_t psi_metrics(const void *data, const struct metric **ret_metrics)
{
	const struct psi_state *state = data;

	*ret_metrics = state->list.metrics;
	return state->list.n;
}

static int psi_read(void *data, int64_t *values)
{
	struct psi_state *state = data;
	int ret = -ENODATA;

	for (size_t i = 0; i < state->n; i++) {
		int r = pressure_read(&state->pressure[i], values);

		ret = ret == 0 ? 0 : r;
	}
	return ret;
}

static void psi_close(void *data)
{
	struct psi_state *state = data;

	for (size_t i = 0; i < ARRAY_SIZE(resources); i++)
		pressure_close(&state->pressure[i]);
	metric_list_done(&state->list);
}

const struct sampler sampler_psi = {
	.name = "psi",
	.summary = "time that tasks waited for CPU, memory and I/O (/proc/pressure)",
	.revision = 1,
	.scope = SAMPLER_SYSTEM,
	.state_size = sizeof(struct psi_state),
	.interval_ns = NS_PER_S,
	.open = psi_open,
	.metrics = psi_metrics,
	.read = psi_read,
	.close = psi_close,
};
