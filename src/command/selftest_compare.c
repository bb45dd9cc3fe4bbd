// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * selftest aa: a variant compared with itself gives no more false alarms than it may.
 * selftest inject: work that was added to one of two variants is found.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/random.h"
#include "command/selftest.h"
#include "command/session.h"
#include "report/verdicts.h"
#include "stats/stopping.h"

/* A third of a second on a CPU of 2020; warm, for there is no file. */
#define ROUNDS 3000
#define WORK_PERCENT 10
#define STRING(x) #x
#define SPELL(x) STRING(x)

static const char *const defaults[] = { "--lead", "burn:workers=1,rounds=" SPELL(ROUNDS), "--warm",
	"--noload", "no", "--solo", "no", NULL };

/* With one chance in ten or less a test whose alarms are true to their level has more of them. */
#define UNLUCKY 0.10

/* What a comparison came to. */
struct answer {
	struct question primary;
	double level;
	unsigned blocks;
};

/* The most alarms that are no fault: binomial, each comparison with the level of all its looks. */
static unsigned allowed_alarms(unsigned comparisons)
{
	double chance = pow(1 - STOPPING_ALPHA, comparisons), sum = chance;
	unsigned allowed = 0;

	while (allowed < comparisons && 1 - sum > UNLUCKY) {
		allowed++;
		chance *= (comparisons - allowed + 1.0) / allowed * STOPPING_ALPHA /
			  (1 - STOPPING_ALPHA);
		sum += chance;
	}
	return allowed;
}

/* Takes "--comparisons N" out of the words: it is no option of run. */
static int take_comparisons(
	int *argc, char **argv, unsigned usual, unsigned *ret_n, struct error *err)
{
	static const char name[] = "--comparisons";
	uint64_t n = usual;
	int kept = 1, r = 0;

	for (int i = 1; r == 0 && i < *argc; i++) {
		const char *value = argv[i] + strlen(name);

		if (strncmp(argv[i], name, strlen(name)) != 0 || (*value && *value != '=')) {
			argv[kept++] = argv[i];
			continue;
		}
		if (!*value && i + 1 == *argc)
			return error_set(err, -EINVAL, "%s: how many?", name);
		r = count_parse(*value ? value + 1 : argv[++i], &n, err);
		if (r == 0 && (n < 1 || n > 1000))
			r = error_set(err, -ERANGE, "not between 1 and 1000");
		if (r < 0)
			return error_prefix(err, r, "%s", name);
	}
	argv[kept] = NULL;
	*argc = kept;
	*ret_n = (unsigned)n;
	return 0;
}

/* Small enough to stand at once where nobody asked for more. */
static void choose_box(struct box_config *box)
{
	if (box->typed)
		return;
	box->mem = 128 * MIB;
	box->swap = 0;
}

static int read_answer(struct session *session, struct answer *ret_answer, struct error *err)
{
	struct results results CLEANUP(results_done) = { 0 };
	struct verdicts verdicts;
	enum verdict worst;
	int r;

	r = results_open(session->store, session->run, &results, err);
	if (r == 0)
		r = verdicts_of_run(&results, 0, &verdicts, err);
	if (r == 0)
		r = results_check(&results, err);
	if (r == 0)
		r = verdicts_worst(&verdicts, &worst, err);
	if (r < 0)
		return r;
	*ret_answer = (struct answer) {
		.primary = verdicts.all[0].primary,
		.level = verdicts.level,
		.blocks = verdicts.blocks,
	};
	ret_answer->primary.values = NULL;
	return 0;
}

static void say_answer(unsigned i, unsigned n, const struct answer *answer)
{
	const struct question *primary = &answer->primary;

	fprintf(stderr, "contend: [%u/%u] %u blocks: %+.1f %%, p %.3g of %.3g: %s\n", i + 1, n,
		answer->blocks, ratio_percent(primary->comparison.estimate), primary->p,
		answer->level, verdict_name(primary->verdict));
}

/* One more run of the session's configuration, in an order of its own. */
static int compare_once(struct session *session, const char *title, uint64_t seed,
	struct answer *ret_answer, struct error *err)
{
	struct runner_result result;
	int r;

