// SPDX-License-Identifier: GPL-2.0-or-later
/* A small model of every kind of cell, rendered in every format and compared whole. */
#include "test_report.h"

static const struct column columns[] = {
	{ "name", "Kernel", .definition = "what ran" },
	{ "range", "min–max", .flags = COLUMN_PEOPLE | COLUMN_RIGHT },
	{ "time_s", "Time", "s", "how long", STYLE_SECONDS, COLUMN_RIGHT },
	{ "time_min_s", "min", "s", .flags = COLUMN_MACHINE },
	{ "loads", "Loads", .style = STYLE_AMOUNT, .flags = COLUMN_RIGHT },
	{ "unused", "Unused", .definition = "never seen", .flags = COLUMN_RIGHT | COLUMN_OPTIONAL },
};

static void first_table(struct model *model)
{
	struct table *table = table_new(model, columns, ARRAY_SIZE(columns), "compile+io");
	struct row *row = row_new(table);

	table_fact_text(table, "lead", "compile");
	row_set_text(row, "name", "2.4.19|\"cc\", 1");
	row_set_text(row, "range", "66.0–69.0");
	row_set_number(row, "time_s", 67.17);
	row_set_number(row, "time_min_s", 66);
	row_set_list(row, "loads", (double[]) { 33.3, NAN }, 2);
	row = row_new(table);
	row_set_text(row, "name", "2.5.38");
	row_set_instead(row, "time_s", "> %d s", 60);
	row_mark_bad(row);
	table_note(table, "1 of 1: timeout");
}

static struct model *small_model(void)
{
	struct model *model;
	struct table *table;
	struct row *row;

	assert_int_equal(model_new(&model, NULL), 0);
	model_title(model, "Run %d: test", 3);
	model_fact_number(model, "run", 3, "");
	model_fact_text(model, "box", "host", "host");
	model_fact_text(model, "seed", "42", "seed 42");
	first_table(model);
	table = table_new(model, columns, ARRAY_SIZE(columns), "compile+read");
	row = row_new(table);
	row_set_text(row, "name", "2.5.38");
	row_set_number(row, "time_s", 1234.5);
	row_set_number(row, "time_min_s", NAN);
	row_set_list(row, "loads", NULL, 0);
	model_legend(model, "Loads: io", "1 = 100 MB");
	model_note(model, "no swap");
	assert_int_equal(model_finish(model, NULL), 0);
	return model;
}

static void assert_renders(
	enum render_format format, unsigned width, bool colour, const char *expected)
{
	struct model *model = small_model();
	char *text = made_render(model, format, width, colour);

	assert_string_equal(text, expected);
	free(text);
	model_free(model);
}

static void a_table_is_plain_text_with_a_legend(void **state)
{
	(void)state;
	assert_renders(RENDER_TABLE, 0, false,
		"Run 3: test\n"
		"host · seed 42\n"
		"\n"
		"compile+io\n"
		"Kernel           min–max   Time      Loads\n"
		"2.4.19|\"cc\", 1 66.0–69.0   67.2 33.3 + n/a\n"
		"2.5.38               n/a > 60 s        n/a\n"
		"* 1 of 1: timeout\n"
		"\n"
		"compile+read\n"
		"Kernel           min–max   Time      Loads\n"
		"2.5.38               n/a 1234.5        n/a\n"
		"\n"
		"Kernel     what ran\n"
		"Time       how long\n"
		"Loads: io  1 = 100 MB\n"
		"\n"
		"* no swap\n");
}

static void json_has_raw_numbers_and_null(void **state)
{
	struct model *model = small_model();
	char *text = made_render(model, RENDER_JSON, 0, false);
	char *rows = strstr(text, "\"rows\"");

	(void)state;
	assert_non_null(rows);
	assert_ptr_equal(strstr(rows, "\"rows\": [\n"
				      "        {\n"
				      "          \"name\": \"2.4.19|\\\"cc\\\", 1\",\n"
				      "          \"time_s\": 67.17,\n"
				      "          \"time_min_s\": 66,\n"
				      "          \"loads\": [\n"
				      "            33.3,\n"
				      "            null\n"
				      "          ],\n"
				      "          \"unused\": null\n"
				      "        },\n"
				      "        {\n"
				      "          \"name\": \"2.5.38\",\n"
				      "          \"time_s\": null,\n"
				      "          \"time_min_s\": null,\n"
				      "          \"loads\": null,\n"
				      "          \"unused\": null\n"
				      "        }\n"
				      "      ],\n"),
		rows);
	assert_non_null(strstr(text, "\"run\": 3,"));
	assert_non_null(strstr(text, "\"seed\": \"42\""));
	assert_null(strstr(text, "nan"));
	free(text);
	model_free(model);
}

static void csv_quotes_and_names_the_table(void **state)
{
	(void)state;
	assert_renders(RENDER_CSV, 0, false,
		"table,name,time_s,time_min_s,loads,unused\n"
		"compile+io,\"2.4.19|\"\"cc\"\", 1\",67.17,66,33.3 + ,\n"
		"compile+io,2.5.38,,,,\n"
		"compile+read,2.5.38,1234.5,,,\n");
}

