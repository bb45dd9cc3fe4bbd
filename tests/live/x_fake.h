// SPDX-License-Identifier: GPL-2.0-or-later
/* An X program that behaves as it is told to, well or not. */
#ifndef LIVE_X_FAKE_H
#define LIVE_X_FAKE_H

/* Each of the two children that a "family" has at every painting touches that many pages. */
#define X_FAKE_PAGES 1024

/* Its main(): returns its exit status. */
int x_fake_main(const char *behaviour);

#endif
