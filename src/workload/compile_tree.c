// SPDX-License-Identifier: GPL-2.0-or-later
/* What `compile` builds: the generated tree, a kernel, or a copy of any other tree. */
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "workload/compile.h"
#include "workload/shelf.h"

/*
 * Sources of the default tree for each CPU: two cores take 5 to 7 s for 84 of them, alone in
 * 512 MB, which is long against the spread of a trial and short enough to be repeated.
 */
#define FILES_PER_CPU 42

static bool is_kernel(const char *tree)
{
	static const char *const marks[] = { "Kbuild", "Kconfig", "Makefile",
		"scripts/Makefile.build" };
	char path[PATH_MAX + 32];

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		snprintf(path, sizeof(path), "%s/%s", tree, marks[i]);
		if (access(path, R_OK) < 0)
			return false;
	}
	return true;
}

/*
 * Has the kernel's output directory at path configured and made ready for any target.
 * data: const struct instance *.
 */
static int kernel_prepare(const char *path, const void *data, struct error *err)
{
	const struct instance *instance = data;
	const struct compile_params *params = instance->params;
	const struct compile_state *state = instance->state;
	const char *const steps[] = { params->config, "prepare", NULL };
	const struct program_how how = { .temporary = state->temporary };
	char config[PATH_MAX + 16];
	int r = directory_make(path, err);

	snprintf(config, sizeof(config), "%s/.config", path);
	for (size_t i = 0; r == 0 && steps[i]; i++) {
		struct make_call call;

		/* A copy from the shelf has its configuration. */
		if (i == 0 && access(config, F_OK) == 0)
			continue;
		make_call_init(&call, instance);
		make_call_kernel(&call, params->tree, path);
		make_call_add(&call, steps[i]);
		r = program_finish(call.argv, &how, err);
		if (r < 0)
			r = error_prefix(err, r, "make %s in %s", steps[i], params->tree);
	}
	return r;
}

/* FNV-1a, to tell the trees of one run apart on its shelf. */
static uint64_t hash_text(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325ULL;

	while (*text)
		hash = (hash ^ (unsigned char)*text++) * 0x100000001b3ULL;
	return hash;
}

/*
 * The output directory comes from the shelf, configured. Some of a kernel's host tools (objtool)
 * have absolute paths in their dependencies, so it is made ready again in its new place.
 */
static int setup_kernel(struct instance *instance, struct error *err)
{
	const struct compile_params *params = instance->params;
	struct compile_state *state = instance->state;
	char key[96], path[PATH_MAX];
	int r;

	snprintf(key, sizeof(key), "kernel-%s-%016llx", params->config,
		(unsigned long long)hash_text(params->tree));
	r = shelf_find(instance->place, key, kernel_prepare, instance, path, sizeof(path), err);
	if (r == 0)
		r = tree_copy(path, state->out, err);
	return r < 0 ? r : kernel_prepare(state->out, instance, err);
}

static int setup_generated(struct instance *instance, struct error *err)
{
	const struct compile_params *params = instance->params;
	const struct place *place = instance->place;
	struct compile_state *state = instance->state;
	struct tree_sources sources = {
		.files = params->files ? params->files : FILES_PER_CPU * (uint64_t)place->cpus,
		.seed = params->seed,
	};
	char key[96], link[PATH_MAX + 16];
	int r;

	if (params->full)
		sources.files *= 3;
	snprintf(key, sizeof(key), "sources-%llu-%llu-%u", (unsigned long long)sources.files,
		(unsigned long long)sources.seed, TREE_REVISION);
	r = shelf_find(
		place, key, tree_make_sources, &sources, state->source, sizeof(state->source), err);
	if (r < 0)
		return r;
	/* make splits words at blanks, and nobody knows where the shelf is. */
	snprintf(link, sizeof(link), "%s/tree", place->scratch);
	if (symlink(state->source, link) < 0)
		return error_errno(err, -errno, "cannot make %s", link);
	return directory_make(state->out, err);
}

int compile_setup_tree(struct instance *instance, struct error *err)
{
	const struct compile_params *params = instance->params;
	struct compile_state *state = instance->state;
	char link[PATH_MAX];

	if (!*params->tree)
		return setup_generated(instance, err);
	if (!realpath(params->tree, link))
		return error_errno(err, -errno, "tree: %s", params->tree);
	state->kernel = is_kernel(params->tree);
	snprintf(state->source, sizeof(state->source), "%s", state->kernel ? link : state->out);
	return state->kernel ? setup_kernel(instance, err) : tree_copy(link, state->out, err);
}
