// SPDX-License-Identifier: GPL-2.0-or-later
/* The option rows of `contend run`. */
#include "base/cleanup.h"
#include "config/params.h"

static const char *const yes_no[] = { "no", "yes", NULL };

/* In the order of enum output_format. */
static const char *const formats[] = { "table", "json", "csv", "md", NULL };

static const struct option_row rows[] = {
	/* A scenario may have its own. */
	{
		OPTION("deadline", OPTION_DURATION, struct run_params, deadline_ns),
		.fallback = "10m",
		.min = "1ms",
		.max = "1000h",
		.help = "give a trial up when its lead has run for so long",
	},
	{
		OPTION("cold", OPTION_BOOL, struct run_params, cold),
		.fallback = "yes",
		.help = "drop the page cache before each trial; default unless the lead is "
			"cacherun",
	},
	{
		OPTION("warm", OPTION_BOOL, struct run_params, warm),
		.fallback = "no",
		.help = "leave the page cache as it is",
	},
	{
		OPTION("lead-in", OPTION_DURATION, struct run_params, lead_in_ns),
		.fallback = "3s",
		.max = "1h",
		.help = "how long the loads run before the lead starts",
	},
	{
		OPTION("interval", OPTION_DURATION, struct run_params, interval_ns),
		.fallback = "100ms",
		.min = "1ms",
		.max = "1m",
		.help = "time between readings of progress; samplers are read by the second",
	},
	{
		OPTION("steal", OPTION_COUNT, struct run_params, steal),
		.fallback = "5",
		.min = "0",
		.max = "100",
		.help = "per cent of CPU time: a trial from which the hypervisor took as much is "
			"void; 0: it may take any",
	},
#define N_SCENARIO 6
	/* A plan file may say it for all of its scenarios. */
	{
		OPTION("runs", OPTION_COUNT, struct run_params, runs),
		.fallback = "0",
		.min = "0",
		.max = "1000",
		.help = "blocks: trials of each scenario; 0: 3, and with several variants up to 8, "
			"as many as the verdict takes, and no more once they would "
			"probably not bring one; in an exact box seeds: 5, and up to 8",
	},
	{
		OPTION("blocks", OPTION_COUNT, struct run_params, runs),
		.fallback = "0",
		.min = "0",
		.max = "1000",
		.help = "the same as --runs",
	},
	{
		OPTION("budget", OPTION_DURATION, struct run_params, budget_ns),
		.fallback = "0",
		.help = "begin no block but the first that would end later than this; 0: no limit",
	},
	{
		OPTION("delta", OPTION_REAL, struct run_params, delta),
		.fallback = "5",
		.min = "0.01",
		.max = "1000",
		.help = "per cent: the least difference between variants that matters",
	},
	{
		OPTION("primary", OPTION_TEXT, struct run_params, primary),
		.fallback = "time",
		.argument = "METRIC",
		.help = "what decides: time, or SOURCE/ROLE/NAME as contend list metrics has them; "
			"with + at its end more is better",
	},
	{
		OPTION("noload", OPTION_CHOICE, struct run_params, noload),
		.fallback = "yes",
		.choices = yes_no,
		.help = "measure each lead without loads, too: ratios refer to that",
	},
	{
		OPTION("solo", OPTION_CHOICE, struct run_params, solo),
		.fallback = "yes",
		.choices = yes_no,
		.help = "measure each load alone, too: fairness is relative to that",
	},
	{
		OPTION("solo-time", OPTION_DURATION, struct run_params, solo_time_ns),
		.fallback = "5s",
		.min = "100ms",
		.max = "1h",
		.help = "how long a load is measured alone",
	},
	{
		.name = "box",
		.type = OPTION_TEXT,
		.argument = "KIND[:opt=val,...]",
		.help = "where trials run: host, cgroup, vm; default: see contend doctor",
	},
	{
		OPTION("reference", OPTION_TEXT, struct run_params, reference),
		.fallback = "",
		.argument = "VARIANT",
		.help = "the variant that ratios refer to; default: the first",
	},
	{
		OPTION("seed", OPTION_COUNT, struct run_params, seed),
		.argument = "N",
		.help = "of the order and of generated data; default: drawn, and recorded",
	},
	{
		OPTION("quick", OPTION_BOOL, struct run_params, quick),
		.fallback = "yes",
		.help = "short leads and few trials: the default",
	},
	{
		OPTION("full", OPTION_BOOL, struct run_params, full),
		.fallback = "no",
		.help = "leads of full size, and what the suite's [full] section says",
	},
	{
		OPTION("scratch", OPTION_TEXT, struct run_params, scratch),
		.fallback = "",
		.argument = "DIR",
		.help = "where the workloads' files go; default: $TMPDIR, else /var/tmp",
	},
	{
		OPTION("view", OPTION_TEXT, struct run_params, view),
		.fallback = "",
		.argument = "VIEW",
		.help = "how the result is shown at the end: see contend list views",
	},
	{
		OPTION("format", OPTION_CHOICE, struct run_params, format),
		.fallback = "table",
		.choices = formats,
		.help = "as what the result is printed",
	},
#define N_FILE (N_SCENARIO + 15)
	/* Only on the command line. */
	{
		.name = "lead",
		.type = OPTION_TEXT,
		.argument = "W[:opt=val,...]",
		.help = "lead of a scenario of your own, or in place of the named ones' leads",
	},
	{
		.name = "load",
		.type = OPTION_TEXT,
		.argument = "W[:opt=val,...]",
		.help = "load of a scenario of your own; may be repeated",
	},
	{
		.name = "variant",
		.type = OPTION_TEXT,
		.argument = "NAME[:key=val,...]",
		.help = "a named set of settings to compare, or of options (lead.OPT, load.OPT); "
			"may be repeated",
	},
	{
		.name = "vary",
		.type = OPTION_TEXT,
		.argument = "KEY=VAL,VAL,...",
		.help = "one variant for each value; repeated, for each combination",
	},
	{
		.name = "plan",
		.type = OPTION_TEXT,
		.argument = "FILE.ini",
		.help = "scenarios, variants and options from a plan file; may be repeated",
	},
	{
		OPTION("dry-run", OPTION_BOOL, struct run_params, dry_run),
		.fallback = "no",
		.help = "print the plan and do nothing",
	},
	{
		OPTION("resume", OPTION_COUNT, struct run_params, resume),
		.min = "1",
		.argument = "RUN",
		.help = "go on with a run that was interrupted",
	},
	{
		OPTION("store", OPTION_TEXT, struct run_params, store),
		.fallback = "",
		.argument = "FILE",
		.help = "where results are kept; default: below $XDG_STATE_HOME",
	},
};

