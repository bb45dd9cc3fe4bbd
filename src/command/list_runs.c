// SPDX-License-Identifier: GPL-2.0-or-later
/* contend list runs: what is stored. */
#include <time.h>

#include "command/list.h"
#include "store/query.h"

static const char *state_name(enum run_state state)
{
	switch (state) {
	case RUN_RUNNING: return "running, or was killed";
	case RUN_FINISHED: return "finished";
	case RUN_INTERRUPTED: break;
	}
	return "interrupted";
}

/* Local time, as people keep it; "" when it cannot be told. */
static const char *render_time(int64_t seconds, char *buf, size_t size)
{
	time_t time = (time_t)seconds;
	struct tm tm;

	if (!localtime_r(&time, &tm) || !strftime(buf, size, "%Y-%m-%d %H:%M:%S", &tm))
		buf[0] = '\0';
	return buf;
}

static int add_run(void *data, const struct run_row *run)
{
	struct row *row = row_new(data);
	char started[64];

	row_set_number(row, "run", (double)run->id);
	row_set_text(row, "started", "%s", render_time(run->started_s, started, sizeof(started)));
	row_set_text(row, "state", "%s", state_name(run->state));
	row_set_text(row, "title", "%s", run->title);
	row_set_text(row, "box", "%s", run->box);
	row_set_text(row, "command", "%s", run->command);
	return 0;
}

int list_runs(struct model *model, const char *path, struct error *err)
{
	static const struct column columns[] = {
		{ .key = "run", .heading = "Run", .flags = COLUMN_RIGHT },
		{ .key = "started", .heading = "Started" },
		{ .key = "state", .heading = "State" },
		{ .key = "title", .heading = "Title" },
		{ .key = "box", .heading = "Box", .flags = COLUMN_WRAP },
		{ .key = "command", .heading = "Command", .flags = COLUMN_WRAP },
	};
	struct store *store CLEANUP(store_cleanup) = NULL;
	struct table *table = table_new(model, columns, ARRAY_SIZE(columns), "%s", "");
	int r = store_open_to_read(path, &store, err);

	return r < 0 ? r : store_runs(store, add_run, table, err);
}
