// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernel images made here: headers, a payload, and an ELF file with or without the note. */
#include "test.h"

#include <archive.h>
#include <archive_entry.h>
#include <elf.h>
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "kernel/vmlinux.h"

#define NOTE_AT (sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr))
#define ENTRY 18 /* XEN_ELFNOTE_PHYS32_ENTRY */

struct note {
	uint32_t name_size, size, type;
	char name[4];
	uint64_t entry;
};

struct kernel {
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	struct note other, note;
};

static char directory[] = "/tmp/contend-test-XXXXXX";
static char image[64], out[64];

static struct kernel kernel_of(uint32_t type)
{
	struct kernel kernel = {
		.header = { .e_phoff = sizeof(Elf64_Ehdr), .e_phnum = 1 },
		.segment = { .p_type = PT_NOTE,
			.p_offset = NOTE_AT,
			.p_filesz = 2 * sizeof(struct note) },
		.other = { 4, 8, 1, "GNU", 0 },
		.note = { 4, 8, type, "Xen", 0x1000000 },
	};

	memcpy(kernel.header.e_ident, ELFMAG, SELFMAG);
	return kernel;
}

/* As the kernel's build does it: gzip, and the size that it unpacks to behind it. */
static size_t pack(const void *data, size_t size, char *buf, size_t room)
{
	struct archive *archive = archive_write_new();
	struct archive_entry *entry = archive_entry_new();
	uint32_t length = (uint32_t)size;
	size_t used;

	archive_write_add_filter_gzip(archive);
	archive_write_set_format_raw(archive);
	assert_int_equal(archive_write_open_memory(archive, buf, room, &used), ARCHIVE_OK);
	archive_entry_set_filetype(entry, AE_IFREG);
	assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
	assert_int_equal(archive_write_data(archive, data, size), size);
	archive_write_close(archive);
	archive_write_free(archive);
	archive_entry_free(entry);
	memcpy(buf + used, &length, sizeof(length));
	return used + sizeof(length);
}

/* Documentation/arch/x86/boot.rst: one sector of boot code, one of setup, the payload 64 behind. */
static size_t image_of(const struct kernel *kernel, char *buf, size_t room)
{
	const uint32_t payload = 64;
	size_t start = 2 * 512 + payload;
	uint32_t length = (uint32_t)pack(kernel, sizeof(*kernel), buf + start, room - start);

	memset(buf, 0, start);
	buf[0x1f1] = 1;
	memcpy(buf + 0x202, "HdrS", 4);
	memcpy(buf + 0x248, &payload, sizeof(payload));
	memcpy(buf + 0x24c, &length, sizeof(length));
	return start + length;
}

static int unpack(const char *data, size_t size)
{
	struct error err;

	unlink(out);
	assert_int_equal(file_write(image, data, size, NULL), 0);
	return vmlinux_write(image, out, &err);
}

static void the_kernel_comes_out_as_it_went_in(void **state)
{
	struct kernel kernel = kernel_of(ENTRY);
	char buf[8192], *found CLEANUP(free_text) = NULL;
	size_t size;

	(void)state;
	assert_int_equal(unpack(buf, image_of(&kernel, buf, sizeof(buf))), 0);
	assert_int_equal(file_read(out, &found, &size, NULL), 0);
	assert_int_equal(size, sizeof(kernel));
	assert_memory_equal(found, &kernel, size);
}

static void a_kernel_without_the_entry_is_left_alone(void **state)
{
	struct kernel kernel = kernel_of(ENTRY + 1);
	char buf[8192];

	(void)state;
	assert_int_equal(unpack(buf, image_of(&kernel, buf, sizeof(buf))), -EOPNOTSUPP);
	assert_int_equal(access(out, F_OK), -1);
}

/* Nothing behind the end is read: the sanitizers look on. */
static void an_image_that_is_cut_or_lies_is_refused(void **state)
{
	struct kernel kernel = kernel_of(ENTRY);
	char buf[8192];
	size_t size = image_of(&kernel, buf, sizeof(buf));

	(void)state;
	for (size_t cut = 0; cut < size; cut += 7)
		assert_int_equal(unpack(buf, cut), -EOPNOTSUPP);
	memset(buf + 0x248, 0xff, 4);
	assert_int_equal(unpack(buf, size), -EOPNOTSUPP);
	assert_int_equal(unpack("no kernel at all", 16), -EOPNOTSUPP);
}

static void notes_that_lie_have_no_entry(void **state)
{
	struct kernel kernel = kernel_of(ENTRY);

	(void)state;
	for (size_t cut = 0; cut < sizeof(kernel); cut++)
		assert_false(vmlinux_has_entry((const char *)&kernel, cut));
	assert_true(vmlinux_has_entry((const char *)&kernel, sizeof(kernel)));
	kernel.other.size = UINT32_MAX;
	assert_false(vmlinux_has_entry((const char *)&kernel, sizeof(kernel)));
	kernel = kernel_of(ENTRY);
	kernel.segment.p_filesz = UINT64_MAX;
	assert_false(vmlinux_has_entry((const char *)&kernel, sizeof(kernel)));
}

static int start(void **state)
{
	(void)state;
	if (!mkdtemp(directory))
		return -1;
	snprintf(image, sizeof(image), "%s/image", directory);
	snprintf(out, sizeof(out), "%s/out", directory);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	return tree_remove(directory, NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernel_comes_out_as_it_went_in),
		cmocka_unit_test(a_kernel_without_the_entry_is_left_alone),
		cmocka_unit_test(an_image_that_is_cut_or_lies_is_refused),
		cmocka_unit_test(notes_that_lie_have_no_entry),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
