/* The settings that a person may change, as text: read, checked, shown. */
#ifndef WD_TUI_OPTIONS_DATA_H
#define WD_TUI_OPTIONS_DATA_H

#include "drills/memory/queue.h"
#include "kernels/wire/err.h"

enum option_id {
    OPTION_INTERVIEW,
    OPTION_SCENARIOS,
    OPTION_DRILLS,
    OPTION_CARDS,
    OPTION_REVIEWS,
    OPTION_RECALL,
    OPTION_COUNT
};
struct option_row {
    const char *name;           /* of the setting in the store */
    const char *label, *unit;   /* shown; unit may be "" */
    const char *help;           /* one sentence */
    double low, high, step,
        otherwise; /* numbers: bounds, what + and - change, what holds when nothing is kept */
};
const struct option_row *option_row(enum option_id id);

/* What is kept, as it was typed, or what holds when nothing is: "2026-12-03", "", "5", "90". */
void option_show(char *out, size_t size, enum option_id id, struct store *store);

/* Checks what was typed and turns it into what is kept; "" is back to the default, no date. A date
 * is 2026-12-03, or +12 for days from today; it must not be over. Returns a code with a sentence.
 */
int option_read(char *kept, size_t size, enum option_id id, const char *typed, int today,
                struct err *err);

/* The value a step up or down from what is shown, within its bounds; a date moves by days, from
 * today when there is none. */
void option_step(char *out, size_t size, enum option_id id, const char *shown, int by, int today);

/* "Thu 3 Dec, in 12 days" for a study day. */
void option_date_text(char *out, size_t size, int day, int today);

#endif
