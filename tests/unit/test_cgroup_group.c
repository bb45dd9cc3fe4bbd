// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine.h"

#include "cgroup/cgroup.h"

static struct machine machine;
static struct cgroup_tree tree;
static struct error err;

static int make(void **state)
{
	(void)state;
	memset(&tree, 0, sizeof(tree));
	machine_start(&machine);
	tree.root = &machine.root;
	return 0;
}

static int remove_it(void **state)
{
	(void)state;
	machine_stop(&machine);
	return 0;
}

static void hybrid(void)
{
	tree.mode = CGROUP_HYBRID;
	tree.memory = true;
	strcpy(tree.parent[CGROUP_UNIFIED], "/u");
	strcpy(tree.parent[CGROUP_MEMORY], "/m/own");
	machine_directory(&machine, "/u");
	machine_directory(&machine, "/m/own");
}

/* v2: the place has these controllers, of which some are handed down. */
static void v2(const char *handed)
{
	tree.mode = CGROUP_V2;
	tree.memory = true;
	strcpy(tree.parent[CGROUP_UNIFIED], "/u");
	machine_write(&machine, "/u/cgroup.controllers", "cpu io memory\n");
	machine_write(&machine, "/u/cgroup.subtree_control", handed);
	machine_write(&machine, "/u/cgroup.procs", "1\n2\n");
}

static bool there(const char *path)
{
	return root_exists(&machine.root, path);
}

static void a_name_is_a_path_in_each_hierarchy(void **state)
{
	struct cgroup box, lead;

	(void)state;
	hybrid();
	assert_int_equal(cgroup_name(&tree, NULL, "contend-7", &box, &err), 0);
	assert_int_equal(cgroup_name(&tree, &box, "lead", &lead, &err), 0);
	assert_string_equal(lead.path[CGROUP_UNIFIED], "/u/contend-7/lead");
	assert_string_equal(lead.path[CGROUP_MEMORY], "/m/own/contend-7/lead");
	assert_string_equal(lead.path[CGROUP_BLKIO], "");
	assert_false(there("/u/contend-7"));
	assert_int_equal(cgroup_name(&tree, &box, "a/b", &lead, &err), -EINVAL);
	assert_int_equal(cgroup_name(&tree, &box, "..", &lead, &err), -EINVAL);
	assert_int_equal(cgroup_name(&tree, &box, "", &lead, &err), -EINVAL);
	assert_string_equal(lead.path[CGROUP_UNIFIED], "/u/contend-7/lead");
}

static void groups_are_made_and_removed_in_each_hierarchy(void **state)
{
	struct cgroup box, lead;

	(void)state;
	hybrid();
	cgroup_name(&tree, NULL, "contend-7", &box, &err);
	cgroup_name(&tree, &box, "lead", &lead, &err);
	assert_int_equal(cgroup_make(&box, &err), 0);
	assert_int_equal(cgroup_make(&lead, &err), 0);
	assert_true(there("/u/contend-7/lead"));
	assert_true(there("/m/own/contend-7/lead"));
	assert_int_equal(cgroup_population(&box), 0);
	assert_int_equal(cgroup_remove(&box, &err), 0);
	assert_false(there("/u/contend-7"));
	assert_false(there("/m/own/contend-7"));
	assert_int_equal(cgroup_remove(&box, &err), 0);
}

static void a_group_that_is_there_leaves_nothing_half_made(void **state)
{
	struct cgroup box;

	(void)state;
	hybrid();
	machine_directory(&machine, "/m/own/contend-7");
	cgroup_name(&tree, NULL, "contend-7", &box, &err);
	assert_int_equal(cgroup_make(&box, &err), -EEXIST);
	assert_false(there("/u/contend-7"));
	assert_true(there("/m/own/contend-7"));
}

static void controllers_in_one_hierarchy_share_the_group(void **state)
{
	struct cgroup box;

	(void)state;
	hybrid();
	strcpy(tree.parent[CGROUP_CPUACCT], "/m/own");
	cgroup_name(&tree, NULL, "contend-7", &box, &err);
	assert_int_equal(cgroup_make(&box, &err), 0);
	assert_int_equal(cgroup_remove(&box, &err), 0);
	assert_false(there("/m/own/contend-7"));
}

