// SPDX-License-Identifier: GPL-2.0-or-later
/* Command lines of `contend run`, for the tests of what becomes of them. */
#ifndef TEST_CONFIG_H
#define TEST_CONFIG_H

#include "test.h"

#include <stdlib.h>

#include "config/config.h"
#include "config/words.h"

/* Parses a command line as a shell would have split it. */
static inline int parse(const char *command, struct config **ret_config, struct error *err)
{
	char **argv;
	int argc, r;

	assert_int_equal(words_split(command, &argc, &argv, err), 0);
	r = config_parse_run(argc, argv, ret_config, err);
	free(argv);
	return r;
}

static inline struct config *parsed(const char *command)
{
	struct config *config = NULL;
	struct error err = { "" };

	if (parse(command, &config, &err) < 0)
		fail_msg("%s: %s", command, err.text);
	return config;
}

static inline void assert_mistake(const char *command, const char *text)
{
	struct config *config = NULL;
	struct error err = { "" };

	assert_int_equal(parse(command, &config, &err), -EINVAL);
	assert_null(config);
	assert_string_equal(err.text, text);
}

#endif
