// SPDX-License-Identifier: GPL-2.0-or-later
/* What a kernel's file says of itself: Documentation/arch/x86/boot.rst. */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "kernel/kernel.h"

#define HEAD_SIZE (64 * 1024)
#define MAGIC_AT 0x202 /* "HdrS" */
#define VERSION_AT 0x20e /* u16: the release's place, less 0x200 */

static int not_a_kernel(const char *path, const char *why, struct error *err)
{
	return error_set(err, -ENOEXEC, "%s is no kernel for x86-64: %s", path, why);
}

static int read_bzimage(const char *path, const char *head, size_t n,
	char release[KERNEL_RELEASE_SIZE], struct error *err)
{
	size_t at = 0x200u + (unsigned char)head[VERSION_AT] +
		    256u * (unsigned char)head[VERSION_AT + 1];
	size_t length;

	if (at == 0x200 || at >= n)
		return not_a_kernel(path, "its header names no version", err);
	length = strcspn(head + at, " ");
	if (length >= KERNEL_RELEASE_SIZE)
		return not_a_kernel(path, "its header names no version", err);
	memcpy(release, head + at, length);
	release[length] = '\0';
	return 0;
}

/* A vmlinux has its banner ("Linux version ...", init/version.c) somewhere in its data. */
static int read_vmlinux(int fd, char release[KERNEL_RELEASE_SIZE])
{
	static const char banner[] = "Linux version ";
	off_t size = lseek(fd, 0, SEEK_END);
	char *data =
		size > 0 ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	const char *at;

	release[0] = '\0';
	if (data == MAP_FAILED)
		return 0;
	at = memmem(data, (size_t)size, banner, strlen(banner));
	if (at && data + size - at > 256) {
		size_t length;

		at += strlen(banner);
		length = strcspn(at, " ");
		if (length < KERNEL_RELEASE_SIZE) {
			memcpy(release, at, length);
			release[length] = '\0';
		}
	}
	munmap(data, (size_t)size);
	return 0;
}

int kernel_image_read(const char *path, char release[KERNEL_RELEASE_SIZE], struct error *err)
{
	int fd CLEANUP(close_fd) = open(path, O_RDONLY | O_CLOEXEC);
	char *head CLEANUP(free_text) = calloc(1, HEAD_SIZE + 1);
	Elf64_Ehdr elf;
	ssize_t n;

	if (fd < 0)
		return error_errno(err, -errno, "kernel %s", path);
	if (!head)
		return error_errno(err, -ENOMEM, "kernel %s", path);
	n = pread(fd, head, HEAD_SIZE, 0);
	if (n < 0)
		return error_errno(err, -errno, "kernel %s", path);
	if (n > MAGIC_AT + 64 && !memcmp(head + MAGIC_AT, "HdrS", 4))
		return read_bzimage(path, head, (size_t)n, release, err);
	if (n < (ssize_t)sizeof(elf))
		return not_a_kernel(path, "too short", err);
	memcpy(&elf, head, sizeof(elf));
	if (memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 || elf.e_machine != EM_X86_64)
		return not_a_kernel(path, "neither a bzImage nor a vmlinux", err);
	if (elf.e_type != ET_EXEC)
		return not_a_kernel(path, "an ELF file, but no executable one", err);
	return read_vmlinux(fd, release);
}

_Bool kernel_version(const char *release, unsigned *ret_major, unsigned *ret_minor)
{
	unsigned major, minor;

	if (sscanf(release, "%u.%u", &major, &minor) != 2)
		return 0;
	*ret_major = major;
	*ret_minor = minor;
	return 1;
}