const struct option_rows scenario_options = { rows, N_SCENARIO };
const struct option_rows file_options = { rows, N_FILE };
const struct option_rows run_options = OPTION_ROWS(rows);

static const char *const swap_kinds[] = { "file", "zram", NULL };

/* In the order of enum box_accel. */
static const char *const accels[] = { "auto", "kvm", "tcg", NULL };

static const struct option_row box_rows[] = {
	{
		OPTION("mem", OPTION_BYTES, struct box_config, mem),
		.min = "16M",
		.help = "RAM; default 512M, and for vm the same",
	},
	{
		OPTION("swap", OPTION_BYTES, struct box_config, swap),
		.help = "swap beyond it, 0: none; default 1G. swap=zram: the default, on zram",
	},
	{
		OPTION("swap-kind", OPTION_CHOICE, struct box_config, swap_kind),
		.fallback = "file",
		.choices = swap_kinds,
		.help = "what is made when the machine has too little swap",
	},
	{
		OPTION("cpus", OPTION_COUNT, struct box_config, cpus),
		.fallback = "0",
		.max = "4096",
		.help = "CPUs; 0: all that are allowed; for vm: one",
	},
#define N_BOX 4
	/* Only of vm. */
	{
		OPTION("kernel", OPTION_TEXT, struct box_config, kernel),
		.fallback = "",
		.argument = "KERNEL",
		.help = "vm: bzImage, vmlinux or .deb (a path), an installed version, or "
			"debian:SUITE[:FLAVOUR]; default: the running one",
	},
	{
		OPTION("exact", OPTION_BOOL, struct box_config, exact),
		.fallback = "no",
		.help = "vm: counted instructions and virtual time; the same seed gives the same "
			"record",
	},
	{
		OPTION("accel", OPTION_CHOICE, struct box_config, accel),
		.fallback = "auto",
		.choices = accels,
		.help = "vm: whether QEMU uses KVM or emulates; auto: KVM where /dev/kvm opens and "
			"this is no guest itself",
	},
	{
		OPTION("disk", OPTION_TEXT, struct box_config, disk),
		.fallback = "linear",
		.argument = "linear|delay:TIME|zram",
		.help = "vm: what swap and scratch are on",
	},
	{
		OPTION("disk-size", OPTION_BYTES, struct box_config, disk_size),
		.fallback = "0",
		.help = "vm: room for the workloads' files; 0: twice the RAM",
	},
	{
		OPTION("qemu", OPTION_TEXT, struct box_config, qemu),
		.fallback = "",
		.argument = "FILE|debian:SUITE",
		.help = "vm: which QEMU; default: the installed one from 10 on, else one fetched",
	},
	{
		OPTION("cmdline", OPTION_TEXT, struct box_config, cmdline),
		.fallback = "",
		.argument = "WORDS",
		.help = "vm: words for the kernel's command line",
	},
	{
		OPTION("inside", OPTION_TEXT, struct box_config, inside),
		.fallback = "host",
		.argument = "KIND[:opt=val,...]",
		.help = "vm: the box in the guest; a comma in it is written \\,",
	},
	{
		OPTION("guests", OPTION_COUNT, struct box_config, guests),
		.fallback = "0",
		.max = "1024",
		.help = "vm: exact guests that run at once; 0: as many as CPUs and memory allow",
	},
	{
		OPTION("add", OPTION_TEXT, struct box_config, add),
		.fallback = "",
		.argument = "DEVICE",
		.help = "vm: one more device, on an empty disk: selftest exact must notice it",
	},
};

const struct option_rows box_options = OPTION_ROWS(box_rows);
const struct option_rows limit_options = { box_rows, N_BOX };
