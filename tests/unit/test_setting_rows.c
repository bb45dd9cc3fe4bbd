// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rows of the registry on a machine of files, and what is said of mistakes. A plain file keeps
 * what is longer than what is written to it: values here are as long as those before.
 */
#include "machine.h"

#include "base/unit.h"
#include "setting/setting.h"

#define ZSWAP "/sys/module/zswap/parameters"
#define THP "/sys/kernel/mm/transparent_hugepage"
#define CPUFREQ "/sys/devices/system/cpu/cpufreq"

static struct machine machine;
static struct journal *journal;
static struct setting_place place;
static struct error err;

static int start(void **state)
{
	char directory[PATH_MAX];

	(void)state;
	machine_start(&machine);
	machine_write(&machine, "/proc/sys/kernel/random/boot_id", "one\n");
	machine_write(&machine, "/proc/sys/vm/swappiness", "60\n");
	machine_write(&machine, "/proc/sys/vm/page-cluster", "3\n");
	machine_write(&machine, "/proc/sys/net/ipv4/conf/eth0.7/forwarding", "0\n");
	machine_write(&machine, "/sys/block/vda/queue/scheduler", "[none] kyber\n");
	snprintf(directory, sizeof(directory), "%s/journal.d", machine.directory);
	setenv("CONTEND_JOURNAL", directory, 1);
	assert_int_equal(journal_open(&machine.root, &journal, NULL, NULL), 0);
	place = (struct setting_place) {
		.root = &machine.root,
		.journal = journal,
		.scratch = machine.directory,
		.ram = 64 * MIB,
		.swap = 64 * MIB,
		.cpus = 2,
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

static void expect_reads(const char *name, const char *text)
{
	char value[256];

	if (setting_read(&place, name, value, sizeof(value), &err) < 0)
		fail_msg("%s: %s", name, err.text);
	assert_string_equal(value, text);
}

static void apply(const char *name, const char *value)
{
	if (setting_apply(&place, name, value, &err) < 0)
		fail_msg("%s=%s: %s", name, value, err.text);
}

static void expect_mistake(const char *name, const char *value, const char *text)
{
	assert_int_equal(setting_check(&machine.root, name, value, &err), -EINVAL);
	assert_string_equal(err.text, text);
}

static void every_row_says_what_it_is(void **state)
{
	char values[256];

	(void)state;
	for (const struct setting *const *each = setting_registry; *each; each++) {
		const struct setting *row = *each;

		print_message("# %s\n", row->name);
		assert_ptr_equal(setting_find(row->name), row);
		assert_true(*row->summary && row->summary[strlen(row->summary) - 1] != '.');
		assert_true(strlen(setting_values(row, values, sizeof(values))) > 2);
		assert_true(row->words || row->check);
		assert_true(row->path || (row->read && row->apply));
		assert_true(!row->path || row->needs);
		for (const struct setting_word *word = row->words; word && word->word; word++)
			assert_int_equal(setting_check(NULL, row->name, word->word, &err), 0);
	}
}

static void a_row_is_found_however_its_file_is_spelled(void **state)
{
	(void)state;
	assert_ptr_equal(setting_find("vm/swappiness"), setting_find("vm.swappiness"));
	assert_ptr_equal(setting_find(THP "/enabled"), setting_find("thp"));
	assert_null(setting_find("vm.page-cluster"));
	assert_null(setting_find("thp.enabled"));
}

static void a_name_that_is_wrong_is_answered_with_the_nearest(void **state)
{
	(void)state;
	expect_mistake("zswp", "lzo", "no setting \"zswp\"; did you mean \"zswap\"?");
	expect_mistake("zswap.shrinkr", "yes",
		"no setting \"zswap.shrinkr\"; did you mean \"zswap.shrinker\"?");
	expect_mistake("vm.page-clustr", "0",
		"no setting \"vm.page-clustr\"; did you mean \"vm.page-cluster\"?");
	expect_mistake("vm/page_cluster", "0",
		"no setting \"vm/page_cluster\"; did you mean \"vm/page-cluster\"?");
	expect_mistake("vn.page-cluster", "0",
		"no setting \"vn.page-cluster\"; did you mean \"vm.page-cluster\"?");
	expect_mistake("net.ipv4.conf.eth1/7.forwarding", "0",
		"no setting \"net.ipv4.conf.eth1/7.forwarding\"; did you mean "
		"\"net.ipv4.conf.eth0/7.forwarding\"?");
	expect_mistake("/sys/block/vdb/queue/scheduler", "none",
		"no setting \"/sys/block/vdb/queue/scheduler\"; did you mean "
		"\"/sys/block/vda/queue/scheduler\"?");
	expect_mistake("colour", "red", "no setting \"colour\" (contend list settings)");
	expect_mistake("vm.colour", "red",
		"no setting \"vm.colour\": there is no /proc/sys/vm/colour (contend list "
		"settings)");
	expect_mistake("net.ipv4", "1", "\"net.ipv4\" is no setting, but a directory of them");
	assert_int_equal(setting_check(&machine.root, "/etc/passwd", "x", &err), -EINVAL);
}

static void a_value_that_no_kernel_knows_is_answered_with_those_that_there_are(void **state)
{
	(void)state;
	expect_mistake("thp", "alway",
		"thp: \"alway\" is none of always|madvise|never; did you mean \"always\"?");
	expect_mistake("thp", "", "thp: \"\" is none of always|madvise|never");
	expect_mistake("zswap.shrinker", "maybe", "zswap.shrinker: \"maybe\" is none of yes|no");
	expect_mistake("zswap.max_pool_percent", "101",
		"zswap.max_pool_percent: \"101\" is no number from 0 to 100");
	expect_mistake("zram", "lz44:1G", "zram: no compressor \"lz44\"; did you mean \"lz4\"?");
	expect_mistake("zram", "lz4:1G:9:9",
		"zram: \"lz4:1G:9:9\" is not off or ALGORITHM[:SIZE[:PRIORITY]]");
	expect_mistake("limit", "0", "limit: a box of no memory is none");
	expect_mistake(
		"mglru", "7x", "mglru: \"7x\" is neither yes nor no, nor bits such as 0x0007");
	/* A distribution may have schedulers and governors of its own. */
	assert_int_equal(setting_check(NULL, "iosched", "adios", &err), 0);
	assert_int_equal(setting_check(NULL, "iosched", "bqf", &err), -EINVAL);
}

static void another_kernel_may_have_other_sysctls(void **state)
{
	(void)state;
	assert_int_equal(setting_check(NULL, "vm.colour", "red", &err), 0);
	assert_int_equal(setting_check(NULL, "colour", "red", &err), -EINVAL);
}

static void what_a_kernel_without_it_lacks_is_said(void **state)
{
	char value[64];

	(void)state;
	assert_int_equal(setting_read(&place, "mglru", value, sizeof(value), &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "CONFIG_LRU_GEN"));
	assert_int_equal(setting_apply(&place, "preempt", "full", &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "debugfs"));
	assert_int_equal(setting_apply(&place, "governor", "performance", &err), -EOPNOTSUPP);
}

static void words_are_the_kernels_numbers(void **state)
{
	(void)state;
	machine_write(&machine, "/sys/kernel/mm/ksm/run", "0\n");
	expect_reads("ksm", "no");
	apply("ksm", "unmerge");
	machine_expect_line(&machine, "/sys/kernel/mm/ksm/run", "2");
	expect_reads("ksm", "unmerge");
	assert_int_equal(journal_undo(journal, 0, &err), 0);
	expect_reads("ksm", "no");
}

static void a_choice_in_parentheses_is_the_one_in_force(void **state)
{
	(void)state;
	machine_write(&machine, "/sys/kernel/debug/sched/preempt", "none voluntary (full) lazy \n");
	expect_reads("preempt", "full");
	apply("preempt", "full");
	machine_expect_line(
		&machine, "/sys/kernel/debug/sched/preempt", "none voluntary (full) lazy");
}

static void zswap_is_switched_on_with_its_compressor_and_off_before_it_changes_back(void **state)
{
	(void)state;
	machine_write(&machine, ZSWAP "/enabled", "N\n");
	machine_write(&machine, ZSWAP "/compressor", "lzo\n");
	expect_reads("zswap", "off");
	apply("zswap", "842");
	machine_expect_line(&machine, ZSWAP "/enabled", "Y");
	machine_expect_line(&machine, ZSWAP "/compressor", "842");
	expect_reads("zswap", "842");
	assert_int_equal(journal_undo(journal, 0, &err), 0);
	machine_expect_line(&machine, ZSWAP "/enabled", "N");
	machine_expect_line(&machine, ZSWAP "/compressor", "lzo");
	expect_reads("zswap", "off");
	apply("zswap", "off");
	assert_int_equal(journal_undo(journal, 0, &err), 0);
}

static void a_kernel_without_zswap_has_it_off(void **state)
{
	(void)state;
	apply("zswap", "off");
	expect_reads("zswap", "off");
	assert_int_equal(setting_apply(&place, "zswap", "lzo", &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "CONFIG_ZSWAP"));
}

static void the_governor_is_that_of_all_cpus(void **state)
{
	(void)state;
	machine_write(&machine, CPUFREQ "/policy0/scaling_governor", "powersave\n");
	machine_write(&machine, CPUFREQ "/policy2/scaling_governor", "schedutil\n");
	machine_write(&machine, CPUFREQ "/boost", "1\n");
	expect_reads("governor", "powersave schedutil");
	apply("governor", "schedutil");
	expect_reads("governor", "schedutil");
	machine_expect_line(&machine, CPUFREQ "/policy0/scaling_governor", "schedutil");
	assert_int_equal(journal_undo(journal, 0, &err), 0);
	expect_reads("governor", "powersave schedutil");
}

/* The recorded machine's scratch is on a volume, which is on a partition of sda. */
static void requests_are_scheduled_by_the_disk_and_read_ahead_by_the_volume(void **state)
{
	char path[PATH_MAX], value[64];
	struct root recorded CLEANUP(root_close) = { -1 };
	const struct setting_place there = { .root = &recorded, .scratch = "/home/user/scratch" };

	(void)state;
	snprintf(path, sizeof(path), "%s/tests/fixtures/machine-v1-4.18", getenv("SOURCE_ROOT"));
	assert_int_equal(root_open(&recorded, path, NULL), 0);
	assert_int_equal(root_read_line(&recorded, "/sys/block/sda/queue/scheduler", path, 64), 0);
	assert_int_equal(setting_read(&there, "iosched", value, sizeof(value), &err), 0);
	assert_non_null(strstr(path, value));
	assert_string_not_equal(value, "none");
	assert_int_equal(setting_read(&there, "readahead", value, sizeof(value), &err), 0);
	assert_int_equal(
		root_read_line(&recorded, "/sys/block/dm-0/queue/read_ahead_kb", path, 64), 0);
	assert_string_equal(value, path);
}

static void a_setting_that_vanishes_has_nothing_to_be_put_back(void **state)
{
	(void)state;
	apply("vm.page-cluster", "0");
	assert_int_equal(unlinkat(machine.root.fd, "proc/sys/vm/page-cluster", 0), 0);
	assert_int_equal(journal_undo(journal, 0, &err), 0);
}

static void a_box_has_no_more_cpus_for_a_variant_than_it_has(void **state)
{
	(void)state;
	expect_reads("cpus", "2");
	apply("cpus", "1");
	expect_reads("cpus", "1");
	assert_int_equal(place.cpus, 1);
	assert_int_equal(setting_apply(&place, "cpus", "3", &err), -EOPNOTSUPP);
}

static void without_limits_the_box_is_what_it_is(void **state)
{
	(void)state;
	expect_reads("limit", "64M");
	assert_int_equal(setting_apply(&place, "limit", "32M", &err), -EOPNOTSUPP);
	assert_int_equal(setting_apply(&place, "swap", "none", &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "not contend's to switch off"));
	place.swap = 0;
	apply("swap", "none");
	expect_reads("swap", "none");
	assert_int_equal(setting_apply(&place, "swap", "file", &err), -EOPNOTSUPP);
	apply("zram", "off");
	expect_reads("zram", "off");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_says_what_it_is),
		cmocka_unit_test(a_row_is_found_however_its_file_is_spelled),
		TEST(a_name_that_is_wrong_is_answered_with_the_nearest),
		TEST(a_value_that_no_kernel_knows_is_answered_with_those_that_there_are),
		cmocka_unit_test(another_kernel_may_have_other_sysctls),
		TEST(what_a_kernel_without_it_lacks_is_said),
		TEST(words_are_the_kernels_numbers),
		TEST(a_choice_in_parentheses_is_the_one_in_force),
		TEST(zswap_is_switched_on_with_its_compressor_and_off_before_it_changes_back),
		TEST(a_kernel_without_zswap_has_it_off),
		TEST(the_governor_is_that_of_all_cpus),
		cmocka_unit_test(requests_are_scheduled_by_the_disk_and_read_ahead_by_the_volume),
		TEST(a_setting_that_vanishes_has_nothing_to_be_put_back),
		TEST(a_box_has_no_more_cpus_for_a_variant_than_it_has),
		TEST(without_limits_the_box_is_what_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
