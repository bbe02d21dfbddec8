/* A column of lines of which a window is shown: what practice screens are drawn with. Drawing with
 * `r.h` 0 counts the lines. */
#ifndef WD_TUI_REVIEW_PAGE_H
#define WD_TUI_REVIEW_PAGE_H

#include "tui/app/app.h"
#include "tui/kit/draw.h"
#include "tui/kit/layout.h"

struct page { struct rect r; int top, line; };   /* top: the first line shown; line: the next one */

void page_gap(struct page *p);
void page_rule(struct page *p, const char *title, const char *right);
/* Wrapped, from column x of the page on; with a label in front of its first line (NULL: none). */
void page_text(struct page *p, int x, enum style s, const char *text);
void page_labelled(struct page *p, int x, enum style label_style, const char *label, enum style s,
                   const char *text);
/* What a drill or card rests on; of ids ("errata W08", "drills X20") also where they are explained.
 */
void page_source(struct page *p, int x, const char *source);
/* The row of the screen for a line drawn by the caller, or -1 when it is out of sight. */
int page_row(struct page *p);

/* ---- the frame of a practice screen: title, body, rule with what was said, two rows, keys ---- */
struct practice_frame { struct frame frame; int status, todo; };
void practice_frame(struct practice_frame *out, struct app *app);
/* "drills   3 of 8": where, and the rule, and the keys (NULL: of
 * the list, where digits go as far as `digits`). */
void practice_frame_draw(struct app *app, const struct practice_frame *f, const char *what,
                         const struct key_list *list, int digits, const char *keys);
/* On the rule: what lies below the window. */
void practice_more(const struct practice_frame *f, int lines, int top, bool said);
/* What is to be learned, below a picture of `lines` lines, and scrolled with it; `body` is the
 * window on both. Of _lines: how many more lines it makes, with an empty one before it. */
int practice_note_lines(struct rect body, const char *note);
void practice_note(struct rect body, int lines, int top, const char *note);
/* What could not be read or has another unit goes back into the field: why, and that it costs
 * nothing. */
void practice_say_again(struct app *app, const char *why);
/* Keeps a scroll within what there is. */
int practice_scroll(int top, int lines, int h);
/* The same, with a line (-1: none) in sight. */
int practice_scroll_to(int line, int top, int lines, int h);
/* How far Up, Down, PgUp and PgDn scroll; 0: another action. */
int practice_step(enum action action, int h);

#endif
