// SPDX-License-Identifier: GPL-2.0-or-later
/* In place of card_alsa.c where libasound is not there. */
#include "base/cleanup.h"
#include "workload/card_alsa.h"

static int not_built(struct error *err)
{
	return error_set(err, -EOPNOTSUPP,
		"device: this contend was built without libasound; install libasound2-dev and "
		"build it again");
}

int alsa_card_possible(struct error *err)
{
	return not_built(err);
}

int alsa_card_check(const char *device, struct error *err)
{
	(void)device;
	return not_built(err);
}

int alsa_card_open(const struct alsa_plan *plan, struct alsa_card **ret_card, struct error *err)
{
	(void)plan;
	(void)ret_card;
	return not_built(err);
}

void alsa_card_close(struct alsa_card *card)
{
	(void)card;
}

int alsa_card_write(struct alsa_card *card, const void *frames, uint64_t n, struct error *err)
{
	(void)card;
	(void)frames;
	(void)n;
	return not_built(err);
}

const struct heard *alsa_card_heard(struct alsa_card *card)
{
	(void)card;
	return NULL;
}

void alsa_card_sizes(const struct alsa_card *card, uint64_t *ret_size, uint64_t *ret_period)
{
	(void)card;
	*ret_size = *ret_period = 0;
}
