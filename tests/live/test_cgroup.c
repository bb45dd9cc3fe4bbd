// SPDX-License-Identifier: GPL-2.0-or-later
/* Control groups of this machine: limits that hold, killing that reaches everyone, nothing left. */
#include "../unit/test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/root.h"
#include "base/unit.h"
#include "cgroup/cgroup.h"

#define SKIPPED 77
#define LIMIT (64 * MIB)

static struct root root;
/* All hierarchies, and v1 alone, where there is no cgroup.kill. */
static struct cgroup_tree trees[2];
static size_t n_trees;
static struct cgroup box, lead, load;
static struct error err;

#define must(call) \
	do { \
		if ((call) < 0) \
			fail_msg("%s: %s", #call, err.text); \
	} while (0)

static void make_box(const struct cgroup_tree *tree)
{
	char name[64];

	snprintf(name, sizeof(name), "contend-test-%d", (int)getpid());
	must(cgroup_name(tree, NULL, name, &box, &err));
	must(cgroup_make(&box, &err));
	must(cgroup_limit(&box, LIMIT, LIMIT, &err));
	must(cgroup_name(tree, &box, "lead", &lead, &err));
	must(cgroup_make(&lead, &err));
	must(cgroup_name(tree, &box, "load", &load, &err));
	must(cgroup_make(&load, &err));
}

static void box_is_gone(void)
{
	for (int i = 0; i < CGROUP_HIERARCHIES; i++)
		assert_false(box.path[i][0] && root_exists(&root, box.path[i]));
}

static int remove_box(void **state)
{
	(void)state;
	if (!box.tree)
		return 0;
	if (cgroup_remove(&box, &err) < 0) {
		print_error("%s\n", err.text);
		return -1;
	}
	memset(&box, 0, sizeof(box));
	return 0;
}

/* A process in the group that runs `body` (NULL: waits) and is ready when this returns. */
static pid_t start(const struct cgroup *cgroup, void (*body)(void))
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (cgroup_attach(cgroup, 0) < 0)
			_exit(99);
		close(ready[0]);
		if (write(ready[1], "", 1) != 1)
			_exit(98);
		close(ready[1]);
		if (body)
			body();
		for (;;)
			pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static int status_of(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void was_killed(pid_t pid)
{
	int status = status_of(pid);

	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
}

/* Until the group holds n processes, so that a fork(2) is known to have happened. */
static void wait_population(const struct cgroup *cgroup, int n)
{
	int64_t deadline = clock_now() + 10 * NS_PER_S;

	while (cgroup_population(cgroup) < n) {
		assert_true(clock_now() < deadline);
		clock_sleep_until(clock_now() + NS_PER_MS);
	}
}

static void limits_are_taken_and_bound_the_children(void **state)
{
	uint64_t machine_ram, machine_swap, ram, swap;

	(void)state;
	for (size_t i = 0; i < n_trees; i++) {
		const struct cgroup_tree *tree = &trees[i];

		make_box(tree);
		must(cgroup_bounds(tree, NULL, &machine_ram, &machine_swap, &err));
		must(cgroup_bounds(tree, &lead, &ram, &swap, &err));
		assert_true(machine_ram > LIMIT);
		assert_int_equal(ram, LIMIT);
		assert_int_equal(swap, machine_swap < LIMIT ? machine_swap : LIMIT);
		/* Up, down, and off again: each in the order that the kernel accepts. */
		must(cgroup_limit(&box, 2 * LIMIT, 4 * LIMIT, &err));
		must(cgroup_bounds(tree, &load, &ram, &swap, &err));
		assert_int_equal(ram, 2 * LIMIT);
		must(cgroup_limit(&box, LIMIT / 2, 0, &err));
		must(cgroup_bounds(tree, &load, &ram, &swap, &err));
		assert_int_equal(ram, LIMIT / 2);
		assert_int_equal(swap, 0);
		must(cgroup_limit(&box, UINT64_MAX, UINT64_MAX, &err));
		must(cgroup_bounds(tree, &load, &ram, &swap, &err));
		assert_int_equal(ram, machine_ram);
		must(cgroup_remove(&box, &err));
		box_is_gone();
	}
}

static void ignore_and_have_a_child(void)
{
	signal(SIGTERM, SIG_IGN);
	fork();
}

static void stop(void)
{
	raise(SIGSTOP);
}

/* Each process lives only to fork the next: a list of them is out of date when it is read. */
static void run_away(void)
{
	for (;;) {
		pid_t pid = fork();

		if (pid > 0)
			_exit(0);
	}
}

static void breed(void)
{
	for (;;)
		fork();
}

static void killing_reaches_everyone(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_trees; i++) {
		pid_t stubborn, stopped, plain;

		make_box(&trees[i]);
		stubborn = start(&lead, ignore_and_have_a_child);
		stopped = start(&load, stop);
		plain = start(&load, NULL);
		wait_population(&box, 4);
		assert_int_equal(cgroup_population(&lead), 2);
		must(cgroup_kill(&box, &err));
		assert_int_equal(cgroup_population(&box), 0);
		was_killed(stubborn);
		was_killed(stopped);
		was_killed(plain);
		must(cgroup_remove(&box, &err));
		box_is_gone();
	}
}

static void a_fork_loop_is_killed(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_trees; i++) {
		make_box(&trees[i]);
		for (int n = 0; n < 3; n++)
			status_of(start(&load, run_away));
		must(cgroup_remove(&box, &err));
		box_is_gone();
	}
}

