// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "report/utf8.h"

/* printf into the arena, printable. Used where `format` is the last named parameter. */
#define FORMAT_TEXT(ret_text, arena, format) \
	do { \
		va_list args_; \
		va_start(args_, format); \
		*(ret_text) = utf8_clean(arena_vformat(arena, format, args_)); \
		va_end(args_); \
	} while (0)

static const char *copy_text(struct arena *arena, const char *text)
{
	return text ? utf8_clean(arena_copy(arena, text)) : NULL;
}

int model_new(struct model **ret_model, struct error *err)
{
	struct model *model = calloc(1, sizeof(*model));

	if (!model)
		return error_set(err, -ENOMEM, "out of memory");
	model->title = "";
	*ret_model = model;
	return 0;
}

void model_free(struct model *model)
{
	if (!model)
		return;
	arena_done(&model->arena);
	free(model);
}

void model_cleanup(struct model **model)
{
	model_free(*model);
}

void model_title(struct model *model, const char *format, ...)
{
	FORMAT_TEXT(&model->title, &model->arena, format);
}

static void lines_add(struct arena *arena, struct lines *lines, const char *term, const char *text)
{
	struct line *line = arena_alloc(arena, 1, sizeof(*line));

	if (!line)
		return;
	line->term = copy_text(arena, term);
	line->text = text;
	if (lines->last)
		lines->last->next = line;
	else
		lines->first = line;
	lines->last = line;
}

void model_legend(struct model *model, const char *term, const char *format, ...)
{
	const char *text;

	FORMAT_TEXT(&text, &model->arena, format);
	lines_add(&model->arena, &model->legend, term, text);
}

void model_note(struct model *model, const char *format, ...)
{
	const char *text;

	FORMAT_TEXT(&text, &model->arena, format);
	lines_add(&model->arena, &model->notes, NULL, text);
}

void table_note(struct table *table, const char *format, ...)
{
	const char *text;

	if (!table)
		return;
	FORMAT_TEXT(&text, &table->model->arena, format);
	lines_add(&table->model->arena, &table->notes, NULL, text);
}

static void facts_add(struct arena *arena, struct facts *facts, const char *key, struct cell cell,
	const char *phrase)
{
	struct fact *fact = arena_alloc(arena, 1, sizeof(*fact));

	if (!fact)
		return;
	*fact = (struct fact) {
		.key = copy_text(arena, key),
		.cell = cell,
		.phrase = copy_text(arena, phrase),
	};
	if (facts->last)
		facts->last->next = fact;
	else
		facts->first = fact;
	facts->last = fact;
}

static struct cell text_cell(struct arena *arena, const char *text)
{
	return (struct cell) {
		.kind = text ? CELL_TEXT : CELL_ABSENT,
		.text = copy_text(arena, text),
	};
}

static struct cell number_cell(double number)
{
	return (struct cell) {
		.kind = isfinite(number) ? CELL_NUMBER : CELL_ABSENT,
		.number = isfinite(number) ? number : 0,
	};
}

void model_fact_text(struct model *model, const char *key, const char *text, const char *phrase)
{
	struct arena *arena = &model->arena;

	facts_add(arena, &model->facts, key, text_cell(arena, text), phrase);
}

void model_fact_number(struct model *model, const char *key, double number, const char *phrase)
{
	facts_add(&model->arena, &model->facts, key, number_cell(number), phrase);
}

void table_fact_text(struct table *table, const char *key, const char *text)
{
	struct arena *arena;

	if (!table)
		return;
	arena = &table->model->arena;
	facts_add(arena, &table->facts, key, text_cell(arena, text), "");
}

struct table *table_new(
	struct model *model, const struct column *columns, size_t n, const char *caption, ...)
{
	struct arena *arena = &model->arena;
	struct table *table = arena_alloc(arena, 1, sizeof(*table));

	if (!table)
		return NULL;
	table->model = model;
	FORMAT_TEXT(&table->caption, arena, caption);
	table->columns = arena_alloc(arena, n, sizeof(*columns));
	if (!table->columns)
		return NULL;
	table->n_columns = n;
	for (size_t i = 0; i < n; i++) {
		table->columns[i] = columns[i];
		table->columns[i].key = copy_text(arena, columns[i].key);
		table->columns[i].heading = copy_text(arena, columns[i].heading);
		table->columns[i].unit = copy_text(arena, columns[i].unit);
		table->columns[i].definition = copy_text(arena, columns[i].definition);
	}
	if (model->last)
		model->last->next = table;
	else
		model->first = table;
	model->last = table;
	return table;
}

