// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Formats that contend never writes. Linked in front of libarchive.a, these keep its own out, and
 * with them libxml2 and ICU: 36 MB that every guest would have to hold in its RAM.
 */
#include <archive.h>

#include "base/cleanup.h"

static int refuse(struct archive *archive)
{
	archive_set_error(archive, EOPNOTSUPP, "contend is built without this format");
	return ARCHIVE_FATAL;
}

int archive_write_set_format_7zip(struct archive *archive)
{
	return refuse(archive);
}

int archive_write_set_format_mtree(struct archive *archive)
{
	return refuse(archive);
}

int archive_write_set_format_mtree_classic(struct archive *archive)
{
	return refuse(archive);
}

int archive_write_set_format_warc(struct archive *archive)
{
	return refuse(archive);
}

int archive_write_set_format_xar(struct archive *archive)
{
	return refuse(archive);
}

int archive_write_set_format_zip(struct archive *archive)
{
	return refuse(archive);
}
