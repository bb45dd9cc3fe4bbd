// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>

#include "workload/workload.h"

void instance_event(const struct instance *instance, int64_t t_ns, const char *format, ...)
{
	struct workload_events *events = instance->events;
	struct workload_event *event;
	uint64_t n;
	va_list args;

	if (!events)
		return;
	n = atomic_load_explicit(&events->n, memory_order_relaxed);
	if (n < WORKLOAD_EVENTS) {
		event = &events->events[n];
		event->t_ns = t_ns;
		va_start(args, format);
		vsnprintf(event->text, sizeof(event->text), format, args);
		va_end(args);
	}
	/* The trial may read while the worker goes on: what is counted is whole. */
	atomic_store_explicit(&events->n, n + 1, memory_order_release);
}
