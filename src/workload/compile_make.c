// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "workload/compile.h"

void make_call_add(struct make_call *call, const char *word)
{
	if (call->n < ARRAY_SIZE(call->argv) - 1)
		call->argv[call->n++] = word;
}

void make_call_init(struct make_call *call, const struct instance *instance)
{
	const struct compile_params *params = instance->params;
	uint64_t jobs = params->jobs ? params->jobs : 2 * (uint64_t)instance->place->cpus;

	*call = (struct make_call) { 0 };
	snprintf(call->jobs, sizeof(call->jobs), "-j%llu", (unsigned long long)jobs);
	make_call_add(call, "make");
	make_call_add(call, call->jobs);
	make_call_add(call, "--no-print-directory");
}

void make_call_kernel(struct make_call *call, const char *tree, const char *out)
{
	snprintf(call->output, sizeof(call->output), "O=%s", out);
	make_call_add(call, "-C");
	make_call_add(call, tree);
	make_call_add(call, call->output);
}

void make_call_words(struct make_call *call, const char *words)
{
	char *rest = call->targets, *word;

	snprintf(call->targets, sizeof(call->targets), "%s", words);
	while ((word = strsep(&rest, " "))) {
		if (*word)
			make_call_add(call, word);
	}
}
