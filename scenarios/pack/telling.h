/* Words that tell: what a name, a comment or a sentence is made of, and which of it gives a cause
 * away, or that something is wrong at all. Pure. */
#ifndef WD_SCENARIOS_TELLING_H
#define WD_SCENARIOS_TELLING_H

#include <stdbool.h>
#include <stddef.h>

#include "scenarios/pack/taxonomy.h"
#include "scenarios/text/source_kind.h"

/* ---- words ---- */

enum { WORD_BYTES = 40 };
struct word_at {
    char text[WORD_BYTES];
    size_t at, len;
}; /* in small letters, cut when long; its bytes in the text */
/* Letters and digits, cut where small letters meet capitals and letters meet digits: "loadTile2_v"
 * is load, tile, 2, v. */
struct words { struct word_at *word; int n; };
void words_cut(struct words *out, const char *text, size_t len);
void words_free(struct words *w);

/* The first words that fit one of the patterns, which '|' separates. A pattern is one or more
 * words, side by side in the text or run together in one; '*' at the end of a word stands for any
 * letters, at its beginning too. Returns the index of the first word, and in *n how many there are;
 * -1 if none fits. */
int words_find(const struct words *w, const char *patterns, int *n);

/* ---- what they tell ---- */

/* Where a text stands. A sentence may say more than a name: users talk of slow kernels. */
enum spoken { SPOKEN_NAME, SPOKEN_COMMENT, SPOKEN_PROSE };
enum telling { TELLS_NOTHING, TELLS_HINT /* goes well with it */, TELLS_NAME /* names it */ };

/* What the words say of one hypothesis; *first and *n: which of them. */
enum telling telling_hypothesis(const struct hypothesis *h, const struct words *w,
                                enum spoken where, int *first, int *n);
/* Do they say that something is wrong, right, slow or fast, whatever it is? A hint where it may be
 * innocent. */
enum telling telling_verdict(const struct words *w, enum spoken where, int *first, int *n);

/* The same of one subject and many texts: a hypothesis, or with NULL the verdicts. */
struct teller;
struct teller *teller_new(const struct hypothesis *h);
void teller_free(struct teller *t);
enum telling teller_hear(const struct teller *t, const struct words *w, enum spoken where,
                         int *first, int *n);

/* ---- the words of a source ---- */

enum piece_kind { PIECE_NAME, PIECE_COMMENT, PIECE_STRING };
/* Calls fn for each name that its author chose, each comment and each string; those of several
 * lines line by line. Left out: pragmas and what the language or CUDA reserves (__names, members,
 * qualified names). The kind says what a comment looks like. */
typedef void piece_fn(void *ctx, enum piece_kind kind, size_t at, size_t len);
void source_pieces(const struct source_kind *kind, const char *text, size_t len, piece_fn *fn,
                   void *ctx);
/* The same of a YAML file's comments. */
void yaml_comments(const char *text, size_t len, piece_fn *fn, void *ctx);

#endif
