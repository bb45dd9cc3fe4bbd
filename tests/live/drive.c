// SPDX-License-Identifier: GPL-2.0-or-later
#include "drive.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/root.h"
#include "cgroup/cgroup.h"

static struct root root = { -1 };
static struct cgroup_tree tree;
static char dir[PATH_MAX];

static void must(int r, const struct error *err)
{
	if (r >= 0)
		return;
	fprintf(stderr, "drive: %s\n", err->text);
	exit(99);
}

const char *drive_dir(void)
{
	const char *tmp = getenv("TMPDIR");
	struct error err;

	if (dir[0])
		return dir;
	snprintf(dir, sizeof(dir), "%s/contend-drive-XXXXXX", tmp ? tmp : "/var/tmp");
	if (!mkdtemp(dir))
		must(error_errno(&err, -errno, "%s", dir), &err);
	return dir;
}

void drive_done(void)
{
	if (dir[0])
		tree_remove(dir, NULL);
	root_close(&root);
}

static bool group_make(
	struct cgroup *ret_group, uint64_t ram_bytes, uint64_t swap_bytes, struct error *err)
{
	char name[64];
	int r;

	snprintf(name, sizeof(name), "contend-drive-%d", (int)getpid());
	r = cgroup_name(&tree, NULL, name, ret_group, err);
	if (r == 0)
		r = cgroup_make(ret_group, err);
	if (r < 0)
		return false;
	/* Not to have swap limited is no harm. */
	r = cgroup_limit(ret_group, ram_bytes, swap_bytes, err);
	return r == 0 || r == -EOPNOTSUPP;
}

bool drive_possible(void)
{
	struct cgroup group;
	struct error err;
	bool possible;

	if (root_open(&root, "/", &err) < 0 || cgroup_tree_read(&root, &tree, &err) < 0 ||
		tree.mode == CGROUP_NONE || !tree.memory)
		return false;
	possible = group_make(&group, 64 * MIB, 0, &err);
	cgroup_remove(&group, NULL);
	return possible;
}

/* The number behind "name:" in a file of such lines; 0 without one. */
static uint64_t number_after(const char *path, const char *name)
{
	char text[8192], *at;

	if (root_read(&root, path, text, sizeof(text)) < 0)
		return 0;
	for (at = text; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (!strncmp(at, name, strlen(name)) && at[strlen(name)] == ':')
			return strtoull(at + strlen(name) + 1, NULL, 10);
	}
	return 0;
}

static void close_dir(DIR **proc)
{
	if (*proc)
		closedir(*proc);
}

/* Of this process and its children: no workload that is driven here has grandchildren. */
static uint64_t voluntary_read(void)
{
	DIR *proc CLEANUP(close_dir) = opendir("/proc");
	struct dirent *entry;
	uint64_t sum = 0;

	while (proc && (entry = readdir(proc))) {
		char path[300];
		pid_t pid = atoi(entry->d_name);

		snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
		if (pid == getpid() || (pid && (pid_t)number_after(path, "PPid") == getpid()))
			sum += number_after(path, "voluntary_ctxt_switches");
	}
	return sum;
}

static struct drive_counts counts_read(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (struct drive_counts) {
		.voluntary_switches = voluntary_read(),
		.minor_faults = (uint64_t)usage.ru_minflt,
		.major_faults = (uint64_t)usage.ru_majflt,
		.rchar = number_after("/proc/self/io", "rchar"),
		.wchar = number_after("/proc/self/io", "wchar"),
		.read_bytes = number_after("/proc/self/io", "read_bytes"),
		.write_bytes = number_after("/proc/self/io", "write_bytes"),
	};
}

static struct drive_counts counts_between(
	const struct drive_counts *a, const struct drive_counts *b)
{
	return (struct drive_counts) {
		.voluntary_switches = b->voluntary_switches - a->voluntary_switches,
		.minor_faults = b->minor_faults - a->minor_faults,
		.major_faults = b->major_faults - a->major_faults,
		.rchar = b->rchar - a->rchar,
		.wchar = b->wchar - a->wchar,
		.read_bytes = b->read_bytes - a->read_bytes,
		.write_bytes = b->write_bytes - a->write_bytes,
	};
}

void drive_small_disk(const struct place *place)
{
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		mount("small", place->scratch, "tmpfs", 0, "size=8M") < 0)
		_exit(1);
}

