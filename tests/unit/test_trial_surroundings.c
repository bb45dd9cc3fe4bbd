// SPDX-License-Identifier: GPL-2.0-or-later
/* What of the environment changed while a trial ran. */
#include "test.h"

#include <stdio.h>

#include "base/file.h"
#include "record/wire.h"
#include "trial/surroundings.h"

struct fixture {
	char directory[32];
	struct root root;
	struct sink sink;
	struct surroundings *surroundings;
};

static void put(struct fixture *fixture, const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/proc/%s", fixture->directory, name);
	*strrchr(path, '/') = '\0';
	assert_int_equal(directory_make(path, NULL), 0);
	path[strlen(path)] = '/';
	if (text)
		assert_int_equal(file_write(path, text, strlen(text), NULL), 0);
	else
		assert_int_equal(unlink(path), 0);
}

static int fixture_open(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	if (!fixture)
		return -1;
	strcpy(fixture->directory, "/tmp/contend-test-XXXXXX");
	*state = fixture;
	if (!mkdtemp(fixture->directory) || root_open(&fixture->root, fixture->directory, NULL) < 0)
		return -1;
	put(fixture, "sys/vm/swappiness", "60\n");
	put(fixture, "sys/vm/page-cluster", "3\n");
	put(fixture, "swaps", "Filename\tType\tSize\tUsed\tPriority\n/swap\tfile\t1024\t0\t-2\n");
	return sink_init(&fixture->sink, 1 << 20, NULL);
}

static int fixture_close(void **state)
{
	struct fixture *fixture = *state;
	int r;

	surroundings_free(fixture->surroundings);
	sink_done(&fixture->sink);
	root_close(&fixture->root);
	r = tree_remove(fixture->directory, NULL);
	free(fixture);
	return r;
}

/* "key=text\n" of all that is recorded and begins with `prefix`. */
static void recorded(struct fixture *fixture, const char *prefix, char *buf, size_t size)
{
	struct wire wire = { .data = fixture->sink.data };
	struct record record;

	sink_end(&fixture->sink);
	wire.size = fixture->sink.used;
	*buf = '\0';
	while (wire_next(&wire, &record, NULL) > 0) {
		size_t used = strlen(buf);

		if (record.type == RECORD_ENVIRONMENT &&
			!strncmp(record.name, prefix, strlen(prefix)))
			snprintf(buf + used, size - used, "%s=%s\n", record.name, record.text);
	}
}

static void begin(struct fixture *fixture)
{
	surroundings_begin(&fixture->root, NULL, &fixture->sink, &fixture->surroundings);
	assert_non_null(fixture->surroundings);
}

static void what_stays_is_recorded_once(void **state)
{
	struct fixture *fixture = *state;
	char text[512];

	begin(fixture);
	surroundings_end(fixture->surroundings, &fixture->root, NULL, &fixture->sink);
	recorded(fixture, "after.", text, sizeof(text));
	assert_string_equal(text, "");
	recorded(fixture, "vm.", text, sizeof(text));
	assert_string_equal(text, "vm.page-cluster=3\nvm.swappiness=60\n");
}

static void what_changed_came_or_went_is_told(void **state)
{
	struct fixture *fixture = *state;
	char text[512];

	begin(fixture);
	put(fixture, "sys/vm/swappiness", "10\n");
	put(fixture, "sys/vm/page-cluster", NULL);
	put(fixture, "sys/vm/laptop_mode", "5\n");
	surroundings_end(fixture->surroundings, &fixture->root, NULL, &fixture->sink);
	recorded(fixture, "after.", text, sizeof(text));
	assert_string_equal(text,
		"after.vm.laptop_mode=5\nafter.vm.swappiness=10\nafter.vm.page-cluster=gone\n");
}

/* Any trial that swaps would else seem to have changed the machine. */
static void swap_that_fills_is_no_change(void **state)
{
	struct fixture *fixture = *state;
	char text[512];

	begin(fixture);
	put(fixture, "swaps", "Filename\tType\tSize\tUsed\tPriority\n/swap\tfile\t1024\t500\t-3\n");
	surroundings_end(fixture->surroundings, &fixture->root, NULL, &fixture->sink);
	recorded(fixture, "after.", text, sizeof(text));
	assert_string_equal(text, "after.swap.0.priority=-3\n");
}

static void nothing_is_compared_where_nothing_began(void **state)
{
	struct fixture *fixture = *state;
	char text[512];

	surroundings_end(NULL, &fixture->root, NULL, &fixture->sink);
	surroundings_free(NULL);
	recorded(fixture, "", text, sizeof(text));
	assert_string_equal(text, "");
}

int main(void)
{
#define with_fixture(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)
	static const struct CMUnitTest tests[] = {
		with_fixture(what_stays_is_recorded_once),
		with_fixture(what_changed_came_or_went_is_told),
		with_fixture(swap_that_fills_is_no_change),
		with_fixture(nothing_is_compared_where_nothing_began),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
