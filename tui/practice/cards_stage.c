#include "tui/practice/cards_screen.h"

static unsigned asked(const struct card *card)
{
    if (!card)
        return CTX_CHOICE;
    switch (card->kind) {
    case CARD_CHOICE: return CTX_CHOICE;
    case CARD_RECALL: return CTX_EDITOR | CTX_WORDS;
    case CARD_CLOZE: return CTX_CARD | CTX_WORDS;
    default: return CTX_CARD;
    }
}

unsigned cards_context(const void *self)
{
    const struct cards *c = self;
    switch (c->stage) {
    case CARDS_ASKED: return asked(c->card);
    case CARDS_GRADING: return CTX_GRADING;
    case CARDS_ANSWERED: return CTX_ANSWERED;
    default: return CTX_SITTING;
    }
}
