// SPDX-License-Identifier: GPL-2.0-or-later
/* Boxes of this machine: what they limit, and that nothing is left of them, whatever ends them. */
#include "../unit/test.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/file.h"
#include "base/root.h"
#include "base/unit.h"
#include "box/box.h"
#include "cgroup/cgroup.h"
#include "record/wire.h"
#include "setting/setting.h"

#define SKIPPED 77

static struct root root;
static struct cgroup_tree tree;
static struct error err;
static char scratch[64], state_directory[80], swaps_before[4096];

/* Closed by stop(), so that a failed test leaves nothing. */
static struct journal *journal;
static struct box *box;

static const struct setting_place place = { .root = &root, .scratch = scratch, .swap_kind = "" };

static const struct box_config untyped = { .kind = BOX_CGROUP, .swap = UINT64_MAX };

static void say(void *data, const char *line)
{
	(void)data;
	print_message("# %s\n", line);
}

static const struct journal_watch watch = { say, NULL };

static int start(void **state)
{
	(void)state;
	/* Not /tmp, which may lie in RAM and then takes no swap file. */
	strcpy(scratch, "/var/tmp/contend-test-XXXXXX");
	assert_non_null(mkdtemp(scratch));
	snprintf(state_directory, sizeof(state_directory), "%s-state", scratch);
	setenv("CONTEND_JOURNAL", state_directory, 1);
	assert_true(root_read(&root, "/proc/swaps", swaps_before, sizeof(swaps_before)) > 0);
	return 0;
}

static bool group_of(pid_t pid, struct cgroup *ret_group)
{
	char name[64];

	snprintf(name, sizeof(name), "contend-%d", (int)pid);
	return cgroup_name(&tree, NULL, name, ret_group, NULL) == 0;
}

static bool group_exists(pid_t pid)
{
	static struct cgroup group;

	assert_true(group_of(pid, &group));
	for (int i = 0; i < CGROUP_HIERARCHIES; i++) {
		if (group.path[i][0] && root_exists(&root, group.path[i]))
			return true;
	}
	return false;
}

static void nothing_is_left(pid_t pid)
{
	char swaps[4096];
	struct stat st;

	assert_false(group_exists(pid));
	assert_true(root_read(&root, "/proc/swaps", swaps, sizeof(swaps)) > 0);
	assert_string_equal(swaps, swaps_before);
	/* "." and the name: no directory in it. */
	assert_int_equal(stat(scratch, &st), 0);
	assert_int_equal(st.st_nlink, 2);
	assert_int_equal(rmdir(scratch), 0);
	assert_int_equal(mkdir(scratch, 0700), 0);
}

static void close_box(void)
{
	box_close(box);
	journal_close(journal);
	box = NULL;
	journal = NULL;
}

static int stop(void **state)
{
	(void)state;
	close_box();
	journal_repair(&root, &watch, NULL);
	tree_remove(state_directory, NULL);
	return tree_remove(scratch, NULL);
}

static int try_box(const struct box_config *config)
{
	if (journal_open(&root, &journal, &watch, &err) < 0)
		fail_msg("%s", err.text);
	return box_open(config, &root, journal, scratch, &box, &err);
}

static void open_box(const struct box_config *config)
{
	if (try_box(config) < 0)
		fail_msg("%s", err.text);
	print_message("# %s\n", box_describe(box));
	for (const char *const *note = box_notes(box); *note; note++)
		print_message("# note: %s\n", *note);
}

static void the_default_box_holds_its_limits_and_leaves_nothing(void **state)
{
	static struct cgroup group;
	uint64_t ram, swap, ram_bound, swap_bound;
	unsigned cpus;

	(void)state;
	open_box(&untyped);
	box_sizes(box, &ram, &swap, &cpus);
	assert_true(group_of(getpid(), &group));
	assert_true(group_exists(getpid()));
	assert_int_equal(cgroup_bounds(&tree, &group, &ram_bound, &swap_bound, &err), 0);
	assert_int_equal(ram, ram_bound);
	assert_int_equal(swap, swap_bound);
	assert_true(ram <= 512 * MIB && swap <= GIB);
	close_box();
	nothing_is_left(getpid());
}

