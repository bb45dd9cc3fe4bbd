// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/cleanup.h"

extern char **environ;

/* A pipe's default capacity (pipe(7)): one read takes all that is in it. */
#define CHUNK 65536

static bool is_variable(const char *entry, const char *const *names)
{
	for (; *names; names++) {
		size_t length = strlen(*names);

		if (!strncmp(entry, *names, length) && entry[length] == '=')
			return true;
	}
	return false;
}

static void free_array(char ***array)
{
	free(*array);
}

/* The environment, less what would change the program's work, plus ours. -> caller frees. */
static char **environment_make(char *temporary)
{
	static const char *const ours[] = { "LC_ALL", "LANGUAGE", "MAKEFLAGS", "MFLAGS",
		"MAKELEVEL", "CCACHE_DISABLE", NULL };
	static const char *const place[] = { "TMPDIR", NULL };
	static char locale[] = "LC_ALL=C", no_ccache[] = "CCACHE_DISABLE=1";
	size_t n = 0;
	char **made;

	while (environ && environ[n])
		n++;
	made = calloc(n + 4, sizeof(*made));
	if (!made)
		return NULL;
	n = 0;
	for (char **each = environ; each && *each; each++) {
		if (!is_variable(*each, ours) && !(temporary && is_variable(*each, place)))
			made[n++] = *each;
	}
	made[n++] = locale;
	made[n++] = no_ccache;
	if (temporary)
		made[n++] = temporary;
	return made;
}

/* In the child, between fork and exec: async-signal-safe calls only. */
static void __attribute__((noreturn)) become(const char *const argv[], char **environment,
	const struct program_how *how, pid_t parent, int output, int errors)
{
	static const char failed[] = "cannot be run\n";
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* The parent may have ended before the call above. */
	if (getppid() != parent)
		_exit(127);
	sigemptyset(&none);
	for (int signal_number = 1; signal_number < SIGRTMIN; signal_number++)
		signal(signal_number, SIG_DFL);
	if (null >= 0 && dup2(null, 0) >= 0 && dup2(output, 1) >= 0 && dup2(errors, 2) >= 0 &&
		(!how->directory || chdir(how->directory) == 0) &&
		sigprocmask(SIG_SETMASK, &none, NULL) == 0)
		/* argv is not written to: POSIX keeps the old type for callers of the 1980s. */
		execvpe(argv[0], (char *const *)(uintptr_t)argv, environment);
	(void)!write(2, failed, sizeof(failed) - 1);
	_exit(127);
}

static int pipe_open(int *ret_read, int *ret_write)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	/* Only our end: the program's must block as a terminal would. */
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	*ret_read = ends[0];
	*ret_write = ends[1];
	return 0;
}

int program_start(struct program *program, const char *const argv[], const struct program_how *how,
	struct error *err)
{
	int output_read CLEANUP(close_fd) = -1, output_write CLEANUP(close_fd) = -1;
	int errors_read CLEANUP(close_fd) = -1, errors_write CLEANUP(close_fd) = -1;
	char *temporary CLEANUP(free_text) = NULL;
	char **environment CLEANUP(free_array) = NULL;
	pid_t parent = getpid(), pid;
	int r;

	if (how->temporary && asprintf(&temporary, "TMPDIR=%s", how->temporary) < 0)
		return error_errno(err, -ENOMEM, "cannot start %s", argv[0]);
	environment = environment_make(temporary);
	if (!environment)
		return error_errno(err, -ENOMEM, "cannot start %s", argv[0]);
	r = pipe_open(&output_read, &output_write);
	if (r == 0 && !how->merged)
		r = pipe_open(&errors_read, &errors_write);
	if (r < 0)
		return error_errno(err, r, "cannot start %s", argv[0]);
	pid = fork();
	if (pid < 0)
		return error_errno(err, -errno, "cannot start %s", argv[0]);
	if (pid == 0)
		become(argv, environment, how, parent, output_write,
			how->merged ? output_write : errors_write);
	*program = (struct program) {
		.pid = pid,
		.pidfd = (int)syscall(SYS_pidfd_open, pid, 0),
		.output.fd = take_fd(&output_read),
		.errors.fd = take_fd(&errors_read),
	};
	return 0;
}

