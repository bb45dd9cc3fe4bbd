// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine.h"

#include "cgroup/cgroup.h"

static struct machine machine;
static struct cgroup_tree tree;
static struct error why;

static int make(void **state)
{
	(void)state;
	memset(&why, 0, sizeof(why));
	machine_start(&machine);
	return 0;
}

static int remove_it(void **state)
{
	(void)state;
	machine_stop(&machine);
	return 0;
}

static void mounted(const char *mountinfo, const char *own)
{
	machine_write(&machine, "/proc/self/mountinfo", mountinfo);
	machine_write(&machine, "/proc/self/cgroup", own);
}

/* A v2 group's own files; the top of the hierarchy has no cgroup.events. */
static void v2_group(
	const char *path, bool top, const char *controllers, const char *handed, const char *procs)
{
	char file[256];

	snprintf(file, sizeof(file), "%s/cgroup.controllers", path);
	machine_write(&machine, file, controllers);
	snprintf(file, sizeof(file), "%s/cgroup.subtree_control", path);
	machine_write(&machine, file, handed);
	snprintf(file, sizeof(file), "%s/cgroup.procs", path);
	machine_write(&machine, file, procs);
	snprintf(file, sizeof(file), "%s/cgroup.events", path);
	if (!top)
		machine_write(&machine, file, "populated 1\nfrozen 0\n");
}

static const char *own_pid(void)
{
	static char text[24];

	snprintf(text, sizeof(text), "%d\n", (int)getpid());
	return text;
}

/* The permissions of the recorded machine mean nothing to root. */
static void read_as_user(void)
{
	bool root = geteuid() == 0;

	if (root)
		assert_int_equal(seteuid(65534), 0);
	cgroup_tree_read(&machine.root, &tree, &why);
	if (root)
		assert_int_equal(seteuid(0), 0);
}

static void a_v1_machine_is_found(void **state)
{
	(void)state;
	mounted("30 23 0:26 / /sys/fs/cgroup ro,nosuid - tmpfs tmpfs ro,mode=755\n"
		"31 30 0:27 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup "
		"rw,cpu,cpuacct\n"
		"32 30 0:28 / /sys/fs/cgroup/memory rw shared:10 - cgroup cgroup rw,memory\n"
		"33 30 0:29 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd\n",
		"4:memory:/user/alice\n3:cpu,cpuacct:/\n1:name=systemd:/user.slice\n");
	machine_directory(&machine, "/sys/fs/cgroup/memory/user/alice");
	machine_directory(&machine, "/sys/fs/cgroup/cpu,cpuacct");
	assert_int_equal(cgroup_tree_read(&machine.root, &tree, &why), 0);
	assert_int_equal(tree.mode, CGROUP_V1);
	assert_true(tree.memory);
	assert_string_equal(tree.parent[CGROUP_MEMORY], "/sys/fs/cgroup/memory/user/alice");
	assert_string_equal(tree.mount[CGROUP_MEMORY], "/sys/fs/cgroup/memory");
	assert_string_equal(tree.parent[CGROUP_CPUACCT], "/sys/fs/cgroup/cpu,cpuacct");
	assert_string_equal(tree.parent[CGROUP_BLKIO], "");
	assert_string_equal(tree.mount[CGROUP_UNIFIED], "");
	assert_string_equal(why.text, "");
}

static void a_v2_machine_has_its_groups_at_the_top(void **state)
{
	(void)state;
	mounted("29 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n",
		"0::/system.slice/ssh.service\n");
	v2_group("/sys/fs/cgroup", true, "cpu io memory pids\n", "memory pids\n", "2\n3\n4\n");
	v2_group("/sys/fs/cgroup/system.slice/ssh.service", false, "memory pids\n", "", "77\n");
	cgroup_tree_read(&machine.root, &tree, &why);
	assert_int_equal(tree.mode, CGROUP_V2);
	assert_true(tree.memory);
	assert_string_equal(tree.parent[CGROUP_UNIFIED], "/sys/fs/cgroup");
	assert_string_equal(tree.self[CGROUP_UNIFIED], "/sys/fs/cgroup/system.slice/ssh.service");
}

