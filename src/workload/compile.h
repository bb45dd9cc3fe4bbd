// SPDX-License-Identifier: GPL-2.0-or-later
/* The parts of `compile` and `cacherun`. */
#ifndef WORKLOAD_COMPILE_H
#define WORKLOAD_COMPILE_H

#include <limits.h>

#include "workload/program.h"
#include "workload/tree.h"
#include "workload/workload.h"

struct compile_params {
	uint64_t files;
	bool full;
	uint64_t jobs;
	uint64_t seed;
	char tree[PATH_MAX];
	char target[256];
	char config[32];
};

/* Where cc has its parts: what a cold trial must find on disk. */
enum tool {
	TOOL_CC,
	TOOL_CC1,
	TOOL_AS,
	TOOL_LD,
	TOOLS
};

struct compile_state {
	struct program make;
	uint64_t counted; /* of make.lines */
	bool kernel;
	struct tree_list before; /* what `out` holds when nothing is built */
	char jobs[32];
	char tools[TOOLS][PATH_MAX]; /* "": not found */
	char source[PATH_MAX]; /* what is read */
	char out[PATH_MAX], temporary[PATH_MAX];
};

/* A call of make, put together word by word. */
struct make_call {
	const char *argv[48];
	size_t n;
	char jobs[40], output[PATH_MAX + 2];
	char targets[sizeof(((struct compile_params *)0)->target)];
};

/* compile_make.c */
void make_call_init(struct make_call *call, const struct instance *instance);
void make_call_add(struct make_call *call, const char *word);
/* A kernel is told where its source and its output are. */
void make_call_kernel(struct make_call *call, const char *tree, const char *out);
/* The words of a text that blanks part. */
void make_call_words(struct make_call *call, const char *words);

/* compile_tools.c: fills state->tools. */
void compile_find_tools(struct compile_state *state);

/* compile_needs.c: make, sh, and all of cc that it takes to compile and link a program. */
void compile_needs(const void *params, void (*visit)(void *data, const char *path), void *data);

/* compile_tree.c: has state->source and state->out ready for a build. */
int compile_setup_tree(struct instance *instance, struct error *err);

#endif
