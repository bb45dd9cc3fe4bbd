// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading of the kernel's files: nothing is left out where it is read in fewer calls. */
#include "test.h"

#include <fcntl.h>
#include <stdio.h>

#include "base/root.h"
#include "base/unit.h"

#define ROOM (32 * MIB)

/* Of several pages, of one, and of less; none of them changes while it is read. */
static const char *const steady[] = { "/proc/kallsyms", "/proc/crypto", "/proc/devices",
	"/proc/filesystems", "/proc/version" };

static void files_are_whole_when_read_by_lines(void **state)
{
	char *whole CLEANUP(free_text) = malloc(ROOM), *lines CLEANUP(free_text) = malloc(ROOM);

	(void)state;
	assert_non_null(whole);
	assert_non_null(lines);
	for (size_t i = 0; i < ARRAY_SIZE(steady); i++) {
		int fd CLEANUP(close_fd) = open(steady[i], O_RDONLY | O_CLOEXEC);
		ssize_t n;

		/* Not every kernel has them all. */
		if (fd < 0)
			continue;
		n = fd_read_whole(fd, whole, ROOM);
		assert_true(n > 0);
		assert_int_equal(fd_read_lines(fd, lines, ROOM), n);
		assert_string_equal(lines, whole);
	}
}

static void a_file_that_does_not_fit_is_refused(void **state)
{
	static const char text[] = "one\ntwo\nthree\n";
	FILE *file CLEANUP(close_file) = tmpfile();
	char buf[sizeof(text)];

	(void)state;
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, sizeof(text) - 1, file), sizeof(text) - 1);
	fflush(file);
	assert_int_equal(fd_read_lines(fileno(file), buf, sizeof(buf)), sizeof(text) - 1);
	assert_string_equal(buf, text);
	/* What is read of it ends a line, and is not all. */
	assert_int_equal(fd_read_lines(fileno(file), buf, sizeof("one\ntwo\n")), -EFBIG);
	assert_int_equal(fd_read_whole(fileno(file), buf, sizeof("one\ntwo\n")), -EFBIG);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_whole_when_read_by_lines),
		cmocka_unit_test(a_file_that_does_not_fit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