static void a_fork_bomb_is_killed(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_trees; i++) {
		pid_t pid;

		make_box(&trees[i]);
		pid = start(&load, breed);
		wait_population(&box, 16);
		must(cgroup_remove(&box, &err));
		was_killed(pid);
		box_is_gone();
	}
}

static void groups_that_a_load_made_go_too(void **state)
{
	struct cgroup below, deeper;
	pid_t pid;

	(void)state;
	for (size_t i = 0; i < n_trees; i++) {
		make_box(&trees[i]);
		must(cgroup_name(&trees[i], &load, "below", &below, &err));
		must(cgroup_make(&below, &err));
		must(cgroup_name(&trees[i], &below, "deeper", &deeper, &err));
		must(cgroup_make(&deeper, &err));
		pid = start(&deeper, NULL);
		must(cgroup_remove(&load, &err));
		was_killed(pid);
		must(cgroup_remove(&box, &err));
		box_is_gone();
	}
}

static void burn_and_swell(void)
{
	int64_t end = clock_now() + 50 * NS_PER_MS;
	char *memory =
		mmap(NULL, 4 * LIMIT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	FILE *score = fopen("/proc/self/oom_score_adj", "w");

	if (!score || fputs("1000", score) < 0 || fclose(score) || memory == MAP_FAILED)
		_exit(97);
	while (clock_now() < end)
		;
	for (size_t at = 0; at < 4 * LIMIT; at += 4096)
		memory[at] = 1;
	_exit(0);
}

static void an_oom_kill_is_counted_where_it_happened_and_above(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_trees; i++) {
		struct cgroup_meter in_lead, in_load, in_box;
		struct cgroup_usage lead_used, load_used, box_used;

		make_box(&trees[i]);
		cgroup_meter_open(&in_box, &box);
		cgroup_meter_open(&in_lead, &lead);
		cgroup_meter_open(&in_load, &load);
		was_killed(start(&load, burn_and_swell));
		cgroup_meter_read(&in_lead, &lead_used);
		cgroup_meter_read(&in_load, &load_used);
		cgroup_meter_read(&in_box, &box_used);
		cgroup_meter_close(&in_box);
		cgroup_meter_close(&in_lead);
		cgroup_meter_close(&in_load);
		assert_int_equal(lead_used.oom_kills, 0);
		assert_int_equal(load_used.oom_kills, 1);
		assert_int_equal(box_used.oom_kills, 1);
		assert_true(box_used.reclaim_failures > 0);
		assert_true(box_used.memory_peak_bytes <= LIMIT);
		assert_true(box_used.memory_peak_bytes > LIMIT / 2);
		assert_true(load_used.user_ns + load_used.system_ns >= 20 * NS_PER_MS);
		assert_true(load_used.user_ns < NS_PER_S * 60);
		assert_int_equal(lead_used.user_ns + lead_used.system_ns, 0);
		assert_true(load_used.major_faults != UINT64_MAX);
		must(cgroup_remove(&box, &err));
		box_is_gone();
	}
}

static void a_path_alone_is_enough_to_remove_it(void **state)
{
	pid_t pid;

	(void)state;
	make_box(&trees[0]);
	pid = start(&lead, NULL);
	for (int i = 0; i < CGROUP_HIERARCHIES; i++) {
		if (box.path[i][0])
			must(cgroup_remove_path(&root, box.path[i], &err));
	}
	was_killed(pid);
	box_is_gone();
}

static void the_top_of_a_hierarchy_is_never_removed(void **state)
{
	(void)state;
	for (int i = 0; i < CGROUP_HIERARCHIES; i++) {
		if (trees[0].mount[i][0])
			assert_int_equal(
				cgroup_remove_path(&root, trees[0].mount[i], &err), -EINVAL);
	}
}

/* What the machine has to be: v1 memory, or v2 memory that can be handed down. */
static int look(void)
{
	struct error why = { "" };

	if (root_open(&root, "/", &why) < 0 || cgroup_tree_read(&root, &trees[0], &why) < 0 ||
		!trees[0].memory) {
		print_message("skipped: %s\n", why.text);
		return SKIPPED;
	}
	n_trees = 1;
	if (trees[0].mode == CGROUP_HYBRID) {
		trees[1] = trees[0];
		trees[1].mode = CGROUP_V1;
		trees[1].parent[CGROUP_UNIFIED][0] = '\0';
		n_trees = 2;
	}
	return 0;
}

#define TEST(name) cmocka_unit_test_teardown(name, remove_box)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(limits_are_taken_and_bound_the_children),
		TEST(killing_reaches_everyone),
		TEST(a_fork_loop_is_killed),
		TEST(a_fork_bomb_is_killed),
		TEST(groups_that_a_load_made_go_too),
		TEST(an_oom_kill_is_counted_where_it_happened_and_above),
		TEST(a_path_alone_is_enough_to_remove_it),
		TEST(the_top_of_a_hierarchy_is_never_removed),
	};

	return look() ? SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
