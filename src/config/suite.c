// SPDX-License-Identifier: GPL-2.0-or-later
#include "config/suite.h"

#include <ini.h>
#include <stdio.h>
#include <string.h>

const struct suite *suite_find(const char *name)
{
	for (size_t i = 0; i < suite_count; i++) {
		if (!strcmp(suite_registry[i].name, name))
			return &suite_registry[i];
	}
	return NULL;
}

struct summary {
	char *buf;
	size_t size;
};

static int take_summary(void *data, const char *section, const char *name, const char *value)
{
	const struct summary *summary = data;

	if (!strcmp(section, "suite") && !strcmp(name, "summary"))
		snprintf(summary->buf, summary->size, "%s", value);
	return 1;
}

const char *suite_summary(const struct suite *suite, char *buf, size_t size)
{
	struct summary summary = { buf, size };

	buf[0] = '\0';
	ini_parse_string(suite->text, take_summary, &summary);
	return buf;
}
