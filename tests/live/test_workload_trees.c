// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What compile, command, tarc, tarx, lslr and dbench count, beside what is there when they have
 * done it. Each is run on small trees, step by step, in this process.
 */
#include "../unit/test.h"

#include <archive.h>
#include <archive_entry.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/option.h"
#include "workload/tree.h"
#include "workload/workload.h"

static char top[64];
static unsigned runs;

/* One workload, set up; its files are below the instance's scratch. */
struct bench {
	char scratch[PATH_MAX], shelf[PATH_MAX];
	struct place place;
	struct instance instance;
	struct progress progress;
	struct worker worker;
	struct error error;
	void *params;
};

static int bench_init(
	struct bench *bench, const char *name, enum workload_roles role, const char *options)
{
	const struct workload *workload = workload_find(name, role);
	int r;

	assert_non_null(workload);
	*bench = (struct bench) { 0 };
	snprintf(bench->scratch, sizeof(bench->scratch), "%s/scratch-%u", top, runs++);
	snprintf(bench->shelf, sizeof(bench->shelf), "%s/shelf", top);
	assert_int_equal(directory_make(bench->scratch, NULL), 0);
	assert_int_equal(directory_make(bench->shelf, NULL), 0);
	bench->place = (struct place) {
		.ram_bytes = 64 * MIB,
		.cpus = 1,
		.scratch = bench->scratch,
		.shelf = bench->shelf,
		.seed = 1,
	};
	bench->params = calloc(1, workload->params_size);
	option_defaults(workload->options, bench->params);
	assert_int_equal(option_set_list(workload->options, bench->params, options, NULL), 0);
	bench->instance = (struct instance) {
		.workload = workload,
		.place = &bench->place,
		.params = bench->params,
		.role = role,
		.state = calloc(1, workload->state_size),
		.workers = 1,
	};
	bench->worker = (struct worker) {
		.instance = &bench->instance,
		.progress = &bench->progress,
	};
	r = workload->probe ? workload->probe(&bench->place, bench->params, &bench->error) : 0;
	return r < 0 ? r : workload->setup(&bench->instance, &bench->error);
}

static void bench_done(struct bench *bench)
{
	bench->instance.workload->teardown(&bench->instance);
	free(bench->instance.state);
	free(bench->params);
}

/* Steps until something else than STEP_MORE comes of it. */
static int bench_run(struct bench *bench)
{
	int r;

	while ((r = bench->instance.workload->step(&bench->worker, &bench->error)) == STEP_MORE)
		;
	return r;
}

static uint64_t units(const struct bench *bench)
{
	return atomic_load(&bench->progress.units);
}

/* The number that a command line prints. */
static uint64_t shell(const char *format, const char *path)
{
	char command[4 * PATH_MAX], answer[64];
	const char *const argv[] = { "/bin/sh", "-c", command, NULL };

	snprintf(command, sizeof(command), format, path);
	assert_int_equal(program_run(argv, answer, sizeof(answer)), 0);
	return strtoull(answer, NULL, 10);
}

static void count_file(void *data, const char *path)
{
	(void)path;
	++*(uint64_t *)data;
}

static uint64_t cold_files(const struct bench *bench)
{
	uint64_t n = 0;

	bench->instance.workload->cold_files(&bench->instance, count_file, &n);
	return n;
}

static void a_compile_counts_its_objects(void **state)
{
	struct bench bench;

	(void)state;
	assert_int_equal(bench_init(&bench, "compile", WORKLOAD_LEAD, "files=7"), 0);
	/* The tree's 7 sources, its header and Makefile, and cc, cc1, as, ld. */
	assert_in_range(cold_files(&bench), 7 + 2 + 3, 7 + 2 + 4);
	assert_int_equal(bench_run(&bench), STEP_DONE);
	assert_int_equal(units(&bench), 7);
	assert_int_equal(shell("find %s/out -name '*.o' | wc -l", bench.scratch), 7);
	assert_int_equal(shell("find %s/out -name program -perm -1 | wc -l", bench.scratch), 1);
	/* cc's own temporary files were in scratch, and are gone. */
	assert_int_equal(shell("ls %s/tmp | wc -l", bench.scratch), 0);
	bench_done(&bench);
}

static void a_compile_as_a_load_builds_again_from_nothing(void **state)
{
	struct bench bench;

	(void)state;
	assert_int_equal(bench_init(&bench, "compile", WORKLOAD_LOAD, "files=3"), 0);
	assert_int_equal(bench_run(&bench), STEP_PASS);
	assert_int_equal(shell("ls %s/out | wc -l", bench.scratch), 0);
	assert_int_equal(bench_run(&bench), STEP_PASS);
	assert_int_equal(units(&bench), 6);
	bench_done(&bench);
}

