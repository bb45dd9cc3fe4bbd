// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine.h"

#include "cgroup/cgroup.h"

static struct machine machine;
static struct cgroup_tree tree;
static struct cgroup cgroup;

static int make(void **state)
{
	(void)state;
	memset(&tree, 0, sizeof(tree));
	memset(&cgroup, 0, sizeof(cgroup));
	machine_start(&machine);
	tree.root = &machine.root;
	tree.memory = true;
	cgroup.tree = &tree;
	return 0;
}

static int remove_it(void **state)
{
	(void)state;
	machine_stop(&machine);
	return 0;
}

static struct cgroup_usage measure(void)
{
	struct cgroup_meter meter;
	struct cgroup_usage usage;

	cgroup_meter_open(&meter, &cgroup);
	cgroup_meter_read(&meter, &usage);
	cgroup_meter_close(&meter);
	return usage;
}

static void v2_usage_is_read(void **state)
{
	struct cgroup_usage usage;

	(void)state;
	tree.mode = CGROUP_V2;
	strcpy(cgroup.path[CGROUP_UNIFIED], "/g");
	machine_write(&machine, "/g/cpu.stat",
		"usage_usec 30\nuser_usec 10\nsystem_usec 20\nnr_throttled 1\nthrottled_usec 5\n");
	machine_write(&machine, "/g/memory.stat", "anon 1\npgfault 9\npgmajfault 3\n");
	machine_write(&machine, "/g/memory.events", "low 0\nhigh 0\nmax 77\noom 2\noom_kill 1\n");
	machine_write(&machine, "/g/memory.current", "4096\n");
	machine_write(&machine, "/g/memory.peak", "8192\n");
	machine_write(&machine, "/g/memory.swap.current", "0\n");
	usage = measure();
	assert_int_equal(usage.user_ns, 10000);
	assert_int_equal(usage.system_ns, 20000);
	assert_int_equal(usage.throttled_ns, 5000);
	assert_int_equal(usage.major_faults, 3);
	assert_int_equal(usage.reclaim_failures, 77);
	assert_int_equal(usage.oom_kills, 1);
	assert_int_equal(usage.memory_bytes, 4096);
	assert_int_equal(usage.memory_peak_bytes, 8192);
	assert_int_equal(usage.swap_bytes, 0);
}

static void v1_usage_is_read(void **state)
{
	struct cgroup_usage usage;

	(void)state;
	tree.mode = CGROUP_V1;
	strcpy(cgroup.path[CGROUP_MEMORY], "/m");
	strcpy(cgroup.path[CGROUP_CPUACCT], "/c");
	machine_write(&machine, "/c/cpuacct.usage_user", "123\n");
	machine_write(&machine, "/c/cpuacct.usage_sys", "456\n");
	machine_write(&machine, "/m/memory.stat",
		"swap 1\npgmajfault 2\ntotal_swap 40960\ntotal_pgmajfault 9\n");
	machine_write(
		&machine, "/m/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
	machine_write(&machine, "/m/lead/memory.oom_control",
		"oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
	machine_write(&machine, "/m/memory.failcnt", "55\n");
	machine_write(&machine, "/m/memory.usage_in_bytes", "4096\n");
	machine_write(&machine, "/m/memory.memsw.usage_in_bytes", "16384\n");
	machine_write(&machine, "/m/memory.max_usage_in_bytes", "8192\n");
	usage = measure();
	assert_int_equal(usage.user_ns, 123);
	assert_int_equal(usage.system_ns, 456);
	assert_true(usage.throttled_ns == UINT64_MAX);
	assert_int_equal(usage.major_faults, 9);
	assert_int_equal(usage.swap_bytes, 12288);
	assert_int_equal(usage.reclaim_failures, 55);
	assert_int_equal(usage.oom_kills, 3);
	assert_int_equal(usage.memory_bytes, 4096);
	assert_int_equal(usage.memory_peak_bytes, 8192);
}

static void a_hybrid_group_takes_cpu_time_from_v2(void **state)
{
	struct cgroup_usage usage;

	(void)state;
	tree.mode = CGROUP_HYBRID;
	strcpy(cgroup.path[CGROUP_UNIFIED], "/g");
	strcpy(cgroup.path[CGROUP_CPUACCT], "/c");
	machine_write(&machine, "/g/cpu.stat", "usage_usec 3\nuser_usec 1\nsystem_usec 2\n");
	machine_write(&machine, "/c/cpuacct.usage_user", "123\n");
	usage = measure();
	assert_int_equal(usage.user_ns, 1000);
	assert_int_equal(usage.system_ns, 2000);
}

static void what_is_missing_is_absent_not_zero(void **state)
{
	static const enum cgroup_mode modes[] = { CGROUP_NONE, CGROUP_V1, CGROUP_V2 };
	struct cgroup_usage absent;

	(void)state;
	memset(&absent, 0xff, sizeof(absent));
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		struct cgroup_usage usage;

		tree.mode = modes[i];
		usage = measure();
		assert_memory_equal(&usage, &absent, sizeof(usage));
	}
}

static void more_groups_than_places_keep_the_own_count(void **state)
{
	char path[64];

	(void)state;
	tree.mode = CGROUP_V1;
	strcpy(cgroup.path[CGROUP_MEMORY], "/m");
	for (int i = 0; i < CGROUP_METER_GROUPS + 5; i++) {
		snprintf(path, sizeof(path), "/m/g%d/memory.oom_control", i);
		machine_write(&machine, path, "oom_kill 0\n");
	}
	machine_write(&machine, "/m/memory.oom_control", "oom_kill 7\n");
	assert_int_equal(measure().oom_kills, 7);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, remove_it)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(v2_usage_is_read),
		TEST(v1_usage_is_read),
		TEST(a_hybrid_group_takes_cpu_time_from_v2),
		TEST(what_is_missing_is_absent_not_zero),
		TEST(more_groups_than_places_keep_the_own_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
