// SPDX-License-Identifier: GPL-2.0-or-later
/* Builds what is to be measured, by a shell command. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "command/bisect.h"

#define LOOK_MS 100
#define PATIENCE_NS (5 * NS_PER_S) /* of a build that was told to end */

struct build {
	pid_t pid; /* of its group, too */
	int fd; /* what it says */
	char tail[32768];
	size_t used;
	int status;
	bool ended;
};

/* In the child. Not in the terminal's group: on Ctrl-C it is contend that ends it. */
static void become(const char *directory, const char *command, pid_t parent, int fd)
{
	int null = open("/dev/null", O_RDONLY);

	dup2(null, STDIN_FILENO);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	setpgid(0, 0);
	/* make passes it on to what it has started. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(127);
	if (chdir(directory) == 0)
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	dprintf(STDERR_FILENO, "%s: %s\n", directory, strerror(errno));
	_exit(127);
}

static int start(struct build *build, const char *directory, const char *command, struct error *err)
{
	pid_t parent = getpid();
	int write_fd CLEANUP(close_fd) = -1;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return error_errno(err, -errno, "build");
	build->fd = ends[0];
	write_fd = ends[1];
	/* Only contend's end: programs take short writes for failures. */
	fcntl(write_fd, F_SETFL, 0);
	build->pid = fork();
	if (build->pid < 0)
		return error_errno(err, -errno, "build");
	if (build->pid == 0)
		become(directory, command, parent, write_fd);
	setpgid(build->pid, build->pid);
	return 0;
}

/* The end of what it says is kept. False: nothing more comes now. */
static bool hear(struct build *build)
{
	size_t half = sizeof(build->tail) / 2;
	ssize_t n;

	if (build->used > half) {
		memmove(build->tail, build->tail + build->used - half, half);
		build->used = half;
	}
	n = read(build->fd, build->tail + build->used, sizeof(build->tail) - 1 - build->used);
	if (n > 0)
		build->used += (size_t)n;
	return n > 0;
}

static void look(struct build *build)
{
	struct pollfd poll_fd = { .fd = build->fd, .events = POLLIN };

	/* All ends closed, and the process still there: not in a circle. */
	if (poll(&poll_fd, 1, LOOK_MS) > 0 && !hear(build))
		poll(NULL, 0, LOOK_MS);
	if (waitpid(build->pid, &build->status, WNOHANG) == build->pid)
		build->ended = true;
}

/* Ends it and whatever it has started. */
static void end(struct build *build)
{
	int64_t start = clock_now();

	if (build->pid <= 0)
		return;
	if (!build->ended)
		kill(-build->pid, SIGTERM);
	while (!build->ended && clock_now() - start < PATIENCE_NS)
		look(build);
	kill(-build->pid, SIGKILL);
	if (!build->ended)
		waitpid(build->pid, &build->status, 0);
	build->ended = true;
}

static void build_done(struct build *build)
{
	end(build);
	close_fd(&build->fd);
}

/* The first line with an error of a compiler's, else the last that is not empty. */
static void find_words(struct build *build, char *words, size_t size)
{
	char *rest = build->tail, *line;
	bool found = false;

	build->tail[build->used] = '\0';
	snprintf(words, size, "it said nothing");
	while (!found && (line = strsep(&rest, "\n"))) {
		if (!*line)
			continue;
		found = strstr(line, "error: ");
		snprintf(words, size, "%.400s", line);
	}
}

int bisect_build(
	const char *directory, const char *command, char *words, size_t size, struct error *err)
{
	struct build build CLEANUP(build_done) = { .fd = -1 };
	int r = start(&build, directory, command, err);

	if (r < 0)
		return r;
	while (!build.ended && !interrupted)
		look(&build);
	if (interrupted)
		return error_set(err, -EINTR, "interrupted while it was built");
	while (hear(&build))
		;
	find_words(&build, words, size);
	return WIFEXITED(build.status) ? WEXITSTATUS(build.status) : 128 + WTERMSIG(build.status);
}
