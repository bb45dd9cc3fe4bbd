// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/readings.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

static int dictionary_find(
	struct store *store, const struct record *record, int64_t *ret_metric, struct error *err)
{
	struct rows *rows CLEANUP(rows_cleanup) = rows_read(store, err,
		"SELECT id FROM metric WHERE source = ?1 AND role = ?2 AND name = ?3 AND unit = ?4 "
		"AND kind = ?5 AND revision = ?6",
		"ttttti", record->origin.source, record->origin.role, record->metric.name,
		record->metric.unit, metric_kind_name(record->metric.kind),
		(int64_t)record->origin.revision);

	if (!rows)
		return -errno;
	*ret_metric = rows->n ? row_integer(rows, 0, 0) : 0;
	return 0;
}

static int dictionary_add(
	struct store *store, const struct record *record, int64_t *ret_metric, struct error *err)
{
	int r = database_run(store, err,
		"INSERT INTO metric (source, role, name, unit, kind, revision) "
		"VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
		"ttttti", record->origin.source, record->origin.role, record->metric.name,
		record->metric.unit, metric_kind_name(record->metric.kind),
		(int64_t)record->origin.revision);

	if (r == 0)
		*ret_metric = sqlite3_last_insert_rowid(store->db);
	return r;
}

/* The index of the metric's lane, made when there is none; or -ENOMEM. */
static int lane_find(struct readings *readings, int64_t metric)
{
	for (size_t i = 0; i < readings->n_lanes; i++) {
		if (readings->lanes[i].metric == metric)
			return (int)i;
	}
	if (readings->n_lanes == readings->lanes_room) {
		size_t room = readings->lanes_room ? 2 * readings->lanes_room : 64;
		struct lane *lanes = reallocarray(readings->lanes, room, sizeof(*lanes));

		if (!lanes)
			return -ENOMEM;
		readings->lanes = lanes;
		readings->lanes_room = room;
	}
	readings->lanes[readings->n_lanes] = (struct lane) { .metric = metric };
	return (int)readings->n_lanes++;
}

static int ids_reserve(struct readings *readings, uint32_t id, struct error *err)
{
	size_t n = readings->n_ids ? readings->n_ids : 64;
	uint32_t *lane_of;

	if (id < readings->n_ids)
		return 0;
	while (n <= id)
		n *= 2;
	lane_of = reallocarray(readings->lane_of, n, sizeof(*lane_of));
	if (!lane_of)
		return error_errno(err, -ENOMEM, "readings");
	memset(lane_of + readings->n_ids, 0, (n - readings->n_ids) * sizeof(*lane_of));
	readings->lane_of = lane_of;
	readings->n_ids = n;
	return 0;
}

int readings_declare(struct readings *readings, struct store *store, const struct record *record,
	struct error *err)
{
	int64_t metric = 0;
	int r, lane;

	if (record->id >= METRICS_MAX)
		return error_set(
			err, -EBADMSG, "metric %u: there are at most %d", record->id, METRICS_MAX);
	r = ids_reserve(readings, record->id, err);
	if (r < 0)
		return r;
	if (readings->lane_of[record->id])
		return error_set(err, -EBADMSG, "metric %u is declared twice", record->id);
	r = dictionary_find(store, record, &metric, err);
	if (r == 0 && !metric)
		r = dictionary_add(store, record, &metric, err);
	if (r < 0)
		return r;
	lane = lane_find(readings, metric);
	if (lane < 0)
		return error_errno(err, lane, "readings");
	readings->lane_of[record->id] = (uint32_t)lane + 1;
	return 0;
}

static int lane_put(struct lane *lane, int64_t t_ns, int64_t value)
{
	int r = coder_put(&lane->values, value);

	if (r == 0)
		r = coder_put(&lane->times, t_ns);
	if (r < 0)
		return r;
	if (!lane->n++)
		lane->first = value;
	lane->last = value;
	return 0;
}

int readings_sample(struct readings *readings, const struct record *record, struct error *err)
{
	for (uint32_t i = 0; i < record->n; i++) {
		uint64_t id = (uint64_t)record->id + i;
		uint32_t index = id < readings->n_ids ? readings->lane_of[id] : 0;

		if (!index)
			readings->lost++;
		else if (lane_put(&readings->lanes[index - 1], record->t_ns,
				 record_value(record, i)) < 0)
			return error_errno(err, -ENOMEM, "readings");
	}
	return 0;
}

/*
 * Metrics that are read together have the same times, and share one row of `ticks`. Looking back
 * this far finds them, and bounds what a stream with nothing in common can cost.
 */
#define TICKS_REMEMBERED 64

struct ticks {
	int64_t ids[TICKS_REMEMBERED];
	const struct bytes *times[TICKS_REMEMBERED];
	size_t n; /* ever stored; the last TICKS_REMEMBERED are remembered */
};

static int ticks_find(struct ticks *ticks, struct store *store, const struct bytes *times,
	int64_t *ret_id, struct error *err)
{
	size_t back = ticks->n < TICKS_REMEMBERED ? ticks->n : TICKS_REMEMBERED;
	size_t slot = ticks->n % TICKS_REMEMBERED;
	int r;

	for (size_t i = 0; i < back; i++) {
		if (ticks->times[i]->size == times->size &&
			!memcmp(ticks->times[i]->data, times->data, times->size)) {
			*ret_id = ticks->ids[i];
			return 0;
		}
	}
	r = database_run(
		store, err, "INSERT INTO ticks (times) VALUES (?1)", "b", times->data, times->size);
	if (r < 0)
		return r;
	ticks->ids[slot] = *ret_id = sqlite3_last_insert_rowid(store->db);
	ticks->times[slot] = times;
	ticks->n++;
	return 0;
}

static int lane_write(struct lane *lane, struct ticks *ticks, struct store *store, int64_t trial,
	struct error *err)
{
	bool single = lane->n == 1;
	int64_t ticks_id;
	int r;

	if (coder_finish(&lane->times) < 0 || coder_finish(&lane->values) < 0)
		return error_errno(err, -ENOMEM, "readings");
	r = ticks_find(ticks, store, &lane->times.bytes, &ticks_id, err);
	if (r < 0)
		return r;
	return database_run(store, err,
		"INSERT INTO reading (trial, metric, ticks, n, first, last, samples) "
		"VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
		"iiiioob", trial, lane->metric, ticks_id, (int64_t)lane->n, lane->first, lane->last,
		single ? NULL : lane->values.bytes.data, single ? 0 : lane->values.bytes.size);
}

int readings_write(struct readings *readings, struct store *store, int64_t trial, struct error *err)
{
	struct ticks ticks = { .n = 0 };

	for (size_t i = 0; i < readings->n_lanes; i++) {
		int r;

		if (!readings->lanes[i].n)
			continue;
		r = lane_write(&readings->lanes[i], &ticks, store, trial, err);
		if (r < 0)
			return r;
	}
	return 0;
}

void readings_done(struct readings *readings)
{
	for (size_t i = 0; i < readings->n_lanes; i++) {
		coder_done(&readings->lanes[i].times);
		coder_done(&readings->lanes[i].values);
	}
	free(readings->lanes);
	free(readings->lane_of);
	*readings = (struct readings) { 0 };
}
