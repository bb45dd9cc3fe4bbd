// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "sampled.h"
#include "sampler/environment.h"

struct found {
	char *keys[300], *texts[300];
	size_t n;
};

static void keep(void *data, const char *key, const char *text)
{
	struct found *found = data;

	assert_true(found->n < ARRAY_SIZE(found->keys));
	assert_string_not_equal(text, "");
	assert_null(strpbrk(text, "\n\t"));
	for (size_t i = 0; i < found->n; i++)
		assert_string_not_equal(found->keys[i], key);
	found->keys[found->n] = strdup(key);
	found->texts[found->n++] = strdup(text);
}

static void read_machine(struct found *found, const char *name, const char *scratch)
{
	struct root root;

	found->n = 0;
	fixture_open(&root, name);
	assert_int_equal(environment_read(&root, scratch, keep, found), 0);
	root_close(&root);
}

static void found_done(struct found *found)
{
	for (size_t i = 0; i < found->n; i++) {
		free(found->keys[i]);
		free(found->texts[i]);
	}
}

/* NULL: not put. */
static const char *text_of(const struct found *found, const char *key)
{
	for (size_t i = 0; i < found->n; i++) {
		if (!strcmp(found->keys[i], key))
			return found->texts[i];
	}
	return NULL;
}

static void expect(const struct found *found, const char *key, const char *text)
{
	const char *is = text_of(found, key);

	if (!is)
		fail_msg("%s is missing", key);
	assert_string_equal(is, text);
}

static void kernel_and_settings_are_told(void **state)
{
	struct found found;

	(void)state;
	read_machine(&found, "machine-hybrid-6.18", "/scratch");
	expect(&found, "kernel.release", "6.18.44");
	expect(&found, "kernel.cmdline", "console=ttyS0 quiet psi=1");
	expect(&found, "kernel.task_delayacct", "0");
	expect(&found, "kernel.sched_autogroup_enabled", "1");
	expect(&found, "vm.swappiness", "60");
	expect(&found, "vm.lowmem_reserve_ratio", "256 256 32 0 0");
	expect(&found, "thp.enabled", "madvise");
	expect(&found, "thp.hugepages-64kB.enabled", "never");
	expect(&found, "zswap.compressor", "lzo");
	expect(&found, "cpu.count", "2");
	expect(&found, "cpu.model", "Intel(R) Xeon(R) Processor");
	expect(&found, "machine.virtual", "yes");
	expect(&found, "clock.source", "tsc");
	expect(&found, "mitigation.retbleed", "Vulnerable");
	expect(&found, "psi", "cpu memory io");
	expect(&found, "daemon.systemd-oomd", "running");
	expect(&found, "scratch.filesystem", "ext4");
	expect(&found, "scratch.options", "rw,relatime rw,discard");
	expect(&found, "scratch.disk", "vda");
	expect(&found, "disk.vda.iosched", "mq-deadline");
	found_done(&found);
}

static void what_a_kernel_lacks_is_not_told(void **state)
{
	struct found found;

	(void)state;
	read_machine(&found, "machine-hybrid-6.18", "/scratch");
	assert_null(text_of(&found, "mglru.enabled"));
	assert_null(text_of(&found, "swap.0.kind"));
	assert_null(text_of(&found, "zram.0.algorithm"));
	assert_null(text_of(&found, "cpu.governor"));
	assert_null(text_of(&found, "cpu.isolated"));
	assert_null(text_of(&found, "daemon.earlyoom"));
	assert_null(text_of(&found, "vm.stat_refresh"));
	found_done(&found);
	read_machine(&found, "machine-v1-4.18", "/scratch");
	assert_null(text_of(&found, "psi"));
	assert_null(text_of(&found, "thp.shmem_enabled"));
	assert_null(text_of(&found, "zswap.enabled"));
	found_done(&found);
}

