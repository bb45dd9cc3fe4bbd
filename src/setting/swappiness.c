// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vm.swappiness, which on cgroup v1 holds for a group no longer once the group is made: it then
 * has one of its own (mem_cgroup_swappiness(), linux/swap.h), which those made below it begin with.
 */
#include <limits.h>

#include "base/cleanup.h"
#include "setting/check.h"
#include "setting/file.h"
#include "setting/registry.h"

#define SWAPPINESS "/proc/sys/vm/swappiness"

/* The box's own; false: there is none, and the sysctl holds. */
static bool own_file(const struct setting_place *place, char path[PATH_MAX])
{
	const char *group = place->group ? place->group->path[CGROUP_MEMORY] : "";

	if (!*group || snprintf(path, PATH_MAX, "%s/memory.swappiness", group) >= PATH_MAX)
		return false;
	return root_exists(place->root, path);
}

static int apply(struct setting_place *place, const char *value, struct error *err)
{
	char path[PATH_MAX];
	int r = setting_file_apply(place, SWAPPINESS, value, err);

	return r < 0 || !own_file(place, path) ? r : setting_file_apply(place, path, value, err);
}

static int check(const char *value, struct error *err)
{
	return check_number(value, 0, 200, err);
}

const struct setting setting_swappiness = {
	.name = "vm.swappiness",
	.summary = "how gladly anonymous memory is taken rather than page cache; the box's, too",
	.values = "0 to 200 (to 100 before 5.8)",
	.path = SWAPPINESS,
	.needs = "CONFIG_SWAP",
	.check = check,
	.apply = apply,
};