	plan_free(session->plan);
	session->plan = NULL;
	session->config->seed = seed;
	r = plan_make(session->config, &session->plan, err);
	if (r == 0)
		r = session_create_run(session, title, title, err);
	if (r == 0)
		r = session_carry_out(session, NULL, &result, err);
	if (r == 0 && result.interrupted)
		r = error_set(err, -EINTR, "interrupted");
	return r < 0 ? r : read_answer(session, ret_answer, err);
}

/* What is counted of the comparisons. */
struct tally {
	unsigned n, alarms, found;
	double floor; /* the largest */
};

static int compare_all(
	struct session *session, const char *title, struct tally *tally, struct error *err)
{
	struct random random = { session->config->seed };
	int r = 0;

	for (unsigned i = 0; r == 0 && i < tally->n; i++) {
		/* As short as a seed that contend draws. */
		uint64_t seed = random_below(&random, UINT32_MAX);
		struct answer answer;

		r = compare_once(session, title, seed, &answer, err);
		if (r < 0)
			return r;
		say_answer(i, tally->n, &answer);
		tally->alarms += answer.primary.p <= answer.level;
		tally->found += answer.primary.verdict == VERDICT_SLOWER;
		if (answer.primary.comparison.noise.pairs)
			tally->floor = fmax(tally->floor, answer.primary.comparison.floor);
	}
	return 0;
}

static int carry_out(int argc, char **argv, const char *title, const char *const variants[],
	unsigned usual, struct tally *ret_tally, struct error *err)
{
	struct session session CLEANUP(session_done) = { .root = { -1 } };
	struct tally tally = { 0 };
	int r;

	r = take_comparisons(&argc, argv, usual, &tally.n, err);
	if (r == 0)
		r = selftest_parse(defaults, argc, argv, variants, &session.config, err);
	if (r == 0 && (session.config->n_scenarios != 1 || session.config->resume))
		r = error_set(
			err, -EINVAL, "%s compares one scenario, that of --lead and --load", title);
	if (r < 0)
		return r;
	choose_box(&session.config->box);
	/* What can be found is to be found: it takes the blocks that there are. */
	session.config->runs_typed = true;
	r = root_open(&session.root, "/", err);
	if (r == 0)
		r = session_open_store(&session, err);
	if (r == 0)
		r = session_stand(&session, err);
	if (r < 0)
		return r;
	fprintf(stderr, "contend: %u comparisons, %s\n", tally.n, box_describe(session.box));
	r = compare_all(&session, title, &tally, err);
	if (r == 0)
		*ret_tally = tally;
	return r;
}

int selftest_aa(int argc, char **argv, enum exit_code *ret_code, struct error *err)
{
	static const char *const variants[] = { "--variant", "a", "--variant", "b", NULL };
	struct tally tally;
	unsigned allowed;
	int r = carry_out(argc, argv, "selftest aa", variants, 20, &tally, err);

	if (r < 0)
		return r;
	allowed = allowed_alarms(tally.n);
	printf("aa: %s: %u false alarm%s in %u comparisons of a variant with itself; up to %u are "
	       "no fault\n",
		tally.alarms <= allowed ? "yes" : "no", tally.alarms, tally.alarms == 1 ? "" : "s",
		tally.n, allowed);
	*ret_code = tally.alarms <= allowed ? EXIT_CLEAN : EXIT_REGRESSION;
	return 0;
}

int selftest_inject(int argc, char **argv, enum exit_code *ret_code, struct error *err)
{
	char more[64];
	const char *const variants[] = { "--variant", "a", "--variant", more, NULL };
	struct tally tally;
	int r;

	snprintf(more, sizeof(more), "b:lead.rounds=%d", ROUNDS + ROUNDS * WORK_PERCENT / 100);
	r = carry_out(argc, argv, "selftest inject", variants, 5, &tally, err);
	if (r < 0)
		return r;
	printf("inject: %s: %d %% more work was found in %u of %u comparisons",
		tally.found == tally.n ? "yes" : "no", WORK_PERCENT, tally.found, tally.n);
	if (tally.found < tally.n && tally.floor > 0)
		printf("; the machine's noise hides up to %.1f %%", ratio_percent(tally.floor));
	puts("");
	*ret_code = tally.found == tally.n ? EXIT_CLEAN : EXIT_REGRESSION;
	return 0;
}
