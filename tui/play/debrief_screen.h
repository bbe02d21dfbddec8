/* The debrief's screen, shared by debrief_*.c: debrief_screen.c holds life and keys, debrief_draw.c
 * the pages with debrief_sides.c and debrief_why.c (debrief_parts.h), debrief_lessons.c what they
 * say for next time, debrief_views.c what is one key away (belief chart, code, evidence),
 * debrief_keys.c which keys work, debrief_find.c what / searches, debrief_questions.c what all of
 * them ask. */
#ifndef WD_TUI_DEBRIEF_SCREEN_H
#define WD_TUI_DEBRIEF_SCREEN_H

#include "scenarios/play/attempt.h"
#include "scenarios/text/diff.h"
#include "tui/app/find.h"
#include "tui/play/hooks.h"
#include "tui/play/notebook.h"
#include "tui/play/play.h"
#include "tui/kit/prose.h"

enum debrief_view { DEBRIEF_PAGES, DEBRIEF_BELIEFS, DEBRIEF_CODE, DEBRIEF_EVIDENCE };
enum { DEBRIEF_PAGE_COUNT = 4, DEBRIEF_FIX = 3, DEBRIEF_SOURCES = 5 };

struct debrief_screen {
    struct interviewed in;           /* attempt: the session's then, and it outlives the screen */
    play_begin *begin;               /* of the same story again; NULL: nothing begins */
    struct attempt *attempt;
    const struct variant *variant;
    const struct debrief *d;
    char *text[DEBRIEF_SOURCES];     /* listings, as debrief_code names them; NULL: none */
    struct diff diff;
    char *told;                      /* the author's prose with its figures */
    struct prose *why;               /* the same, as wrapped last */
    struct notebook book;
    int text_columns;                /* of the book's texts, as the screen was last */
    int note, row;
    bool explaining;
    double bytes, yield;             /* of work, and of the story's rate; 0: unknown, or none */
    char gpu[96], tier[12];
    char version[80];                /* that the scenario has changed since; "" if not */
    enum debrief_view view;
    int page, scroll, code;          /* code: which file */
    struct supply *live;             /* the fix running beside the suspect; NULL: not running */
    double live_suspect, live_fix, live_best, live_half, live_rest; /* s; 0: not measured */
    char live_gpu[96];
};

/* The listing of suspect, fix or best; NULL: no such. */
const char *debrief_code(const struct debrief_screen *s, int k, const char **name);
/* In an interview whose scores wait for the interviewer: is it too early to show them? */
bool debrief_withheld(const struct debrief_screen *s);
#define DEBRIEF_WITHHELD "The interviewer will release the score."
/* Why `f` does nothing here; NULL when it works. */
const char *debrief_no_live(struct app *app, const struct debrief_screen *s);
const char *debrief_no_other(struct app *app, const struct debrief_screen *s); /* and `v` */
/* As the packs have it today; NULL: no longer. */
const struct story *debrief_story_now(struct app *app, const struct debrief_screen *s);
const struct key_list *debrief_keys(struct app *app, const void *self);

void debrief_draw(struct app *app, const void *self);
/* Is everything on one screen? */
static inline bool debrief_wide(int rows, int columns)
{
    return rows >= 30 && columns >= 100;
}
/* Of what is shown: lines that do not fit, and rows of the pane that they scroll in. */
struct debrief_extent { int hidden, rows; };
struct debrief_extent debrief_extent(const struct debrief_screen *s, int rows, int columns);
/* Wraps text from line `at` of a pane whose first `skip` lines are out of sight; returns the line
 * after it. */
int debrief_paragraph(struct rect r, int at, int skip, enum style style, const char *text);

/* The page of prose and change as / searches it, and where one of these rows stands in its pane. */
void debrief_why_rows(const struct debrief_screen *s, struct find_rows *out, int rows,
                      int columns);
int debrief_why_row(const struct debrief_screen *s, int row, int rows, int columns);

/* Lessons: the rows that all of them need, and those of r, the first ones first; what is cut names
 * the last page. */
int debrief_lessons_height(const struct debrief_screen *s, int w);
void debrief_lessons_draw(const struct debrief_screen *s, struct rect r);
/* The last page from line `skip` on: estimates and lessons, nothing cut; returns its lines. */
const char *debrief_next_title(const struct debrief_screen *s);
int debrief_next_draw(const struct debrief_screen *s, struct rect r, int skip);

void debrief_beliefs_draw(const struct debrief_screen *s,
                          struct rect r); /* table, and the chart where there is room */
int debrief_beliefs_lines(const struct debrief_screen *s,
                          struct rect r); /* of the table, its head among them */
void debrief_code_draw(const struct debrief_screen *s, struct rect r);
void debrief_evidence_draw(
    const struct debrief_screen *s,
    struct rect r); /* the notebook, below it what the chosen purchase meant */
int debrief_evidence_most(
    const struct debrief_screen *s,
    struct rect r); /* lines of an explanation that do not fit; 0 without one */
/* The table alone, in so few rows that steps may be left out, which it says; and the rows in which
 * nothing is. */
void debrief_belief_rows(const struct debrief_screen *s, struct rect r);
int debrief_belief_height(const struct debrief_screen *s, int w);
void debrief_diff_draw(const struct debrief_screen *s, struct rect r, int skip, int context);
int debrief_diff_rows(const struct debrief_screen *s, int context);

extern const struct screen_ops debrief_screen;
extern const struct find_ops debrief_find;

/* Opens it; puts it in the place of the screen that is shown. Without hooks the attempt is taken
 * over. begin: what `v` begins; NULL with hooks. */
void debrief_push(struct app *app, struct attempt *attempt, const struct play_hooks *hooks,
                  play_begin *begin);
void debrief_replace(struct app *app, struct attempt *attempt, const struct play_hooks *hooks,
                     play_begin *begin);

#endif
