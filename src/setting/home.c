// SPDX-License-Identifier: GPL-2.0-or-later
#include "setting/home.h"

#include <pwd.h>
#include <string.h>

#include "base/cleanup.h"

static int offer(
	struct journal_homes *homes, const char *base, const char *below, struct error *err)
{
	int n = snprintf(homes->directory[homes->n], PATH_MAX, "%s%s", base, below);

	if (n < 0 || n >= PATH_MAX)
		return error_set(err, -ENAMETOOLONG, "%.60s...: path too long", base);
	homes->n++;
	return 0;
}

int journal_homes_find(struct journal_homes *ret_homes, struct error *err)
{
	const char *named = getenv("CONTEND_JOURNAL");
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");

	ret_homes->n = 0;
	if (named && *named)
		return offer(ret_homes, named, "", err);
	if (geteuid() == 0) {
		offer(ret_homes, "/var/lib", "/contend", err);
		return offer(ret_homes, "/run", "/contend", err);
	}
	/* The XDG specification has relative paths ignored. */
	if (state && *state == '/')
		return offer(ret_homes, state, "/contend", err);
	if (!home || *home != '/') {
		const struct passwd *user = getpwuid(geteuid());

		home = user ? user->pw_dir : NULL;
	}
	if (!home || *home != '/')
		return error_set(err, -ENOENT,
			"no home directory for the undo journal: set CONTEND_JOURNAL");
	return offer(ret_homes, home, "/.local/state/contend", err);
}
