// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every setting of this machine: changed, read back, put back, also after kill -9. A row that this
 * kernel lacks says so and is passed over; each that it has must be as it was afterwards.
 */
#include "../unit/test.h"

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/disk.h"
#include "base/file.h"
#include "base/root.h"
#include "base/unit.h"
#include "cgroup/cgroup.h"
#include "setting/setting.h"
#include "setting/swaps.h"

#define SKIPPED 77
#define DEBUG "/sys/kernel/debug"

/*
 * Values of each, all different, so that one at least is not in force already. A value that reads
 * otherwise is followed by how: "64M=67108864".
 */
static const struct {
	const char *name;
	const char *values[6];
} cases[] = {
	{ "swap", { "none", "file", "zram" } },
	{ "zram", { "off", "lzo:16M=lzo:16M:32767", "lz4:16M:5", "zstd:16M=zstd:16M:32767" } },
	{ "zswap", { "off", "lzo", "lz4", "zstd" } },
	{ "zswap.max_pool_percent", { "19", "21" } },
	{ "zswap.accept_threshold_percent", { "80", "85" } },
	{ "zswap.shrinker", { "yes", "no" } },
	{ "vm.swappiness", { "59", "61" } },
	{ "limit", { "32M", "50%=32M" } },
	{ "cpus", { "1", "2" } },
	{ "thp", { "never", "madvise", "always" } },
	{ "thp.defrag", { "defer", "madvise" } },
	{ "thp.shmem_enabled", { "never", "advise" } },
	{ "ksm", { "yes", "no" } },
	{ "mglru", { "no=0x0000", "0x0001" } },
	{ "mglru.min_ttl_ms", { "0", "100" } },
	{ "iosched", { "none", "mq-deadline", "bfq", "kyber" } },
	{ "readahead", { "128", "256" } },
	{ "preempt", { "none", "full", "voluntary", "lazy" } },
	{ "governor", { "performance", "powersave", "schedutil" } },
	{ "kernel", { "6.12" } }, /* only a guest can have another */
	{ "cmdline", { "quiet" } },
	{ "vm.page-cluster", { "1", "2" } },
	{ "vm.dirty_bytes", { "8388608", "16777216" } },
	{ "/sys/kernel/mm/ksm/sleep_millisecs", { "21", "22" } },
};

static struct root root;
static struct cgroup_tree tree;
static struct cgroup group;
static struct error err;
static char scratch[64], state_directory[80];
static struct journal *journal; /* closed by stop(), so that a failed test leaves nothing */

static void say(void *data, const char *line)
{
	(void)data;
	print_message("# %s\n", line);
}

static const struct journal_watch watch = { say, NULL };

/* The machine with a box of 64 MB of RAM and as much swap, where there can be one. */
static struct setting_place place_of(struct journal *of)
{
	return (struct setting_place) {
		.root = &root,
		.journal = of,
		.scratch = scratch,
		.group = tree.memory ? &group : NULL,
		.ram = 64 * MIB,
		.swap = 64 * MIB,
		.cpus = 2,
		.swap_kind = "",
	};
}

static int make_group(void)
{
	char name[64];
	int r;

	if (!tree.memory)
		return 0;
	snprintf(name, sizeof(name), "contend-test-%d", (int)getpid());
	r = cgroup_name(&tree, NULL, name, &group, &err);
	for (int i = 0; r == 0 && i < CGROUP_HIERARCHIES; i++) {
		if (group.path[i][0])
			r = journal_note(journal, UNDO_CGROUP, group.path[i], NULL, &err);
	}
	if (r == 0)
		r = cgroup_make(&group, &err);
	return r < 0 ? r : cgroup_limit(&group, 64 * MIB, 64 * MIB, NULL);
}

static int start(void **state)
{
	(void)state;
	/* Not /tmp, which may lie in RAM and then takes no swap file. */
	strcpy(scratch, "/var/tmp/contend-test-XXXXXX");
	assert_non_null(mkdtemp(scratch));
	snprintf(state_directory, sizeof(state_directory), "%s-state", scratch);
	setenv("CONTEND_JOURNAL", state_directory, 1);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	journal_close(journal);
	journal = NULL;
	journal_repair(&root, &watch, NULL);
	tree_remove(state_directory, NULL);
	return tree_remove(scratch, NULL);
}

