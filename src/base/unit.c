// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/unit.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"

/* 2^63: the first number that is too large. */
#define TOO_LARGE 9223372036854775808.0L

/*
 * A non-negative decimal number at the start of text. strtod alone would also take "inf", "nan",
 * hexadecimal and signs. Returns NULL when there is none.
 */
static const char *number_parse(const char *text, long double *ret_number)
{
	char *end;

	if (!isdigit((unsigned char)text[0]) && text[0] != '.')
		return NULL;
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return NULL;
	*ret_number = strtold(text, &end);
	return end == text ? NULL : end;
}

int bytes_parse(const char *text, uint64_t *ret_bytes, struct error *err)
{
	static const char suffixes[] = "KMGTPE";
	long double number;
	const char *end = number_parse(text, &number);
	const char *suffix;

	if (!end)
		return error_set(
			err, -EINVAL, "\"%s\" is not a size; write e.g. 64K, 512M, 1.5G", text);
	if (*end) {
		suffix = strchr(suffixes, toupper((unsigned char)*end));
		if (suffix) {
			number *= (long double)(1ULL << (10 * (suffix - suffixes + 1)));
			end++;
		}
		if (strcasecmp(end, "iB") == 0)
			end += 2;
		else if (strcasecmp(end, "B") == 0)
			end++;
	}
	if (*end)
		return error_set(
			err, -EINVAL, "\"%s\" is not a size; write e.g. 64K, 512M, 1.5G", text);
	if (number >= TOO_LARGE)
		return error_set(err, -ERANGE, "%s is too large a size", text);
	if (number != floorl(number))
		number = roundl(number);
	*ret_bytes = (uint64_t)number;
	return 0;
}

int duration_parse(const char *text, int64_t *ret_ns, struct error *err)
{
	static const struct {
		const char *name;
		int64_t ns;
	} units[] = {
		{ "ns", 1 },
		{ "us", NS_PER_US },
		{ "ms", NS_PER_MS },
		{ "s", NS_PER_S },
		{ "", NS_PER_S },
		{ "m", 60 * NS_PER_S },
		{ "min", 60 * NS_PER_S },
		{ "h", 3600 * NS_PER_S },
	};
	long double number;
	const char *end = number_parse(text, &number);

	for (size_t i = 0; end && i < ARRAY_SIZE(units); i++) {
		if (strcmp(end, units[i].name))
			continue;
		number *= units[i].ns;
		if (number >= TOO_LARGE)
			return error_set(err, -ERANGE, "%s is too long a time", text);
		*ret_ns = (int64_t)roundl(number);
		return 0;
	}
	return error_set(err, -EINVAL, "\"%s\" is not a time; write e.g. 250ms, 3s, 10m", text);
}

int count_parse(const char *text, uint64_t *ret_count, struct error *err)
{
	long double number;
	const char *end = number_parse(text, &number);

	if (end && *end) {
		if (!strcmp(end, "k") || !strcmp(end, "K"))
			number *= 1e3L;
		else if (!strcmp(end, "M"))
			number *= 1e6L;
		else if (!strcmp(end, "G"))
			number *= 1e9L;
		else
			end = NULL;
	}
	if (!end || number != floorl(number))
		return error_set(err, -EINVAL, "\"%s\" is not a whole number", text);
	if (number >= TOO_LARGE)
		return error_set(err, -ERANGE, "%s is too large a number", text);
	*ret_count = (uint64_t)number;
	return 0;
}

int size_parse(const char *text, struct size *ret_size, struct error *err)
{
	struct size size = { 0 };
	long double number;
	const char *end = number_parse(text, &number);
	int r;

	if (end && !strcmp(end, "%")) {
		if (number * 10 > UINT32_MAX || number * 10 < 1)
			return error_set(err, -ERANGE, "%s is out of range; from 0.1%% on", text);
		size.permille = (uint32_t)roundl(number * 10);
	} else {
		r = bytes_parse(text, &size.bytes, err);
		if (r < 0)
			return r;
	}
	*ret_size = size;
	return 0;
}

uint64_t size_of(const struct size *size, uint64_t whole)
{
	unsigned __int128 bytes;

	if (!size->permille)
		return size->bytes;
	bytes = (unsigned __int128)whole * size->permille / 1000;
	return bytes > INT64_MAX ? INT64_MAX : (uint64_t)bytes;
}

const char *bytes_spell(uint64_t bytes, char *buf, size_t size)
{
	static const char suffixes[] = "KMGTPE";
	int power = 0;

	while (power < 6 && bytes && bytes % 1024 == 0) {
		bytes /= 1024;
		power++;
	}
	if (power)
		snprintf(buf, size, "%llu%c", (unsigned long long)bytes, suffixes[power - 1]);
	else
		snprintf(buf, size, "%llu", (unsigned long long)bytes);
	return buf;
}

const char *duration_spell(int64_t ns, char *buf, size_t size)
{
	long long value = ns;

	if (value % NS_PER_S == 0)
		snprintf(buf, size, "%llds", value / NS_PER_S);
	else if (value % NS_PER_MS == 0)
		snprintf(buf, size, "%lldms", value / NS_PER_MS);
	else if (value % NS_PER_US == 0)
		snprintf(buf, size, "%lldus", value / NS_PER_US);
	else
		snprintf(buf, size, "%lldns", value);
	return buf;
}

const char *bytes_render(uint64_t bytes, char *buf, size_t size)
{
	static const char *const names[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double value = (double)bytes;
	size_t power = 0;

	while (value >= 999.5 && power < ARRAY_SIZE(names) - 1) {
		value /= 1024;
		power++;
	}
	if (power == 0)
		snprintf(buf, size, "%.0f B", value);
	else
		snprintf(buf, size, "%.*f %s",
			value < 9.995	? 2
			: value < 99.95 ? 1
					: 0,
			value, names[power]);
	return buf;
}
