/* The lines of SAY NEXT. */
#ifndef WD_TUI_CONSOLE_SAYS_H
#define WD_TUI_CONSOLE_SAYS_H

#include "tui/interview/console_view.h"

enum { SAYS_MOST = 12 };
enum say_what { SAY_PUSHBACK, SAY_FIGURE, SAY_HELP, SAY_DRILL };
struct say_row {
    enum say_what what;
    int index; /* of the pushback, the line in briefing->says, the hint, the plan's drill */
    int number; /* its place among all lines, from 1: up to 10 its digit, which is the same wherever
                   it stands */
    char label[24];
    const char *text, *note, *expects; /* borrowed from briefing, previews and plan: what is said;
                                          what is for the interviewer alone, "" if nothing */
    bool said;
};
/* Lines of SAY NEXT in order. Of hints and numbers the next one alone, and none that the candidate
 * answered on the screen, unless `whole`; the number that they are asked now is the one that stands
 * there. After the reveal there are none. */
int console_says(struct say_row out[SAYS_MOST], const struct console_view *v, bool whole);
/* The running scenario was revealed: its lines have nothing left to do. */
bool console_all_said(const struct session *s, const struct investigation *i);

#endif
