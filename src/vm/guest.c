// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/guest.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"

#define LOOK_MS 20

/* A guest being watched. */
struct watch {
	const struct guest *guest;
	struct region *region;
	pid_t pid;
	int pidfd;
	int record_fd;
	int64_t start_ns;
	enum region_phase said;
	blkcnt_t blocks; /* of the record that have been written to */
	int64_t moved_ns; /* when there was a new one, or a new phase */
	struct guest_result *result;
};

static size_t power_of_two(size_t bytes)
{
	size_t power = MIB;

	while (power < bytes)
		power *= 2;
	return power;
}

/* Memory of no file: there is nothing to be left behind. */
static int region_make(
	const struct guest *guest, int *ret_fd, struct guest_result *result, struct error *err)
{
	size_t size = power_of_two(REGION_STREAM_AT + guest->stream_bytes);
	int fd CLEANUP(close_fd) = memfd_create("contend-record", MFD_CLOEXEC);
	struct region *region;

	if (fd < 0 || ftruncate(fd, (off_t)size) < 0)
		return error_errno(err, -errno, "memory for the guest's record");
	if (strlen(guest->job) >= REGION_JOB_SIZE)
		return error_set(err, -E2BIG, "the trial's description is too long for a guest");
	region = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (region == MAP_FAILED)
		return error_errno(err, -errno, "memory for the guest's record");
	memcpy(region->magic, REGION_MAGIC, sizeof(region->magic));
	region->stream_size = size - REGION_STREAM_AT;
	strcpy((char *)region + REGION_JOB_AT, guest->job);
	result->map = region;
	result->map_size = size;
	*ret_fd = take_fd(&fd);
	return 0;
}

static void fail_child(const char *what)
{
	dprintf(STDERR_FILENO, "%s: %s\n", what, strerror(errno));
	_exit(127);
}

/* In the child: what it prints goes to a file, and it dies with its parent. */
static void become(const struct guest *guest, const struct qemu_command *command, pid_t parent,
	int log_fd, int record_fd)
{
	int null = open("/dev/null", O_RDONLY);

	dup2(null, STDIN_FILENO);
	dup2(log_fd, STDOUT_FILENO);
	dup2(log_fd, STDERR_FILENO);
	/* Not in the terminal's group: on Ctrl-C it is contend that ends it. */
	setpgid(0, 0);
	if (guest->cgroup && cgroup_attach(guest->cgroup, 0) < 0)
		fail_child("cgroup");
	if (fcntl(record_fd, F_SETFD, 0) < 0)
		fail_child("record");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	execvp(command->argv[0], (char *const *)(uintptr_t)command->argv);
	fail_child(command->argv[0]);
}

static int start(
	struct watch *watch, const struct qemu_command *command, int record_fd, struct error *err)
{
	const struct guest *guest = watch->guest;
	char path[PATH_MAX];
	int log_fd CLEANUP(close_fd) = -1;
	pid_t parent = getpid(), pid;

	snprintf(path, sizeof(path), "%s/qemu.log", guest->directory);
	log_fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (log_fd < 0)
		return error_errno(err, -errno, "%s", path);
	pid = fork();
	if (pid < 0)
		return error_errno(err, -errno, "cannot start QEMU");
	if (pid == 0)
		become(guest, command, parent, log_fd, record_fd);
	watch->pid = pid;
	watch->pidfd = pidfd_open(pid, 0);
	watch->start_ns = clock_now();
	return 0;
}

static void tell_phase(struct watch *watch)
{
	static const char *const names[] = { "boot", "boot", "guest", "stop", "stop" };
	enum region_phase phase = atomic_load(&watch->region->phase);

	if (phase > REGION_FAILED || phase == watch->said)
		return;
	if (watch->guest->phase && strcmp(names[phase], names[watch->said]) != 0)
		watch->guest->phase(watch->guest->data, names[phase]);
	watch->said = phase;
	watch->moved_ns = clock_now();
}

/*
 * A guest that lives takes samples by its second, and the record's memory grows. One that hangs may
 * use no CPU or all of it.
 */
