// SPDX-License-Identifier: GPL-2.0-or-later
#include "setting/several.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "setting/file.h"

static bool has_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at++) {
		if ((at == words || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
	}
	return false;
}

void several_visit(struct several *several, const char *path)
{
	char value[128];
	size_t used;

	if (several->r < 0)
		return;
	several->n++;
	if (several->place) {
		several->r = setting_file_apply(several->place, path, several->value, several->err);
		return;
	}
	several->r = setting_file_read(several->root, path, value, sizeof(value), several->err);
	used = strlen(several->buf);
	if (several->r == 0 && !has_word(several->buf, value))
		snprintf(several->buf + used, several->size - used, "%s%s", used ? " " : "", value);
}
