// SPDX-License-Identifier: GPL-2.0-or-later
/* The samplers of the whole system, on files that change between two reads. */
#include <stdio.h>

#include "base/unit.h"
#include "machine.h"
#include "sampled.h"

static struct machine machine;

static int start(void **state)
{
	(void)state;
	machine_start(&machine);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	machine_stop(&machine);
	return 0;
}

static void open_on(
	struct sampled *sampled, const struct root *root, const char *name, const char *scratch)
{
	struct sampler_target target = { .root = root, .scratch = scratch };

	assert_int_equal(sampled_open(sampled, name, &target), 0);
}

/* Opens it on the file as first written, then reads it as written second. */
static void open_then_read(struct sampled *sampled, const char *name, const char *path,
	const char *first, const char *second)
{
	machine_write(&machine, path, first);
	open_on(sampled, &machine.root, name, NULL);
	machine_write(&machine, path, second);
	assert_int_equal(sampled_read(sampled), 0);
}

static void lines_that_vanish_are_absent(void **state)
{
	struct sampled vmstat;

	(void)state;
	open_then_read(&vmstat, "vmstat", "/proc/vmstat", "pgfault 1\npgmajfault 2\npswpin 3\n",
		"pgfault 10\npswpin 30\n");
	assert_int_equal(sampled_value(&vmstat, "pgfault"), 10);
	assert_int_equal(sampled_value(&vmstat, "pgmajfault"), VALUE_ABSENT);
	assert_int_equal(sampled_value(&vmstat, "pswpin"), 30);
	machine_write(&machine, "/proc/vmstat", "pgfault 11\npgmajfault 21\npswpin 31\n");
	assert_int_equal(sampled_read(&vmstat), 0);
	assert_int_equal(sampled_value(&vmstat, "pgmajfault"), 21);
	sampled_close(&vmstat);
}

static void lines_that_move_keep_their_places(void **state)
{
	struct sampled vmstat;

	(void)state;
	open_then_read(&vmstat, "vmstat", "/proc/vmstat", "pgfault 1\npgmajfault 2\npswpin 3\n",
		"pswpin 30\nnew_one 7\npgmajfault 20\npgfault 10\n");
	assert_int_equal(vmstat.n, 3);
	assert_int_equal(sampled_value(&vmstat, "pgfault"), 10);
	assert_int_equal(sampled_value(&vmstat, "pgmajfault"), 20);
	assert_int_equal(sampled_value(&vmstat, "pswpin"), 30);
	sampled_close(&vmstat);
}

static void a_name_is_never_taken_for_one_that_begins_alike(void **state)
{
	struct sampled vmstat;

	(void)state;
	open_then_read(&vmstat, "vmstat", "/proc/vmstat", "swap_ra 1\nswap_ra_hit 2\n",
		"swap_ra_hit 20\n");
	assert_int_equal(sampled_value(&vmstat, "swap_ra"), VALUE_ABSENT);
	assert_int_equal(sampled_value(&vmstat, "swap_ra_hit"), 20);
	sampled_close(&vmstat);
}

static void numbers_saturate_and_cut_lines_are_absent(void **state)
{
	struct sampled vmstat;

	(void)state;
	open_then_read(&vmstat, "vmstat", "/proc/vmstat", "a 1\nb 2\nc 3\nd 4\n",
		"a 18446744073709551615\nb 99999999999999999999999\nc 9223372036854775807\nd");
	assert_int_equal(sampled_value(&vmstat, "a"), INT64_MAX);
	assert_int_equal(sampled_value(&vmstat, "b"), INT64_MAX);
	assert_int_equal(sampled_value(&vmstat, "c"), INT64_MAX);
	assert_int_equal(sampled_value(&vmstat, "d"), VALUE_ABSENT);
	sampled_close(&vmstat);
}

