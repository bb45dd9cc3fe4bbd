// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include "record/forward.h"
#include "record/wire.h"

static const struct outcome ended = { OUTCOME_OK, "", 5, 9 };

static void fill(struct sink *sink)
{
	static const struct origin origin = { "vmstat", "", 1 };
	const struct metric metric = { "pgfault", "events", METRIC_COUNTER };
	int64_t value = 3;

	sink_environment(sink, "contend.box", "host");
	sink_sample(sink, 1, sink_metric(sink, &metric, &origin), 1, &value);
	sink_outcome(sink, &ended);
	sink_end(sink);
}

/* Finds a text of the environment, and whether the stream is whole. */
static bool read_all(const struct sink *sink, const char *key, char *text)
{
	struct wire wire = { .data = sink->data, .size = sink->used };
	struct record record;
	bool whole = false;

	text[0] = '\0';
	while (wire_next(&wire, &record, NULL) > 0) {
		if (record.type == RECORD_ENVIRONMENT && !strcmp(record.name, key))
			strcpy(text, record.text);
		whole = record.type == RECORD_END;
	}
	return whole;
}

static void a_stream_goes_on_behind_what_is_there(void **state)
{
	struct sink from, to;
	struct forwarded forwarded;
	char text[64];

	(void)state;
	assert_int_equal(sink_init(&from, 65536, NULL), 0);
	assert_int_equal(sink_init(&to, 65536, NULL), 0);
	fill(&from);
	sink_environment(&to, "contend.box", "vm");
	/* Room behind the end is no part of it. */
	sink_forward(&to, from.data, from.size, &forwarded);
	assert_true(forwarded.whole);
	assert_true(forwarded.has_outcome);
	assert_int_equal(forwarded.outcome.close_ns, 9);
	assert_int_equal(to.metrics, 1);
	sink_outcome(&to, &forwarded.outcome);
	sink_end(&to);
	assert_true(read_all(&to, "contend.box", text));
	assert_string_equal(text, "vm");
	assert_true(read_all(&to, "contend.guest", text));
	assert_string_equal(text, "host");
	sink_done(&from);
	sink_done(&to);
}

static void a_stream_cut_anywhere_is_taken_as_far_as_it_goes(void **state)
{
	struct sink from, to;
	struct forwarded forwarded;
	char text[64];

	(void)state;
	assert_int_equal(sink_init(&from, 65536, NULL), 0);
	assert_int_equal(sink_init(&to, 65536, NULL), 0);
	fill(&from);
	for (size_t size = 0; size < from.used; size++) {
		sink_reset(&to);
		sink_forward(&to, from.data, size, &forwarded);
		assert_false(forwarded.whole);
		sink_end(&to);
		assert_true(read_all(&to, "x", text));
	}
	sink_done(&from);
	sink_done(&to);
}

static void what_does_not_fit_is_counted(void **state)
{
	struct sink from, to;
	struct forwarded forwarded;

	(void)state;
	assert_int_equal(sink_init(&from, 65536, NULL), 0);
	assert_int_equal(sink_init(&to, 320, NULL), 0);
	fill(&from);
	sink_forward(&to, from.data, from.used, &forwarded);
	assert_true(to.lost > 0);
	assert_true(to.used <= to.size);
	sink_done(&from);
	sink_done(&to);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stream_goes_on_behind_what_is_there),
		cmocka_unit_test(a_stream_cut_anywhere_is_taken_as_far_as_it_goes),
		cmocka_unit_test(what_does_not_fit_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
