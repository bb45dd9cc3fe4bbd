// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/utf8.h"

#include <stdint.h>

size_t utf8_length(const char *text)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *at = (const unsigned char *)text;
	uint32_t code;
	size_t n;

	if (at[0] < 0x80)
		return 1;
	n = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : at[0] >= 0xc0 ? 2 : 0;
	if (!n || at[0] >= 0xf8)
		return 0;
	code = at[0] & (0x7fU >> n);
	for (size_t i = 1; i < n; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3f);
	}
	if (code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return 0;
	return n;
}

char *utf8_clean(char *text)
{
	unsigned char *at = (unsigned char *)text;

	while (at && *at) {
		size_t n = utf8_length((const char *)at);

		if (n == 0)
			*at = '?';
		else if (n == 1 && (*at < 0x20 || *at == 0x7f))
			*at = ' ';
		else if (n == 2 && at[0] == 0xc2 && at[1] < 0xa0)
			at[0] = at[1] = ' '; /* C1: some terminals obey these, too */
		at += n ? n : 1;
	}
	return text;
}

size_t utf8_width(const char *text, size_t bytes)
{
	size_t width = 0;

	for (size_t i = 0; i < bytes; i++)
		width += ((unsigned char)text[i] & 0xc0) != 0x80;
	return width;
}
