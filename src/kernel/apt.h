// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Debian packages, through apt with lists, cache and status of its own: the system's apt is neither
 * read nor changed, but for its sources, which name the mirror, and its settings (a proxy).
 */
#ifndef KERNEL_APT_H
#define KERNEL_APT_H

#include <limits.h>
#include <stddef.h>

#include "base/error.h"

/* Where this machine gets Debian from. */
struct apt_mirror {
	char uri[256]; /* "http://deb.debian.org/debian" */
	char signed_by[256]; /* path of the keyring; "": those that apt trusts */
	char suite[64]; /* the first that is configured: "bookworm" */
};

/*
 * Reads apt's configured sources below `etc` ("/etc/apt"): sources.list, and sources.list.d in both
 * forms. The mirror is the first whose suite is no -security, -updates or the like and whose
 * component is main. -EOPNOTSUPP: there is none.
 */
int apt_mirror_read(const char *etc, struct apt_mirror *ret_mirror, struct error *err);

/* One form of sources each; both set the mirror's fields if the text names one. Return whether. */
_Bool apt_parse_list(const char *text, struct apt_mirror *mirror);
_Bool apt_parse_deb822(const char *text, struct apt_mirror *mirror);

/* A package that has been unpacked. */
struct apt_tree {
	char path[PATH_MAX]; /* the directory that holds usr/, boot/ ... */
	char package
		[128]; /* "NAME_VERSION" of the first package that is no mere name for another */
};

/*
 * Fetches packages of a suite, with those that they depend on whose names begin with one of
 * `follow` (ends in NULL), and unpacks all into one directory of the cache, once. Lists older than
 * a day are fetched anew; without a network what is there serves. -EOPNOTSUPP: no apt, no such
 * suite or package, or no network.
 */
int apt_fetch(const char *cache, const char *suite, const char *const names[],
	const char *const follow[], struct apt_tree *ret_tree, struct error *err);

/* Unpacks a .deb into a directory of the cache, once. */
int apt_unpack(const char *cache, const char *deb, struct apt_tree *ret_tree, struct error *err);

/*
 * Takes from the text of `apt-cache show` the field of the first paragraph, without line breaks.
 * False: it has none.
 */
_Bool apt_field(const char *text, const char *field, char *buf, size_t size);

/* Takes the next package name of a Depends field off *rest; NULL at the end. */
const char *apt_next_dependency(const char **rest, char *buf, size_t size);

#endif
