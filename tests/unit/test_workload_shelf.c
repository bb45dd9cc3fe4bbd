// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include <limits.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/file.h"
#include "workload/shelf.h"

static char shelf[] = "/tmp/contend-shelf-XXXXXX";
static struct place place = { .shelf = shelf };

/* Shared with forked makers: how often something was made. */
static _Atomic int *made;

static int make_file(const char *path, const void *data, struct error *err)
{
	atomic_fetch_add(made, 1);
	usleep(20000);
	return file_write(path, data, strlen(data), err);
}

static int make_half(const char *path, const void *data, struct error *err)
{
	file_write(path, data, strlen(data), err);
	return error_set(err, -EIO, "half-made");
}

static int set_up(void **state)
{
	(void)state;
	made = mmap(NULL, sizeof(*made), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return made != MAP_FAILED && mkdtemp(shelf) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	return tree_remove(shelf, NULL);
}

static void a_thing_is_made_once(void **state)
{
	char path[PATH_MAX], again[PATH_MAX];
	char *text CLEANUP(free_text) = NULL;

	(void)state;
	*made = 0;
	assert_int_equal(
		shelf_find(&place, "once", make_file, "text", path, sizeof(path), NULL), 0);
	assert_int_equal(
		shelf_find(&place, "once", make_file, "else", again, sizeof(again), NULL), 0);
	assert_string_equal(path, again);
	assert_int_equal(*made, 1);
	assert_int_equal(file_read(path, &text, NULL, NULL), 0);
	assert_string_equal(text, "text");
}

static void a_half_made_thing_is_never_found(void **state)
{
	char path[PATH_MAX];
	struct error err;

	(void)state;
	*made = 0;
	assert_int_equal(
		shelf_find(&place, "half", make_half, "bad", path, sizeof(path), &err), -EIO);
	assert_string_equal(err.text, "half-made");
	assert_int_equal(access(path, F_OK), -1);
	/* What a killed maker leaves is in nobody's way. */
	snprintf(path, sizeof(path), "%s/half.half", shelf);
	assert_int_equal(file_write(path, "bad", 3, NULL), 0);
	assert_int_equal(
		shelf_find(&place, "half", make_file, "good", path, sizeof(path), &err), 0);
	assert_int_equal(*made, 1);
}

static void one_makes_while_the_others_wait(void **state)
{
	pid_t pids[4];

	(void)state;
	*made = 0;
	for (size_t i = 0; i < ARRAY_SIZE(pids); i++) {
		char path[PATH_MAX];

		pids[i] = fork();
		if (pids[i] == 0)
			_exit(shelf_find(
				      &place, "race", make_file, "x", path, sizeof(path), NULL) ||
				access(path, F_OK));
	}
	for (size_t i = 0; i < ARRAY_SIZE(pids); i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	assert_int_equal(*made, 1);
}

static void a_key_is_a_plain_name(void **state)
{
	static const char *const wrong[] = { "", ".", "..", "a/b", ".hidden" };
	char path[PATH_MAX];
	struct error err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_int_equal(
			shelf_find(&place, wrong[i], make_file, "", path, sizeof(path), &err),
			-EINVAL);
	assert_int_equal(shelf_find(&place, "long", make_file, "", path, 8, &err), -ENAMETOOLONG);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thing_is_made_once),
		cmocka_unit_test(a_half_made_thing_is_never_found),
		cmocka_unit_test(one_makes_while_the_others_wait),
		cmocka_unit_test(a_key_is_a_plain_name),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
