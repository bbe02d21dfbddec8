#include "tui/commands/cmd_mend.h"

#include <stdio.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/mend/mend_moved.h"
#include "scenarios/mend/mend_steps.h"

enum { BAR = 36 };

static void print_bars(const struct mend_verdict *v)
{
    static const char hashes[] = "####################################";
    double most = mend_longest(v);
    for (int s = 0; s < MEND_SIDES; s++) {
        const struct mend_time *t = &v->time[s];
        char value[32], low[32], high[32];
        if (!t->there)
            continue;
        quantity_show(value, sizeof value, t->value, "s");
        quantity_show(low, sizeof low, t->low, "s");
        quantity_show(high, sizeof high, t->high, "s");
        printf("  %-8s %-*.*s  %s", mend_side_word((enum mend_side)s), BAR,
               (int)(BAR * t->value / most + 0.5), hashes, value);
        if (t->low < t->high)
            printf(" (%s to %s)", low, high);
        if (s == MEND_ROOF && v->time[MEND_MINE].there)
            printf(", %.0f %% of it reached", 100 * t->value / v->time[MEND_MINE].value);
        putchar('\n');
    }
}

/* The newest try before number `told`, with metrics of its own; told 0: the newest. */
static const struct mend_try *before(const struct mend_tries *tries, int told)
{
    for (int i = (told ? told - 1 : tries->n) - 1; i >= 0; i--)
        if (tries->all[i].verdict.n_metrics)
            return &tries->all[i];
    return NULL;
}

static void print_moved(const struct mend_tries *tries, int told, const struct mend_verdict *v)
{
    const struct mend_try *was = before(tries, told);
    struct mend_moved moved[MEND_MOVED_MOST];
    int n = was && v->n_metrics ? mend_moved(moved, &was->verdict, v) : 0;
    if (n)
        printf("  what changed since try %d:\n", was->number);
    for (int i = 0; i < n; i++) {
        char line[120];
        mend_moved_words(line, sizeof line, &moved[i]);
        printf("    %s\n", line);
    }
}

static void print_steps(const struct mending *m, const struct mend_verdict *v)
{
    char line[240];
    mend_steps_words(line, sizeof line, m->v->task, v);
    printf("  %s\n", line);
}

static void print_text(const struct mending *m, const struct mend_verdict *v)
{
    char line[200];
    int told = mend_number(&m->tries, m->uid);
    mend_headline(line, sizeof line, v);
    if (v->is == MEND_NOT_JUDGED) {
        printf("not judged: %s\n", v->why);
        return;
    }
    if (told)
        printf("try %d: %s (%.1f s)\n", told, line, v->seconds);
    else
        printf("not kept: %s (%.1f s)\n", line, v->seconds);
    if (*v->why)
        printf("  %s\n", v->why);
    print_bars(v);
    if (m->v->task && v->is == MEND_RIGHT)
        print_steps(m, v);
    if (v->is == MEND_RIGHT && v->allowed > 0)
        printf("  %d comparisons passed; largest difference %.2g, %.2g is allowed\n", v->checks,
               v->error, v->allowed);
    print_moved(&m->tries, told, v);
    const struct mend_try *best = mend_best(&m->tries);
    const char *this = told ? m->tries.all[told - 1].text : "";
    if (best && best->number != told && strcmp(best->text, this) != 0)
        printf("  best so far: try %d; --back %d puts it back\n", best->number, best->number);
}

void mend_print_json(json_t *value)
{
    json_dumpf(value, stdout, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(12));
    putchar('\n');
    fflush(stdout);
    json_decref(value);
}

void mend_print_verdict(const struct mending *m, const struct mend_verdict *v)
{
    if (m->c->json) {
        json_t *all = mend_encode(v);
        int told = mend_number(&m->tries, m->uid);
        json_object_set_new(all, "scenario", json_string(m->v->full_id));
        if (told)
            json_object_set_new(all, "try", json_integer(told));
        json_object_set_new(all, "done", json_boolean(mend_reached_all(m->v, v)));
        if (m->v->task)
            json_object_set_new(
                all, "steps",
                mend_steps_encode(m->v->task, mend_steps_reached(m->v->task, v), v));
        mend_print_json(all);
    } else {
        print_text(m, v);
        fflush(stdout);
    }
}
