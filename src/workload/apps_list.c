// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/apps_list.h"

#include <ini.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"

/* From small to large; none of them asks anything, or needs a file, before its window is there. */
static const struct apps_entry common[] = {
	{ "xclock", "xclock" },
	{ "xeyes", "xeyes" },
	{ "xlogo", "xlogo" },
	{ "xcalc", "xcalc" },
	{ "oclock", "oclock" },
	{ "xterm", "xterm" },
	{ "xload", "xload" },
	{ "xedit", "xedit" },
	{ "xman", "xman" },
	{ "xfontsel", "xfontsel" },
	{ "xbiff", "xbiff" },
	{ "bitmap", "bitmap" },
	{ "gnome-calculator", "gnome-calculator" },
	{ "mousepad", "mousepad" },
	{ "gedit", "gedit" },
	{ "evince", "evince" },
	{ "atril", "atril" },
	{ "thunar", "thunar" },
	{ "pcmanfm", "pcmanfm" },
	{ "geany", "geany" },
	{ "gnumeric", "gnumeric" },
	{ "abiword", "abiword" },
	{ "inkscape", "inkscape" },
	{ "gimp", "gimp" },
	{ "firefox-esr", "firefox-esr --no-remote" },
	{ "chromium", "chromium --no-sandbox" },
	{ "libreoffice", "libreoffice --nologo --writer" },
};

struct parse {
	struct apps_list *list;
	struct error *err;
	int code;
};

static void list_add(struct apps_list *list, const char *name, const char *command)
{
	struct apps_entry *entry = &list->entries[list->n];
	char program[256];
	size_t used = strlen(list->missing);

	snprintf(program, sizeof(program), "%.*s", (int)strcspn(command, " \t"), command);
	if (!program_exists(program)) {
		snprintf(list->missing + used, sizeof(list->missing) - used, "%s%s",
			used ? ", " : "", name);
		return;
	}
	if (list->n == APPS_MAX)
		return;
	snprintf(entry->name, sizeof(entry->name), "%s", name);
	snprintf(entry->command, sizeof(entry->command), "%s", command);
	list->n++;
}

static int take_line(void *data, const char *section, const char *name, const char *value)
{
	struct parse *parse = data;

	if (strcmp(section, "apps"))
		parse->code = error_set(parse->err, -EINVAL,
			"section [%s]: there is but one, [apps], of lines \"NAME = COMMAND\"",
			section);
	else if (!value || !*value)
		parse->code = error_set(parse->err, -EINVAL, "%s: no command behind it", name);
	else if (strlen(value) >= sizeof(parse->list->entries[0].command))
		parse->code = error_set(parse->err, -EINVAL, "%s: the command is too long", name);
	else
		list_add(parse->list, name, value);
	return parse->code == 0;
}

int apps_list_read(const char *path, struct apps_list *ret_list, struct error *err)
{
	struct parse parse = { .list = ret_list, .err = err };
	int line;

	*ret_list = (struct apps_list) { 0 };
	if (!*path) {
		for (size_t i = 0; i < ARRAY_SIZE(common); i++)
			list_add(ret_list, common[i].name, common[i].command);
		return 0;
	}
	line = ini_parse(path, take_line, &parse);
	if (parse.code < 0)
		return error_prefix(err, parse.code, "%s:%d", path, line);
	if (line < 0)
		return error_errno(err, errno ? -errno : -ENOENT, "cannot read %s", path);
	if (line > 0)
		return error_set(
			err, -EINVAL, "%s:%d: neither [section] nor NAME = COMMAND", path, line);
	return 0;
}
