// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include "setting/value.h"

static void blanks_at_the_ends_are_no_part_of_a_value(void **state)
{
	char text[] = " \t60 \n", empty[] = "\n";

	(void)state;
	assert_string_equal(value_trim(text), "60");
	assert_string_equal(value_trim(empty), "");
}

static void of_a_list_of_choices_the_bracketed_word_is_the_value(void **state)
{
	char first[] = "[none] mq-deadline kyber\n", last[] = "always madvise [never]\n";

	(void)state;
	assert_string_equal(value_trim(first), "none");
	assert_string_equal(value_trim(last), "never");
}

static void a_word_in_parentheses_is_a_choice_when_it_is_all_of_the_word(void **state)
{
	char choice[] = "none voluntary (full) lazy \n", only[] = "(lazy)\n";
	char text[] = "|/usr/bin/crash %p (x86)\n", open[] = "a (b c)\n";

	(void)state;
	assert_string_equal(value_trim(choice), "full");
	assert_string_equal(value_trim(only), "lazy");
	assert_string_equal(value_trim(text), "|/usr/bin/crash %p (x86)");
	assert_string_equal(value_trim(open), "a (b c)");
}

static void values_that_the_kernel_takes_for_the_same_are_equal(void **state)
{
	(void)state;
	assert_true(value_equal("4096\t131072\t6291456", "4096 131072 6291456"));
	assert_true(value_equal("010", "10"));
	assert_true(value_equal("0x10", "16"));
	assert_true(value_equal("Y", "1"));
	assert_true(value_equal("", " \n"));
	assert_false(value_equal("1", "10"));
	assert_false(value_equal("1 2", "1"));
	assert_false(value_equal("Y", "N"));
	assert_false(value_equal("none", "kyber"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(blanks_at_the_ends_are_no_part_of_a_value),
		cmocka_unit_test(of_a_list_of_choices_the_bracketed_word_is_the_value),
		cmocka_unit_test(a_word_in_parentheses_is_a_choice_when_it_is_all_of_the_word),
		cmocka_unit_test(values_that_the_kernel_takes_for_the_same_are_equal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
