// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include "base/nearest.h"

static const char *hint(struct nearest *nearest, const char *word, const char *const names[])
{
	*nearest = nearest_to(word);
	for (; *names; names++)
		nearest_offer(nearest, *names);
	return nearest_hint(nearest);
}

static void slips_of_the_fingers_are_found(void **state)
{
	static const char *const names[] = { "lead", "load", "cold", "deadline", NULL };
	struct nearest nearest;

	(void)state;
	assert_string_equal(hint(&nearest, "laod", names), "; did you mean \"load\"?");
	assert_string_equal(hint(&nearest, "led", names), "; did you mean \"lead\"?");
	assert_string_equal(hint(&nearest, "deadlien", names), "; did you mean \"deadline\"?");
	assert_string_equal(hint(&nearest, "cold", names), "; did you mean \"cold\"?");
}

static void what_is_far_away_is_not_offered(void **state)
{
	static const char *const names[] = { "lead", "load", NULL };
	static const char *const none[] = { NULL };
	struct nearest nearest;
	char huge[300];

	(void)state;
	memset(huge, 'x', sizeof(huge) - 1);
	huge[sizeof(huge) - 1] = '\0';
	assert_string_equal(hint(&nearest, "swappiness", names), "");
	assert_string_equal(hint(&nearest, "lead", none), "");
	assert_string_equal(hint(&nearest, huge, names), "");
	assert_string_equal(hint(&nearest, "", names), "");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(slips_of_the_fingers_are_found),
		cmocka_unit_test(what_is_far_away_is_not_offered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
