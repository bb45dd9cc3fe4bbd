// SPDX-License-Identifier: GPL-2.0-or-later
/* The driver's side. */
#include "workload/app.h"

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "workload/app_protocol.h"

static int spawn(pid_t *ret_pid, unsigned number, int socket, struct error *err)
{
	posix_spawn_file_actions_t actions;
	char name[] = APP_NAME, digits[16];
	char *argv[] = { name, digits, NULL };
	int r;

	snprintf(digits, sizeof(digits), "%u", number);
	r = -posix_spawn_file_actions_init(&actions);
	if (r == 0) {
		r = -posix_spawn_file_actions_adddup2(&actions, socket, APP_SOCKET);
		if (r == 0)
			r = -posix_spawn(ret_pid, "/proc/self/exe", &actions, NULL, argv, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	return r < 0 ? error_errno(err, r, "cannot start app %u", number) : 0;
}

int app_start(struct app *app, unsigned number, const struct set_plan *plan, uint64_t seed,
	struct error *err)
{
	const struct app_order order = { *plan, seed };
	int here CLEANUP(close_fd) = -1, there CLEANUP(close_fd) = -1, ends[2], r;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return error_errno(err, -errno, "cannot make a socket for app %u", number);
	here = ends[0];
	there = ends[1];
	if (send(here, &order, sizeof(order), MSG_NOSIGNAL) < 0)
		return error_errno(err, -errno, "cannot write to app %u", number);
	r = spawn(&app->pid, number, there, err);
	if (r == 0)
		app->socket = take_fd(&here);
	return r;
}

void app_ask(const struct app *app)
{
	/* To one that is gone: app_wait() sees it. */
	send(app->socket, "", 1, MSG_NOSIGNAL);
}

/* 1: there is something to read, or its end. 0: the time is over. */
static int await(int fd, int64_t patience_ns)
{
	int64_t until = clock_now() + patience_ns;
	struct pollfd poll = { .fd = fd, .events = POLLIN };
	int n;

	do {
		int64_t left = until - clock_now();
		struct timespec wait = ns_timespec(left > 0 ? left : 0);

		n = ppoll(&poll, 1, patience_ns < 0 ? NULL : &wait, NULL);
	} while (n < 0 && errno == EINTR);
	return n;
}

static void reap(struct app *app, int *ret_status)
{
	while (waitpid(app->pid, ret_status, 0) < 0 && errno == EINTR)
		;
	close(app->socket);
	*app = (struct app) { .socket = -1 };
}

static enum app_fate died(struct app *app, const struct app_message *message, struct error *err)
{
	int status = 0;

	reap(app, &status);
	if (message->code < 0)
		error_set(err, message->code, "%s", message->error.text);
	else if (WIFSIGNALED(status))
		error_set(err, -EPIPE, "killed by signal %d (%s)", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	else
		error_set(err, -EPIPE, "exited with status %d", WEXITSTATUS(status));
	return APP_DIED;
}

enum app_fate app_wait(
	struct app *app, int64_t patience_ns, struct app_answer *ret_answer, struct error *err)
{
	struct app_message message = { 0 };
	ssize_t n;

	if (!await(app->socket, patience_ns)) {
		app_end(app);
		error_set(err, -ETIMEDOUT, "no answer in %g s", (double)patience_ns / NS_PER_S);
		return APP_HUNG;
	}
	do {
		n = recv(app->socket, &message, sizeof(message), 0);
	} while (n < 0 && errno == EINTR);
	if (n != (ssize_t)sizeof(message) || message.code < 0)
		return died(app, &message, err);
	*ret_answer = message.answer;
	return APP_ANSWERED;
}

void app_end(struct app *app)
{
	int status;

	if (!app->pid)
		return;
	kill(app->pid, SIGKILL);
	reap(app, &status);
}
