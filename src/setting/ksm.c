// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernel samepage merging: Documentation/admin-guide/mm/ksm.rst. */
#include "setting/registry.h"

static const struct setting_word words[] = {
	{ "yes", "1" },
	{ "no", "0" },
	{ "unmerge", "2" },
	{ NULL },
};

const struct setting setting_ksm = {
	.name = "ksm",
	.summary = "merging of equal pages, where a program asked for it; unmerge also undoes it",
	.words = words,
	.path = "/sys/kernel/mm/ksm/run",
	.needs = "CONFIG_KSM",
};
