// SPDX-License-Identifier: GPL-2.0-or-later
/* What can be said of a setting before it is applied. */
#ifndef SETTING_CHECK_H
#define SETTING_CHECK_H

#include <stdint.h>

#include "setting/setting.h"

/* Is it a whole number within the limits? Else -EINVAL. */
int check_number(const char *value, uint64_t least, uint64_t most, struct error *err);

/* Does the file of a setting that is no row exist? -EINVAL: the text names the nearest that does. */
int check_path(const struct root *root, const char *key, const char *path, struct error *err);

#endif
