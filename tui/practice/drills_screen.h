/* Drills: the day's queue, or one by its id, with a clock that is noted and not enforced. Enter
 * grades; what was answered is kept at once.
 *
 * A drill whose truth is measured is predicted first: then the GPU here measures, or, without one,
 * a recording tells.
 *
 *   drills_screen.c    questions, answers, keys
 *   drills_measure.c   what is measured
 *   drills_draw.c      what is shown
 *   drills_stage.c     a stage's clock and keys
 *   drills_given.c     the numbers told with a question
 */
#ifndef WD_TUI_DRILLS_SCREEN_H
#define WD_TUI_DRILLS_SCREEN_H

#include "drills/library/measure.h"
#include "drills/progress/sitting.h"
#include "drills/question/answer.h"
#include "tui/app/find.h"
#include "tui/kit/textfield.h"
#include "tui/practice/review_page.h"

enum drills_stage {
    DRILLS_ASKED,
    DRILLS_MEASURING /* predicted; the truth is on its way */,
    DRILLS_SOLVED,
    DRILLS_END
};

struct drills {
    struct sitting sitting;
    char only[128]; /* the one drill asked for; "" the queue, or those of a topic */
    char topic[64];                   /* "": all */
    char item[128];                   /* that is asked: "drill:..." */
    struct drill_instance *instance;  /* NULL at the end */
    enum drills_stage stage;
    struct recording *recording; /* what tells the truth of a measured drill where no GPU does */
    struct supply *supply;            /* while it is measured */
    char predicted[TEXTFIELD_BYTES];
    bool counted;                     /* false: asked again with other numbers */
    char why[160];                    /* why it is asked now */
    struct textfield field;
    bool hint, empty;                 /* empty: Enter was pressed on an empty line */
    /* Enter was pressed on a number without its unit: it was said what it is taken for */
    bool guessing;
    int64_t began_ms;                 /* monotonic; earlier when it is asked again after undo */
    int64_t drawn_s;                  /* second of the clock that was drawn last */
    struct drill_graded graded;
    double seconds;
    int top;                          /* first line shown */
};

void drills_draw(struct app *app, const void *self);
/* How many lines the page has; for scrolling. */
int drills_lines(struct app *app, const struct drills *d);
/* On the question's clock: running while it is asked, else what was taken. */
double drills_seconds(const struct drills *d, int64_t now_ms);
/* Of the stage; NULL: the general ones. */
const struct key_list *drills_keys(struct app *app, const void *self);
/* The numbers of its tables that a question builds on: names and values. `by_heart`: those that an
 * interviewer expects one to know (chips, links, formats), else those that are told. A value that
 * is the answer is left out. "" when there are none. */
void drills_given(char *out, size_t size, const struct drill_instance *i, bool by_heart);

/* Where a drill's numbers come from: *device and, of a recording, a seed that was recorded. The
 * recording is d's. */
int drills_place(struct app *app, struct drills *d, const struct drill *drill,
                 const struct msg_device **device, uint64_t *seed, struct err *err);
/* Asks for the truth of what was predicted. 1: it is revealed already; 0: it is being measured;
 * else a code. */
int drills_measure(struct app *app, struct drills *d, struct err *err);
/* 1 when the truth has come and is revealed, 0 when it has not; else a code. */
int drills_hear(struct drills *d, const struct client_event *e, struct err *err);
void drills_measure_end(struct drills *d);

extern const struct find_ops drills_find; /* what / searches */
extern const struct screen_ops drills_screen;

#endif
