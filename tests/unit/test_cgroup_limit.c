// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine.h"

#include "base/unit.h"
#include "cgroup/cgroup.h"

static struct machine machine;
static struct cgroup_tree tree;
static struct cgroup cgroup;
static struct error err;

#define V1_ENDLESS "9223372036854771712\n"

static int make(void **state)
{
	(void)state;
	memset(&tree, 0, sizeof(tree));
	memset(&cgroup, 0, sizeof(cgroup));
	machine_start(&machine);
	tree.root = &machine.root;
	tree.memory = true;
	cgroup.tree = &tree;
	machine_write(&machine, "/proc/meminfo",
		"MemTotal:        8388608 kB\nMemFree:         1 kB\nSwapTotal:       2097152 "
		"kB\n");
	return 0;
}

static int remove_it(void **state)
{
	(void)state;
	machine_stop(&machine);
	return 0;
}

static void v1(void)
{
	tree.mode = CGROUP_V1;
	strcpy(tree.mount[CGROUP_MEMORY], "/m");
	strcpy(tree.self[CGROUP_MEMORY], "/m/a/self");
	strcpy(cgroup.path[CGROUP_MEMORY], "/m/a/g");
	machine_write(&machine, "/m/memory.limit_in_bytes", V1_ENDLESS);
	machine_write(&machine, "/m/a/memory.limit_in_bytes", V1_ENDLESS);
	machine_write(&machine, "/m/a/memory.memsw.limit_in_bytes", V1_ENDLESS);
	machine_write(&machine, "/m/a/g/memory.limit_in_bytes", V1_ENDLESS);
	machine_write(&machine, "/m/a/g/memory.memsw.limit_in_bytes", V1_ENDLESS);
}

static void v2(void)
{
	tree.mode = CGROUP_V2;
	strcpy(tree.mount[CGROUP_UNIFIED], "/u");
	strcpy(tree.self[CGROUP_UNIFIED], "/u/a/self");
	strcpy(cgroup.path[CGROUP_UNIFIED], "/u/a/g");
	machine_write(&machine, "/u/a/memory.max", "max\n");
	machine_write(&machine, "/u/a/memory.swap.max", "max\n");
	machine_write(&machine, "/u/a/g/memory.max", "max\n");
	machine_write(&machine, "/u/a/g/memory.swap.max", "max\n");
}

static void bounds_are(const struct cgroup *of, uint64_t ram, uint64_t swap)
{
	uint64_t found_ram, found_swap;

	assert_int_equal(cgroup_bounds(&tree, of, &found_ram, &found_swap, &err), 0);
	assert_int_equal(found_ram, ram);
	assert_int_equal(found_swap, swap);
}

static void v1_limits_ram_and_the_sum(void **state)
{
	(void)state;
	v1();
	assert_int_equal(cgroup_limit(&cgroup, 64 * MIB, 32 * MIB, &err), 0);
	machine_expect_line(&machine, "/m/a/g/memory.limit_in_bytes", "67108864");
	machine_expect_line(&machine, "/m/a/g/memory.memsw.limit_in_bytes", "100663296");
	assert_int_equal(cgroup_limit(&cgroup, 128 * MIB, 128 * MIB, &err), 0);
	machine_expect_line(&machine, "/m/a/g/memory.limit_in_bytes", "134217728");
	machine_expect_line(&machine, "/m/a/g/memory.memsw.limit_in_bytes", "268435456");
	assert_int_equal(cgroup_limit(&cgroup, UINT64_MAX, UINT64_MAX, &err), 0);
	machine_expect_line(&machine, "/m/a/g/memory.limit_in_bytes", "-1");
	machine_expect_line(&machine, "/m/a/g/memory.memsw.limit_in_bytes", "-1");
}

static void v1_ram_without_a_swap_limit_is_ram_alone(void **state)
{
	(void)state;
	v1();
	assert_int_equal(cgroup_limit(&cgroup, 64 * MIB, UINT64_MAX, &err), 0);
	machine_expect_line(&machine, "/m/a/g/memory.limit_in_bytes", "67108864");
	machine_expect_line(&machine, "/m/a/g/memory.memsw.limit_in_bytes", "-1");
}

static void v1_without_swap_accounting_says_so_after_limiting_ram(void **state)
{
	(void)state;
	v1();
	assert_int_equal(unlinkat(machine.root.fd, "m/a/g/memory.memsw.limit_in_bytes", 0), 0);
	assert_int_equal(cgroup_limit(&cgroup, 64 * MIB, 32 * MIB, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "swap is not limited"));
	machine_expect_line(&machine, "/m/a/g/memory.limit_in_bytes", "67108864");
	assert_int_equal(cgroup_limit(&cgroup, 64 * MIB, UINT64_MAX, &err), 0);
}

