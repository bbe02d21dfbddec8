/* Flashcards from CSV: what is asked, how it is answered, where it comes from. Reading and grading;
 * scheduling is fsrs.h. */
#ifndef WD_DRILLS_CARD_H
#define WD_DRILLS_CARD_H

#include <stdbool.h>

#include "drills/question/rows.h"
#include "drills/question/tolerance.h"
#include "scenarios/formula/quantity.h"

enum card_kind { CARD_CLOZE, CARD_NUMBER, CARD_CHOICE, CARD_RECALL };
const char *card_kind_name(enum card_kind kind); /* as in the column kind: "cloze" */
enum { CARD_CHOICES = 6, CARD_GAPS = 4 };

struct card {
    const char *set;                       /* the file's name without .csv */
    char *id, *full_id;                    /* "h100-bandwidth", "silicon/h100-bandwidth" */
    char *topic;                           /* one of drill_topics */
    enum card_kind kind;
    char *front, *back, *source, *note, *teaches;
    bool opinion;                          /* a rule of thumb: said so on the card */
    char *gaps[CARD_GAPS]; int n_gaps;     /* cloze: the hidden words, in order */
    char *unit; double value; struct tolerance tolerance; /* number: SI base units */
    char *choices[CARD_CHOICES];
    int n_choices, right; /* choice: in the order of the file; right: index */
    int line;
};
struct card_set { char *id; struct card *cards; int n; };

/* Rows to cards; every refusal is FILE:LINE: COLUMN: what; what was expected. The rows stay the
 * caller's. The first bad row is the result. */
int card_set_make(struct card_set *out, const char *id, const struct rows *rows, struct err *err);
void card_set_free(struct card_set *s);

/* One row alone: for imports, which report each bad row and keep the good ones. The card owns its
 * texts. */
int card_make(struct card *out, const char *set, const struct rows *rows, const struct row *row,
              struct err *err);
void card_free(struct card *c);

/* The front as it is shown: gaps of a cloze as "____". malloc'd. */
char *card_front(const struct card *c);
/* The answer in full: the cloze filled, the value with its unit, the right choice. malloc'd. */
char *card_answer(const struct card *c);

/* Order of the choices for a seed: out[k] is the index of the k-th shown. */
void card_shuffle(const struct card *c, unsigned long long seed, int out[CARD_CHOICES]);

/* What was typed: right, or wrong with a sentence why. Recall cards are graded by oneself and not
 * here. Case, blanks and a final stop do not count in a cloze; gaps are separated by commas or
 * semicolons. A choice is the text, or the number as shown in `order`. */
enum card_verdict { CARD_RIGHT, CARD_WRONG, CARD_UNREADABLE };
enum card_verdict card_grade(const struct card *c, const int *order, const char *typed, char *say,
                             size_t size);

#endif
