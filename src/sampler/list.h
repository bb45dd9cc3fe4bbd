// SPDX-License-Identifier: GPL-2.0-or-later
/* The metrics that a sampler found at open. */
#ifndef SAMPLER_LIST_H
#define SAMPLER_LIST_H

#include <stddef.h>

#include "base/error.h"
#include "record/metric.h"

/* Zeroed: empty. Owns the names; units are literals. */
struct metric_list {
	struct metric *metrics;
	size_t n;
};

/* Adds one behind the others: its place is list->n before. 0 or -ENOMEM. */
int metric_list_add(struct metric_list *list, const char *unit, enum metric_kind kind,
	struct error *err, const char *format, ...) __attribute__((format(printf, 5, 6)));

void metric_list_done(struct metric_list *list);

#endif