static void a_hybrid_machine_has_memory_on_v1(void **state)
{
	(void)state;
	mounted("31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
		"33 31 0:30 / /sys/fs/cgroup/cpuacct rw - cgroup cgroup rw,cpuacct\n"
		"35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
		"38 31 0:35 / /sys/fs/cgroup/blkio rw - cgroup cgroup rw,blkio\n"
		"41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
		"7:blkio:/\n4:memory:/job/1\n2:cpuacct:/\n0::/\n");
	v2_group("/sys/fs/cgroup/unified", true, "hugetlb\n", "", "1\n");
	machine_directory(&machine, "/sys/fs/cgroup/memory/job/1");
	machine_directory(&machine, "/sys/fs/cgroup/cpuacct");
	machine_directory(&machine, "/sys/fs/cgroup/blkio");
	cgroup_tree_read(&machine.root, &tree, &why);
	assert_int_equal(tree.mode, CGROUP_HYBRID);
	assert_true(tree.memory);
	assert_string_equal(tree.parent[CGROUP_UNIFIED], "/sys/fs/cgroup/unified");
	assert_string_equal(tree.parent[CGROUP_MEMORY], "/sys/fs/cgroup/memory/job/1");
	assert_string_equal(tree.parent[CGROUP_CPUACCT], "/sys/fs/cgroup/cpuacct");
	assert_string_equal(tree.parent[CGROUP_BLKIO], "/sys/fs/cgroup/blkio");
}

static void escapes_in_mount_points_are_read(void **state)
{
	(void)state;
	mounted("29 23 0:26 / /mnt/my\\040groups\\134x rw - cgroup2 cgroup2 rw\n", "0::/\n");
	v2_group("/mnt/my groups\\x", true, "memory\n", "", "1\n");
	cgroup_tree_read(&machine.root, &tree, &why);
	assert_string_equal(tree.parent[CGROUP_UNIFIED], "/mnt/my groups\\x");
}

/* A container without a namespace: only its own part of the hierarchy is mounted. */
static void a_bind_mount_shows_the_own_group(void **state)
{
	(void)state;
	mounted("32 30 0:28 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
		"4:memory:/docker/abc/inner\n");
	machine_directory(&machine, "/sys/fs/cgroup/memory/inner");
	cgroup_tree_read(&machine.root, &tree, &why);
	assert_string_equal(tree.parent[CGROUP_MEMORY], "/sys/fs/cgroup/memory/inner");
	mounted("32 30 0:28 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
		"4:memory:/docker/abcd\n");
	cgroup_tree_read(&machine.root, &tree, &why);
	assert_string_equal(tree.parent[CGROUP_MEMORY], "/sys/fs/cgroup/memory");
}

static void a_container_alone_in_its_namespace_can_limit(void **state)
{
	(void)state;
	mounted("29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw,nsdelegate\n", "0::/\n");
	v2_group("/sys/fs/cgroup", false, "cpu io memory\n", "", own_pid());
	cgroup_tree_read(&machine.root, &tree, &why);
	assert_int_equal(tree.mode, CGROUP_V2);
	assert_string_equal(tree.parent[CGROUP_UNIFIED], "/sys/fs/cgroup");
	assert_true(tree.memory);
}

static void a_container_with_company_cannot_limit_and_says_why(void **state)
{
	(void)state;
	mounted("29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw,nsdelegate\n", "0::/\n");
	v2_group("/sys/fs/cgroup", false, "cpu io memory\n", "", "1\n2\n");
	cgroup_tree_read(&machine.root, &tree, &why);
	assert_int_equal(tree.mode, CGROUP_V2);
	assert_string_equal(tree.parent[CGROUP_UNIFIED], "/sys/fs/cgroup");
	assert_false(tree.memory);
	assert_non_null(strstr(why.text, "other processes"));
}

