// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Processes that pass a message round a ring of pipes: the scheduler's load, next to no memory
 * and no I/O. One worker is one ring, and the ring's first member; the others are processes.
 *
 * contest's process_load did the same with a fixed number of processes and counted passes of its
 * ring; here the ring grows with the CPUs, and every message that comes back is an iteration.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "workload/registry.h"

struct process_params {
	uint64_t members;
	uint64_t tokens;
	uint64_t size;
};

struct ring {
	_Alignas(64) int out; /* the worker's ends: to the second member, */
	int in; /* and from the last */
	char *message;
	pid_t *pids;
	unsigned n_pids;
};

struct process_state {
	struct ring *rings;
	unsigned members;
	unsigned passes; /* in a step */
};

static const struct option_row options[] = {
	{
		OPTION("members", OPTION_COUNT, struct process_params, members),
		.fallback = "0",
		.max = "10000",
		.help = "processes in a ring, at least 2; 0: four for each CPU",
	},
	{
		OPTION("tokens", OPTION_COUNT, struct process_params, tokens),
		.fallback = "1",
		.min = "1",
		.max = "1024",
		.help = "messages that go round at the same time",
	},
	{
		OPTION("size", OPTION_BYTES, struct process_params, size),
		.fallback = "4",
		.min = "1",
		.max = "64K",
		.help = "bytes of a message",
	},
};

#define MEMBERS_PER_CPU 4
/* Hops that a step should have, so that counting and pacing cost nothing beside them. */
#define HOPS_PER_STEP 64
/* What a pipe holds unless the user has too many: pipe(7). */
#define PIPE_BYTES (64 * KIB)

static int process_probe(const struct place *place, const void *data, struct error *err)
{
	const struct process_params *params = data;

	(void)place;
	if (params->members == 1)
		return error_set(err, -EINVAL, "members=1: a ring has two members or more");
	if (params->tokens * params->size > PIPE_BYTES)
		return error_set(err, -EINVAL,
			"tokens=%llu,size=%llu: a pipe holds 64 KiB, and all tokens must fit in "
			"one",
			(unsigned long long)params->tokens, (unsigned long long)params->size);
	return 0;
}

/* 0, or -errno; -EPIPE: the next member is gone. */
static int message_send(int fd, const char *message, size_t size)
{
	while (size) {
		ssize_t n = write(fd, message, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		message += n;
		size -= (size_t)n;
	}
	return 0;
}

static int message_receive(int fd, char *message, size_t size)
{
	while (size) {
		ssize_t n = read(fd, message, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EPIPE;
		message += n;
		size -= (size_t)n;
	}
	return 0;
}

/*
 * Its pipes are all that a member keeps: a descriptor of another ring or of the trial in its hands
 * would hide the end of that from whoever waits for it.
 */
static _Noreturn void member_run(int in, int out, pid_t parent, char *message, size_t size)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "contend-ring");
	if (getppid() != parent || dup2(in, 0) < 0 || dup2(out, 1) < 0)
		_exit(1);
	close_range(3, ~0U, 0);
	while (message_receive(0, message, size) == 0 && message_send(1, message, size) == 0)
		;
	_exit(0);
}

/* Starts a member that reads from *in; *in becomes the read end of what it writes. */
static int member_start(struct ring *ring, int *in, size_t size, struct error *err)
{
	int pipe_in CLEANUP(close_fd) = -1, pipe_out CLEANUP(close_fd) = -1;
	pid_t parent = getpid(), pid;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_errno(err, -errno, "cannot make a pipe");
	pipe_in = ends[0];
	pipe_out = ends[1];
	pid = fork();
	if (pid < 0)
		return error_errno(
			err, -errno, "cannot start member %u of the ring", ring->n_pids + 2);
	if (pid == 0)
		member_run(*in, pipe_out, parent, ring->message, size);
	ring->pids[ring->n_pids++] = pid;
	close_fd(in);
	*in = take_fd(&pipe_in);
	return 0;
}

static int ring_start(
	struct ring *ring, unsigned members, const struct process_params *params, struct error *err)
{
	int ends[2];

