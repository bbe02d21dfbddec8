#include "scenarios/check/live.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

static const struct place nowhere = {0};

void live_find(const struct live *l, const char *rule, struct place at, const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    findings_add(l->f, rule, l->v->story->pack, l->v->full_id, l->device->slug, at, "%s", text);
}

struct place live_in_answer(const struct live *l, const char *key)
{
    char *path = text_format("%s/%s/sealed/answer.yaml", l->v->story->id, l->v->id);
    struct place at = place_key(l->v->story->pack, path, key, NULL);
    free(path);
    return at;
}

struct place live_in_story(const struct live *l, const char *key)
{
    char *path = text_format("%s/scenario.yaml", l->v->story->id);
    struct place at = place_key(l->v->story->pack, path, key, NULL);
    free(path);
    return at;
}

struct msg_item *live_item(struct msg_measure *m, enum wire_probe probe, const char *run,
                           int variant)
{
    m->items = mem_grow(m->items, (size_t)m->n_items + 1, sizeof *m->items);
    struct msg_item *it = &m->items[m->n_items++];
    *it = (struct msg_item){.probe = probe, .n_runs = 1, .variant = variant};
    snprintf(it->runs[0], sizeof it->runs[0], "%s", run);
    if (probe == PROBE_CHECK || probe == PROBE_POISON)
        snprintf(it->against, sizeof it->against, "r");
    return it;
}

void live_missing(const struct live *l, const char *rule, const struct msg_measure *m, int item,
                  const char *what)
{
    const char *why;
    int code = batch_why(l->batch, m, item, &why);
    bool wrong =
        code == ERR_FAULT || code == ERR_LAUNCH || code == ERR_COMPILE || code == ERR_BAD_REQUEST;
    live_find(l, wrong ? rule : "live-gap", nowhere, "%s: %s", what, why);
}

bool live_was_cut(const struct msg_part *p)
{
    for (int i = 0; p->probe == PROBE_SANITIZE && i < p->n_metrics; i++)
        if (!p->metrics[i].present && p->metrics[i].missing &&
            strstr(p->metrics[i].missing, SANITIZE_CUT))
            return true;
    return false;
}
