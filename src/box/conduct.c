// SPDX-License-Identifier: GPL-2.0-or-later
/* One trial in the box: settings on, trial, settings back. */
#include <string.h>

#include "base/clock.h"
#include "box/inside.h"
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

/* Puts back what an earlier trial could not. */
static int settle(const struct box *box, struct error *err)
{
	int r = box->journal ? journal_undo(box->journal, box->settled, err) : 0;

	if (r < 0)
		error_prefix(err, r, "left by an earlier trial");
	return r;
}

static int apply(
	const struct box *box, const struct variant *variant, struct sink *sink, struct error *err)
{
	char key[sizeof(variant->assignments->key) + 16], value[256];
	int r = 0;

	for (size_t i = 0; r == 0 && i < variant->n; i++) {
		const struct assignment *assignment = &variant->assignments[i];

		r = setting_apply(box->journal, box->root, assignment->key, assignment->value, err);
		if (r == 0)
			r = setting_read(box->root, assignment->key, value, sizeof(value), err);
		if (r < 0)
			break;
		snprintf(key, sizeof(key), "contend.setting.%s", assignment->key);
		sink_environment(sink, key, value);
	}
	return r;
}

/* Ends a record of a trial that was not begun. */
static void conclude(struct sink *sink, enum outcome_code code, const char *text)
{
	struct outcome outcome = { .code = code };

	snprintf(outcome.text, sizeof(outcome.text), "%.*s", (int)sizeof(outcome.text) - 1, text);
	sink_outcome(sink, &outcome);
	sink_end(sink);
}

static int conduct(const struct box *box, const struct trial *trial,
	const struct trial_watch *watch, struct sink *sink, struct error *err)
{
	struct stage stage = {
		.root = box->root,
		.box = box->grouped ? &box->group : NULL,
		.journal = box->journal,
		.ram_bytes = box->ram,
		.swap_bytes = box->swap,
		.cpus = box->cpus,
		.cpus_size = box->cpus_size,
		.n_cpus = box->n_cpus,
		.scratch = box->trials,
		.shelf = box->shelf,
		.can_drop_caches = box->can_drop_caches,
	};

	return trial_conduct(trial, &stage, watch, sink, err);
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

	return part->workload->probe ? part->workload->probe(&place, part->params, err) : 0;
}

int box_conduct(struct box *box, const struct trial *trial, const struct trial_watch *watch,
	struct sink *sink, struct error *err)
{
	struct error why = { 0 };
	int r;

	describe(box, sink);
	r = settle(box, &why);
	if (r == 0)
		r = apply(box, trial->variant, sink, &why);
	if (r == 0) {
		r = conduct(box, trial, watch, sink, err);
	} else {
		conclude(sink, r == -EOPNOTSUPP ? OUTCOME_SKIPPED : OUTCOME_BROKEN, why.text);
		r = 0;
	}
	/* What cannot be put back is said by the journal, and the next trial does not begin. */
	if (box->journal)
		journal_undo(box->journal, box->settled, NULL);
	return r;
}
