// SPDX-License-Identifier: GPL-2.0-or-later
/* contend selftest: does contend measure what it says it does, on this machine? */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "box/box.h"
#include "command/subcommand.h"
#include "plan/plan.h"
#include "record/wire.h"

/* Small enough for a minute, large enough to swap. */
static const char *const exact_defaults[] = { "--lead", "memfill:iterations=1,percent=60", "--box",
	"vm:exact,mem=128M,swap=128M" };

/* All that one trial needs, taken apart in the opposite order. */
struct bench {
	struct config *config;
	struct plan *plan;
	struct root root;
	struct journal *journal;
	struct box *box;
	struct sink first, second;
};

static void bench_done(struct bench *bench)
{
	sink_done(&bench->first);
	sink_done(&bench->second);
	box_close(bench->box);
	journal_close(bench->journal);
	root_close(&bench->root);
	plan_free(bench->plan);
	config_free(bench->config);
}

static const char *scratch_of(const struct config *config)
{
	const char *temporary = getenv("TMPDIR");

	if (config->scratch[0])
		return config->scratch;
	return temporary && *temporary ? temporary : "/var/tmp";
}

static int prepare(struct bench *bench, struct error *err)
{
	const struct journal_watch watch = { .say = say };
	size_t size;
	int r;

	if (bench->config->box.kind != BOX_VM || !bench->config->box.exact)
		return error_set(err, -EINVAL, "selftest exact is about --box vm:exact,...");
	r = plan_make(bench->config, &bench->plan, err);
	if (r == 0)
		r = root_open(&bench->root, "/", err);
	if (r == 0)
		r = journal_open(&bench->root, &bench->journal, &watch, err);
	if (r == 0)
		r = box_open(&bench->config->box, &bench->root, bench->journal,
			scratch_of(bench->config), &bench->box, err);
	if (r < 0)
		return r;
	size = trial_record_size(bench->plan->trials);
	r = sink_init(&bench->first, size, err);
	return r < 0 ? r : sink_init(&bench->second, size, err);
}

static int conduct(struct bench *bench, struct sink *sink, struct error *err)
{
	const struct trial_watch watch = { .interrupted = &interrupted };
	struct wire wire;
	struct record record;
	int r = box_conduct(bench->box, bench->plan->trials, &watch, sink, err);

	wire = (struct wire) { .data = sink->data, .size = sink->used };
	while (r >= 0 && (r = wire_next(&wire, &record, err)) > 0) {
		if (record.type == RECORD_OUTCOME && record.outcome.code != OUTCOME_OK)
			return error_set(err, -EIO, "the trial did not end well: %s: %s",
				outcome_name(record.outcome.code), record.outcome.text);
	}
	return r;
}

/* Frames of two streams one by one: how many differ, and where the first is. */
static unsigned count_differences(
	const struct sink *a, const struct sink *b, unsigned *ret_frames, size_t *ret_at)
{
	struct wire first = { .data = a->data, .size = a->used };
	struct wire second = { .data = b->data, .size = b->used };
	unsigned frames = 0, differ = 0;

	for (;;) {
		size_t at = first.used, other = second.used;
		struct record record;
		bool more = wire_next(&first, &record, NULL) > 0;

		if (wire_next(&second, &record, NULL) <= 0 || !more)
			break;
		frames++;
		if (first.used - at == second.used - other &&
			!memcmp(a->data + at, b->data + other, first.used - at))
			continue;
		if (!differ++)
			*ret_at = at;
	}
	*ret_frames = frames;
	return differ + (a->used - first.used || b->used - second.used);
}

static int compare(const struct bench *bench, struct error *err)
{
	unsigned frames, differ;
	size_t at = 0;

	if (bench->first.used == bench->second.used &&
		!memcmp(bench->first.data, bench->second.data, bench->first.used)) {
		printf("exact: yes: two trials of one seed gave the same %zu bytes of record\n",
			bench->first.used);
		return 0;
	}
	differ = count_differences(&bench->first, &bench->second, &frames, &at);
	return error_set(err, -EBADMSG,
		"exact: no: %u of %u frames of the record differ, the first at byte %zu: something "
		"in the guest waits for real time",
		differ, frames, at);
}

static int exact(int argc, char **argv, struct error *err)
{
	struct bench bench CLEANUP(bench_done) = { .root = { -1 } };
	const char *words[64] = { "run" };
	int n = 1, r;

	for (size_t i = 0; i < ARRAY_SIZE(exact_defaults); i++)
		words[n++] = exact_defaults[i];
	if (argc + n >= (int)ARRAY_SIZE(words))
		return error_set(err, -E2BIG, "too many words");
	/* What is typed comes later, and so has the last word. */
	for (int i = 1; i < argc; i++)
		words[n++] = argv[i];
	r = config_parse_run(n, (char *const *)(uintptr_t)words, &bench.config, err);
	if (r == 0)
		r = prepare(&bench, err);
	if (r < 0)
		return r;
	fprintf(stderr, "contend: two trials, %s\n", box_describe(bench.box));
	r = conduct(&bench, &bench.first, err);
	if (r == 0)
		r = conduct(&bench, &bench.second, err);
	return r < 0 ? r : compare(&bench, err);
}

static int selftest_main(int argc, char **argv)
{
	struct error err;

	if (argc < 2 || strcmp(argv[1], "exact") != 0) {
		error_set(&err, -EINVAL, "which selftest? exact");
		return fail(&err);
	}
	catch_signals();
	return exact(argc - 1, argv + 1, &err) < 0 ? fail(&err) : EXIT_CLEAN;
}

const struct subcommand subcommand_selftest = {
	.name = "selftest",
	.summary = "check on this machine that contend measures what it says it does",
	.operands = "exact [OPTION OF RUN]...",
	.notes = "exact    runs one trial twice in a guest on counted instructions; the two "
		 "records\n"
		 "         must be the same bytes. --box vm:exact,kernel=... chooses the kernel, "
		 "--lead\n"
		 "         and --load what runs in it.\n",
	.run = selftest_main,
};
