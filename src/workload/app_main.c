// SPDX-License-Identifier: GPL-2.0-or-later
/* The app's side. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "workload/app_protocol.h"

static void become_victim(void)
{
	static const char text[] = "1000";
	int fd CLEANUP(close_fd) = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0) {
		/* Raising it is never refused; without /proc what is inherited stays. */
	}
}

/*
 * Its own program stays in memory once it was used, so that what is told of the set is the set's.
 * Where memory may not be locked it competes with it, as a real program's does.
 */
static void hold(void)
{
	mlockall(MCL_CURRENT | MCL_ONFAULT);
}

static void answer(struct set *set, struct app_answer *answer, struct rusage *before)
{
	struct rusage usage;

	for (unsigned kind = 0; kind < SET_KINDS; kind++)
		answer->resident[kind] = set_resident(set, kind);
	for (unsigned kind = 0; kind < SET_KINDS; kind++)
		answer->touches[kind] = set_touch(set, kind);
	getrusage(RUSAGE_SELF, &usage);
	answer->majors = usage.ru_majflt - before->ru_majflt;
	answer->minors = usage.ru_minflt - before->ru_minflt;
	*before = usage;
	answer->done_ns = clock_now();
}

static ssize_t receive(void *buf, size_t size)
{
	ssize_t n;

	do {
		n = recv(APP_SOCKET, buf, size, 0);
	} while (n < 0 && errno == EINTR);
	return n;
}

static int serve(void)
{
	static struct app_order order;
	static struct set set;
	struct app_message message = { 0 };
	struct rusage before = { 0 };
	char asked;

	if (receive(&order, sizeof(order)) != (ssize_t)sizeof(order))
		return 1;
	message.code = set_map(&set, &order.plan, order.seed, &message.error);
	do {
		if (message.code == 0)
			answer(&set, &message.answer, &before);
		if (send(APP_SOCKET, &message, sizeof(message), MSG_NOSIGNAL) < 0)
			return 1;
	} while (message.code == 0 && receive(&asked, 1) > 0);
	return message.code < 0;
}

int app_main(int argc, char **argv)
{
	char name[16];

	if (argc != 2 || strcmp(argv[0], APP_NAME))
		return -1;
	/* Its end of the socket tells when the driver has ended before this. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	snprintf(name, sizeof(name), APP_NAME "-%.3s", argv[1]);
	prctl(PR_SET_NAME, name);
	become_victim();
	hold();
	return serve();
}