static void a_file_that_outgrows_its_room_is_a_missing_sample(void **state)
{
	char *large = malloc(MIB);
	struct sampled vmstat;

	(void)state;
	assert_non_null(large);
	memset(large, 'x', MIB - 1);
	large[MIB - 1] = '\0';
	machine_write(&machine, "/proc/vmstat", "pgfault 1\n");
	open_on(&vmstat, &machine.root, "vmstat", NULL);
	machine_write(&machine, "/proc/vmstat", large);
	assert_int_equal(sampled_read(&vmstat), -EFBIG);
	assert_int_equal(sampled_value(&vmstat, "pgfault"), VALUE_ABSENT);
	machine_write(&machine, "/proc/vmstat", "pgfault 2\n");
	assert_int_equal(sampled_read(&vmstat), 0);
	assert_int_equal(sampled_value(&vmstat, "pgfault"), 2);
	sampled_close(&vmstat);
	free(large);
}

static enum metric_kind kind_of(const struct sampled *sampled, const char *name)
{
	return sampled->metrics[sampled_place(sampled, name)].kind;
}

static const char *unit_of(const struct sampled *sampled, const char *name)
{
	return sampled->metrics[sampled_place(sampled, name)].unit;
}

static void levels_are_gauges_and_events_are_counters(void **state)
{
	struct sampled vmstat;
	struct root root;

	(void)state;
	fixture_open(&root, "machine-hybrid-6.18");
	open_on(&vmstat, &root, "vmstat", NULL);
	assert_int_equal(kind_of(&vmstat, "nr_free_pages"), METRIC_GAUGE);
	assert_int_equal(kind_of(&vmstat, "workingset_nodes"), METRIC_GAUGE);
	assert_int_equal(kind_of(&vmstat, "nr_dirtied"), METRIC_COUNTER);
	assert_int_equal(kind_of(&vmstat, "nr_vmscan_immediate_reclaim"), METRIC_COUNTER);
	assert_int_equal(kind_of(&vmstat, "allocstall_normal"), METRIC_COUNTER);
	assert_int_equal(kind_of(&vmstat, "pgpgin"), METRIC_COUNTER);
	assert_string_equal(unit_of(&vmstat, "pgpgin"), "KiB");
	assert_string_equal(unit_of(&vmstat, "pswpin"), "pages");
	assert_string_equal(unit_of(&vmstat, "nr_kernel_stack"), "KiB");
	sampled_close(&vmstat);
	root_close(&root);
}

static void every_line_of_vmstat_is_a_metric_of_that_name(void **state)
{
	char text[64 * KIB], *rest = text, *line;
	struct sampled vmstat;
	struct root root;
	size_t i = 0;

	(void)state;
	fixture_open(&root, "machine-v1-4.18");
	open_on(&vmstat, &root, "vmstat", NULL);
	assert_int_equal(sampled_read(&vmstat), 0);
	assert_true(root_read(&root, "/proc/vmstat", text, sizeof(text)) > 0);
	while ((line = strsep(&rest, "\n")) && *line) {
		char *value = strchr(line, ' ');

		*value++ = '\0';
		assert_string_equal(vmstat.metrics[i].name, line);
		assert_int_equal(vmstat.values[i], strtoll(value, NULL, 10));
		i++;
	}
	assert_int_equal(i, vmstat.n);
	sampled_close(&vmstat);
	root_close(&root);
}

static void meminfo_is_in_bytes_but_for_huge_pages(void **state)
{
	struct sampled meminfo;

	(void)state;
	open_then_read(&meminfo, "meminfo", "/proc/meminfo",
		"MemTotal:  4 kB\nActive(anon): 1 kB\nHugePages_Free: 0\n",
		"MemTotal:  5 kB\nActive(anon): 34359738367 kB\nHugePages_Free: 3\n");
	assert_int_equal(sampled_value(&meminfo, "MemTotal"), 5 * KIB);
	assert_int_equal(sampled_value(&meminfo, "Active(anon)"), 34359738367 * KIB);
	assert_int_equal(sampled_value(&meminfo, "HugePages_Free"), 3);
	assert_string_equal(unit_of(&meminfo, "MemTotal"), "bytes");
	assert_string_equal(unit_of(&meminfo, "HugePages_Free"), "huge pages");
	sampled_close(&meminfo);
}

