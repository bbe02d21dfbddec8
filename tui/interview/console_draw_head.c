/* Row 1 of the console: which interview, who is here, the clock of the part. */
#include "tui/interview/console_draw.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "tui/interview/console_text.h"

static const char *presence(const struct session *s, const char **name)
{
    const char *where = "not yet here";
    for (int k = 0; k < s->n_parties; k++) {
        if (strcmp(s->parties[k].role, "candidate") != 0)
            continue;
        *name = s->parties[k].name[0] ? s->parties[k].name : *name;
        if (s->parties[k].here)
            return "here";
        where = "away";
    }
    return where;
}

/* "part 2 of 5   16:20 left of 25:00"; *late: over its time. */
static void time_text(char *out, size_t size, const struct console_view *v, bool brief, bool *late)
{
    const struct session *s = v->session;
    const struct session_part *part = view_part(v);
    char left[16], whole[16], where[48];
    *late = false;
    if (s->phase == SESSION_OVER) {
        console_clock(whole, sizeof whole, session_total_ms(s, v->now_ms));
        snprintf(out, size, "over after %s", whole);
        return;
    }
    if (!part) {
        snprintf(out, size, "not begun, %d parts, %d min", s->plan.n_parts,
                 session_plan_minutes(&s->plan));
        return;
    }
    snprintf(where, sizeof where, brief ? "%d/%d" : "part %d of %d", s->part + 1, s->plan.n_parts);
    if (s->phase == SESSION_BETWEEN) {
        snprintf(out, size, "%s is done", where);
        return;
    }
    int64_t rest = (int64_t)part->minutes * 60000 - session_part_ms(s, v->now_ms);
    *late = rest < 0;
    console_clock(left, sizeof left, rest < 0 ? -rest : rest + 999);
    console_clock(whole, sizeof whole, (int64_t)part->minutes * 60000);
    snprintf(out, size, rest < 0 ? "%s   %s+%s over %s" : "%s   %s%s left of %s", where,
             s->phase == SESSION_ON_PAUSE ? "paused   " : "", left, whole);
}

/* "Kernel diagnosis, one hour", else what stands before its comma, else nothing: words are not cut.
 */
static void title_fitting(char *out, size_t size, const char *title, int room)
{
    snprintf(out, size, "%s", title);
    if (draw_columns(out) > room)
        out[strcspn(out, ",")] = '\0';
    if (draw_columns(out) > room)
        out[0] = '\0';
}

void pane_head(const struct console_view *v, int columns)
{
    const struct session *s = v->session;
    const char *name = s->plan.candidate, *where = presence(s, &name);
    char right[96], who[128], title[96];
    bool late;
    time_text(right, sizeof right, v, columns < 80, &late);
    int room = columns - draw_columns(right) - 4, x = 1;
    bool named = name[0] &&
                 strcasecmp(name, "candidate"); /* of a shared window where the plan has no name */
    snprintf(who, sizeof who, "%s%s%s%s", columns >= 80 || !named ? "candidate " : "",
             named ? name : "", named ? ", " : "", where);
    draw_right(0, columns - 1, draw_columns(right),
               late                           ? STYLE_BAD
               : s->phase == SESSION_ON_PAUSE ? STYLE_BOLD
                                              : STYLE_PLAIN,
               right);
    x += draw_text(0, x, room, STYLE_ACCENT, v->replay ? "replay" : "host") + 3;
    title_fitting(title, sizeof title, s->plan.title, room - x - draw_columns(who) - 2);
    if (title[0])
        x += draw_text(0, x, room, STYLE_BOLD, title) + 3;
    draw_text(0, x, room + 1 - x, strcmp(where, "here") ? STYLE_DIM : STYLE_PLAIN, who);
}
