// SPDX-License-Identifier: GPL-2.0-or-later
/* Transparent huge pages: Documentation/admin-guide/mm/transhuge.rst. */
#include "setting/file.h"
#include "setting/registry.h"

#define THP "/sys/kernel/mm/transparent_hugepage"
#define NEEDS "CONFIG_TRANSPARENT_HUGEPAGE"

static const struct setting_word enabled[] = {
	{ "always" },
	{ "madvise" },
	{ "never" },
	{ NULL },
};

static const struct setting_word defrag[] = {
	{ "always" },
	{ "defer" },
	{ "defer+madvise" },
	{ "madvise" },
	{ "never" },
	{ NULL },
};

static const struct setting_word shmem[] = {
	{ "always" },
	{ "within_size" },
	{ "advise" },
	{ "never" },
	{ "deny" },
	{ "force" },
	{ NULL },
};

/*
 * Without huge pages less memory is kept free, and with them again as much as the kernel
 * recommends: set_recommended_min_free_kbytes(), mm/khugepaged.c.
 */
static int apply(struct setting_place *place, const char *value, struct error *err)
{
	int r = setting_file_note(place, "/proc/sys/vm/min_free_kbytes", err);

	return r < 0 ? r : setting_file_apply(place, THP "/enabled", value, err);
}

const struct setting setting_thp = {
	.name = "thp",
	.summary = "who gets transparent huge pages",
	.words = enabled,
	.path = THP "/enabled",
	.needs = NEEDS,
	.apply = apply,
};

const struct setting setting_thp_defrag = {
	.name = "thp.defrag",
	.summary = "who waits for memory to be compacted into a huge page",
	.words = defrag,
	.path = THP "/defrag",
	.needs = NEEDS,
};

const struct setting setting_thp_shmem = {
	.name = "thp.shmem_enabled",
	.summary = "huge pages for shared memory",
	.words = shmem,
	.path = THP "/shmem_enabled",
	.needs = NEEDS,
};
