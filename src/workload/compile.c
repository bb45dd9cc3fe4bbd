// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * contest's lead: a compile by make -j. A unit is one line of make's output, which in the default
 * tree is one object, printed when it is there; in a kernel tree it is one "CC", "AR", ... line.
 * `cacherun` is the same after one whole build that does not count, so that its files are in the
 * page cache.
 *
 * A tree of the user's own is not written to: a kernel's is built with O= in scratch, any other
 * is copied to scratch and built there. As a load it builds, removes what it made, and builds
 * again.
 */
#include "workload/compile.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "workload/registry.h"

static const struct option_row options[] = {
	{
		OPTION("files", OPTION_COUNT, struct compile_params, files),
		.fallback = "0",
		.max = "90000",
		.help = "C files of the generated tree; 0: 42 for each CPU",
	},
	{
		OPTION("full", OPTION_BOOL, struct compile_params, full),
		.fallback = "no",
		.help = "three times the files",
	},
	{
		OPTION("jobs", OPTION_COUNT, struct compile_params, jobs),
		.fallback = "0",
		.max = "65536",
		.help = "make -j; 0: 2 for each CPU",
	},
	{
		OPTION("seed", OPTION_COUNT, struct compile_params, seed),
		.fallback = "1",
		.help = "what the generated tree follows from",
	},
	{
		OPTION("tree", OPTION_TEXT, struct compile_params, tree),
		.fallback = "",
		.argument = "DIR",
		.help = "directory of another tree to build, such as a kernel's; it is not changed",
	},
	{
		OPTION("target", OPTION_TEXT, struct compile_params, target),
		.fallback = "",
		.help = "with tree: what make is to make, as in \"mm/ fs/\"; empty: its default",
	},
	{
		OPTION("config", OPTION_TEXT, struct compile_params, config),
		.fallback = "allnoconfig",
		.help = "with a kernel's tree: the make target that configures it",
	},
};

static int compile_probe(const struct place *place, const void *data, struct error *err)
{
	const struct compile_params *params = data;
	char path[PATH_MAX + 16];

	(void)place;
	if (!program_exists("make"))
		return error_set(err, -EOPNOTSUPP, "no program make; install the package make");
	if (!program_exists("cc"))
		return error_set(
			err, -EOPNOTSUPP, "no program cc; install the packages gcc and libc6-dev");
	if (!*params->tree)
		return *params->target ? error_set(err, -EINVAL, "target: needs tree=DIRECTORY")
				       : 0;
	snprintf(path, sizeof(path), "%s/Makefile", params->tree);
	if (access(path, R_OK) < 0)
		return error_errno(err, -errno, "tree: %s", path);
	return 0;
}

static int compile_setup(struct instance *instance, struct error *err)
{
	struct compile_state *state = instance->state;
	int r;

	if (instance->workers > 1)
		return error_set(err, -EINVAL,
			"%s has one worker; jobs=N sets how many compilers run at a time",
			instance->workload->name);
	compile_find_tools(state);
	snprintf(state->out, sizeof(state->out), "%s/out", instance->place->scratch);
	snprintf(state->temporary, sizeof(state->temporary), "%s/tmp", instance->place->scratch);
	r = directory_make(state->temporary, err);
	if (r == 0)
		r = compile_setup_tree(instance, err);
	return r < 0 ? r : tree_list(state->out, &state->before, err);
}

static int build_start(struct instance *instance, struct error *err)
{
	const struct compile_params *params = instance->params;
	struct compile_state *state = instance->state;
	const struct program_how how = { .directory = state->out, .temporary = state->temporary };
	struct make_call call;

	make_call_init(&call, instance);
	if (!*params->tree) {
		make_call_add(&call, "-f");
		make_call_add(&call, "../tree/Makefile");
		make_call_add(&call, "TREE=../tree");
	}
	if (state->kernel)
		make_call_kernel(&call, state->source, state->out);
	make_call_words(&call, params->target);
	state->counted = 0;
	return program_start(&state->make, call.argv, &how, err);
}

/* Returns 1 while it goes on, 0 when all is built. *ret_lines: make's new lines. */
static int build_follow(struct compile_state *state, uint64_t *ret_lines, struct error *err)
{
	int status, r = program_follow(&state->make, &status, err);

	*ret_lines = state->make.lines - state->counted;
	state->counted = state->make.lines;
	if (r == 0 && status)
		return program_failure(&state->make, "make", status, err);
	return r;
}

static int cacherun_setup(struct instance *instance, struct error *err)
{
	struct compile_state *state = instance->state;
	uint64_t lines;
	int r = compile_setup(instance, err);

	if (r == 0)
		r = build_start(instance, err);
	if (r == 0) {
		while ((r = build_follow(state, &lines, err)) > 0)
			;
	}
	return r < 0 ? r : tree_prune(state->out, &state->before, err);
}

static int compile_step(struct worker *worker, struct error *err)
{
	struct instance *instance = worker->instance;
	struct compile_state *state = instance->state;
	uint64_t lines;
	int r;

	if (!state->make.pid) {
		r = build_start(instance, err);
		return r < 0 ? r : STEP_MORE;
	}
	r = build_follow(state, &lines, err);
	progress_add(worker->progress, lines);
	if (r != 0)
		return r < 0 ? r : STEP_MORE;
	if (instance->role == WORKLOAD_LEAD)
		return STEP_DONE;
	r = tree_prune(state->out, &state->before, err);
	return r < 0 ? r : STEP_PASS;
}

static void compile_teardown(struct instance *instance)
{
	struct compile_state *state = instance->state;

	program_kill(&state->make);
	tree_list_done(&state->before);
}

/*
 * make and sh are not among them: contend is itself run by them often enough, and the kernel
 * keeps what is mapped.
 */
static void compile_cold_files(
	const struct instance *instance, void (*visit)(void *data, const char *path), void *data)
{
	const struct compile_state *state = instance->state;

	for (size_t i = 0; i < TOOLS; i++) {
		if (*state->tools[i])
			visit(data, state->tools[i]);
	}
	tree_visit(state->source, visit, data);
}

const struct workload workload_compile = {
	.name = "compile",
	.summary = "compiles a tree of C files with make -j",
	.unit = "files",
	.table_unit = "files",
	.table_divisor = 1,
	.revision = 1,
	.roles = WORKLOAD_LEAD | WORKLOAD_LOAD,
	.options = OPTION_ROWS(options),
	.params_size = sizeof(struct compile_params),
	.state_size = sizeof(struct compile_state),
	.probe = compile_probe,
	.setup = compile_setup,
	.step = compile_step,
	.teardown = compile_teardown,
	.cold_files = compile_cold_files,
	.needs = compile_needs,
};

const struct workload workload_cacherun = {
	.name = "cacherun",
	.summary = "compiles a tree of C files again, with all of it in the page cache",
	.unit = "files",
	.table_unit = "files",
	.table_divisor = 1,
	.revision = 1,
	.roles = WORKLOAD_LEAD | WORKLOAD_LOAD,
	.options = OPTION_ROWS(options),
	.params_size = sizeof(struct compile_params),
	.state_size = sizeof(struct compile_state),
	.probe = compile_probe,
	.setup = cacherun_setup,
	.step = compile_step,
	.teardown = compile_teardown,
	.needs = compile_needs,
};
