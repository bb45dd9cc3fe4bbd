// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/tools.h"

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "vm/closure.h"
#include "vm/initramfs.h"
#include "vm/job.h"
#include "vm/pack.h"

struct collector {
	struct closure *closure;
	struct error *err;
	int r; /* of the first failure */
};

static void collect(void *data, const char *path)
{
	struct collector *collector = data;

	if (collector->r == 0)
		collector->r = closure_add(collector->closure, path, collector->err);
}

static int collect_library(void *data, const char *path, struct error *err)
{
	return closure_add(data, path, err);
}

static void collect_part(struct collector *collector, const struct part *part)
{
	if (part->workload->needs)
		part->workload->needs(part->params, collect, collector);
}

/* A workload may start contend itself: its libraries are to be where the loader looks. */
static int collect_own(struct closure *closure, struct error *err)
{
	char *self CLEANUP(free_text) = realpath("/proc/self/exe", NULL);

	if (!self)
		return error_errno(err, -errno, "/proc/self/exe");
	return libraries_visit(self, collect_library, closure, err);
}

static int collect_all(const struct scenario *scenario, struct closure *closure, struct error *err)
{
	struct collector collector = { closure, err, 0 };
	char maker[PATH_MAX];
	int r;

	collect_part(&collector, &scenario->lead);
	for (size_t i = 0; i < scenario->n_loads; i++)
		collect_part(&collector, &scenario->loads[i]);
	if (collector.r < 0 || !closure->n)
		return collector.r;
	r = collect_own(closure, err);
	/* Programs hide those of the initramfs: this one is called by a trial's settings. */
	if (r == 0 && initramfs_maker("mkswap", maker))
		r = closure_add(closure, maker, err);
	if (r < 0)
		return r;
	closure_sort(closure);
	return 0;
}

/* FNV-1a. */
static void hash(uint64_t *sum, const void *data, size_t size)
{
	for (const unsigned char *at = data; size; size--)
		*sum = (*sum ^ *at++) * 0x100000001b3ULL;
}

/* Two lists of the same files, unchanged, have the same sum. */
static uint64_t hash_closure(const struct closure *closure)
{
	static const char layout[] = "2";
	uint64_t sum = 0xcbf29ce484222325ULL;

	hash(&sum, layout, sizeof(layout));
	for (size_t i = 0; i < closure->n; i++) {
		const struct closure_entry *entry = &closure->entries[i];
		const int64_t numbers[] = { entry->st.st_mode, entry->st.st_size,
			entry->st.st_mtim.tv_sec, entry->st.st_mtim.tv_nsec };

		hash(&sum, entry->path, strlen(entry->path) + 1);
		if (entry->target)
			hash(&sum, entry->target, strlen(entry->target) + 1);
		else
			hash(&sum, numbers, sizeof(numbers));
	}
	return sum;
}

static int fill(struct pack *pack, const struct closure *closure, struct error *err)
{
	/* Where the guest moves what it has mounted. */
	static const char *const directories[] = { "/boot", "/dev", "/proc", "/run", "/scratch",
		"/sys", "/tmp" };
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(directories); i++)
		r = pack_directory(pack, directories[i], err);
	for (size_t i = 0; r == 0 && i < closure->n; i++) {
		const struct closure_entry *entry = &closure->entries[i];

		if (entry->target)
			r = pack_link(pack, entry->path, entry->target, err);
		else
			r = pack_file(
				pack, entry->path, entry->path, entry->st.st_mode & 0755, err);
	}
	return r;
}

/* It gets its name when it is whole. */
static int make(const struct closure *closure, const char *path, struct error *err)
{
	struct pack pack CLEANUP(pack_done) = { 0 };
	char partial[PATH_MAX];
	struct stat st;
	const off_t unit = JOB_DISK_UNIT;
	off_t whole;
	int r;

	if (snprintf(partial, sizeof(partial), "%s.part", path) >= (int)sizeof(partial))
		return error_set(err, -ENAMETOOLONG, "%.60s...: path too long", path);
	r = pack_open(partial, PACK_IMAGE, &pack, err);
	r = r < 0 ? r : fill(&pack, closure, err);
	r = r < 0 ? r : pack_close(&pack, err);
	if (r == 0) {
		whole = stat(partial, &st) < 0 ? 0 : (st.st_size + unit - 1) / unit * unit;
		if (truncate(partial, whole) < 0 || rename(partial, path) < 0)
			r = error_errno(err, -errno, "%s", path);
	}
	if (r < 0)
		unlink(partial);
	return r;
}

/* What makers that were killed have left. */
static void remove_parts(const char *directory)
{
	glob_t found CLEANUP(globfree) = { 0 };
	char pattern[PATH_MAX + 8];

	snprintf(pattern, sizeof(pattern), "%s/*.part", directory);
	if (glob(pattern, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			unlink(found.gl_pathv[i]);
}

/* One contend at a time makes images; those that waited may find theirs made. */
static int make_once(const struct closure *closure, const char *directory, struct tools *tools,
	struct error *err)
{
	int guard CLEANUP(close_fd) = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (guard < 0)
		return error_errno(err, -errno, "%s", directory);
	while (flock(guard, LOCK_EX) < 0 && errno == EINTR)
		;
	if (access(tools->path, R_OK) == 0)
		return 0;
	remove_parts(directory);
	tools->fresh = true;
	return make(closure, tools->path, err);
}

int tools_find(const struct scenario *scenario, const char *cache, struct tools *ret_tools,
	struct error *err)
{
	struct closure closure CLEANUP(closure_done) = { 0 };
	struct tools tools = { .path = "" };
	char directory[PATH_MAX];
	struct stat st;
	int r = collect_all(scenario, &closure, err);

	if (r == 0 && closure.n) {
		if (snprintf(directory, sizeof(directory), "%s/tools", cache) >=
				(int)sizeof(directory) ||
			snprintf(tools.path, sizeof(tools.path), "%s/%016llx.iso", directory,
				(unsigned long long)hash_closure(&closure)) >=
				(int)sizeof(tools.path))
			return error_set(err, -ENAMETOOLONG, "%.60s...: path too long", cache);
		r = directory_make(directory, err);
		if (r == 0 && access(tools.path, R_OK) < 0)
			r = make_once(&closure, directory, &tools, err);
		if (r == 0 && stat(tools.path, &st) < 0)
			r = error_errno(err, -errno, "%s", tools.path);
	}
	if (r < 0)
		return r;
	tools.bytes = *tools.path ? (uint64_t)st.st_size : 0;
	*ret_tools = tools;
	return 0;
}
