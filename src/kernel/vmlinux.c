// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/vmlinux.h"

#include <archive.h>
#include <archive_entry.h>
#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"

/* Documentation/arch/x86/boot.rst */
#define SECTORS_AT 0x1f1 /* u8: of the real-mode code, without the first */
#define MAGIC_AT 0x202
#define PAYLOAD_AT 0x248 /* u32: behind the real-mode code */
#define PAYLOAD_LENGTH_AT 0x24c /* u32: with the size that it unpacks to in its last 4 bytes */
#define SECTOR 512

#define NOTE_PHYS32_ENTRY 18
#define LARGEST (256 << 20)

static uint32_t get_u32(const char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return le32toh(value);
}

/* The compressed kernel in the image. */
static bool find_payload(const char *data, size_t size, const char **ret_at, size_t *ret_size)
{
	size_t sectors, start, length;

	if (size < PAYLOAD_LENGTH_AT + 4 || memcmp(data + MAGIC_AT, "HdrS", 4) != 0)
		return false;
	sectors = (unsigned char)data[SECTORS_AT] ? (unsigned char)data[SECTORS_AT] : 4;
	start = (sectors + 1) * SECTOR + get_u32(data + PAYLOAD_AT);
	length = get_u32(data + PAYLOAD_LENGTH_AT);
	if (length < 8 || start > size || length > size - start)
		return false;
	*ret_at = data + start;
	*ret_size = length - 4;
	return true;
}

/* Notes of one segment: name size, size, type, name and contents, each to 4 bytes. */
static bool notes_have_entry(const char *at, size_t left)
{
	while (left >= 12) {
		size_t name = get_u32(at), content = get_u32(at + 4);
		size_t whole = 12 + ((name + 3) & ~(size_t)3) + ((content + 3) & ~(size_t)3);

		if (whole > left)
			return false;
		if (name == 4 && !memcmp(at + 12, "Xen", 4) && get_u32(at + 8) == NOTE_PHYS32_ENTRY)
			return true;
		at += whole;
		left -= whole;
	}
	return false;
}

_Bool vmlinux_has_entry(const char *data, size_t size)
{
	Elf64_Ehdr header;
	Elf64_Phdr segment;

	if (size < sizeof(header))
		return 0;
	memcpy(&header, data, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phoff > size ||
		(size - header.e_phoff) / sizeof(segment) < header.e_phnum)
		return 0;
	for (size_t i = 0; i < header.e_phnum; i++) {
		memcpy(&segment, data + header.e_phoff + i * sizeof(segment), sizeof(segment));
		if (segment.p_type == PT_NOTE && segment.p_offset <= size &&
			segment.p_filesz <= size - segment.p_offset &&
			notes_have_entry(data + segment.p_offset, segment.p_filesz))
			return 1;
	}
	return 0;
}

static void close_reading(struct archive **archive)
{
	if (*archive)
		archive_read_free(*archive);
}

static bool unpack(const char *payload, size_t size, char **ret_data, size_t *ret_size)
{
	struct archive *archive CLEANUP(close_reading) = archive_read_new();
	char *data CLEANUP(free_text) = malloc(LARGEST);
	struct archive_entry *entry;
	la_ssize_t n;
	size_t used = 0;

	if (!archive || !data)
		return false;
	archive_read_support_filter_gzip(archive);
	archive_read_support_filter_lz4(archive);
	archive_read_support_filter_xz(archive);
	archive_read_support_filter_zstd(archive);
	archive_read_support_format_raw(archive);
	if (archive_read_open_memory(archive, payload, size) != ARCHIVE_OK ||
		archive_read_next_header(archive, &entry) != ARCHIVE_OK)
		return false;
	while ((n = archive_read_data(archive, data + used, LARGEST - used)) > 0)
		used += (size_t)n;
	if (n < 0)
		return false;
	*ret_data = data;
	*ret_size = used;
	data = NULL;
	return true;
}

int vmlinux_write(const char *image, const char *path, struct error *err)
{
	char *data CLEANUP(free_text) = NULL, *kernel CLEANUP(free_text) = NULL;
	const char *payload;
	size_t size, packed;
	int r = file_read(image, &data, &size, err);

	if (r < 0)
		return r;
	if (!find_payload(data, size, &payload, &packed) ||
		!unpack(payload, packed, &kernel, &size) || !vmlinux_has_entry(kernel, size))
		return error_set(err, -EOPNOTSUPP, "%s has no vmlinux that can be booted", image);
	return file_write(path, kernel, size, err);
}
