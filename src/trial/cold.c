// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "trial/conduct.h"

/* Dirty pages cannot be dropped, and a page may be in use for a moment: sync, drop, look again. */
#define TRIES 3

#define ANSWER_NS (60 * NS_PER_S)

static void degraded(struct conduct *conduct, const char *text)
{
	sink_event(conduct->sink, clock_now(), EVENT_DEGRADED, "", text);
}

void cold_make(struct conduct *conduct)
{
	struct role *lead = &conduct->roles[0];
	char text[512];

	if (!conduct->stage->can_drop_caches) {
		degraded(conduct, "not cold: caches cannot be dropped here");
		return;
	}
	for (uint32_t i = 0; i < TRIES; i++) {
		int r;

		sync();
		r = root_write(conduct->stage->root, "/proc/sys/vm/drop_caches", "3");
		if (r < 0) {
			degraded(conduct, "not cold: writing /proc/sys/vm/drop_caches failed");
			return;
		}
		atomic_store(&lead->shared->stand, STAND_READY);
		shared_set(&lead->shared->gate, GATE_PROVE + i);
		if (role_wait(conduct, lead, STAND_PROVED, ANSWER_NS) < 0) {
			degraded(conduct, "not proved cold: the lead did not answer");
			return;
		}
		if (lead->shared->resident_pages == 0)
			return;
	}
	snprintf(text, sizeof(text),
		"not cold: %llu pages are still in page cache, first of %.200s",
		(unsigned long long)lead->shared->resident_pages, lead->shared->resident_path);
	degraded(conduct, text);
}
