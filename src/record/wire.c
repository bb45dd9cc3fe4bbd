// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/wire.h"

#include <string.h>

#include "record/frame.h"

/* What is left of one payload. Reading past its end sets `bad` and yields zeroes. */
struct payload {
	const unsigned char *at, *end;
	bool bad;
};

static const unsigned char *take(struct payload *payload, size_t size)
{
	static const unsigned char zeroes[8];
	const unsigned char *at = payload->at;

	if (size > (size_t)(payload->end - at)) {
		payload->bad = true;
		return zeroes;
	}
	payload->at += size;
	return at;
}

static uint8_t take_u8(struct payload *payload)
{
	return *take(payload, 1);
}

static uint32_t take_u32(struct payload *payload)
{
	return frame_get_u32(take(payload, 4));
}

static int64_t take_i64(struct payload *payload)
{
	return (int64_t)frame_get_u64(take(payload, 8));
}

static const char *take_text(struct payload *payload)
{
	const unsigned char *end = memchr(payload->at, 0, (size_t)(payload->end - payload->at));
	const char *text = (const char *)payload->at;

	if (!end) {
		payload->bad = true;
		return "";
	}
	payload->at = end + 1;
	return text;
}

static void read_metric(struct payload *payload, struct record *record)
{
	record->id = take_u32(payload);
	record->metric.kind = take_u8(payload);
	record->origin.revision = take_u32(payload);
	record->metric.name = take_text(payload);
	record->metric.unit = take_text(payload);
	record->origin.source = take_text(payload);
	record->origin.role = take_text(payload);
	if (record->metric.kind > METRIC_FIGURE)
		payload->bad = true;
}

static void read_sample(struct payload *payload, struct record *record)
{
	record->t_ns = take_i64(payload);
	record->id = take_u32(payload);
	record->n = take_u32(payload);
	if ((size_t)(payload->end - payload->at) / 8 < record->n) {
		payload->bad = true;
		return;
	}
	record->values = take(payload, 8 * (size_t)record->n);
}

static void read_histogram(struct payload *payload, struct record *record)
{
	struct histogram *histogram = &record->histogram;
	uint32_t used;

	record->origin.role = take_text(payload);
	record->name = take_text(payload);
	histogram->count = (uint64_t)take_i64(payload);
	histogram->negative = (uint64_t)take_i64(payload);
	histogram->sum = take_i64(payload);
	histogram->max = take_i64(payload);
	used = take_u32(payload);
	while (used-- && !payload->bad) {
		uint32_t bucket = take_u32(payload);
		uint32_t count = take_u32(payload);

		if (bucket >= HISTOGRAM_BUCKETS)
			payload->bad = true;
		else
			histogram->buckets[bucket] = count;
	}
}

static void read_outcome(struct payload *payload, struct record *record)
{
	struct outcome *outcome = &record->outcome;
	const char *text;

	outcome->code = take_u8(payload);
	outcome->open_ns = take_i64(payload);
	outcome->close_ns = take_i64(payload);
	text = take_text(payload);
	if (outcome->code >= OUTCOME_CODES || strlen(text) >= sizeof(outcome->text))
		payload->bad = true;
	else
		memcpy(outcome->text, text, strlen(text) + 1);
}

static void read_payload(struct payload *payload, struct record *record)
{
	switch (record->type) {
	case RECORD_METRIC: read_metric(payload, record); break;
	case RECORD_SAMPLE: read_sample(payload, record); break;
	case RECORD_EVENT:
		record->t_ns = take_i64(payload);
		record->event = take_u8(payload);
		record->origin.role = take_text(payload);
		record->text = take_text(payload);
		if (record->event >= EVENT_KINDS)
			payload->bad = true;
		break;
	case RECORD_HISTOGRAM: read_histogram(payload, record); break;
	case RECORD_ENVIRONMENT:
		record->name = take_text(payload);
		record->text = take_text(payload);
		break;
	case RECORD_OUTCOME: read_outcome(payload, record); break;
	case RECORD_END: record->n = take_u32(payload); break;
	default: payload->bad = true;
	}
}

int wire_next(struct wire *wire, struct record *ret_record, struct error *err)
{
	size_t left = wire->size - wire->used;
	const unsigned char *at = wire->data + wire->used;
	struct payload payload;
	uint32_t length;

	if (left == 0)
		return 0;
	if (left < FRAME_HEADER)
		return error_set(err, -EBADMSG, "record cut off at byte %zu", wire->used);
	length = frame_get_u32(at);
	if (length > left - FRAME_HEADER)
		return error_set(err, -EBADMSG, "record cut off at byte %zu", wire->used);
	*ret_record = (struct record) {
		.type = at[4],
		.origin = { .source = "", .role = "" },
		.name = "",
		.text = "",
	};
	payload = (struct payload) { at + FRAME_HEADER, at + FRAME_HEADER + length, false };
	read_payload(&payload, ret_record);
	if (ret_record->type == RECORD_END && ret_record->n != wire->frames)
		payload.bad = true;
	if (payload.bad || payload.at != payload.end)
		return error_set(err, -EBADMSG, "no valid record at byte %zu", wire->used);
	wire->used += FRAME_HEADER + length;
	wire->frames++;
	return 1;
}

int64_t record_value(const struct record *record, uint32_t i)
{
	return (int64_t)frame_get_u64(record->values + 8 * (size_t)i);
}
