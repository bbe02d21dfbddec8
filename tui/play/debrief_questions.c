/* What all of the debrief asks of its screen. */
#include "tui/play/debrief_screen.h"

const char *debrief_code(const struct debrief_screen *s, int k, const char **name)
{
    static const char *const names[DEBRIEF_SOURCES] = {"suspect", "first mended",
                                                        "second mended", "fix", "best"};
    if (k < 0 || k >= DEBRIEF_SOURCES)
        return NULL;
    *name = names[k];
    return s->text[k];
}

bool debrief_withheld(const struct debrief_screen *s)
{
    return !hook_scores_open(&s->in);
}
