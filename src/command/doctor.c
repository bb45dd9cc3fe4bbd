// SPDX-License-Identifier: GPL-2.0-or-later
/* contend doctor: what this machine can do. It looks, and changes nothing. */
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/root.h"
#include "cgroup/cgroup.h"
#include "command/subcommand.h"
#include "config/cmdline.h"
#include "setting/home.h"
#include "trial/supervisor.h"
#include "vm/qemu.h"
#include "workload/card_alsa.h"
#include "workload/track.h"
#include "workload/workload.h"

struct doctor_params {
	char scratch[4096];
	int format;
};

static const struct option_row rows[] = {
	{
		OPTION("scratch", OPTION_TEXT, struct doctor_params, scratch),
		.fallback = "",
		.argument = "DIR",
		.help = "where the workloads' files would go; default: $TMPDIR, else /var/tmp",
	},
	{
		OPTION("format", OPTION_CHOICE, struct doctor_params, format),
		.fallback = "table",
		.choices = output_formats,
		.help = "as what it is printed",
	},
};

static const struct option_rows options = OPTION_ROWS(rows);

/* The machine as it is found, and the table that says so. */
struct doctor {
	struct root root;
	struct cgroup_tree tree;
	uint64_t ram_bytes, swap_bytes; /* that contend itself may use */
	struct place place; /* in the default box */
	struct table *table;
};

/* Of the default box: see box/box.h. */
#define BOX_RAM (512 * MIB)
#define BOX_SWAP (1 * GIB)

__attribute__((format(printf, 4, 5))) static void tell(
	struct table *table, const char *part, const char *state, const char *format, ...)
{
	struct row *row = row_new(table);
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	row_set_text(row, "part", "%s", part);
	row_set_text(row, "state", "%s", state);
	row_set_text(row, "meaning", "%s", text);
}

/* One of two things to say. */
static void tell_if(
	struct table *table, const char *part, bool yes, const char *if_yes, const char *if_no)
{
	tell(table, part, yes ? "yes" : "no", "%s", yes ? if_yes : if_no);
}

static unsigned cpus_allowed(void)
{
	unsigned n = (unsigned)sysconf(_SC_NPROCESSORS_CONF);
	cpu_set_t *cpus = CPU_ALLOC(n);
	size_t size = CPU_ALLOC_SIZE(n);
	int count = 1;

	if (cpus && sched_getaffinity(0, size, cpus) == 0)
		count = CPU_COUNT_S(size, cpus);
	CPU_FREE(cpus);
	return (unsigned)count;
}

static void tell_machine(struct doctor *doctor)
{
	struct table *table = doctor->table;
	struct utsname name = { 0 };
	char ram[32], swap[32];

	uname(&name);
	tell(table, "kernel", name.release, "%s, %u CPUs allowed", name.machine,
		doctor->place.cpus);
	tell_if(table, "root", geteuid() == 0, "all of contend works",
		"some of what follows needs root; contend says in each result what it did without");
	bytes_render(doctor->ram_bytes, ram, sizeof(ram));
	bytes_render(doctor->swap_bytes, swap, sizeof(swap));
	tell(table, "memory", ram,
		"what contend itself may use: the machine's, or the tightest "
		"limit of its control groups");
	if (doctor->swap_bytes)
		tell(table, "swap", swap, "it may use so much");
	else
		tell(table, "swap", "none", "%s",
			geteuid() == 0
				? "a box that wants some gets a file of contend's own, in scratch"
				: "and only root can make some");
}

static void tell_groups(struct doctor *doctor, const struct error *why)
{
	const struct cgroup_tree *tree = &doctor->tree;
	struct table *table = doctor->table;

	tell(table, "control groups", cgroup_mode_name(tree->mode), "%s",
		tree->mode == CGROUP_NONE ? why->text
					  : "each lead and load runs in a group of its own");
	tell_if(table, "memory limit", tree->memory, "a box can be smaller than the machine",
		"no box of limited memory: only --box host, with smaller sizes");
	tell(table, "default box", tree->memory ? "cgroup" : "host", "%s",
		tree->memory ? "512 MiB RAM, 1 GiB swap, all allowed CPUs"
			     : "the machine as it is; sizes are scaled down");
}

static bool can_open(const struct root *root, const char *path, int flags)
{
	int fd CLEANUP(close_fd) = root_openat(root, path, flags);

	return fd >= 0;
}

