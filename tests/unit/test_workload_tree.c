// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/file.h"
#include "workload/tree.h"

static char top[64];

/* What a walk saw. The hash does not depend on the order of the walk. */
struct seen {
	uint64_t files, bytes, hash;
};

static uint64_t hash_bytes(uint64_t hash, const char *data, size_t size)
{
	while (size--)
		hash = (hash ^ (unsigned char)*data++) * 0x100000001b3ULL;
	return hash;
}

static void see(void *data, const char *path)
{
	struct seen *seen = data;
	char *text CLEANUP(free_text) = NULL;
	size_t size;

	assert_int_equal(file_read(path, &text, &size, NULL), 0);
	seen->files++;
	seen->bytes += size;
	path = strrchr(path, '/');
	seen->hash += hash_bytes(hash_bytes(1, path, strlen(path)), text, size);
}

static struct seen look(const char *path)
{
	struct seen seen = { 0 };

	tree_visit(path, see, &seen);
	return seen;
}

static const char *below(const char *name, char path[static PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/%s", top, name);
	return path;
}

static struct seen make_files(
	const char *name, uint64_t files, uint64_t bytes, uint64_t directories, uint64_t seed)
{
	const struct tree_files tree = { files, bytes, directories, seed, 1 };
	char path[PATH_MAX];

	assert_int_equal(tree_make_files(below(name, path), &tree, NULL), 0);
	return look(path);
}

static struct seen make_sources(const char *name, uint64_t files, uint64_t seed)
{
	const struct tree_sources tree = { files, seed };
	char path[PATH_MAX];

	assert_int_equal(tree_make_sources(below(name, path), &tree, NULL), 0);
	return look(path);
}

static uint64_t links_of(const char *name)
{
	char path[PATH_MAX];
	struct stat st;

	assert_int_equal(stat(below(name, path), &st), 0);
	return st.st_nlink;
}

static void a_file_tree_has_the_files_and_bytes_asked_for(void **state)
{
	struct seen seen = make_files("exact", 77, 1000003, 5, 1);

	(void)state;
	assert_int_equal(seen.files, 77);
	assert_int_equal(seen.bytes, 1000003);
}

static void files_spread_evenly_over_directories(void **state)
{
	char name[32];

	(void)state;
	make_files("spread", 103, 0, 10, 1);
	for (unsigned i = 0; i < 10; i++) {
		char path[PATH_MAX];
		uint64_t files;

		snprintf(name, sizeof(name), "spread/d%05u", i);
		files = look(below(name, path)).files;
		assert_in_range(files, 10, 11);
	}
}

static void a_tree_without_bytes_has_empty_files(void **state)
{
	struct seen seen = make_files("empty", 2500, 0, 3, 1);

	(void)state;
	assert_int_equal(seen.files, 2500);
	assert_int_equal(seen.bytes, 0);
	/* On filesystems that count directories in links. */
	assert_true(links_of("empty") == 5 || links_of("empty") == 1);
}

static void more_files_than_bytes_is_possible(void **state)
{
	struct seen seen = make_files("tiny", 50, 7, 1, 1);

	(void)state;
	assert_int_equal(seen.files, 50);
	assert_int_equal(seen.bytes, 7);
}

static void a_file_tree_follows_from_its_seed(void **state)
{
	struct seen a = make_files("seed-a", 20, 100000, 2, 7);
	struct seen b = make_files("seed-b", 20, 100000, 2, 7);
	struct seen c = make_files("seed-c", 20, 100000, 2, 8);

	(void)state;
	assert_memory_equal(&a, &b, sizeof(a));
	assert_int_not_equal(a.hash, c.hash);
	assert_int_equal(a.bytes, c.bytes);
}

static void a_source_tree_has_its_files_a_header_and_a_makefile(void **state)
{
	(void)state;
	assert_int_equal(make_sources("one", 1, 1).files, 3);
	assert_int_equal(make_sources("many", 60, 1).files, 62);
}

static void a_source_tree_follows_from_its_seed(void **state)
{
	struct seen a = make_sources("sources-a", 30, 7);
	struct seen b = make_sources("sources-b", 30, 7);
	struct seen c = make_sources("sources-c", 30, 8);

	(void)state;
	assert_memory_equal(&a, &b, sizeof(a));
	assert_int_not_equal(a.hash, c.hash);
}

static void no_two_sources_are_the_same(void **state)
{
	uint64_t hashes[29];

	(void)state;
	make_sources("different", 30, 1);
	for (unsigned i = 0; i < 29; i++) {
		char name[64], path[PATH_MAX], *text;
		size_t size;

		snprintf(name, sizeof(name), "different/d%03u/m%05u.c", (i + 1) / 24, i + 1);
		assert_int_equal(file_read(below(name, path), &text, &size, NULL), 0);
		/* Less the last function, which names the file. */
		*strstr(text, "long module_") = '\0';
		hashes[i] = hash_bytes(1, text, strlen(text));
		free(text);
		for (unsigned j = 0; j < i; j++)
			assert_int_not_equal(hashes[i], hashes[j]);
	}
}

static void pruning_leaves_what_was_listed_and_nothing_else(void **state)
{
	struct seen before = make_files("pruned", 10, 1000, 2, 1);
	struct tree_list list CLEANUP(tree_list_done) = { 0 };
	struct seen after;
	char path[PATH_MAX];

	(void)state;
	assert_int_equal(tree_list(below("pruned", path), &list, NULL), 0);
	assert_int_equal(list.n, 1 + 2 + 10);
	assert_int_equal(directory_make(below("pruned/new/deep", path), NULL), 0);
	assert_int_equal(file_write(below("pruned/new/deep/file", path), "x", 1, NULL), 0);
	assert_int_equal(file_write(below("pruned/d00000/new", path), "x", 1, NULL), 0);
	assert_int_equal(look(below("pruned", path)).files, 12);
	assert_int_equal(tree_prune(path, &list, NULL), 0);
	after = look(path);
	assert_memory_equal(&before, &after, sizeof(before));
	assert_int_equal(access(below("pruned/new", path), F_OK), -1);
}

static void a_copy_has_the_same_contents_and_times(void **state)
{
	struct seen from = make_files("from", 10, 100000, 2, 1), to;
	char a[PATH_MAX], b[PATH_MAX];
	struct stat from_st, to_st;

	(void)state;
	assert_int_equal(tree_copy(below("from", a), below("to", b), NULL), 0);
	to = look(b);
	assert_memory_equal(&from, &to, sizeof(from));
	assert_int_equal(stat(below("from/d00000/f00000000", a), &from_st), 0);
	assert_int_equal(stat(below("to/d00000/f00000000", b), &to_st), 0);
	assert_memory_equal(&from_st.st_mtim, &to_st.st_mtim, sizeof(from_st.st_mtim));
}

static int make_top(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	snprintf(top, sizeof(top), "%.32s/contend-tree-XXXXXX", tmp ? tmp : "/tmp");
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
		cmocka_unit_test(a_file_tree_has_the_files_and_bytes_asked_for),
		cmocka_unit_test(files_spread_evenly_over_directories),
		cmocka_unit_test(a_tree_without_bytes_has_empty_files),
		cmocka_unit_test(more_files_than_bytes_is_possible),
		cmocka_unit_test(a_file_tree_follows_from_its_seed),
		cmocka_unit_test(a_source_tree_has_its_files_a_header_and_a_makefile),
		cmocka_unit_test(a_source_tree_follows_from_its_seed),
		cmocka_unit_test(no_two_sources_are_the_same),
		cmocka_unit_test(pruning_leaves_what_was_listed_and_nothing_else),
		cmocka_unit_test(a_copy_has_the_same_contents_and_times),
	};

	return cmocka_run_group_tests(tests, make_top, remove_top);
}
