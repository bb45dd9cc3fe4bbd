// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the user wants: the command line of `contend run` and its plan files, parsed and checked.
 * Suites are plan files that are embedded in the program (suites/, see config/suite.h). Every
 * error names where it is: the option, or file, line and key, and the nearest valid name.
 */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/option.h"
#include "base/root.h"
#include "record/primary.h"
#include "workload/workload.h"

/* A workload with its options, in a role. */
struct part {
	const struct workload *workload;
	char role[48]; /* "lead"; the load's name, made unique: "io", "io-2" */
	char spelled[1024]; /* "io:size=64M": options that are not the default */
	struct common_params common;
	void *params; /* workload->params_size bytes */
};

/* Lead, loads and options. */
struct scenario {
	char name[128]; /* lead+load+load, or contest's own ("io_load") as asked for */
	struct part lead;
	struct part *loads;
	size_t n_loads;
	bool solo; /* null lead, one load: gives the load's solo rate */
	bool cold; /* caches dropped, and proved dropped, before it */
	int64_t deadline_ns; /* of the window */
	int64_t lead_in_ns; /* loads alone, before the window opens */
	int64_t interval_ns; /* between samples */
	unsigned steal; /* per cent of CPU time from which on a trial is void; 0: any is allowed */
};

struct assignment {
	char key[256]; /* "vm.swappiness", "zswap" */
	char value[256];
	char where[320]; /* "--vary", "night.ini:12": for what is wrong with it */
};

/*
 * A named set of settings, and of options of workloads (keys "lead.OPTION" and "load.OPTION"). The
 * first variant is the reference unless `reference` says else.
 */
struct variant {
	char name[64];
	struct assignment *assignments; /* settings */
	size_t n;
	struct assignment *options; /* of workloads */
	size_t n_options;
	struct scenario *scenarios; /* all of the run's, with these options; NULL: as they are */
};

enum box_kind {
	BOX_HOST,
	BOX_CGROUP,
	BOX_VM
};
enum box_swap {
	BOX_SWAP_FILE,
	BOX_SWAP_ZRAM
};

enum box_accel {
	BOX_ACCEL_AUTO, /* KVM where it is, and not in exact mode */
	BOX_ACCEL_KVM,
	BOX_ACCEL_TCG, /* emulated */
};

struct box_config {
	enum box_kind kind;
	bool typed; /* named by the user; else contend chooses (see box/box.h) */
	uint64_t mem; /* bytes; 0: the default */
	uint64_t swap; /* bytes; UINT64_MAX: the default */
	uint64_t cpus; /* 0: all that are allowed */
	int swap_kind; /* enum box_swap: what contend makes where swap is wanted */
	/* Only of vm: see docs/vm.md. */
	char kernel[512]; /* see kernel/kernel.h; "": the default */
	bool exact;
	int accel; /* enum box_accel */
	char disk[32]; /* see vm/disk.h */
	uint64_t disk_size; /* of scratch; 0: twice the RAM */
	char qemu[512]; /* see vm/qemu.h; "": the best that there is */
	char cmdline[512]; /* behind contend's own */
	char inside[128]; /* the box in the guest */
	uint64_t guests; /* exact ones at once; 0: as many as CPUs and memory allow */
	char add[64]; /* a device that makes exact mode inexact, for the test of the test */
};

enum output_format {
	FORMAT_TABLE,
	FORMAT_JSON,
	FORMAT_CSV,
	FORMAT_MD
};

/* Blocks when nobody said how many: with one variant; with several, at most. */
#define CONFIG_RUNS 3
#define CONFIG_BLOCKS 8
/* Seeds, which are the blocks of an exact box; one more for each doubling of what is compared. */
#define CONFIG_SEEDS 5
#define CONFIG_PAIRS 8

struct config {
	struct scenario *scenarios;
	size_t n_scenarios;
	struct variant *variants; /* at least one: "default", with no assignments */
	size_t n_variants;
	size_t reference; /* index of the reference variant */
	struct box_config box;
	unsigned runs; /* blocks: see plan/plan.h for what is in one */
	bool runs_typed; /* then none is left out because it would probably not help */
	int64_t budget_ns; /* 0: none */
	struct primary primary; /* what decides */
	double delta; /* per cent: a difference below it is none that matters */
	uint64_t seed; /* as given, or drawn; always recorded */
	bool full; /* --full */
	bool dry_run;
	int64_t resume; /* run id, 0: none */
	char title[128]; /* of the run: the suite's or scenario's name */
	char store[4096]; /* path; "": the default */
	char scratch[4096]; /* path; "": the default */
	char view[32]; /* "": the one that fits the run */
	enum output_format format;
};

/*
 * Parses the command line of `contend run`; argv[0] is "run". 0 or -EINVAL, with one line in err.
 * *ret_config is freed with config_free(). With --resume there are no scenarios in it: see
 * config_resume().
 */
int config_parse_run(int argc, char *const argv[], struct config **ret_config, struct error *err);

/*
 * The configuration of the run that --resume names: `command` as words_join() made it when the
 * run began, and the run's seed. Store, scratch, view and format are those of `resume` where
 * it has them. As config_parse_run().
 */
int config_resume(const struct config *resume, const char *command, uint64_t seed,
	struct config **ret_config, struct error *err);

/* As config_parse_run() with one plan file and nothing else; `name` is what errors call it. */
int config_parse_text(
	const char *name, const char *text, struct config **ret_config, struct error *err);

/*
 * Are the settings of all variants such as could be applied (see setting/setting.h)? 0 or -EINVAL;
 * the text names where it is and the nearest that is right. Looks at root, and changes nothing.
 * With a box of another kernel, sysctls that this one lacks are let pass.
 */
int config_check_settings(const struct config *config, const struct root *root, struct error *err);

void config_free(struct config *config);
void config_cleanup(struct config **config);

/* Parses "W:opt=val,..." for one of the roles. The part's params are freed by part_done(). */
int part_parse(const char *text, unsigned roles, struct part *ret_part, struct error *err);
void part_done(struct part *part);

/* The option rows of `contend run`, for help, list and the man page. */
extern const struct option_rows run_options;

/* Parses "cgroup:mem=512M,swap=zram". */
int box_parse(const char *text, struct box_config *ret_box, struct error *err);

/* The option rows of `--box NAME:...`, as run_options. */
extern const struct option_rows box_options;

#endif