#define WORKERS_MAX 16

/* All workers on this thread, a step of each in turn. */
static int steps_run(
	const struct drive *drive, struct instance *instance, struct drive_result *result)
{
	static struct progress progress[WORKERS_MAX];
	struct worker workers[WORKERS_MAX];
	struct random random = { instance->place->seed };
	int r = STEP_MORE;

	for (unsigned i = 0; i < instance->workers; i++)
		workers[i] = (struct worker) { .instance = instance,
			.index = i,
			.progress = &progress[i],
			.random = random_fork(&random, i) };
	for (uint64_t i = 0; i < drive->steps * instance->workers && r > 0; i++) {
		r = instance->workload->step(&workers[i % instance->workers], &result->error);
		result->passes += r == STEP_PASS || r == STEP_DONE;
	}
	result->done = r == STEP_DONE;
	for (unsigned i = 0; i < instance->workers; i++)
		result->units += progress[i].units;
	return r < 0 ? r : 0;
}

static int workload_run(const struct drive *drive, struct drive_result *result)
{
	const struct workload *workload =
		workload_find(drive->workload, WORKLOAD_LEAD | WORKLOAD_LOAD);
	char scratch[PATH_MAX];
	struct place place = {
		.ram_bytes = drive->ram_bytes,
		.swap_bytes = drive->swap_bytes,
		.cpus = 2,
		.scratch = scratch,
		.shelf = drive_dir(),
		.seed = 1,
	};
	struct instance instance = {
		.workload = workload,
		.place = &place,
		.params = calloc(1, workload->params_size + 1),
		.state = calloc(1, workload->state_size + 1),
		.role = drive->role ? drive->role : WORKLOAD_LOAD,
		.workers = drive->workers ? drive->workers : 1,
		.values = calloc(workload->n_metrics + 1, sizeof(*instance.values)),
	};
	struct drive_counts start, ready, end;
	int r;

	snprintf(scratch, sizeof(scratch), "%s/scratch", drive_dir());
	directory_make(scratch, NULL);
	option_defaults(workload->options, (void *)(uintptr_t)instance.params);
	r = option_set_list(workload->options, (void *)(uintptr_t)instance.params, drive->options,
		&result->error);
	if (r == 0 && workload->probe)
		r = workload->probe(&place, instance.params, &result->error);
	if (r < 0)
		return r;
	if (drive->before_setup)
		drive->before_setup(&place);
	start = counts_read();
	r = workload->setup ? workload->setup(&instance, &result->error) : 0;
	if (r < 0)
		return r;
	ready = counts_read();
	result->setup = counts_between(&start, &ready);
	if (drive->before_steps)
		drive->before_steps(&instance);
	ready = counts_read();
	r = steps_run(drive, &instance, result);
	end = counts_read();
	result->steps = counts_between(&ready, &end);
	for (size_t i = 0; i < workload->n_metrics && i < DRIVE_VALUES; i++)
		result->values[i] = atomic_load(&instance.values[i]);
	if (drive->after_steps)
		drive->after_steps(&instance);
	if (workload->teardown)
		workload->teardown(&instance);
	return r;
}

/* Processes die in their own time: up to 2 s are waited for them. */
static unsigned population(const struct cgroup *group)
{
	int n;

	for (int i = 0; (n = cgroup_population(group)) > 0 && i < 200; i++)
		clock_sleep_until(clock_now() + 10 * NS_PER_MS);
	return n > 0 ? (unsigned)n : 0;
}

struct drive_result drive(const struct drive *drive)
{
	struct drive_result result, *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
					    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct cgroup group;
	struct error err;
	pid_t pid;

	drive_dir();
	if (!group_make(&group, drive->ram_bytes, drive->swap_bytes, &err))
		must(-EIO, &err);
	shared->code = -EINTR;
	pid = fork();
	if (pid == 0) {
		/* cmocka would go on with the other tests here, too. */
		signal(SIGSEGV, SIG_DFL);
		error_set(&err, 0, "cannot enter the cgroup");
		must(cgroup_attach(&group, 0), &err);
		shared->code = workload_run(drive, shared);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	result = *shared;
	result.left = population(&group);
	munmap(shared, sizeof(*shared));
	must(cgroup_remove(&group, &err), &err);
	return result;
}