static void attaching_writes_the_pid_in_each_hierarchy(void **state)
{
	struct cgroup box;

	(void)state;
	hybrid();
	cgroup_name(&tree, NULL, "contend-7", &box, &err);
	machine_write(&machine, "/u/contend-7/cgroup.procs", "");
	machine_write(&machine, "/m/own/contend-7/cgroup.procs", "");
	assert_int_equal(cgroup_attach(&box, 4194303), 0);
	machine_expect_line(&machine, "/u/contend-7/cgroup.procs", "4194303");
	machine_expect_line(&machine, "/m/own/contend-7/cgroup.procs", "4194303");
	assert_int_equal(unlinkat(machine.root.fd, "u/contend-7/cgroup.procs", 0), 0);
	assert_int_equal(cgroup_attach(&box, 0), -ENOENT);
}

static void population_counts_what_is_below(void **state)
{
	struct cgroup box;

	(void)state;
	hybrid();
	cgroup_name(&tree, NULL, "contend-7", &box, &err);
	machine_write(&machine, "/m/own/contend-7/cgroup.procs", "");
	machine_write(&machine, "/m/own/contend-7/lead/cgroup.procs", "11\n12\n");
	machine_write(&machine, "/m/own/contend-7/io/deeper/cgroup.procs", "0\n");
	assert_int_equal(cgroup_population(&box), 3);
}

static void a_group_with_contend_in_it_is_not_killed(void **state)
{
	struct cgroup box;
	char text[24];

	(void)state;
	hybrid();
	cgroup_name(&tree, NULL, "contend-7", &box, &err);
	snprintf(text, sizeof(text), "%d\n", (int)getpid());
	machine_write(&machine, "/m/own/contend-7/lead/cgroup.procs", text);
	assert_int_equal(cgroup_kill(&box, &err), -EINVAL);
	assert_int_equal(cgroup_remove(&box, &err), -EINVAL);
	assert_true(there("/m/own/contend-7/lead"));
}

static void v2_controllers_are_handed_down_and_taken_back(void **state)
{
	struct cgroup box;

	(void)state;
	v2("memory\n");
	cgroup_name(&tree, NULL, "contend-7", &box, &err);
	assert_int_equal(cgroup_make(&box, &err), 0);
	machine_expect_line(&machine, "/u/cgroup.subtree_control", "+io");
	machine_write(&machine, "/u/cgroup.subtree_control", "io memory\n");
	assert_false(there("/u/contend-supervisor"));
	assert_int_equal(cgroup_remove_path(&machine.root, "/u/contend-7", &err), 0);
	machine_expect_line(&machine, "/u/cgroup.subtree_control", "-io");
}

static void what_was_handed_down_before_stays_so(void **state)
{
	struct cgroup box;

	(void)state;
	v2("cpu io memory\n");
	cgroup_name(&tree, NULL, "contend-7", &box, &err);
	assert_int_equal(cgroup_make(&box, &err), 0);
	assert_int_equal(cgroup_remove(&box, &err), 0);
	machine_expect_line(&machine, "/u/cgroup.subtree_control", "cpu io memory");
}

static void controllers_stay_while_another_group_needs_them(void **state)
{
	struct cgroup box, other;

	(void)state;
	v2("memory\n");
	cgroup_name(&tree, NULL, "contend-7", &box, &err);
	cgroup_name(&tree, NULL, "contend-8", &other, &err);
	assert_int_equal(cgroup_make(&box, &err), 0);
	machine_write(&machine, "/u/cgroup.subtree_control", "io memory\n");
	assert_int_equal(cgroup_make(&other, &err), 0);
	assert_int_equal(cgroup_remove(&box, &err), 0);
	machine_expect_line(&machine, "/u/cgroup.subtree_control", "io memory");
}

