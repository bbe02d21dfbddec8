/* Words that tell: which of a name, a comment or a sentence gives a cause away, or that something
 * is wrong at all. Pure. */
#ifndef WD_SCENARIOS_TELLING_H
#define WD_SCENARIOS_TELLING_H

#include <stddef.h>

#include "scenarios/pack/taxonomy.h"
#include "scenarios/pack/words.h"
#include "scenarios/text/source_kind.h"

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
