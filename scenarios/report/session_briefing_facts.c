/* Evidence in words: the figures behind a reading, each with its value. */
#include "scenarios/report/session_briefing_inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/evidence/exhibit_table.h"
#include "scenarios/evidence/timeline.h"
#include "scenarios/pack/exhibit_names.h"

enum { MOST_FIGURES = 4, MOST_NAME = 64 };

/* ---- names of purchases ---- */

char brief_letter(const struct story *s, const char *probe)
{
    const struct probe *p = probe_by_name(probe);
    const struct experiment *x = story_experiment(s, probe);
    size_t n;
    return p ? p->letter : x ? probe_table(&n)[x->shop].letter : '?';
}

const char *brief_title(const struct story *s, const char *probe)
{
    const struct experiment *x = story_experiment(s, probe);
    const struct probe *p = probe_by_name(probe);
    return x ? x->title : p ? p->title : probe;
}

void brief_short(char *out, size_t size, const struct story *s, const char *probe)
{
    const struct experiment *x = story_experiment(s, probe);
    if (x && x->exhibit)
        snprintf(out, size, "%s", x->id);
    else if (x)
        snprintf(out, size, "%c %s", brief_letter(s, probe), x->id);
    else
        snprintf(out, size, "%c", brief_letter(s, probe));
}

/* ---- text ---- */

/* Cuts at the last blank before `most` bytes; UTF-8 stays whole, since a blank is a character. */
static void cut(char *text, size_t most)
{
    size_t n = most;
    if (strlen(text) <= most)
        return;
    while (n > 0 && text[n] != ' ')
        n--;
    while (n > 0 && strchr(" ,;:", text[n - 1]))
        n--;
    text[n] = '\0';
}

/* Up to where a clause ends, and at most that many bytes. */
static void first_clause(char *text, size_t most)
{
    size_t n = 0;
    while (text[n] && !(strchr(".;:", text[n]) && (text[n + 1] == ' ' || !text[n + 1])))
        n++;
    text[n] = '\0';
    cut(text, most);
}

void brief_add(char *out, size_t size, const char *fmt, ...)
{
    char whole[1024];
    va_list ap;
    size_t used = strlen(out);
    va_start(ap, fmt);
    vsnprintf(whole, sizeof whole, fmt, ap);
    va_end(ap);
    if (used + strlen(whole) >= size)
        cut(whole, size - 1 - used);
    snprintf(out + used, size - used, "%s", whole);
}

void brief_labels(char *out, size_t size, const struct story *s, unsigned bits, int most)
{
    int n = 0, all = 0;
    *out = '\0';
    for (int h = 0; h < s->n_hypotheses; h++)
        all += bits >> h & 1;
    int shown = all > most ? most - 1 : all;
    for (int h = 0; h < s->n_hypotheses && n < shown; h++)
        if (bits >> h & 1) {
            brief_add(out, size, "%s%s",
                      n == 0                           ? ""
                      : n == shown - 1 && shown == all ? " and "
                                                       : ", ",
                      s->hypotheses[h]->label);
            n++;
        }
    if (shown < all)
        brief_add(out, size, " and %d more", all - shown);
}

/* ---- figures of measurements ---- */

static void metric_label(char *out, size_t size, const struct metric *m)
{
    if (!strcmp(m->name, "longest_share") || !strcmp(m->name, "top_line_share"))
        snprintf(out, size, "%s",
                 m->name[0] == 'l' ? "longest kernel's share" : "top line's share of samples");
    else if (m->probe == PROBE_STALLS && strcmp(m->name, "stall_total"))
        snprintf(out, size, "%s", m->name + sizeof "stall_" - 1);
    else
        snprintf(out, size, "%s", m->probe == PROBE_STALLS ? "all stall reasons" : m->label);
}

/* Which launch of the suspect was the longest, by its label. */
static bool launch_label(char *out, size_t size, const struct brief_work *w, double number)
{
    int n;
    const struct launch *l = variant_launches(w->v, "a", &n);
    int at = (int)number - 1;
    if (at < 0 || at >= n || !l[at].label)
        return false;
    snprintf(out, size, "%s", l[at].label);
    return true;
}

