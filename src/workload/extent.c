// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/extent.h"

#include <unistd.h>

#include "base/file.h"

int extent_check_ram(const struct place *place, struct error *err)
{
	char there[32], wanted[32];

	if (place->ram_bytes >= EXTENT_RAM_MIN)
		return 0;
	return error_set(err, -EOPNOTSUPP, "the box has %s of RAM, %s is the least for this test",
		bytes_render(place->ram_bytes, there, sizeof(there)),
		bytes_render(EXTENT_RAM_MIN, wanted, sizeof(wanted)));
}

uint64_t extent_whole(uint64_t bytes, uint64_t page_size)
{
	return bytes < page_size ? page_size : bytes / page_size * page_size;
}

uint64_t extent_of_box(const struct place *place, double percent, uint64_t page_size)
{
	struct size share = { .permille = (uint32_t)(percent * 10 + 0.5) };
	uint64_t whole;

	if (__builtin_add_overflow(place->ram_bytes, place->swap_bytes, &whole))
		whole = UINT64_MAX;
	return extent_whole(size_of(&share, whole), page_size);
}

int extent_of_pages(uint64_t pages, uint64_t page_size, uint64_t *ret_bytes, struct error *err)
{
	uint64_t bytes;

	if (__builtin_mul_overflow(pages, page_size, &bytes) || bytes > INT64_MAX)
		return error_set(err, -ERANGE,
			"%llu pages of %llu bytes are more than a file can be",
			(unsigned long long)pages, (unsigned long long)page_size);
	*ret_bytes = bytes;
	return 0;
}

uint64_t extent_part(uint64_t pages, unsigned index, unsigned n)
{
	return index + 1 < n ? pages / n : pages - pages / n * (n - 1);
}

int extent_check_space(const char *directory, uint64_t bytes, unsigned n, struct error *err)
{
	char wanted[32], there[32];
	uint64_t need, available;
	int r;

	if (access(directory, F_OK) < 0)
		return 0;
	r = space_free(directory, &available, err);
	if (r < 0)
		return r;
	if (__builtin_mul_overflow(bytes + bytes / 64, (uint64_t)n, &need))
		need = UINT64_MAX;
	if (need <= available)
		return 0;
	return error_set(err, -ENOSPC, "%s: %s needed for the files, %s free", directory,
		bytes_render(need, wanted, sizeof(wanted)),
		bytes_render(available, there, sizeof(there)));
}
