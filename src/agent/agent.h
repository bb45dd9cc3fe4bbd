// SPDX-License-Identifier: GPL-2.0-or-later
/* Contend in a guest: the first process, which conducts one trial and ends the machine. */
#ifndef AGENT_AGENT_H
#define AGENT_AGENT_H

#include "base/error.h"

/*
 * Does everything up to the end of the record: mounts, modules, disk, box, trial. -EPERM: this is
 * no guest. What goes wrong on the way is told to the host, too.
 */
int agent_run(struct error *err);

/* Ends the machine at once. Does not return. */
void agent_power_off(void) __attribute__((noreturn));

#endif
