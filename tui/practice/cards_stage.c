#include "tui/practice/cards_screen.h"

#include "tui/practice/practice_keys.h"

static const struct key_list *asked(const struct card *card)
{
    if (!card)
        return &practice_choice_keys;
    switch (card->kind) {
    case CARD_CHOICE: return &practice_choice_keys;
    case CARD_RECALL: return &practice_recall_keys;
    case CARD_CLOZE: return &practice_cloze_keys;
    default: return &practice_number_keys;
    }
}

const struct key_list *cards_keys(struct app *app, const void *self)
{
    const struct cards *c = self;
    (void)app;
    switch (c->stage) {
    case CARDS_ASKED: return asked(c->card);
    case CARDS_GRADING: return &practice_grading_keys;
    case CARDS_ANSWERED: return &practice_answered_keys;
    default: return &practice_sitting_keys;
    }
}
