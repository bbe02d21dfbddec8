/* What a name, a comment or a sentence is made of, and lists of patterns that its words may fit.
 * Pure. */
#ifndef WD_SCENARIOS_WORDS_H
#define WD_SCENARIOS_WORDS_H

#include <stddef.h>
#include <stdint.h>

enum { WORD_BYTES = 40 };
struct word_at {
    char text[WORD_BYTES]; /* in small letters, cut when long */
    size_t at, len;        /* its bytes in the text */
};
/* Letters and digits, cut where small letters meet capitals and letters meet digits: "loadTile2_v"
 * is load, tile, 2, v. */
struct words { struct word_at *word; int n; };
void words_cut(struct words *out, const char *text, size_t len);
void words_free(struct words *w);

/* A list cut once for many texts. by_letter: a bit for each pattern that a word with this first
 * letter may fit. */
enum { PATTERNS_MOST = 64, PATTERN_LETTERS = 26 + 10 + 1 };
struct patterns {
    struct { const char *text; size_t len; } one[PATTERNS_MOST];
    int n;
    uint64_t by_letter[PATTERN_LETTERS];
};
/* `list`: at most PATTERNS_MOST patterns, which '|' separates; it outlives *out. A pattern is one
 * or more words, side by side in the text or run together in one; '*' at the end of a word stands
 * for any letters, at its beginning too. */
void patterns_cut(struct patterns *out, const char *list);

/* The first words that fit one of the patterns. Returns the index of the first word, and in *n how
 * many there are; -1 if none fits. */
int patterns_find(const struct patterns *p, const struct words *w, int *n);

#endif
