// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A null card inside another player, which is started with this library as LD_PRELOAD: what it
 * writes to its standard output is taken at the pace of a card with a ring of 500 ms and periods of
 * 50 ms, as the workload audio has it, and is lost. So the player sleeps on a timer itself. A
 * reader behind a pipe would pay for each wake-up from idle in its place.
 *
 * After 10 s of CD sound the player ends, and prints the CPU time, in nanoseconds, that it took
 * since its first write.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

#define BYTES_PER_S (44100 * 4)
#define PERIOD_NS (50 * NS_PER_MS)
#define PERIOD_BYTES (BYTES_PER_S / 20)
#define PERIODS_IN_RING 10
#define PERIODS 200

static int64_t cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec * NS_PER_S + time.tv_nsec;
}

static void card_write(const char *data, uint64_t size)
{
	static char ring[PERIODS_IN_RING * PERIOD_BYTES];
	static int64_t start, cpu;
	static uint64_t written, ticks;
	uint64_t n;

	if (!start) {
		start = clock_now();
		cpu = cpu_ns();
	}
	for (uint64_t i = 0; i < size; i += n) {
		uint64_t at = (written + i) % sizeof(ring);

		n = size - i < sizeof(ring) - at ? size - i : sizeof(ring) - at;
		memcpy(ring + at, data + i, n);
	}
	written += size;
	while (written > (ticks + PERIODS_IN_RING) * PERIOD_BYTES) {
		ticks++;
		clock_sleep_until(start + (int64_t)ticks * PERIOD_NS);
	}
	if (ticks < PERIODS)
		return;
	dprintf(STDERR_FILENO, "%lld\n", (long long)(cpu_ns() - cpu));
	_exit(0);
}

/* The C library's own calls of write(2) cannot be taken, those of fwrite(3) can. */
__attribute__((visibility("default"))) size_t fwrite(
	const void *data, size_t size, size_t n, FILE *file)
{
	if (file != stdout)
		return fwrite_unlocked(data, size, n, file);
	card_write(data, size * n);
	return n;
}
