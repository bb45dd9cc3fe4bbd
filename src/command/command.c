// SPDX-License-Identifier: GPL-2.0-or-later
#include "command/command.h"

int command_main(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return EXIT_TROUBLE;
}
