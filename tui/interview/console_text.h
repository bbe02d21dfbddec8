/* Entries of the log in words, notes of both sides, and times. */
#ifndef WD_TUI_CONSOLE_TEXT_H
#define WD_TUI_CONSOLE_TEXT_H

#include "tui/interview/console_view.h"

enum { MOVE_WHAT = 8 /* columns of an entry before its words */ };

void console_clock(char *out, size_t size, int64_t ms);                /* "12:04" */
/* One entry in words: "d       busy 13 %, bytes 1.2 x", "6       14 to 30", "asked   input
 * contiguous? yes". */
void console_entry_text(char *out, size_t size, const struct console_view *v, int entry);
/* An event in words that stand alone: "hint: What does one warp touch?" */
void console_event_words(char *out, size_t size, const struct console_view *v,
                         const struct session_event *e);

/* Notes of both sides, and the causes that the candidate named, in the order of time, the newest
 * `most` of them; texts are borrowed from the view. Returns how many. */
struct console_note { int64_t elapsed_ms; const char *whose /* "", "shared", "theirs" */, *text; };
int console_notes(struct console_note *out, int most, const struct console_view *v);

#endif