/* A mount from outside of the namespace, and a group outside of it. */
static void what_lies_outside_of_the_namespace_is_not_seen(void **state)
{
	(void)state;
	mounted("29 23 0:26 /../.. /sys/fs/cgroup rw - cgroup2 cgroup rw\n", "0::/\n");
	v2_group("/sys/fs/cgroup", false, "memory\n", "memory\n", "");
	cgroup_tree_read(&machine.root, &tree, &why);
	assert_string_equal(tree.self[CGROUP_UNIFIED], "/sys/fs/cgroup");
	mounted("29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n", "0::/../other\n");
	cgroup_tree_read(&machine.root, &tree, &why);
	assert_string_equal(tree.self[CGROUP_UNIFIED], "/sys/fs/cgroup");
}

#define USER "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service"

static void user_session(const char *own_procs)
{
	static const char *const locked[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/user.slice",
		"/sys/fs/cgroup/user.slice/user-1000.slice" };
	static const char *const given[] = { USER, USER "/app.slice", USER "/app.slice/run.scope" };
	char file[256];

	mounted("29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n",
		"0::/user.slice/user-1000.slice/user@1000.service/app.slice/run.scope\n");
	v2_group(locked[0], true, "cpu io memory\n", "memory\n", "1\n");
	v2_group(locked[1], false, "memory\n", "memory\n", "");
	v2_group(locked[2], false, "memory\n", "memory\n", "");
	v2_group(given[0], false, "memory\n", "memory\n", "");
	v2_group(given[1], false, "memory\n", "memory\n", "");
	v2_group(given[2], false, "memory\n", "", own_procs);
	for (size_t i = 0; i < ARRAY_SIZE(locked); i++) {
		snprintf(file, sizeof(file), "%s/cgroup.procs", locked[i]);
		machine_mode(&machine, file, 0444);
		machine_mode(&machine, locked[i], 0555);
	}
	for (size_t i = 0; i < ARRAY_SIZE(given); i++) {
		machine_mode(&machine, given[i], 0777);
		snprintf(file, sizeof(file), "%s/cgroup.procs", given[i]);
		machine_mode(&machine, file, 0666);
		snprintf(file, sizeof(file), "%s/cgroup.subtree_control", given[i]);
		machine_mode(&machine, file, 0666);
	}
}

static void a_user_alone_in_a_delegated_group_uses_it(void **state)
{
	(void)state;
	user_session(own_pid());
	read_as_user();
	assert_true(tree.memory);
	assert_string_equal(tree.parent[CGROUP_UNIFIED], USER "/app.slice/run.scope");
}

static void a_user_in_company_goes_up_to_where_memory_is_handed_down(void **state)
{
	(void)state;
	user_session("100\n200\n");
	read_as_user();
	assert_true(tree.memory);
	assert_string_equal(tree.parent[CGROUP_UNIFIED], USER "/app.slice");
}

static void a_user_in_the_leaf_already_stays_beside_it(void **state)
{
	(void)state;
	user_session("");
	v2_group(USER "/app.slice/run.scope/contend-supervisor", false, "memory\n", "", own_pid());
	mounted("29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
		"0::/user.slice/user-1000.slice/user@1000.service/app.slice/run.scope/"
		"contend-supervisor\n");
	read_as_user();
	assert_true(tree.memory);
	assert_string_equal(tree.parent[CGROUP_UNIFIED], USER "/app.slice/run.scope");
}

static void a_user_without_delegation_has_none_and_is_told_how(void **state)
{
	(void)state;
	user_session("100\n");
	mounted("29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
		"0::/user.slice/user-1000.slice\n");
	read_as_user();
	assert_int_equal(tree.mode, CGROUP_NONE);
	assert_false(tree.memory);
	assert_non_null(strstr(why.text, "Delegate=yes"));
}

