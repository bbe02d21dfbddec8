/* Which hypotheses can be told apart: for each pair on offer the cheapest purchase whose readings
 * weigh the two differently. */
#include "scenarios/check/checks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/check/checker_bought.h"

enum { MOST_PRICE = 1000 };

/* The cheapest purchase that separates: its price, and the letter under which it stands in the
 * shop. */
struct cell { int price; char letter; };
struct matrix {
    struct findings *f;                /* NULL: only the matrix is wanted */
    const struct story *s;
    struct cell pair[MAX_HYPOTHESES][MAX_HYPOTHESES];
    int n_recordings;
};

static const struct cell nothing = {.price = MOST_PRICE, .letter = '-'};

static struct cell cell_of(const struct story *s, const char *probe)
{
    size_t n;
    const struct probe *table = probe_table(&n);
    const struct experiment *x = story_experiment(s, probe);
    if (x)
        return (struct cell){x->price, table[x->shop].letter};
    const struct probe *p = probe_by_name(probe);
    return p ? (struct cell){p->price, p->letter} : nothing;
}

/* Is reading r the first of its probe? */
static bool is_first(const struct variant *v, int r)
{
    for (int q = 0; q < r; q++)
        if (!strcmp(v->readings[q].probe, v->readings[r].probe))
            return false;
    return true;
}

/* What the readings of one probe that hold say together. */
static void weigh(const struct variant *v, const bool *holds, const char *probe, double *likelihood)
{
    bool *flags = mem_new((size_t)v->n_readings, sizeof *flags);
    for (int r = 0; r < v->n_readings; r++)
        flags[r] = (!holds || holds[r]) && !strcmp(v->readings[r].probe, probe);
    ideal_likelihood(v, flags, likelihood);
    free(flags);
}

static void add_cell(struct cell *to, struct cell c)
{
    if (c.price < to->price)
        *to = c;
}

/* ahead[k]: something speaks for the cause against hypothesis k. holds NULL: as if all readings
 * held. */
static void add_evidence(struct matrix *m, const struct variant *v, const bool *holds, bool *ahead)
{
    double likelihood[MAX_HYPOTHESES];
    for (int r = 0; r < v->n_readings; r++) {
        if (!is_first(v, r))
            continue;
        struct cell c = cell_of(m->s, v->readings[r].probe);
        weigh(v, holds, v->readings[r].probe, likelihood);
        for (int i = 0; i < m->s->n_hypotheses; i++) {
            ahead[i] = ahead[i] || likelihood[v->cause] > likelihood[i] * (1 + 1e-9);
            for (int k = 0; k < m->s->n_hypotheses; k++)
                if (fabs(log(likelihood[i] / likelihood[k])) > 1e-9)
                    add_cell(&m->pair[i][k], c);
        }
    }
}

/* ---- the cause against its rivals, in each variant ---- */

static void check_cause(struct matrix *m, const struct variant *v, const bool *ahead,
                        const char *gpu)
{
    char *path = text_format("%s/%s/sealed/answer.yaml", m->s->id, v->id);
    for (int k = 0; m->f && k < m->s->n_hypotheses; k++)
        if (k != v->cause && !ahead[k])
            findings_add(m->f, "apart-cause", m->s->pack, v->full_id, gpu,
                         place_key(m->s->pack, path, "cause", NULL),
                         "no reading that holds speaks for %s, the cause, against %s; one was "
                         "expected, or another hypothesis on offer",
                         m->s->hypotheses[v->cause]->id, m->s->hypotheses[k]->id);
    free(path);
}

static void on_recording(void *ctx, const struct bought *b)
{
    struct matrix *m = ctx;
    bool ahead[MAX_HYPOTHESES] = {false};
    add_evidence(m, b->v, b->holds, ahead);
    check_cause(m, b->v, ahead, b->r->device.slug);
    m->n_recordings++;
}

