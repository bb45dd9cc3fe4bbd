// SPDX-License-Identifier: GPL-2.0-or-later
/* What a guest is booted with: QEMU's command line, the initramfs; and what it said at last. */
#include "test.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>

#include "base/unit.h"
#include "vm/guest.h"
#include "vm/initramfs.h"

static struct error err;
static const struct qemu ten = { .program = "qemu", .version = "10.0.2", .major = 10 };
static const struct qemu seven = { .program = "qemu", .version = "7.2.0", .major = 7, .minor = 2 };

static struct qemu_boot boot(void)
{
	return (struct qemu_boot) {
		.kernel = "/k",
		.initramfs = "/i",
		.cmdline = "debug",
		.console = "/a,b/console",
		.record = "/r",
		.record_bytes = MIB,
		.ram_bytes = 512 * MIB,
		.disk_bytes = 2 * GIB,
		.cpus = 1,
		.exact = true,
		.seed = 77,
		.add = "",
	};
}

/* What stands behind the n-th word `name`; NULL: nothing. */
static const char *value(const struct qemu_command *command, const char *name)
{
	for (size_t i = 0; i + 1 < command->n; i++) {
		if (!strcmp(command->argv[i], name))
			return command->argv[i + 1];
	}
	return NULL;
}

static void exact_is_one_thread_counted_and_seeded(void **state)
{
	struct qemu_boot exact = boot();
	struct qemu_command command;

	(void)state;
	exact.kvm = true;
	assert_int_equal(qemu_command_make(&ten, &exact, &command, &err), 0);
	assert_string_equal(value(&command, "-accel"), "tcg,thread=single");
	assert_string_equal(value(&command, "-icount"), "shift=0,sleep=off");
	assert_string_equal(value(&command, "-seed"), "77");
	assert_non_null(strstr(value(&command, "-rtc"), "clock=vm"));
	assert_null(value(&command, "-blockdev"));
	assert_null(command.argv[command.n]);
}

static void an_exact_kernel_does_not_try_its_timers(void **state)
{
	struct qemu_boot one = boot(), two = boot();
	struct qemu_command command;

	(void)state;
	assert_int_equal(qemu_command_make(&ten, &one, &command, &err), 0);
	assert_non_null(strstr(value(&command, "-append"), " no_timer_check nolapic_timer debug "));
	two.cpus = 2;
	assert_int_equal(qemu_command_make(&ten, &two, &command, &err), 0);
	assert_non_null(strstr(value(&command, "-append"), " no_timer_check debug "));
	two.exact = false;
	assert_int_equal(qemu_command_make(&ten, &two, &command, &err), 0);
	assert_null(strstr(value(&command, "-append"), "no_timer_check"));
}

static void an_old_qemu_is_told_of_no_features_that_it_does_not_know(void **state)
{
	struct qemu_boot exact = boot();
	struct qemu_command command;

	(void)state;
	assert_int_equal(qemu_command_make(&seven, &exact, &command, &err), 0);
	assert_string_equal(value(&command, "-cpu"), "max,erms=off,fsrm=off");
	assert_int_equal(qemu_command_make(&ten, &exact, &command, &err), 0);
	assert_non_null(strstr(value(&command, "-cpu"), "max,erms=off,fsrm=off,"));
}

static void fast_is_kvm_where_it_is(void **state)
{
	struct qemu_boot fast = boot();
	struct qemu_command command;

	(void)state;
	fast.exact = false;
	assert_int_equal(qemu_command_make(&ten, &fast, &command, &err), 0);
	assert_string_equal(value(&command, "-accel"), "tcg");
	assert_null(value(&command, "-icount"));
	fast.kvm = true;
	assert_int_equal(qemu_command_make(&ten, &fast, &command, &err), 0);
	assert_string_equal(value(&command, "-accel"), "kvm");
}

static void the_disk_lies_behind_the_ram_wherever_that_ends(void **state)
{
	struct qemu_boot small = boot(), large = boot();
	struct qemu_command command;

	(void)state;
	assert_int_equal(qemu_command_make(&ten, &small, &command, &err), 0);
	/* 2 GiB of pages take 32 MiB to describe. */
	assert_string_equal(value(&command, "-machine"), "q35,max-ram-below-4g=570425344");
	assert_string_equal(value(&command, "-m"), "2717908992B");
	assert_non_null(strstr(value(&command, "-append"), "memmap=2147483648!4294967296 "));
	assert_non_null(strstr(value(&command, "-append"), " debug -- agent"));
	large.ram_bytes = 3 * GIB;
	assert_int_equal(qemu_command_make(&ten, &large, &command, &err), 0);
	assert_string_equal(value(&command, "-machine"), "q35,max-ram-below-4g=2147483648");
	assert_non_null(strstr(value(&command, "-append"), "memmap=2147483648!5402263552 "));
}

/* 2 GiB of disk from 4 GiB on, whose end is the tools'. */
static void tools_are_loaded_into_the_end_of_the_disk(void **state)
{
	struct qemu_boot lent = boot();
	struct qemu_command command;
	bool found = false;

	(void)state;
	lent.tools = "/t,x";
	lent.tools_bytes = 2 * MIB;
	assert_int_equal(qemu_command_make(&ten, &lent, &command, &err), 0);
	for (size_t i = 0; i < command.n; i++)
		found = found ||
			!strcmp(command.argv[i], "loader,file=/t,,x,addr=0x17fe00000,force-raw=on");
	assert_true(found);
}

