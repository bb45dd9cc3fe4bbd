// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include <elf.h>
#include <stdio.h>

#include "base/file.h"
#include "kernel/kernel.h"
#include "kernel/module.h"

static struct error err;
static char top[] = "/tmp/contend-module-XXXXXX";

/* The least ELF object that has a .modinfo. Returns its size. */
static size_t build(char *data, size_t room, const char *depends)
{
	static const char names[] = "\0.shstrtab\0.modinfo";
	Elf64_Ehdr header = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB },
		.e_shoff = sizeof(header),
		.e_shnum = 3,
		.e_shstrndx = 1,
	};
	Elf64_Shdr sections[3] = { 0 };
	char info[256];
	size_t size = sizeof(header) + sizeof(sections);
	size_t n = (size_t)snprintf(
			   info, sizeof(info), "license=GPL%cdepends=%s%cname=x", 0, depends, 0) +
		   1;

	sections[1] = (Elf64_Shdr) { .sh_name = 1, .sh_offset = size, .sh_size = sizeof(names) };
	sections[2] =
		(Elf64_Shdr) { .sh_name = 11, .sh_offset = size + sizeof(names), .sh_size = n };
	assert_true(size + sizeof(names) + n <= room);
	memcpy(data, &header, sizeof(header));
	memcpy(data + sizeof(header), sections, sizeof(sections));
	memcpy(data + size, names, sizeof(names));
	memcpy(data + size + sizeof(names), info, n);
	return size + sizeof(names) + n;
}

static void put_module(const char *file, const char *depends)
{
	char path[256], data[1024];
	size_t size = build(data, sizeof(data), depends);

	snprintf(path, sizeof(path), "%s/kernel/%s", top, file);
	assert_int_equal(file_write(path, data, size, &err), 0);
}

static int make_tree(void **state)
{
	char path[256];

	(void)state;
	assert_non_null(mkdtemp(top));
	snprintf(path, sizeof(path), "%s/kernel/drivers", top);
	assert_int_equal(directory_make(path, &err), 0);
	put_module("drivers/nd-pmem.ko", "libnvdimm,nd_btt");
	put_module("nd_btt.ko", "libnvdimm");
	put_module("libnvdimm.ko", "");
	put_module("lonely.ko", "built_in");
	put_module("one.ko", "two");
	put_module("two.ko", "one");
	snprintf(path, sizeof(path), "%s/kernel/wrong.ko", top);
	assert_int_equal(file_write(path, "no module", 9, &err), 0);
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	return tree_remove(top, &err);
}

static void each_module_stands_behind_those_that_it_needs(void **state)
{
	static const char *const wanted[] = { "nd_btt", "nd_pmem", "lonely", "not_there", NULL };
	static const char *const order[] = { "libnvdimm", "nd_btt", "nd_pmem", "lonely" };
	struct modules modules CLEANUP(modules_done) = { 0 };

	(void)state;
	assert_int_equal(modules_read(top, wanted, &modules, &err), 0);
	assert_int_equal(modules.n, ARRAY_SIZE(order));
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		assert_string_equal(modules.items[i].name, order[i]);
}

static void a_kernel_without_modules_needs_none(void **state)
{
	static const char *const wanted[] = { "nd_btt", NULL };
	struct modules modules CLEANUP(modules_done) = { 0 };

	(void)state;
	assert_int_equal(modules_read("", wanted, &modules, &err), 0);
	assert_int_equal(modules.n, 0);
}

static void modules_that_cannot_be_are_refused(void **state)
{
	struct modules modules;

	(void)state;
	assert_int_equal(
		modules_read(top, (const char *[]) { "wrong", NULL }, &modules, &err), -EBADMSG);
	assert_int_equal(
		modules_read(top, (const char *[]) { "one", NULL }, &modules, &err), -ELOOP);
}

static void info_is_read_within_the_file_whatever_is_cut(void **state)
{
	char data[1024];
	size_t size = build(data, sizeof(data), "a,b");

	(void)state;
	assert_string_equal(module_info(data, size, "depends"), "a,b");
	assert_string_equal(module_info(data, size, "license"), "GPL");
	assert_null(module_info(data, size, "depend"));
	for (size_t n = 0; n < size; n++) {
		char *cut CLEANUP(free_text) = malloc(n + 1);

		memcpy(cut, data, n);
		module_info(cut, n, "depends");
	}
}

static void names_are_the_kernels(void **state)
{
	char name[64];

	(void)state;
	assert_true(module_name("/x/zram/zram-core.ko.xz", name));
	assert_string_equal(name, "zram_core");
	assert_true(module_name("a.ko", name));
	assert_false(module_name("a.ko.sig", name));
	assert_false(module_name("modules.order", name));
	assert_false(module_name(".ko", name));
}

static void an_image_says_its_release_and_others_are_none(void **state)
{
	char path[256], data[1024] = "", release[KERNEL_RELEASE_SIZE];

	(void)state;
	snprintf(path, sizeof(path), "%s/image", top);
	memcpy(data + 0x202, "HdrS", 4);
	data[0x20e] = 0x40;
	data[0x20f] = 0x01;
	strcpy(data + 0x340, "6.1.0-9-cloud-amd64 (debian) #1");
	assert_int_equal(file_write(path, data, sizeof(data), &err), 0);
	assert_int_equal(kernel_image_read(path, release, &err), 0);
	assert_string_equal(release, "6.1.0-9-cloud-amd64");
	assert_int_equal(file_write(path, "#!/bin/sh\n", 10, &err), 0);
	assert_int_equal(kernel_image_read(path, release, &err), -ENOEXEC);
	assert_int_equal(kernel_image_read(top, release, &err), -EISDIR);
	assert_int_equal(kernel_image_read("/none", release, &err), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_module_stands_behind_those_that_it_needs),
		cmocka_unit_test(a_kernel_without_modules_needs_none),
		cmocka_unit_test(modules_that_cannot_be_are_refused),
		cmocka_unit_test(info_is_read_within_the_file_whatever_is_cut),
		cmocka_unit_test(names_are_the_kernels),
		cmocka_unit_test(an_image_says_its_release_and_others_are_none),
	};

	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
