// SPDX-License-Identifier: GPL-2.0-or-later
/* What a guest is lent: files with all that they need, and the image of them. */
#include "test.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "vm/closure.h"
#include "vm/initramfs.h"
#include "vm/job.h"
#include "vm/tools.h"

static struct error err;
static char directory[] = "/tmp/contend-tools-XXXXXX";

static const char *path_of(const char *name)
{
	static char paths[4][128];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", directory, name);
	return path;
}

static int make_directory(void **state)
{
	(void)state;
	return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
	(void)state;
	return tree_remove(directory, &err);
}

/* Where a link in it points; "" for a file; "none" for what is not in it. */
static const char *target_of(const struct closure *closure, const char *path)
{
	for (size_t i = 0; i < closure->n; i++) {
		if (!strcmp(closure->entries[i].path, path))
			return closure->entries[i].target ? closure->entries[i].target : "";
	}
	return "none";
}

static void links_on_the_way_come_along(void **state)
{
	struct closure closure CLEANUP(closure_done) = { 0 };

	(void)state;
	assert_int_equal(mkdir(path_of("real"), 0755), 0);
	assert_int_equal(file_write(path_of("real/file"), "x", 1, &err), 0);
	assert_int_equal(symlink("real", path_of("dir")), 0);
	assert_int_equal(symlink("./../dir/file", path_of("real/last")), 0);
	assert_int_equal(symlink(path_of("dir/last"), path_of("first")), 0);
	assert_int_equal(closure_add(&closure, path_of("first"), &err), 0);
	assert_int_equal(closure.n, 4);
	assert_string_equal(target_of(&closure, path_of("dir")), "real");
	assert_string_equal(target_of(&closure, path_of("first")), path_of("dir/last"));
	assert_string_equal(target_of(&closure, path_of("real/last")), "./../dir/file");
	assert_string_equal(target_of(&closure, path_of("real/file")), "");
	/* Twice is once. */
	assert_int_equal(closure_add(&closure, path_of("dir/../first"), &err), 0);
	assert_int_equal(closure.n, 4);
}

static void what_is_not_there_is_passed_over(void **state)
{
	struct closure closure CLEANUP(closure_done) = { 0 };

	(void)state;
	assert_int_equal(closure_add(&closure, path_of("none"), &err), 0);
	assert_int_equal(closure_add(&closure, "/dev/null", &err), 0);
	assert_int_equal(closure.n, 0);
	assert_int_equal(symlink("loop", path_of("loop")), 0);
	assert_int_equal(closure_add(&closure, path_of("loop"), &err), -ELOOP);
}

static void a_script_brings_its_interpreter_and_that_its_libraries(void **state)
{
	static const char script[] = "#! /bin/sh -e\n";
	struct closure closure CLEANUP(closure_done) = { 0 };
	char shell[PATH_MAX];
	bool libc = false;

	(void)state;
	assert_int_equal(file_write(path_of("script"), script, sizeof(script) - 1, &err), 0);
	assert_int_equal(closure_add(&closure, path_of("script"), &err), 0);
	assert_non_null(realpath("/bin/sh", shell));
	assert_string_equal(target_of(&closure, shell), "");
	for (size_t i = 0; i < closure.n; i++)
		libc = libc || strstr(closure.entries[i].path, "libc.so");
	assert_true(libc);
}

static void scenario_of(const char *lead, struct scenario *scenario)
{
	*scenario = (struct scenario) { 0 };
	assert_int_equal(part_parse(lead, WORKLOAD_LEAD, &scenario->lead, &err), 0);
}

static void one_that_needs_nothing_gets_no_image(void **state)
{
	struct scenario scenario;
	struct tools tools;

	(void)state;
	scenario_of("memfill", &scenario);
	assert_int_equal(tools_find(&scenario, path_of("cache"), &tools, &err), 0);
	assert_string_equal(tools.path, "");
	assert_int_equal(tools.bytes, 0);
	part_done(&scenario.lead);
}

static void close_reading(struct archive **archive)
{
	archive_read_free(*archive);
}

static bool image_has(const char *path, const char *name)
{
	struct archive *archive CLEANUP(close_reading) = archive_read_new();
	struct archive_entry *entry;

	archive_read_support_format_iso9660(archive);
	assert_int_equal(archive_read_open_filename(archive, path, 65536), ARCHIVE_OK);
	while (archive_read_next_header(archive, &entry) == ARCHIVE_OK) {
		if (!strcmp(archive_entry_pathname(entry), name))
			return true;
	}
	return false;
}

static void an_image_is_made_once(void **state)
{
	struct scenario scenario;
	struct tools tools, again;
	char program[64], shell[PATH_MAX], maker[PATH_MAX];

	(void)state;
	assert_int_equal(file_write(path_of("tool"), "#!/bin/sh\n", 10, &err), 0);
	snprintf(program, sizeof(program), "command:run=%s", path_of("tool"));
	scenario_of(program, &scenario);
	assert_int_equal(tools_find(&scenario, path_of("cache"), &tools, &err), 0);
	assert_true(tools.fresh);
	assert_true(tools.bytes && tools.bytes % JOB_DISK_UNIT == 0);
	assert_true(image_has(tools.path, path_of("tool") + 1));
	assert_non_null(realpath("/bin/sh", shell));
	assert_true(image_has(tools.path, shell + 1));
	assert_true(image_has(tools.path, "proc"));
	/* What the setting zram calls. */
	if (initramfs_maker("mkswap", maker)) {
		char real[PATH_MAX];

		assert_non_null(realpath(maker, real));
		assert_true(image_has(tools.path, real + 1));
	}
	assert_int_equal(tools_find(&scenario, path_of("cache"), &again, &err), 0);
	assert_false(again.fresh);
	assert_string_equal(again.path, tools.path);
	/* A file that has changed makes another, and what a killed maker left goes. */
	assert_int_equal(file_write(path_of("tool"), "#!/bin/sh\n:\n", 12, &err), 0);
	assert_int_equal(file_write(path_of("cache/tools/5eed.iso.part"), "", 0, &err), 0);
	assert_int_equal(tools_find(&scenario, path_of("cache"), &again, &err), 0);
	assert_true(again.fresh);
	assert_int_equal(access(path_of("cache/tools/5eed.iso.part"), F_OK), -1);
	part_done(&scenario.lead);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_on_the_way_come_along),
		cmocka_unit_test(what_is_not_there_is_passed_over),
		cmocka_unit_test(a_script_brings_its_interpreter_and_that_its_libraries),
		cmocka_unit_test(one_that_needs_nothing_gets_no_image),
		cmocka_unit_test(an_image_is_made_once),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
