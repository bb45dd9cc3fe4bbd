// SPDX-License-Identifier: GPL-2.0-or-later
/* What vm.c and vm_trial.c share. */
#ifndef BOX_VM_INSIDE_H
#define BOX_VM_INSIDE_H

#include "box/inside.h"
#include "box/vm.h"
#include "kernel/kernel.h"
#include "vm/guest.h"
#include "vm/job.h"

/* A kernel as it was named, ready to boot. */
struct vm_kernel {
	char *name;
	struct kernel kernel;
	char image[PATH_MAX]; /* to be booted: unpacked where that can be */
	char initramfs[PATH_MAX];
};

struct vm_box {
	struct box_config config;
	struct job_disk disk;
	struct qemu qemu;
	bool kvm;
	char cache[PATH_MAX];
	char directory[PATH_MAX]; /* in the run's own */
	struct vm_kernel *kernels;
	size_t n_kernels;
};

/* The kernel of that name, found and with its initramfs made, once for all trials. */
int vm_box_kernel(struct vm_box *vm, const char *name, const struct vm_kernel **ret_kernel,
	struct error *err);

/* Can the machine give the guest its memory now? -ENOMEM. */
int vm_box_check_memory(const struct box *box, struct error *err);

/* What all boots of this box have in common. */
void vm_box_boot(const struct box *box, struct qemu_boot *ret_boot);

#endif
