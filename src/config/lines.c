// SPDX-License-Identifier: GPL-2.0-or-later
#include "config/lines.h"

#include <stdlib.h>
#include <string.h>

void *array_grow(void *array, size_t n, size_t size)
{
	char *grown = reallocarray(array, n + 1, size);

	if (grown)
		memset(grown + n * size, 0, size);
	return grown;
}

int lines_add(struct lines *lines, const char *name, const char *value, const char *where,
	struct error *err)
{
	struct line *grown = array_grow(lines->items, lines->n, sizeof(*grown));
	struct line *line;

	if (!grown)
		return error_errno(err, -ENOMEM, "%s", name);
	lines->items = grown;
	line = &grown[lines->n++];
	line->name = strdup(name);
	line->value = value ? strdup(value) : NULL;
	line->where = where ? strdup(where) : NULL;
	if (!line->name || (value && !line->value) || (where && !line->where))
		return error_errno(err, -ENOMEM, "%s", name);
	return 0;
}

const struct line *lines_find(const struct lines *lines, const char *name)
{
	for (size_t i = 0; i < lines->n; i++) {
		if (!strcmp(lines->items[i].name, name))
			return &lines->items[i];
	}
	return NULL;
}

void lines_done(struct lines *lines)
{
	for (size_t i = 0; i < lines->n; i++) {
		free(lines->items[i].name);
		free(lines->items[i].value);
		free(lines->items[i].where);
	}
	free(lines->items);
	*lines = (struct lines) { 0 };
}

int line_blame(const struct line *line, int code, struct error *err)
{
	struct error told;

	if (!err)
		return code;
	if (line->where)
		return error_prefix(err, code, "%s", line->where);
	/* What option_set() says begins with the option's name. */
	told = *err;
	return error_set(err, code, "--%s", told.text);
}
