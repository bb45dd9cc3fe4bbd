// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One big streaming read, while a working set rests; then the set is touched again. What does it
 * cost to have it back?
 *
 * The set is a process for each kind of memory: executable text, mapped data, anonymous. It is
 * touched twice when the lead is released, rests while a file of several times the box's RAM is
 * read once, a small part of it twice, and is touched again: text first, then data, then anonymous
 * memory. Whether mapped text survives the stream while mapped data does not was the question of
 * the 2009 patch.
 */
#include <fcntl.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "workload/data.h"
#include "workload/registry.h"
#include "workload/stream.h"

static const struct option_row options[] = {
	{
		OPTION("size", OPTION_SIZE, struct stream_params, size),
		.fallback = "400%",
		.help = "size of the file that is read; in per cent: of the box's RAM",
	},
	{
		OPTION("sparse", OPTION_BOOL, struct stream_params, sparse),
		.fallback = "yes",
		.help = "the file is one hole, which costs page cache and no disk; else real data",
	},
	{
		OPTION("block", OPTION_BYTES, struct stream_params, block),
		.fallback = "64K",
		.min = "512",
		.max = "16M",
		.help = "bytes that one read asks for",
	},
	{
		OPTION("reread", OPTION_SIZE, struct stream_params, reread),
		.fallback = "10%",
		.help = "of the file, this is read a second time, soon after the first",
	},
	{
		OPTION("readers", OPTION_COUNT, struct stream_params, readers),
		.fallback = "1",
		.min = "1",
		.max = "4096",
		.help = "threads that read, each a part of the file",
	},
	SET_OPTIONS(struct stream_params, "10%", "10%", "10%"),
};

/* Behind the read, in bytes: another folio than the last one read, or it would not count twice. */
#define REREAD_LAG (4 * MIB)

#define NAP_NS NS_PER_MS

static unsigned stream_workers(const struct place *place, const void *data)
{
	const struct stream_params *params = data;

	(void)place;
	return (unsigned)params->readers;
}

static struct stream_file file_of(const struct place *place, const struct stream_params *params)
{
	uint64_t blocks = size_of(&params->size, place->ram_bytes) / params->block;

	return (struct stream_file) {
		.size = (blocks ? blocks : 1) * params->block,
		.sparse = params->sparse,
		.compress = params->set.compress,
	};
}

static int stream_probe(const struct place *place, const void *data, struct error *err)
{
	const struct stream_params *params = data;
	struct stream_file file = file_of(place, params);
	struct set_plan plans[SET_KINDS];
	int r = stream_file_check(place, &file, err);

	stream_plans(plans, place, params);
	return r < 0 ? r : set_files_check(place, plans, SET_KINDS, err);
}

