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

/* Less than this between the nearest two values is noise, or says little. */
static const double APART = 1.3;

struct range { double low, high; int n; };
struct other { char name[48]; int cause; struct range is; }; /* cause -1: it is the fix */
enum { OTHERS_MOST = 8 };

/* One metric of one variant, on all of its recordings. */
struct looking { const char *side, *metric; struct range is; };

static void take(struct range *r, double low, double high)
{
    r->low = r->n ? fmin(r->low, low) : low;
    r->high = r->n ? fmax(r->high, high) : high;
    r->n++;
}

static const char *run_of(const char *side)
{
    return !strcmp(side, "fix") ? "b" : "a";
}

/* The interval at the story's own size, of the run alone. */
static void look(void *ctx, const struct bought *b)
{
    struct looking *l = ctx;
    for (int i = 0; i < b->all->n_parts; i++) {
        const struct msg_part *p = &b->all->parts[i];
        bool mine = p->variant < 0 && !strcmp(p->run, run_of(l->side));
        const struct msg_value *v = mine ? msg_part_value(p, l->metric) : NULL;
        if (v && v->present) {
            take(&l->is, fmin(v->low, v->value), fmax(v->high, v->value));
            return;
        }
    }
}

static struct range range_of(struct shelf *shelf, const struct variant *v, const char *side,
                             const char *metric)
{
    struct looking l = {.side = side, .metric = metric};
    bought_each(shelf, v, look, &l);
    return l.is;
}

/* The fix, and the suspects of other variants that have another cause. */
static int others_of(struct other out[OTHERS_MOST], struct shelf *shelf, const struct variant *v,
                     const char *metric)
{
    const struct story *s = v->story;
    int n = 0;
    out[n++] = (struct other){.name = "fix", .cause = -1, .is = range_of(shelf, v, "fix", metric)};
    for (int i = 0; i < s->n_variants && n < OTHERS_MOST; i++) {
        const struct variant *w = s->variants[i];
        if (w == v || w->sealed || w->cause == v->cause)
            continue;
        out[n] = (struct other){.cause = w->cause, .is = range_of(shelf, w, "suspect", metric)};
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

static void print_reading(FILE *f, const struct variant *v, const struct metric *m,
                          const struct range *own, const struct other *others, int n)
{
    double nearest, mine;
    int side = side_of(own, others, n, &nearest);
    mine = side > 0 ? own->low : own->high;
    double at = between(mine, nearest);
    fprintf(f, "    - expect: %s %s %.6g\n      # ", m->name, side > 0 ? ">=" : "<=", at);
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
    fputs("\n      fact: ", f);
    for (const char *c = m->name; *c && c < m->name + 40; c++)
        putc(*c == '_' ? '-' : *c, f);
    putc('\n', f);
    print_words(f, v, others, n);
    fprintf(f, "      because: 'FILL IN: why %s shows it'\n", m->label);
}

/* Counts grow with the sizes, which differ from GPU to GPU. */
static bool is_count(const struct metric *m)
{
    return m->num && !m->den && !m->share;
}

/* A plain number of the suspect that lies well apart from every other's. */
static bool tells(const struct range *own, const struct other *others, int n)
{
    double nearest;
    int side = own->n ? side_of(own, others, n, &nearest) : 0;
    if (side > 0)
        return own->low > 0 && own->low >= APART * nearest;
    return side < 0 && own->high >= 0 && nearest >= APART * own->high && nearest > 0;
}

/* What can be bought and is no text of the code. */
static bool is_measured(const struct probe *p)
{
    return p->wire >= 0 && p->id != SHOP_EXPERIMENT && p->id != SHOP_VERIFY &&
           p->wire != PROBE_LINES && p->wire != PROBE_SASS;
}

static int print_probe(FILE *f, struct shelf *shelf, const struct variant *v,
                       const struct probe *probe)
{
    size_t n_metrics;
    int printed = 0;
    const struct metric *m = metric_of_probe((enum wire_probe)probe->wire, &n_metrics);
    for (size_t i = 0; i < n_metrics; i++) {
        struct other others[OTHERS_MOST];
        if (strcmp(m[i].unit, "1") || is_count(&m[i]))
            continue;
        struct range own = range_of(shelf, v, "suspect", m[i].name);
        int n = own.n ? others_of(others, shelf, v, m[i].name) : 0;
        if (!n || !tells(&own, others, n))
            continue;
        if (!printed++)
            fprintf(f, "  %s:\n", probe->name);
        print_reading(f, v, &m[i], &own, others, n);
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
    size_t n_probes, size;
    int recordings = 0, printed = 0;
    const struct probe *probes = probe_table(&n_probes);
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
            "here and the nearest of the fix and the other variants. Counts, times and series are "
            "yours.\nreadings:\n",
            v->full_id, recordings, recordings == 1 ? "" : "s");
    for (size_t i = 0; i < n_probes; i++)
        if (is_measured(&probes[i]))
            printed += print_probe(f, shelf, v, &probes[i]);
    fputs(printed ? "" : "  # nothing lies apart by a factor of 1.3 or more from the fix and other variants\n", f);
    fclose(f);
    shelf_free(shelf);
    return 0;
}
