/* Where an attempt's evidence comes from: this machine's GPU, or a recording. */
#ifndef WD_TUI_PLAY_SUPPLY_H
#define WD_TUI_PLAY_SUPPLY_H

#include "scenarios/play/attempt.h"
#include "tui/app/app.h"

bool investigation_can_be_live(struct app *app,
                               const struct variant *v); /* is a GPU here that suits it? */
/* A new attempt's: the GPU here, or the recording that is preferred. Owned by the caller. */
int play_choose_supply(struct app *app, const struct variant *v, uint64_t seed, bool live,
                       struct supply **out, struct err *err);
/* A supply of the tier that an attempt was begun with. */
int investigation_same_supply(struct app *app, const struct attempt *a, struct supply **out,
                              struct err *err);
/* Is the GPU here that an attempt was begun on? */
bool play_same_gpu(const struct app *app, const struct attempt *a);

#endif
