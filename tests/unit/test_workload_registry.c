// SPDX-License-Identifier: GPL-2.0-or-later
/* What every workload owes to those who run, list and compare it. */
#include "test.h"

#include <ctype.h>

#include "workload/workload.h"

static void assert_line(const char *text)
{
	assert_non_null(text);
	assert_true(text[0] != '\0');
	assert_null(strchr(text, '\n'));
	assert_int_not_equal(text[strlen(text) - 1], '.');
}

static void each_says_what_it_is(void **state)
{
	(void)state;
	for (const struct workload *const *w = workload_registry; *w; w++) {
		assert_line((*w)->name);
		assert_line((*w)->summary);
		assert_line((*w)->unit);
		assert_line((*w)->table_unit);
		assert_true((*w)->table_divisor > 0);
		assert_true((*w)->revision > 0);
	}
}

static void names_are_lower_case_words(void **state)
{
	(void)state;
	for (const struct workload *const *w = workload_registry; *w; w++) {
		assert_true(strlen((*w)->name) < 32);
		for (const char *c = (*w)->name; *c; c++)
			assert_true(islower((unsigned char)*c) || isdigit((unsigned char)*c) ||
				    *c == '-');
	}
}

static void names_are_unique(void **state)
{
	(void)state;
	for (const struct workload *const *a = workload_registry; *a; a++) {
		for (const struct workload *const *b = workload_registry; *b; b++)
			assert_true(a == b || strcmp((*a)->name, (*b)->name));
	}
}

static void each_plays_a_role_and_has_a_step(void **state)
{
	(void)state;
	for (const struct workload *const *w = workload_registry; *w; w++) {
		assert_true((*w)->roles & (WORKLOAD_LEAD | WORKLOAD_LOAD));
		assert_false((*w)->roles & ~(unsigned)(WORKLOAD_LEAD | WORKLOAD_LOAD));
		assert_non_null((*w)->step);
	}
}

static void each_is_found_in_its_roles_only(void **state)
{
	(void)state;
	for (const struct workload *const *w = workload_registry; *w; w++) {
		for (unsigned role = WORKLOAD_LEAD; role <= WORKLOAD_LOAD; role <<= 1)
			assert_ptr_equal(
				workload_find((*w)->name, role), (*w)->roles & role ? *w : NULL);
	}
	assert_null(workload_find("no such workload", WORKLOAD_LEAD | WORKLOAD_LOAD));
}

static size_t field_end(const struct option_row *row)
{
	return row->offset + row->size;
}

static void options_lie_in_the_params(void **state)
{
	(void)state;
	for (const struct workload *const *w = workload_registry; *w; w++) {
		const struct option_rows *options = &(*w)->options;

		for (size_t i = 0; i < options->n; i++) {
			assert_line(options->rows[i].name);
			assert_line(options->rows[i].help);
			assert_true(field_end(&options->rows[i]) <= (*w)->params_size);
			for (size_t j = 0; j < i; j++)
				assert_true(
					options->rows[j].offset >= field_end(&options->rows[i]) ||
					field_end(&options->rows[j]) <= options->rows[i].offset);
		}
	}
}

static void options_are_named_once_and_not_as_the_common_ones(void **state)
{
	(void)state;
	for (const struct workload *const *w = workload_registry; *w; w++) {
		const struct option_rows *options = &(*w)->options;

		for (size_t i = 0; i < options->n; i++) {
			const char *name = options->rows[i].name;

			assert_ptr_equal(option_find(*options, name), &options->rows[i]);
			assert_null(option_find(workload_common_options, name));
		}
	}
}

/* A default is taken (else option_defaults() aborts), is inside its limits, and reads back. */
static void defaults_parse_and_spell_themselves(void **state)
{
	char text[8192];

	(void)state;
	for (const struct workload *const *w = workload_registry; *w; w++) {
		const struct option_rows *options = &(*w)->options;
		void *params = calloc(1, (*w)->params_size + 1);

		option_defaults(*options, params);
		assert_string_equal(option_spell_list(*options, params, text, sizeof(text)), "");
		for (size_t i = 0; i < options->n; i++) {
			const struct option_row *row = &options->rows[i];

			option_spell(row, params, text, sizeof(text));
			assert_int_equal(option_set(*options, params, row->name, text, NULL), 0);
		}
		assert_string_equal(option_spell_list(*options, params, text, sizeof(text)), "");
		free(params);
	}
}

static void metrics_have_names_and_units(void **state)
{
	(void)state;
	for (const struct workload *const *w = workload_registry; *w; w++) {
		assert_true(!(*w)->n_metrics == !(*w)->metrics);
		for (size_t i = 0; i < (*w)->n_metrics; i++) {
			assert_line((*w)->metrics[i].name);
			assert_line((*w)->metrics[i].unit);
		}
	}
}

/* The loads of contest count in contest's units. */
static void contest_loads_count_as_contest_did(void **state)
{
	static const struct {
		const char *name, *unit;
		uint64_t divisor;
	} loads[] = {
		{ "process", "iterations", 10000 },
		{ "io", "bytes", 100000000 },
		{ "io-other", "bytes", 100000000 },
		{ "mem", "accesses", 1000 },
		{ "read", "bytes", 100000000 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(loads); i++) {
		const struct workload *workload = workload_find(loads[i].name, WORKLOAD_LOAD);

		assert_non_null(workload);
		assert_string_equal(workload->unit, loads[i].unit);
		assert_int_equal(workload->table_divisor, loads[i].divisor);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_says_what_it_is),
		cmocka_unit_test(names_are_lower_case_words),
		cmocka_unit_test(names_are_unique),
		cmocka_unit_test(each_plays_a_role_and_has_a_step),
		cmocka_unit_test(each_is_found_in_its_roles_only),
		cmocka_unit_test(options_lie_in_the_params),
		cmocka_unit_test(options_are_named_once_and_not_as_the_common_ones),
		cmocka_unit_test(defaults_parse_and_spell_themselves),
		cmocka_unit_test(metrics_have_names_and_units),
		cmocka_unit_test(contest_loads_count_as_contest_did),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
