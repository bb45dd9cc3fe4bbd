// SPDX-License-Identifier: GPL-2.0-or-later
/* What else moved: all counters and figures of the trials of a comparison. */
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "report/verdicts.h"

/* One metric of all trials of a run. */
struct entry {
	int64_t id;
	const char *source, *role, *name, *unit;
	double *values; /* by trial; NAN: absent */
};

/* All metrics of a run. */
struct sheet {
	struct results *results;
	struct entry *lines;
	size_t n, room;
	size_t cursor; /* trials list their metrics in one order: where the next is expected */
	size_t trial; /* at work */
};

static struct entry *entry_add(
	struct sheet *sheet, int64_t id, const struct metric *metric, const struct origin *origin)
{
	struct arena *arena = &sheet->results->arena;
	struct entry *line;

	if (sheet->n == sheet->room) {
		size_t room = sheet->room ? 2 * sheet->room : 512;
		struct entry *grown = arena_alloc(arena, room, sizeof(*grown));

		if (!grown)
			return NULL;
		if (sheet->n)
			memcpy(grown, sheet->lines, sheet->n * sizeof(*grown));
		sheet->lines = grown;
		sheet->room = room;
	}
	line = &sheet->lines[sheet->n];
	*line = (struct entry) {
		.id = id,
		.source = arena_copy(arena, origin->source),
		.role = arena_copy(arena, origin->role),
		.name = arena_copy(arena, metric->name),
		.unit = arena_copy(arena, metric->unit),
		.values = arena_alloc(arena, sheet->results->n, sizeof(double)),
	};
	if (arena->failed)
		return NULL;
	for (size_t i = 0; i < sheet->results->n; i++)
		line->values[i] = NAN;
	sheet->n++;
	return line;
}

static struct entry *entry_find(struct sheet *sheet, int64_t id)
{
	for (size_t i = 0; i < sheet->n; i++) {
		size_t at = (sheet->cursor + i) % sheet->n;

		if (sheet->lines[at].id == id) {
			sheet->cursor = at + 1;
			return &sheet->lines[at];
		}
	}
	return NULL;
}

/* The sampling clock's and the supervisor's own numbers are about the measurement. */
static bool is_own(const struct origin *origin)
{
	return (!strcmp(origin->source, "trial") && !*origin->role) ||
	       (!strcmp(origin->source, "heartbeat") && !*origin->role);
}

static int put(void *data, int64_t id, const struct metric *metric, const struct origin *origin,
	int64_t value)
{
	struct sheet *sheet = data;
	struct entry *line;

	if (is_own(origin) || value == VALUE_ABSENT)
		return 0;
	line = entry_find(sheet, id);
	if (!line)
		line = entry_add(sheet, id, metric, origin);
	if (!line)
		return -ENOMEM;
	line->values[sheet->trial] = (double)value;
	return 0;
}

static int sheet_read(struct results *results, struct sheet *ret_sheet, struct error *err)
{
	struct sheet sheet = { .results = results };

	for (size_t i = 0; i < results->n; i++) {
		int r;

		if (!result_counts(&results->trials[i]))
			continue;
		sheet.trial = i;
		r = store_values(results->store, results->trials[i].row.id, put, &sheet, err);
		if (r == -ENOMEM)
			return error_errno(err, r, "metrics");
		if (r < 0)
			return r;
	}
	*ret_sheet = sheet;
	return 0;
}

/* One metric of one comparison. */
struct asking {
	const struct entry *lines[2]; /* of A's run and of B's */
	struct pointer pointer;
	double *values[2]; /* of A and of B */
	size_t n[2];
	bool moves, signless;
	double first;
};

static void ask_trial(void *data, const struct arm *arm, const struct result *trial, bool b)
{
	struct asking *asking = data;
	struct question *question = &asking->pointer.question;
	double value = asking->lines[b]->values[trial - arm->results->trials];

	if (isnan(value))
		return;
	if (!question->n)
		asking->first = value;
	asking->moves |= value != asking->first;
	asking->signless &= value >= 0;
	question->values[question->n++] = (struct sample) { value, trial->row.block, b };
	asking->values[b][asking->n[b]++] = value;
}

struct search {
	struct arena *arena;
	/* Room for all trials of a comparison. */
	struct sample *samples;
	double *values[2];
	struct pointer *pointers;
	size_t n, room;
};

