/* A threshold stands where it is as far, as a factor, from the variant's own values as from those
 * of its nearest rivals. Values are those of all recordings, with their intervals, so that the
 * spread from GPU to GPU is in them. */
#include "scenarios/check/suggest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/check/checker_bought.h"

/* Less than this between the nearest two values is noise, or says little; of two times of an
 * experiment, which are few runs, a little more. A smaller share is nothing to look at. */
static const double APART = 1.3, APART_SERIES = 1.5, SHARE_LEAST = 0.05;

struct range { double low, high; int n; };
struct other { char name[48]; int cause; struct range is; }; /* cause -1: it is the fix */
enum { OTHERS_MOST = 8 };

/* What a reading may be about: a metric, or one as a share of another (`den`), which is plain where
 * the two are times; then also of an experiment's series. */
struct asked { const char *probe, *metric, *den, *label, *experiment; };

/* All that may be asked, and its ranges: of each variant's suspect, then of its fix. */
struct table {
    struct asked *asked; int n;
    struct range *suspect[OTHERS_MOST], *fix[OTHERS_MOST];
};

static void take(struct range *r, double low, double high)
{
    r->low = r->n ? fmin(r->low, low) : low;
    r->high = r->n ? fmax(r->high, high) : high;
    r->n++;
}

/* The interval at the story's own size, of the run alone. */
static void look_at_metric(struct range *out, const char *run, const struct asked *a,
                           const struct bought *b)
{
    for (int i = 0; i < b->all->n_parts; i++) {
        const struct msg_part *p = &b->all->parts[i];
        bool mine = p->variant < 0 && !strcmp(p->run, run);
        const struct msg_value *v = mine ? msg_part_value(p, a->metric) : NULL;
        if (v && v->present) {
            take(out, fmin(v->low, v->value), fmax(v->high, v->value));
            return;
        }
    }
}

/* What a reading would compute; nothing where a recording lacks one of the two. */
static void look_at_share(struct range *out, const char *of, const struct asked *a,
                          const struct bought *b)
{
    char *text = text_format("%s%s / %s%s", of, a->metric, of, a->den);
    struct scope scope = b->scope;
    struct formula *f = NULL;
    struct quantity q;
    scope.experiment = a->experiment;
    if (formula_parse(&f, text, NULL, NULL) == 0 &&
        formula_eval(f, scope_lookup, &scope, &q, NULL, NULL) == 0)
        take(out, q.value, q.value);
    formula_free(f);
    free(text);
}

/* All of it, of one recording. */
struct looking { const struct table *table; int variant; };

static void look(void *ctx, const struct bought *b)
{
    const struct looking *l = ctx;
    for (int i = 0; i < l->table->n; i++) {
        const struct asked *a = &l->table->asked[i];
        struct range *suspect = &l->table->suspect[l->variant][i],
                     *fix = &l->table->fix[l->variant][i];
        if (!a->den) {
            look_at_metric(suspect, "a", a, b);
            look_at_metric(fix, "b", a, b);
            continue;
        }
        look_at_share(suspect, "", a, b);
        if (!a->experiment)
            look_at_share(fix, "fix.", a, b);
    }
}

/* The fix, of which no experiment is recorded, and the suspects of other variants that have another
 * cause. */
static int others_of(struct other out[OTHERS_MOST], const struct variant *v, const struct table *t,
                     int asked)
{
    const struct story *s = v->story;
    int n = 1;
    for (int i = 0; i < s->n_variants && i < OTHERS_MOST; i++) {
        const struct variant *w = s->variants[i];
        if (w == v)
            out[0] = (struct other){.name = "fix", .cause = -1, .is = t->fix[i][asked]};
        if (w == v || w->sealed || w->cause == v->cause || n == OTHERS_MOST)
            continue;
        out[n] = (struct other){.cause = w->cause, .is = t->suspect[i][asked]};
        snprintf(out[n++].name, sizeof out->name, "variant %s", w->id);
    }
    return n;
}

/* Are all of them on one side of the variant's own values? 1: below, -1: above, 0: neither, or
 * there is nothing to be told from. */
static int side_of(const struct range *own, const struct other *others, int n, double *nearest)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < n; i++)
        if (others[i].is.n) {
            low = fmin(low, others[i].is.low);
            high = fmax(high, others[i].is.high);
        }
    if (isfinite(high) && high < own->low) {
        *nearest = high;
        return 1;
    }
    *nearest = low;
    return isfinite(low) && low > own->high ? -1 : 0;
}

