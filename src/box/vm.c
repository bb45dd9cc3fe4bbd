// SPDX-License-Identifier: GPL-2.0-or-later
#include "box/vm.h"

#include <fcntl.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "box/memory.h"
#include "box/vm_inside.h"
#include "kernel/vmlinux.h"
#include "vm/initramfs.h"

/* QEMU's own, and what the host must keep to stay alive. */
#define MEMORY_BESIDE (256 * MIB)
#define RAM_LEAST (96 * MIB)

/* What a guest may need, in no order. What is built in or lacking is passed over. */
static const char *const all_names[] = {
	/* With a device that was added: its driver. */
	"virtio_pci", "virtio_blk", "nd_e820", "nd_pmem", "dm_mod", "dm_delay", "zram", "ext4",
	"isofs",
	/* Compressors of zram and zswap: a guest has no modprobe for the kernel to call. */
	"lzo", "lz4", "zstd", NULL
};
#define N_ADDED 2

void vm_box_free(struct vm_box *vm)
{
	if (!vm)
		return;
	for (size_t i = 0; i < vm->n_kernels; i++)
		free(vm->kernels[i].name);
	free(vm->kernels);
	vm_box_tools_done(vm);
	free(vm);
}

const char *vm_box_describe(const struct vm_box *vm, char *buf, size_t size)
{
	snprintf(buf, size, "vm, %s (QEMU %s)",
		vm->config.exact ? "exact"
		: vm->kvm	 ? "KVM"
				 : "emulated",
		vm->qemu.version);
	return buf;
}

void vm_box_boot(const struct box *box, const struct tools *tools, struct qemu_boot *ret_boot)
{
	const struct vm_box *vm = box->vm;

	*ret_boot = (struct qemu_boot) {
		.ram_bytes = box->ram,
		.disk_bytes = vm->disk.swap_bytes + vm->disk.scratch_bytes + tools->bytes,
		.tools = tools->path,
		.tools_bytes = tools->bytes,
		.cpus = box->n_cpus,
		.exact = vm->config.exact,
		.kvm = vm->kvm,
		.add = vm->config.add,
	};
}

static uint64_t memory_of(const struct box *box, const struct tools *tools)
{
	struct qemu_boot boot;

	vm_box_boot(box, tools, &boot);
	/* QEMU keeps what it fills memory with. */
	return qemu_memory(&boot) + tools->bytes + MEMORY_BESIDE;
}

unsigned vm_box_guests(const struct box *box, const struct plan *plan)
{
	unsigned cpus = (unsigned)CPU_COUNT_S(box->cpus_size, box->cpus);
	struct memory memory = { 0 };
	uint64_t most = 1;
	struct error why;

	if (box->vm->config.guests)
		return (unsigned)box->vm->config.guests;
	/* Each could grow to its size after the others have been begun. */
	for (size_t i = 0; i < plan->n; i++) {
		struct tools tools = { 0 };
		uint64_t bytes;

		vm_box_tools(box->vm, plan->trials[i].scenario, &tools, &why);
		bytes = memory_of(box, &tools);
		most = bytes > most ? bytes : most;
	}
	if (memory_read(box->root, &memory, &why) < 0 || memory.available / most < cpus)
		cpus = (unsigned)(memory.available / most);
	return cpus ? cpus : 1;
}

int vm_box_check_memory(const struct box *box, const struct tools *tools, struct error *err)
{
	struct memory memory;
	char wanted[32], there[32];
	uint64_t bytes;
	int r = memory_read(box->root, &memory, err);

	if (r < 0)
		return r;
	bytes = memory_of(box, tools);
	if (memory.available >= bytes)
		return 0;
	return error_set(err, -ENOMEM,
		"the guest takes up to %s, and the machine has %s available: --box "
		"vm:mem=SIZE,swap=SIZE,disk-size=SIZE makes it smaller",
		bytes_render(bytes, wanted, sizeof(wanted)),
		bytes_render(memory.available, there, sizeof(there)));
}