static void cacherun_does_not_count_its_first_build(void **state)
{
	struct bench bench;

	(void)state;
	assert_int_equal(bench_init(&bench, "cacherun", WORKLOAD_LEAD, "files=3"), 0);
	assert_int_equal(units(&bench), 0);
	assert_int_equal(bench_run(&bench), STEP_DONE);
	assert_int_equal(units(&bench), 3);
	bench_done(&bench);
}

static void full_is_three_times_the_files(void **state)
{
	struct bench bench;

	(void)state;
	assert_int_equal(bench_init(&bench, "compile", WORKLOAD_LEAD, "files=2,full"), 0);
	assert_int_equal(bench_run(&bench), STEP_DONE);
	assert_int_equal(units(&bench), 6);
	bench_done(&bench);
}

/* A tree of the user's own, whose make writes into it. */
static void write_tree(const char *makefile, char tree[static PATH_MAX])
{
	char path[PATH_MAX + 16];

	snprintf(tree, PATH_MAX, "%s/user tree %u", top, runs);
	assert_int_equal(directory_make(tree, NULL), 0);
	snprintf(path, sizeof(path), "%s/Makefile", tree);
	assert_int_equal(file_write(path, makefile, strlen(makefile), NULL), 0);
}

static void another_tree_is_built_in_a_copy(void **state)
{
	static const char makefile[] = "all:\n\t@false\none two:\n\t@echo CC $@\n\t@touch $@\n";
	char tree[PATH_MAX], options[2 * PATH_MAX];
	struct bench bench;

	(void)state;
	write_tree(makefile, tree);
	snprintf(options, sizeof(options), "tree=%s,target=one two", tree);
	assert_int_equal(bench_init(&bench, "compile", WORKLOAD_LOAD, options), 0);
	assert_int_equal(bench_run(&bench), STEP_PASS);
	assert_int_equal(bench_run(&bench), STEP_PASS);
	assert_int_equal(units(&bench), 4);
	assert_int_equal(shell("ls '%s' | wc -l", tree), 1);
	bench_done(&bench);
}

static void a_build_that_fails_says_what_make_said(void **state)
{
	static const char makefile[] = "all:\n\t@echo 'no more memory' >&2; exit 4\n";
	char tree[PATH_MAX], options[2 * PATH_MAX];
	struct bench bench;

	(void)state;
	write_tree(makefile, tree);
	snprintf(options, sizeof(options), "tree=%s", tree);
	assert_int_equal(bench_init(&bench, "compile", WORKLOAD_LEAD, options), 0);
	assert_int_equal(bench_run(&bench), -EIO);
	assert_non_null(strstr(bench.error.text, "make ended with status 2: no more memory"));
	bench_done(&bench);
}

/* Enough of a kernel's Makefile to see what it is asked. */
static void a_kernel_is_configured_and_built_outside_its_tree(void **state)
{
	static const char makefile[] = "tinyconfig:\n\t@echo made > $(O)/.config\n"
				       "prepare:\n\t@cat $(O)/.config > $(O)/ready\n"
				       "mm/:\n\t@cat $(O)/ready; echo CC >> $(O)/built\n";
	static const char *const others[] = { "Kbuild", "Kconfig", "scripts/Makefile.build" };
	char tree[PATH_MAX], path[2 * PATH_MAX], options[2 * PATH_MAX];
	struct bench bench;

	(void)state;
	write_tree(makefile, tree);
	snprintf(path, sizeof(path), "%s/scripts", tree);
	assert_int_equal(directory_make(path, NULL), 0);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		snprintf(path, sizeof(path), "%s/%s", tree, others[i]);
		assert_int_equal(file_write(path, "", 0, NULL), 0);
	}
	snprintf(options, sizeof(options), "tree=%s,target=mm/,config=tinyconfig", tree);
	assert_int_equal(bench_init(&bench, "compile", WORKLOAD_LOAD, options), 0);
	assert_int_equal(bench_run(&bench), STEP_PASS);
	assert_int_equal(units(&bench), 1);
	assert_int_equal(shell("find '%s' -type f | wc -l", tree), 4);
	/* What was there before the build still is; what it made is not. */
	assert_int_equal(shell("ls -A %s/out | wc -l", bench.scratch), 2);
	bench_done(&bench);
}

