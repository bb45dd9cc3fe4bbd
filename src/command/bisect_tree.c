// SPDX-License-Identifier: GPL-2.0-or-later
/* contend bisect --good: one step of `git bisect run`. */
#include <ctype.h>
#include <sched.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "command/bisect.h"

#define DEFAULT_IMAGE "arch/x86/boot/bzImage"

struct tree {
	struct bisect *bisect;
	char image[2 * PATH_MAX]; /* the kernel that is built */
	char commit[64]; /* what is checked out */
};

static unsigned cpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

static bool is_run(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

static bool same_file(const char *a, const char *b)
{
	struct stat first, second;

	return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
	       first.st_ino == second.st_ino;
}

/* What would make every step of a bisection fail is no fault of the step's. */
static int check(struct tree *tree, struct error *err)
{
	const struct bisect_params *params = &tree->bisect->params;
	const char *image = params->image[0] ? params->image : DEFAULT_IMAGE;
	char config[PATH_MAX + 16];

	if (!params->good[0])
		return error_set(err, -EINVAL,
			"--good KERNEL or RUN: what to compare with; or --kernels A,B,... for a "
			"list");
	snprintf(tree->image, sizeof(tree->image), "%s%s%s", *image == '/' ? "" : params->tree,
		*image == '/' ? "" : "/", image);
	if (access(params->tree, X_OK) < 0)
		return error_errno(err, -errno, "--tree: %s", params->tree);
	snprintf(config, sizeof(config), "%s/.config", params->tree);
	if (!params->build[0] && access(config, R_OK) < 0)
		return error_set(err, -ENOENT,
			"--tree: %s: no kernel's configuration: make it there, or say how it is "
			"built with --build COMMAND",
			config);
	if (same_file(params->good, tree->image))
		return error_set(err, -EINVAL,
			"--good: %s is what each step builds: copy the good kernel elsewhere",
			params->good);
	return 0;
}

/* The commit's name is only for people: without git there is none. */
static void find_commit(struct tree *tree)
{
	char output[sizeof(tree->commit)];
	int status = program_run((const char *[]) { "git", "-C", tree->bisect->params.tree, "log",
					 "-1", "--format=%h", NULL },
		output, sizeof(output));

	output[strcspn(output, "\n")] = '\0';
	snprintf(tree->commit, sizeof(tree->commit), "%s",
		status == 0 && *output ? output : "the tree");
}

static int measure_good(struct tree *tree, struct measured *ret_good, struct error *err)
{
	struct bisect *bisect = tree->bisect;
	const char *good = bisect->params.good;
	char values[640];
	int r;

	if (is_run(good))
		r = bisect_take_run(bisect, strtoll(good, NULL, 10), ret_good, err);
	else
		r = bisect_measure(bisect, good, NULL, ret_good, err);
	if (r < 0)
		return r;
	bisect_spell_values(bisect, ret_good, values, sizeof(values));
	if (!ret_good->known)
		return error_set(err, -ENODATA, "--good: %s: %s", ret_good->label, values);
	printf("good: %s: %s\n", ret_good->label, values);
	return 0;
}

/* 1: it cannot be tested, which has been said. */
static int build(struct tree *tree, struct error *err)
{
	const struct bisect_params *params = &tree->bisect->params;
	char usual[128], words[448];
	struct error why;
	int status;

	/* exec: so that it is make that learns of contend's death. */
	snprintf(usual, sizeof(usual), "make -s olddefconfig && exec make -s -j%u bzImage", cpus());
	status = bisect_build(
		params->tree, params->build[0] ? params->build : usual, words, sizeof(words), err);
	if (status < 0)
		return status;
	if (status > 0) {
		printf("%s: cannot be built (exit %d): %s\n", tree->commit, status, words);
		return 1;
	}
	if (kernel_image_read(tree->image, (char[KERNEL_RELEASE_SIZE]) { 0 }, &why) == 0)
		return 0;
	printf("%s: was built, but: %s\n", tree->commit, why.text);
	return 1;
}

static int test(struct tree *tree, const struct measured *good, int *ret_code, struct error *err)
{
	static const int codes[] = {
		[BISECT_GOOD] = EXIT_CLEAN,
		[BISECT_BAD] = EXIT_REGRESSION,
		[BISECT_SKIPPED] = BISECT_CODE_SKIP,
	};
	struct bisect *bisect = tree->bisect;
	struct measured measured CLEANUP(measured_done) = { 0 };
	struct bisect_answer answer;
	char values[640], text[160];
	enum bisect_mark mark;
	int r = bisect_measure(bisect, tree->image, tree->commit, &measured, err);

	if (r < 0)
		return r;
	bisect_spell_values(bisect, &measured, values, sizeof(values));
	*ret_code = BISECT_CODE_SKIP;
	if (!measured.known) {
		printf("%s: %s\n", tree->commit, values);
		return 0;
	}
	r = bisect_compare(bisect, good, &measured, &answer, err);
	if (r < 0)
		return r;
	mark = bisect_mark_of(answer.verdict, (enum bisect_moved)bisect->params.moved);
	printf("%s: %s: %s: %s\n", tree->commit, values,
		bisect_spell_answer(bisect, &answer, text, sizeof(text)), bisect_mark_name(mark));
	*ret_code = codes[mark];
	return 0;
}

int bisect_tree(struct bisect *bisect, int *ret_code, struct error *err)
{
	struct tree tree = { .bisect = bisect };
	struct measured good CLEANUP(measured_done) = { 0 };
	int r = check(&tree, err);

	if (r == 0)
		r = bisect_open(bisect, err);
	if (r < 0)
		return r;
	find_commit(&tree);
	r = measure_good(&tree, &good, err);
	if (r == 0)
		r = build(&tree, err);
	*ret_code = BISECT_CODE_SKIP;
	return r == 0 ? test(&tree, &good, ret_code, err) : r < 0 ? r : 0;
}
