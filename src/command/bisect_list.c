// SPDX-License-Identifier: GPL-2.0-or-later
/* contend bisect --kernels: the first of a list in which the metric moved. */
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "command/bisect.h"

#define MOST_KERNELS 1000

struct list {
	struct bisect *bisect;
	char *text; /* the names lie in it */
	char **names;
	size_t n;
	struct measured *measured;
	struct bisect_answer *answers; /* against the first */
	enum bisect_mark *marks;
	enum bisect_moved moved; /* as asked for; then which way the last one did */
};

static void list_done(struct list *list)
{
	for (size_t i = 0; list->measured && i < list->n; i++)
		measured_done(&list->measured[i]);
	free(list->text);
	free(list->names);
	free(list->measured);
	free(list->answers);
	free(list->marks);
}

static int list_make(struct list *list, struct bisect *bisect, struct error *err)
{
	char *rest, *name;

	list->bisect = bisect;
	list->moved = (enum bisect_moved)bisect->params.moved;
	list->text = strdup(bisect->params.kernels);
	list->names = calloc(MOST_KERNELS, sizeof(*list->names));
	list->measured = calloc(MOST_KERNELS, sizeof(*list->measured));
	list->answers = calloc(MOST_KERNELS, sizeof(*list->answers));
	list->marks = calloc(MOST_KERNELS, sizeof(*list->marks));
	if (!list->text || !list->names || !list->measured || !list->answers || !list->marks)
		return error_errno(err, -ENOMEM, "bisect");
	rest = list->text;
	while ((name = option_next(&rest))) {
		if (!*name)
			return error_set(err, -EINVAL, "--kernels: a kernel without a name");
		if (list->n == MOST_KERNELS)
			return error_set(err, -E2BIG, "--kernels: more than %d", MOST_KERNELS);
		list->names[list->n++] = name;
	}
	if (list->n < 2)
		return error_set(err, -EINVAL, "--kernels: two at least, the oldest first");
	return 0;
}

/* What lies here is looked at before anything runs; what is to be fetched, when its turn comes. */
static int check_names(const struct list *list, struct error *err)
{
	for (size_t i = 0; i < list->n; i++) {
		struct kernel kernel;
		int r = 0;

		if (strncmp(list->names[i], "debian:", strlen("debian:")) != 0)
			r = kernel_find(list->names[i], list->bisect->cache, &kernel, err);
		if (r < 0)
			return error_prefix(err, r, "--kernels");
	}
	return 0;
}

static const char *name_of(const struct list *list, size_t i, char *buf, size_t size)
{
	const char *name = list->names[i], *label = list->measured[i].label;
	bool same = !*label || !strcmp(name, label);

	snprintf(buf, size, "%s%s%s%s", name, same ? "" : " (", same ? "" : label, same ? "" : ")");
	return buf;
}

/* Measures it, compares it with the first, and says so in one line. */
static int test(struct list *list, size_t i, struct error *err)
{
	struct measured *measured = &list->measured[i];
	char name[512], values[640], answer[160];
	int r = bisect_measure(list->bisect, list->names[i], NULL, measured, err);

	if (r < 0)
		return r;
	name_of(list, i, name, sizeof(name));
	bisect_spell_values(list->bisect, measured, values, sizeof(values));
	if (i == 0 && !measured->known)
		return error_set(err, -ENODATA, "%s, the first: %s", name, values);
	list->marks[i] = i ? BISECT_SKIPPED : BISECT_GOOD;
	if (i == 0 || !measured->known) {
		printf("%s: %s%s\n", name, values, i ? "" : ": the first");
	} else {
		r = bisect_compare(
			list->bisect, &list->measured[0], measured, &list->answers[i], err);
		if (r < 0)
			return r;
		list->marks[i] = bisect_mark_of(list->answers[i].verdict, list->moved);
		printf("%s: %s: %s: %s\n", name, values,
			bisect_spell_answer(
				list->bisect, &list->answers[i], answer, sizeof(answer)),
			bisect_mark_name(list->marks[i]));
	}
	fflush(stdout);
	return 0;
}

static const char *spell_end(const struct list *list, size_t i, char *buf, size_t size)
{
	char estimate[32];

	snprintf(buf, size, "%s (%s)", list->names[i],
		i ? bisect_spell_percent(list->answers[i].estimate, estimate, sizeof(estimate))
		  : "the first");
	return buf;
}

/* Is there nothing to look for? Then that is said. */
static bool ends_alike(const struct list *list, enum exit_code *ret_code)
{
	size_t last = list->n - 1;
	char answer[160], name[512];

	if (list->marks[last] == BISECT_BAD)
		return false;
	bisect_spell_answer(list->bisect, &list->answers[last], answer, sizeof(answer));
	name_of(list, last, name, sizeof(name));
	*ret_code = EXIT_INCONCLUSIVE;
	if (list->marks[last] == BISECT_GOOD) {
		printf("none is bad: %s: %s\n", name, answer);
		*ret_code = EXIT_CLEAN;
	} else if (list->measured[last].known) {
		printf("undecided: whether %s moved: %s; more --runs may tell\n", name, answer);
	} else {
		printf("undecided: %s, the last, cannot be tested\n", name);
	}
	return true;
}

static void conclude(const struct list *list, enum exit_code *ret_code)
{
	char name[512], answer[160], low[768], high[768];
	size_t good, bad;
	bool slower;

	bisect_bounds(list->marks, list->n, &good, &bad);
	slower = list->answers[bad].verdict == VERDICT_SLOWER;
	spell_end(list, good, low, sizeof(low));
	spell_end(list, bad, high, sizeof(high));
	if (bad - good == 1)
		printf("first bad: %s: %s, between %s and %s\n",
			name_of(list, bad, name, sizeof(name)),
			bisect_spell_answer(
				list->bisect, &list->answers[bad], answer, sizeof(answer)),
			low, high);
	else
		printf("first bad: one of %zu, behind %s and up to %s: those between could not be "
		       "told\n",
			bad - good, low, high);
	*ret_code = slower ? EXIT_REGRESSION : EXIT_CLEAN;
}

static int search(struct list *list, enum exit_code *ret_code, struct error *err)
{
	size_t i = list->n - 1;
	int r = test(list, 0, err);

	if (r == 0)
		r = test(list, i, err);
	if (r < 0 || ends_alike(list, ret_code))
		return r;
	/* From here on only what moved as the last one did is bad. */
	list->moved = list->answers[i].verdict == VERDICT_SLOWER ? BISECT_SLOWER : BISECT_FASTER;
	while ((i = bisect_next(list->marks, list->n)) < list->n) {
		r = test(list, i, err);
		if (r < 0)
			return r;
	}
	conclude(list, ret_code);
	return 0;
}

int bisect_list(struct bisect *bisect, enum exit_code *ret_code, struct error *err)
{
	struct list list CLEANUP(list_done) = { 0 };
	int r = list_make(&list, bisect, err);

	if (r == 0)
		r = bisect_open(bisect, err);
	if (r == 0)
		r = check_names(&list, err);
	if (r < 0)
		return r;
	fprintf(stderr, "contend: %zu kernels, %s\n", list.n, box_describe(bisect->session.box));
	return search(&list, ret_code, err);
}