static void markdown_escapes_its_bars(void **state)
{
	(void)state;
	assert_renders(RENDER_MD, 0, false,
		"## Run 3: test\n"
		"\n"
		"host · seed 42\n"
		"\n"
		"### compile+io\n"
		"\n"
		"| Kernel | min–max | Time | Loads |\n"
		"| --- | ---: | ---: | ---: |\n"
		"| 2.4.19\\|\"cc\", 1 | 66.0–69.0 | 67.2 | 33.3 + n/a |\n"
		"| 2.5.38 | n/a | > 60 s | n/a |\n"
		"\n"
		"- 1 of 1: timeout\n"
		"\n"
		"### compile+read\n"
		"\n"
		"| Kernel | min–max | Time | Loads |\n"
		"| --- | ---: | ---: | ---: |\n"
		"| 2.5.38 | n/a | 1234.5 | n/a |\n"
		"\n"
		"- **Kernel**: what ran\n"
		"- **Time**: how long\n"
		"- **Loads: io**: 1 = 100 MB\n"
		"\n"
		"- no swap\n");
}

static void only_a_terminal_gets_escapes_and_colour_only_when_asked(void **state)
{
	struct model *model = small_model();
	char *plain = made_render(model, RENDER_TABLE, 0, false);
	char *bold = made_render(model, RENDER_TABLE, 80, false);
	char *red = made_render(model, RENDER_TABLE, 80, true);

	(void)state;
	assert_null(strchr(plain, '\033'));
	assert_non_null(strstr(bold, "\033[1mRun 3: test\033[0m"));
	assert_null(strstr(bold, "\033[31m"));
	assert_non_null(strstr(red, "\033[31m2.5.38"));
	free(plain);
	free(bold);
	free(red);
	model_free(model);
}

static void a_narrow_terminal_loses_no_digit(void **state)
{
	(void)state;
	for (unsigned width = 1; width < 60; width++) {
		struct model *model = small_model();
		char *text = made_render(model, RENDER_TABLE, width, false);

		assert_non_null(strstr(text, "66.0–69.0"));
		assert_non_null(strstr(text, "1234.5"));
		assert_non_null(strstr(text, "33.3 + n/a"));
		free(text);
		model_free(model);
	}
}

static void an_empty_model_is_its_title(void **state)
{
	struct model *model;
	char *text;

	(void)state;
	assert_int_equal(model_new(&model, NULL), 0);
	model_title(model, "Run 1");
	assert_int_equal(model_finish(model, NULL), 0);
	text = made_render(model, RENDER_TABLE, 80, true);
	assert_string_equal(text, "\033[1mRun 1\033[0m\n");
	free(text);
	text = made_render(model, RENDER_CSV, 0, false);
	assert_string_equal(text, "");
	free(text);
	text = made_render(model, RENDER_MD, 0, false);
	assert_string_equal(text, "## Run 1\n");
	free(text);
	text = made_render(model, RENDER_JSON, 0, false);
	assert_non_null(strstr(text, "\"tables\": []"));
	free(text);
	model_free(model);
}

static void what_others_wrote_cannot_reach_the_terminal(void **state)
{
	struct model *model;
	char *text;

	(void)state;
	assert_int_equal(model_new(&model, NULL), 0);
	model_title(model, "a\033[2Jb\nc\xff\xc3{d\xc2\x9b"
			   "e\xed\xa0\x80 é");
	text = made_render(model, RENDER_TABLE, 0, false);
	assert_string_equal(text, "a [2Jb c??{d  e??? é\n");
	free(text);
	text = made_render(model, RENDER_JSON, 0, false);
	assert_non_null(strstr(text, "a [2Jb c"));
	free(text);
	model_free(model);
}

static void huge_numbers_and_infinities_stay_valid(void **state)
{
	static const struct column column = { "x", "X", .flags = COLUMN_RIGHT };
	struct model *model;
	struct table *table;
	char *text;

	(void)state;
	assert_int_equal(model_new(&model, NULL), 0);
	table = table_new(model, &column, 1, "huge");
	row_set_number(row_new(table), "x", 1e300);
	row_set_number(row_new(table), "x", 9.2e18);
	row_set_number(row_new(table), "x", INFINITY);
	assert_int_equal(model_finish(model, NULL), 0);
	text = made_render(model, RENDER_CSV, 0, false);
	assert_string_equal(text, "table,x\nhuge,1e+300\nhuge,9.2e+18\nhuge,\n");
	free(text);
	text = made_render(model, RENDER_JSON, 0, false);
	assert_non_null(strstr(text, "9.2e18"));
	assert_non_null(strstr(text, "\"x\": null"));
	free(text);
	model_free(model);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_is_plain_text_with_a_legend),
		cmocka_unit_test(json_has_raw_numbers_and_null),
		cmocka_unit_test(csv_quotes_and_names_the_table),
		cmocka_unit_test(markdown_escapes_its_bars),
		cmocka_unit_test(only_a_terminal_gets_escapes_and_colour_only_when_asked),
		cmocka_unit_test(a_narrow_terminal_loses_no_digit),
		cmocka_unit_test(an_empty_model_is_its_title),
		cmocka_unit_test(what_others_wrote_cannot_reach_the_terminal),
		cmocka_unit_test(huge_numbers_and_infinities_stay_valid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
