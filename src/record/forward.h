// SPDX-License-Identifier: GPL-2.0-or-later
/* A record stream that came from elsewhere, a guest, into a sink that may hold frames already. */
#ifndef RECORD_FORWARD_H
#define RECORD_FORWARD_H

#include <stdbool.h>

#include "record/sink.h"

/* How far the stream was one. */
struct forwarded {
	struct outcome outcome;
	bool has_outcome;
	bool whole; /* its closing frame came */
};

/*
 * Copies a stream's frames, up to where it is no longer one, but for its outcome and its closing
 * frame: who forwards has the last word. Metrics must not have been declared in the sink before.
 * Environment keys "contend.box..." become "contend.guest...". Trusts nothing.
 */
void sink_forward(
	struct sink *sink, const unsigned char *data, size_t size, struct forwarded *ret_forwarded);

#endif
