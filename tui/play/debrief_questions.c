/* What all of the debrief asks of its screen. */
#include "tui/play/debrief_screen.h"

const struct file *debrief_code(const struct debrief_screen *s, int k, const char **name)
{
    static const char *const names[] = { "suspect", "fix", "best" };
    const struct file *files[] = {s->variant->suspect, s->variant->fix_file, s->variant->best_file};
    if (k < 0 || k > 2)
        return NULL;
    *name = names[k];
    return files[k];
}

bool debrief_withheld(const struct debrief_screen *s)
{
    return !hook_scores_open(&s->in);
}