static void cpu_time_is_in_ns_and_only_as_far_as_the_kernel_has_it(void **state)
{
	int64_t tick = NS_PER_S / sysconf(_SC_CLK_TCK);
	struct sampled stat;

	(void)state;
	open_then_read(&stat, "stat", "/proc/stat",
		"cpu  1 2 3 4 5 6 7 8\ncpu0 1 2 3 4 5 6 7 8\nintr 9 1 8\nctxt 5\nbtime 1\n"
		"processes 6\nprocs_running 1\nprocs_blocked 0\n",
		/* A CPU went offline. */
		"cpu  10 2 3 4 5 6 7 80\nintr 90 1 8\nctxt 50\nbtime 1\n"
		"processes 60\nprocs_running 2\nprocs_blocked 1\nsoftirq 5 5\n");
	assert_int_equal(sampled_value(&stat, "user"), 10 * tick);
	assert_int_equal(sampled_value(&stat, "steal"), 80 * tick);
	assert_false(sampled_has(&stat, "guest"));
	assert_int_equal(sampled_value(&stat, "intr"), 90);
	assert_int_equal(sampled_value(&stat, "ctxt"), 50);
	assert_int_equal(sampled_value(&stat, "processes"), 60);
	assert_int_equal(sampled_value(&stat, "procs_running"), 2);
	assert_int_equal(sampled_value(&stat, "procs_blocked"), 1);
	assert_int_equal(stat.n, 8 + 5);
	sampled_close(&stat);
}

static void pressure_is_read_by_label(void **state)
{
	struct sampled psi;

	(void)state;
	machine_write(&machine, "/proc/pressure/irq", "full avg10=0.00 total=7\n");
	machine_write(&machine, "/proc/pressure/io", "");
	open_then_read(&psi, "psi", "/proc/pressure/memory",
		"some avg10=0.00 avg60=0.00 avg300=0.00 total=1\n"
		"full avg10=0.00 avg60=0.00 avg300=0.00 total=2\n",
		"full avg10=9.00 total=20 avg60=0.00\nsome avg10=99.00 new=3 total=10\n");
	assert_int_equal(psi.n, 3);
	assert_int_equal(sampled_value(&psi, "memory.some"), 10 * NS_PER_US);
	assert_int_equal(sampled_value(&psi, "memory.full"), 20 * NS_PER_US);
	assert_int_equal(sampled_value(&psi, "irq.full"), 7 * NS_PER_US);
	machine_write(&machine, "/proc/pressure/memory", "some total=11\n");
	assert_int_equal(sampled_read(&psi), 0);
	assert_int_equal(sampled_value(&psi, "memory.some"), 11 * NS_PER_US);
	assert_int_equal(sampled_value(&psi, "memory.full"), VALUE_ABSENT);
	sampled_close(&psi);
}

static void pressure_without_full_has_no_full(void **state)
{
	struct sampled psi;
	struct root root;

	(void)state;
	fixture_open(&root, "machine-v2-5.10");
	open_on(&psi, &root, "psi", NULL);
	assert_true(sampled_has(&psi, "cpu.some"));
	assert_false(sampled_has(&psi, "cpu.full"));
	assert_true(sampled_has(&psi, "io.full"));
	assert_false(sampled_has(&psi, "irq.full"));
	sampled_close(&psi);
	root_close(&root);
}

