// SPDX-License-Identifier: GPL-2.0-or-later
#include "setting/several.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "setting/file.h"
#include "setting/value.h"

static bool has_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at++) {
		if ((at == words || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
	}
	return false;
}

static int set(struct several *several, const char *path)
{
	char old[128];
	int r = setting_file_read(several->root, path, old, sizeof(old), several->err);

	if (r < 0 || value_equal(old, several->value))
		return r;
	if (several->along)
		r = several->along(several->place, path, old, several->err);
	if (r < 0)
		return r;
	return setting_file_apply(several->place, path, several->value, several->err);
}

static int get(struct several *several, const char *path)
{
	char value[128];
	size_t used = strlen(several->buf);
	int r = setting_file_read(several->root, path, value, sizeof(value), several->err);

	if (r == 0 && !has_word(several->buf, value))
		snprintf(several->buf + used, several->size - used, "%s%s", used ? " " : "", value);
	return r;
}

void several_visit(struct several *several, const char *path)
{
	if (several->r < 0)
		return;
	several->n++;
	several->r = several->place ? set(several, path) : get(several, path);
}
