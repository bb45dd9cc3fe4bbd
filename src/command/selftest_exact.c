// SPDX-License-Identifier: GPL-2.0-or-later
/* selftest exact: one trial twice in a guest on counted instructions gives the same bytes. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "command/selftest.h"
#include "command/session.h"
#include "record/wire.h"

/* Small enough for a minute, large enough to swap. */
static const char *const exact_defaults[] = { "--lead", "memfill:iterations=1,percent=60", "--box",
	"vm:exact,mem=128M,swap=128M", NULL };

struct bench {
	struct session session;
	struct sink first, second;
};

static void bench_done(struct bench *bench)
{
	sink_done(&bench->first);
	sink_done(&bench->second);
	session_done(&bench->session);
}

static int prepare(struct bench *bench, struct error *err)
{
	struct session *session = &bench->session;
	size_t size;
	int r;

	if (session->config->box.kind != BOX_VM || !session->config->box.exact)
		return error_set(err, -EINVAL, "selftest exact is about --box vm:exact,...");
	r = root_open(&session->root, "/", err);
	if (r == 0)
		r = session_stand(session, err);
	if (r < 0)
		return r;
	size = trial_record_size(session->plan->trials);
	r = sink_init(&bench->first, size, err);
	return r < 0 ? r : sink_init(&bench->second, size, err);
}

static int conduct(struct bench *bench, struct sink *sink, struct error *err)
{
	const struct trial_watch watch = { .interrupted = &interrupted };
	struct wire wire;
	struct record record;
	int r = box_conduct(bench->session.box, bench->session.plan->trials, &watch, sink, err);

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

int selftest_exact(int argc, char **argv, enum exit_code *ret_code, struct error *err)
{
	struct bench bench CLEANUP(bench_done) = { .session = { .root = { -1 } } };
	int r;

	r = selftest_parse(exact_defaults, argc, argv, NULL, &bench.session.config, err);
	if (r == 0)
		r = prepare(&bench, err);
	if (r < 0)
		return r;
	fprintf(stderr, "contend: two trials, %s\n", box_describe(bench.session.box));
	r = conduct(&bench, &bench.first, err);
	if (r == 0)
		r = conduct(&bench, &bench.second, err);
	if (r == 0)
		r = compare(&bench, err);
	if (r == 0)
		*ret_code = EXIT_CLEAN;
	return r;
}
