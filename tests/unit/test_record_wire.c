// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include "record/wire.h"

static const struct origin trial = { "trial", "", 1 };

static void fill(struct sink *sink)
{
	static struct histogram histogram;
	struct metric a = { "pgmajfault", "events", METRIC_COUNTER };
	struct metric b = { "MemFree", "bytes", METRIC_GAUGE };
	struct origin vmstat = { "vmstat", "lead", 3 };
	struct outcome outcome = { OUTCOME_TIMEOUT, "60 s", 5, 9 };
	int64_t values[] = { -7, VALUE_ABSENT };
	uint32_t first = sink_metric(sink, &a, &vmstat);

	memset(&histogram, 0, sizeof(histogram));
	histogram_add(&histogram, 12345);
	assert_int_equal(sink_metric(sink, &b, &vmstat), first + 1);
	sink_sample(sink, 42, first, 2, values);
	sink_event(sink, 43, EVENT_NOTE, "io", "text");
	sink_histogram(sink, "", "lateness", &histogram);
	sink_environment(sink, "kernel", "6.1");
	sink_figure(sink, 44, "time", "ns", &trial, 99);
	sink_outcome(sink, &outcome);
	sink_end(sink);
}

static void what_is_written_is_read(void **state)
{
	struct sink sink;
	struct record record;
	struct wire wire;

	(void)state;
	assert_int_equal(sink_init(&sink, 65536, NULL), 0);
	fill(&sink);
	wire = (struct wire) { .data = sink.data, .size = sink.used };
	assert_int_equal(wire_next(&wire, &record, NULL), 1);
	assert_int_equal(record.type, RECORD_METRIC);
	assert_string_equal(record.metric.name, "pgmajfault");
	assert_string_equal(record.origin.role, "lead");
	assert_int_equal(record.origin.revision, 3);
	assert_int_equal(wire_next(&wire, &record, NULL), 1);
	assert_int_equal(record.metric.kind, METRIC_GAUGE);
	assert_int_equal(wire_next(&wire, &record, NULL), 1);
	assert_int_equal(record.type, RECORD_SAMPLE);
	assert_int_equal(record.t_ns, 42);
	assert_int_equal(record.n, 2);
	assert_int_equal(record_value(&record, 0), -7);
	assert_true(record_value(&record, 1) == VALUE_ABSENT);
	assert_int_equal(wire_next(&wire, &record, NULL), 1);
	assert_string_equal(record.text, "text");
	assert_int_equal(wire_next(&wire, &record, NULL), 1);
	assert_int_equal(record.histogram.buckets[histogram_bucket(12345)], 1);
	assert_int_equal(record.histogram.max, 12345);
	assert_int_equal(wire_next(&wire, &record, NULL), 1);
	assert_string_equal(record.name, "kernel");
	assert_int_equal(wire_next(&wire, &record, NULL), 1);
	assert_int_equal(wire_next(&wire, &record, NULL), 1);
	assert_int_equal(wire_next(&wire, &record, NULL), 1);
	assert_int_equal(record.outcome.code, OUTCOME_TIMEOUT);
	assert_string_equal(record.outcome.text, "60 s");
	assert_int_equal(wire_next(&wire, &record, NULL), 1);
	assert_int_equal(record.type, RECORD_END);
	assert_int_equal(wire_next(&wire, &record, NULL), 0);
	sink_done(&sink);
}

/* Whatever prefix of a stream a dying guest leaves, none reads as a whole one. */
static void a_cut_stream_has_no_end(void **state)
{
	struct sink sink;

	(void)state;
	assert_int_equal(sink_init(&sink, 65536, NULL), 0);
	fill(&sink);
	for (size_t size = 0; size < sink.used; size++) {
		struct wire wire = { .data = sink.data, .size = size };
		struct record record = { 0 };
		int r;

		while ((r = wire_next(&wire, &record, NULL)) > 0)
			assert_int_not_equal(record.type, RECORD_END);
		assert_true(r == 0 || r == -EBADMSG);
	}
	sink_done(&sink);
}

static void a_missing_frame_is_noticed(void **state)
{
	struct sink sink;
	struct wire wire;
	struct record record;
	int r;

	(void)state;
	assert_int_equal(sink_init(&sink, 65536, NULL), 0);
	fill(&sink);
	wire = (struct wire) { .data = sink.data, .size = sink.used };
	assert_int_equal(wire_next(&wire, &record, NULL), 1);
	wire = (struct wire) { .data = sink.data + wire.used, .size = sink.used - wire.used };
	while ((r = wire_next(&wire, &record, NULL)) > 0)
		;
	assert_int_equal(r, -EBADMSG);
	sink_done(&sink);
}

static void a_full_sink_still_ends(void **state)
{
	struct metric metric = { "x", "y", METRIC_COUNTER };
	struct outcome outcome = { OUTCOME_OK, "", 1, 2 };
	struct sink sink;
	struct wire wire;
	struct record record = { 0 };
	int64_t value = 1;
	int r;

	(void)state;
	assert_int_equal(sink_init(&sink, 1024, NULL), 0);
	sink_metric(&sink, &metric, &trial);
	for (int i = 0; i < 100; i++)
		sink_sample(&sink, i, 0, 1, &value);
	assert_true(sink.lost > 0);
	sink_outcome(&sink, &outcome);
	sink_end(&sink);
	wire = (struct wire) { .data = sink.data, .size = sink.used };
	while ((r = wire_next(&wire, &record, NULL)) > 0)
		;
	assert_int_equal(r, 0);
	assert_int_equal(record.type, RECORD_END);
	sink_done(&sink);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(a_cut_stream_has_no_end),
		cmocka_unit_test(a_missing_frame_is_noticed),
		cmocka_unit_test(a_full_sink_still_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
