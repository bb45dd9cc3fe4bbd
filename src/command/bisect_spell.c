// SPDX-License-Identifier: GPL-2.0-or-later
/* What bisect says of values and of differences. */
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "command/bisect.h"

int bisect_compare(const struct bisect *bisect, const struct measured *first,
	const struct measured *other, struct bisect_answer *ret_answer, struct error *err)
{
	const struct config *config = bisect->session.config;
	const struct bisect_rule rule = {
		.pairs = config->box.exact,
		.level = bisect->params.level,
		.delta = config->delta,
		.more_is_better = config->primary.more_is_better,
	};
	size_t n = first->n < other->n ? first->n : other->n;
	int r = bisect_judge(first->values, other->values, n, &rule, ret_answer);

	return r < 0 ? error_errno(err, r, "%s", other->label) : 0;
}

static int ascending(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;

	return (first > second) - (first < second);
}

/* Five digits, or all of a whole number: counters are large. */
static const char *spell_value(double value, char *buf, size_t size)
{
	snprintf(buf, size, value >= 1e5 && isfinite(value) ? "%.0f" : "%.5g", value);
	return buf;
}

static const char *seeds(const struct bisect *bisect, size_t n)
{
	if (bisect->session.config->box.exact)
		return n == 1 ? "seed" : "seeds";
	return n == 1 ? "trial" : "trials";
}

const char *bisect_spell_values(
	const struct bisect *bisect, const struct measured *measured, char *buf, size_t size)
{
	const struct primary *primary = &bisect->session.config->primary;
	char median[32], least[32], most[32];
	double sorted[1000];
	size_t n = 0;

	for (size_t i = 0; i < measured->n && n < ARRAY_SIZE(sorted); i++) {
		if (!isnan(measured->values[i]))
			sorted[n++] = measured->values[i];
	}
	if (!n) {
		snprintf(buf, size, "cannot be tested: %s", measured->why);
		return buf;
	}
	qsort(sorted, n, sizeof(*sorted), ascending);
	snprintf(buf, size, "%s (%s to %s)%s, %zu %s, run %lld%s",
		spell_value((sorted[(n - 1) / 2] + sorted[n / 2]) / 2, median, sizeof(median)),
		spell_value(sorted[0], least, sizeof(least)),
		spell_value(sorted[n - 1], most, sizeof(most)),
		primary_is_time(primary) ? " s" : "", n, seeds(bisect, n), (long long)measured->run,
		measured->reused ? ", as stored" : "");
	return buf;
}

/* A difference without bounds is said in a word. */
const char *bisect_spell_percent(double difference, char *buf, size_t size)
{
	double percent = ratio_percent(difference);

	if (isinf(difference))
		snprintf(buf, size, "%s", difference > 0 ? "endless" : "-100 %");
	else
		snprintf(buf, size, fabs(percent) < 1 ? "%+.2f %%" : "%+.1f %%", percent);
	return buf;
}

const char *bisect_spell_answer(
	const struct bisect *bisect, const struct bisect_answer *answer, char *buf, size_t size)
{
	char estimate[32], low[32], high[32];

	if (!answer->n) {
		snprintf(buf, size, "too little was measured");
		return buf;
	}
	snprintf(buf, size, "%s (%s to %s, %zu %s, p %.2g)",
		bisect_spell_percent(answer->estimate, estimate, sizeof(estimate)),
		bisect_spell_percent(answer->interval.low, low, sizeof(low)),
		bisect_spell_percent(answer->interval.high, high, sizeof(high)), answer->n,
		seeds(bisect, answer->n), answer->p);
	return buf;
}