static void no_cgroups_is_a_mode_not_a_failure(void **state)
{
	struct cgroup cgroup;
	struct error err;

	(void)state;
	assert_int_equal(cgroup_tree_read(&machine.root, &tree, &why), 0);
	assert_int_equal(tree.mode, CGROUP_NONE);
	assert_string_equal(why.text, "no control groups are mounted");
	assert_int_equal(cgroup_name(&tree, NULL, "contend-1", &cgroup, &err), -EOPNOTSUPP);
}

static void a_read_only_mount_is_not_used(void **state)
{
	(void)state;
	mounted("29 23 0:26 / /sys/fs/cgroup ro,nosuid - cgroup2 cgroup2 rw\n", "0::/\n");
	v2_group("/sys/fs/cgroup", true, "memory\n", "memory\n", "1\n");
	cgroup_tree_read(&machine.root, &tree, &why);
	assert_int_equal(tree.mode, CGROUP_NONE);
	assert_string_equal(tree.parent[CGROUP_UNIFIED], "");
	assert_string_equal(tree.mount[CGROUP_UNIFIED], "/sys/fs/cgroup");
	assert_non_null(strstr(why.text, "read-only"));
}

static void a_second_mount_that_can_be_written_is_preferred(void **state)
{
	(void)state;
	mounted("29 23 0:26 / /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n"
		"30 23 0:26 / /mnt/cgroup rw - cgroup2 cgroup2 rw\n",
		"0::/\n");
	v2_group("/sys/fs/cgroup", true, "memory\n", "memory\n", "1\n");
	v2_group("/mnt/cgroup", true, "memory\n", "memory\n", "1\n");
	cgroup_tree_read(&machine.root, &tree, &why);
	assert_string_equal(tree.parent[CGROUP_UNIFIED], "/mnt/cgroup");
}

static void a_disabled_memory_controller_is_named(void **state)
{
	(void)state;
	mounted("29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "0::/\n");
	v2_group("/sys/fs/cgroup", true, "cpu io\n", "", "1\n");
	cgroup_tree_read(&machine.root, &tree, &why);
	assert_int_equal(tree.mode, CGROUP_V2);
	assert_false(tree.memory);
	assert_non_null(strstr(why.text, "does not list memory"));
}

static void garbage_is_passed_over(void **state)
{
	(void)state;
	mounted("\n29\n29 23 0:26 / /x rw\n29 23 0:26 / /x rw - cgroup2\n- - - - - - - - -\n"
		"29 23 0:26 / /x\\04 rw - tmpfs tmpfs\n",
		"\n:\n::\n0\nmemory\n");
	assert_int_equal(cgroup_tree_read(&machine.root, &tree, &why), 0);
	assert_int_equal(tree.mode, CGROUP_NONE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, remove_it)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_v1_machine_is_found),
		TEST(a_v2_machine_has_its_groups_at_the_top),
		TEST(a_hybrid_machine_has_memory_on_v1),
		TEST(escapes_in_mount_points_are_read),
		TEST(a_bind_mount_shows_the_own_group),
		TEST(a_container_alone_in_its_namespace_can_limit),
		TEST(a_container_with_company_cannot_limit_and_says_why),
		TEST(what_lies_outside_of_the_namespace_is_not_seen),
		TEST(a_user_alone_in_a_delegated_group_uses_it),
		TEST(a_user_in_company_goes_up_to_where_memory_is_handed_down),
		TEST(a_user_in_the_leaf_already_stays_beside_it),
		TEST(a_user_without_delegation_has_none_and_is_told_how),
		TEST(no_cgroups_is_a_mode_not_a_failure),
		TEST(a_read_only_mount_is_not_used),
		TEST(a_second_mount_that_can_be_written_is_preferred),
		TEST(a_disabled_memory_controller_is_named),
		TEST(garbage_is_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
