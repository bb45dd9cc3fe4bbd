// SPDX-License-Identifier: GPL-2.0-or-later
/* cmocka with the headers that it wants in front of it. */
#ifndef TEST_H
#define TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/error.h"

#endif
