// SPDX-License-Identifier: GPL-2.0-or-later
/* The files that sets are mapped from. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "workload/code.h"
#include "workload/data_file.h"
#include "workload/extent.h"
#include "workload/set.h"
#include "workload/shelf.h"

/* Every trial of a run maps the same files, whatever the trial's seed. */
#define FILE_SEED 2

/* One file: the pages of a kind of all sets. */
struct file_plan {
	enum set_kind kind;
	uint64_t size;
	double compress;
	char key[128];
};

static struct file_plan file_plan(enum set_kind kind, const struct set_plan *plans, unsigned n)
{
	struct file_plan file = { .kind = kind, .compress = plans->compress };
	uint64_t page_size = (uint64_t)sysconf(_SC_PAGESIZE);

	for (unsigned i = 0; i < n; i++)
		file.size += plans[i].pages[kind] * page_size;
	snprintf(file.key, sizeof(file.key), "set-%s-%" PRIu64 "-%g-r1", set_kind_names[kind],
		file.size, file.compress);
	return file;
}

static void put_code(char *buf, size_t size)
{
	code_put(buf, size, (size_t)sysconf(_SC_PAGESIZE));
}

static int file_make(const char *path, const void *data, struct error *err)
{
	const struct file_plan *file = data;
	struct data content = data_of(file->compress, FILE_SEED + file->kind);

	return data_file_make(
		path, file->size, &content, file->kind == SET_EXEC ? put_code : NULL, err);
}

int set_files_find(const struct place *place, struct set_plan *plans, unsigned n, struct error *err)
{
	for (unsigned kind = 0; kind < SET_KINDS; kind++) {
		struct file_plan file = file_plan(kind, plans, n);
		char path[PATH_MAX];
		uint64_t first = 0;
		int r = 0;

		if (kind != SET_ANON && file.size)
			r = shelf_find(place, file.key, file_make, &file, path, sizeof(path), err);
		if (r < 0)
			return r;
		if (kind != SET_ANON && file.size)
			data_file_forget(path);
		for (unsigned i = 0; i < n; i++) {
			if (kind != SET_ANON && file.size)
				memcpy(plans[i].path[kind], path, sizeof(path));
			plans[i].first[kind] = first;
			first += plans[i].pages[kind];
		}
	}
	return 0;
}

/* Its filesystem may have been mounted so that nothing on it can be executed. */
static int exec_check(const struct place *place, struct error *err)
{
	struct statvfs fs;

	if (!code_possible())
		return error_set(err, -EOPNOTSUPP,
			"exec: executable text is not made for this processor; exec=0 leaves it "
			"out");
	if (statvfs(place->shelf, &fs) < 0 || !(fs.f_flag & ST_NOEXEC))
		return 0;
	return error_set(err, -EOPNOTSUPP,
		"%s is on a filesystem that is mounted noexec; --scratch names another, exec=0 "
		"leaves executable text out",
		place->shelf);
}

int set_files_check(
	const struct place *place, const struct set_plan *plans, unsigned n, struct error *err)
{
	uint64_t need = 0;

	for (unsigned kind = 0; kind < SET_ANON; kind++) {
		struct file_plan file = file_plan(kind, plans, n);
		char path[PATH_MAX + sizeof(file.key)];
		int r = kind == SET_EXEC && file.size ? exec_check(place, err) : 0;

		if (r < 0)
			return r;
		snprintf(path, sizeof(path), "%s/%s", place->shelf, file.key);
		if (access(path, F_OK) < 0)
			need += file.size;
	}
	return extent_check_space(place->shelf, need, 1, err);
}
