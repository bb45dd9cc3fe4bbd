// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "machine.h"
#include "sampled.h"

static void open_sampler(struct sampled *sampled, const char *name, const struct root *root,
	const struct cgroup *cgroup)
{
	struct sampler_target target = { .root = root, .cgroup = cgroup };

	assert_int_equal(sampled_open(sampled, name, &target), 0);
	assert_int_equal(sampled_read(sampled), 0);
}

static void open_group(
	struct sampled *sampled, const struct root *root, const struct cgroup *cgroup)
{
	open_sampler(sampled, "cgroup", root, cgroup);
}

static void v2_gives_memory_events_io_and_pressure(void **state)
{
	static const struct cgroup cgroup = { .path = { "/sys/fs/cgroup/contend" } };
	struct sampled group;
	struct root root;

	(void)state;
	fixture_open(&root, "machine-v2-5.10");
	open_group(&group, &root, &cgroup);
	assert_int_equal(sampled_value(&group, "cpu.stat.usage_usec"), 54632859);
	assert_int_equal(sampled_value(&group, "cpu.stat.nr_throttled"), 3);
	assert_int_equal(sampled_value(&group, "memory.stat.anon"), 52428800);
	assert_int_equal(sampled_value(&group, "memory.stat.pgscan"), 201233);
	assert_int_equal(sampled_value(&group, "memory.current"), 157286400);
	assert_int_equal(sampled_value(&group, "memory.pressure.full"), 1012000);
	assert_false(sampled_has(&group, "cpu.pressure.full"));
	sampled_close(&group);
	open_sampler(&group, "limits", &root, &cgroup);
	assert_int_equal(sampled_value(&group, "memory.events.oom_kill"), 1);
	assert_false(sampled_has(&group, "memory.peak"));
	assert_false(sampled_has(&group, "memory.failcnt"));
	sampled_close(&group);
	root_close(&root);
}

static void v2_io_is_summed_without_zram(void **state)
{
	static const struct cgroup cgroup = { .path = { "/sys/fs/cgroup/contend" } };
	struct sampled group;
	struct root root;

	(void)state;
	fixture_open(&root, "machine-v2-5.10");
	open_group(&group, &root, &cgroup);
	assert_int_equal(sampled_value(&group, "io.stat.rbytes"), 1048576);
	assert_int_equal(sampled_value(&group, "io.stat.wios"), 200);
	assert_int_equal(sampled_value(&group, "io.stat.dbytes"), 4096);
	sampled_close(&group);
	root_close(&root);
}

static void v1_gives_whole_trees_and_io_without_volumes(void **state)
{
	static const struct cgroup cgroup = { .path = { "", "/sys/fs/cgroup/memory/contend",
						      "/sys/fs/cgroup/cpu,cpuacct/contend",
						      "/sys/fs/cgroup/blkio/contend" } };
	struct sampled group;
	struct root root;

	(void)state;
	fixture_open(&root, "machine-v1-4.18");
	open_group(&group, &root, &cgroup);
	assert_int_equal(sampled_value(&group, "memory.stat.total_rss"), 52428800);
	assert_false(sampled_has(&group, "memory.stat.rss"));
	assert_int_equal(sampled_value(&group, "cpuacct.usage_sys"), 800123456);
	/* 253:0 stands on 8:0, and 8:0 has what was sent to it. */
	assert_int_equal(
		sampled_value(&group, "blkio.throttle.io_service_bytes_recursive.Write"), 2500);
	assert_int_equal(sampled_value(&group, "blkio.throttle.io_serviced_recursive.Read"), 3);
	sampled_close(&group);
	open_sampler(&group, "limits", &root, &cgroup);
	assert_int_equal(sampled_value(&group, "memory.oom_control.oom_kill"), 3);
	assert_false(sampled_has(&group, "memory.oom_control.under_oom"));
	assert_int_equal(sampled_value(&group, "memory.failcnt"), 1024);
	assert_false(sampled_has(&group, "memory.memsw.failcnt"));
	sampled_close(&group);
	root_close(&root);
}

static void hybrid_gives_both_hierarchies(void **state)
{
	static const struct cgroup cgroup = {
		.path = { "/sys/fs/cgroup/unified/contend", "/sys/fs/cgroup/memory/contend",
			"/sys/fs/cgroup/cpuacct/contend", "/sys/fs/cgroup/blkio/contend" }
	};
	struct sampled group;
	struct root root;

	(void)state;
	fixture_open(&root, "machine-hybrid-6.18");
	open_group(&group, &root, &cgroup);
	assert_true(sampled_has(&group, "cpu.stat.user_usec"));
	assert_true(sampled_has(&group, "io.pressure.some"));
	/* The same time as cpu.stat's. */
	assert_false(sampled_has(&group, "cpuacct.usage_user"));
	assert_int_equal(
		sampled_value(&group, "blkio.throttle.io_service_bytes_recursive.Read"), 4096000);
	sampled_close(&group);
	open_sampler(&group, "limits", &root, &cgroup);
	assert_int_equal(sampled_value(&group, "memory.failcnt"), 184021);
	sampled_close(&group);
	root_close(&root);
}

static void io_of_a_group_that_did_none_is_zero(void **state)
{
	static const struct cgroup cgroup = { .path = { "/group" } };
	struct machine machine;
	struct sampled group;

	(void)state;
	machine_start(&machine);
	machine_write(&machine, "/group/io.stat", "");
	open_group(&group, &machine.root, &cgroup);
	assert_int_equal(sampled_value(&group, "io.stat.rbytes"), 0);
	/* Two devices, one without numbers yet; a controller's own words; a cut line. */
	machine_write(&machine, "/group/io.stat",
		"8:16 8:0 rbytes=4096 wbytes=1 rios=1 wios=1 dbytes=0 dios=0 cost.vrate=100.00 "
		"cost.usage=7\n8:32 rbytes=4 wbytes=");
	assert_int_equal(sampled_read(&group), 0);
	assert_int_equal(sampled_value(&group, "io.stat.rbytes"), 4100);
	assert_int_equal(sampled_value(&group, "io.stat.wbytes"), 1);
	sampled_close(&group);
	machine_stop(&machine);
}

static void a_role_without_a_group_has_no_sampler(void **state)
{
	struct sampler_target target = { 0 };
	struct sampled group;
	struct root root;

	(void)state;
	fixture_open(&root, "machine-v2-5.10");
	target.root = &root;
	assert_int_equal(sampled_open(&group, "cgroup", &target), -ENOENT);
	root_close(&root);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(v2_gives_memory_events_io_and_pressure),
		cmocka_unit_test(v2_io_is_summed_without_zram),
		cmocka_unit_test(v1_gives_whole_trees_and_io_without_volumes),
		cmocka_unit_test(hybrid_gives_both_hierarchies),
		cmocka_unit_test(io_of_a_group_that_did_none_is_zero),
		cmocka_unit_test(a_role_without_a_group_has_no_sampler),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
