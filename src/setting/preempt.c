// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The preemption model of a kernel built with PREEMPT_DYNAMIC: kernel/sched/debug.c, since 5.13;
 * "lazy" since 6.13.
 */
#include "setting/registry.h"

static const struct setting_word words[] = {
	{ "none" },
	{ "voluntary" },
	{ "full" },
	{ "lazy" },
	{ NULL },
};

const struct setting setting_preempt = {
	.name = "preempt",
	.summary = "where the kernel lets itself be preempted",
	.words = words,
	.path = "/sys/kernel/debug/sched/preempt",
	.needs = "debugfs, mounted, or CONFIG_PREEMPT_DYNAMIC (5.13)",
};
