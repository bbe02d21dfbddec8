#include "kernels/runner/agenda.h"

#include <stdio.h>
#include <string.h>

#include "kernels/runner/check.h"
#include "kernels/runner/counters.h"

enum { TURNS = 5 };

static int turn_of(const struct msg_item *item)
{
    if (check_may_fail(item))
        return 4;
    if (item->probe == PROBE_SANITIZE)
        return 3;
    return item->probe == PROBE_TIMELINE ? 1 : counters_serve(item->probe) ? 2 : 0;
}

void agenda_begin(struct agenda *a, struct task *t, const json_t *rest)
{
    const json_t *items = json_object_get(rest, "items"),
                 *refusal = json_object_get(rest, "refusal");
    memset(a->done, rest != NULL, sizeof a->done);
    for (size_t i = 0; i < json_array_size(items); i++) {
        json_int_t item = json_integer_value(json_array_get(items, i));
        if (item >= 0 && item < CAP_ITEMS)
            a->done[item] = false;
    }
    t->runs_done = (int)json_integer_value(json_object_get(rest, "runs_done"));
    t->parts = (int)json_integer_value(json_object_get(rest, "parts"));
    t->missing = json_is_true(json_object_get(rest, "missing"));
    if (refusal) {
        const char *text = json_string_value(json_object_get(refusal, "text"));
        const char *where = json_string_value(json_object_get(refusal, "where"));
        err_set(&t->refusal, (int)json_integer_value(json_object_get(refusal, "code")), "%s",
                text ? text : "");
        snprintf(t->refused, sizeof t->refused, "%s", where ? where : "");
    }
}

int agenda_next(const struct agenda *a, const struct msg_measure *m)
{
    for (int turn = 0; turn < TURNS; turn++)
        for (int i = 0; i < m->n_items; i++)
            if (!a->done[i] && turn_of(&m->items[i]) == turn)
                return i;
    return -1;
}

void agenda_tick(struct agenda *a, struct task *t, int item)
{
    const struct msg_item *it = &t->measure->items[item];
    if (t->gpu->lost && check_may_fail(it) && t->runs_done < it->n_runs)
        return;
    a->done[item] = true;
    t->runs_done = 0;
}

json_t *agenda_rest(const struct agenda *a, const struct task *t)
{
    json_t *items = json_array();
    for (int i = 0; i < t->measure->n_items; i++)
        if (!a->done[i])
            json_array_append_new(items, json_integer(i));
    if (json_array_size(items) == 0) {
        json_decref(items);
        return NULL;
    }
    json_t *rest = json_pack("{s:o, s:i, s:i, s:b}", "items", items, "runs_done", t->runs_done,
                             "parts", t->parts, "missing", t->missing);
    if (t->refusal.code)
        json_object_set_new(rest, "refusal",
                            json_pack("{s:i, s:s, s:s}", "code", t->refusal.code, "text",
                                      t->refusal.text, "where", t->refused));
    return rest;
}
