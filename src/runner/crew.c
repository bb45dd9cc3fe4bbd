// SPDX-License-Identifier: GPL-2.0-or-later
#include "runner/crew.h"

#include <poll.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"

/* How often the flag of an interrupt is looked at. */
#define LOOK_MS 100

/* Trials that have begun and are not yet handed on. */
struct berth {
	struct beside *beside; /* NULL: free */
	const struct trial *trial;
	int64_t start_ns, end_ns; /* 0: it runs */
};

struct shift {
	const struct crew *crew;
	struct berth *berths; /* twice the width: those that ended may wait for one before them */
	struct pollfd *polled; /* of each berth */
	size_t n;
	size_t next, end; /* trials of the plan to be begun */
	size_t running;
	bool told; /* of the interrupt */
};

static void shift_done(struct shift *shift)
{
	for (size_t i = 0; shift->berths && i < shift->n; i++)
		beside_free(shift->berths[i].beside);
	free(shift->berths);
	free(shift->polled);
}

static bool interrupted(const struct crew *crew)
{
	return crew->interrupted && *crew->interrupted;
}

/* A berth's number is the place of its trial: no two have the same. */
static int begin(struct shift *shift, size_t i, struct error *err)
{
	const struct crew *crew = shift->crew;
	const struct trial_watch watch = { .interrupted = crew->interrupted };
	struct berth *berth = &shift->berths[i];
	int r;

	*berth = (struct berth) { .trial = &crew->plan->trials[shift->next++] };
	crew->begun(crew->data, berth->trial);
	berth->start_ns = clock_now();
	r = beside_begin(crew->box, berth->trial, (unsigned)i, &watch, &berth->beside, err);
	if (r == 0)
		shift->running++;
	return r;
}

/* Fills the berths while there is something to begin. */
static int begin_all(struct shift *shift, struct error *err)
{
	const struct crew *crew = shift->crew;
	int r = 0;

	for (size_t i = 0; r == 0 && i < shift->n && shift->running < crew->width; i++) {
		if (shift->berths[i].beside)
			continue;
		while (shift->next < shift->end &&
			!crew->wanted(crew->data, &crew->plan->trials[shift->next]))
			shift->next++;
		if (shift->next == shift->end || interrupted(crew))
			return 0;
		r = begin(shift, i, err);
	}
	return r;
}

static void wait_for_one(struct shift *shift)
{
	for (size_t i = 0; i < shift->n; i++) {
		const struct berth *berth = &shift->berths[i];
		bool runs = berth->beside && !berth->end_ns;

		shift->polled[i].fd = runs ? beside_fd(berth->beside) : -1;
		shift->polled[i].events = POLLIN;
		shift->polled[i].revents = 0;
		/* A signal may have come to this process alone. */
		if (runs && interrupted(shift->crew) && !shift->told)
			beside_interrupt(berth->beside);
	}
	shift->told |= interrupted(shift->crew);
	if (poll(shift->polled, shift->n, LOOK_MS) <= 0)
		return;
	for (size_t i = 0; i < shift->n; i++) {
		if (!shift->polled[i].revents)
			continue;
		shift->berths[i].end_ns = clock_now();
		shift->running--;
	}
}

/* The first by the plan's order; NULL: none has begun. */
static struct berth *first_of(struct shift *shift)
{
	struct berth *first = NULL;

	for (size_t i = 0; i < shift->n; i++) {
		struct berth *berth = &shift->berths[i];

		if (berth->beside && (!first || berth->trial->position < first->trial->position))
			first = berth;
	}
	return first;
}

static int hand_on(struct shift *shift, struct error *err)
{
	const struct crew *crew = shift->crew;
	struct berth *berth;
	int r = 0;

	while (r == 0 && (berth = first_of(shift)) && berth->end_ns) {
		const unsigned char *record;
		size_t size;

		r = beside_end(berth->beside, &record, &size, err);
		if (r == 0)
			r = crew->ended(crew->data, berth->trial, berth->end_ns - berth->start_ns,
				record, size, err);
		beside_free(berth->beside);
		berth->beside = NULL;
	}
	return r;
}

int crew_run(const struct crew *crew, size_t first, size_t end, struct error *err)
{
	struct shift shift CLEANUP(shift_done) = {
		.crew = crew,
		.n = 2 * (size_t)crew->width,
		.berths = calloc(2 * (size_t)crew->width, sizeof(struct berth)),
		.polled = calloc(2 * (size_t)crew->width, sizeof(struct pollfd)),
		.next = first,
		.end = end,
	};
	int r;

	if (!shift.berths || !shift.polled)
		return error_errno(err, -ENOMEM, "cannot walk the plan");
	while ((r = begin_all(&shift, err)) == 0 && first_of(&shift)) {
		wait_for_one(&shift);
		r = hand_on(&shift, err);
		if (r < 0)
			break;
	}
	return r;
}
