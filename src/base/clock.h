// SPDX-License-Identifier: GPL-2.0-or-later
/* Time. Every stamp in a record is CLOCK_MONOTONIC; CLOCK_BOOTTIME only detects a suspend. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#include "base/unit.h"

static inline int64_t timespec_ns(struct timespec ts)
{
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static inline struct timespec ns_timespec(int64_t ns)
{
	return (struct timespec) { .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S };
}

static inline int64_t clock_read(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return timespec_ns(ts);
}

/* Nanoseconds of CLOCK_MONOTONIC. */
static inline int64_t clock_now(void)
{
	return clock_read(CLOCK_MONOTONIC);
}

/* Sleeps until the instant; a signal does not shorten it. Returns at once when it has passed. */
static inline void clock_sleep_until(int64_t ns)
{
	struct timespec ts = ns_timespec(ns);

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) != 0)
		;
}

#endif