static void whole_disks_are_sampled_and_the_volume_beneath_scratch(void **state)
{
	struct sampled disks;
	struct root root;

	(void)state;
	fixture_open(&root, "machine-v1-4.18");
	open_on(&disks, &root, "diskstats", "/scratch");
	assert_int_equal(sampled_read(&disks), 0);
	assert_int_equal(sampled_value(&disks, "sda.reads"), 20123);
	assert_int_equal(sampled_value(&disks, "sda.read_bytes"), 1820344LL * 512);
	assert_int_equal(sampled_value(&disks, "sda.write_ns"), 120344 * NS_PER_MS);
	assert_int_equal(sampled_value(&disks, "sda.discards"), 0);
	assert_false(sampled_has(&disks, "sda.flushes"));
	assert_int_equal(kind_of(&disks, "sda.in_flight"), METRIC_GAUGE);
	/* dm-0 holds scratch, dm-1 is swapped to. */
	assert_true(sampled_has(&disks, "dm-0.reads"));
	assert_true(sampled_has(&disks, "dm-1.reads"));
	assert_false(sampled_has(&disks, "sda2.reads"));
	assert_false(sampled_has(&disks, "sr0.reads"));
	sampled_close(&disks);
	root_close(&root);
}

static void zram_is_sampled_when_it_is_set_up(void **state)
{
	struct sampled disks;
	struct root root;

	(void)state;
	fixture_open(&root, "machine-v2-5.10");
	open_on(&disks, &root, "diskstats", "/tmp/contend");
	assert_true(sampled_has(&disks, "zram0.writes"));
	assert_int_equal(disks.n, 2 * 17);
	sampled_close(&disks);
	root_close(&root);
	fixture_open(&root, "machine-hybrid-6.18");
	open_on(&disks, &root, "diskstats", "/scratch");
	assert_true(sampled_has(&disks, "vda.writes"));
	assert_int_equal(disks.n, 17);
	sampled_close(&disks);
	root_close(&root);
}

static void zram_is_summed_over_its_devices(void **state)
{
	struct sampled zram;

	(void)state;
	machine_directory(&machine, "/sys/block/sda");
	machine_write(&machine, "/sys/block/zram0/disksize", "4096\n");
	machine_write(&machine, "/sys/block/zram1/disksize", "8192\n");
	machine_write(&machine, "/sys/block/zram2/disksize", "0\n");
	machine_write(&machine, "/sys/block/zram2/mm_stat", "9 9 9 9 9 9 9\n");
	machine_write(&machine, "/sys/block/zram0/mm_stat", "  100  40  50  0  60  7  0  2  1\n");
	/* Before 4.19. */
	open_then_read(&zram, "zram", "/sys/block/zram1/mm_stat", "0 0 0 0 0 0 0\n",
		"1000 400 500 0 600 70 3\n");
	assert_int_equal(sampled_value(&zram, "original"), 1100);
	assert_int_equal(sampled_value(&zram, "used"), 550);
	assert_int_equal(sampled_value(&zram, "used_most"), 660);
	assert_int_equal(sampled_value(&zram, "same_pages"), 77);
	assert_int_equal(sampled_value(&zram, "huge_pages"), 2);
	sampled_close(&zram);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(lines_that_vanish_are_absent),
		TEST(lines_that_move_keep_their_places),
		TEST(a_name_is_never_taken_for_one_that_begins_alike),
		TEST(numbers_saturate_and_cut_lines_are_absent),
		TEST(a_file_that_outgrows_its_room_is_a_missing_sample),
		TEST(levels_are_gauges_and_events_are_counters),
		TEST(every_line_of_vmstat_is_a_metric_of_that_name),
		TEST(meminfo_is_in_bytes_but_for_huge_pages),
		TEST(cpu_time_is_in_ns_and_only_as_far_as_the_kernel_has_it),
		TEST(pressure_is_read_by_label),
		TEST(pressure_without_full_has_no_full),
		TEST(whole_disks_are_sampled_and_the_volume_beneath_scratch),
		TEST(zram_is_sampled_when_it_is_set_up),
		TEST(zram_is_summed_over_its_devices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
