/* The debrief's screen, shared by debrief_*.c: debrief_screen.c holds life and keys, debrief_draw.c the pages, debrief_views.c what
 * is one key away (belief chart, code, evidence). */
#ifndef WD_TUI_DEBRIEF_SCREEN_H
#define WD_TUI_DEBRIEF_SCREEN_H

#include "scenarios/attempt.h"
#include "scenarios/diff.h"
#include "scenarios/live.h"
#include "tui/app.h"
#include "tui/notebook.h"

enum debrief_view { DEBRIEF_PAGES, DEBRIEF_BELIEFS, DEBRIEF_CODE, DEBRIEF_EVIDENCE };
enum { DEBRIEF_PAGE_COUNT = 4 };

struct debrief_screen {
    struct live *interview; int part;    /* of an interview: the attempt is the session's; NULL, -1: none */
    int lines;                           /* of the interviewer, that were there or were said */
    struct attempt *attempt;
    const struct variant *variant;
    const struct debrief *d;
    struct diff diff;
    struct notebook book;
    int note, row;
    bool explaining;
    double bytes, yield;             /* of work, and of the story's rate; 0: unknown, or none */
    char gpu[96], tier[12];
    char version[80];                /* that the scenario has changed since; "" if not */
    enum debrief_view view;
    int page, scroll, code;          /* code: which file */
    struct supply *live;             /* the fix running beside the suspect; NULL: not running */
    double live_suspect, live_fix, live_best;   /* s; 0: not measured */
    char live_gpu[96];
};

const struct file *debrief_code(const struct debrief_screen *s, int k, const char **name);  /* NULL: no such */
/* In an interview whose scores wait for the interviewer: is it too early to show them? */
bool debrief_withheld(const struct debrief_screen *s);
#define DEBRIEF_WITHHELD "The interviewer will release the score."
/* Why `f` does nothing here; NULL when it works. */
const char *debrief_no_live(struct app *app, const struct debrief_screen *s);

void debrief_draw(struct app *app, const void *self);
bool debrief_wide(int rows, int columns);                                        /* is everything on one screen? */
int debrief_scroll_most(const struct debrief_screen *s, int rows, int columns);   /* lines of the view that do not fit */
void debrief_beliefs_draw(const struct debrief_screen *s, struct rect r);      /* table and chart */
void debrief_code_draw(const struct debrief_screen *s, struct rect r);
void debrief_evidence_draw(const struct debrief_screen *s, struct rect r);     /* the notebook, below it what the chosen purchase meant */
int debrief_evidence_most(const struct debrief_screen *s, struct rect r);      /* lines of an explanation that do not fit; 0 without one */
void debrief_belief_rows(const struct debrief_screen *s, struct rect r);       /* the table alone, newest rows first to stay */
void debrief_diff_draw(const struct debrief_screen *s, struct rect r, int skip, int context);
int debrief_diff_rows(const struct debrief_screen *s, int context);

extern const struct screen_ops debrief_screen;

#endif
