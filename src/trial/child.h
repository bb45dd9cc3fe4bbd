// SPDX-License-Identifier: GPL-2.0-or-later
/* The instance's side: what happens in its process. */
#ifndef TRIAL_CHILD_H
#define TRIAL_CHILD_H

#include "trial/instance.h"

/* Called in the forked process; does not return. */
void child_main(struct role *role, const struct stage *stage, struct place *place, int done_fd)
	__attribute__((noreturn));

#endif