static bool fell_silent(struct watch *watch, int64_t now)
{
	struct stat record;

	if (fstat(watch->record_fd, &record) == 0 && record.st_blocks != watch->blocks) {
		watch->blocks = record.st_blocks;
		watch->moved_ns = now;
	}
	return watch->said != REGION_BOOT && now - watch->moved_ns >= watch->guest->silent_ns;
}

static bool must_end(struct watch *watch)
{
	const struct guest *guest = watch->guest;
	int64_t now = clock_now(), elapsed = now - watch->start_ns;

	watch->result->silent = fell_silent(watch, now);
	if (guest->interrupted && *guest->interrupted)
		watch->result->interrupted = true;
	else if (watch->result->silent || elapsed >= guest->deadline_ns ||
		 (watch->said == REGION_BOOT && elapsed >= guest->boot_ns))
		watch->result->timed_out = true;
	return watch->result->interrupted || watch->result->timed_out;
}

/* Until QEMU has ended, by itself or killed. */
static void wait_for_end(struct watch *watch)
{
	struct pollfd ended = { .fd = watch->pidfd, .events = POLLIN };
	bool killed = false;

	for (;;) {
		pid_t pid;

		poll(&ended, 1, LOOK_MS);
		pid = waitpid(watch->pid, &watch->result->status, WNOHANG);
		if (pid == watch->pid || (pid < 0 && errno != EINTR))
			return;
		tell_phase(watch);
		if (!killed && must_end(watch)) {
			kill(watch->pid, SIGKILL);
			killed = true;
		}
	}
}

/* Reads the console, or what QEMU itself said. */
static void take_words(const struct guest *guest, struct guest_result *result)
{
	static const char *const names[] = { "console", "qemu.log" };

	for (size_t i = 0; i < ARRAY_SIZE(names) && !result->words[0]; i++) {
		char *text CLEANUP(free_text) = NULL;
		char path[PATH_MAX];
		size_t size;

		snprintf(path, sizeof(path), "%s/%s", guest->directory, names[i]);
		if (file_read(path, &text, &size, NULL) == 0)
			console_tail(text, result->words, sizeof(result->words));
	}
}

static void take_stream(struct watch *watch, struct guest_result *result)
{
	struct region *region = watch->region;
	size_t room = result->map_size - REGION_STREAM_AT;

	tell_phase(watch);
	result->phase = watch->said;
	result->stream = (unsigned char *)region + REGION_STREAM_AT;
	/* Only when it is whole is its length known; else the reader finds its end. */
	result->size = result->phase == REGION_DONE && region->stream_used <= room
			       ? region->stream_used
			       : room;
	result->error = region->error;
	memcpy(result->failure, region->failure, sizeof(result->failure));
	result->failure[sizeof(result->failure) - 1] = '\0';
}

int guest_run(const struct guest *guest, struct guest_result *ret_result, struct error *err)
{
	struct guest_result result CLEANUP(guest_result_done) = { 0 };
	int record_fd CLEANUP(close_fd) = -1;
	struct watch watch = { .guest = guest, .pidfd = -1, .result = &result };
	struct qemu_boot boot = guest->boot;
	struct qemu_command command;
	char record[64], console[PATH_MAX];
	int r = region_make(guest, &record_fd, &result, err);

	if (r < 0)
		return r;
	watch.region = result.map;
	watch.record_fd = record_fd;
	snprintf(record, sizeof(record), "/proc/self/fd/%d", record_fd);
	snprintf(console, sizeof(console), "%s/console", guest->directory);
	unlink(console);
	boot.record = record;
	boot.record_bytes = result.map_size;
	boot.console = console;
	r = qemu_command_make(guest->qemu, &boot, &command, err);
	r = r < 0 ? r : start(&watch, &command, record_fd, err);
	if (r < 0)
		return r;
	if (guest->phase)
		guest->phase(guest->data, "boot");
	wait_for_end(&watch);
	close_fd(&watch.pidfd);
	take_stream(&watch, &result);
	take_words(guest, &result);
	*ret_result = result;
	result.map = NULL;
	return 0;
}

void guest_result_done(struct guest_result *result)
{
	if (result->map)
		munmap(result->map, result->map_size);
	result->map = NULL;
}
