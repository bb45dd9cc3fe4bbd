// SPDX-License-Identifier: GPL-2.0-or-later
/* The box on recorded machines: no cgroups, little memory, read-only settings, no journal. */
#include "machine.h"

#include <sched.h>
#include <sys/stat.h>

#include "box/box.h"
#include "record/wire.h"

static struct machine machine;
static struct journal *journal;
static char scratch[PATH_MAX];
static struct error err;

static const struct box_config untyped = { .kind = BOX_CGROUP, .swap = UINT64_MAX };
static const struct box_config host = { .kind = BOX_HOST, .typed = true, .swap = UINT64_MAX };

static int start(void **state)
{
	char directory[PATH_MAX];

	(void)state;
	machine_start(&machine);
	machine_write(&machine, "/proc/sys/kernel/random/boot_id", "one\n");
	machine_write(&machine, "/proc/sys/vm/drop_caches", "");
	machine_write(&machine, "/proc/sys/vm/swappiness", "60");
	machine_write(&machine, "/proc/self/mountinfo", "");
	machine_write(&machine, "/proc/self/cgroup", "0::/\n");
	machine_write(&machine, "/proc/swaps",
		"Filename\tType\tSize\tUsed\tPriority\n/dev/zram0 partition\t2097152\t0\t100\n");
	machine_write(&machine, "/proc/meminfo",
		"MemTotal: 4194304 kB\nMemFree: 1000 kB\nMemAvailable: 524288 kB\n"
		"SwapTotal: 2097152 kB\nSwapFree: 1048576 kB\n");
	snprintf(directory, sizeof(directory), "%s/state", machine.directory);
	snprintf(scratch, sizeof(scratch), "%s/scratch", machine.directory);
	setenv("CONTEND_JOURNAL", directory, 1);
	assert_int_equal(journal_open(&machine.root, &journal, NULL, NULL), 0);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	journal_close(journal);
	machine_stop(&machine);
	return 0;
}

static struct box *open_box(const struct box_config *config)
{
	struct box *box;

	if (box_open(config, &machine.root, journal, scratch, &box, &err) < 0)
		fail_msg("%s", err.text);
	return box;
}

static bool has_note(const struct box *box, const char *text)
{
	for (const char *const *note = box_notes(box); *note; note++) {
		if (strstr(*note, text))
			return true;
	}
	return false;
}

static bool scratch_is_empty(void)
{
	/* "." and "..": a directory with none in it has two links. */
	struct stat st;

	return stat(scratch, &st) == 0 && st.st_nlink == 2;
}

static void a_host_that_was_named_has_the_machines_size(void **state)
{
	struct box *box = open_box(&host);
	uint64_t ram, swap;
	unsigned cpus;

	(void)state;
	box_sizes(box, &ram, &swap, &cpus);
	assert_int_equal(ram, 4 * GIB);
	assert_int_equal(swap, 2 * GIB);
	assert_true(cpus >= 1);
	assert_non_null(strstr(box_describe(box), "host, 4 GiB RAM + 2 GiB swap, "));
	assert_null(box_notes(box)[0]);
	box_close(box);
}

static void without_cgroups_the_host_is_scaled_down_and_the_box_says_so(void **state)
{
	struct box *box = open_box(&untyped);
	uint64_t ram, swap;
	unsigned cpus;

	(void)state;
	box_sizes(box, &ram, &swap, &cpus);
	assert_int_equal(ram, 256 * MIB);
	assert_int_equal(swap, 512 * MIB);
	assert_non_null(strstr(box_describe(box), "scaled down"));
	assert_true(has_note(box, "nothing is limited"));
	box_close(box);
}

static void a_cgroup_box_that_was_named_is_not_replaced(void **state)
{
	struct box_config config = untyped;
	struct box *box;

	(void)state;
	config.typed = true;
	assert_int_equal(
		box_open(&config, &machine.root, journal, scratch, &box, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "no cgroup box"));
	assert_true(scratch_is_empty());
}

static void a_guest_in_a_guest_is_refused(void **state)
{
	struct box_config config;
	struct box *box;

	(void)state;
	assert_int_equal(box_parse("vm:inside=vm", &config, &err), 0);
	assert_int_equal(box_open(&config, &machine.root, journal, scratch, &box, &err), -EINVAL);
	assert_non_null(strstr(err.text, "inside"));
}

static void a_guest_too_small_for_a_kernel_is_refused(void **state)
{
	struct box_config config;
	struct box *box;

	(void)state;
	assert_int_equal(box_parse("vm:mem=32M", &config, &err), 0);
	assert_int_equal(box_open(&config, &machine.root, journal, scratch, &box, &err), -EINVAL);
	assert_non_null(strstr(err.text, "96 MiB"));
}

static void one_cpu_of_many_is_the_first(void **state)
{
	struct box_config config = host;
	struct box *box;
	uint64_t ram, swap;
	unsigned cpus;

	(void)state;
	config.cpus = 1;
	box = open_box(&config);
	box_sizes(box, &ram, &swap, &cpus);
	assert_int_equal(cpus, 1);
	assert_non_null(strstr(box_describe(box), ", 1 CPU"));
	box_close(box);
}

