// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/x_program.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/root.h"

#define WORDS 32

static void become_victim(void)
{
	int fd CLEANUP(close_fd) = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, "1000", 4) < 0) {
		/* Raising it is never refused; without /proc what is inherited stays. */
	}
}

static _Noreturn void become(const char *command, const char *display, bool victim, pid_t parent)
{
	char *argv[WORDS + 1] = { NULL }, *rest, *words = strdup(command);
	size_t n = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!words || getppid() != parent)
		_exit(127);
	if (victim)
		become_victim();
	for (char *word = strtok_r(words, " \t", &rest); word && n < WORDS;
		word = strtok_r(NULL, " \t", &rest))
		argv[n++] = word;
	if (display)
		setenv("DISPLAY", display, 1);
	if (n)
		execvp(argv[0], argv);
	_exit(127);
}

int x_program_start(struct x_program *program, const char *command, const char *display,
	bool victim, struct error *err)
{
	pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		return error_errno(err, -errno, "cannot start %s", command);
	if (pid == 0)
		become(command, display, victim, parent);
	*program = (struct x_program) { .pid = pid };
	return 0;
}

bool x_program_ended(struct x_program *program)
{
	if (program->pid && waitpid(program->pid, &program->status, WNOHANG) == program->pid)
		program->pid = 0;
	return !program->pid;
}

const char *x_program_end_text(const struct x_program *program, char *buf, size_t size)
{
	if (WIFSIGNALED(program->status))
		snprintf(buf, size, "killed by signal %d (%s)", WTERMSIG(program->status),
			strsignal(WTERMSIG(program->status)));
	else
		snprintf(buf, size, "exited with status %d", WEXITSTATUS(program->status));
	return buf;
}

struct faults {
	int64_t majors, minors;
};

/* Of a process, and of those of its descendants that have ended and been waited for. */
static bool faults_read(pid_t pid, struct faults *ret_faults)
{
	char path[64], stat[1024];
	long long minors, waited_minors, majors, waited_majors;
	const char *at;
	int fd CLEANUP(close_fd) = -1;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fd_read_whole(fd, stat, sizeof(stat)) < 0)
		return false;
	/* proc(5): behind the name, which may hold anything, minflt is the 8th field, followed by
	 * cminflt, majflt and cmajflt. */
	at = strrchr(stat, ')');
	if (!at || sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %*u %lld %lld %lld %lld", &minors,
			   &waited_minors, &majors, &waited_majors) != 4)
		return false;
	*ret_faults = (struct faults) { majors + waited_majors, minors + waited_minors };
	return true;
}

/* No program nests its processes deeper than that. */
#define GENERATIONS 16

static void close_dir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

static bool add_tree(pid_t pid, unsigned generations, struct faults *faults);

/* A thread's children are in a file of its own (CONFIG_PROC_CHILDREN). */
static void add_children(pid_t pid, const char *thread, unsigned generations, struct faults *faults)
{
	char path[300], children[4096], *at = children, *end;
	int fd CLEANUP(close_fd) = -1;
	long child;

	snprintf(path, sizeof(path), "/proc/%d/task/%s/children", (int)pid, thread);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fd_read_whole(fd, children, sizeof(children)) < 0)
		return;
	for (; (child = strtol(at, &end, 10)) > 0; at = end)
		add_tree((pid_t)child, generations, faults);
}

static bool add_tree(pid_t pid, unsigned generations, struct faults *faults)
{
	char path[64];
	struct faults own;
	struct dirent *thread;
	DIR *threads CLEANUP(close_dir) = NULL;

	if (!faults_read(pid, &own))
		return false;
	faults->majors += own.majors;
	faults->minors += own.minors;
	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	threads = generations ? opendir(path) : NULL;
	while (threads && (thread = readdir(threads)))
		if (thread->d_name[0] != '.')
			add_children(pid, thread->d_name, generations - 1, faults);
	return true;
}

bool x_program_faults(const struct x_program *program, int64_t *ret_majors, int64_t *ret_minors)
{
	struct faults faults = { 0 };

	if (!program->pid || !add_tree(program->pid, GENERATIONS, &faults))
		return false;
	*ret_majors = faults.majors;
	*ret_minors = faults.minors;
	return true;
}

void x_program_kill(struct x_program *program)
{
	if (!program->pid)
		return;
	kill(program->pid, SIGKILL);
	while (waitpid(program->pid, &program->status, 0) < 0 && errno == EINTR)
		;
	program->pid = 0;
}

#define XVFB "Xvfb -displayfd %d -screen 0 1280x1024x24 -nolisten tcp -noreset"
#define SERVER_PATIENCE_MS 30000

/* The server writes the number of the display when it serves. */
static int read_number(int fd, unsigned *ret_number)
{
	struct pollfd poll_fd = { fd, POLLIN, 0 };
	char text[16] = "";
	size_t used = 0;

	while (used < sizeof(text) - 1 && !strchr(text, '\n')) {
		ssize_t n = poll(&poll_fd, 1, SERVER_PATIENCE_MS);

		if (n > 0)
			n = read(fd, text + used, sizeof(text) - 1 - used);
		if (n <= 0)
			return -EPIPE;
		used += (size_t)n;
	}
	return sscanf(text, "%u", ret_number) == 1 ? 0 : -EPIPE;
}

int x_server_start(struct x_program *server, char *display, size_t size, struct error *err)
{
	int in CLEANUP(close_fd) = -1, out CLEANUP(close_fd) = -1, ends[2], r;
	char command[128];
	unsigned number;

	if (!program_exists("Xvfb"))
		return error_set(err, -ENOENT, "display=xvfb: there is no Xvfb (package xvfb)");
	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_errno(err, -errno, "cannot make a pipe");
	in = ends[0];
	out = ends[1];
	/* Inherited by the server alone: this end is closed before anything else is started. */
	fcntl(out, F_SETFD, 0);
	snprintf(command, sizeof(command), XVFB, out);
	r = x_program_start(server, command, NULL, false, err);
	if (r < 0)
		return r;
	close_fd(&out);
	out = -1;
	if (read_number(in, &number) < 0) {
		x_program_kill(server);
		return error_set(err, -EIO, "Xvfb did not start");
	}
	snprintf(display, size, ":%u", number);
	return 0;
}
