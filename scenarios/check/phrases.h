/* Whose texts hold which of many phrases: one pass over each text, however many phrases there are
 * (Aho and Corasick, 1975). Phrases first, then texts, then questions. */
#ifndef WD_SCENARIOS_PHRASES_H
#define WD_SCENARIOS_PHRASES_H

#include <stddef.h>

struct phrases;
struct phrases *phrases_new(void);
void phrases_free(struct phrases *p);

/* Its number, from 0. An empty phrase stands nowhere. */
int phrases_add(struct phrases *p, const char *bytes, size_t n);

/* Reads a text of owner `who`, 0 or above, who may have several. */
void phrases_read(struct phrases *p, const char *text, size_t n, int who);

/* The one owner whose texts hold the phrase, or one of these. */
enum { PHRASE_NOBODYS = -1, PHRASE_SHARED = -2 };
int phrases_owner(struct phrases *p, int phrase);

/* Nodes looked at so far, for tests of how the work grows. */
size_t phrases_steps(const struct phrases *p);

#endif