static void v2_limits_each_by_itself(void **state)
{
	(void)state;
	v2();
	assert_int_equal(cgroup_limit(&cgroup, 512 * MIB, GIB, &err), 0);
	machine_expect_line(&machine, "/u/a/g/memory.max", "536870912");
	machine_expect_line(&machine, "/u/a/g/memory.swap.max", "1073741824");
	assert_int_equal(cgroup_limit(&cgroup, UINT64_MAX, 0, &err), 0);
	machine_expect_line(&machine, "/u/a/g/memory.max", "max");
	machine_expect_line(&machine, "/u/a/g/memory.swap.max", "0");
}

static void a_limit_that_was_not_taken_is_noticed(void **state)
{
	(void)state;
	v2();
	/* Takes every write and reads as it did before. */
	assert_int_equal(unlinkat(machine.root.fd, "u/a/g/memory.max", 0), 0);
	assert_int_equal(symlinkat("/dev/null", machine.root.fd, "u/a/g/memory.max"), 0);
	assert_int_equal(cgroup_limit(&cgroup, 512 * MIB, GIB, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "memory.max"));
}

static void a_machine_without_a_memory_controller_limits_nothing(void **state)
{
	(void)state;
	v2();
	tree.memory = false;
	assert_int_equal(cgroup_limit(&cgroup, 512 * MIB, UINT64_MAX, &err), -EOPNOTSUPP);
	assert_int_equal(cgroup_limit(&cgroup, UINT64_MAX, UINT64_MAX, &err), 0);
}

static void without_limits_the_machine_is_the_bound(void **state)
{
	(void)state;
	bounds_are(NULL, 8 * GIB, 2 * GIB);
	v1();
	bounds_are(&cgroup, 8 * GIB, 2 * GIB);
	v2();
	bounds_are(&cgroup, 8 * GIB, 2 * GIB);
}

static void the_tightest_v2_ancestor_is_the_bound(void **state)
{
	(void)state;
	v2();
	machine_write(&machine, "/u/a/memory.max", "1073741824\n");
	machine_write(&machine, "/u/a/memory.swap.max", "268435456\n");
	machine_write(&machine, "/u/a/g/memory.max", "2147483648\n");
	bounds_are(&cgroup, GIB, 256 * MIB);
	machine_write(&machine, "/u/a/g/memory.max", "536870912\n");
	machine_write(&machine, "/u/a/g/memory.swap.max", "0\n");
	bounds_are(&cgroup, 512 * MIB, 0);
	/* This process is in another group below the same ancestor. */
	bounds_are(NULL, GIB, 256 * MIB);
}

static void memory_high_bounds_too(void **state)
{
	(void)state;
	v2();
	machine_write(&machine, "/u/a/memory.high", "805306368\n");
	machine_write(&machine, "/u/a/g/memory.max", "1073741824\n");
	bounds_are(&cgroup, 768 * MIB, 2 * GIB);
}

static void v1_swap_is_what_the_sum_leaves(void **state)
{
	(void)state;
	v1();
	machine_write(&machine, "/m/a/g/memory.limit_in_bytes", "536870912\n");
	machine_write(&machine, "/m/a/g/memory.memsw.limit_in_bytes", "1610612736\n");
	bounds_are(&cgroup, 512 * MIB, GIB);
	/* The ancestor's sum is below the group's own RAM limit. */
	machine_write(&machine, "/m/a/memory.memsw.limit_in_bytes", "268435456\n");
	bounds_are(&cgroup, 256 * MIB, 0);
}

static void v1_limits_above_a_namespace_bound_too(void **state)
{
	(void)state;
	v1();
	machine_write(&machine, "/m/a/g/memory.stat",
		"cache 0\nhierarchical_memory_limit 1073741824\n"
		"hierarchical_memsw_limit 1342177280\ntotal_cache 0\n");
	bounds_are(&cgroup, GIB, 256 * MIB);
}

static void without_meminfo_there_are_no_bounds(void **state)
{
	uint64_t ram = 7, swap = 7;

	(void)state;
	assert_int_equal(unlinkat(machine.root.fd, "proc/meminfo", 0), 0);
	assert_int_equal(cgroup_bounds(&tree, NULL, &ram, &swap, &err), -ENOENT);
	assert_int_equal(ram, 7);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, remove_it)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(v1_limits_ram_and_the_sum),
		TEST(v1_ram_without_a_swap_limit_is_ram_alone),
		TEST(v1_without_swap_accounting_says_so_after_limiting_ram),
		TEST(v2_limits_each_by_itself),
		TEST(a_limit_that_was_not_taken_is_noticed),
		TEST(a_machine_without_a_memory_controller_limits_nothing),
		TEST(without_limits_the_machine_is_the_bound),
		TEST(the_tightest_v2_ancestor_is_the_bound),
		TEST(memory_high_bounds_too),
		TEST(v1_swap_is_what_the_sum_leaves),
		TEST(v1_limits_above_a_namespace_bound_too),
		TEST(without_meminfo_there_are_no_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
