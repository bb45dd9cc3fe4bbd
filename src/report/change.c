// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/change.h"

#include <math.h>
#include <stdio.h>

const char *change_spell(double difference, char *buf, size_t size)
{
	double change = ratio_percent(difference);

	if (fabs(change) >= 1000)
		snprintf(buf, size, "×%.3g", 1 + change / 100);
	else
		snprintf(buf, size, "%+.1f %%", change);
	return buf;
}

double change_number(double difference)
{
	return isfinite(difference) ? ratio_percent(difference) : NAN;
}

void change_set_interval(struct row *row, const struct interval *interval)
{
	bool from = isfinite(interval->low), to = isfinite(interval->high);
	char low[32], high[32];

	change_spell(interval->low, low, sizeof(low));
	change_spell(interval->high, high, sizeof(high));
	row_set_number(row, "low_percent", change_number(interval->low));
	row_set_number(row, "high_percent", change_number(interval->high));
	if (from && to)
		row_set_text(row, "interval", "%s to %s", low, high);
	else if (from || to)
		row_set_text(
			row, "interval", "%s or %s", from ? low : high, from ? "more" : "less");
	else
		row_set_text(row, "interval", "open");
}

void change_set_seeds(struct row *row, const struct comparison *comparison)
{
	char least[32], most[32];

	row_set_number(row, "least_percent", change_number(comparison->least));
	row_set_number(row, "most_percent", change_number(comparison->most));
	if (comparison->blocks > 1 && isfinite(comparison->least) && isfinite(comparison->most))
		row_set_text(row, "seeds", "%s to %s",
			change_spell(comparison->least, least, sizeof(least)),
			change_spell(comparison->most, most, sizeof(most)));
}
