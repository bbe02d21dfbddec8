/* What an interview changes in the screens of a scenario: one table, which tui/interview fills and
 * gives to the screens that it opens. A player alone has none; every hook_ call then does nothing.
 */
#ifndef WD_TUI_PLAY_HOOKS_H
#define WD_TUI_PLAY_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/app/app.h"
#include "tui/play/notebook.h"

struct investigation_screen;

/* `part` is what `open` returned: the part of the interview that a screen shows. */
struct play_hooks {
    void *(*open)(struct app *guest);
    void (*close)(void *part);
    int (*spoken)(void *part, const struct spoken **out);
    const char *(*withheld)(const void *part, const char *probe);
    bool (*revealed)(const void *part);
    bool (*scores_open)(const void *part);
    void (*moved)(void *part);
    void (*fault)(void *part, const char *what, const char *why);
    int (*hand)(void *part, const char *probe, struct evidence *e, struct err *err);
    void (*look)(void *part, struct app *guest, struct investigation_screen *s);
    void (*clock)(const void *part, char *out, size_t size);
    void (*news)(const void *part, char *out, size_t size, int64_t key_ms);
    void (*say_news)(void *part);
};

/* A screen's own hold on them: zeroed without an interview. Who opens it closes it. */
struct interviewed { const struct play_hooks *hooks; void *part; };

/* `hooks` may be NULL. */
struct interviewed hook_open(const struct play_hooks *hooks, struct app *app);
void hook_close(struct interviewed *in);

/* What the interviewer sent in this part, in order of time. Returns how many; borrowed until the
 * next call. */
int hook_spoken(const struct interviewed *in, const struct spoken **out);
/* Why the interviewer does not let this probe be bought now; NULL: nothing is in its way. */
const char *hook_withheld(const struct interviewed *in, const char *probe);
/* May the truth be seen? Without an interview always. */
bool hook_revealed(const struct interviewed *in);
/* May scores be seen? Without an interview always. */
bool hook_scores_open(const struct interviewed *in);
/* A move was made in the attempt, which is the session's. */
void hook_moved(const struct interviewed *in);
/* For the console alone: what could not be had, and why. */
void hook_fault(const struct interviewed *in, const char *what, const char *why);
/* Evidence that was measured on the interviewer's behalf becomes a move; `e` is taken over. */
int hook_hand(const struct interviewed *in, const char *probe, struct evidence *e, struct err *err);
/* What the interviewer did meanwhile reaches the screen: a push, the truth, evidence, a line. */
void hook_look(const struct interviewed *in, struct app *app, struct investigation_screen *s);
/* "16:20 left" in the clock's place, "" without an interview. */
void hook_clock(const struct interviewed *in, char *out, size_t size);
/* The interviewer's newest line while it is new, "" else. key_ms: when the last key was pressed. */
void hook_news(const struct interviewed *in, char *out, size_t size, int64_t key_ms);
/* The same on a screen without room for lines: said once, with app_say. */
void hook_say_news(const struct interviewed *in);

#endif
