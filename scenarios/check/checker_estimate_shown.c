/* Estimates whose truth is on the screen before anybody is asked: by the free symptom and
 * yardstick, by what can be bought without the probe of `before:`, or in so many words by a
 * question's answer. */
#include "scenarios/check/checker_estimate_shown.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/request.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct showing {
    struct findings *f;
    const struct bought *b;
    const struct truth *t;
    double truth;
    struct dim dim;
};

static void find(struct showing *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void find(struct showing *s, const char *fmt, ...)
{
    const struct story *story = s->b->v->story;
    char text[600], *path = text_format("%s/scenario.yaml", story->id);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    findings_add(s->f, "estimate-shown", story->pack, s->b->v->full_id, s->b->r->device.slug,
                 place_key(story->pack, path, "estimates", s->t->estimate->id),
                 "the truth of estimate %s %s", s->t->estimate->id, text);
    free(path);
}

/* ---- what is measured in a truth ---- */

static bool is_prefixed(const char *name, const char *prefix)
{
    return !strncmp(name, prefix, strlen(prefix));
}

/* Returns 1 at a name whose value only evidence has. */
static int is_measured(void *ctx, const char *name)
{
    static const char *const known[] = {"gpu.", "work.", "ceiling."};
    const struct story *s = ctx;
    for (size_t i = 0; i < COUNT(known); i++)
        if (is_prefixed(name, known[i]))
            return 0;
    for (int i = 0; i < s->n_params; i++)
        if (!strcmp(s->params[i].name, name))
            return 0;
    return 1;
}

/* ---- somebody who has bought everything but one probe ---- */

/* Is step k of this experiment measured as the symptom is: the story's own shape, cold, nothing
 * changed? */
static bool is_plain_step(const struct bought *b, const struct experiment *x, int k)
{
    if (x->standard)
        return x->standard->step[k].kind == STEP_PLAIN;
    if (x->kind == EXPERIMENT_FILL || x->kind == EXPERIMENT_EXHIBIT)
        return k == 0;
    return request_step_size(b->v->story, &b->r->device, x, k).own;
}

/* Adds the suspect's parts of a purchase under the names by which a truth asks for them. */
static void show_all(struct evidence *seen, const struct bought *b, const struct evidence *e)
{
    const struct experiment *x = story_experiment(b->v->story, e->probe);
    for (int i = 0; i < e->n_parts; i++) {
        const struct msg_part *p = &e->parts[i];
        bool plain =
            !x || (p->variant >= 0 && p->variant < x->n_steps && is_plain_step(b, x, p->variant));
        if (strcmp(p->run, "a") || !plain || p->probe == PROBE_POISON)
            continue;
        evidence_add(seen, p)->variant = -1;
    }
}

/* Is the truth known to whoever bought all of `list` but `before` (NULL: all)? */
static bool is_known(const struct showing *s, struct evidence *const *list, int n,
                     const char *before)
{
    const struct bought *b = s->b;
    struct evidence *seen = evidence_new("all", "recorded", b->r->device.name), *kept[MOST_BOUGHT];
    struct scope scope = {.story = b->v->story,
                          .device = &b->r->device,
                          .bought = kept,
                          .all = seen};
    struct quantity q;
    for (int i = 0; i < n; i++)
        if (!before || strcmp(list[i]->probe, before)) {
            kept[scope.n_bought++] = list[i];
            show_all(seen, b, list[i]);
        }
    bool known = formula_eval(s->t->truth.f, scope_lookup, &scope, &q, NULL, NULL) == 0;
    evidence_free(seen);
    return known;
}

static void check_free(struct showing *s, bool *found)
{
    struct evidence *symptom = NULL;
    if (request_recall(&symptom, s->b->v, s->b->r, "symptom", NULL))
        return;
    if ((*found = is_known(s, &symptom, 1, NULL)))
        find(s, "is what the story shows for nothing; a quantity that is still open was expected");
    evidence_free(symptom);
}

/* Names the purchase that shows it by itself, or says that several together do. */
static void check_purchases(struct showing *s)
{
    const struct bought *b = s->b;
    const char *before = s->t->estimate->before;
    if (!is_known(s, b->list, b->scope.n_bought, before))
        return;
    for (int i = 0; i < b->scope.n_bought; i++)
        if (strcmp(b->list[i]->probe, before) && is_known(s, &b->list[i], 1, NULL)) {
            find(s,
                 "is asked before %s, but %s shows it too; before: %s was expected, or another "
                 "truth",
                 before, b->list[i]->probe, b->list[i]->probe);
            return;
        }
    find(s,
         "is asked before %s, but what else can be bought shows it together; a probe without which "
         "it stays open was expected",
         before);
}

/* ---- the yardstick ---- */

static bool is_near(double a, double b, double share)
{
    return a > 0 && b > 0 && fabs(a / b - 1) <= share;
}

static const double SAME = 1e-6, ROUNDED = 0.01;

/* The copy of as many bytes, as a time and as a rate. What asks for the floor comes before it. */
static bool check_yardstick(struct showing *s)
{
    struct scope *scope = (struct scope *)&s->b->scope;
    struct quantity work, copy;
    if (estimate_is_floor(s->t->estimate->id) ||
        scope_lookup(scope, "work.bytes", &work, NULL) ||
        scope_lookup(scope, "ceiling.copy", &copy, NULL) || copy.value <= 0)
        return false;
    bool shown = (dim_equal(s->dim, DIM_SECOND) && is_near(s->truth, work.value / copy.value, SAME))
              || (dim_equal(s->dim, DIM_BANDWIDTH) && is_near(s->truth, copy.value, SAME));
    if (shown)
        find(s,
             "is the yardstick's own figure, which the timing and an estimate of the floor bring; "
             "a quantity that is still open, or an id that begins with floor-, was expected");
    return shown;
}

/* ---- words that everybody may hear ---- */

/* Small plain numbers stand in many sentences by chance. */
static bool is_telling(const struct showing *s, double value, double share)
{
    enum { COMMON = 64 };
    return is_near(value, s->truth, share) && (!dim_equal(s->dim, DIM_NONE) || s->truth > COMMON);
}

/* Does the text have a number, with its unit where the truth has one, that is the truth? */
static bool says_truth(const struct showing *s, const char *text)
{
    char unit[64], word[64];
    dim_unit(unit, sizeof unit, s->dim);
    for (const char *at = text; *at; at++) {
        struct quantity q;
        char say[160];
        if (!strchr("0123456789", *at) || (at > text && strchr("0123456789.,", at[-1])))
            continue;
        size_t number = strspn(at, "0123456789.,^*/"), gap = at[number] == ' ';
        size_t tail = strcspn(at + number + gap, " ,;:?!()\n");
        for (int with_unit = 1; with_unit >= 0; with_unit--) {
            size_t n = with_unit ? number + gap + tail : number;
            while (n && strchr(".,", at[n - 1]))
                n--;
            if (n >= sizeof word || (!with_unit && !dim_equal(s->dim, DIM_NONE)))
                continue;
            snprintf(word, sizeof word, "%.*s", (int)n, at);
            if (quantity_read(word, unit, &q, say, sizeof say) == QUANTITY_OK &&
                dim_equal(q.dim, s->dim) && is_telling(s, q.value, ROUNDED))
                return true;
        }
    }
    return false;
}

static void check_sentences(struct showing *s)
{
    const struct story *story = s->b->v->story;
    if (says_truth(s, story->text))
        find(s, "stands in the story; a quantity that is still open was expected");
    for (int i = 0; i < story->n_questions; i++)
        if (says_truth(s, story->questions[i].answer))
            find(s, "stands in the answer to \"%s\"; a quantity that is still open was expected",
                 story->questions[i].ask);
}

void check_estimate_shown(struct findings *f, const struct bought *b)
{
    for (int i = 0; i < b->v->n_truths; i++) {
        struct showing s = {.f = f, .b = b, .t = &b->v->truths[i]};
        struct quantity q;
        bool is_free = false;
        if (formula_eval(s.t->truth.f, scope_lookup, (void *)&b->scope, &q, NULL, NULL))
            continue;
        s.truth = q.value;
        s.dim = q.dim;
        if (formula_names(s.t->truth.f, is_measured, (void *)b->v->story, NULL) == 0) {
            is_free = check_yardstick(&s);
        } else {
            check_free(&s, &is_free);
            if (!is_free)
                check_purchases(&s);
        }
        if (!is_free)
            check_sentences(&s);
    }
}

/* ---- a metric that is the truth of a formula without metrics: a count of requests, of launches,
 * ... ---- */

/* One metric of one purchase, and on how many recordings it was the truth of the estimate. */
struct twin { const struct estimate *estimate; const char *probe, *metric; int times; };
struct twins { const struct story *s; struct twin *all; int n, recordings; };

static void add_twin(struct twins *t, const struct estimate *e, const char *probe,
                     const char *metric)
{
    for (int i = 0; i < t->n; i++)
        if (t->all[i].estimate == e && !strcmp(t->all[i].probe, probe) &&
            !strcmp(t->all[i].metric, metric)) {
            t->all[i].times++;
            return;
        }
    t->all = mem_grow(t->all, (size_t)t->n + 1, sizeof *t->all);
    t->all[t->n++] = (struct twin){e, probe, metric, 1};
}

/* The purchase lasts no longer than its recording, the names in the tables do. */
static const char *lasting_name(const struct story *s, const char *probe)
{
    const struct experiment *x = story_experiment(s, probe);
    const struct probe *p = probe_by_name(probe);
    return x ? x->id : p ? p->name : "";
}

static bool has_twin(const struct showing *s, const struct evidence *seen, const struct metric *m)
{
    struct dim dim = DIM_NONE;
    double factor = 1;
    bool found = false;
    if (!unit_parse(m->unit, strlen(m->unit), &dim, &factor) || !dim_equal(dim, s->dim))
        return false;
    for (int i = 0; i < seen->n_parts && !found; i++) {
        const struct msg_value *v = msg_part_value(&seen->parts[i], m->name);
        found = v && v->present && is_telling(s, v->value * factor, SAME);
    }
    return found;
}

static void find_twins(struct twins *t, const struct showing *s, const struct evidence *e)
{
    size_t n;
    const struct metric *table = metric_table(&n);
    struct evidence *seen = evidence_new("all", "recorded", e->gpu);
    show_all(seen, s->b, e);
    for (size_t m = 0; m < n; m++)
        if (has_twin(s, seen, &table[m]))
            add_twin(t, s->t->estimate, lasting_name(t->s, e->probe), table[m].name);
    evidence_free(seen);
}

static void on_recording(void *ctx, const struct bought *b)
{
    struct twins *t = ctx;
    t->recordings++;
    for (int i = 0; i < b->v->n_truths; i++) {
        struct showing s = {.b = b, .t = &b->v->truths[i]};
        struct quantity q;
        if (formula_names(s.t->truth.f, is_measured, (void *)b->v->story, NULL)
            || formula_eval(s.t->truth.f, scope_lookup, (void *)&b->scope, &q, NULL, NULL))
            continue;
        s.truth = q.value;
        s.dim = q.dim;
        for (int k = 0; k < b->scope.n_bought; k++)
            if (strcmp(b->list[k]->probe, s.t->estimate->before))
                find_twins(t, &s, b->list[k]);
    }
}

/* Is it the first of its estimate and purchase that is the truth in all recordings? */
static bool is_first_twin(const struct twins *t, int i)
{
    for (int k = 0; k < i; k++)
        if (t->all[k].times == t->recordings && t->all[k].estimate == t->all[i].estimate &&
            t->all[k].probe == t->all[i].probe)
            return false;
    return true;
}

/* In one variant two numbers may be equal by chance; in all of them one is the other. */
void check_twins(struct findings *f, const struct story *s)
{
    struct twins t = {.s = s};
    char *path = text_format("%s/scenario.yaml", s->id);
    for (int i = 0; i < s->n_variants; i++)
        if (!s->variants[i]->sealed)
            bought_each(f->shelf, s->variants[i], on_recording, &t);
    for (int i = 0; i < t.n; i++)
        if (t.all[i].times == t.recordings && is_first_twin(&t, i))
            findings_add(f, "estimate-twin", s->pack, s->full_id, NULL,
                         place_key(s->pack, path, "estimates", t.all[i].estimate->id),
                         "%s is asked before %s, but %s shows the same number as %s in all "
                         "recordings; before: %s was expected",
                         t.all[i].estimate->id, t.all[i].estimate->before, t.all[i].probe,
                         t.all[i].metric, t.all[i].probe);
    free(t.all);
    free(path);
}