	ring->message = calloc(1, params->size);
	ring->pids = calloc(members, sizeof(*ring->pids));
	if (!ring->message || !ring->pids)
		return error_errno(err, -ENOMEM, "ring of %u members", members);
	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_errno(err, -errno, "cannot make a pipe");
	ring->in = ends[0];
	ring->out = ends[1];
	/* A user above pipe-user-pages-soft gets pipes of two pages, since 4.5. */
	if (fcntl(ring->out, F_GETPIPE_SZ) < (int)(params->tokens * params->size))
		return error_set(err, -EPERM, "this user's pipes do not hold %llu messages",
			(unsigned long long)params->tokens);
	for (unsigned i = 1; i < members; i++) {
		int r = member_start(ring, &ring->in, params->size, err);

		if (r < 0)
			return r;
	}
	return 0;
}

static int process_setup(struct instance *instance, struct error *err)
{
	const struct process_params *params = instance->params;
	struct process_state *state = instance->state;

	/* The end of a member is an error that the step reports. */
	signal(SIGPIPE, SIG_IGN);
	state->members = params->members ? (unsigned)params->members
					 : MEMBERS_PER_CPU * instance->place->cpus;
	state->passes = HOPS_PER_STEP / (state->members * (unsigned)params->tokens);
	if (!state->passes)
		state->passes = 1;
	state->rings =
		aligned_alloc(_Alignof(struct ring), instance->workers * sizeof(*state->rings));
	if (!state->rings)
		return error_errno(err, -ENOMEM, "rings");
	for (unsigned i = 0; i < instance->workers; i++)
		state->rings[i] = (struct ring) { .out = -1, .in = -1 };
	for (unsigned i = 0; i < instance->workers; i++) {
		int r = ring_start(&state->rings[i], state->members, params, err);

		if (r < 0)
			return r;
	}
	return 0;
}

static int ring_pass(struct ring *ring, const struct process_params *params)
{
	int r = 0;

	for (uint64_t i = 0; i < params->tokens && r == 0; i++)
		r = message_send(ring->out, ring->message, params->size);
	for (uint64_t i = 0; i < params->tokens && r == 0; i++)
		r = message_receive(ring->in, ring->message, params->size);
	return r;
}

/* Between steps every message is with the worker, and the ring is at rest. */
static int process_step(struct worker *worker, struct error *err)
{
	const struct process_params *params = worker->instance->params;
	struct process_state *state = worker->instance->state;
	struct ring *ring = &state->rings[worker->index];

	for (unsigned i = 0; i < state->passes; i++) {
		int r = ring_pass(ring, params);

		if (r == -EPIPE)
			return error_set(err, r, "a member of the ring has ended");
		if (r < 0)
			return error_errno(err, r, "ring of pipes");
		progress_add(worker->progress, params->tokens);
	}
	return STEP_MORE;
}

static void process_teardown(struct instance *instance)
{
	struct process_state *state = instance->state;

	for (unsigned i = 0; state->rings && i < instance->workers; i++) {
		struct ring *ring = &state->rings[i];

		for (unsigned j = 0; j < ring->n_pids; j++)
			kill(ring->pids[j], SIGKILL);
		for (unsigned j = 0; j < ring->n_pids; j++)
			waitpid(ring->pids[j], NULL, 0);
		close_fd(&ring->out);
		close_fd(&ring->in);
		free(ring->message);
		free(ring->pids);
	}
	free(state->rings);
	state->rings = NULL;
}

const struct workload workload_process = {
	.name = "process",
	.summary = "processes pass a message round a ring of pipes",
	.unit = "iterations",
	.table_unit = "10000 iterations",
	.table_divisor = 10000,
	.revision = 1,
	.roles = WORKLOAD_LOAD,
	.options = OPTION_ROWS(options),
	.params_size = sizeof(struct process_params),
	.state_size = sizeof(struct process_state),
	.probe = process_probe,
	.setup = process_setup,
	.step = process_step,
	.teardown = process_teardown,
};
