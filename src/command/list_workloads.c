// SPDX-License-Identifier: GPL-2.0-or-later
/* contend list leads, loads: the workloads, and their options from the rows themselves. */
#include "command/list.h"
#include "workload/workload.h"

/* "16M to 1T", "from 1", "red|green", "yes|no"; "" when anything will do. */
static const char *range(const struct option_row *row, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	if (row->type == OPTION_BOOL)
		return "yes|no";
	if (row->type == OPTION_CHOICE) {
		for (size_t i = 0; row->choices[i] && used < size; i++)
			used += (size_t)snprintf(
				buf + used, size - used, "%s%s", i ? "|" : "", row->choices[i]);
	} else if (row->min && row->max) {
		snprintf(buf, size, "%s to %s", row->min, row->max);
	} else if (row->min || row->max) {
		snprintf(buf, size, "%s %s", row->min ? "from" : "to",
			row->min ? row->min : row->max);
	}
	return buf;
}

static void add_options(struct table *table, const char *workload, struct option_rows rows)
{
	for (size_t i = 0; i < rows.n; i++) {
		const struct option_row *option = &rows.rows[i];
		struct row *row = row_new(table);
		char text[256];

		row_set_text(row, "workload", "%s", workload);
		row_set_text(row, "option", "%s", option->name);
		row_set_text(row, "default", "%s", option->fallback ? option->fallback : "");
		row_set_text(row, "range", "%s", range(option, text, sizeof(text)));
		row_set_text(row, "help", "%s", option->help);
	}
}

static void list_workloads(struct model *model, unsigned role)
{
	static const struct column workload_columns[] = {
		{ .key = "name", .heading = "Name" },
		{ .key = "unit", .heading = "Counts" },
		{ .key = "table_unit", .heading = "Loads in" },
		{ .key = "revision", .heading = "Rev", .flags = COLUMN_RIGHT },
		{ .key = "summary", .heading = "Summary", .flags = COLUMN_WRAP },
	};
	static const struct column option_columns[] = {
		{ .key = "workload", .heading = "Of" },
		{ .key = "option", .heading = "Option" },
		{ .key = "default", .heading = "Default" },
		{ .key = "range", .heading = "Range" },
		{ .key = "help", .heading = "Meaning", .flags = COLUMN_WRAP },
	};
	struct table *table = table_new(model, workload_columns, ARRAY_SIZE(workload_columns), "%s",
		role == WORKLOAD_LEAD ? "Leads" : "Loads");

	for (const struct workload *const *each = workload_registry; *each; each++) {
		const struct workload *workload = *each;
		struct row *row;

		if (!(workload->roles & role))
			continue;
		row = row_new(table);
		row_set_text(row, "name", "%s", workload->name);
		row_set_text(row, "unit", "%s", workload->unit);
		row_set_text(row, "table_unit", "%s", workload->table_unit);
		row_set_number(row, "revision", workload->revision);
		row_set_text(row, "summary", "%s", workload->summary);
	}
	table = table_new(model, option_columns, ARRAY_SIZE(option_columns), "%s",
		"Options: NAME:opt=val,opt=val");
	for (const struct workload *const *each = workload_registry; *each; each++) {
		if ((*each)->roles & role)
			add_options(table, (*each)->name, (*each)->options);
	}
	add_options(table, "each", workload_common_options);
}

int list_leads(struct model *model, const char *store, struct error *err)
{
	list_workloads(model, WORKLOAD_LEAD);
	return 0;
}

int list_loads(struct model *model, const char *store, struct error *err)
{
	list_workloads(model, WORKLOAD_LOAD);
	return 0;
}