static void open_journal(void)
{
	if (journal_open(&root, &journal, &watch, &err) < 0)
		fail_msg("%s", err.text);
}

static void read_setting(const char *name, char *buf, size_t size)
{
	struct setting_place place = place_of(NULL);

	if (setting_read(&place, name, buf, size, &err) < 0)
		snprintf(buf, size, "-");
}

/* "64M=67108864" -> how it is written, how it reads */
static void split(const char *value, char wanted[64], char reads[64])
{
	const char *equals = strchr(value, '=');

	snprintf(wanted, 64, "%.*s", (int)strcspn(value, "="), value);
	snprintf(reads, 64, "%s", equals ? equals + 1 : value);
}

static void try_value(const char *name, const char *value, unsigned *tried)
{
	struct setting_place place = place_of(journal);
	size_t mark = journal_mark(journal);
	char before[256], now[256], after[256], wanted[64], reads[64];

	split(value, wanted, reads);
	read_setting(name, before, sizeof(before));
	assert_int_equal(setting_check(&root, name, wanted, &err), 0);
	if (setting_apply(&place, name, wanted, &err) < 0) {
		print_message("# %s=%s: skipped: %s\n", name, wanted, err.text);
	} else {
		assert_int_equal(setting_read(&place, name, now, sizeof(now), &err), 0);
		if (strcmp(now, reads) != 0)
			fail_msg("%s=%s reads %s, not %s", name, wanted, now, reads);
		*tried += strcmp(before, now) != 0;
	}
	if (journal_undo(journal, mark, &err) < 0)
		fail_msg("%s=%s: %s", name, wanted, err.text);
	/* As the box does. */
	if (place.group && (place.ram != 64 * MIB || place.swap != 64 * MIB))
		assert_int_equal(cgroup_limit(&group, 64 * MIB, 64 * MIB, &err), 0);
	read_setting(name, after, sizeof(after));
	if (strcmp(before, after) != 0)
		fail_msg("%s was %s and is %s after %s", name, before, after, wanted);
}

static void each_setting_is_written_read_back_and_put_back(void **state)
{
	(void)state;
	open_journal();
	if (make_group() < 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		unsigned tried = 0;

		for (size_t j = 0; cases[i].values[j]; j++)
			try_value(cases[i].name, cases[i].values[j], &tried);
		print_message("# %s: changed %u times\n", cases[i].name, tried);
	}
}

static void every_row_is_tried(void **state)
{
	(void)state;
	for (const struct setting *const *each = setting_registry; *each; each++) {
		bool found = false;

		for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
			found |= !strcmp(cases[i].name, (*each)->name);
		if (!found)
			fail_msg("no case for %s", (*each)->name);
	}
}

/* Opens the journal, has `act` do something, and dies. */
static void die_after(int (*act)(struct setting_place *place, const char *name, const char *value),
	const char *name, const char *value)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		struct setting_place place;

		if (journal_open(&root, &journal, NULL, NULL) < 0)
			_exit(1);
		place = place_of(journal);
		place.group = NULL;
		act(&place, name, value);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
}

static int apply(struct setting_place *place, const char *name, const char *value)
{
	return setting_apply(place, name, value, NULL);
}

static int note(struct setting_place *place, const char *name, const char *value)
{
	char path[PATH_MAX];

	if (setting_path(name, path, sizeof(path), NULL) < 0)
		return -EINVAL;
	return journal_note(place->journal, UNDO_WRITE, path, value, NULL);
}

