// SPDX-License-Identifier: GPL-2.0-or-later
/* How the CPUs' frequency is chosen: Documentation/admin-guide/pm/cpufreq.rst. */
#include <limits.h>
#include <string.h>

#include "base/cleanup.h"
#include "setting/file.h"
#include "setting/registry.h"
#include "setting/several.h"

#define CPUFREQ "/sys/devices/system/cpu/cpufreq"

static const struct setting_word words[] = {
	{ "performance" },
	{ "powersave" },
	{ "schedutil" },
	{ "ondemand" },
	{ "conservative" },
	{ "userspace" },
	{ NULL },
};

/* A policy is one or more CPUs that have one clock. */
static void visit_policy(void *data, const char *name)
{
	char path[PATH_MAX];

	if (strncmp(name, "policy", strlen("policy")) != 0)
		return;
	snprintf(path, sizeof(path), CPUFREQ "/%.255s/scaling_governor", name);
	several_visit(data, path);
}

static int visit_policies(const struct root *root, struct several *several)
{
	names_visit(root, CPUFREQ, visit_policy, several);
	if (several->r == 0 && !several->n)
		return error_set(several->err, -EOPNOTSUPP,
			"the kernel does not choose the CPUs' frequency here: nothing in " CPUFREQ);
	return several->r;
}

static int read_governor(
	const struct setting_place *place, char *buf, size_t size, struct error *err)
{
	struct several several = { .root = place->root, .buf = buf, .size = size, .err = err };

	*buf = '\0';
	return visit_policies(place->root, &several);
}

/* A governor's own settings, of each policy or of all, begin anew with it. */
static int note_along(
	const struct setting_place *place, const char *path, const char *old, struct error *err)
{
	char directory[PATH_MAX];
	int r;

	snprintf(directory, sizeof(directory), "%.*s/%s", (int)(strrchr(path, '/') - path), path,
		old);
	r = setting_directory_note(place, directory, err);
	snprintf(directory, sizeof(directory), CPUFREQ "/%s", old);
	return r < 0 ? r : setting_directory_note(place, directory, err);
}

static int apply(struct setting_place *place, const char *value, struct error *err)
{
	struct several several = {
		.place = place,
		.root = place->root,
		.along = note_along,
		.value = value,
		.err = err,
	};

	return visit_policies(place->root, &several);
}

const struct setting setting_governor = {
	.name = "governor",
	.summary = "what chooses the frequency of all CPUs",
	.words = words,
	.open = true,
	.read = read_governor,
	.apply = apply,
};
