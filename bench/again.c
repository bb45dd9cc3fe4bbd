// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * again SECONDS PROGRAM [ARGUMENT]...: runs a program once to warm up, then again and again until
 * that many seconds have passed, and prints the measured runs, the nanoseconds from the first
 * one's start to the last one's end, and their CPU time in nanoseconds.
 */
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/clock.h"

extern char **environ;

static int run(char *const argv[])
{
	pid_t pid;
	int status;

	if (posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ) != 0)
		return -1;
	if (waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

static int64_t cpu_ns(void)
{
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * NS_PER_S +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * NS_PER_US;
}

int main(int argc, char *argv[])
{
	double seconds = argc > 2 ? strtod(argv[1], NULL) : 0;
	int64_t start, end, cpu;
	unsigned long runs = 0;

	if (seconds <= 0 || run(argv + 2) < 0) {
		fprintf(stderr, "usage: again SECONDS PROGRAM [ARGUMENT]...\n");
		return 2;
	}
	cpu = cpu_ns();
	start = clock_now();
	do {
		if (run(argv + 2) < 0)
			return 1;
		runs++;
		end = clock_now();
	} while (end - start < (int64_t)(seconds * NS_PER_S));
	printf("%lu %lld %lld\n", runs, (long long)(end - start), (long long)(cpu_ns() - cpu));
	return 0;
}