/* Keeps the last of what came. */
static void tail_add(struct program_stream *stream, const char *data, size_t n)
{
	const size_t room = sizeof(stream->tail);
	size_t kept;

	if (n > room) {
		data += n - room;
		n = room;
	}
	kept = stream->used < room - n ? stream->used : room - n;
	memmove(stream->tail, stream->tail + stream->used - kept, kept);
	memcpy(stream->tail + kept, data, n);
	stream->used = kept + n;
}

/* Reads what is there. Returns bytes; 0 when there is nothing, or at its end, which closes it. */
static size_t stream_read(struct program_stream *stream, uint64_t *lines)
{
	char data[CHUNK];
	ssize_t n;

	if (stream->fd < 0)
		return 0;
	n = read(stream->fd, data, sizeof(data));
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		close_fd(&stream->fd);
		stream->fd = -1;
	}
	if (n <= 0)
		return 0;
	for (const char *at = data; (at = memchr(at, '\n', (size_t)(data + n - at))); at++)
		++*lines;
	tail_add(stream, data, (size_t)n);
	return (size_t)n;
}

static int reap(struct program *program)
{
	int status = 0;

	while (waitpid(program->pid, &status, 0) < 0 && errno == EINTR)
		;
	close_fd(&program->pidfd);
	close_fd(&program->output.fd);
	close_fd(&program->errors.fd);
	program->pid = 0;
	program->pidfd = program->output.fd = program->errors.fd = -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int program_follow(struct program *program, int *ret_status, struct error *err)
{
	for (;;) {
		struct pollfd fds[] = {
			{ .fd = program->output.fd, .events = POLLIN },
			{ .fd = program->errors.fd, .events = POLLIN },
			{ .fd = program->pidfd, .events = POLLIN },
		};
		uint64_t others = 0;
		size_t said;

		if (fds[0].fd < 0 && fds[1].fd < 0 && fds[2].fd < 0)
			break;
		if (poll(fds, ARRAY_SIZE(fds), -1) < 0) {
			if (errno == EINTR)
				continue;
			return error_errno(err, -errno, "poll");
		}
		said = stream_read(&program->output, &program->lines);
		said += stream_read(&program->errors, &others);
		if (fds[2].revents)
			break;
		if (said)
			return 1;
	}
	*ret_status = reap(program);
	return 0;
}

const char *program_line(const struct program *program, char *buf, size_t size)
{
	const struct program_stream *output = &program->output;
	size_t end = output->used, start;

	while (end && output->tail[end - 1] != '\n')
		end--;
	if (end)
		end--;
	for (start = end; start && output->tail[start - 1] != '\n'; start--)
		;
	snprintf(buf, size, "%.*s", (int)(end - start), output->tail + start);
	return buf;
}

int program_failure(const struct program *program, const char *what, int status, struct error *err)
{
	const struct program_stream *said =
		program->errors.used ? &program->errors : &program->output;
	char words[sizeof(said->tail) + 1];
	size_t n = 0;

	for (size_t i = 0; i < said->used; i++) {
		bool blank = (unsigned char)said->tail[i] <= ' ';

		if (blank && (n == 0 || words[n - 1] == ' '))
			continue;
		words[n++] = blank ? ' ' : said->tail[i];
	}
	while (n && words[n - 1] == ' ')
		n--;
	words[n] = '\0';
	if (status > 128)
		return error_set(err, -EIO, "%s was ended by signal %d (%s)%s%s", what,
			status - 128, strsignal(status - 128), n ? ": " : "", words);
	return error_set(
		err, -EIO, "%s ended with status %d%s%s", what, status, n ? ": " : "", words);
}

int program_finish(const char *const argv[], const struct program_how *how, struct error *err)
{
	struct program program;
	int status, r;

	r = program_start(&program, argv, how, err);
	if (r < 0)
		return r;
	while ((r = program_follow(&program, &status, err)) > 0)
		;
	if (r < 0) {
		program_kill(&program);
		return r;
	}
	return status ? program_failure(&program, argv[0], status, err) : 0;
}

void program_kill(struct program *program)
{
	if (!program->pid)
		return;
	kill(program->pid, SIGKILL);
	reap(program);
}