static void tell_kernel(struct doctor *doctor)
{
	char line[256];
	int r = root_read_line(&doctor->root, "/proc/pressure/memory", line, sizeof(line));

	/* -EOPNOTSUPP: built in, and switched off at boot (psi=0). */
	tell_if(doctor->table, "PSI", r == 0, "pressure of CPU, memory and I/O is recorded",
		r == -EOPNOTSUPP ? "switched off; boot with psi=1"
				 : "this kernel has none (CONFIG_PSI)");
	/* Only opened: what counts is written. */
	tell_if(doctor->table, "drop_caches",
		can_open(&doctor->root, "/proc/sys/vm/drop_caches", O_WRONLY),
		"trials can start with a cold page cache",
		"not writable: trials whose files stay in the page cache are labelled warm");
}

/* Takes the supervisor's privileges in a child, which takes them with it. */
static void tell_supervisor(struct doctor *doctor)
{
	enum {
		LOCKED = 1,
		FIFO = 2,
		SPARED = 4
	};
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		struct supervisor supervisor;

		supervisor_rise(&supervisor);
		_exit((supervisor.locked ? LOCKED : 0) | (supervisor.fifo ? FIFO : 0) |
			(supervisor.oom_spared ? SPARED : 0));
	}
	if (child > 0)
		waitpid(child, &status, 0);
	status = child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	tell_if(doctor->table, "locked memory", status & LOCKED, "contend is not swapped out",
		"refused (RLIMIT_MEMLOCK): contend itself may be swapped out and be late");
	tell_if(doctor->table, "SCHED_FIFO", status & FIFO, "samples are taken when they are due",
		"refused: samples may be late when CPUs are busy");
	tell_if(doctor->table, "oom_score_adj", status & SPARED,
		"the OOM killer passes contend over", "refused: the OOM killer may choose contend");
}

static void tell_files(struct doctor *doctor)
{
	struct journal_homes homes;
	struct error err;
	char path[4096], size[32];
	uint64_t free_bytes;

	if (space_free(doctor->place.scratch, &free_bytes, &err) == 0)
		tell(doctor->table, "scratch", bytes_render(free_bytes, size, sizeof(size)),
			"free in %s", doctor->place.scratch);
	else
		tell(doctor->table, "scratch", "no", "%s", err.text);
	if (journal_homes_find(&homes, &err) == 0)
		tell(doctor->table, "journal", "yes", "what must be put back is noted in %s",
			homes.directory[0]);
	else
		tell(doctor->table, "journal", "no", "%s", err.text);
	if (store_default_path(path, sizeof(path), &err) == 0)
		tell(doctor->table, "store", "yes", "results go to %s", path);
	else
		tell(doctor->table, "store", "no", "%s", err.text);
}

