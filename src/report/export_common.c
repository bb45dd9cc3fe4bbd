// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/export_common.h"

#include <errno.h>

const struct quantile quantiles[QUANTILES] = {
	{ "p50", 0.5 },
	{ "p90", 0.9 },
	{ "p99", 0.99 },
	{ "p99.9", 0.999 },
	{ "p99.99", 0.9999 },
};

struct summary summary_of(const struct series *series)
{
	struct summary summary = {
		.first = series->n ? series->values[0] : VALUE_ABSENT,
		.last = series->n ? series->values[series->n - 1] : VALUE_ABSENT,
		.min = VALUE_ABSENT,
		.max = VALUE_ABSENT,
	};

	if (summary.first == VALUE_ABSENT || summary.last == VALUE_ABSENT ||
		__builtin_sub_overflow(summary.last, summary.first, &summary.delta))
		summary.delta = VALUE_ABSENT;
	for (size_t i = 0; i < series->n; i++) {
		int64_t value = series->values[i];

		if (value == VALUE_ABSENT)
			continue;
		if (!summary.n++)
			summary.min = summary.max = value;
		if (value < summary.min)
			summary.min = value;
		if (value > summary.max)
			summary.max = value;
		summary.mean += ((double)value - summary.mean) / (double)summary.n;
	}
	return summary;
}

int64_t window_of(const struct outcome *outcome)
{
	int64_t window;

	if (!outcome->open_ns ||
		__builtin_sub_overflow(outcome->close_ns, outcome->open_ns, &window))
		return VALUE_ABSENT;
	return window;
}

int export_flush(FILE *out, struct error *err)
{
	if (fflush(out) != 0)
		return error_errno(err, -errno, "cannot write the export");
	if (ferror(out))
		return error_errno(err, -EIO, "cannot write the export");
	return 0;
}
