/* Purchases: call, measuring, arrival; the symptom; the reveal. */
#ifndef WD_TUI_INVESTIGATION_BUY_H
#define WD_TUI_INVESTIGATION_BUY_H

#include "tui/play/investigation_state.h"

/* Asks for an estimate without buying anything. */
void buy_expect(struct app *app, struct investigation_screen *s, const struct estimate *e);
void buy_letter(struct app *app, struct investigation_screen *s, int letter);
void buy_probe(struct app *app, struct investigation_screen *s, const char *probe, char letter,
               const char *title);
void buy_cancel(struct app *app, struct investigation_screen *s);
void buy_call(struct app *app, struct investigation_screen *s, int digit);       /* 0: no call */
void buy_go_on(
    struct app *app,
    struct investigation_screen *s); /* an estimate was given: the next, or what was bought */
void buy_learn(struct investigation_screen *s); /* asked once: it is not cheap */
const char *buy_missing(const struct investigation_screen *s,
                        const struct probe *p); /* reason, or NULL */
const char *buy_withheld(const struct investigation_screen *s,
                         const char *probe); /* the same, the interviewer's */
void wanted_ask(struct app *app, struct investigation_screen *s, enum wanted wanted);
void wanted_step(struct app *app, struct investigation_screen *s); /* takes what has arrived */
/* "the symptom", or the title of what is measured now. */
const char *wanted_words(const struct investigation_screen *s);

#endif