static void a_comma_in_a_path_is_doubled(void **state)
{
	struct qemu_boot here = boot();
	struct qemu_command command;

	(void)state;
	assert_int_equal(qemu_command_make(&ten, &here, &command, &err), 0);
	assert_string_equal(value(&command, "-chardev"), "file,id=console,path=/a,,b/console");
}

static void a_command_line_that_does_not_fit_is_refused(void **state)
{
	static char words[9000];
	struct qemu_boot here = boot();
	struct qemu_command command;

	(void)state;
	memset(words, 'x', sizeof(words) - 1);
	here.cmdline = words;
	assert_int_equal(qemu_command_make(&ten, &here, &command, &err), -ERANGE);
}

static void a_qemu_that_miscomputes_is_refused(void **state)
{
	(void)state;
	assert_int_equal(qemu_check(&seven, "6.1.0-50-cloud-amd64", &err), 0);
	assert_int_equal(qemu_check(&seven, "5.10.0", &err), 0);
	assert_int_equal(qemu_check(&seven, "6.12.95+deb12", &err), -EOPNOTSUPP);
	assert_int_equal(qemu_check(&seven, "7.2.13", &err), -EOPNOTSUPP);
	assert_int_equal(qemu_check(&ten, "7.2.13", &err), 0);
	assert_int_equal(qemu_check(&seven, "", &err), 0);
}

static void qemu_says_its_version(void **state)
{
	struct qemu qemu = { 0 };

	(void)state;
	assert_true(
		qemu_version_parse("QEMU emulator version 10.0.2 (Debian 1:10.0.2+ds)\nC", &qemu));
	assert_string_equal(qemu.version, "10.0.2");
	assert_int_equal(qemu.major, 10);
	assert_false(qemu_version_parse("bash 5.2", &qemu));
	assert_false(qemu_version_parse("QEMU emulator version", &qemu));
}

static void close_reading(struct archive **archive)
{
	archive_read_free(*archive);
}

static void the_initramfs_holds_this_program_and_what_it_needs(void **state)
{
	struct archive *archive CLEANUP(close_reading) = archive_read_new();
	static char module_text[] = "module";
	struct module module = { "zram", module_text, 6 };
	const struct modules modules = { &module, 1 };
	char path[] = "/tmp/contend-initramfs-XXXXXX", all[16384] = "\n";
	struct archive_entry *entry;
	int fd = mkstemp(path);

	(void)state;
	close_fd(&fd);
	assert_int_equal(initramfs_write(path, &modules, "", "6.1", &err), 0);
	archive_read_support_format_cpio(archive);
	assert_int_equal(archive_read_open_filename(archive, path, 65536), ARCHIVE_OK);
	while (archive_read_next_header(archive, &entry) == ARCHIVE_OK) {
		size_t used = strlen(all);

		snprintf(all + used, sizeof(all) - used, "%s\n", archive_entry_pathname(entry));
	}
	unlink(path);
	assert_non_null(strstr(all, "\nbin/contend\n"));
	assert_non_null(strstr(all, "\ndev/console\n"));
	assert_non_null(strstr(all, "\nmodules/000-zram.ko\n"));
	assert_non_null(strstr(all, "/libc.so.6\n"));
	assert_non_null(strstr(all, "\nlib64/ld-linux-x86-64.so.2\n"));
	/* Directories stand in front of what is in them. */
	assert_true(strstr(all, "\nlib64\n") < strstr(all, "\nlib64/ld-linux"));
}

static void a_console_is_told_by_its_panic_or_its_end(void **state)
{
	char text[256];

	(void)state;
	assert_string_equal(console_tail("", text, sizeof(text)), "");
	assert_string_equal(console_tail("one\ntwo\n", text, sizeof(text)), "one | two");
	assert_string_equal(
		console_tail("1\n2\n3\n4\n5\n6\r\n", text, sizeof(text)), "3 | 4 | 5 | 6");
	assert_string_equal(console_tail("boot\n[    1.5] Kernel panic - not syncing: x\r\n"
					 "[    1.6] CPU: 0\na\nb\nc\nd\n",
				    text, sizeof(text)),
		"Kernel panic - not syncing: x | CPU: 0 | a | b");
	assert_string_equal(console_tail("\033[2J\001ok\n", text, sizeof(text)), "ok");
	assert_string_equal(console_tail("a long line\nand more\n", text, 8), "a long ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_is_one_thread_counted_and_seeded),
		cmocka_unit_test(an_exact_kernel_does_not_try_its_timers),
		cmocka_unit_test(an_old_qemu_is_told_of_no_features_that_it_does_not_know),
		cmocka_unit_test(fast_is_kvm_where_it_is),
		cmocka_unit_test(the_disk_lies_behind_the_ram_wherever_that_ends),
		cmocka_unit_test(tools_are_loaded_into_the_end_of_the_disk),
		cmocka_unit_test(a_comma_in_a_path_is_doubled),
		cmocka_unit_test(a_command_line_that_does_not_fit_is_refused),
		cmocka_unit_test(a_qemu_that_miscomputes_is_refused),
		cmocka_unit_test(qemu_says_its_version),
		cmocka_unit_test(the_initramfs_holds_this_program_and_what_it_needs),
		cmocka_unit_test(a_console_is_told_by_its_panic_or_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