static void what_a_killed_process_changed_is_put_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char before[256], after[256], wanted[64], reads[64];

		for (size_t j = 0; cases[i].values[j]; j++) {
			split(cases[i].values[j], wanted, reads);
			read_setting(cases[i].name, before, sizeof(before));
			die_after(apply, cases[i].name, wanted);
			if (journal_repair(&root, NULL, &err) < 0)
				fail_msg("%s=%s: %s", cases[i].name, wanted, err.text);
			read_setting(cases[i].name, after, sizeof(after));
			if (strcmp(before, after) != 0)
				fail_msg("%s was %s and is %s", cases[i].name, before, after);
		}
	}
}

static void killed_before_the_write_there_is_nothing_to_put_back(void **state)
{
	char before[64], after[64];

	(void)state;
	read_setting("vm.page-cluster", before, sizeof(before));
	die_after(note, "vm.page-cluster", before);
	assert_int_equal(journal_repair(&root, &watch, &err), 0);
	read_setting("vm.page-cluster", after, sizeof(after));
	assert_string_equal(before, after);
}

static void of_two_at_once_the_second_is_refused_and_told_whom_it_waits_for(void **state)
{
	int ready[2];
	char text[32], byte;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		if (journal_open(&root, &journal, NULL, NULL) < 0 || write(ready[1], "", 1) != 1)
			_exit(1);
		pause();
		_exit(1);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(journal_open(&root, &journal, &watch, &err), -EBUSY);
	snprintf(text, sizeof(text), "%d", (int)pid);
	assert_non_null(strstr(err.text, text));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(ready[0]);
	close(ready[1]);
	open_journal();
}

/* The disk beneath scratch; false: there is none whose queue can be tried. */
static bool find_queue(char path[PATH_MAX])
{
	char disk[DISK_NAME_SIZE], scheduler[64];

	if (disk_of_path(&root, scratch, disk) < 0)
		return false;
	disk_file(path, disk, "queue/iosched/front_merges");
	read_setting("iosched", scheduler, sizeof(scheduler));
	return !strcmp(scheduler, "mq-deadline") && root_exists(&root, path);
}

static void what_a_scheduler_takes_along_comes_back_with_it(void **state)
{
	struct setting_place place;
	char tunable[PATH_MAX], requests[PATH_MAX], disk[DISK_NAME_SIZE], value[64];
	size_t mark;

	(void)state;
	if (!find_queue(tunable)) {
		print_message("# skipped: scratch is on no disk with mq-deadline\n");
		return;
	}
	open_journal();
	place = place_of(journal);
	disk_of_path(&root, scratch, disk);
	disk_file(requests, disk, "queue/nr_requests");
	assert_int_equal(setting_apply(&place, tunable, "0", &err), 0);
	assert_int_equal(setting_apply(&place, requests, "99", &err), 0);
	mark = journal_mark(journal);
	assert_int_equal(setting_apply(&place, "iosched", "none", &err), 0);
	assert_int_equal(journal_undo(journal, mark, &err), 0);
	assert_int_equal(setting_read(&place, tunable, value, sizeof(value), &err), 0);
	assert_string_equal(value, "0");
	assert_int_equal(setting_read(&place, requests, value, sizeof(value), &err), 0);
	assert_string_equal(value, "99");
	assert_int_equal(journal_undo(journal, 0, &err), 0);
}

/* In a mount namespace of its own; exits with 0 when the setting was refused for the reason. */
static int under_read_only_sysctls(void)
{
	struct setting_place place;
	struct error why = { "" };

	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		mount("/proc/sys", "/proc/sys", NULL, MS_BIND, NULL) < 0 ||
		mount(NULL, "/proc/sys", NULL, MS_BIND | MS_REMOUNT | MS_RDONLY, NULL) < 0)
		return SKIPPED;
	root_close(&root);
	if (root_open(&root, "/", NULL) < 0 || journal_open(&root, &journal, NULL, NULL) < 0)
		return 1;
	place = place_of(journal);
	if (setting_apply(&place, "vm.page-cluster", "1", &why) != -EOPNOTSUPP &&
		setting_apply(&place, "vm.page-cluster", "2", &why) != -EOPNOTSUPP)
		return 1;
	if (!strstr(why.text, "/proc/sys/vm/page-cluster cannot be set here"))
		return 1;
	return journal_undo(journal, 0, NULL) < 0;
}

