// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define FREEZE_S 0.1

/* Beyond this a double no longer holds every whole number: digits would be invented. */
#define EXACT 9007199254740992.0

static int plain(char *buf, size_t size, int decimals, double number)
{
	if (fabs(number) >= EXACT)
		return snprintf(buf, size, "%.3g", number);
	/* What rounds to zero has no sign. */
	if (fabs(number) < 0.5 * pow(10, -decimals))
		number = 0;
	return snprintf(buf, size, "%.*f", decimals, number);
}

/* Decimals that leave three significant digits, after rounding. */
static int decimals_of(double number)
{
	double magnitude = fabs(number);
	int decimals = 0;

	while (decimals < 8 && magnitude < 99.95) {
		magnitude *= 10;
		decimals++;
	}
	return decimals;
}

static void amount(char *buf, size_t size, double number)
{
	if (number == 0)
		plain(buf, size, 0, number);
	else if (fabs(number) < 0.001)
		snprintf(buf, size, "%.2e", number);
	else
		plain(buf, size, decimals_of(number), number);
}

static int percent(char *buf, size_t size, double number)
{
	return plain(buf, size, number == 0 || fabs(number) >= 9.95 ? 0 : 1, number);
}

static int seconds(char *buf, size_t size, double number)
{
	return plain(buf, size, fabs(number) >= 9.995 ? 1 : 2, number);
}

static void append(char *buf, size_t size, int used, const char *text)
{
	if (used >= 0 && (size_t)used < size)
		snprintf(buf + used, size - (size_t)used, "%s", text);
}

static void duration(char *buf, size_t size, double ns)
{
	static const char *const units[] = { " ns", " µs", " ms" };
	size_t i = 0;

	while (i < ARRAY_SIZE(units) && fabs(ns) >= 999.5) {
		ns /= 1000;
		i++;
	}
	if (i == ARRAY_SIZE(units))
		append(buf, size, seconds(buf, size, ns), " s");
	else
		append(buf, size, plain(buf, size, i ? decimals_of(ns) : 0, ns), units[i]);
}

const char *number_render(enum number_style style, double number, char *buf, size_t size)
{
	if (!isfinite(number)) {
		snprintf(buf, size, "%s", NUMBER_ABSENT);
		return buf;
	}
	switch (style) {
	case STYLE_COUNT: plain(buf, size, 0, number); break;
	case STYLE_AMOUNT: amount(buf, size, number); break;
	case STYLE_SECONDS: seconds(buf, size, number); break;
	case STYLE_PERCENT: percent(buf, size, number); break;
	case STYLE_SHARE: append(buf, size, percent(buf, size, number), "%"); break;
	case STYLE_RATIO: plain(buf, size, 2, number); break;
	case STYLE_DURATION: duration(buf, size, number); break;
	case STYLE_FREEZE:
		if (number < FREEZE_S)
			snprintf(buf, size, "%s", NUMBER_NONE);
		else
			append(buf, size, seconds(buf, size, number), " s");
		break;
	}
	return buf;
}

struct span span_of(const double *values, size_t n)
{
	struct span span = { NAN, NAN, 0 };

	for (size_t i = 0; i < n; i++) {
		if (isnan(values[i]))
			continue;
		/* Of a number and none they return the number. */
		span.min = fmin(span.min, values[i]);
		span.max = fmax(span.max, values[i]);
		span.n++;
	}
	return span;
}

/* Place of the first digit: 2 of 123, -1 of 0.5. */
static int place(double number)
{
	return number > 0 ? (int)floor(log10(number)) : 0;
}

/* Two digits of what lies between the ends; of the larger end three at least and six at most. */
static int span_decimals(const struct span *span)
{
	int first = place(fmax(fabs(span->min), fabs(span->max)));
	int decimals = 1 - place(span->max - span->min);

	if (span->min == floor(span->min) && span->max == floor(span->max))
		return 0;
	if (span->min == span->max || decimals < 2 - first)
		decimals = 2 - first;
	if (decimals > 5 - first)
		decimals = 5 - first;
	return decimals > 0 ? decimals : 0;
}

const char *span_spell(const struct span *span, char *buf, size_t size)
{
	char low[40], high[40];
	int decimals;

	if (!span->n || !isfinite(span->min) || !isfinite(span->max)) {
		snprintf(buf, size, "%s", NUMBER_ABSENT);
		return buf;
	}
	decimals = span_decimals(span);
	plain(low, sizeof(low), decimals, span->min);
	plain(high, sizeof(high), decimals, span->max);
	if (strcmp(low, high) != 0)
		snprintf(buf, size, "%s–%s", low, high);
	else
		snprintf(buf, size, "%s", high);
	return buf;
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

double number_median(double *values, size_t n)
{
	size_t present = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(values[i]))
			values[present++] = values[i];
	if (!present)
		return NAN;
	qsort(values, present, sizeof(*values), compare);
	if (present % 2)
		return values[present / 2];
	return (values[present / 2 - 1] + values[present / 2]) / 2;
}
