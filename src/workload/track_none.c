// SPDX-License-Identifier: GPL-2.0-or-later
/* In place of track.c and track_check.c where libmpg123 is not there. */
#include "base/cleanup.h"
#include "workload/track.h"

static int not_built(struct error *err)
{
	return error_set(err, -EOPNOTSUPP,
		"this contend was built without libmpg123; install libmpg123-dev and build it "
		"again");
}

int track_possible(struct error *err)
{
	return not_built(err);
}

int track_check(const char *path, struct error *err)
{
	(void)path;
	return not_built(err);
}

int track_open(const char *path, struct track **ret_track, struct error *err)
{
	(void)path;
	(void)ret_track;
	return not_built(err);
}

void track_close(struct track *track)
{
	(void)track;
}

void track_cleanup(struct track **track)
{
	(void)track;
}

const struct track_format *track_format(const struct track *track)
{
	(void)track;
	return NULL;
}

int track_read(struct track *track, void *frames, uint64_t room, uint64_t *ret_n, struct error *err)
{
	(void)track;
	(void)frames;
	(void)room;
	(void)ret_n;
	return not_built(err);
}
