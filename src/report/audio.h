// SPDX-License-Identifier: GPL-2.0-or-later
/* What was heard of the music beside a test: "mp3 played 297 s of 304 s (97.7 %), 3 dropouts". */
#ifndef REPORT_AUDIO_H
#define REPORT_AUDIO_H

#include "report/contest.h"

/* Of one player in one trial's window. */
struct hearing {
	double window_s;
	double played_s;
	size_t dropouts;
	double longest_s; /* of them, as far as it was in the window */
};

/* What the player in this role was heard to play. False: there is none. */
bool hearing_read(struct results *results, const struct result *trial, const char *role,
	struct hearing *ret_hearing);

/* Notes below the table, one for each player: the group's trials that count, added up. */
void hearing_note_group(struct table *table, const struct group *group);

/* The same for one trial, with the time of each dropout. */
void hearing_note_trial(struct table *table, struct results *results, const struct result *trial);

#endif
