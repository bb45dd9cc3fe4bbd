// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads numbers that the kernel keeps. A sampler is one file, everything in it static, that ends
 * in one `const struct sampler`, listed in registry.c. docs/samplers.md walks through one.
 *
 * open() does all that allocates or opens files; read() runs inside the window: it only does
 * pread(2) on what is open and parses into what is allocated.
 */
#ifndef SAMPLER_SAMPLER_H
#define SAMPLER_SAMPLER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/root.h"
#include "cgroup/cgroup.h"
#include "record/metric.h"

enum sampler_scope {
	SAMPLER_SYSTEM, /* one for the trial */
	SAMPLER_ROLE, /* one for each role's cgroup and one for the box's ("box") */
};

struct sampler_target {
	const struct root *root;
	const struct cgroup *cgroup; /* SAMPLER_ROLE; NULL else */
	const char *scratch; /* a directory on the disk under test */
};

#define SAMPLER_EDGES INT64_MAX

struct sampler {
	const char *name;
	const char *summary;
	unsigned revision; /* raised when old numbers stop being comparable */
	enum sampler_scope scope;
	size_t state_size;
	/*
	 * Readings in the window lie at least this far apart; 0: one at every tick. What costs the
	 * kernel much to add up, or is only looked at by the second, is not read ten times as often.
	 * SAMPLER_EDGES: read where the window opens and closes, never in it.
	 */
	int64_t interval_ns;

	/*
	 * Opens the sources and settles which metrics there are. -EOPNOTSUPP or -ENOENT: this
	 * kernel has none of it (the text says what is missing); the trial goes on without.
	 * state is zeroed. A metric's place never changes after open.
	 */
	int (*open)(void *state, const struct sampler_target *target, struct error *err);
	/* Number of metrics; *ret_metrics is valid until close. */
	size_t (*metrics)(const void *state, const struct metric **ret_metrics);
	/*
	 * Fills one value for each metric; what cannot be read is VALUE_ABSENT. 0, or negative when
	 * nothing could be read (the sample counts as missing). Allocates nothing.
	 */
	int (*read)(void *state, int64_t *values);
	/* Takes a state whose open failed, too. */
	void (*close)(void *state);
};

/* All samplers; ends in NULL. */
extern const struct sampler *const sampler_registry[];

const struct sampler *sampler_find(const char *name);

#endif