static int make_initramfs(struct vm_box *vm, struct vm_kernel *kernel, struct error *err)
{
	struct modules modules CLEANUP(modules_done) = { 0 };
	const char *const *names = all_names + (vm->config.add[0] ? 0 : N_ADDED);
	int r = modules_read(kernel->kernel.modules, names, &modules, err);

	if (r < 0)
		return r;
	if (snprintf(kernel->initramfs, sizeof(kernel->initramfs), "%s/initramfs-%zu",
		    vm->directory, vm->n_kernels) >= (int)sizeof(kernel->initramfs))
		return error_set(err, -ENAMETOOLONG, "%.60s...: path too long", vm->directory);
	return initramfs_write(
		kernel->initramfs, &modules, kernel->kernel.config, kernel->kernel.release, err);
}

/*
 * Unpacked once here, it need not be unpacked by every guest. In exact mode only: without
 * it, unpacking is nothing.
 */
static int choose_image(struct vm_box *vm, struct vm_kernel *kernel, struct error *err)
{
	int r;

	memcpy(kernel->image, kernel->kernel.image, sizeof(kernel->image));
	if (!vm->config.exact)
		return 0;
	if (snprintf(kernel->image, sizeof(kernel->image), "%s/vmlinux-%zu", vm->directory,
		    vm->n_kernels) >= (int)sizeof(kernel->image))
		return error_set(err, -ENAMETOOLONG, "%.60s...: path too long", vm->directory);
	r = vmlinux_write(kernel->kernel.image, kernel->image, err);
	if (r == -EOPNOTSUPP)
		memcpy(kernel->image, kernel->kernel.image, sizeof(kernel->image));
	return r == -EOPNOTSUPP ? 0 : r;
}

int vm_box_kernel(
	struct vm_box *vm, const char *name, const struct vm_kernel **ret_kernel, struct error *err)
{
	struct vm_kernel *grown;
	int r;

	for (size_t i = 0; i < vm->n_kernels; i++) {
		if (!strcmp(vm->kernels[i].name, name)) {
			*ret_kernel = &vm->kernels[i];
			return 0;
		}
	}
	grown = reallocarray(vm->kernels, vm->n_kernels + 1, sizeof(*grown));
	if (!grown)
		return error_errno(err, -ENOMEM, "kernel %s", name);
	vm->kernels = grown;
	grown += vm->n_kernels;
	memset(grown, 0, sizeof(*grown));
	r = kernel_find(name, vm->cache, &grown->kernel, err);
	if (r == 0)
		r = qemu_check(&vm->qemu, grown->kernel.release, err);
	if (r == 0)
		r = make_initramfs(vm, grown, err);
	if (r == 0)
		r = choose_image(vm, grown, err);
	if (r < 0)
		return r;
	grown->name = strdup(name);
	if (!grown->name)
		return error_errno(err, -ENOMEM, "kernel %s", name);
	vm->n_kernels++;
	*ret_kernel = grown;
	return 0;
}

/*
 * Inside a hypervisor /dev/kvm may open and its guests never run: KVM is then not taken unless it
 * is asked for. The flag is CPUID's own (x86: leaf 1, ECX bit 31); /proc/cpuinfo shows it.
 */
