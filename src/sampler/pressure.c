// SPDX-License-Identifier: GPL-2.0-or-later
#include "sampler/pressure.h"

#include <string.h>

#include "base/clock.h"
#include "sampler/number.h"

static const char *const labels[PRESSURE_LABELS] = {
	[PRESSURE_SOME] = "some ",
	[PRESSURE_FULL] = "full ",
};

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=4343464", in microseconds */
static bool total_find(const char *text, const char *label, int64_t *ret_ns)
{
	static const char total[] = " total=";

	for (const char *line = text; *line; line += *line == '\n') {
		const char *end = strchrnul(line, '\n');
		const char *at = strstr(line, total);
		bool here = !strncmp(line, label, strlen(label)) && at && at < end;

		line = end;
		if (!here)
			continue;
		at += strlen(total);
		if (!number_parse(&at, ret_ns))
			return false;
		*ret_ns = number_scale(*ret_ns, NS_PER_US);
		return true;
	}
	return false;
}

int pressure_open(struct pressure *ret_pressure, const struct root *root, const char *path,
	const char *name, struct metric_list *list, struct error *err)
{
	bool any = false;
	int r = feed_open(&ret_pressure->feed, root, path, err);

	for (unsigned i = 0; i < PRESSURE_LABELS && r == 0; i++) {
		int64_t ns;

		if (!total_find(ret_pressure->feed.text, labels[i], &ns))
			continue;
		any = true;
		ret_pressure->labels[i].known = true;
		ret_pressure->labels[i].place = list->n;
		r = metric_list_add(list, "ns", METRIC_COUNTER, err, "%s.%.4s", name, labels[i]);
	}
	if (r == 0 && !any)
		return error_set(err, -EOPNOTSUPP, "%s is empty", path);
	return r;
}

int pressure_read(struct pressure *pressure, int64_t *values)
{
	int r = feed_read(&pressure->feed);

	for (unsigned i = 0; i < PRESSURE_LABELS; i++) {
		int64_t ns;

		if (!pressure->labels[i].known)
			continue;
		if (r < 0 || !total_find(pressure->feed.text, labels[i], &ns))
			ns = VALUE_ABSENT;
		values[pressure->labels[i].place] = ns;
	}
	return r;
}

void pressure_close(struct pressure *pressure)
{
	feed_close(&pressure->feed);
	*pressure = (struct pressure) { 0 };
}
