// SPDX-License-Identifier: GPL-2.0-or-later
/* Samplers on the machine itself, beside what /proc says just before and just after. */
#include <inttypes.h>
#include <stdio.h>

#include "../unit/sampled.h"
#include "base/clock.h"

static struct root root;

struct line {
	char name[64];
	int64_t value;
};

static size_t vmstat_parse(struct line *lines, size_t most)
{
	FILE *file CLEANUP(close_file) = fopen("/proc/vmstat", "re");
	size_t n = 0;

	assert_non_null(file);
	while (n < most && fscanf(file, "%63s %" SCNi64, lines[n].name, &lines[n].value) == 2)
		n++;
	return n;
}

static void vmstat_says_what_the_kernel_says(void **state)
{
	static struct line before[1000], after[1000];
	struct sampler_target target = { .root = &root };
	struct sampled vmstat;
	size_t n;

	(void)state;
	assert_int_equal(sampled_open(&vmstat, "vmstat", &target), 0);
	n = vmstat_parse(before, ARRAY_SIZE(before));
	assert_int_equal(sampled_read(&vmstat), 0);
	assert_int_equal(vmstat_parse(after, ARRAY_SIZE(after)), n);
	assert_int_equal(vmstat.n, n);
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(vmstat.metrics[i].name, before[i].name);
		/* A level may go up and down between the two. */
		if (vmstat.metrics[i].kind != METRIC_COUNTER)
			continue;
		assert_in_range(vmstat.values[i], before[i].value, after[i].value);
	}
	sampled_close(&vmstat);
}

/* Documentation/filesystems/proc.rst: iowait is not reliable, and idle is what is left. */
static bool may_fall(const char *name)
{
	return !strcmp(name, "idle") || !strcmp(name, "iowait");
}

static void check_rising(struct sampled *sampled)
{
	int64_t *before = calloc(sampled->n, sizeof(*before));

	assert_non_null(before);
	assert_int_equal(sampled_read(sampled), 0);
	memcpy(before, sampled->values, sampled->n * sizeof(*before));
	clock_sleep_until(clock_now() + 50 * NS_PER_MS);
	assert_int_equal(sampled_read(sampled), 0);
	for (size_t i = 0; i < sampled->n; i++) {
		const struct metric *metric = &sampled->metrics[i];

		if (metric->kind != METRIC_COUNTER || may_fall(metric->name) ||
			before[i] == VALUE_ABSENT)
			continue;
		if (sampled->values[i] < before[i])
			fail_msg("%s %s fell", sampled->sampler->name, metric->name);
	}
	free(before);
}

static void counters_rise_on_this_machine(void **state)
{
	struct cgroup_tree *tree = malloc(sizeof(*tree));
	struct cgroup *group = calloc(1, sizeof(*group));
	struct sampler_target target = { &root, group, "/tmp" };
	unsigned opened = 0;

	(void)state;
	assert_non_null(tree);
	assert_non_null(group);
	assert_int_equal(cgroup_tree_read(&root, tree, NULL), 0);
	for (unsigned i = 0; i < CGROUP_HIERARCHIES; i++)
		strcpy(group->path[i], tree->mount[i]);
	for (const struct sampler *const *each = sampler_registry; *each; each++) {
		struct sampled sampled;

		if (sampled_open(&sampled, (*each)->name, &target) < 0)
			continue;
		check_rising(&sampled);
		sampled_close(&sampled);
		opened++;
	}
	/* vmstat, meminfo and stat are everywhere. */
	assert_true(opened >= 3);
	free(group);
	free(tree);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(vmstat_says_what_the_kernel_says),
		cmocka_unit_test(counters_rise_on_this_machine),
	};

	if (access("/proc/vmstat", R_OK) < 0)
		return 77;
	if (root_open(&root, "/", NULL) < 0)
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
