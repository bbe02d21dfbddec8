#include "tui/play/investigation_then.h"

#include "scenarios/play/ranking.h"
#include "tui/play/investigation_commit.h"

void then_draw(const struct investigation_screen *s, const struct layout *l)
{
    struct rect r = cover_draw(s, l);
    int n = s->story->n_hypotheses;
    for (int h = 0; h < n && h + 1 < r.h; h++) {
        bool here = h == s->then;
        int y = r.y + 1 + h;
        draw_text(y, r.x + 1, 1, STYLE_ACCENT, here ? glyph("▸", ">") : " ");
        draw_textf(y, r.x + 2, 1, STYLE_BOLD, "%d", investigation_digit(s->story, h));
        draw_text(y, r.x + 5, r.w - 6, here ? STYLE_SELECTED : STYLE_PLAIN,
                  ranking_label(s->story, h));
    }
}

const char *then_todo(const struct investigation_screen *s, char *out, size_t size, bool brief)
{
    (void)s, (void)out, (void)size;
    return brief ? "And what is left then?" : "And what is left once that is mended?";
}

int then_act(struct app *app, struct investigation_screen *s, enum action action, int arg)
{
    int last = s->story->n_hypotheses - 1, chosen;
    if (action == ACT_DIGIT && (chosen = investigation_of_digit(s->story, arg)) >= 0)
        s->then = chosen;
    else if (action == ACT_DOWN)
        s->then = s->then < last ? s->then + 1 : last;
    else if (action == ACT_UP)
        s->then = s->then > 0 ? s->then - 1 : 0;
    else if (action == ACT_BACK)
        s->ui = UI_REMEDY;
    else if (action == ACT_ENTER && s->then >= 0)
        commit_all(app, s);
    else if (action == ACT_ENTER)
        app_say(app, "Choose one with its digit first; 0 is nothing more.");
    else
        return DO_NOTHING;
    return DO_REDRAW;
}
