/* Answers of drills in words; points stand there once session_scores_open. */
#ifndef WD_TUI_CONSOLE_ANSWER_H
#define WD_TUI_CONSOLE_ANSWER_H

#include "scenarios/interview/session.h"

struct console_answer { const char *text, *how, *say /* "" none */; double points; };
/* "8: off by 10.2 x", "80: near, off by 1.02 x", "81.3: right", "skipped". */
void console_answer_words(char *out, size_t size, const struct session *s,
                          const struct console_answer *a);
const char *console_answer_mark(const char *how);
/* The sentence about an answer. */
void console_answer_say(char *out, size_t size, const struct session *s, const char *say);

#endif
