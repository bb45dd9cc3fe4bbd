// SPDX-License-Identifier: GPL-2.0-or-later
#include <jansson.h>
#include <math.h>

#include "base/cleanup.h"
#include "report/render_as.h"

/* Digits that a double keeps of any decimal number; more would print 67.170000000000002. */
#define DIGITS 15

/* Whole numbers below this are exact in a double, and written without a point. */
#define EXACT 9007199254740992.0

static void decref(json_t **json)
{
	json_decref(*json);
}

/* jansson's setters free the value and fail where there is no memory; told once, at the end. */
struct builder {
	bool failed;
};

static void set(struct builder *builder, json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value))
		builder->failed = true;
}

static void append(struct builder *builder, json_t *list, json_t *value)
{
	if (json_array_append_new(list, value))
		builder->failed = true;
}

static json_t *number_json(double number)
{
	if (!isfinite(number))
		return json_null();
	if (fabs(number) < EXACT && number == floor(number))
		return json_integer((json_int_t)number);
	return json_real(number);
}

static json_t *cell_json(struct builder *builder, const struct cell *cell)
{
	json_t *list;

	switch (cell->kind) {
	case CELL_TEXT: return json_string(cell->text);
	case CELL_NUMBER: return number_json(cell->number);
	case CELL_LIST:
		list = json_array();
		for (size_t i = 0; i < cell->n; i++)
			append(builder, list, number_json(cell->numbers[i]));
		return list;
	case CELL_ABSENT: break;
	}
	return json_null();
}

static json_t *text_json(const char *text)
{
	return text ? json_string(text) : json_null();
}

static json_t *facts_json(struct builder *builder, const struct facts *facts)
{
	json_t *object = json_object();

	for (const struct fact *fact = facts->first; fact; fact = fact->next)
		set(builder, object, fact->key, cell_json(builder, &fact->cell));
	return object;
}

static json_t *notes_json(struct builder *builder, const struct lines *notes)
{
	json_t *list = json_array();

	for (const struct line *line = notes->first; line; line = line->next)
		append(builder, list, json_string(line->text));
	return list;
}

static json_t *legend_json(struct builder *builder, const struct lines *legend)
{
	json_t *list = json_array();

	for (const struct line *line = legend->first; line; line = line->next) {
		json_t *entry = json_object();

		set(builder, entry, "term", text_json(line->term));
		set(builder, entry, "text", text_json(line->text));
		append(builder, list, entry);
	}
	return list;
}

static json_t *columns_json(struct builder *builder, const struct table *table)
{
	json_t *list = json_array();

	for (size_t i = 0; i < table->n_columns; i++) {
		const struct column *column = &table->columns[i];
		json_t *entry;

		if (column->flags & COLUMN_PEOPLE)
			continue;
		entry = json_object();
		set(builder, entry, "key", text_json(column->key));
		set(builder, entry, "heading", text_json(column->heading));
		set(builder, entry, "unit", text_json(column->unit));
		append(builder, list, entry);
	}
	return list;
}

static json_t *rows_json(struct builder *builder, const struct table *table)
{
	json_t *list = json_array();

	for (const struct row *row = table->first; row; row = row->next) {
		json_t *entry = json_object();

		for (size_t i = 0; i < table->n_columns; i++)
			if (!(table->columns[i].flags & COLUMN_PEOPLE))
				set(builder, entry, table->columns[i].key,
					cell_json(builder, &row->cells[i]));
		append(builder, list, entry);
	}
	return list;
}

static json_t *tables_json(struct builder *builder, const struct model *model)
{
	json_t *list = json_array();

	for (const struct table *table = model->first; table; table = table->next) {
		json_t *entry = json_object();

		set(builder, entry, "caption", text_json(table->caption));
		set(builder, entry, "facts", facts_json(builder, &table->facts));
		set(builder, entry, "columns", columns_json(builder, table));
		set(builder, entry, "rows", rows_json(builder, table));
		set(builder, entry, "notes", notes_json(builder, &table->notes));
		append(builder, list, entry);
	}
	return list;
}

int render_json(const struct model *model, FILE *out)
{
	json_t *root CLEANUP(decref) = json_object();
	struct builder builder = { 0 };

	set(&builder, root, "title", text_json(model->title));
	set(&builder, root, "facts", facts_json(&builder, &model->facts));
	set(&builder, root, "tables", tables_json(&builder, model));
	set(&builder, root, "legend", legend_json(&builder, &model->legend));
	set(&builder, root, "notes", notes_json(&builder, &model->notes));
	if (builder.failed)
		return -ENOMEM;
	if (json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS)) < 0)
		return -EIO;
	fputc('\n', out);
	return 0;
}
