// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include "vm/job.h"

static struct error err;

static const struct job_disk disk = {
	.model = { VM_DISK_DELAY, 2000000 },
	.swap_bytes = 1 << 30,
	.scratch_bytes = 1 << 20,
	.tools_bytes = 1 << 21,
};

static struct assignment assignments[] = {
	{ .key = "vm.swappiness", .value = "10" },
	{ .key = "kernel", .value = "debian:sid" },
	{ .key = "cmdline", .value = "mitigations=off" },
	{ .key = "zswap", .value = "lzo=\\2\nx" },
};
static struct variant variant = { "odd name", assignments, 4 };
static struct scenario scenario = {
	.name = "null+mem",
	.n_loads = 2,
	.cold = true,
	.deadline_ns = 5000000000,
	.lead_in_ns = 7,
	.interval_ns = 100000000,
	.steal = 40,
};
static const struct trial trial = { &scenario, &variant, 3, 14, UINT64_MAX - 1 };

static void setup_scenario(void)
{
	static struct part loads[2];

	assert_int_equal(part_parse("null:seconds=2", WORKLOAD_LEAD, &scenario.lead, &err), 0);
	assert_int_equal(part_parse("mem:size=64M", WORKLOAD_LOAD, &loads[0], &err), 0);
	assert_int_equal(part_parse("mem:workers=2", WORKLOAD_LOAD, &loads[1], &err), 0);
	strcpy(loads[1].role, "mem-2");
	scenario.loads = loads;
}

static void done_scenario(void)
{
	part_done(&scenario.lead);
	part_done(&scenario.loads[0]);
	part_done(&scenario.loads[1]);
}

static void a_trial_arrives_as_it_was_sent(void **state)
{
	char *text CLEANUP(free_text) = NULL;
	struct job job;

	(void)state;
	setup_scenario();
	text = job_spell(&disk, "cgroup:mem=64M", &trial);
	assert_non_null(text);
	assert_int_equal(job_parse(text, &job, &err), 0);
	assert_int_equal(job.disk.model.kind, VM_DISK_DELAY);
	assert_int_equal(job.disk.model.delay_ns, 2000000);
	assert_int_equal(job.disk.tools_bytes, 1 << 21);
	assert_int_equal(job.disk.swap_bytes, 1 << 30);
	assert_string_equal(job.inside, "cgroup:mem=64M");
	assert_ptr_equal(job.trial.scenario, &job.scenario);
	assert_int_equal(job.trial.block, 3);
	assert_int_equal(job.trial.position, 14);
	assert_true(job.trial.seed == UINT64_MAX - 1);
	assert_string_equal(job.scenario.lead.spelled, "null:seconds=2s");
	assert_int_equal(job.scenario.n_loads, 2);
	assert_string_equal(job.scenario.loads[1].role, "mem-2");
	assert_int_equal(job.scenario.loads[1].common.workers, 2);
	assert_true(job.scenario.cold);
	assert_false(job.scenario.solo);
	assert_int_equal(job.scenario.lead_in_ns, 7);
	assert_int_equal(job.scenario.steal, 40);
	job_done(&job);
	done_scenario();
}

static void settings_of_the_host_stay_on_the_host(void **state)
{
	char *text CLEANUP(free_text) = NULL;
	struct job job;

	(void)state;
	setup_scenario();
	text = job_spell(&disk, "host", &trial);
	assert_int_equal(job_parse(text, &job, &err), 0);
	assert_int_equal(job.variant.n, 2);
	assert_string_equal(job.variant.name, "odd name");
	assert_string_equal(job.variant.assignments[0].key, "vm.swappiness");
	assert_string_equal(job.variant.assignments[1].key, "zswap");
	assert_string_equal(job.variant.assignments[1].value, "lzo=\\2\nx");
	job_done(&job);
	done_scenario();
}

static void what_is_no_job_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"contend-job 2\n",
		"contend-job 1\n",
		"contend-job 1\nlead null\n",
		"contend-job 1\nlead nothing\ndeadline 1\ninterval 1\n",
		"contend-job 1\nlead null\nload mem\ndeadline 1\ninterval 1\n",
		"contend-job 1\nlead null\nset x\ndeadline 1\ninterval 1\n",
		"contend-job 1\nlead null\ndeadline one\ninterval 1\n",
		"contend-job 1\nlead null\nlead null\ndeadline 1\ninterval 1\n",
		"contend-job 1\nlead\n",
	};
	struct job job;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_int_equal(job_parse(texts[i], &job, &err), -EINVAL);
}

static void disks_are_read_as_they_are_spelled(void **state)
{
	static const char *const texts[] = { "linear", "delay:2ms", "delay:1s", "zram" };
	static const char *const wrong[] = { "", "disk", "delay", "delay:", "delay:0", "delay:1us",
		"delay:1.5ms", "delay:1h" };
	struct vm_disk read;
	char text[48];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		assert_int_equal(vm_disk_parse(texts[i], &read, &err), 0);
		assert_string_equal(vm_disk_spell(&read, text, sizeof(text)), texts[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_true(vm_disk_parse(wrong[i], &read, &err) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_trial_arrives_as_it_was_sent),
		cmocka_unit_test(settings_of_the_host_stay_on_the_host),
		cmocka_unit_test(what_is_no_job_is_refused),
		cmocka_unit_test(disks_are_read_as_they_are_spelled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
