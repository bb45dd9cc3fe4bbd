// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/sink.h"

#include <string.h>
#include <sys/mman.h>

#include "record/frame.h"

int sink_init(struct sink *ret_sink, size_t size, struct error *err)
{
	struct sink sink = { .size = size };
	void *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (data == MAP_FAILED)
		return error_errno(err, -errno, "cannot allocate %zu bytes for the record", size);
	/* No child writes to it: a copy on write of pages that are locked is made at once. */
	(void)madvise(data, size, MADV_DONTFORK);
	/* Refused without CAP_IPC_LOCK; the pages are touched all the same. */
	(void)mlock(data, size);
	memset(data, 0, size);
	sink.data = data;
	*ret_sink = sink;
	return 0;
}

void sink_done(struct sink *sink)
{
	if (sink->data)
		munmap(sink->data, sink->size);
	*sink = (struct sink) { 0 };
}

void sink_reset(struct sink *sink)
{
	sink->used = 0;
	sink->frames = 0;
	sink->metrics = 0;
	sink->lost = 0;
}

static void put(struct sink *sink, const void *data, size_t size)
{
	memcpy(sink->data + sink->used, data, size);
	sink->used += size;
}

static void put_u8(struct sink *sink, uint8_t value)
{
	put(sink, &value, 1);
}

static void put_u32(struct sink *sink, uint32_t value)
{
	frame_put_u32(sink->data + sink->used, value);
	sink->used += 4;
}

static void put_i64(struct sink *sink, int64_t value)
{
	frame_put_u64(sink->data + sink->used, (uint64_t)value);
	sink->used += 8;
}

static void put_text(struct sink *sink, const char *text)
{
	put(sink, text, strlen(text) + 1);
}

/*
 * Starts a frame of exactly `length` payload bytes. False when there is no room: every frame
 * but the last two leaves FRAME_RESERVE for them.
 */
static bool frame_start(struct sink *sink, enum record_type type, size_t length)
{
	size_t reserve = type == RECORD_OUTCOME || type == RECORD_END ? 0 : FRAME_RESERVE;

	if (FRAME_HEADER + length + reserve > sink->size - sink->used) {
		sink->lost++;
		return false;
	}
	put_u32(sink, (uint32_t)length);
	put_u8(sink, (uint8_t)type);
	sink->frames++;
	return true;
}

uint32_t sink_metric(struct sink *sink, const struct metric *metric, const struct origin *origin)
{
	size_t texts = strlen(metric->name) + strlen(metric->unit) + strlen(origin->source) +
		       strlen(origin->role) + 4;
	uint32_t id = sink->metrics++;

	if (!frame_start(sink, RECORD_METRIC, 4 + 1 + 4 + texts))
		return id;
	put_u32(sink, id);
	put_u8(sink, (uint8_t)metric->kind);
	put_u32(sink, origin->revision);
	put_text(sink, metric->name);
	put_text(sink, metric->unit);
	put_text(sink, origin->source);
	put_text(sink, origin->role);
	return id;
}

void sink_sample(struct sink *sink, int64_t t_ns, uint32_t first, uint32_t n, const int64_t *values)
{
	if (!frame_start(sink, RECORD_SAMPLE, 8 + 4 + 4 + 8 * (size_t)n))
		return;
	put_i64(sink, t_ns);
	put_u32(sink, first);
	put_u32(sink, n);
	for (uint32_t i = 0; i < n; i++)
		put_i64(sink, values[i]);
}

void sink_figure(struct sink *sink, int64_t t_ns, const char *name, const char *unit,
	const struct origin *origin, int64_t value)
{
	struct metric metric = { name, unit, METRIC_FIGURE };
	uint32_t id = sink_metric(sink, &metric, origin);

	sink_sample(sink, t_ns, id, 1, &value);
}

void sink_event(
	struct sink *sink, int64_t t_ns, enum event_kind kind, const char *role, const char *text)
{
	if (!frame_start(sink, RECORD_EVENT, 8 + 1 + strlen(role) + strlen(text) + 2))
		return;
	put_i64(sink, t_ns);
	put_u8(sink, (uint8_t)kind);
	put_text(sink, role);
	put_text(sink, text);
}

void sink_histogram(
	struct sink *sink, const char *role, const char *name, const struct histogram *histogram)
{
	uint32_t used = 0;

	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		used += histogram->buckets[i] != 0;
	if (!frame_start(sink, RECORD_HISTOGRAM,
		    strlen(role) + strlen(name) + 2 + 4 * 8 + 4 + 8 * (size_t)used))
		return;
	put_text(sink, role);
	put_text(sink, name);
	put_i64(sink, (int64_t)histogram->count);
	put_i64(sink, (int64_t)histogram->negative);
	put_i64(sink, histogram->sum);
	put_i64(sink, histogram->max);
	put_u32(sink, used);
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		if (!histogram->buckets[i])
			continue;
		put_u32(sink, i);
		put_u32(sink, histogram->buckets[i]);
	}
}

void sink_environment(struct sink *sink, const char *key, const char *text)
{
	if (!frame_start(sink, RECORD_ENVIRONMENT, strlen(key) + strlen(text) + 2))
		return;
	put_text(sink, key);
	put_text(sink, text);
}

void sink_outcome(struct sink *sink, const struct outcome *outcome)
{
	if (!frame_start(sink, RECORD_OUTCOME, 1 + 8 + 8 + strlen(outcome->text) + 1))
		return;
	put_u8(sink, (uint8_t)outcome->code);
	put_i64(sink, outcome->open_ns);
	put_i64(sink, outcome->close_ns);
	put_text(sink, outcome->text);
}

void sink_end(struct sink *sink)
{
	uint32_t before = sink->frames;

	if (frame_start(sink, RECORD_END, 4))
		put_u32(sink, before);
}