/* "at n 4096" for .first and .last, "least", "most" for the others. */
static void reduction_words(char *out, size_t size, const struct brief_work *w,
                            const struct reading *r, const char *name)
{
    const struct experiment *x = story_experiment(w->story, r->probe);
    const char *how = strrchr(name, '.');
    int step = how && !strcmp(how, ".last") && x ? x->n_steps - 1 : 0;
    char label[64] = "";
    *out = '\0';
    if (!x || !how || x->n_steps < 2)
        return;
    if (!strcmp(how, ".min") || !strcmp(how, ".max")) {
        snprintf(out, size, how[2] == 'i' ? "at least" : "at most");
        return;
    }
    request_step_label(label, sizeof label, w->story, w->scope.device, x, step);
    snprintf(out, size, "(%s)", label);
}

/* Bytes beside those that the task compels, where the formula compares the two. */
static bool compares_bytes(const struct reading *r, const struct metric *m)
{
    return r && r->expect.f && !strcmp(m->unit, "B") &&
           strstr(formula_text(r->expect.f), "work.bytes");
}

/* A time beside the arithmetic that it is for. */
static bool compares_flops(const struct reading *r, const struct metric *m)
{
    return r && r->expect.f && !strcmp(m->name, "time") &&
           strstr(formula_text(r->expect.f), "work.flops");
}

static bool metric_figure(char *label, size_t label_size, char *value, size_t size,
                          const struct brief_work *w, const struct reading *r, const char *name)
{
    bool series;
    struct quantity q, work;
    struct scope s = w->scope;
    const struct metric *m = name_metric(name, &series);
    char words[80] = "";
    if (!m)
        return false;
    if (r && story_experiment(w->story, r->probe))
        s.experiment = r->probe;
    if (scope_lookup(&s, name, &q, NULL))
        return false;
    metric_label(label, label_size, m);
    if (series && r)
        reduction_words(words, sizeof words, w, r, name);
    if (!strcmp(m->name, "longest_kernel") && launch_label(value, size, w, q.value))
        return true;
    if (compares_bytes(r, m) && scope_lookup(&s, "work.bytes", &work, NULL) == 0 && work.value > 0)
        snprintf(value, size,
                 q.value < 9.95 * work.value ? "%.2f x the compelled ones"
                                             : "%.0f x the compelled ones",
                 q.value / work.value);
    else if (compares_flops(r, m) && scope_lookup(&s, "work.flops", &work, NULL) == 0 &&
             q.value > 0) {
        char rate[40];
        quantity_show(value, size, q.value, m->unit);
        quantity_show(rate, sizeof rate, work.value / q.value, "flop/s");
        brief_add(value, size, " (%s)", rate);
    } else if (m->share)
        quantity_percent(value, size, q.value);
    else
        quantity_show(value, size, q.value, m->unit);
    if (*words)
        snprintf(value + strlen(value), size - strlen(value), " %s", words);
    return true;
}

/* ---- figures of exhibits ---- */

static const struct figure *figure_of(const struct experiment *x, const char *name)
{
    size_t n = strcspn(name, ".");
    for (int f = 0; f < x->exhibit->n_figures; f++)
        if (strlen(x->exhibit->figures[f].name) == n &&
            !strncmp(x->exhibit->figures[f].name, name, n))
            return &x->exhibit->figures[f];
    return NULL;
}

enum { ROWS_MOST = 1 << 20 };  /* more than any table has */

/* "rank 11, node b" for a row's number. */
static void row_name(char *out, size_t size, const struct brief_work *w, const struct experiment *x,
                     int row)
{
    int at = (int)(x - w->story->experiments);
    snprintf(out, size, "%s %d", x->exhibit->row ? x->exhibit->row : "row", row);
    for (int i = 0; w->scope.all && i < w->scope.all->n_parts; i++) {
        const struct msg_part *p = &w->scope.all->parts[i];
        if (p->variant == at && row >= 0 && row < p->n_lines)
            snprintf(out, size, "%s", p->lines[row]);
    }
}

