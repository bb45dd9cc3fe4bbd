// SPDX-License-Identifier: GPL-2.0-or-later
/* One trial in a guest: boot, wait, take its record. */
#include <string.h>

#include "base/cleanup.h"
#include "box/vm_inside.h"
#include "record/forward.h"

/* Host time: an emulated kernel on a busy machine is slow, and then one second is many. */
#define BOOT_NS (600 * NS_PER_S)
#define SLOWNESS 30
/* Samples come by the guest's second; files may be made for as long as a boot takes at worst. */
#define SILENT_NS BOOT_NS

static const char *assigned(const struct variant *variant, const char *key)
{
	for (size_t i = 0; i < variant->n; i++) {
		if (!strcmp(variant->assignments[i].key, key))
			return variant->assignments[i].value;
	}
	return NULL;
}

static void describe(const struct box *box, const struct vm_kernel *kernel,
	const struct tools *tools, const char *cmdline, struct sink *sink)
{
	const struct vm_box *vm = box->vm;
	char disk[48], size[32];

	sink_environment(sink, "contend.vm.mode",
		vm->config.exact ? "exact"
		: vm->kvm	 ? "kvm"
				 : "emulated");
	sink_environment(sink, "contend.vm.qemu", vm->qemu.version);
	sink_environment(
		sink, "contend.vm.disk", vm_disk_spell(&vm->disk.model, disk, sizeof(disk)));
	sink_environment(sink, "contend.vm.kernel", kernel->kernel.release);
	if (kernel->kernel.package[0])
		sink_environment(sink, "contend.vm.package", kernel->kernel.package);
	if (tools->bytes)
		sink_environment(
			sink, "contend.vm.tools", bytes_render(tools->bytes, size, sizeof(size)));
	if (*cmdline)
		sink_environment(sink, "contend.vm.cmdline", cmdline);
}

static void set(
	struct outcome *outcome, enum outcome_code code, const char *what, const char *words)
{
	outcome->code = code;
	snprintf(outcome->text, sizeof(outcome->text), "%.90s%s%.150s", what, *words ? ": " : "",
		words);
}

/* The guest's record is not whole. */
static void blame(const struct guest_result *result, struct outcome *outcome)
{
	bool booted = result->phase != REGION_BOOT;

	if (result->interrupted)
		set(outcome, OUTCOME_INTERRUPTED, "interrupted", "");
	else if (result->phase == REGION_FAILED)
		set(outcome, result->error == -EOPNOTSUPP ? OUTCOME_SKIPPED : OUTCOME_BROKEN,
			"guest", result->failure);
	else if (result->silent)
		set(outcome, OUTCOME_TIMEOUT, "the guest fell silent", result->words);
	else if (result->timed_out && booted)
		set(outcome, OUTCOME_TIMEOUT, "the guest did not end in time", result->words);
	else if (result->timed_out)
		set(outcome, OUTCOME_BROKEN, "the kernel did not come to start contend",
			result->words);
	else if (booted)
		set(outcome, OUTCOME_KILLED, "the guest died", result->words);
	else
		set(outcome, OUTCOME_BROKEN, "the guest ended before contend ran in it",
			result->words);
}

static void conclude(struct sink *sink, const struct guest_result *result)
{
	struct forwarded forwarded;
	struct outcome outcome;

	sink_forward(sink, result->stream, result->size, &forwarded);
	outcome = forwarded.outcome;
	if (!forwarded.whole || !forwarded.has_outcome)
		blame(result, &outcome);
	sink_outcome(sink, &outcome);
	sink_end(sink);
}

/* The box's words and the variant's. */
static int join_cmdline(const struct vm_box *vm, const struct variant *variant, char *buf,
	size_t size, struct error *err)
{
	const char *own = vm->config.cmdline, *more = assigned(variant, "cmdline");
	int n = snprintf(buf, size, "%s%s%s", own, *own && more ? " " : "", more ? more : "");

	return n < (int)size ? 0 : error_set(err, -EINVAL, "cmdline: too long");
}

static int run(struct box *box, const struct trial *trial, const struct trial_watch *watch,
	struct sink *sink, struct error *err)
{
	struct guest_result result CLEANUP(guest_result_done) = { 0 };
	struct vm_box *vm = box->vm;
	const char *name = assigned(trial->variant, "kernel");
	char *job CLEANUP(free_text) = NULL;
	struct job_disk disk = vm->disk;
	struct tools tools;
	const struct vm_kernel *kernel;
	char cmdline[1024];
	struct guest guest = {
		.qemu = &vm->qemu,
		.directory = vm->directory,
		.cgroup = box->grouped ? &box->group : NULL,
		.stream_bytes = trial_record_size(trial),
		.boot_ns = BOOT_NS,
		.silent_ns = SILENT_NS,
		.interrupted = watch->interrupted,
		.phase = watch->phase,
		.data = watch->data,
	};
	int r = vm_box_tools(vm, trial->scenario, &tools, err);

	r = r < 0 ? r : vm_box_kernel(vm, name ? name : vm->config.kernel, &kernel, err);
	r = r < 0 ? r : join_cmdline(vm, trial->variant, cmdline, sizeof(cmdline), err);
	r = r < 0 ? r : vm_box_check_memory(box, &tools, err);
	if (r < 0)
		return r;
	disk.tools_bytes = tools.bytes;
	guest.job = job = job_spell(&disk, vm->config.inside, trial);
	if (!job)
		return error_errno(err, -ENOMEM, "trial");
	describe(box, kernel, &tools, cmdline, sink);
	vm_box_boot(box, &tools, &guest.boot);
	guest.boot.kernel = kernel->image;
	guest.boot.initramfs = kernel->initramfs;
	guest.boot.cmdline = cmdline;
	guest.boot.seed = trial->seed;
	guest.deadline_ns =
		BOOT_NS + SLOWNESS * (trial->scenario->deadline_ns + trial->scenario->lead_in_ns);
	r = guest_run(&guest, &result, err);
	if (r == 0)
		conclude(sink, &result);
	return r;
}

void vm_box_provide(struct vm_box *vm, const struct trial *trial)
{
	const char *name = assigned(trial->variant, "kernel");
	const struct vm_kernel *kernel;
	struct tools tools;
	struct error why;

	vm_box_tools(vm, trial->scenario, &tools, &why);
	vm_box_kernel(vm, name ? name : vm->config.kernel, &kernel, &why);
}

int vm_box_conduct(struct box *box, const struct trial *trial, const struct trial_watch *watch,
	struct sink *sink, struct error *err)
{
	struct outcome outcome = { .code = OUTCOME_BROKEN };
	struct error why = { 0 };
	int r = run(box, trial, watch, sink, &why);

	(void)err;
	if (r == 0)
		return 0;
	/* No such kernel, no room: this trial cannot be; another may. */
	if (r == -EOPNOTSUPP || r == -ENOMEM || r == -ENOENT || r == -ENOEXEC)
		outcome.code = OUTCOME_SKIPPED;
	snprintf(outcome.text, sizeof(outcome.text), "%.*s", (int)sizeof(outcome.text) - 1,
		why.text);
	sink_outcome(sink, &outcome);
	sink_end(sink);
	return 0;
}
