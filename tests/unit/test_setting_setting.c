// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine.h"

#include "setting/setting.h"

#define SWAPPINESS "/proc/sys/vm/swappiness"
#define SCHEDULER "/sys/block/vda/queue/scheduler"

static struct machine machine;
static struct journal *journal;
static struct setting_place place;

static int start(void **state)
{
	char directory[PATH_MAX];

	(void)state;
	machine_start(&machine);
	machine_write(&machine, "/proc/sys/kernel/random/boot_id", "one\n");
	snprintf(directory, sizeof(directory), "%s/journal.d", machine.directory);
	setenv("CONTEND_JOURNAL", directory, 1);
	assert_int_equal(journal_open(&machine.root, &journal, NULL, NULL), 0);
	place = (struct setting_place) {
		.root = &machine.root,
		.journal = journal,
		.scratch = machine.directory,
		.swap_kind = "",
	};
	return 0;
}

static int stop(void **state)
{
	(void)state;
	journal_close(journal);
	machine_stop(&machine);
	return 0;
}

static void a_sysctl_is_found_by_its_name(void **state)
{
	char path[PATH_MAX];

	(void)state;
	assert_int_equal(setting_path("vm.page-cluster", path, sizeof(path), NULL), 0);
	assert_string_equal(path, "/proc/sys/vm/page-cluster");
	assert_int_equal(setting_path("net.ipv4.conf.eth0/7.mtu", path, sizeof(path), NULL), 0);
	assert_string_equal(path, "/proc/sys/net/ipv4/conf/eth0.7/mtu");
	assert_int_equal(setting_path("net/ipv4/conf/eth0.7/mtu", path, sizeof(path), NULL), 0);
	assert_string_equal(path, "/proc/sys/net/ipv4/conf/eth0.7/mtu");
	assert_int_equal(setting_path(SCHEDULER, path, sizeof(path), NULL), 0);
	assert_string_equal(path, SCHEDULER);
}

static void what_is_no_setting_is_refused(void **state)
{
	static const char *const wrong[] = {
		"zswap",
		"",
		"/etc/passwd",
		"/sys/../etc/passwd",
		"/proc/sys/../1/oom_score_adj",
		"/proc/1/oom_score_adj",
		"vm/../../1/oom_score_adj",
	};
	char path[PATH_MAX];
	struct error err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_int_equal(setting_path(wrong[i], path, sizeof(path), &err), -EINVAL);
}

static void a_setting_is_changed_and_put_back(void **state)
{
	size_t mark = journal_mark(journal);

	(void)state;
	machine_write(&machine, SWAPPINESS, "60");
	assert_int_equal(setting_apply(&place, "vm.swappiness", "10", NULL), 0);
	machine_expect(&machine, SWAPPINESS, "10");
	assert_int_equal(journal_undo(journal, mark, NULL), 0);
	machine_expect(&machine, SWAPPINESS, "60");
}

static void the_old_choice_is_what_is_journalled(void **state)
{
	char value[64];

	(void)state;
	/* A plain file keeps what is written, where the kernel would print the list again. */
	machine_write(&machine, SCHEDULER, "[none] x\n");
	assert_int_equal(setting_read(&place, SCHEDULER, value, sizeof(value), NULL), 0);
	assert_string_equal(value, "none");
	assert_int_equal(setting_apply(&place, SCHEDULER, "[x] none\n", NULL), -EOPNOTSUPP);
	assert_int_equal(journal_undo(journal, 0, NULL), -EIO);
	machine_write(&machine, SCHEDULER, "[none] x\n");
	assert_int_equal(journal_undo(journal, 0, NULL), 0);
}

static void a_value_in_force_already_is_left_alone(void **state)
{
	size_t mark = journal_mark(journal);

	(void)state;
	machine_write(&machine, SWAPPINESS, "60\n");
	assert_int_equal(setting_apply(&place, "vm.swappiness", "60", NULL), 0);
	assert_int_equal(journal_mark(journal), mark);
	machine_expect(&machine, SWAPPINESS, "60\n");
}

static void what_the_kernel_lacks_is_not_supported(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(setting_apply(&place, "vm.no-such", "1", &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "/proc/sys/vm/no-such"));
	assert_int_equal(setting_apply(&place, "swappiness", "1", &err), -EOPNOTSUPP);
}

static void nothing_is_changed_without_a_journal(void **state)
{
	(void)state;
	machine_write(&machine, SWAPPINESS, "60");
	place.journal = NULL;
	assert_int_equal(setting_apply(&place, "vm.swappiness", "10", NULL), -EOPNOTSUPP);
	machine_expect(&machine, SWAPPINESS, "60");
}

/* The kernel does not take vm.dirty_bytes = 0 back: writing the ratio sets it. */
static void of_two_spellings_the_one_in_force_is_put_back(void **state)
{
	(void)state;
	machine_write(&machine, "/proc/sys/vm/dirty_bytes", "0\n");
	machine_write(&machine, "/proc/sys/vm/dirty_ratio", "20\n");
	assert_int_equal(setting_apply(&place, "vm.dirty_bytes", "8192000", NULL), 0);
	machine_write(&machine, "/proc/sys/vm/dirty_ratio", "0\n");
	assert_int_equal(journal_undo(journal, 0, NULL), 0);
	machine_expect(&machine, "/proc/sys/vm/dirty_ratio", "20");
	machine_expect(&machine, "/proc/sys/vm/dirty_bytes", "8192000");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sysctl_is_found_by_its_name),
		cmocka_unit_test(what_is_no_setting_is_refused),
		cmocka_unit_test_setup_teardown(a_setting_is_changed_and_put_back, start, stop),
		cmocka_unit_test_setup_teardown(the_old_choice_is_what_is_journalled, start, stop),
		cmocka_unit_test_setup_teardown(
			a_value_in_force_already_is_left_alone, start, stop),
		cmocka_unit_test_setup_teardown(
			what_the_kernel_lacks_is_not_supported, start, stop),
		cmocka_unit_test_setup_teardown(nothing_is_changed_without_a_journal, start, stop),
		cmocka_unit_test_setup_teardown(
			of_two_spellings_the_one_in_force_is_put_back, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
