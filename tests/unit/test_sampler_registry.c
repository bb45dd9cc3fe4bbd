// SPDX-License-Identifier: GPL-2.0-or-later
/* What holds for every sampler, on every recorded machine. */
#include <dirent.h>
#include <stdio.h>

#include "allocations.h"
#include "sampled.h"

#define CANARY 0x5eed5eed5eed5eedLL

static const struct {
	const char *name;
	struct cgroup cgroup;
	bool psi;
} machines[] = {
	{
		"machine-hybrid-6.18",
		{ .path = { "/sys/fs/cgroup/unified/contend", "/sys/fs/cgroup/memory/contend",
			  "/sys/fs/cgroup/cpuacct/contend", "/sys/fs/cgroup/blkio/contend" } },
		true,
	},
	{
		"machine-v1-4.18",
		{ .path = { "", "/sys/fs/cgroup/memory/contend",
			  "/sys/fs/cgroup/cpu,cpuacct/contend", "/sys/fs/cgroup/blkio/contend" } },
		false,
	},
	{
		"machine-v2-5.10",
		{ .path = { "/sys/fs/cgroup/contend" } },
		true,
	},
};

/* Calls check() for every sampler that opens, on every machine. */
static void each_sampled(void (*check)(struct sampled *sampled))
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		struct root root;

		fixture_open(&root, machines[i].name);
		for (const struct sampler *const *each = sampler_registry; *each; each++) {
			struct sampler_target target = { &root, &machines[i].cgroup, "/scratch" };
			struct sampled sampled;
			int r = sampled_open(&sampled, (*each)->name, &target);

			if (!strcmp((*each)->name, "psi") && !machines[i].psi) {
				assert_int_equal(r, -EOPNOTSUPP);
				continue;
			}
			assert_int_equal(r, 0);
			check(&sampled);
			sampled_close(&sampled);
		}
		root_close(&root);
	}
}

static void check_metrics(struct sampled *sampled)
{
	assert_true(sampled->n > 0);
	for (size_t i = 0; i < sampled->n; i++) {
		const struct metric *metric = &sampled->metrics[i];

		assert_string_not_equal(metric->name, "");
		assert_string_not_equal(metric->unit, "");
		assert_true(metric->kind == METRIC_COUNTER || metric->kind == METRIC_GAUGE);
		assert_int_equal(sampled_place(sampled, metric->name), i);
	}
}

static void check_read(struct sampled *sampled)
{
	for (size_t i = 0; i <= sampled->n; i++)
		sampled->values[i] = CANARY;
	assert_int_equal(sampled_read(sampled), 0);
	for (size_t i = 0; i < sampled->n; i++) {
		assert_true(sampled->values[i] != CANARY);
		/* All that a machine has at open it still has. */
		assert_true(sampled->values[i] >= 0);
	}
	assert_true(sampled->values[sampled->n] == CANARY);
}

static void check_allocations(struct sampled *sampled)
{
	unsigned long before = allocations;

	for (unsigned i = 0; i < 10; i++)
		assert_int_equal(sampled_read(sampled), 0);
	assert_int_equal(allocations, before);
}

static void metrics_are_named_once_and_have_units(void **state)
{
	(void)state;
	each_sampled(check_metrics);
}

static void read_fills_every_metric_and_no_more(void **state)
{
	(void)state;
	each_sampled(check_read);
}

static void reads_allocate_nothing(void **state)
{
	unsigned long before = allocations;
	/* volatile: a compiler may leave out an allocation that is only freed. */
	void *volatile counted = malloc(1);

	(void)state;
	free(counted);
	assert_true(allocations > before);
	each_sampled(check_allocations);
}

static void samplers_are_found_by_name(void **state)
{
	(void)state;
	for (const struct sampler *const *each = sampler_registry; *each; each++) {
		assert_ptr_equal(sampler_find((*each)->name), *each);
		assert_string_not_equal((*each)->summary, "");
		assert_true((*each)->revision >= 1);
	}
	assert_null(sampler_find("nonesuch"));
}

static unsigned descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	unsigned n = 0;

	assert_non_null(directory);
	while (readdir(directory))
		n++;
	closedir(directory);
	return n;
}

static void check_nothing(struct sampled *sampled)
{
	assert_int_equal(sampled_read(sampled), 0);
}

static void what_was_opened_is_closed(void **state)
{
	unsigned before = descriptors();

	(void)state;
	each_sampled(check_nothing);
	assert_int_equal(descriptors(), before);
}

static void a_machine_without_proc_has_no_samplers(void **state)
{
	static const struct cgroup nowhere = { .path = { "/sys/fs/cgroup/contend" } };
	unsigned before = descriptors();
	struct root root;

	(void)state;
	fixture_open(&root, "machine-v2-5.10/sys");
	for (const struct sampler *const *each = sampler_registry; *each; each++) {
		struct sampler_target target = { &root, &nowhere, NULL };
		struct sampled sampled;

		/* sampled_open() asserts that the reason is given. */
		assert_true(sampled_open(&sampled, (*each)->name, &target) < 0);
	}
	root_close(&root);
	assert_int_equal(descriptors(), before);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(metrics_are_named_once_and_have_units),
		cmocka_unit_test(read_fills_every_metric_and_no_more),
		cmocka_unit_test(reads_allocate_nothing),
		cmocka_unit_test(samplers_are_found_by_name),
		cmocka_unit_test(what_was_opened_is_closed),
		cmocka_unit_test(a_machine_without_proc_has_no_samplers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
