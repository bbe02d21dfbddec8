/* Number tables, drills, cards and figures from the folders `tables`, `drills`, `cards` and
 * `figures` of every place where content lies.
 *
 * In: folders of content; for drills about one's own machine a recording or a runner's evidence.
 * Out: everything that can be practised, by name; the truth of a measured drill; a printed sheet.
 * Callers: drills/progress, tui/practice, home, interview and commands. First to open: library.c;
 * then measure.c, sheet.c, and card_file.c, which makes cards of a person's own file. */
#ifndef WD_DRILLS_LIBRARY_H
#define WD_DRILLS_LIBRARY_H

#include "drills/figure/figure.h"
#include "drills/question/card.h"
#include "drills/question/template.h"

struct library {
    struct table *tables; int n_tables;
    struct drill_set **sets; int n_sets;
    struct card_set *cards; int n_cards;                            /* one for each file of cards */
    struct figure_set **figures; int n_figures;                     /* one for each file */
    struct {
        char *where, *text;
    } * problems;
    int n_problems; /* files that could not be read: shown, never fatal */
    struct files **files; int n_files;                              /* what messages quote */
};

/* Content beside the program ($WARPDRILL_CONTENT/.. when set), then warpdrill/ below $XDG_DATA_HOME
 * and each of $XDG_DATA_DIRS. Of two files with one name the first found counts. Never fails:
 * problems are listed. */
void library_open(struct library *out);
/* One place alone, for tests: ROOT/tables, ROOT/drills, ROOT/cards, ROOT/figures. */
void library_open_at(struct library *out, const char *root);
void library_free(struct library *l);

/* "inference/decode-floor", or "decode-floor" where that is clear. NULL if there is none. */
const struct drill *library_drill(const struct library *l, const char *id);
int library_drills(const struct library *l);                        /* how many */
const struct drill *library_drill_at(const struct library *l, int k);

/* "silicon/h100-bandwidth". NULL if there is none. */
const struct card *library_card(const struct library *l, const char *id);
const struct table *library_table(const struct library *l, const char *id);

/* "kernels/banks", or "banks" where that is clear. NULL if there is none. */
const struct figure_data *library_figure(const struct library *l, const char *id);
int library_figures(const struct library *l);                       /* how many */
const struct figure_data *library_figure_at(const struct library *l, int k);

/* Where content that a person adds belongs: $XDG_DATA_HOME/warpdrill. malloc'd. */
char *library_home(void);

#endif
