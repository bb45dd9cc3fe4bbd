// SPDX-License-Identifier: GPL-2.0-or-later
/* A sampler opened on a recorded or a written machine. */
#ifndef SAMPLED_H
#define SAMPLED_H

#include <limits.h>

#include "base/root.h"
#include "sampler/sampler.h"
#include "test.h"

struct sampled {
	const struct sampler *sampler;
	void *state;
	const struct metric *metrics;
	size_t n;
	int64_t *values;
};

/* Opens tests/fixtures/NAME. */
static inline void fixture_open(struct root *ret_root, const char *name)
{
	const char *source = getenv("SOURCE_ROOT");
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/tests/fixtures/%s", source ? source : ".", name);
	assert_int_equal(root_open(ret_root, path, NULL), 0);
}

static inline int sampled_open(
	struct sampled *ret_sampled, const char *name, const struct sampler_target *target)
{
	struct sampled sampled = { .sampler = sampler_find(name) };
	struct error err = { "" };
	int r;

	assert_non_null(sampled.sampler);
	sampled.state = calloc(1, sampled.sampler->state_size);
	assert_non_null(sampled.state);
	r = sampled.sampler->open(sampled.state, target, &err);
	if (r < 0) {
		assert_string_not_equal(err.text, "");
		sampled.sampler->close(sampled.state);
		free(sampled.state);
		return r;
	}
	sampled.n = sampled.sampler->metrics(sampled.state, &sampled.metrics);
	/* One more, so that a read that writes too far is seen. */
	sampled.values = calloc(sampled.n + 1, sizeof(*sampled.values));
	assert_non_null(sampled.values);
	*ret_sampled = sampled;
	return 0;
}

static inline void sampled_close(struct sampled *sampled)
{
	sampled->sampler->close(sampled->state);
	free(sampled->state);
	free(sampled->values);
}

static inline bool sampled_has(const struct sampled *sampled, const char *name)
{
	for (size_t i = 0; i < sampled->n; i++) {
		if (!strcmp(sampled->metrics[i].name, name))
			return true;
	}
	return false;
}

static inline size_t sampled_place(const struct sampled *sampled, const char *name)
{
	size_t i = 0;

	while (i < sampled->n && strcmp(sampled->metrics[i].name, name) != 0)
		i++;
	if (i == sampled->n)
		fail_msg("%s has no %s", sampled->sampler->name, name);
	return i;
}

/* Of the last read. */
static inline int64_t sampled_value(const struct sampled *sampled, const char *name)
{
	return sampled->values[sampled_place(sampled, name)];
}

static inline int sampled_read(struct sampled *sampled)
{
	return sampled->sampler->read(sampled->state, sampled->values);
}

#endif