static bool exhibit_figure(char *label, size_t label_size, char *value, size_t size,
                           const struct brief_work *w, const char *name)
{
    const struct experiment *x = exhibits_know(w->story, name) ? exhibits_of(w->story, name) : NULL;
    const struct figure *f = x ? figure_of(x, name) : NULL;
    const char *how = strrchr(name, '.');
    struct scope s = w->scope;
    struct quantity q;
    if (!f || !how || scope_lookup(&s, name, &q, NULL))
        return false;
    snprintf(label, label_size, "%s", f->label);
    if (!strncmp(how, ".at_", 4)) {
        char row[64];
        bool is_row = q.value >= 0 && q.value < ROWS_MOST;
        if (!is_row)
            return false;
        row_name(row, sizeof row, w, x, (int)q.value);
        snprintf(value, size, "%s at %s", how[5] == 'i' ? "least" : "most", row);
        return true;
    }
    const char *word = !strcmp(how, ".min")      ? " at least"
                       : !strcmp(how, ".max")    ? " at most"
                       : !strcmp(how, ".median") ? " median"
                       : !strcmp(how, ".mean")   ? " on average"
                       : !strcmp(how, ".first")  ? " at first"
                                                 : " at last";
    bool plain = !strcmp(f->unit, "1");
    snprintf(value, size, "%.4g%s%s%s", q.value / f->factor, plain ? "" : " ", plain ? "" : f->unit,
             word);
    return true;
}

bool brief_figure(char *label, size_t label_size, char *value, size_t value_size,
                  const struct brief_work *w, const struct reading *r, const char *name)
{
    if (story_is_case(w->story))
        return exhibit_figure(label, label_size, value, value_size, w, name);
    return metric_figure(label, label_size, value, value_size, w, r, name);
}

/* ---- the figures of a formula ---- */

struct names { char name[MOST_FIGURES][MOST_NAME]; int n; };

static int take_name(void *ctx, const char *name)
{
    struct names *found = ctx;
    for (int i = 0; i < found->n; i++)
        if (!strcmp(found->name[i], name))
            return 0;
    if (found->n < MOST_FIGURES && strlen(name) < MOST_NAME)
        snprintf(found->name[found->n++], MOST_NAME, "%s", name);
    return 0;
}

static void names_of(struct names *found, const struct reading *r)
{
    found->n = 0;
    if (r->expect.f)
        formula_names(r->expect.f, take_name, found, NULL);
}

void brief_first_figure(char *out, size_t size, const struct brief_work *w, const struct reading *r)
{
    struct names found;
    char label[64], value[96];
    names_of(&found, r);
    *out = '\0';
    for (int i = 0; i < found.n && !*out; i++)
        if (brief_figure(label, sizeof label, value, sizeof value, w, r, found.name[i]))
            snprintf(out, size, "%s", found.name[i]);
}

void brief_fact(char *out, int most, const struct brief_work *w, const struct reading *r)
{
    struct names found;
    char label[64], value[96], last[64] = "", piece[256];
    names_of(&found, r);
    *out = '\0';
    for (int i = 0; i < found.n; i++) {
        if (!brief_figure(label, sizeof label, value, sizeof value, w, r, found.name[i]))
            continue;
        if (!strcmp(last, "longest kernel") && strstr(label, "'s share"))
            snprintf(label, sizeof label, "its share");
        snprintf(piece, sizeof piece, "%s%s%s%s", *out ? ", " : "",
                 strcmp(last, label) ? label : "", strcmp(last, label) ? " " : "", value);
        if (strlen(out) + strlen(piece) > (size_t)most)
            break;
        strcat(out, piece);
        snprintf(last, sizeof last, "%s", label);
    }
    if (*out)
        return;
    snprintf(piece, sizeof piece, "%s", r->because);
    first_clause(piece, (size_t)most);
    snprintf(out, (size_t)most + 1, "%s", piece);
}
