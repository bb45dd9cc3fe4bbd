// SPDX-License-Identifier: GPL-2.0-or-later
#include "sampler/environment.h"

#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cgroup/cgroup.h"
#include "sampler/disk.h"
#include "sampler/facts.h"

#define KEY_SIZE 300
#define THP "/sys/kernel/mm/transparent_hugepage"
#define CPU "/sys/devices/system/cpu"

static const struct {
	const char *key, *path;
	bool choice;
} files[] = {
	{ "kernel.release", "/proc/sys/kernel/osrelease" },
	{ "kernel.version", "/proc/sys/kernel/version" },
	{ "kernel.machine", "/proc/sys/kernel/arch" },
	{ "kernel.cmdline", "/proc/cmdline" },
	{ "kernel.tainted", "/proc/sys/kernel/tainted" },
	{ "kernel.numa_balancing", "/proc/sys/kernel/numa_balancing" },
	{ "kernel.task_delayacct", "/proc/sys/kernel/task_delayacct" },
	{ "kernel.timer_migration", "/proc/sys/kernel/timer_migration" },
	/* debugfs since 5.13, when most of kernel.sched_* left /proc/sys. */
	{ "sched.preempt", "/sys/kernel/debug/sched/preempt", true },
	{ "sched.base_slice_ns", "/sys/kernel/debug/sched/base_slice_ns" },
	{ "thp.enabled", THP "/enabled", true },
	{ "thp.defrag", THP "/defrag", true },
	{ "thp.shmem_enabled", THP "/shmem_enabled", true },
	{ "ksm.run", "/sys/kernel/mm/ksm/run" },
	{ "mglru.enabled", "/sys/kernel/mm/lru_gen/enabled" },
	{ "mglru.min_ttl_ms", "/sys/kernel/mm/lru_gen/min_ttl_ms" },
	{ "cpu.online", CPU "/online" },
	{ "cpu.isolated", CPU "/isolated" },
	{ "cpu.smt", CPU "/smt/control" },
	{ "cpu.governor", CPU "/cpu0/cpufreq/scaling_governor" },
	{ "cpu.driver", CPU "/cpu0/cpufreq/scaling_driver" },
	{ "cpu.boost", CPU "/cpufreq/boost" },
	{ "cpu.no_turbo", CPU "/intel_pstate/no_turbo" },
	{ "cpu.idle_driver", CPU "/cpuidle/current_driver" },
	{ "cpu.idle_governor", CPU "/cpuidle/current_governor" },
	{ "node.online", "/sys/devices/system/node/online" },
	{ "clock.source", "/sys/devices/system/clocksource/clocksource0/current_clocksource" },
	{ "machine.vendor", "/sys/class/dmi/id/sys_vendor" },
	{ "machine.product", "/sys/class/dmi/id/product_name" },
	{ "machine.hypervisor", "/sys/hypervisor/type" },
};

/* A directory of one-line files: KEY and the file's name. */
struct directory {
	const struct facts *facts;
	const char *key, *path;
	const char *begins; /* only names that begin with this */
	const char *file; /* in a directory of each name; NULL: the name is the file */
	const char *strip; /* taken off the end of keys; NULL: nothing */
};

static void put_entry(void *data, const char *name)
{
	const struct directory *directory = data;
	const char *file = directory->file;
	char key[KEY_SIZE], path[PATH_MAX];

	if (strncmp(name, directory->begins, strlen(directory->begins)) != 0)
		return;
	/* Reading vm.stat_refresh is an act: it folds the counters of every CPU (mm/vmstat.c). */
	if (!strcmp(name, "stat_refresh"))
		return;
	snprintf(key, sizeof(key), "%s%s%s%s", directory->key, name, file ? "." : "",
		file ? file : "");
	/* "shrinker_enabled" is the setting zswap.shrinker. */
	if (directory->strip && strlen(key) > strlen(directory->strip) &&
		!strcmp(key + strlen(key) - strlen(directory->strip), directory->strip))
		key[strlen(key) - strlen(directory->strip)] = '\0';
	snprintf(path, sizeof(path), "%s/%s%s%s", directory->path, name, file ? "/" : "",
		file ? file : "");
	if (file)
		fact_choice(directory->facts, key, path);
	else
		fact_file(directory->facts, key, path);
}

