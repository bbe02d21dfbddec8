/* From the app to a sitting: store, library, GPU, settings and time; what goes wrong is said. */
#ifndef WD_TUI_PRACTICE_SITTING_H
#define WD_TUI_PRACTICE_SITTING_H

#include "drills/progress/sitting.h"
#include "tui/app/app.h"

void practice_open(struct app *app, struct sitting *s, unsigned kinds, const char *topic);
void practice_close(struct app *app, struct sitting *s);
void practice_look(struct app *app, struct sitting *s);
/* Keeps the answer; what cannot be kept yet is said, and practice_retry tries again. */
void practice_answer(struct app *app, struct sitting *s, const struct sitting_answer *answer,
                     const struct review *r);
/* A figure that was filled or placed; points for a right one. */
void practice_answer_figure(struct app *app, struct sitting *s, const struct figure_data *f,
                            enum drill_how how, const char *given, double seconds, double allowed,
                            uint64_t seed);
void practice_retry(struct app *app, struct sitting *s);
/* As sitting_undo; true when an answer was taken back. */
bool practice_undo(struct app *app, struct sitting *s, struct sitting_answer *out);

#endif
