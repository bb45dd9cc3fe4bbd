// SPDX-License-Identifier: GPL-2.0-or-later
/* contend list settings: what can be changed for a trial, and how this machine has it. */
#include <stdlib.h>

#include "base/root.h"
#include "command/list.h"
#include "setting/setting.h"

static const char *scope_name(enum setting_scope scope)
{
	switch (scope) {
	case SETTING_MACHINE: return "machine";
	case SETTING_DISK: return "scratch";
	case SETTING_BOX: break;
	}
	return "box";
}

static void add_setting(
	struct table *table, const struct setting_place *place, const struct setting *setting)
{
	struct row *row = row_new(table);
	char text[256];
	struct error why;

	row_set_text(row, "name", "%s", setting->name);
	row_set_text(row, "of", "%s", scope_name(setting->scope));
	row_set_text(row, "values", "%s", setting_values(setting, text, sizeof(text)));
	row_set_text(row, "summary", "%s", setting->summary);
	if (setting_read(place, setting->name, text, sizeof(text), &why) == 0)
		row_set_text(row, "now", "%s", text);
	else if (setting->scope != SETTING_BOX)
		table_note(table, "%s: not here: %s", setting->name, why.text);
}

int list_settings(struct model *model, const char *store, struct error *err)
{
	static const struct column columns[] = {
		{ .key = "name", .heading = "Name" },
		{ .key = "of", .heading = "Of" },
		{ .key = "now", .heading = "Now" },
		{ .key = "values", .heading = "Values", .flags = COLUMN_WRAP },
		{ .key = "summary", .heading = "Summary", .flags = COLUMN_WRAP },
	};
	const char *temporary = getenv("TMPDIR");
	struct root root CLEANUP(root_close) = { -1 };
	const struct setting_place place = {
		.root = &root,
		.scratch = temporary && *temporary ? temporary : "/var/tmp",
		.swap_kind = "",
	};
	struct table *table;
	int r = root_open(&root, "/", err);

	if (r < 0)
		return r;
	table = table_new(model, columns, ARRAY_SIZE(columns), "%s", "");
	for (const struct setting *const *each = setting_registry; *each; each++)
		add_setting(table, &place, *each);
	table_note(table, "any sysctl by its name is a setting, too (vm.page-cluster=0), and any "
			  "file below /proc/sys or /sys by its path");
	return 0;
}
