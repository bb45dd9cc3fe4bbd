// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/primary.h"

#include <string.h>

#include "base/cleanup.h"

#define TIME "time"

bool primary_is_time(const struct primary *primary)
{
	return !primary->source[0];
}

/* Copies the text up to `end` into a field; false: it does not fit. */
static bool take(char *field, size_t size, const char *text, const char *end)
{
	size_t n = (size_t)(end - text);

	if (n >= size)
		return false;
	memcpy(field, text, n);
	field[n] = '\0';
	return true;
}

int primary_parse(const char *text, struct primary *ret_primary, struct error *err)
{
	struct primary primary = { 0 };
	const char *role = strchr(text, '/'), *name = role ? strchr(role + 1, '/') : NULL;
	const char *end = text + strlen(text);

	if (!take(primary.text, sizeof(primary.text), text, end))
		return error_set(err, -EINVAL, "a metric's name of more than %zu characters",
			sizeof(primary.text) - 1);
	if (!strcmp(text, TIME)) {
		*ret_primary = primary;
		return 0;
	}
	primary.more_is_better = end > text && end[-1] == '+';
	end -= primary.more_is_better;
	if (!name || role == text || name + 1 == end)
		return error_set(err, -EINVAL,
			"\"%s\" is no metric: time, or SOURCE/ROLE/NAME, as in vmstat//pswpin or "
			"trial/io/progress+ (more is better)",
			text);
	if (!take(primary.source, sizeof(primary.source), text, role) ||
		!take(primary.role, sizeof(primary.role), role + 1, name) ||
		!take(primary.name, sizeof(primary.name), name + 1, end))
		return error_set(err, -EINVAL, "\"%s\": a part of it is too long", text);
	*ret_primary = primary;
	return 0;
}
