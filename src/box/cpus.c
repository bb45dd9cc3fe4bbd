// SPDX-License-Identifier: GPL-2.0-or-later
/* Which CPUs the box may use. */
#include <inttypes.h>
#include <string.h>

#include "box/inside.h"

/* Leaves the first n CPUs of the set. */
static void keep_first(cpu_set_t *set, size_t size, unsigned n)
{
	for (size_t cpu = 0; cpu < 8 * size; cpu++) {
		if (!CPU_ISSET_S(cpu, size, set))
			continue;
		if (n)
			n--;
		else
			CPU_CLR_S(cpu, size, set);
	}
}

/* The kernel wants room for every CPU that it could have: -EINVAL until there is. */
static int read_affinity(cpu_set_t **ret_set, size_t *ret_size, struct error *err)
{
	for (size_t cpus = 1024; cpus <= 1 << 20; cpus *= 2) {
		cpu_set_t *set = CPU_ALLOC(cpus);
		int r;

		if (!set)
			return error_errno(err, -ENOMEM, "CPU mask");
		if (sched_getaffinity(0, CPU_ALLOC_SIZE(cpus), set) == 0) {
			*ret_set = set;
			*ret_size = CPU_ALLOC_SIZE(cpus);
			return 0;
		}
		r = -errno;
		CPU_FREE(set);
		if (r != -EINVAL)
			return error_errno(err, r, "cannot read the CPU mask");
	}
	return error_set(err, -EINVAL, "cannot read the CPU mask: more than a million CPUs");
}

int box_find_cpus(struct box *box, uint64_t wanted, struct error *err)
{
	int r = read_affinity(&box->cpus, &box->cpus_size, err);

	if (r < 0)
		return r;
	box->n_cpus = (unsigned)CPU_COUNT_S(box->cpus_size, box->cpus);
	if (wanted > box->n_cpus)
		box_note(box, "CPUs: %u, not %" PRIu64 ": this process is allowed no more",
			box->n_cpus, wanted);
	if (wanted && wanted < box->n_cpus) {
		keep_first(box->cpus, box->cpus_size, (unsigned)wanted);
		box->n_cpus = (unsigned)wanted;
	}
	return 0;
}

cpu_set_t *box_first_cpus(const struct box *box, unsigned n)
{
	cpu_set_t *cpus = CPU_ALLOC(8 * box->cpus_size);

	if (!cpus)
		return NULL;
	memcpy(cpus, box->cpus, box->cpus_size);
	keep_first(cpus, box->cpus_size, n);
	return cpus;
}

void cpus_free(cpu_set_t **cpus)
{
	if (*cpus)
		CPU_FREE(*cpus);
}
