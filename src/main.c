// SPDX-License-Identifier: GPL-2.0-or-later
#include "command/command.h"

int main(int argc, char **argv)
{
	return command_main(argc, argv);
}
