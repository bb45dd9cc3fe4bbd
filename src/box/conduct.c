// SPDX-License-Identifier: GPL-2.0-or-later
/* One trial in the box: settings on, trial, settings back. */
#include <string.h>

#include "base/cleanup.h"
#include "box/inside.h"
#include "box/vm.h"
#include "setting/setting.h"

/* How the record of every trial in this box begins. */
static void describe(const struct box *box, struct sink *sink)
{
	char key[32];

	sink_reset(sink);
	sink_environment(sink, "contend.box", box->description);
	for (size_t i = 0; i < box->n_notes; i++) {
		snprintf(key, sizeof(key), "contend.box.note.%zu", i + 1);
		sink_environment(sink, key, box->notes[i]);
	}
}

/*
 * Puts back what the settings of a trial changed: the machine's by the journal, which says what it
 * cannot; the box's own limits here.
 */
static int settle(struct box *box, struct error *err)
{
	int r = box->journal ? journal_undo(box->journal, box->settled, err) : 0;

	if (r == 0 && box->altered && box->limited) {
		r = cgroup_limit(&box->group, box->ram, box->swap, err);
		/* As when it was opened: see limit() in cgroup.c. */
		r = r == -EOPNOTSUPP ? 0 : r;
	}
	if (r == 0)
		box->altered = false;
	return r;
}

/* The box as it is before a variant makes another of it. */
static struct setting_place place_of(const struct box *box)
{
	return (struct setting_place) {
		.root = box->root,
		.journal = box->journal,
		.scratch = box->scratch,
		.group = box->limited ? &box->group : NULL,
		.ram = box->ram,
		.swap = box->swap,
		.cpus = box->n_cpus,
		.swap_kind = box->swap_kind ? box->swap_kind : "",
	};
}

static int apply(struct setting_place *place, const struct variant *variant, struct sink *sink,
	struct error *err)
{
	char key[sizeof(variant->assignments->key) + 16], value[256];

	for (size_t i = 0; i < variant->n; i++) {
		const struct assignment *assignment = &variant->assignments[i];
		int r = setting_apply(place, assignment->key, assignment->value, err);

		if (r == 0)
			r = setting_read(place, assignment->key, value, sizeof(value), err);
		if (r < 0)
			return error_prefix(err, r, "%s=%s", assignment->key, assignment->value);
		snprintf(key, sizeof(key), "contend.setting.%s", assignment->key);
		sink_environment(sink, key, value);
	}
	return 0;
}

/* Ends a record of a trial that was not begun. */
static void conclude(struct sink *sink, enum outcome_code code, const char *text)
{
	struct outcome outcome = { .code = code };

	snprintf(outcome.text, sizeof(outcome.text), "%.*s", (int)sizeof(outcome.text) - 1, text);
	sink_outcome(sink, &outcome);
	sink_end(sink);
}

static int conduct(const struct box *box, const struct setting_place *place,
	const struct trial *trial, const struct trial_watch *watch, struct sink *sink,
	struct error *err)
{
	cpu_set_t *cpus CLEANUP(cpus_free) = box_first_cpus(box, place->cpus);
	struct stage stage = {
		.root = box->root,
		.box = box->grouped ? &box->group : NULL,
		.journal = box->journal,
		.ram_bytes = place->ram,
		.swap_bytes = place->swap,
		.cpus = cpus,
		.cpus_size = box->cpus_size,
		.n_cpus = place->cpus,
		.scratch = box->trials,
		.shelf = box->shelf,
		.can_drop_caches = box->can_drop_caches,
	};

	if (!cpus)
		return error_errno(err, -ENOMEM, "CPU mask");
	return trial_conduct(trial, &stage, watch, sink, err);
}

void box_prepare(struct box *box, const struct plan *plan,
	void (*say)(void *data, const char *line), void *data)
{
	for (size_t i = 0; box->vm && i < plan->n; i++)
		vm_box_prepare(box->vm, plan->trials[i].scenario, say, data);
}

int box_probe(const struct box *box, const struct part *part, struct error *err)
{
	const struct place place = {
		.ram_bytes = box->ram,
		.swap_bytes = box->swap,
		.cpus = box->n_cpus,
		.scratch = box->trials,
		.shelf = box->shelf,
	};

	/* What a guest has is known in the guest. */
	if (box->vm)
		return 0;
	return part->workload->probe ? part->workload->probe(&place, part->params, err) : 0;
}

int box_conduct(struct box *box, const struct trial *trial, const struct trial_watch *watch,
	struct sink *sink, struct error *err)
{
	struct setting_place place = place_of(box);
	struct error why = { 0 };
	int r;

	describe(box, sink);
	/* A guest's settings are its own, and go with it. */
	if (box->vm)
		return vm_box_conduct(box, trial, watch, sink, err);
	r = settle(box, &why);
	if (r < 0)
		error_prefix(&why, r, "left by an earlier trial");
	box->altered |= trial->variant->n > 0;
	if (r == 0)
		r = apply(&place, trial->variant, sink, &why);
	if (r == 0) {
		r = conduct(box, &place, trial, watch, sink, err);
	} else {
		conclude(sink, r == -EOPNOTSUPP ? OUTCOME_SKIPPED : OUTCOME_BROKEN, why.text);
		r = 0;
	}
	/* Where this fails, the next trial does not begin. */
	settle(box, NULL);
	return r;
}
