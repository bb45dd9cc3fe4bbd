// SPDX-License-Identifier: GPL-2.0-or-later
/* The box with a kernel of its own: each trial boots a guest, in which contend conducts it. */
#ifndef BOX_VM_H
#define BOX_VM_H

#include "box/box.h"

struct vm_box;

/* Finds QEMU; kernels are found when a trial wants them, but for one that was named. */
int box_enter_vm(struct box *box, const struct box_config *config, struct error *err);

void vm_box_free(struct vm_box *vm);

/* "vm, exact (QEMU 10.0.2)" */
const char *vm_box_describe(const struct vm_box *vm, char *buf, size_t size);

/* As box_prepare(), for one scenario. */
void vm_box_prepare(struct vm_box *vm, const struct scenario *scenario,
	void (*say)(void *data, const char *line), void *data);

/* As box_conduct(), behind what it writes first. */
int vm_box_conduct(struct box *box, const struct trial *trial, const struct trial_watch *watch,
	struct sink *sink, struct error *err);

#endif
