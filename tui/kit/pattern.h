/* What is searched for: a run of characters, large and small letters alike. */
#ifndef WD_TUI_PATTERN_H
#define WD_TUI_PATTERN_H

#include <stdbool.h>
#include <wchar.h>

enum { PATTERN_MOST = 512 };
struct pattern { wchar_t text[PATTERN_MOST]; int n; };

/* `text` in UTF-8, cut to what fits; bytes that are none count as one character each. */
void pattern_set(struct pattern *p, const char *text);
/* Where it begins in n characters, from `from` on; -1: nowhere. An empty one is nowhere. */
int pattern_in(const struct pattern *p, const wchar_t *text, int n, int from);
/* The same in UTF-8, of which it needs not be clean: how many characters stand before it. */
int pattern_in_text(const struct pattern *p, const char *text);

#endif
