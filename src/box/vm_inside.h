// SPDX-License-Identifier: GPL-2.0-or-later
/* What vm.c and vm_trial.c share. */
#ifndef BOX_VM_INSIDE_H
#define BOX_VM_INSIDE_H

#include "box/inside.h"
#include "box/vm.h"
#include "kernel/kernel.h"
#include "vm/guest.h"
#include "vm/job.h"
#include "vm/tools.h"

/* A kernel as it was named, ready to boot. */
struct vm_kernel {
	char *name;
	struct kernel kernel;
	char image[PATH_MAX]; /* to be booted: unpacked where that can be */
	char initramfs[PATH_MAX];
};

/* What scenarios of the same parts need, found once. */
struct vm_tools {
	char *parts; /* spelled */
	struct tools tools;
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
	struct vm_tools *tools;
	size_t n_tools;
};

/* The kernel of that name, found and with its initramfs made, once for all trials. */
int vm_box_kernel(struct vm_box *vm, const char *name, const struct vm_kernel **ret_kernel,
	struct error *err);

/* -> vm_tools.c. */
int vm_box_tools(struct vm_box *vm, const struct scenario *scenario, struct tools *ret_tools,
	struct error *err);
void vm_box_tools_done(struct vm_box *vm);

/* Kernel and programs of the trial, as far as they can be had: what fails is not said here. */
void vm_box_provide(struct vm_box *vm, const struct trial *trial);

/* For how many guests of the plan's trials are there CPUs and memory? At least 1. */
unsigned vm_box_guests(const struct box *box, const struct plan *plan);

/* Can the machine give the guest its memory now? -ENOMEM. */
int vm_box_check_memory(const struct box *box, const struct tools *tools, struct error *err);

/* What all boots of this box with these tools have in common. */
void vm_box_boot(const struct box *box, const struct tools *tools, struct qemu_boot *ret_boot);

#endif
