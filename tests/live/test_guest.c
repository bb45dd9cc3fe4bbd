// SPDX-License-Identifier: GPL-2.0-or-later
/* How a guest is watched: scripts in QEMU's place, which write to its record as a guest would. */
#include "../unit/test.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "vm/guest.h"

static char directory[] = "/tmp/contend-test-XXXXXX";
static struct qemu qemu = { .version = "10.0.0", .major = 10 };

/* Finds the record, as QEMU does, and tells that the trial begins. */
static const char prologue[] =
	"#!/bin/sh\n"
	"for word; do case $word in *mem-path=*) at=${word#*mem-path=}; at=${at%%,*};; esac; done\n"
	"put() { printf \"$1\" | dd of=\"$at\" bs=1 seek=\"$2\" conv=notrunc status=none; }\n"
	"put '\\002' 16\n";

static void script_write(const char *rest)
{
	char text[1024];

	snprintf(qemu.program, sizeof(qemu.program), "%s/qemu", directory);
	snprintf(text, sizeof(text), "%s%s", prologue, rest);
	assert_int_equal(file_write(qemu.program, text, strlen(text), NULL), 0);
	assert_int_equal(chmod(qemu.program, 0700), 0);
}

static void run(int64_t silent_ns, struct guest_result *ret_result)
{
	const struct guest guest = {
		.qemu = &qemu,
		.boot = { .kernel = "kernel",
			.initramfs = "initramfs",
			.cmdline = "",
			.add = "",
			.ram_bytes = 128 << 20,
			.cpus = 1 },
		.directory = directory,
		.job = "",
		.stream_bytes = 1 << 20,
		.boot_ns = 60 * NS_PER_S,
		.silent_ns = silent_ns,
		.deadline_ns = 60 * NS_PER_S,
	};
	struct error err = { "" };

	if (guest_run(&guest, ret_result, &err) < 0)
		fail_msg("%s", err.text);
}

static void a_guest_that_writes_no_more_is_ended(void **state)
{
	struct guest_result result;

	(void)state;
	script_write("exec sleep 60\n");
	run(NS_PER_S, &result);
	assert_int_equal(result.phase, REGION_TRIAL);
	assert_true(result.timed_out);
	assert_true(result.silent);
	assert_true(WIFSIGNALED(result.status));
	guest_result_done(&result);
}

static void a_guest_that_writes_on_is_not(void **state)
{
	struct guest_result result;

	(void)state;
	script_write("for i in 1 2 3 4 5 6 7 8; do sleep 0.5; put x $((262144 + i * 4096)); done\n"
		     "put '\\003' 16\n");
	run(3 * NS_PER_S, &result);
	assert_int_equal(result.phase, REGION_DONE);
	assert_false(result.timed_out);
	assert_false(result.silent);
	assert_int_equal(result.status, 0);
	guest_result_done(&result);
}

static int start(void **state)
{
	(void)state;
	return mkdtemp(directory) ? 0 : -1;
}

static int stop(void **state)
{
	(void)state;
	return tree_remove(directory, NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_guest_that_writes_no_more_is_ended),
		cmocka_unit_test(a_guest_that_writes_on_is_not),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