static int streamers_init(struct instance *instance)
{
	const struct stream_params *params = instance->params;
	struct stream_state *state = instance->state;
	uint64_t first = 0;

	state->streamers = aligned_alloc(
		_Alignof(struct streamer), instance->workers * sizeof(struct streamer));
	if (!state->streamers)
		return -ENOMEM;
	for (unsigned i = 0; i < instance->workers; i++) {
		uint64_t end = state->blocks * (i + 1) / instance->workers;
		void *buf = mmap(NULL, params->block, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

		if (buf == MAP_FAILED)
			return -errno;
		state->streamers[i] = (struct streamer) { .buf = buf, .block = first, .end = end };
		first = end;
	}
	return 0;
}

static int stream_setup(struct instance *instance, struct error *err)
{
	const struct stream_params *params = instance->params;
	struct stream_state *state = instance->state;
	struct stream_file file = file_of(instance->place, params);
	int r = root_open(&state->root, "/", err);

	state->fd = -1;
	stream_plans(state->plans, instance->place, params);
	if (r == 0)
		r = stream_probe(instance->place, params, err);
	if (r == 0)
		r = stream_file_find(instance->place, &file, state->path, sizeof(state->path), err);
	if (r == 0)
		r = set_files_find(instance->place, state->plans, SET_KINDS, err);
	if (r < 0)
		return r;
	state->fd = open(state->path, O_RDONLY | O_CLOEXEC);
	if (state->fd < 0)
		return error_errno(err, -errno, "cannot open %s", state->path);
	state->blocks = file.size / params->block;
	state->reread = size_of(&params->reread, file.size) / state->blocks;
	atomic_store(&state->reading, instance->workers);
	r = streamers_init(instance);
	if (r < 0)
		return error_errno(err, r, "readers");
	return stream_set_start(instance, err);
}

static int block_read(struct worker *worker, uint64_t block, struct error *err)
{
	const struct stream_params *params = worker->instance->params;
	struct stream_state *state = worker->instance->state;
	ssize_t n;

	do {
		n = pread(state->fd, state->streamers[worker->index].buf, params->block,
			(off_t)(block * params->block));
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return error_errno(err, -errno, "cannot read %s", state->path);
	if (n == 0)
		return error_set(err, -EIO, "%s has become shorter", state->path);
	progress_add(worker->progress, (uint64_t)n);
	return 0;
}

/* The next block, and one that was read before when enough has come together. */
static int read_on(struct worker *worker, struct error *err)
{
	const struct stream_params *params = worker->instance->params;
	struct stream_state *state = worker->instance->state;
	struct streamer *streamer = &state->streamers[worker->index];
	uint64_t lag = REREAD_LAG / params->block, block = streamer->block++;
	int r = block_read(worker, block, err);

	streamer->again += state->reread;
	while (r == 0 && streamer->again >= params->block) {
		streamer->again -= params->block;
		r = block_read(worker, block < lag ? block : block - lag, err);
	}
	return r;
}

/* The first worker also minds the set; the others begin when it has. */
static int begin(struct worker *worker, struct error *err)
{
	struct stream_state *state = worker->instance->state;
	int r;

	if (worker->index) {
		clock_sleep_until(clock_now() + NAP_NS);
		return STEP_MORE;
	}
	r = stream_set_use(worker->instance, err);
	if (r == 0)
		r = read_on(worker, err);
	if (r < 0)
		return r;
	stream_note_counters(worker->instance, STREAM_BEGIN);
	instance_event(worker->instance, clock_now(), "begin");
	state->begun_ns = clock_now();
	atomic_store(&state->begun, true);
	return STEP_PASS;
}

static int end(struct worker *worker, struct error *err)
{
	struct instance *instance = worker->instance;
	struct stream_state *state = instance->state;
	int r;

	if (atomic_load(&state->reading)) {
		clock_sleep_until(clock_now() + NAP_NS);
		return STEP_MORE;
	}
	atomic_store(&instance->values[STREAM_READ_NS], clock_now() - state->begun_ns);
	stream_note_counters(instance, STREAM_END);
	instance_event(instance, clock_now(), "end");
	r = stream_set_restore(instance, err);
	if (r < 0)
		return r;
	stream_note_counters(instance, STREAM_RESTORE);
	instance_event(instance, clock_now(), "restore");
	/* Ended in the window: what they used is then the lead's, as its children's. */
	stream_set_end(instance);
	return STEP_DONE;
}

static int stream_step(struct worker *worker, struct error *err)
{
	struct stream_state *state = worker->instance->state;
	struct streamer *streamer = &state->streamers[worker->index];

	if (!atomic_load(&state->begun))
		return begin(worker, err);
	if (streamer->block < streamer->end) {
		int r = read_on(worker, err);

		return r < 0 ? r : STEP_MORE;
	}
	if (streamer->through)
		return end(worker, err);
	streamer->through = true;
	atomic_fetch_sub(&state->reading, 1);
	return worker->index ? STEP_DONE : STEP_MORE;
}

static void stream_teardown(struct instance *instance)
{
	const struct stream_params *params = instance->params;
	struct stream_state *state = instance->state;

	stream_set_end(instance);
	for (unsigned i = 0; state->streamers && i < instance->workers; i++)
		munmap(state->streamers[i].buf, params->block);
	free(state->streamers);
	state->streamers = NULL;
	close_fd(&state->fd);
	state->fd = -1;
	root_close(&state->root);
}

static void stream_cold_files(
	const struct instance *instance, void (*visit)(void *data, const char *path), void *data)
{
	const struct stream_state *state = instance->state;

	visit(data, state->path);
}

const struct workload workload_stream = {
	.name = "stream",
	.summary = "reads a file of several times RAM once, while a working set rests that is then "
		   "touched again",
	.unit = "bytes",
	.table_unit = "100 MB",
	.table_divisor = 100000000,
	.revision = 1,
	.roles = WORKLOAD_LEAD,
	.options = OPTION_ROWS(options),
	.params_size = sizeof(struct stream_params),
	.state_size = sizeof(struct stream_state),
	.metrics = stream_metrics,
	.n_metrics = STREAM_METRICS,
	.default_workers = stream_workers,
	.probe = stream_probe,
	.setup = stream_setup,
	.step = stream_step,
	.teardown = stream_teardown,
	.cold_files = stream_cold_files,
};
