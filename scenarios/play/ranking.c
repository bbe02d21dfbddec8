#include "scenarios/play/ranking.h"

#include <stdio.h>
#include <string.h>

/* A fault that, mended alone, saves less than this share is hidden by the other. */
static const double HIDDEN = 0.05;

const char *ranking_label(const struct story *s, int hypothesis)
{
    return hypothesis == s->n_hypotheses - 1 ? "nothing more" : s->hypotheses[hypothesis]->label;
}

void ranking_left(char *out, size_t size, const struct variant *v)
{
    char spot[64];
    *out = '\0';
    if (!v->then)
        return;
    story_spot(spot, sizeof spot, v->story, v->then->location_line);
    snprintf(out, size, "%s, on %s", ranking_label(v->story, v->then->cause), spot);
}

void ranking_why(char *out, size_t size, const struct walk *w)
{
    size_t used = strlen(out);
    int said = w->i->then;
    if (story_asks_left(w->v->story) && used < size)
        snprintf(out + used, size - used, "; left: %s",
                 said < 0                       ? "not said"
                 : said != variant_left(w->v)   ? "wrong"
                 : investigation_tested(w->i)   ? "right"
                                                : "not tested");
}

/* ---- what each costs ---- */

struct builds { double suspect, half, rest, fix; };

static double time_of(const struct walk *w, const char *name)
{
    struct quantity q;
    struct scope scope = w->scope;
    return scope_lookup(&scope, name, &q, NULL) == 0 ? q.value : 0;
}

static bool builds_of(struct builds *out, const struct walk *w)
{
    *out = (struct builds){time_of(w, "suspect.time"), time_of(w, "half.time"),
                           time_of(w, "rest.time"), time_of(w, "fix.time")};
    return out->suspect > 0 && out->half > 0 && out->rest > 0 && out->fix > 0;
}

/* Of whoever has a second fault. */
static void costs(char *out, size_t size, const struct walk *w)
{
    struct builds b;
    char time[4][32];
    const char *first = ranking_label(w->v->story, w->truth),
               *second = ranking_label(w->v->story, w->v->then->cause);
    if (!builds_of(&b, w)) {
        snprintf(out, size, "1. %s, 2. %s.", first, second);
        return;
    }
    quantity_show(time[0], sizeof *time, b.suspect, "s");
    quantity_show(time[1], sizeof *time, b.half, "s");
    quantity_show(time[2], sizeof *time, b.rest, "s");
    quantity_show(time[3], sizeof *time, b.fix, "s");
    bool hidden = b.suspect - b.rest < HIDDEN * b.suspect;
    snprintf(out, size,
             "1. %s: mended alone, %s become %s. 2. %s: mended alone, %s%s; after the first, %s "
             "become %s.",
             first, time[0], time[1], second, time[2], hidden ? ", since the first hides it" : "",
             time[1], time[3]);
}

void ranking_says(char *out, size_t size, const struct walk *w)
{
    const struct story *s = w->v->story;
    int said = w->i->then;
    *out = '\0';
    if (!story_asks_left(s))
        return;
    if (w->v->then)
        costs(out, size, w);
    else
        snprintf(out, size, "Nothing more was wrong with it.");
    size_t used = strlen(out);
    if (said >= 0 && used < size)
        snprintf(out + used, size - used, " %s said that %s is left%s.", w->they ? "They" : "You",
                 ranking_label(s, said),
                 investigation_tested(w->i) ? "" : ", and tested nothing");
}
