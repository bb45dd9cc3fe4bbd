// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/cleanup.h"
#include "report/render_as.h"

static void print_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '|' || *text == '\\' || *text == '<' || *text == '*' || *text == '`')
			fputc('\\', out);
		fputc(*text, out);
	}
}

static bool shown(const struct column *column)
{
	return !(column->flags & COLUMN_MACHINE);
}

static int print_row(FILE *out, const struct table *table, const struct row *row)
{
	for (size_t i = 0; i < table->n_columns; i++) {
		char *text CLEANUP(free_text) = NULL;

		if (!shown(&table->columns[i]))
			continue;
		text = cell_spell(&table->columns[i], &row->cells[i]);
		if (!text)
			return -ENOMEM;
		fputs("| ", out);
		print_escaped(out, text);
		fputc(' ', out);
	}
	fputs("|\n", out);
	return 0;
}

static void print_header(FILE *out, const struct table *table)
{
	for (size_t i = 0; i < table->n_columns; i++) {
		if (!shown(&table->columns[i]))
			continue;
		fputs("| ", out);
		print_escaped(out, table->columns[i].heading);
		fputc(' ', out);
	}
	fputs("|\n", out);
	for (size_t i = 0; i < table->n_columns; i++)
		if (shown(&table->columns[i]))
			fputs(table->columns[i].flags & COLUMN_RIGHT ? "| ---: " : "| --- ", out);
	fputs("|\n", out);
}

static void print_notes(FILE *out, const struct lines *notes)
{
	if (notes->first)
		fputc('\n', out);
	for (const struct line *line = notes->first; line; line = line->next) {
		fputs("- ", out);
		print_escaped(out, line->text);
		fputc('\n', out);
	}
}

static void print_legend(FILE *out, const struct lines *legend)
{
	if (legend->first)
		fputc('\n', out);
	for (const struct line *line = legend->first; line; line = line->next) {
		fputs("- **", out);
		print_escaped(out, line->term);
		fputs("**: ", out);
		print_escaped(out, line->text);
		fputc('\n', out);
	}
}

static void print_facts(FILE *out, const struct facts *facts)
{
	const char *between = "\n";

	for (const struct fact *fact = facts->first; fact; fact = fact->next) {
		if (!fact->phrase[0])
			continue;
		fputs(between, out);
		print_escaped(out, fact->phrase);
		between = " · ";
	}
	if (between[0] != '\n')
		fputc('\n', out);
}

int render_md(const struct model *model, FILE *out)
{
	fputs("## ", out);
	print_escaped(out, model->title);
	fputc('\n', out);
	print_facts(out, &model->facts);
	for (const struct table *table = model->first; table; table = table->next) {
		if (table->caption[0]) {
			fputs("\n### ", out);
			print_escaped(out, table->caption);
			fputc('\n', out);
		}
		fputc('\n', out);
		print_header(out, table);
		for (const struct row *row = table->first; row; row = row->next)
			if (print_row(out, table, row) < 0)
				return -ENOMEM;
		print_notes(out, &table->notes);
	}
	print_legend(out, &model->legend);
	print_notes(out, &model->notes);
	return 0;
}