static void an_old_machine_is_told_by_the_same_keys(void **state)
{
	struct found found;

	(void)state;
	read_machine(&found, "machine-v1-4.18", "/home/user/scratch");
	expect(&found, "kernel.sched_min_granularity_ns", "10000000");
	expect(&found, "cpu.governor", "ondemand");
	expect(&found, "machine.virtual", "no");
	expect(&found, "machine.vendor", "Dell Inc.");
	expect(&found, "daemon.earlyoom", "running");
	expect(&found, "disk.sda.model", "WDC WD5000AAKS");
	expect(&found, "disk.sda.rotational", "1");
	/* The volume of scratch, and the disk that it stands on. */
	expect(&found, "scratch.disk", "dm-0");
	expect(&found, "disk.dm-0.iosched", "none");
	expect(&found, "swap.0.kind", "partition");
	expect(&found, "swap.0.bytes", "1073737728");
	expect(&found, "swap.0.used_bytes", "17825792");
	expect(&found, "swap.0.priority", "-2");
	found_done(&found);
}

static void swap_on_zram_and_a_filesystem_without_a_device_number_are_told(void **state)
{
	struct found found;

	(void)state;
	read_machine(&found, "machine-v2-5.10", "/var/tmp");
	expect(&found, "swap.zram.0.kind", "zram");
	expect(&found, "swap.0.kind", "file");
	expect(&found, "swap.0.path", "/swap file");
	expect(&found, "zram.0.algorithm", "zstd");
	expect(&found, "zram.0.disksize", "8589934592");
	expect(&found, "scratch.filesystem", "btrfs");
	expect(&found, "scratch.disk", "nvme0n1");
	expect(&found, "disk.nvme0n1.iosched", "none");
	expect(&found, "cpu.count", "4");
	expect(&found, "cpu.model", "0xd0c");
	assert_null(text_of(&found, "machine.virtual"));
	found_done(&found);
}

static void scratch_is_looked_up_where_it_is_mounted(void **state)
{
	struct found found;

	(void)state;
	read_machine(&found, "machine-v1-4.18", "/var/lib/a b/scratch");
	expect(&found, "scratch.filesystem", "tmpfs");
	assert_null(text_of(&found, "scratch.disk"));
	found_done(&found);
	read_machine(&found, "machine-v1-4.18", "/var/lib/a bc");
	expect(&found, "scratch.filesystem", "xfs");
	found_done(&found);
	read_machine(&found, "machine-v1-4.18", NULL);
	assert_null(text_of(&found, "scratch.filesystem"));
	found_done(&found);
}

static void cgroups_are_told_by_mode(void **state)
{
	static const struct {
		const char *machine, *mode;
	} cases[] = {
		{ "machine-hybrid-6.18", "hybrid" },
		{ "machine-v1-4.18", "v1" },
		{ "machine-v2-5.10", "v2" },
	};
	struct found found;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		read_machine(&found, cases[i].machine, NULL);
		expect(&found, "cgroup.mode", cases[i].mode);
		found_done(&found);
	}
}

static void keep_config(void *data, const char *key, const char *text)
{
	char **config = data;

	assert_string_equal(key, "kernel.config");
	assert_null(*config);
	*config = strdup(text);
}

static void options_that_are_set_are_told_from_either_place(void **state)
{
	static const struct {
		const char *machine, *config;
	} cases[] = {
		/* As plain text in /boot, packed in /proc, and not at all. */
		{ "machine-v1-4.18", "CONFIG_MEMCG=y\nCONFIG_HZ=250\nCONFIG_LSM=\"a,b\"" },
		{ "machine-v2-5.10", "CONFIG_MEMCG=y\nCONFIG_HZ=1000" },
		{ "machine-hybrid-6.18", NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *config CLEANUP(free_text) = NULL;
		struct root root;

		fixture_open(&root, cases[i].machine);
		environment_read_config(&root, keep_config, &config);
		root_close(&root);
		if (cases[i].config)
			assert_string_equal(config, cases[i].config);
		else
			assert_null(config);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel_and_settings_are_told),
		cmocka_unit_test(what_a_kernel_lacks_is_not_told),
		cmocka_unit_test(an_old_machine_is_told_by_the_same_keys),
		cmocka_unit_test(swap_on_zram_and_a_filesystem_without_a_device_number_are_told),
		cmocka_unit_test(scratch_is_looked_up_where_it_is_mounted),
		cmocka_unit_test(cgroups_are_told_by_mode),
		cmocka_unit_test(options_that_are_set_are_told_from_either_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