static void tell_programs(struct doctor *doctor)
{
	static const struct {
		const char *name, *used_by;
	} programs[] = {
		{ "cc", "the leads compile and cacherun" },
		{ "make", "the leads compile and cacherun" },
		{ "dbench", "the load dbench" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		tell(doctor->table, programs[i].name,
			program_exists(programs[i].name) ? "yes" : "no", "program, used by %s",
			programs[i].used_by);
}

/* What --box vm would use. What it might fetch is not fetched for this. */
static void tell_guests(struct doctor *doctor)
{
	struct qemu qemu;
	struct error why;

	if (qemu_find(QEMU_PROGRAM, "", &qemu, &why) < 0)
		tell(doctor->table, "QEMU", "no", "%s: --box vm would fetch one for itself",
			why.text);
	else if (qemu.major < QEMU_SAFE_MAJOR)
		tell(doctor->table, "QEMU", qemu.version,
			"miscomputes with Linux 6.12 and later: --box vm would fetch QEMU %u",
			QEMU_SAFE_MAJOR);
	else
		tell(doctor->table, "QEMU", qemu.version, "--box vm boots kernels in it");
	tell_if(doctor->table, "KVM", can_open(&doctor->root, "/dev/kvm", O_RDWR),
		"--box vm uses it, but for vm:exact and inside another hypervisor",
		"no /dev/kvm: guests are emulated; vm:exact always is");
}

/* What contend was built with. */
static void tell_libraries(struct doctor *doctor)
{
	static const struct {
		const char *name, *use;
		int (*possible)(struct error *err);
	} libraries[] = {
		{ "libmpg123", "plays the tracks of the workload audio", track_possible },
		{ "libmp3lame", "makes the default track of the workload audio",
			track_make_possible },
		{ "libasound",
			"plays audio on a real sound card, with device=", alsa_card_possible },
	};

	for (size_t i = 0; i < ARRAY_SIZE(libraries); i++) {
		struct error why;
		bool built = libraries[i].possible(&why) == 0;

		tell(doctor->table, libraries[i].name, built ? "yes" : "no", "%s",
			built ? libraries[i].use : why.text);
	}
}

static const char *roles_name(unsigned roles)
{
	if (roles == WORKLOAD_LOAD)
		return "load";
	return roles == WORKLOAD_LEAD ? "lead" : "lead or load";
}

/* Asks each workload whether it can run here with its default options. */
static int tell_workloads(struct doctor *doctor, struct error *err)
{
	for (const struct workload *const *each = workload_registry; *each; each++) {
		const struct workload *workload = *each;
		struct part part CLEANUP(part_done) = { 0 };
		struct error why = { "" };
		int r = part_parse(workload->name, workload->roles, &part, err);

		if (r < 0)
			return r;
		r = workload->probe ? workload->probe(&doctor->place, part.params, &why) : 0;
		tell(doctor->table, workload->name,
			r == 0		   ? "yes"
			: r == -EOPNOTSUPP ? "no"
					   : "with options",
			"%s: %s", roles_name(workload->roles),
			r == 0 ? workload->summary : why.text);
	}
	return 0;
}

static void doctor_done(struct doctor *doctor)
{
	root_close(&doctor->root);
}

static int examine(struct model *model, const char *scratch, struct error *err)
{
	static const struct column columns[] = {
		{ .key = "part", .heading = "Part" },
		{ .key = "state", .heading = "Here" },
		{ .key = "meaning", .heading = "That is", .flags = COLUMN_WRAP },
	};
	struct doctor doctor CLEANUP(doctor_done) = {
		.root = { -1 },
		.place = { .cpus = cpus_allowed(), .scratch = scratch, .shelf = scratch },
	};
	struct error why = { "" };
	int r;

	r = root_open(&doctor.root, "/", err);
	if (r == 0)
		r = cgroup_tree_read(&doctor.root, &doctor.tree, &why);
	if (r == 0)
		r = cgroup_bounds(&doctor.tree, NULL, &doctor.ram_bytes, &doctor.swap_bytes, err);
	if (r < 0)
		return r;
	doctor.place.ram_bytes = doctor.ram_bytes < BOX_RAM ? doctor.ram_bytes : BOX_RAM;
	doctor.place.swap_bytes = doctor.tree.memory ? BOX_SWAP : doctor.swap_bytes;
	doctor.table = table_new(model, columns, ARRAY_SIZE(columns), "%s", "The machine");
	tell_machine(&doctor);
	tell_groups(&doctor, &why);
	tell_kernel(&doctor);
	tell_supervisor(&doctor);
	tell_files(&doctor);
	tell_programs(&doctor);
	tell_guests(&doctor);
	tell_libraries(&doctor);
	doctor.table = table_new(
		model, columns, ARRAY_SIZE(columns), "%s", "Workloads, in the default box");
	return tell_workloads(&doctor, err);
}

static const char *scratch_of(const struct doctor_params *params)
{
	const char *temporary = getenv("TMPDIR");

	if (*params->scratch)
		return params->scratch;
	return temporary && *temporary ? temporary : "/var/tmp";
}

static int doctor(int argc, char **argv, struct error *err)
{
	char **operands CLEANUP(operands_cleanup) = NULL;
	struct model *model CLEANUP(model_cleanup) = NULL;
	struct doctor_params params;
	int r;

	r = cmdline_parse(argc, argv, options, &params, &operands, err);
	if (r == 0)
		r = operands_check(operands, 0, err);
	if (r == 0)
		r = model_new(&model, err);
	if (r < 0)
		return r;
	model_title(model, "What this machine can do for contend");
	r = examine(model, scratch_of(&params), err);
	if (r == 0)
		r = model_finish(model, err);
	return r < 0 ? r : model_print(model, (enum output_format)params.format, err);
}

static int doctor_main(int argc, char **argv)
{
	struct error err;

	return doctor(argc, argv, &err) < 0 ? fail(&err) : EXIT_CLEAN;
}

const struct subcommand subcommand_doctor = {
	.name = "doctor",
	.summary = "say what this machine can do, and what contend would do without",
	.options = &options,
	.run = doctor_main,
};
