// SPDX-License-Identifier: GPL-2.0-or-later
/* What an app and its driver say to each other, on a socket that keeps messages whole. */
#ifndef WORKLOAD_APP_PROTOCOL_H
#define WORKLOAD_APP_PROTOCOL_H

#include "workload/app.h"

/* The app's end. */
#define APP_SOCKET 0

/* The first message to it; every other one is a byte, and asks. */
struct app_order {
	struct set_plan plan;
	uint64_t seed;
};

struct app_message {
	int code; /* negative: it failed, as the error says, and ends */
	struct error error;
	struct app_answer answer;
};

#endif
