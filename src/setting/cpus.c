// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/cleanup.h"
#include "base/unit.h"
#include "setting/check.h"
#include "setting/registry.h"

static int check(const char *value, struct error *err)
{
	return check_number(value, 1, 1 << 20, err);
}

static int read_cpus(const struct setting_place *place, char *buf, size_t size, struct error *err)
{
	if (!place->cpus)
		return error_set(err, -EOPNOTSUPP, "as --box has it");
	snprintf(buf, size, "%u", place->cpus);
	return 0;
}

/* The trial binds its workloads to that many of the box's. */
static int apply(struct setting_place *place, const char *value, struct error *err)
{
	uint64_t cpus;

	if (count_parse(value, &cpus, err) < 0)
		return -EOPNOTSUPP;
	if (cpus > place->cpus)
		return error_set(err, -EOPNOTSUPP, "the box has no more than %u", place->cpus);
	place->cpus = (unsigned)cpus;
	return 0;
}

const struct setting setting_cpus = {
	.name = "cpus",
	.summary = "CPUs of the box",
	.values = "1 to what --box gives",
	.scope = SETTING_BOX,
	.check = check,
	.read = read_cpus,
	.apply = apply,
};