static void a_command_ends_as_a_lead_and_starts_again_as_a_load(void **state)
{
	struct bench bench;

	(void)state;
	assert_int_equal(bench_init(&bench, "command", WORKLOAD_LEAD, "run=echo a; echo b"), 0);
	assert_int_equal(bench_run(&bench), STEP_DONE);
	assert_int_equal(units(&bench), 1);
	bench_done(&bench);
	assert_int_equal(
		bench_init(&bench, "command", WORKLOAD_LOAD, "run=echo a; echo b,count=lines"), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(bench_run(&bench), STEP_PASS);
	assert_int_equal(units(&bench), 6);
	bench_done(&bench);
}

static void a_command_that_fails_says_so(void **state)
{
	struct bench bench;

	(void)state;
	assert_int_equal(bench_init(&bench, "command", WORKLOAD_LEAD, ""), -EINVAL);
	free(bench.params);
	free(bench.instance.state);
	assert_int_equal(
		bench_init(&bench, "command", WORKLOAD_LEAD, "run=echo out of luck; exit 7"), 0);
	assert_int_equal(bench_run(&bench), -EIO);
	assert_string_equal(bench.error.text, "the command ended with status 7: out of luck");
	assert_int_equal(units(&bench), 0);
	bench_done(&bench);
}

/* Regular files in an archive, and bytes in them. */
static uint64_t list_archive(const char *path, uint64_t *ret_bytes)
{
	struct archive *archive = archive_read_new();
	struct archive_entry *entry;
	uint64_t files = 0;

	archive_read_support_format_tar(archive);
	assert_int_equal(archive_read_open_filename(archive, path, 65536), ARCHIVE_OK);
	*ret_bytes = 0;
	while (archive_read_next_header(archive, &entry) == ARCHIVE_OK) {
		if (archive_entry_filetype(entry) != AE_IFREG)
			continue;
		files++;
		*ret_bytes += (uint64_t)archive_entry_size(entry);
	}
	archive_read_free(archive);
	return files;
}

#define SMALL "size=3M,files=200,directories=7"

static void tarc_counts_what_is_in_its_archive(void **state)
{
	char path[2 * PATH_MAX];
	struct bench bench;
	uint64_t bytes;

	(void)state;
	assert_int_equal(bench_init(&bench, "tarc", WORKLOAD_LEAD, SMALL), 0);
	assert_int_equal(cold_files(&bench), 200);
	assert_int_equal(bench_run(&bench), STEP_DONE);
	assert_int_equal(units(&bench), 200);
	snprintf(path, sizeof(path), "%s/0-0.tar", bench.scratch);
	assert_int_equal(list_archive(path, &bytes), 200);
	assert_int_equal(bytes, 3 * MIB);
	bench_done(&bench);
}

static void tarc_keeps_as_many_archives_as_it_is_told(void **state)
{
	struct bench bench;

	(void)state;
	assert_int_equal(bench_init(&bench, "tarc", WORKLOAD_LOAD, SMALL ",keep=1"), 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(bench_run(&bench), STEP_PASS);
	assert_int_equal(units(&bench), 800);
	assert_int_equal(shell("ls %s | wc -l", bench.scratch), 2);
	bench_done(&bench);
}

static void an_unfinished_pass_counts(void **state)
{
	struct bench bench;

	(void)state;
	assert_int_equal(bench_init(&bench, "tarc", WORKLOAD_LOAD, SMALL), 0);
	while (units(&bench) < 50)
		assert_int_equal(
			bench.instance.workload->step(&bench.worker, &bench.error), STEP_MORE);
	assert_int_equal(units(&bench), 50);
	bench_done(&bench);
}

static void tarx_counts_the_files_on_disk(void **state)
{
	struct bench bench;

	(void)state;
	assert_int_equal(bench_init(&bench, "tarx", WORKLOAD_LOAD, SMALL), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(bench_run(&bench), STEP_PASS);
	/* New names each time: nothing was deleted. */
	assert_int_equal(units(&bench), 600);
	assert_int_equal(shell("find %s -type f | wc -l", bench.scratch), 600);
	assert_int_equal(shell("find %s -type f -printf '%%s\\n' | awk '{n += $1} END {print n}'",
				 bench.scratch),
		3 * 3 * MIB);
	bench_done(&bench);
}

static void tarx_removes_the_oldest_beyond_what_it_keeps(void **state)
{
	struct bench bench;

	(void)state;
	assert_int_equal(bench_init(&bench, "tarx", WORKLOAD_LOAD, SMALL ",keep=1"), 0);
	for (int i = 0; i < 5; i++)
		assert_int_equal(bench_run(&bench), STEP_PASS);
	assert_int_equal(units(&bench), 1000);
	assert_int_equal(shell("find %s -type f | wc -l", bench.scratch), 400);
	bench_done(&bench);
}

static void what_tarx_extracts_is_what_tarc_read(void **state)
{
	char compare[3 * PATH_MAX], tree[PATH_MAX];
	struct bench bench;

	(void)state;
	snprintf(tree, sizeof(tree), "%s/plain", top);
	assert_int_equal(
		tree_make_files(tree, &(struct tree_files) { 20, 500000, 3, 9, 1 }, NULL), 0);
	snprintf(compare, sizeof(compare), "%s/plain/link", top);
	assert_int_equal(symlink("d00000", compare), 0);
	snprintf(compare, sizeof(compare), "dir=%s", tree);
	assert_int_equal(bench_init(&bench, "tarx", WORKLOAD_LEAD, compare), 0);
	assert_int_equal(bench_run(&bench), STEP_DONE);
	snprintf(compare, sizeof(compare), "diff -r --no-dereference %s %s/0-0 && echo 1", tree,
		bench.scratch);
	assert_int_equal(shell("%s", compare), 1);
	bench_done(&bench);
}

static void a_tree_that_scratch_cannot_hold_is_refused(void **state)
{
	struct bench bench;

	(void)state;
	assert_int_equal(bench_init(&bench, "tarx", WORKLOAD_LOAD, "size=4000T,files=10"), -ENOSPC);
	assert_non_null(strstr(bench.error.text, "a smaller size= or keep= needs less"));
	bench_done(&bench);
}

static void lslr_counts_what_find_finds(void **state)
{
	struct bench bench;

	(void)state;
	assert_int_equal(
		bench_init(&bench, "lslr", WORKLOAD_LOAD, "files=2345,per-directory=100"), 0);
	assert_int_equal(bench_run(&bench), STEP_PASS);
	assert_int_equal(units(&bench), 2345 + 24);
	assert_int_equal(
		shell("find %s/empty-2345-24-* -mindepth 1 | wc -l", bench.shelf), 2345 + 24);
	assert_int_equal(bench_run(&bench), STEP_PASS);
	assert_int_equal(units(&bench), 2 * (2345 + 24));
	bench_done(&bench);
}

static void lslr_lists_any_directory(void **state)
{
	struct bench bench;

	(void)state;
	assert_int_equal(bench_init(&bench, "lslr", WORKLOAD_LEAD, "dir=/usr/include"), 0);
	assert_int_equal(bench_run(&bench), STEP_DONE);
	assert_int_equal(units(&bench), shell("find %s -mindepth 1 | wc -l", "/usr/include"));
	bench_done(&bench);
}

static void dbench_counts_what_it_reports(void **state)
{
	struct bench bench;

	(void)state;
	if (!program_exists("dbench"))
		return;
	assert_int_equal(bench_init(&bench, "dbench", WORKLOAD_LOAD, "clients=1"), 0);
	while (units(&bench) == 0)
		assert_int_equal(
			bench.instance.workload->step(&bench.worker, &bench.error), STEP_MORE);
	assert_int_not_equal(shell("find %s -type f | wc -l", bench.scratch), 0);
	bench_done(&bench);
	/* Its client was not ours to kill, and ends when it finds its parent gone. */
}

static int make_top(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	snprintf(top, sizeof(top), "%.32s/contend-trees-XXXXXX", tmp ? tmp : "/var/tmp");
	return mkdtemp(top) ? 0 : -1;
}

static int remove_top(void **state)
{
	(void)state;
	return tree_remove(top, NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_compile_counts_its_objects),
		cmocka_unit_test(a_compile_as_a_load_builds_again_from_nothing),
		cmocka_unit_test(cacherun_does_not_count_its_first_build),
		cmocka_unit_test(full_is_three_times_the_files),
		cmocka_unit_test(another_tree_is_built_in_a_copy),
		cmocka_unit_test(a_build_that_fails_says_what_make_said),
		cmocka_unit_test(a_kernel_is_configured_and_built_outside_its_tree),
		cmocka_unit_test(a_command_ends_as_a_lead_and_starts_again_as_a_load),
		cmocka_unit_test(a_command_that_fails_says_so),
		cmocka_unit_test(tarc_counts_what_is_in_its_archive),
		cmocka_unit_test(tarc_keeps_as_many_archives_as_it_is_told),
		cmocka_unit_test(an_unfinished_pass_counts),
		cmocka_unit_test(tarx_counts_the_files_on_disk),
		cmocka_unit_test(tarx_removes_the_oldest_beyond_what_it_keeps),
		cmocka_unit_test(what_tarx_extracts_is_what_tarc_read),
		cmocka_unit_test(a_tree_that_scratch_cannot_hold_is_refused),
		cmocka_unit_test(lslr_counts_what_find_finds),
		cmocka_unit_test(lslr_lists_any_directory),
		cmocka_unit_test(dbench_counts_what_it_reports),
	};

	if (!program_exists("make") || !program_exists("cc"))
		return 77;
	return cmocka_run_group_tests(tests, make_top, remove_top);
}