static void read_only_sysctls_are_a_reason_to_skip(void **state)
{
	pid_t pid = fork();
	int status;

	(void)state;
	if (pid == 0)
		_exit(under_read_only_sysctls());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED)
		print_message("# skipped: no mount namespaces\n");
	else
		assert_int_equal(status, 0);
}

static void what_only_the_kernel_refuses_is_a_reason_to_skip(void **state)
{
	struct setting_place place;
	char before[64], after[64];

	(void)state;
	open_journal();
	place = place_of(journal);
	read_setting("vm.page-cluster", before, sizeof(before));
	assert_int_equal(setting_check(&root, "vm.page-cluster", "many", &err), 0);
	assert_int_equal(setting_apply(&place, "vm.page-cluster", "many", &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "does not accept many"));
	assert_int_equal(journal_undo(journal, 0, &err), 0);
	read_setting("vm.page-cluster", after, sizeof(after));
	assert_string_equal(before, after);
}

/* cgroup v1: a group that exists does not follow the sysctl. */
static void swappiness_holds_in_the_box(void **state)
{
	struct setting_place place;
	char path[PATH_MAX], value[64];

	(void)state;
	open_journal();
	if (make_group() < 0)
		fail_msg("%s", err.text);
	place = place_of(journal);
	assert_int_equal(setting_apply(&place, "vm.swappiness", "17", &err), 0);
	snprintf(path, sizeof(path), "%.4000s/memory.swappiness", group.path[CGROUP_MEMORY]);
	if (!group.path[CGROUP_MEMORY][0]) {
		print_message("# skipped: memory is not on cgroup v1\n");
		return;
	}
	assert_int_equal(root_read_line(&root, path, value, sizeof(value)), 0);
	assert_string_equal(value, "17");
}

static void a_box_without_swap_leaves_the_machines_on(void **state)
{
	struct setting_place place;
	char file[80];
	uint64_t ram, swap;

	(void)state;
	open_journal();
	if (make_group() < 0)
		fail_msg("%s", err.text);
	place = place_of(journal);
	assert_int_equal(setting_apply(&place, "swap", "file", &err), 0);
	snprintf(file, sizeof(file), "%s/swap", scratch);
	assert_int_equal(swaps_find(&root, file), 1);
	if (setting_apply(&place, "swap", "none", &err) < 0) {
		print_message("# skipped: %s\n", err.text);
	} else {
		assert_int_equal(cgroup_bounds(&tree, &group, &ram, &swap, &err), 0);
		assert_int_equal(swap, 0);
	}
	assert_int_equal(swaps_find(&root, file), 1);
	assert_int_equal(journal_undo(journal, 0, &err), 0);
	assert_int_equal(swaps_find(&root, file), 0);
}

/* The preemption model is in debugfs: this process sees one. */
static void mount_debugfs(void)
{
	struct stat st;

	if (stat(DEBUG "/sched", &st) == 0 || unshare(CLONE_NEWNS) < 0 ||
		mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		mount("debugfs", DEBUG, "debugfs", 0, NULL) < 0)
		return;
	print_message("# debugfs is mounted for this test\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_is_tried),
		TEST(each_setting_is_written_read_back_and_put_back),
		TEST(what_a_killed_process_changed_is_put_back),
		TEST(killed_before_the_write_there_is_nothing_to_put_back),
		TEST(of_two_at_once_the_second_is_refused_and_told_whom_it_waits_for),
		TEST(what_a_scheduler_takes_along_comes_back_with_it),
		TEST(read_only_sysctls_are_a_reason_to_skip),
		TEST(what_only_the_kernel_refuses_is_a_reason_to_skip),
		TEST(swappiness_holds_in_the_box),
		TEST(a_box_without_swap_leaves_the_machines_on),
	};

	if (geteuid() != 0) {
		print_message("skipped: settings are root's\n");
		return SKIPPED;
	}
	mount_debugfs();
	if (root_open(&root, "/", &err) < 0 || cgroup_tree_read(&root, &tree, &err) < 0)
		return SKIPPED;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