static void more_cpus_than_are_allowed_are_scaled_down_and_noted(void **state)
{
	struct box_config config = host;
	struct box *box;

	(void)state;
	config.cpus = 1000000;
	box = open_box(&config);
	assert_true(has_note(box, "1000000"));
	box_close(box);
}

static void caches_that_cannot_be_dropped_are_noted(void **state)
{
	struct box *box;
	char path[PATH_MAX];

	(void)state;
	snprintf(path, sizeof(path), "%s/proc/sys/vm/drop_caches", machine.directory);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0755), 0);
	box = open_box(&host);
	assert_true(has_note(box, "caches cannot be dropped"));
	box_close(box);
}

static void the_runs_directory_is_private_and_goes_with_the_box(void **state)
{
	char path[PATH_MAX];
	struct stat st;
	struct box *box = open_box(&host);

	(void)state;
	assert_true(
		snprintf(path, sizeof(path), "%s/contend-%d/shelf", scratch, getpid()) < PATH_MAX);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	box_close(box);
	assert_true(scratch_is_empty());
}

static void a_directory_of_the_same_name_is_left_alone(void **state)
{
	char path[64], whole[PATH_MAX];
	struct stat st;
	struct box *box;

	(void)state;
	snprintf(path, sizeof(path), "/scratch/contend-%d/theirs", getpid());
	machine_write(&machine, path, "x");
	box = open_box(&host);
	box_close(box);
	snprintf(whole, sizeof(whole), "%s%s", machine.directory, path);
	assert_int_equal(stat(whole, &st), 0);
}

static void without_a_journal_there_is_a_box_and_a_note(void **state)
{
	struct box *box;

	(void)state;
	assert_int_equal(box_open(&untyped, &machine.root, NULL, scratch, &box, &err), 0);
	assert_true(has_note(box, "no undo journal"));
	box_close(box);
	assert_true(scratch_is_empty());
}

/* The outcome of a trial whose variant has one assignment that cannot be made. */
static struct outcome conduct(struct box *box, const char *key, const char *value)
{
	struct assignment assignment = { 0 };
	struct variant variant = { .name = "x", .assignments = &assignment, .n = 1 };
	struct trial trial = { .variant = &variant };
	struct outcome outcome = { 0 };
	struct record record;
	struct wire wire;
	struct sink sink;
	bool described = false;
	int r;

	snprintf(assignment.key, sizeof(assignment.key), "%s", key);
	snprintf(assignment.value, sizeof(assignment.value), "%s", value);
	assert_int_equal(sink_init(&sink, 65536, NULL), 0);
	sink_environment(&sink, "left", "over");
	assert_int_equal(box_conduct(box, &trial, NULL, &sink, &err), 0);
	wire = (struct wire) { .data = sink.data, .size = sink.used };
	while ((r = wire_next(&wire, &record, NULL)) > 0) {
		if (record.type == RECORD_OUTCOME)
			outcome = record.outcome;
		if (record.type == RECORD_ENVIRONMENT) {
			assert_string_not_equal(record.name, "left");
			described |= !strcmp(record.text, box_describe(box));
		}
	}
	assert_int_equal(r, 0);
	assert_int_equal(record.type, RECORD_END);
	assert_true(described);
	sink_done(&sink);
	return outcome;
}

static void a_setting_that_is_not_there_skips_the_trial(void **state)
{
	struct box *box = open_box(&host);
	struct outcome outcome = conduct(box, "vm.no-such", "1");

	(void)state;
	assert_int_equal(outcome.code, OUTCOME_SKIPPED);
	assert_non_null(strstr(outcome.text, "/proc/sys/vm/no-such"));
	box_close(box);
}

/* "55" over "100" leaves "550" in a plain file: to contend, a kernel that takes another value. */
static void a_setting_that_is_not_taken_skips_the_trial_and_is_put_back(void **state)
{
	struct box *box = open_box(&host);
	struct outcome outcome;

	(void)state;
	machine_write(&machine, "/proc/sys/vm/swappiness", "100");
	outcome = conduct(box, "vm.swappiness", "55");
	assert_int_equal(outcome.code, OUTCOME_SKIPPED);
	machine_expect(&machine, "/proc/sys/vm/swappiness", "100");
	box_close(box);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_host_that_was_named_has_the_machines_size),
		TEST(without_cgroups_the_host_is_scaled_down_and_the_box_says_so),
		TEST(a_cgroup_box_that_was_named_is_not_replaced),
		TEST(a_guest_in_a_guest_is_refused),
		TEST(a_guest_too_small_for_a_kernel_is_refused),
		TEST(one_cpu_of_many_is_the_first),
		TEST(more_cpus_than_are_allowed_are_scaled_down_and_noted),
		TEST(caches_that_cannot_be_dropped_are_noted),
		TEST(the_runs_directory_is_private_and_goes_with_the_box),
		TEST(a_directory_of_the_same_name_is_left_alone),
		TEST(without_a_journal_there_is_a_box_and_a_note),
		TEST(a_setting_that_is_not_there_skips_the_trial),
		TEST(a_setting_that_is_not_taken_skips_the_trial_and_is_put_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
