// SPDX-License-Identifier: GPL-2.0-or-later
/* Working sets: of the kinds, sizes and contents that they claim to be. */
#include "test.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/statvfs.h>

#include "base/file.h"
#include "workload/set.h"

#define SETS 3

struct fixture {
	char shelf[64];
	struct place place;
	struct set_params params;
	struct set_plan plans[SETS];
	uint64_t page_size;
};

static int fixture_open(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	snprintf(fixture->shelf, sizeof(fixture->shelf), "/var/tmp/test-set-XXXXXX");
	assert_non_null(mkdtemp(fixture->shelf));
	fixture->page_size = (uint64_t)sysconf(_SC_PAGESIZE);
	fixture->place = (struct place) { .ram_bytes = 64 * MIB, .shelf = fixture->shelf };
	fixture->params = (struct set_params) {
		.size = { { .permille = 20 }, { .bytes = MIB }, { .bytes = 2 * MIB } },
		.compress = 2,
	};
	for (unsigned i = 0; i < SETS; i++)
		set_plan_size(
			&fixture->plans[i], &fixture->params, &fixture->place, 1000 * (i + 1));
	*state = fixture;
	return 0;
}

static int fixture_close(void **state)
{
	struct fixture *fixture = *state;

	tree_remove(fixture->shelf, NULL);
	free(fixture);
	return 0;
}

static void sizes_follow_the_box_and_are_whole_pages(void **state)
{
	struct fixture *fixture = *state;
	const struct set_plan *plan = &fixture->plans[0];

	assert_int_equal(plan->pages[SET_EXEC], 64 * MIB / 50 / fixture->page_size);
	assert_int_equal(plan->pages[SET_DATA], MIB / fixture->page_size);
	assert_int_equal(fixture->plans[2].pages[SET_ANON], 6 * MIB / fixture->page_size);
}

static void find(struct fixture *fixture)
{
	struct error err;

	if (set_files_find(&fixture->place, fixture->plans, SETS, &err) < 0)
		fail_msg("%s", err.text);
}

static void sets_share_files_and_no_page_of_them(void **state)
{
	struct fixture *fixture = *state;

	find(fixture);
	for (unsigned kind = 0; kind < SET_ANON; kind++) {
		uint64_t next = 0;

		for (unsigned i = 0; i < SETS; i++) {
			assert_string_equal(
				fixture->plans[i].path[kind], fixture->plans[0].path[kind]);
			assert_int_equal(fixture->plans[i].first[kind], next);
			next += fixture->plans[i].pages[kind];
		}
	}
}

/* "7f..-7f.. r-xp" of the mapping at an address. */
static void assert_mapped(const void *area, const char *flags)
{
	FILE *maps CLEANUP(close_file) = fopen("/proc/self/maps", "re");
	char line[512], wanted[32];

	snprintf(wanted, sizeof(wanted), "%lx-", (unsigned long)(uintptr_t)area);
	while (fgets(line, sizeof(line), maps)) {
		if (strncmp(line, wanted, strlen(wanted)))
			continue;
		assert_non_null(strstr(line, flags));
		return;
	}
	fail_msg("no mapping at %p", area);
}

static void each_kind_is_mapped_as_programs_map_it(void **state)
{
	struct fixture *fixture = *state;
	struct set set;

	find(fixture);
	assert_int_equal(set_map(&set, &fixture->plans[1], 1, NULL), 0);
	assert_mapped(set.area[SET_EXEC], " r-xp ");
	assert_mapped(set.area[SET_DATA], " r--s ");
	assert_mapped(set.area[SET_ANON], " rw-p ");
}

/* A touch of executable text executes it: a page without code would end the test. */
static void a_touch_brings_every_page_into_memory(void **state)
{
	struct fixture *fixture = *state;
	struct set set;

	find(fixture);
	assert_int_equal(set_map(&set, &fixture->plans[1], 1, NULL), 0);
	for (unsigned kind = 0; kind < SET_KINDS; kind++) {
		struct touch touch = set_touch(&set, kind);

		assert_int_equal(set_resident(&set, kind), fixture->plans[1].pages[kind]);
		assert_true(touch.ns > 0);
		if (kind != SET_ANON)
			assert_true(touch.majors + touch.minors > 0);
		touch = set_touch(&set, kind);
		assert_int_equal(touch.majors, 0);
		assert_int_equal(touch.minors, 0);
	}
}

static void what_left_memory_is_seen_and_faults_again(void **state)
{
	struct fixture *fixture = *state;
	size_t size = fixture->plans[0].pages[SET_DATA] * fixture->page_size;
	struct touch touch;
	struct set set;

	find(fixture);
	assert_int_equal(set_map(&set, &fixture->plans[0], 1, NULL), 0);
	set_touch(&set, SET_EXEC);
	set_touch(&set, SET_DATA);
	if (madvise(set.area[SET_DATA], size, MADV_PAGEOUT) < 0 || set_resident(&set, SET_DATA))
		return; /* before Linux 5.4, or a filesystem in memory */
	touch = set_touch(&set, SET_DATA);
	assert_true(touch.majors > 0);
	/* The other kind is told apart: nothing happened to it. */
	touch = set_touch(&set, SET_EXEC);
	assert_int_equal(touch.majors + touch.minors, 0);
}

static void an_empty_kind_needs_no_file(void **state)
{
	struct fixture *fixture = *state;
	struct set set;

	fixture->params.size[SET_EXEC] = fixture->params.size[SET_DATA] = (struct size) { 0 };
	for (unsigned i = 0; i < SETS; i++)
		set_plan_size(&fixture->plans[i], &fixture->params, &fixture->place, 1000);
	find(fixture);
	assert_int_equal(set_map(&set, &fixture->plans[0], 1, NULL), 0);
	assert_int_equal(set_resident(&set, SET_EXEC), 0);
	assert_int_equal(set_touch(&set, SET_EXEC).majors, 0);
}

/* A place that lets nothing be executed is known before anything is made there. */
static void a_shelf_without_execution_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct statvfs fs;
	struct error err;

	fixture->place.shelf = "/proc";
	if (statvfs("/proc", &fs) < 0 || !(fs.f_flag & ST_NOEXEC))
		return;
	assert_int_equal(set_files_check(&fixture->place, fixture->plans, SETS, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "noexec"));
}

static void too_little_space_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct error err;

	fixture->params.size[SET_DATA] = (struct size) { .bytes = 1ULL << 60 };
	set_plan_size(&fixture->plans[0], &fixture->params, &fixture->place, 1000);
	assert_int_equal(set_files_check(&fixture->place, fixture->plans, SETS, &err), -ENOSPC);
}

#define set_test(function) cmocka_unit_test_setup_teardown(function, fixture_open, fixture_close)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		set_test(sizes_follow_the_box_and_are_whole_pages),
		set_test(sets_share_files_and_no_page_of_them),
		set_test(each_kind_is_mapped_as_programs_map_it),
		set_test(a_touch_brings_every_page_into_memory),
		set_test(what_left_memory_is_seen_and_faults_again),
		set_test(an_empty_kind_needs_no_file),
		set_test(a_shelf_without_execution_is_refused),
		set_test(too_little_space_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
