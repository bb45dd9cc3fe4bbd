// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a trial ran on: kernel, settings, memory, disks, CPUs. Two environments are compared key by
 * key, so a text is one line, spelled the same on every machine, and holds nothing that changes by
 * itself but for swap.N.used_bytes. docs/samplers.md lists the keys.
 */
#ifndef SAMPLER_ENVIRONMENT_H
#define SAMPLER_ENVIRONMENT_H

#include "base/root.h"

/*
 * Calls put() for each thing that is known, in an order that does not change; what this kernel
 * lacks is not put. Texts live as long as the call. `scratch` may be NULL.
 */
int environment_read(const struct root *root, const char *scratch,
	void (*put)(void *data, const char *key, const char *text), void *data);

/*
 * Puts "kernel.config", all options with which the running kernel was built, one a line as in its
 * .config, if /proc/config.gz or /boot/config-RELEASE has them. This much does not change while
 * the kernel runs.
 */
void environment_read_config(const struct root *root,
	void (*put)(void *data, const char *key, const char *text), void *data);

#endif