/* A variant without fresh evidence is taken at its word: an author sees what is missing before
 * anything is recorded. */
static void add_variant(struct matrix *m, const struct variant *v)
{
    bool ahead[MAX_HYPOTHESES] = {false};
    if (bought_each(m->f ? m->f->shelf : NULL, v, on_recording, m))
        return;
    add_evidence(m, v, NULL, ahead);
    check_cause(m, v, ahead, NULL);
}

static void make_matrix(struct matrix *m)
{
    for (int i = 0; i < MAX_HYPOTHESES; i++)
        for (int k = 0; k < MAX_HYPOTHESES; k++)
            m->pair[i][k] = nothing;
    for (int i = 0; i < m->s->n_variants; i++)
        if (!m->s->variants[i]->sealed)
            add_variant(m, m->s->variants[i]);
}

/* ---- pairs of which neither is the cause ---- */

static bool is_cause(const struct story *s, int k)
{
    for (int i = 0; i < s->n_variants; i++)
        if (!s->variants[i]->sealed && s->variants[i]->cause == k)
            return true;
    return false;
}

static void check_pairs(struct matrix *m)
{
    const struct story *s = m->s;
    char *path = text_format("%s/scenario.yaml", s->id);
    for (int k = 1; k < s->n_hypotheses; k++)
        for (int i = 0; i < k; i++)
            if (m->pair[i][k].price == MOST_PRICE && !is_cause(s, i) && !is_cause(s, k))
                findings_add(m->f, "apart-pair", s->pack, s->full_id, NULL,
                             place_key(s->pack, path, "hypotheses", s->hypotheses[k]->id),
                             "no reading of any variant weighs %s and %s differently; one was "
                             "expected, or one of the two on offer",
                             s->hypotheses[i]->id, s->hypotheses[k]->id);
    free(path);
}

void check_apart(struct findings *f, const struct story *s)
{
    struct matrix m = {.f = f, .s = s};
    make_matrix(&m);
    check_pairs(&m);
}

/* ---- the matrix, to read ---- */

/* Letters that occur in it, with what they stand for. */
static void write_legend(FILE *out, const struct matrix *m)
{
    size_t n;
    const struct probe *table = probe_table(&n);
    const char *before = "";
    for (size_t row = 0; row < n; row++) {
        bool used = false;
        for (int i = 0; i < m->s->n_hypotheses; i++)
            for (int k = 0; k < m->s->n_hypotheses; k++)
                used = used || (i != k && m->pair[i][k].letter == table[row].letter);
        if (used)
            fprintf(out, "%s%c %s", before, table[row].letter, table[row].brief);
        before = used ? ", " : before;
    }
}

static void write_matrix(FILE *out, const struct matrix *m)
{
    const struct story *s = m->s;
    fprintf(out, "%s: the cheapest purchase that tells two hypotheses apart%s\n\n%-30s", s->full_id,
            m->n_recordings ? "" : ",\nas the readings claim it; nothing is recorded", "");
    for (int k = 1; k <= s->n_hypotheses; k++)
        fprintf(out, "%3d", k);
    for (int i = 0; i < s->n_hypotheses; i++) {
        fprintf(out, "\n%2d %c %-25s", i + 1, is_cause(s, i) ? '*' : ' ', s->hypotheses[i]->id);
        for (int k = 0; k < s->n_hypotheses; k++)
            fprintf(out, "  %c", k == i ? '.' : m->pair[i][k].letter);
    }
    fputs("\n\n* the cause of a variant, - nothing does; ", out);
    write_legend(out, m);
    fputc('\n', out);
}

char *apart_table(const struct story *s)
{
    struct matrix m = {.s = s};
    char *text = NULL;
    size_t len;
    make_matrix(&m);
    FILE *out = open_memstream(&text, &len);
    if (!out)
        return text_dup("");
    write_matrix(out, &m);
    fclose(out);
    return text;
}
