// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "report/render_as.h"

/* RFC 4180, with the newline of this system. */
static void print_field(FILE *out, const char *text)
{
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void print_number(FILE *out, double number)
{
	if (isfinite(number))
		fprintf(out, "%.15g", number);
}

/* Absent is an empty field; several loads' numbers are joined as their names are. */
static void print_cell(FILE *out, const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_TEXT: print_field(out, cell->text); break;
	case CELL_NUMBER: print_number(out, cell->number); break;
	case CELL_LIST:
		for (size_t i = 0; i < cell->n; i++) {
			fputs(i ? " + " : "", out);
			print_number(out, cell->numbers[i]);
		}
		break;
	case CELL_ABSENT: break;
	}
}

static void print_header(FILE *out, const struct table *table)
{
	fputs("table", out);
	for (size_t i = 0; i < table->n_columns; i++) {
		if (table->columns[i].flags & COLUMN_PEOPLE)
			continue;
		fputc(',', out);
		print_field(out, table->columns[i].key);
	}
	fputc('\n', out);
}

static void print_row(FILE *out, const struct table *table, const struct row *row)
{
	print_field(out, table->caption);
	for (size_t i = 0; i < table->n_columns; i++) {
		if (table->columns[i].flags & COLUMN_PEOPLE)
			continue;
		fputc(',', out);
		print_cell(out, &row->cells[i]);
	}
	fputc('\n', out);
}

static bool same_keys(const struct table *a, const struct table *b)
{
	if (a->n_columns != b->n_columns)
		return false;
	for (size_t i = 0; i < a->n_columns; i++)
		if (strcmp(a->columns[i].key, b->columns[i].key))
			return false;
	return true;
}

int render_csv(const struct model *model, FILE *out)
{
	const struct table *before = NULL;

	for (const struct table *table = model->first; table; table = table->next) {
		if (before && !same_keys(before, table))
			fputc('\n', out);
		if (!before || !same_keys(before, table))
			print_header(out, table);
		for (const struct row *row = table->first; row; row = row->next)
			print_row(out, table, row);
		before = table;
	}
	return 0;
}
