// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/forward.h"

#include <stdio.h>
#include <string.h>

#include "record/frame.h"
#include "record/wire.h"

#define BOX "contend.box"

/* As it is. Like all frames it leaves room for the last two. */
static void copy(struct sink *sink, const unsigned char *frame, size_t size)
{
	if (size + FRAME_RESERVE > sink->size - sink->used) {
		sink->lost++;
		return;
	}
	memcpy(sink->data + sink->used, frame, size);
	sink->used += size;
	sink->frames++;
}

/* What the box in the guest says of itself. */
static void rename_key(struct sink *sink, const struct record *record)
{
	char key[128];

	snprintf(key, sizeof(key), "contend.guest%.100s", record->name + strlen(BOX));
	sink_environment(sink, key, record->text);
}

static void take(struct sink *sink, const struct record *record, const unsigned char *frame,
	size_t size, struct forwarded *forwarded)
{
	switch (record->type) {
	case RECORD_OUTCOME:
		forwarded->outcome = record->outcome;
		forwarded->has_outcome = true;
		return;
	case RECORD_END: forwarded->whole = true; return;
	case RECORD_ENVIRONMENT:
		if (!strncmp(record->name, BOX, strlen(BOX))) {
			rename_key(sink, record);
			return;
		}
		break;
	case RECORD_METRIC: sink->metrics++; break;
	default: break;
	}
	copy(sink, frame, size);
}

void sink_forward(
	struct sink *sink, const unsigned char *data, size_t size, struct forwarded *ret_forwarded)
{
	struct wire wire = { .data = data, .size = size };
	struct forwarded forwarded = { .whole = false };
	struct record record;
	size_t at = 0;

	while (!forwarded.whole && wire_next(&wire, &record, NULL) > 0) {
		take(sink, &record, data + at, wire.used - at, &forwarded);
		at = wire.used;
	}
	*ret_forwarded = forwarded;
}
