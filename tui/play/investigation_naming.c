/* "Which causes are possible?": asked before those on offer are seen, beside the story, which PgUp
 * and PgDn move meanwhile. */
#include "tui/play/investigation_naming.h"

#include <string.h>

#include "tui/play/investigation_known.h"
#include "tui/play/investigation_look.h"
#include "tui/play/investigation_modes.h"
#include "tui/play/investigation_place.h"

static void end_naming(struct app *app, struct investigation_screen *s, const struct layout *l)
{
    app_text_input(app, false);
    s->ui = UI_OPEN;
    s->scroll = 0;
    if (l->shape == LAYOUT_WIDE)
        s->view = VIEW_NOTES;       /* there the story stands above */
}

/* What is written cannot be had back, and it is asked once: both nothing and throwing it away are
 * asked for twice. */
static const char *doubt(enum editor_result r, const char *text)
{
    bool empty = text[strspn(text, " \t\n")] == '\0';
    if (r == EDITOR_DONE && empty)
        return "Nothing is named yet. Tab again goes on without.";
    return r == EDITOR_CANCELLED && !empty ? "Esc again throws this away; Tab keeps it." : NULL;
}

int naming_typed(struct app *app, struct investigation_screen *s, int key)
{
    struct layout l;
    investigation_layout(app, s, &l);
    struct rect where = note_rect(&l);
    enum action page = action_of_key(investigation_keys(app, s), key, NULL);
    bool again = s->naming_again;
    if (page == ACT_PAGE_UP || page == ACT_PAGE_DOWN) {
        if (investigation_pane(s, &l).lines > 0)
            investigation_look(app, s, page);
        return DO_REDRAW;
    }
    enum editor_result r = editor_key(&s->notes, key, where.w, where.h);
    const char *ask = doubt(r, editor_text(&s->notes));
    s->naming_again = ask && !again;
    if (r == EDITOR_OUTSIDE)
        app_edit_outside(app, &s->notes);
    if (r == EDITOR_FULL)
        app_say(app, "%s", editor_full_words());
    if (s->naming_again)
        app_say(app, "%s", ask);
    if (s->naming_again || (r != EDITOR_DONE && r != EDITOR_CANCELLED))
        return DO_REDRAW;
    investigation_keep(app, s, MOVE_NAMED,
                       r == EDITOR_DONE
                           ? editor_text(&s->notes)
                           : ""); /* kept if empty too, so that it is not asked again */
    end_naming(app, s, &l);
    return DO_REDRAW;
}

const char *naming_todo(const struct investigation_screen *s, char *out, size_t size, bool brief)
{
    (void)s, (void)out, (void)size;
    return brief ? "Name every cause you would consider. Tab: done."
                 : "Name every cause you would consider before you see the list. Tab: done.";
}