/* Two digits, as an author would write it. */
static double rounded(double x)
{
    double unit = x > 0 ? pow(10, floor(log10(x)) - 1) : 1;
    return round(x / unit) * unit;
}

/* The middle by factors; where one side has nothing at all, a tenth of the other. */
static double between(double one, double other)
{
    double most = fmax(one, other), least = fmin(one, other);
    return rounded(least > 0 ? sqrt(most * least) : most / 10);
}

static void print_range(FILE *f, const char *name, const struct range *r)
{
    if (r->low == r->high)
        fprintf(f, "%s %.4g", name, r->low);
    else
        fprintf(f, "%s %.4g to %.4g", name, r->low, r->high);
}

static void print_words(FILE *f, const struct variant *v, const struct other *others, int n)
{
    const char *between = "";
    fprintf(f, "      for: [%s]\n", v->story->hypotheses[v->cause]->id);
    unsigned told = 0;
    for (int i = 0; i < n; i++) {
        if (others[i].cause < 0 || !others[i].is.n || told >> others[i].cause & 1)
            continue;
        told |= 1u << others[i].cause;
        fprintf(f, "%s%s", *between ? between : "      against: [",
                v->story->hypotheses[others[i].cause]->id);
        between = ", ";
    }
    fputs(*between ? "]\n" : "", f);
}

static void print_fact(FILE *f, const struct asked *a)
{
    int left = 40;
    const char *const words[] = {a->metric, a->den ? "-of-" : "", a->den ? a->den : ""};
    fputs("\n      fact: ", f);
    for (int i = 0; i < 3; i++)
        for (const char *c = words[i]; *c && left > 0; c++, left--)
            putc(*c == '_' || *c == '.' ? '-' : *c, f);
    putc('\n', f);
}

static void print_reading(FILE *f, const struct variant *v, const struct asked *a,
                          const struct range *own, const struct other *others, int n)
{
    double nearest, mine;
    int side = side_of(own, others, n, &nearest);
    mine = side > 0 ? own->low : own->high;
    double at = between(mine, nearest);
    fprintf(f, "    - expect: %s %s %.6g%s%s\n      # ", a->metric, side > 0 ? ">=" : "<=", at,
            a->den ? " * " : "", a->den ? a->den : "");
    print_range(f, "here", own);
    for (int i = 0; i < n; i++)
        if (others[i].is.n) {
            fputs("; ", f);
            print_range(f, others[i].name, &others[i].is);
        }
    if (mine > 0)
        fprintf(f, "; %.2g times from the nearest here", side > 0 ? mine / at : at / mine);
    if (nearest > 0)
        fprintf(f, "; %.2g times from theirs", side > 0 ? at / nearest : nearest / at);
    print_fact(f, a);
    print_words(f, v, others, n);
    fprintf(f, "      because: 'FILL IN: why %s shows it'\n", a->label);
}

/* Counts grow with the sizes, which differ from GPU to GPU. */
static bool is_count(const struct metric *m)
{
    return m->num && !m->den && !m->share;
}

/* A plain number of the suspect that lies well apart from every other's. */
static bool tells(const struct asked *a, const struct range *own, const struct other *others, int n)
{
    double nearest = 0, apart = a->experiment ? APART_SERIES : APART;
    int side = own->n ? side_of(own, others, n, &nearest) : 0;
    if (a->den && fmax(side > 0 ? own->low : own->high, nearest) < SHARE_LEAST)
        return false;
    if (side > 0)
        return own->low > 0 && own->low >= apart * nearest;
    return side < 0 && own->high >= 0 && nearest >= apart * own->high && nearest > 0;
}

/* What can be bought and is no text of the code. */
static bool is_measured(const struct probe *p)
{
    return p->wire >= 0 && p->id != SHOP_EXPERIMENT && p->id != SHOP_VERIFY &&
           p->wire != PROBE_LINES && p->wire != PROBE_SASS;
}

static void ask(struct table *t, struct asked a)
{
    t->asked = mem_grow(t->asked, (size_t)t->n + 1, sizeof *t->asked);
    t->asked[t->n++] = a;
}

