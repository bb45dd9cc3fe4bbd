// SPDX-License-Identifier: GPL-2.0-or-later
#include "sampler/list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The names are the list's own; a metric only lends them. */
static void name_free(const char *name)
{
	free((void *)(uintptr_t)name);
}

int metric_list_add(struct metric_list *list, const char *unit, enum metric_kind kind,
	struct error *err, const char *format, ...)
{
	struct metric *grown = reallocarray(list->metrics, list->n + 1, sizeof(*grown));
	char *name;
	va_list args;
	int r;

	if (!grown)
		return error_errno(err, -ENOMEM, "metrics");
	list->metrics = grown;
	va_start(args, format);
	r = vasprintf(&name, format, args);
	va_end(args);
	if (r < 0)
		return error_errno(err, -ENOMEM, "metrics");
	grown[list->n++] = (struct metric) { .name = name, .unit = unit, .kind = kind };
	return 0;
}

void metric_list_done(struct metric_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		name_free(list->metrics[i].name);
	free(list->metrics);
	*list = (struct metric_list) { 0 };
}
