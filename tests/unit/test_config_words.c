// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include <stdlib.h>

#include "config/words.h"

static void words_read_back(void **state)
{
	char *const words[] = { (char[]) { "run" }, (char[]) { "" }, (char[]) { "a b" },
		(char[]) { "it's" }, (char[]) { "'" }, (char[]) { "\\" }, (char[]) { "$HOME;*\n" },
		(char[]) { "io:size=64M,x=1" } };
	char *text = words_join((int)ARRAY_SIZE(words), words);
	char **argv;
	int argc;

	(void)state;
	assert_int_equal(words_split(text, &argc, &argv, NULL), 0);
	assert_int_equal(argc, (int)ARRAY_SIZE(words));
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		assert_string_equal(argv[i], words[i]);
	assert_null(argv[argc]);
	free(argv);
	free(text);
}

static void plain_words_stay_as_they_are(void **state)
{
	char *const words[] = { (char[]) { "run" }, (char[]) { "compile+io" },
		(char[]) { "--seed=4" } };
	char *text = words_join(3, words);

	(void)state;
	assert_string_equal(text, "run compile+io --seed=4");
	free(text);
}

static void an_open_quote_is_a_mistake(void **state)
{
	struct error err;
	char **argv;
	int argc;

	(void)state;
	assert_int_equal(words_split("run 'a", &argc, &argv, &err), -EINVAL);
	assert_int_equal(words_split("run \\", &argc, &argv, &err), -EINVAL);
	assert_int_equal(words_split("", &argc, &argv, &err), 0);
	assert_int_equal(argc, 0);
	free(argv);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_read_back),
		cmocka_unit_test(plain_words_stay_as_they_are),
		cmocka_unit_test(an_open_quote_is_a_mistake),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