static void ask_of_probe(struct table *t, const struct probe *probe)
{
    static const char *const shares[][3] = {
        {"gap_time", "step_time", "the share of the step in which no kernel runs"},
        {"longest_gap", "step_time", "the longest gap's share of the step"},
        {"busy_time", "step_time", "the share of the step in which kernels run"},
        {"api_time", "step_time", "the share of the step that the host is in calls"},
        {"sample_first", "sample_median", "the first sample beside the median"},
        {"sample_max", "sample_median", "the longest sample beside the median"},
        {"sample_min", "sample_median", "the shortest sample beside the median"},
    };
    size_t n;
    const struct metric *m = metric_of_probe((enum wire_probe)probe->wire, &n);
    for (size_t i = 0; i < n; i++)
        if (!strcmp(m[i].unit, "1") && !is_count(&m[i]))
            ask(t, (struct asked){probe->name, m[i].name, NULL, m[i].label, NULL});
    for (size_t i = 0; probe->wire == PROBE_TIMING && i < sizeof shares / sizeof *shares; i++)
        ask(t, (struct asked){probe->name, shares[i][0], shares[i][1], shares[i][2], NULL});
}

/* What a change of one thing does: the last of its series beside the first. */
static void ask_of_experiment(struct table *t, const char *id)
{
    ask(t, (struct asked){id, "time.last", "time.first", "the last time beside the first", id});
    ask(t, (struct asked){id, "reported_time.last", "reported_time.first",
                          "the time that is printed, beside what was,", id});
    ask(t, (struct asked){id, "speed_up.last", "speed_up.first", "the factor, beside what it was,",
                          id});
}

static void table_fill(struct table *t, struct shelf *shelf, const struct story *s)
{
    size_t n_probes;
    const struct probe *probes = probe_table(&n_probes);
    for (size_t i = 0; i < n_probes; i++)
        if (is_measured(&probes[i]))
            ask_of_probe(t, &probes[i]);
    for (int i = 0; i < s->n_experiments; i++)
        ask_of_experiment(t, s->experiments[i].id);
    for (int i = 0; i < s->n_variants && i < OTHERS_MOST; i++) {
        struct looking l = {t, i};
        t->suspect[i] = mem_new((size_t)t->n, sizeof(struct range));
        t->fix[i] = mem_new((size_t)t->n, sizeof(struct range));
        if (!s->variants[i]->sealed)
            bought_each(shelf, s->variants[i], look, &l);
    }
}

static void table_free(struct table *t)
{
    for (int i = 0; i < OTHERS_MOST; i++) {
        free(t->suspect[i]);
        free(t->fix[i]);
    }
    free(t->asked);
}

static int print_all(FILE *f, const struct variant *v, const struct table *t)
{
    int own = 0, printed = 0;
    const char *head = "";
    while (v->story->variants[own] != v)
        own++;
    for (int i = 0; own < OTHERS_MOST && i < t->n; i++) {
        struct other others[OTHERS_MOST] = {0};
        const struct asked *a = &t->asked[i];
        const struct range *is = &t->suspect[own][i];
        int n = others_of(others, v, t, i);
        if (!is->n || !tells(a, is, others, n))
            continue;
        if (strcmp(head, a->probe))
            fprintf(f, "  %s:\n", a->probe);
        head = a->probe;
        print_reading(f, v, a, is, others, n);
        printed++;
    }
    return printed;
}

static void count(void *ctx, const struct bought *b)
{
    (void)b;
    ++*(int *)ctx;
}

int suggest_readings(char **out, const struct variant *v, struct err *err)
{
    size_t size;
    int recordings = 0;
    struct table table = {0};
    *out = NULL;
    struct shelf *shelf = shelf_new(v->story);
    bought_each(shelf, v, count, &recordings);
    if (!recordings) {
        shelf_free(shelf);
        return err_set(err, ERR_MISSING,
                       "%s has no recording that goes with its code and sizes; warpdrill record "
                       "brings one",
                       v->full_id);
    }
    FILE *f = open_memstream(out, &size);
    fprintf(f,
            "# %s, from %d recording%s: thresholds half way, as a factor, between what was\n# seen "
            "here and the nearest of the fix and the other variants. Counts, and times but for "
            "their shares, are yours.\nreadings:\n",
            v->full_id, recordings, recordings == 1 ? "" : "s");
    table_fill(&table, shelf, v->story);
    int printed = print_all(f, v, &table);
    table_free(&table);
    shelf_free(shelf);
    if (!printed)
        fputs("  # nothing lies apart by a factor of 1.3 or more from the fix and other variants\n",
              f);
    fclose(f);
    return 0;
}