static void a_box_without_swap_has_none(void **state)
{
	struct box_config config = untyped;
	uint64_t ram, swap;
	unsigned cpus;

	(void)state;
	config.typed = true;
	config.mem = 64 * MIB;
	config.swap = 0;
	open_box(&config);
	box_sizes(box, &ram, &swap, &cpus);
	assert_int_equal(ram, 64 * MIB);
	assert_int_equal(swap, 0);
	assert_non_null(strstr(box_describe(box), "no swap"));
	close_box();
	nothing_is_left(getpid());
}

static void swap_to_zram_is_made_and_removed(void **state)
{
	struct box_config config = untyped;
	char swaps[4096];
	int r;

	(void)state;
	config.typed = true;
	config.mem = 64 * MIB;
	config.swap = 128 * MIB;
	config.swap_kind = BOX_SWAP_ZRAM;
	r = try_box(&config);
	if (r == -EOPNOTSUPP || r == -EPERM) {
		/* This machine's kernel has none: then it is an error, for it was asked for. */
		print_message("# %s\n", err.text);
	} else {
		if (r < 0)
			fail_msg("%s", err.text);
		print_message("# %s\n", box_describe(box));
		assert_true(root_read(&root, "/proc/swaps", swaps, sizeof(swaps)) > 0);
		assert_non_null(strstr(swaps, "/dev/zram"));
	}
	close_box();
	nothing_is_left(getpid());
}

/* A scratch that lacks the room is said before anything is written. */
static void swap_that_does_not_fit_says_what_is_needed_and_where(void **state)
{
	struct box_config config = untyped;

	(void)state;
	config.typed = true;
	config.swap = 1ULL << 50;
	assert_int_equal(try_box(&config), -ENOSPC);
	assert_non_null(strstr(err.text, "--scratch"));
	assert_non_null(strstr(err.text, scratch));
	close_box();
	nothing_is_left(getpid());
}

static int set_page_cluster(void)
{
	struct setting_place own = place;

	own.journal = journal;
	return setting_apply(&own, "vm.page-cluster", "1", NULL);
}

/* Opens the default box in a process of its own, has a process wait in it, and dies. */
static pid_t die_with_a_box(unsigned after_us)
{
	pid_t pid = fork();

	if (pid == 0) {
		static struct cgroup group;

		if (journal_open(&root, &journal, NULL, NULL) < 0 ||
			box_open(&untyped, &root, journal, scratch, &box, NULL) < 0 ||
			set_page_cluster() < 0)
			_exit(1);
		if (!after_us) {
			if (!group_of(getpid(), &group))
				_exit(1);
			if (fork() == 0) {
				cgroup_attach(&group, 0);
				pause();
				_exit(1);
			}
			while (cgroup_population(&group) < 1)
				usleep(1000);
			raise(SIGKILL);
		}
		pause();
		_exit(1);
	}
	if (after_us) {
		usleep(after_us);
		kill(pid, SIGKILL);
	}
	return pid;
}

static void what_a_killed_process_had_open_is_repaired(void **state)
{
	/* 0: when it stands and a load runs in it; else at whatever phase it has reached. */
	static const unsigned moments[] = { 0, 2000, 5000, 10000, 20000, 40000, 80000 };
	char before[64], after[64];

	(void)state;
	assert_int_equal(setting_read(&place, "vm.page-cluster", before, sizeof(before), &err), 0);
	for (size_t i = 0; i < ARRAY_SIZE(moments); i++) {
		pid_t pid = die_with_a_box(moments[i]);
		int status, r;

		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
		if (!moments[i])
			assert_true(group_exists(pid));
		r = journal_repair(&root, &watch, &err);
		if (r < 0)
			fail_msg("%s", err.text);
		nothing_is_left(pid);
		assert_int_equal(
			setting_read(&place, "vm.page-cluster", after, sizeof(after), &err), 0);
		assert_string_equal(after, before);
	}
}

