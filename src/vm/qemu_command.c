// SPDX-License-Identifier: GPL-2.0-or-later
/* How QEMU is called. docs/vm.md says what each word is for. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/unit.h"
#include "vm/qemu.h"

/* Memory below 4 GiB that q35 gives at most; what is more lies above. */
#define LOW_MOST (2 * GIB)
#define HIGH_START (4 * GIB)

/* A page of memory and what its struct page takes. */
#define PAGES_PER_DESCRIPTION 64

/* Too long a word leaves `used` behind the end, where it is noticed. */
__attribute__((format(printf, 2, 3))) static void word(
	struct qemu_command *command, const char *format, ...)
{
	size_t room = sizeof(command->text) - command->used;
	va_list args;
	int n;

	if (command->n == QEMU_WORDS || command->used >= sizeof(command->text)) {
		command->used = sizeof(command->text);
		return;
	}
	command->argv[command->n++] = command->text + command->used;
	va_start(args, format);
	n = vsnprintf(command->text + command->used, room, format, args);
	va_end(args);
	command->used += n < 0 ? room : (size_t)n + 1;
}

__attribute__((format(printf, 3, 4))) static void option(
	struct qemu_command *command, const char *name, const char *format, ...)
{
	char value[8192];
	va_list args;

	va_start(args, format);
	if (vsnprintf(value, sizeof(value), format, args) >= (int)sizeof(value))
		command->used = sizeof(command->text);
	va_end(args);
	word(command, "%s", name);
	word(command, "%s", value);
}

/* A comma in a value is written twice. */
static const char *escape(const char *path, char *buf, size_t size)
{
	size_t used = 0;

	for (; *path && used + 3 < size; path++) {
		buf[used++] = *path;
		if (*path == ',')
			buf[used++] = ',';
	}
	buf[used] = '\0';
	return buf;
}

static uint64_t described(uint64_t bytes)
{
	uint64_t more = bytes / PAGES_PER_DESCRIPTION;

	return (more + 2 * MIB - 1) / (2 * MIB) * (2 * MIB);
}

uint64_t qemu_memory(const struct qemu_boot *boot)
{
	return boot->ram_bytes + boot->disk_bytes + described(boot->disk_bytes);
}

/*
 * The guest's RAM lies below, its disk above 4 GiB, whatever their sizes: so the disk never stands
 * where the firmware puts the initramfs (the top of low memory) or the kernel unpacks itself.
 */
static void put_memory(struct qemu_command *command, const struct qemu_boot *boot)
{
	uint64_t ram = qemu_memory(boot) - boot->disk_bytes;
	uint64_t low = ram < LOW_MOST ? ram : LOW_MOST;

	option(command, "-machine", "q35,max-ram-below-4g=%llu", (unsigned long long)low);
	option(command, "-m", "%lluB", (unsigned long long)qemu_memory(boot));
	option(command, "-smp", "%u", boot->cpus);
}

/*
 * Counted, each byte of a "rep movsb" is an instruction, and a kernel that finds a CPU with fast
 * short strings clears and copies memory by them, at 1 GB/s. Without, it takes eight bytes at a
 * time: nearer to what memory does, and less to emulate.
 */
#define SLOW_STRINGS "erms=off,fsrm=off"
#define SLOW_STRINGS_9 ",fzrm=off,fsrs=off,fsrc=off" /* QEMU 7 has no such names */

/*
 * A loop that waits (pause) is what counting is slowest at. These leave out the longest, in which
 * the kernel tries its timers: half of a boot. Without the local APIC's there is the HPET's, which
 * several CPUs would have to share.
 */
static const char *untried_timers(const struct qemu_boot *boot)
{
	if (!boot->exact)
		return "";
	return boot->cpus == 1 ? "no_timer_check nolapic_timer " : "no_timer_check ";
}

static void put_time(
	struct qemu_command *command, const struct qemu *qemu, const struct qemu_boot *boot)
{
	if (!boot->exact) {
		option(command, "-accel", "%s", boot->kvm ? "kvm" : "tcg");
		option(command, "-cpu", "%s", boot->kvm ? "host" : "max");
		return;
	}
	option(command, "-accel", "tcg,thread=single");
	option(command, "-cpu", "max," SLOW_STRINGS "%s", qemu->major >= 9 ? SLOW_STRINGS_9 : "");
	option(command, "-icount", "shift=0,sleep=off");
	option(command, "-rtc", "base=2026-01-01T00:00:00,clock=vm");
	option(command, "-seed", "%llu", (unsigned long long)boot->seed);
}

static uint64_t disk_start(const struct qemu_boot *boot)
{
	uint64_t ram = qemu_memory(boot) - boot->disk_bytes;

	return HIGH_START + (ram < LOW_MOST ? 0 : ram - LOW_MOST);
}

static void put_kernel(struct qemu_command *command, const struct qemu_boot *boot)
{
	option(command, "-kernel", "%s", boot->kernel);
	option(command, "-initrd", "%s", boot->initramfs);
	option(command, "-append",
		"console=ttyS0 loglevel=4 panic=-1 oops=panic random.trust_cpu=off "
		"random.trust_bootloader=off cryptomgr.notests "
		"initcall_blacklist=jent_mod_init memmap=%llu!%llu rdinit=/bin/contend %s%s "
		"-- agent",
		(unsigned long long)boot->disk_bytes, (unsigned long long)disk_start(boot),
		untried_timers(boot), boot->cmdline);
}

static void put_devices(struct qemu_command *command, const struct qemu_boot *boot)
{
	char path[2 * PATH_MAX];

	option(command, "-chardev", "file,id=console,path=%s",
		escape(boot->console, path, sizeof(path)));
	option(command, "-device", "isa-serial,chardev=console");
	option(command, "-object", "memory-backend-file,id=record,share=on,mem-path=%s,size=%llu",
		escape(boot->record, path, sizeof(path)), (unsigned long long)boot->record_bytes);
	option(command, "-device", "ivshmem-plain,memdev=record");
	if (boot->tools_bytes)
		option(command, "-device", "loader,file=%s,addr=%#llx,force-raw=on",
			escape(boot->tools, path, sizeof(path)),
			(unsigned long long)(disk_start(boot) + boot->disk_bytes -
					     boot->tools_bytes));
	if (boot->add[0]) {
		/* Its requests end by the host's clock. */
		option(command, "-blockdev",
			"null-co,node-name=added,size=1073741824,read-zeroes=on,latency-ns="
			"1000000");
		option(command, "-device", "%s,drive=added", boot->add);
	}
}

int qemu_command_make(const struct qemu *qemu, const struct qemu_boot *boot,
	struct qemu_command *ret_command, struct error *err)
{
	struct qemu_command *command = ret_command;

	memset(command, 0, sizeof(*command));
	word(command, "%s", qemu->program);
	for (size_t i = 0; i < 2; i++) {
		if (qemu->firmware[i][0])
			option(command, "-L", "%s", qemu->firmware[i]);
	}
	word(command, "-nodefaults");
	word(command, "-no-user-config");
	word(command, "-no-reboot");
	option(command, "-display", "none");
	put_memory(command, boot);
	put_time(command, qemu, boot);
	put_kernel(command, boot);
	put_devices(command, boot);
	if (command->used >= sizeof(command->text))
		return error_set(err, -ERANGE, "QEMU's command line would be too long");
	return 0;
}
