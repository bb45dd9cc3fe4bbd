// SPDX-License-Identifier: GPL-2.0-or-later
/* contend selftest: does contend measure what it says it does, on this machine? */
#include "command/selftest.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/nearest.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv, enum exit_code *ret_code, struct error *err);
} tests[] = {
	{ "aa", selftest_aa },
	{ "inject", selftest_inject },
	{ "exact", selftest_exact },
};

#define MOST_WORDS 64

static int add_words(const char **words, int n, const char *const *more, struct error *err)
{
	for (; more && *more; more++) {
		if (n == MOST_WORDS)
			return error_set(err, -E2BIG, "more than %d words", MOST_WORDS);
		words[n++] = *more;
	}
	return n;
}

int selftest_parse(const char *const before[], int argc, char **argv, const char *const after[],
	struct config **ret_config, struct error *err)
{
	const char *words[MOST_WORDS + 1] = { "run" };
	int n = add_words(words, 1, before, err);

	if (n > 0 && argc > 0)
		n = add_words(words, n, (const char *const *)(argv + 1), err);
	if (n > 0)
		n = add_words(words, n, after, err);
	if (n < 0)
		return n;
	words[n] = NULL;
	return config_parse_run(n, (char *const *)(uintptr_t)words, ret_config, err);
}

static int selftest(int argc, char **argv, enum exit_code *ret_code, struct error *err)
{
	struct nearest nearest = nearest_to(argc < 2 ? "" : argv[1]);

	for (size_t i = 0; argc > 1 && i < ARRAY_SIZE(tests); i++) {
		nearest_offer(&nearest, tests[i].name);
		if (!strcmp(tests[i].name, argv[1])) {
			catch_signals();
			return tests[i].run(argc - 1, argv + 1, ret_code, err);
		}
	}
	if (argc < 2)
		return error_set(err, -EINVAL, "which selftest? aa, inject or exact");
	return error_set(err, -EINVAL, "no selftest \"%s\"%s: aa, inject or exact", argv[1],
		nearest_hint(&nearest));
}

static int selftest_main(int argc, char **argv)
{
	enum exit_code code;
	struct error err;

	return selftest(argc, argv, &code, &err) < 0 ? fail(&err) : (int)code;
}

const struct subcommand subcommand_selftest = {
	.name = "selftest",
	.summary = "check on this machine that contend measures what it says it does",
	.operands = "aa|inject|exact [OPTION OF RUN]...",
	.notes = "aa       compares a variant with itself, --comparisons times (20), and counts\n"
		 "         the alarms: as many as 5 % can give are no fault. Minutes.\n"
		 "inject   gives one of two variants 10 % more work; each of the --comparisons\n"
		 "         (5) must find it.\n"
		 "exact    runs one trial twice in a guest on counted instructions; the two "
		 "records\n"
		 "         must be the same bytes. --box vm:exact,kernel=... chooses the kernel.\n"
		 "--lead and --load choose what runs, --box where; results are stored as those of\n"
		 "`run` are. Exit: 0 as it should be, 1 not (exact: 2), 2 it could not be tried.\n",
	.run = selftest_main,
};
