/* Flashcards, and causes that were missed, as the queue has them: gaps and numbers typed, choices
 * by digit, free text graded by oneself.
 *
 *   cards_screen.c   questions, answers, keys
 *   cards_draw.c     what is shown
 *   cards_stage.c    which keys a stage has
 */
#ifndef WD_TUI_CARDS_SCREEN_H
#define WD_TUI_CARDS_SCREEN_H

#include "drills/progress/sitting.h"
#include "tui/app/find.h"
#include "tui/kit/editor.h"
#include "tui/kit/textfield.h"
#include "tui/practice/review_page.h"

enum cards_stage {
    CARDS_ASKED,
    CARDS_GRADING /* recall: the model answer is shown */,
    CARDS_ANSWERED,
    CARDS_END
};

struct cards {
    struct sitting sitting;
    char item[128];                   /* "card:..." or "cause:..." */
    const struct card *card;          /* asked; NULL at the end */
    struct card cause;                /* what card points to for a cause; its texts are owned */
    enum cards_stage stage;
    uint64_t seed;
    int order[CARD_CHOICES];
    char why[160];
    struct textfield field;
    struct editor editor;             /* recall */
    bool editing, empty;
    int gap;                          /* cloze: that is typed now */
    char gaps[CARD_GAPS][128];
    enum card_verdict verdict;
    char say[160], given[512];
    int64_t began_ms, draft_ms; /* draft_ms: when what is being written is kept, so that a kill
                                   loses seconds; 0: nothing to keep */
    double seconds;
    int top;
    bool away; int n_before;          /* a figure is asked above, and the answers until then */
};

/* Of the stage. */
const struct key_list *cards_keys(struct app *app, const void *self);

void cards_draw(struct app *app, const void *self);
int cards_lines(struct app *app, const struct cards *c);
/* Where the free text stands; h and w for editor_key. */
struct rect cards_editor_rect(struct app *app, const struct cards *c);

extern const struct find_ops cards_find; /* what / searches */
extern const struct screen_ops cards_screen;

#endif
