// SPDX-License-Identifier: GPL-2.0-or-later
/* Limits: setting them on a group, and finding those that hold for it. */
#include "cgroup/cgroup.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/unit.h"
#include "cgroup/file.h"

static int set_limit(const struct cgroup *cgroup, const char *dir, const char *file, uint64_t bytes,
	struct error *err)
{
	const struct root *root = cgroup->tree->root;
	bool unlimited = bytes >= UNLIMITED_BYTES;
	uint64_t took, page = (uint64_t)sysconf(_SC_PAGESIZE);
	char text[32];
	int r;

	snprintf(text, sizeof(text), "%llu\n", (unsigned long long)bytes);
	if (unlimited)
		strcpy(text, cgroup->tree->mode == CGROUP_V2 ? "max\n" : "-1\n");
	r = group_write(root, dir, file, text);
	if (r < 0)
		return error_errno(err, r, "cannot set %s/%s to %.*s", dir, file,
			(int)strcspn(text, "\n"), text);
	r = group_number(root, dir, file, &took);
	if (r < 0)
		return error_errno(err, r, "cannot read %s/%s back", dir, file);
	/* The kernel keeps whole pages, rounded down. */
	if (unlimited ? took != UINT64_MAX : took > bytes || bytes - took >= page)
		return error_set(err, -EIO, "%s/%s: set to %.*s, but it reads %llu", dir, file,
			(int)strcspn(text, "\n"), text, (unsigned long long)took);
	return 0;
}

static int no_swap_limit(const char *dir, const char *file, uint64_t swap, struct error *err)
{
	if (swap >= UNLIMITED_BYTES)
		return 0;
	return error_set(err, -EOPNOTSUPP,
		"swap is not limited: no %s/%s (the kernel does not account swap to groups)", dir,
		file);
}

static int limit_v2(const struct cgroup *cgroup, uint64_t ram, uint64_t swap, struct error *err)
{
	const char *dir = cgroup->path[CGROUP_UNIFIED];
	int r = set_limit(cgroup, dir, "memory.max", ram, err);

	if (r < 0)
		return r;
	if (!group_file_exists(cgroup->tree->root, dir, "memory.swap.max"))
		return no_swap_limit(dir, "memory.swap.max", swap, err);
	return set_limit(cgroup, dir, "memory.swap.max", swap, err);
}

/* RAM may never be above RAM + swap, not even between the two writes: -EINVAL then. */
static int limit_v1(const struct cgroup *cgroup, uint64_t ram, uint64_t swap, struct error *err)
{
	static const char both[] = "memory.memsw.limit_in_bytes";
	static const char alone[] = "memory.limit_in_bytes";
	const char *dir = cgroup->path[CGROUP_MEMORY];
	bool endless = ram >= UNLIMITED_BYTES || swap >= UNLIMITED_BYTES;
	uint64_t sum = endless ? UINT64_MAX : ram + swap, before;
	bool raise;
	int r;

	if (group_number(cgroup->tree->root, dir, both, &before) < 0) {
		r = set_limit(cgroup, dir, alone, ram, err);
		return r < 0 ? r : no_swap_limit(dir, both, swap, err);
	}
	raise = sum > before;
	r = set_limit(cgroup, dir, raise ? both : alone, raise ? sum : ram, err);
	if (r == 0)
		r = set_limit(cgroup, dir, raise ? alone : both, raise ? ram : sum, err);
	if (r == 0 && ram >= UNLIMITED_BYTES && swap < UNLIMITED_BYTES)
		return error_set(err, -EOPNOTSUPP,
			"swap is not limited: cgroup v1 limits it only together with RAM");
	return r;
}

int cgroup_limit(
	const struct cgroup *cgroup, uint64_t ram_bytes, uint64_t swap_bytes, struct error *err)
{
	if (!cgroup->tree->memory) {
		if (ram_bytes >= UNLIMITED_BYTES && swap_bytes >= UNLIMITED_BYTES)
			return 0;
		return error_set(err, -EOPNOTSUPP, "memory cannot be limited on this machine");
	}
	return cgroup->tree->mode == CGROUP_V2 ? limit_v2(cgroup, ram_bytes, swap_bytes, err)
					       : limit_v1(cgroup, ram_bytes, swap_bytes, err);
}

/* Tightest limits found so far. */
struct bounds {
	uint64_t ram, swap, both;
};

static void tighten(uint64_t *bound, uint64_t limit)
{
	if (limit < *bound)
		*bound = limit;
}

static void tighten_file(
	uint64_t *bound, const struct root *root, const char *dir, const char *file)
{
	uint64_t limit;

	if (group_number(root, dir, file, &limit) == 0)
		tighten(bound, limit);
}

static void bounds_of_group(struct bounds *bounds, const struct root *root, const char *dir)
{
	char stat[16384];

	tighten_file(&bounds->ram, root, dir, "memory.max");
	/* No limit, but a process above it is held up until it is below again. */
	tighten_file(&bounds->ram, root, dir, "memory.high");
	tighten_file(&bounds->swap, root, dir, "memory.swap.max");
	tighten_file(&bounds->ram, root, dir, "memory.limit_in_bytes");
	tighten_file(&bounds->both, root, dir, "memory.memsw.limit_in_bytes");
	/* v1 knows the tightest limit above it even where a namespace hides those groups. */
	if (group_read(root, dir, "memory.stat", stat, sizeof(stat)) > 0) {
		tighten(&bounds->ram, text_value(stat, "hierarchical_memory_limit"));
		tighten(&bounds->both, text_value(stat, "hierarchical_memsw_limit"));
	}
}

/* The group at path and all above it that the mount shows. */
static void bounds_of_path(
	struct bounds *bounds, const struct root *root, const char *mount, const char *path)
{
	char dir[PATH_MAX];

	if (!*mount || !*path)
		return;
	for (strcpy(dir, path); *dir && strlen(dir) >= strlen(mount); group_parent(dir))
		bounds_of_group(bounds, root, dir);
}

int cgroup_bounds(const struct cgroup_tree *tree, const struct cgroup *cgroup,
	uint64_t *ret_ram_bytes, uint64_t *ret_swap_bytes, struct error *err)
{
	static const enum cgroup_hierarchy holders[] = { CGROUP_UNIFIED, CGROUP_MEMORY };
	struct bounds bounds = { UINT64_MAX, UINT64_MAX, UINT64_MAX };
	char meminfo[16384];
	uint64_t ram, swap;
	ssize_t n = root_read(tree->root, "/proc/meminfo", meminfo, sizeof(meminfo));

	if (n < 0)
		return error_errno(err, (int)n, "/proc/meminfo");
	ram = text_value(meminfo, "MemTotal:");
	swap = text_value(meminfo, "SwapTotal:");
	if (ram == UINT64_MAX)
		return error_set(err, -EBADMSG, "/proc/meminfo has no MemTotal");
	bounds.ram = ram * KIB;
	bounds.swap = swap == UINT64_MAX ? 0 : swap * KIB;
	for (size_t i = 0; i < ARRAY_SIZE(holders); i++) {
		int h = holders[i];

		bounds_of_path(&bounds, tree->root, tree->mount[h],
			cgroup ? cgroup->path[h] : tree->self[h]);
	}
	tighten(&bounds.ram, bounds.both);
	tighten(&bounds.swap, bounds.both - bounds.ram);
	*ret_ram_bytes = bounds.ram;
	*ret_swap_bytes = bounds.swap;
	return 0;
}
