// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/tree.h"

#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "workload/program.h"

FTS *tree_open(const char *path, struct error *err)
{
	/* fts does not write to the path: POSIX keeps the old type for callers of the 1980s. */
	char *paths[] = { (char *)(uintptr_t)path, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);

	if (!fts)
		error_errno(err, -errno, "cannot walk %s", path);
	return fts;
}

void tree_close(FTS **fts)
{
	int saved = errno;

	if (*fts)
		fts_close(*fts);
	errno = saved;
}

void tree_visit(const char *path, void (*visit)(void *data, const char *path), void *data)
{
	FTS *fts CLEANUP(tree_close) = tree_open(path, NULL);

	for (FTSENT *entry; fts && (entry = fts_read(fts));) {
		if (entry->fts_info == FTS_F)
			visit(data, entry->fts_path);
	}
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void tree_list_done(struct tree_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->paths[i]);
	free(list->paths);
	*list = (struct tree_list) { 0 };
}

static int list_add(struct tree_list *list, size_t *room, const char *path)
{
	if (list->n == *room) {
		size_t wanted = *room ? 2 * *room : 256;
		char **grown = realloc(list->paths, wanted * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		list->paths = grown;
		*room = wanted;
	}
	list->paths[list->n] = strdup(path);
	return list->paths[list->n++] ? 0 : -ENOMEM;
}

int tree_list(const char *path, struct tree_list *ret_list, struct error *err)
{
	struct tree_list list CLEANUP(tree_list_done) = { 0 };
	FTS *fts CLEANUP(tree_close) = tree_open(path, err);
	size_t room = 0;

	if (!fts)
		return -errno;
	for (FTSENT *entry; (entry = fts_read(fts));) {
		if (entry->fts_info != FTS_DP && list_add(&list, &room, entry->fts_path) < 0)
			return error_errno(err, -ENOMEM, "cannot list %s", path);
	}
	if (list.n)
		qsort(list.paths, list.n, sizeof(*list.paths), compare_paths);
	*ret_list = list;
	list = (struct tree_list) { 0 };
	return 0;
}

int tree_prune(const char *path, const struct tree_list *list, struct error *err)
{
	FTS *fts CLEANUP(tree_close) = tree_open(path, err);

	if (!fts)
		return -errno;
	for (FTSENT *entry; (entry = fts_read(fts));) {
		/* A directory goes on the way out, when it is empty. */
		if (entry->fts_info == FTS_D ||
			bsearch(&(const char *) { entry->fts_path }, list->paths, list->n,
				sizeof(*list->paths), compare_paths))
			continue;
		if (remove(entry->fts_path) < 0 && errno != ENOENT)
			return error_errno(err, -errno, "cannot remove %s", entry->fts_path);
	}
	return 0;
}

int tree_copy(const char *from, const char *to, struct error *err)
{
	const char *const argv[] = { "cp", "-a", "--reflink=auto", "--", from, to, NULL };

	return program_finish(argv, &(struct program_how) { 0 }, err);
}