static int keep(struct search *search, const struct pointer *pointer)
{
	const struct question *question = &pointer->question;
	struct sample *samples = arena_alloc(search->arena, question->n, sizeof(*samples));

	if (!samples)
		return -ENOMEM;
	memcpy(samples, question->values, question->n * sizeof(*samples));
	if (search->n == search->room) {
		size_t room = search->room ? 2 * search->room : 256;
		struct pointer *grown = arena_alloc(search->arena, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		if (search->n)
			memcpy(grown, search->pointers, search->n * sizeof(*grown));
		search->pointers = grown;
		search->room = room;
	}
	search->pointers[search->n] = *pointer;
	search->pointers[search->n++].question.values = samples;
	return 0;
}

/* A number that never changes, or has no ratio, is no question; nor is the one that decides. */
static int consider(struct search *search, const struct verdicts *verdicts,
	const struct versus *versus, const struct entry *a, const struct entry *b)
{
	const struct primary *primary = &verdicts->primary;
	struct asking asking = {
		.lines = { a, b },
		.pointer = { versus, a->source, a->role, a->name, a->unit,
			.question = { .values = search->samples,
				.design = versus->primary.design } },
		.values = { search->values[0], search->values[1] },
		.signless = true,
	};

	if (!strcmp(a->source, primary->source) && !strcmp(a->role, primary->role) &&
		!strcmp(a->name, primary->name))
		return 0;
	versus_visit(versus, ask_trial, &asking);
	if (!asking.moves || !asking.signless || !asking.n[0] || !asking.n[1])
		return 0;
	asking.pointer.span_a = span_of(asking.values[0], asking.n[0]);
	asking.pointer.span_b = span_of(asking.values[1], asking.n[1]);
	asking.pointer.median_a = number_median(asking.values[0], asking.n[0]);
	asking.pointer.median_b = number_median(asking.values[1], asking.n[1]);
	return keep(search, &asking.pointer);
}

static int search_versus(struct search *search, const struct verdicts *verdicts,
	const struct versus *versus, struct sheet *sheets)
{
	struct sheet *a = &sheets[0];
	struct sheet *b = versus->a.results == versus->b.results ? a : &sheets[1];
	int r = 0;

	for (size_t i = 0; r == 0 && i < a->n; i++) {
		const struct entry *line = a == b ? &a->lines[i] : entry_find(b, a->lines[i].id);

		if (line)
			r = consider(search, verdicts, versus, &a->lines[i], line);
	}
	return r;
}

static int by_certainty(const void *x, const void *y)
{
	const struct pointer *a = x, *b = y;
	double change_a = fabs(a->question.comparison.estimate);
	double change_b = fabs(b->question.comparison.estimate);

	if (a->question.p != b->question.p)
		return a->question.p > b->question.p ? 1 : -1;
	if (change_a != change_b)
		return change_a < change_b ? 1 : -1;
	/* Then in the order of their sources: qsort(3) keeps none. */
	return strcmp(a->name, b->name);
}

/*
 * A metric's own verdict, by the rules of the primary one. Intervals are a search each: only those
 * that are told get some.
 */
static int settle(struct question *question, double delta)
{
	const struct comparison *comparison = &question->comparison;
	int r = compare_samples(
		question->values, question->n, question->design, &question->comparison);
	const struct evidence evidence = {
		.p = question->p,
		.level = ADJUST_LOOK_HERE,
		.estimate = comparison->estimate,
		.interval90 = comparison->interval90,
		.delta = delta,
		.floor = comparison->floor,
	};

	if (r == 0)
		question->verdict = verdict_reach(&evidence);
	return r;
}

static int choose(struct search *search, double delta, struct error *err)
{
	struct question *questions = arena_alloc(search->arena, search->n + 1, sizeof(*questions));
	size_t kept = 0;

	if (!questions)
		return error_errno(err, -ENOMEM, "metrics");
	for (size_t i = 0; i < search->n; i++)
		questions[i] = search->pointers[i].question;
	if (decide_where_to_look(questions, search->n) < 0)
		return error_errno(err, -ENOMEM, "metrics");
	for (size_t i = 0; i < search->n; i++) {
		search->pointers[i].question = questions[i];
		if (questions[i].answered && questions[i].p <= ADJUST_LOOK_HERE)
			search->pointers[kept++] = search->pointers[i];
	}
	if (kept)
		qsort(search->pointers, kept, sizeof(*search->pointers), by_certainty);
	search->n = kept;
	for (size_t i = 0; i < kept && i < POINTERS_TOLD; i++) {
		if (settle(&search->pointers[i].question, delta) < 0)
			return error_errno(err, -ENOMEM, "metrics");
	}
	return 0;
}

static int search_all(struct search *search, const struct verdicts *verdicts, struct error *err)
{
	struct results *a = verdicts->all[0].a.results, *b = verdicts->all[0].b.results;
	struct sheet sheets[2] = { 0 };
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(search->values); i++)
		search->values[i] = arena_alloc(search->arena, a->n + b->n, sizeof(double));
	search->samples = arena_alloc(search->arena, a->n + b->n, sizeof(struct sample));
	if (search->arena->failed)
		return error_errno(err, -ENOMEM, "metrics");
	/* The arms of all comparisons are of the same run, or of the same two. */
	r = sheet_read(a, &sheets[0], err);
	if (r == 0 && a != b)
		r = sheet_read(b, &sheets[1], err);
	for (size_t i = 0; r == 0 && i < verdicts->n; i++) {
		r = search_versus(search, verdicts, &verdicts->all[i], sheets);
		if (r < 0)
			error_errno(err, r, "metrics");
	}
	return r;
}

int verdicts_pointers(const struct verdicts *verdicts, struct pointer **ret_pointers, size_t *ret_n,
	struct error *err)
{
	struct search search = { .arena = verdicts->arena };
	int r = verdicts->n ? search_all(&search, verdicts, err) : 0;

	if (r == 0)
		r = choose(&search, verdicts->delta, err);
	if (r < 0)
		return r;
	*ret_pointers = search.pointers;
	*ret_n = search.n;
	return 0;
}
