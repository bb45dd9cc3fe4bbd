// SPDX-License-Identifier: GPL-2.0-or-later
/* In place of track_make.c where libmp3lame is not there. */
#include "base/cleanup.h"
#include "workload/track.h"

int track_make_possible(struct error *err)
{
	return error_set(err, -EOPNOTSUPP,
		"no default track: this contend was built without libmp3lame; give file=FILE.mp3, "
		"or install libmp3lame-dev and build it again");
}

int track_make(const char *path, const void *data, struct error *err)
{
	(void)path;
	(void)data;
	return track_make_possible(err);
}