static bool virtualised(const struct root *root)
{
	char text[65536], *flags, *end;

	/* Cut after its first CPUs, which is enough: the flags of the first will do. */
	int fd CLEANUP(close_fd) = root_openat(root, "/proc/cpuinfo", O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (n <= 0)
		return false;
	text[n] = '\0';
	flags = strstr(text, "\nflags");
	end = flags ? strchr(flags + 1, '\n') : NULL;
	if (end)
		*end = '\0';
	return flags && strstr(flags, " hypervisor");
}

static bool kvm_usable(void)
{
	int fd CLEANUP(close_fd) = open("/dev/kvm", O_RDWR | O_CLOEXEC);

	return fd >= 0;
}

static uint64_t whole(uint64_t bytes, uint64_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

static int size_box(struct box *box, const struct box_config *config, struct error *err)
{
	struct vm_box *vm = box->vm;
	struct box_config inside;
	int r = box_parse(config->inside, &inside, err);

	if (r == 0 && inside.kind == BOX_VM)
		r = error_set(err, -EINVAL, "inside: no vm box in a vm box");
	if (r == 0)
		r = vm_disk_parse(config->disk, &vm->disk.model, err);
	if (r < 0)
		return r;
	box->ram = whole(config->mem ? config->mem : BOX_RAM_DEFAULT, MIB);
	if (box->ram < RAM_LEAST)
		return error_set(err, -EINVAL, "mem: a guest needs 96 MiB of RAM");
	box->swap =
		whole(config->swap == UINT64_MAX ? BOX_SWAP_DEFAULT : config->swap, JOB_DISK_UNIT);
	if (config->swap_kind == BOX_SWAP_ZRAM)
		vm->disk.model.kind = VM_DISK_ZRAM;
	vm->disk.swap_bytes = box->swap;
	vm->disk.scratch_bytes =
		whole(config->disk_size ? config->disk_size : 2 * box->ram, JOB_DISK_UNIT);
	if (vm->disk.scratch_bytes < 16 * MIB)
		return error_set(err, -EINVAL, "disk-size: 16 MiB is the least");
	snprintf(box->swap_text, sizeof(box->swap_text), "swap (%s)", config->disk);
	box->n_cpus = config->cpus ? (unsigned)config->cpus : 1;
	return 0;
}

/* For QEMU, without limits: what is left in it is killed with it, even after a kill -9. */
static void make_group(struct box *box)
{
	struct error why;

	if (!box->journal || cgroup_tree_read(box->root, &box->tree, &why) < 0 ||
		box->tree.mode == CGROUP_NONE)
		return;
	if (box_make_group(box, &why) < 0)
		box->grouped = false;
}

static int enter(struct box *box, const struct box_config *config, struct error *err)
{
	struct vm_box *vm = box->vm;
	const struct vm_kernel *kernel;
	struct utsname name;
	int r;

	if (uname(&name) < 0 || strcmp(name.machine, "x86_64") != 0)
		return error_set(err, -EOPNOTSUPP, "the vm box is for x86-64 only");
	vm->config = *config;
	if (config->exact && config->accel == BOX_ACCEL_KVM)
		return error_set(err, -EINVAL,
			"exact mode counts instructions, which KVM does not: leave out accel=kvm");
	vm->kvm = !config->exact && config->accel != BOX_ACCEL_TCG && kvm_usable() &&
		  (config->accel == BOX_ACCEL_KVM || !virtualised(box->root));
	if (config->guests && !config->exact)
		return error_set(err, -EINVAL,
			"guests: those that measure real time disturb each other; only exact ones "
			"run at once");
	if (config->accel == BOX_ACCEL_KVM && !vm->kvm)
		return error_errno(err, -EOPNOTSUPP, "/dev/kvm cannot be opened");
	r = size_box(box, config, err);
	if (r == 0)
		r = kernel_cache_path(vm->cache, sizeof(vm->cache), err);
	if (r == 0)
		r = qemu_find(config->qemu, vm->cache, &vm->qemu, err);
	if (r == 0)
		r = vm_box_check_memory(box, &(struct tools) { 0 }, err);
	if (r < 0)
		return r;
	if (snprintf(vm->directory, sizeof(vm->directory), "%s/vm", box->scratch) >=
		(int)sizeof(vm->directory))
		return error_set(err, -ENAMETOOLONG, "%.60s...: path too long", box->scratch);
	r = directory_make(vm->directory, err);
	/* One that was named must be there; variants may name others. */
	if (r == 0 && config->kernel[0])
		r = vm_box_kernel(vm, config->kernel, &kernel, err);
	return r;
}

int box_enter_vm(struct box *box, const struct box_config *config, struct error *err)
{
	int r;

	box->kind = BOX_VM;
	box->vm = calloc(1, sizeof(*box->vm));
	if (!box->vm)
		return error_errno(err, -ENOMEM, "box");
	r = enter(box, config, err);
	if (r < 0)
		return error_prefix(err, r, "vm");
	make_group(box);
	if (config->exact)
		box_note(box,
			"exact, for QEMU %s and this contend: one instruction is one nanosecond of "
			"virtual time: no caches, no TLB, no memory latency are in the figures",
			box->vm->qemu.version);
	if (config->add[0])
		box_note(box, "a device was added that real time can be seen by: %s", config->add);
	return 0;
}
