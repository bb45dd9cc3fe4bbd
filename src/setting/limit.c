// SPDX-License-Identifier: GPL-2.0-or-later
#include "setting/limit.h"

#include "base/cleanup.h"
#include "base/unit.h"
#include "setting/registry.h"

int limit_set(const struct setting_place *place, uint64_t ram, uint64_t swap, uint64_t *ret_ram,
	uint64_t *ret_swap, struct error *err)
{
	struct error why;
	int r;

	if (!place->group)
		return error_set(err, -EOPNOTSUPP,
			"this box has no limits of its own: --box cgroup has, where memory can be "
			"limited");
	r = cgroup_limit(place->group, ram, swap, &why);
	if (r < 0 && r != -EOPNOTSUPP)
		return error_set(err, -EOPNOTSUPP, "%s", why.text);
	return cgroup_bounds(place->group->tree, place->group, ret_ram, ret_swap, err);
}

static int check(const char *value, struct error *err)
{
	struct size size;
	int r = size_parse(value, &size, err);

	if (r == 0 && !size.bytes && !size.permille)
		return error_set(err, -EINVAL, "a box of no memory is none");
	return r < 0 ? -EINVAL : 0;
}

static int read_limit(const struct setting_place *place, char *buf, size_t size, struct error *err)
{
	if (!place->ram)
		return error_set(err, -EOPNOTSUPP, "as --box has it");
	bytes_spell(place->ram, buf, size);
	return 0;
}

static int apply(struct setting_place *place, const char *value, struct error *err)
{
	uint64_t wanted, page = (uint64_t)sysconf(_SC_PAGESIZE), ram, swap;
	char there[32];
	struct size size;
	int r = size_parse(value, &size, err);

	if (r < 0)
		return -EOPNOTSUPP;
	wanted = size_of(&size, place->ram) / page * page;
	r = limit_set(place, wanted, place->swap, &ram, &swap, err);
	if (r < 0)
		return r;
	if (ram < wanted)
		return error_set(err, -EOPNOTSUPP,
			"the machine or a group above the box allows no more than %s",
			bytes_render(ram, there, sizeof(there)));
	if (ram > wanted)
		return error_set(err, -EOPNOTSUPP, "memory is not limited to it, but to %s",
			bytes_render(ram, there, sizeof(there)));
	place->ram = ram;
	return 0;
}

const struct setting setting_limit = {
	.name = "limit",
	.summary = "RAM of the box; sizes of workloads that are shares of it follow",
	.values = "a size, or a share of what --box gives (50%)",
	.scope = SETTING_BOX,
	.check = check,
	.read = read_limit,
	.apply = apply,
};