/* In a delegated group contend makes room by stepping aside, and steps back at the end. */
static void a_delegated_group_is_left_for_a_leaf(void **state)
{
	struct cgroup box;
	char own[24];

	(void)state;
	snprintf(own, sizeof(own), "%d\n", (int)getpid());
	v2("");
	machine_write(&machine, "/u/cgroup.events", "populated 1\n");
	machine_write(&machine, "/u/cgroup.procs", own);
	machine_write(&machine, "/u/contend-supervisor/cgroup.procs", "");
	cgroup_name(&tree, NULL, "contend-7", &box, &err);
	assert_int_equal(cgroup_make(&box, &err), 0);
	machine_expect_line(&machine, "/u/contend-supervisor/cgroup.procs", "0");
	machine_write(&machine, "/u/contend-supervisor/cgroup.procs", own);
	machine_write(&machine, "/u/cgroup.procs", "");
	assert_int_equal(cgroup_remove(&box, &err), 0);
	machine_expect_line(&machine, "/u/cgroup.procs", "0");
}

static void a_group_whose_controllers_cannot_be_had_is_not_made(void **state)
{
	struct cgroup box;

	(void)state;
	v2("");
	assert_int_equal(unlinkat(machine.root.fd, "u/cgroup.subtree_control", 0), 0);
	cgroup_name(&tree, NULL, "contend-7", &box, &err);
	assert_int_equal(cgroup_make(&box, &err), -ENOENT);
	assert_false(there("/u/contend-7"));
}

static void only_groups_of_contend_are_removed_by_path(void **state)
{
	(void)state;
	machine_directory(&machine, "/u/contend-7/lead");
	machine_directory(&machine, "/u/system.slice");
	assert_int_equal(cgroup_remove_path(&machine.root, "/u", &err), -EINVAL);
	assert_int_equal(cgroup_remove_path(&machine.root, "/u/system.slice", &err), -EINVAL);
	assert_int_equal(
		cgroup_remove_path(&machine.root, "/u/contend-7/../system.slice", &err), -EINVAL);
	assert_int_equal(cgroup_remove_path(&machine.root, "/u/contend-7/..", &err), -EINVAL);
	assert_int_equal(cgroup_remove_path(&machine.root, "u/contend-7", &err), -EINVAL);
	assert_int_equal(cgroup_remove_path(&machine.root, "", &err), -EINVAL);
	assert_true(there("/u/system.slice"));
	assert_int_equal(cgroup_remove_path(&machine.root, "/u/contend-7", &err), 0);
	assert_false(there("/u/contend-7"));
	assert_int_equal(cgroup_remove_path(&machine.root, "/u/contend-7", &err), 0);
}

/* With the machine's own root, a directory of the right name is not enough. */
static void a_directory_of_another_filesystem_is_refused(void **state)
{
	char path[PATH_MAX];
	struct root root;

	(void)state;
	machine_directory(&machine, "/contend-7");
	snprintf(path, sizeof(path), "%s/contend-7", machine.directory);
	assert_int_equal(root_open(&root, "/", &err), 0);
	assert_int_equal(cgroup_remove_path(&root, path, &err), -EINVAL);
	assert_non_null(strstr(err.text, "not on a cgroup filesystem"));
	assert_true(there("/contend-7"));
	root_close(&root);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, remove_it)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_name_is_a_path_in_each_hierarchy),
		TEST(groups_are_made_and_removed_in_each_hierarchy),
		TEST(a_group_that_is_there_leaves_nothing_half_made),
		TEST(controllers_in_one_hierarchy_share_the_group),
		TEST(attaching_writes_the_pid_in_each_hierarchy),
		TEST(population_counts_what_is_below),
		TEST(a_group_with_contend_in_it_is_not_killed),
		TEST(v2_controllers_are_handed_down_and_taken_back),
		TEST(what_was_handed_down_before_stays_so),
		TEST(controllers_stay_while_another_group_needs_them),
		TEST(a_delegated_group_is_left_for_a_leaf),
		TEST(a_group_whose_controllers_cannot_be_had_is_not_made),
		TEST(only_groups_of_contend_are_removed_by_path),
		TEST(a_directory_of_another_filesystem_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
