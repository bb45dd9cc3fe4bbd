// SPDX-License-Identifier: GPL-2.0-or-later
/* Verdicts as exit codes. */
#include "test.h"

#include "command/compare.h"

static struct versus answered(enum verdict verdict)
{
	return (struct versus) { .primary = { .answered = true, .verdict = verdict } };
}

/* The exit code of these verdicts; -1: there is none, and an error that says why. */
static int code_of(struct versus *all, size_t n)
{
	struct verdicts verdicts = { .all = all, .n = n };
	enum exit_code code = EXIT_TROUBLE;
	struct error err = { "" };
	int r = verdicts_code(&verdicts, &code, &err);

	if (r == 0)
		return (int)code;
	assert_int_equal(r, -ENODATA);
	assert_string_not_equal(err.text, "");
	assert_int_equal(code, EXIT_TROUBLE);
	return -1;
}

static void one_verdict_has_one_code(void **state)
{
	static const struct {
		enum verdict verdict;
		int code;
	} cases[] = {
		{ VERDICT_SAME, 0 },
		{ VERDICT_FASTER, 0 },
		{ VERDICT_SLOWER, 1 },
		{ VERDICT_INCONCLUSIVE, 3 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct versus versus = answered(cases[i].verdict);

		assert_int_equal(code_of(&versus, 1), cases[i].code);
	}
}

static void the_worst_of_several_counts(void **state)
{
	struct versus all[] = { answered(VERDICT_FASTER), answered(VERDICT_INCONCLUSIVE),
		answered(VERDICT_SAME) };

	(void)state;
	assert_int_equal(code_of(all, 3), EXIT_INCONCLUSIVE);
	all[0] = answered(VERDICT_SLOWER);
	assert_int_equal(code_of(all, 3), EXIT_REGRESSION);
	all[2] = answered(VERDICT_SLOWER);
	all[0] = answered(VERDICT_INCONCLUSIVE);
	assert_int_equal(code_of(all, 3), EXIT_REGRESSION);
}

/* A variant that cannot be set here says nothing about those that can. */
static void what_was_skipped_has_no_part_in_it(void **state)
{
	struct versus all[] = { answered(VERDICT_SAME),
		{ .skipped = "no such algorithm",
			.primary = { .verdict = VERDICT_INCONCLUSIVE } } };

	(void)state;
	assert_int_equal(code_of(all, 2), EXIT_CLEAN);
}

/* Trials of both, and none of B ended: not the same as no regression. */
static void what_failed_throughout_is_inconclusive(void **state)
{
	struct versus all[] = { answered(VERDICT_SAME),
		{ .primary = { .verdict = VERDICT_INCONCLUSIVE } } };

	(void)state;
	assert_int_equal(code_of(all, 2), EXIT_INCONCLUSIVE);
}

static void nothing_that_could_be_compared_is_no_clean_bill(void **state)
{
	struct versus skipped = { .skipped = "no such algorithm" };

	(void)state;
	assert_int_equal(code_of(&skipped, 1), -1);
	assert_int_equal(code_of(NULL, 0), -1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_verdict_has_one_code),
		cmocka_unit_test(the_worst_of_several_counts),
		cmocka_unit_test(what_was_skipped_has_no_part_in_it),
		cmocka_unit_test(what_failed_throughout_is_inconclusive),
		cmocka_unit_test(nothing_that_could_be_compared_is_no_clean_bill),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