struct row *row_new(struct table *table)
{
	struct row *row;

	if (!table)
		return NULL;
	row = arena_alloc(
		&table->model->arena, 1, sizeof(*row) + table->n_columns * sizeof(row->cells[0]));
	if (!row)
		return NULL;
	row->table = table;
	if (table->last)
		table->last->next = row;
	else
		table->first = row;
	table->last = row;
	return row;
}

static struct cell *row_cell(struct row *row, const char *key)
{
	for (size_t i = 0; i < row->table->n_columns; i++)
		if (!strcmp(row->table->columns[i].key, key))
			return &row->cells[i];
	abort();
}

void row_set_number(struct row *row, const char *key, double number)
{
	if (row)
		*row_cell(row, key) = number_cell(number);
}

void row_set_list(struct row *row, const char *key, const double *numbers, size_t n)
{
	double *copy;

	if (!row)
		return;
	copy = arena_alloc(&row->table->model->arena, n, sizeof(*copy));
	if (copy && n)
		memcpy(copy, numbers, n * sizeof(*copy));
	*row_cell(row, key) = (struct cell) { .kind = CELL_LIST, .numbers = copy, .n = n };
}

void row_set_text(struct row *row, const char *key, const char *format, ...)
{
	struct cell *cell;

	if (!row)
		return;
	cell = row_cell(row, key);
	cell->kind = CELL_TEXT;
	FORMAT_TEXT(&cell->text, &row->table->model->arena, format);
}

void row_set_instead(struct row *row, const char *key, const char *format, ...)
{
	if (row)
		FORMAT_TEXT(&row_cell(row, key)->text, &row->table->model->arena, format);
}

void row_mark_bad(struct row *row)
{
	if (row)
		row->bad = true;
}

bool cell_empty(const struct cell *cell)
{
	if (cell->kind == CELL_LIST) {
		for (size_t i = 0; i < cell->n; i++)
			if (isfinite(cell->numbers[i]))
				return false;
	}
	return !cell->text && (cell->kind == CELL_ABSENT || cell->kind == CELL_LIST);
}

char *cell_spell(const struct column *column, const struct cell *cell)
{
	char number[400];
	char *text = NULL;
	size_t size;
	FILE *out;

	if (cell_empty(cell))
		return strdup(NUMBER_ABSENT);
	if (cell->text)
		return strdup(cell->text);
	if (cell->kind == CELL_NUMBER)
		return strdup(number_render(column->style, cell->number, number, sizeof(number)));
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	for (size_t i = 0; i < cell->n; i++)
		fprintf(out, "%s%s", i ? " + " : "",
			number_render(column->style, cell->numbers[i], number, sizeof(number)));
	return fclose(out) ? NULL : text;
}

/* Is anything to be read in this column, in any table that has it? */
static bool column_used(const struct model *model, const char *key)
{
	for (const struct table *table = model->first; table; table = table->next)
		for (size_t i = 0; i < table->n_columns; i++) {
			if (strcmp(table->columns[i].key, key))
				continue;
			for (const struct row *row = table->first; row; row = row->next)
				if (!cell_empty(&row->cells[i]))
					return true;
		}
	return false;
}

bool model_legend_has(const struct model *model, const char *term)
{
	for (const struct line *line = model->legend.first; line; line = line->next)
		if (line->term && !strcmp(line->term, term))
			return true;
	return false;
}

int model_finish(struct model *model, struct error *err)
{
	struct lines further = model->legend;

	model->legend = (struct lines) { 0 };
	for (struct table *table = model->first; table; table = table->next)
		for (size_t i = 0; i < table->n_columns; i++) {
			struct column *column = &table->columns[i];

			if (column->flags & COLUMN_OPTIONAL && !column_used(model, column->key))
				column->flags |= COLUMN_MACHINE;
			if (!column->definition || column->flags & COLUMN_MACHINE ||
				model_legend_has(model, column->heading))
				continue;
			lines_add(
				&model->arena, &model->legend, column->heading, column->definition);
		}
	if (model->legend.last)
		model->legend.last->next = further.first;
	else
		model->legend.first = further.first;
	if (further.last)
		model->legend.last = further.last;
	return model->arena.failed ? error_set(err, -ENOMEM, "out of memory") : 0;
}
