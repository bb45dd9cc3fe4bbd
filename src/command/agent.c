// SPDX-License-Identifier: GPL-2.0-or-later
/* contend agent: the first process of a guest. */
#include "agent/agent.h"

#include "command/subcommand.h"

static int agent_main(int argc, char **argv)
{
	struct error err;
	int r;

	(void)argc;
	(void)argv;
	r = agent_run(&err);
	if (r < 0)
		fail(&err);
	/* -EPERM: not a guest, and a machine that must not be switched off. */
	if (r != -EPERM)
		agent_power_off();
	return EXIT_TROUBLE;
}

const struct subcommand subcommand_agent = {
	.name = "agent",
	.summary = "conduct a trial as the first process of a virtual machine",
	.hidden = true,
	.repairs = true,
	.run = agent_main,
};