static void put_directories(const struct facts *facts)
{
	struct directory directories[] = {
		{ facts, "vm.", "/proc/sys/vm", "", NULL },
		{ facts, "kernel.", "/proc/sys/kernel", "sched", NULL },
		{ facts, "thp.", THP, "hugepages-", "enabled" },
		{ facts, "zswap.", "/sys/module/zswap/parameters", "", NULL, "_enabled" },
		{ facts, "mitigation.", CPU "/vulnerabilities", "", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(directories); i++)
		names_visit(facts->root, directories[i].path, put_entry, &directories[i]);
}

/* CPUs in a list: "0-3,8" has five. */
static unsigned list_count(const char *list)
{
	unsigned count = 0, first, last;
	int n;

	while (sscanf(list, "%u%n", &first, &n) == 1) {
		list += n;
		last = first;
		if (sscanf(list, "-%u%n", &last, &n) == 1)
			list += n;
		count += last - first + 1;
		list += *list == ',';
	}
	return count;
}

/* The label that names the model differs: x86 and s390, MIPS, POWER, RISC-V, Arm. */
static bool is_model(const char *label)
{
	static const char *const labels[] = { "model name", "cpu model", "cpu", "uarch",
		"CPU part" };

	for (size_t i = 0; i < ARRAY_SIZE(labels); i++) {
		if (!strcmp(label, labels[i]))
			return true;
	}
	return false;
}

/* "model name\t: Xeon": the lines of the first CPU, up to the empty line behind it. */
static void put_cpu_model(const struct facts *facts)
{
	int fd = root_openat(facts->root, "/proc/cpuinfo", O_RDONLY);
	FILE *file CLEANUP(close_file) = fd < 0 ? NULL : fdopen(fd, "r");
	char *line CLEANUP(free_text) = NULL;
	bool found = false;
	size_t size = 0;

	while (file && getline(&line, &size, file) > 0 && *line != '\n') {
		char *value = strchr(line, ':');

		if (!value)
			continue;
		*value++ = '\0';
		line[strcspn(line, "\t")] = '\0';
		if (!found && is_model(line)) {
			fact_put(facts, "cpu.model", "%s", value);
			found = true;
		}
		if (!strcmp(line, "flags"))
			fact_put(facts, "machine.virtual", "%s",
				strstr(value, " hypervisor") ? "yes" : "no");
	}
}

static void put_cpu_count(const struct facts *facts)
{
	char list[4096];

	if (root_read_line(facts->root, CPU "/online", list, sizeof(list)) == 0)
		fact_put(facts, "cpu.count", "%u", list_count(list));
}

static void put_psi(const struct facts *facts)
{
	static const char *const resources[] = { "cpu", "memory", "io", "irq" };
	char path[PATH_MAX], text[1024], on[64] = "";

	for (size_t i = 0; i < ARRAY_SIZE(resources); i++) {
		snprintf(path, sizeof(path), "/proc/pressure/%s", resources[i]);
		if (root_read(facts->root, path, text, sizeof(text)) > 0)
			snprintf(on + strlen(on), sizeof(on) - strlen(on), "%s ", resources[i]);
	}
	/* Built in, but off: psi=0, or off by default. */
	if (!*on && root_exists(facts->root, "/proc/pressure/memory"))
		snprintf(on, sizeof(on), "off");
	fact_put(facts, "psi", "%s", on);
}

/* User-space OOM killers, by the name of the process: any of them may end a load. */
static const char *const daemons[] = { "earlyoom", "nohang", "oomd", "systemd-oomd" };

struct daemon_search {
	const struct facts *facts;
	bool found[ARRAY_SIZE(daemons)];
};

static void daemon_find(void *data, const char *pid)
{
	struct daemon_search *search = data;
	char path[PATH_MAX], comm[64];

	if (!isdigit((unsigned char)*pid))
		return;
	snprintf(path, sizeof(path), "/proc/%s/comm", pid);
	if (root_read_line(search->facts->root, path, comm, sizeof(comm)) < 0)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(daemons); i++)
		search->found[i] |= !strcmp(comm, daemons[i]);
}

static void put_daemons(const struct facts *facts)
{
	struct daemon_search search = { .facts = facts };
	char key[KEY_SIZE];

	names_visit(facts->root, "/proc", daemon_find, &search);
	for (size_t i = 0; i < ARRAY_SIZE(daemons); i++) {
		snprintf(key, sizeof(key), "daemon.%s", daemons[i]);
		if (search.found[i])
			fact_put(facts, key, "running");
	}
}

static void put_cgroup_mode(const struct facts *facts)
{
	struct cgroup_tree *tree = malloc(sizeof(*tree));

	if (tree && cgroup_tree_read(facts->root, tree, NULL) == 0)
		fact_put(facts, "cgroup.mode", "%s", cgroup_mode_name(tree->mode));
	free(tree);
}

int environment_read(const struct root *root, const char *scratch,
	void (*put)(void *data, const char *key, const char *text), void *data)
{
	struct facts facts = { root, put, data };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		if (files[i].choice)
			fact_choice(&facts, files[i].key, files[i].path);
		else
			fact_file(&facts, files[i].key, files[i].path);
	}
	put_directories(&facts);
	put_cpu_model(&facts);
	put_cpu_count(&facts);
	put_psi(&facts);
	put_cgroup_mode(&facts);
	put_daemons(&facts);
	facts_storage(&facts, scratch);
	return 0;
}