static int find_setting(
	struct sink *sink, const char *key, char *value, size_t size, struct outcome *ret_outcome)
{
	struct wire wire = { .data = sink->data, .size = sink->used };
	struct record record;
	int r, found = -ENOENT;

	while ((r = wire_next(&wire, &record, &err)) > 0) {
		if (record.type == RECORD_OUTCOME)
			*ret_outcome = record.outcome;
		if (record.type == RECORD_ENVIRONMENT && !strcmp(record.name, key)) {
			snprintf(value, size, "%s", record.text);
			found = 0;
		}
	}
	return r < 0 ? r : found;
}

static void a_trial_runs_under_its_settings_which_are_put_back(void **state)
{
	struct assignment assignment = { .key = "vm.page-cluster", .value = "1" };
	struct variant variant = { .name = "small", .assignments = &assignment, .n = 1 };
	struct scenario scenario = {
		.name = "null",
		.deadline_ns = 10 * NS_PER_S,
		.interval_ns = 100 * NS_PER_MS,
	};
	struct trial trial = { .scenario = &scenario, .variant = &variant, .seed = 1 };
	struct trial_watch nobody = { 0 };
	struct outcome outcome = { .code = OUTCOME_CODES };
	struct box_config config = untyped;
	struct sink sink;
	char before[64], value[64], after[64];

	(void)state;
	config.typed = true;
	config.mem = 64 * MIB;
	config.swap = 0;
	assert_int_equal(part_parse("null", WORKLOAD_LEAD, &scenario.lead, &err), 0);
	strcpy(scenario.lead.role, "lead");
	assert_int_equal(setting_read(&place, "vm.page-cluster", before, sizeof(before), &err), 0);
	if (!strcmp(before, "1"))
		strcpy(assignment.value, "2");
	open_box(&config);
	assert_int_equal(sink_init(&sink, trial_record_size(&trial), &err), 0);
	if (box_conduct(box, &trial, &nobody, &sink, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(find_setting(&sink, "contend.setting.vm.page-cluster", value,
				 sizeof(value), &outcome),
		0);
	/* Void: the machine was disturbed meanwhile, which is none of the box's business. */
	if (outcome.code != OUTCOME_OK && outcome.code != OUTCOME_VOID)
		fail_msg("%s: %s", outcome_name(outcome.code), outcome.text);
	assert_string_equal(value, assignment.value);
	assert_int_equal(setting_read(&place, "vm.page-cluster", after, sizeof(after), &err), 0);
	assert_string_equal(after, before);
	sink_done(&sink);
	part_done(&scenario.lead);
	close_box();
	nothing_is_left(getpid());
}

/* Says why this machine cannot be tried. */
static int look(void)
{
	struct error why = { "" };

	if (root_open(&root, "/", &err) < 0 || cgroup_tree_read(&root, &tree, &why) < 0)
		return SKIPPED;
	if (geteuid() != 0) {
		print_message("skipped: only root can make swap\n");
		return SKIPPED;
	}
	if (tree.mode == CGROUP_NONE || !tree.memory) {
		print_message("skipped: %s\n", why.text);
		return SKIPPED;
	}
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(the_default_box_holds_its_limits_and_leaves_nothing),
		TEST(a_box_without_swap_has_none),
		TEST(swap_to_zram_is_made_and_removed),
		TEST(swap_that_does_not_fit_says_what_is_needed_and_where),
		TEST(what_a_killed_process_had_open_is_repaired),
		TEST(a_trial_runs_under_its_settings_which_are_put_back),
	};

	return look() ? SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
