// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a guest is to do, as text: the host writes it, the agent reads it. One line a thing, "KEY
 * VALUE", in which a backslash and a line's end are written "\\" and "\n".
 */
#ifndef VM_JOB_H
#define VM_JOB_H

#include "base/unit.h"
#include "plan/plan.h"
#include "vm/disk.h"

/* Its parts are whole units: as the kernel maps memory of a device (SUBSECTION_SIZE). */
#define JOB_DISK_UNIT (2 * MIB)

/* The guest's disk: carved from its RAM, with swap and scratch on it. */
struct job_disk {
	struct vm_disk model;
	uint64_t swap_bytes, scratch_bytes;
	uint64_t tools_bytes; /* behind them, already filled: see vm/tools.h; 0: none */
};

struct job {
	struct job_disk disk;
	char inside[128]; /* the box that the agent opens: "host", "cgroup:mem=200M" */
	struct scenario scenario;
	struct variant variant; /* without the assignments that are the host's */
	struct trial trial; /* points at the two above */
};

/* Is the setting one that the host sees to: kernel, cmdline? */
_Bool job_is_hosts(const char *key);

/* The text in fresh memory; NULL without memory. -> caller frees. */
char *job_spell(const struct job_disk *disk, const char *inside, const struct trial *trial);

/* -EINVAL: it is no job, or one of another contend. *ret_job must stay where it is. */
int job_parse(const char *text, struct job *ret_job, struct error *err);
void job_done(struct job *job);

#endif
