/* What the evidence says: readings that settle, readings that mislead, and the wrong turns that
 * they invite. */
#include "scenarios/report/session_briefing_inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

enum { CHEAP = 1 /* minutes: what somebody buys first */ };

static int count(unsigned bits)
{
    int n = 0;
    for (; bits; bits &= bits - 1)
        n++;
    return n;
}

static bool on_path(const struct brief_work *w, const char *probe)
{
    for (int p = 0; p < w->path.n; p++)
        if (!strcmp(w->path.probe[p], probe))
            return true;
    return false;
}

/* ---- what settles ---- */

/* 0: it says nothing for the cause. Where it fits rivals too, its exclusions alone count. */
static int telling(const struct brief_work *w, const struct reading *r)
{
    unsigned cause = 1u << w->v->cause;
    int n = 10 * count(r->says[WORD_RULES_OUT] & w->rivals) +
            3 * count(r->says[WORD_AGAINST] & w->rivals);
    if ((r->says[WORD_RULES_OUT] | r->says[WORD_AGAINST]) & cause)
        return 0;
    if (r->says[WORD_SETTLES] & cause)
        n += 1000;
    else if (r->says[WORD_FOR] & cause)
        n += (r->says[WORD_FOR] & w->rivals) ? 5 : 100;
    return n && on_path(w, r->probe) ? n + 500 : n;
}

static bool fact_taken(const struct brief_work *w, int reading)
{
    const char *fact = w->v->readings[reading].fact;
    for (int i = 0; fact && i < w->n_order; i++) {
        const char *other = w->v->readings[w->order[i]].fact;
        if (other && !strcmp(fact, other))
            return true;
    }
    return false;
}

void brief_order(struct brief_work *w)
{
    w->order = mem_new((size_t)w->v->n_readings + 1, sizeof *w->order);
    for (;;) {
        int best = -1, most = 0;
        for (int r = 0; r < w->v->n_readings; r++) {
            int t = w->holds[r] && !fact_taken(w, r) ? telling(w, &w->v->readings[r]) : 0;
            bool listed = false;
            for (int i = 0; i < w->n_order; i++)
                listed |= w->order[i] == r;
            if (!listed && t > most) {
                most = t;
                best = r;
            }
        }
        if (best < 0)
            return;
        w->order[w->n_order++] = best;
    }
}

static void line_begin(struct briefing_line *l, const struct brief_work *w, const struct reading *r)
{
    const struct experiment *x = story_experiment(w->story, r->probe);
    *l = (struct briefing_line){.probe = brief_letter(w->story, r->probe)};
    if (x)
        snprintf(l->name, sizeof l->name, "%s", x->id);
    brief_fact(l->text, BRIEF_FACT, w, r);
    l->fact = (int)strlen(l->text);
}

static void says_words(struct briefing_line *l, const struct brief_work *w, const struct reading *r)
{
    unsigned cause = 1u << w->v->cause, out = r->says[WORD_RULES_OUT] & w->rivals,
             against = r->says[WORD_AGAINST] & w->rivals;
    const char *label = w->story->hypotheses[w->v->cause]->label;
    char labels[160], before[] = ": ";
    if (r->says[WORD_SETTLES] & cause)
        brief_add(l->text, sizeof l->text, "%ssettles %s", before, label);
    else if (r->says[WORD_FOR] & cause)
        brief_add(l->text, sizeof l->text, "%sspeaks for %s", before, label);
    bool said = ((r->says[WORD_SETTLES] | r->says[WORD_FOR]) & cause) != 0;
    if (out || against) {
        brief_labels(labels, sizeof labels, w->story, out ? out : against, 3);
        brief_add(l->text, sizeof l->text, "%s%s %s", said ? "; " : before,
                  out ? "rules out" : "speaks against", labels);
    }
}

void brief_settles(struct briefing *out, const struct brief_work *w)
{
    int room = (int)(sizeof out->settles / sizeof *out->settles);
    for (int i = 0; i < w->n_order && out->n_settles < room; i++) {
        struct briefing_line *l = &out->settles[out->n_settles++];
        line_begin(l, w, &w->v->readings[w->order[i]]);
        says_words(l, w, &w->v->readings[w->order[i]]);
    }
}

/* ---- what misleads ---- */

static unsigned pulls(const struct brief_work *w, const struct reading *r)
{
    return (r->says[WORD_SETTLES] | r->says[WORD_FOR]) & w->rivals;
}

static int misleading(const struct brief_work *w, const struct reading *r)
{
    unsigned cause = 1u << w->v->cause;
    bool fits = (r->says[WORD_SETTLES] | r->says[WORD_FOR]) & cause;
    return pulls(w, r) ? 10 * !fits + count(pulls(w, r)) : 0;
}

static void mislead_line(struct briefing *out, const struct brief_work *w, const struct reading *r)
{
    char labels[160];
    struct briefing_line *l = &out->misleads[out->n_misleads++];
    line_begin(l, w, r);
    brief_labels(labels, sizeof labels, w->story, pulls(w, r), 3);
    brief_add(l->text, sizeof l->text,
              misleading(w, r) >= 10 ? ": points to %s" : ": fits %s as well", labels);
}

/* What screams loudest in a profile, where no reading speaks for a rival. */
static bool longest_stall(struct briefing *out, const struct brief_work *w)
{
    size_t n;
    const struct metric *m = metric_of_probe(PROBE_STALLS, &n);
    const char *worst = NULL;
    double most = 0;
    char value[40];
    for (size_t i = 0; i < n; i++) {
        struct scope s = w->scope;
        struct quantity q;
        if (strncmp(m[i].name, "stall_", 6) || !strcmp(m[i].name, "stall_total") ||
            !strcmp(m[i].name, "stall_selected") || scope_lookup(&s, m[i].name, &q, NULL))
            continue;
        if (q.value > most) {
            most = q.value;
            worst = m[i].name + 6;
        }
    }
    if (!worst)
        return false;
    struct briefing_line *l = &out->misleads[out->n_misleads++];
    quantity_show(value, sizeof value, most, "cycle");
    *l = (struct briefing_line){.probe = brief_letter(w->story, "stalls")};
    snprintf(l->text, sizeof l->text, "%s %s", worst, value);
    l->fact = (int)strlen(l->text);
    brief_add(l->text, sizeof l->text, ": the longest wait, which names no cause");
    return true;
}

/* Of a case without such a reading: the loudest thing that is beside the point is the author's red
 * herring. */
static void herring(struct briefing *out, const struct brief_work *w)
{
    for (int p = 0; p < w->v->n_pushbacks; p++)
        if (w->v->pushbacks[p].kind == PUSH_RED_HERRING) {
            struct briefing_line *l = &out->misleads[out->n_misleads++];
            *l = (struct briefing_line){.probe = ' '};
            brief_add(l->text, BRIEF_FACT + 1, "%s", w->v->pushbacks[p].says);
            l->fact = (int)strlen(l->text);
            brief_add(l->text, sizeof l->text, ": %s", w->v->pushbacks[p].teaches);
            return;
        }
}

void brief_misleads(struct briefing *out, const struct brief_work *w)
{
    int room = (int)(sizeof out->misleads / sizeof *out->misleads), n = w->v->n_readings;
    bool *taken = mem_new((size_t)n + 1, sizeof *taken);
    while (out->n_misleads < room) {
        int best = -1, most = 0;
        for (int r = 0; r < n; r++) {
            int m = w->holds[r] && !taken[r] ? misleading(w, &w->v->readings[r]) : 0;
            if (m > most) {
                most = m;
                best = r;
            }
        }
        if (best < 0)
            break;
        for (int r = 0; r < n; r++)     /* one line for one fact */
            taken[r] |= r == best || (w->v->readings[r].fact && w->v->readings[best].fact &&
                                      !strcmp(w->v->readings[r].fact, w->v->readings[best].fact));
        mislead_line(out, w, &w->v->readings[best]);
    }
    free(taken);
    if (out->n_misleads == 0 && !longest_stall(out, w))
        herring(out, w);
}

/* ---- likely wrong turns ---- */

/* What the ideal reader believes after everything that costs at most CHEAP, of a case the exhibits
 * at hand. `names` receives the purchases. */
static void after_cheap(double *belief, char *names, size_t size, const struct brief_work *w)
{
    struct evidence *list[64];
    struct scope s = w->scope;
    double even[MAX_HYPOTHESES], likelihood[MAX_HYPOTHESES];
    bool *flags = mem_new((size_t)w->v->n_readings + 1, sizeof *flags);
    s.bought = list;
    s.n_bought = 0;
    *names = '\0';
    for (int b = 0; b < w->scope.n_bought && s.n_bought < 64; b++) {
        const char *probe = w->list[b]->probe;
        const struct experiment *x = story_experiment(w->story, probe);
        const struct probe *p = probe_by_name(probe);
        bool read = false;
        for (int r = 0; r < w->v->n_readings; r++)
            read |= !strcmp(w->v->readings[r].probe, probe);
        if (!read)
            continue;
        if (x ? x->exhibit && x->price <= CHEAP : p && p->price <= CHEAP) {
            char name[64];
            brief_short(name, sizeof name, w->story, probe);
            list[s.n_bought++] = w->list[b];
            brief_add(names, size, "%s%s", *names ? " + " : "", name);
        }
    }
    s.all = NULL;
    ideal_flags(w->v, &s, flags);
    ideal_likelihood(w->v, flags, likelihood);
    for (int h = 0; h < w->k; h++)
        even[h] = 1.0 / w->k;
    score_posterior(belief, even, likelihood, w->k);
    free(flags);
}

static double log_word(const struct reading *r, int h)
{
    double most = 0;
    for (int k = 0; k < WORD_COUNT; k++)
        if (r->says[k] >> h & 1)
            most = log(word_weight((enum word)k));
    return most;
}

static bool asked_before(const struct briefing *out, const struct brief_work *w,
                         const struct reading *r)
{
    char fact[BRIEF_FACT + 1];
    brief_fact(fact, BRIEF_FACT, w, r);
    for (int t = 0; t < out->n_turns; t++)
        if (strstr(out->turns[t].why, fact))
            return true;
    return false;
}

/* The reading that tells the cause and one rival apart best. A reading against this rival comes
 * before one for the cause alone; then one that no turn has used, then the cheaper. NULL: none. */
static const struct reading *separator(const struct briefing *out, const struct brief_work *w,
                                       int rival)
{
    const struct reading *best = NULL;
    double most = 0;
    for (int r = 0; r < w->v->n_readings; r++) {
        const struct reading *at = &w->v->readings[r];
        double apart = w->holds[r] ? log_word(at, w->v->cause) - log_word(at, rival) : 0;
        if (apart < 0.01)
            continue;
        apart -= log_word(at, rival) + (asked_before(out, w, at) ? 1 : 0) +
                 0.01 * story_price(w->story, at->probe);
        if (!best || apart > most) {
            most = apart;
            best = at;
        }
    }
    return best;
}

/* The dearest word for a rival that holds: what speaks for it. */
static const struct reading *speaker(const struct brief_work *w, int rival)
{
    for (int r = 0; r < w->v->n_readings; r++)
        if (w->holds[r] && (pulls(w, &w->v->readings[r]) >> rival & 1))
            return &w->v->readings[r];
    return NULL;
}

static void turn_why(struct briefing_turn *t, const struct brief_work *w, const double *belief,
                     const char *cheap, const struct reading *apart)
{
    const struct reading *for_it = speaker(w, t->hypothesis);
    char name[64], fact[BRIEF_FACT + 1];
    snprintf(t->why, sizeof t->why, "%s%s at %.0f %%, the cause at %.0f %%",
             *cheap ? "After " : "Before any purchase", cheap, 100 * belief[t->hypothesis],
             100 * belief[w->v->cause]);
    if (for_it && for_it != apart) {
        brief_short(name, sizeof name, w->story, for_it->probe);
        brief_add(t->why, sizeof t->why, "; %s speaks for it", name);
    }
    if (!apart)
        return;
    brief_short(name, sizeof name, w->story, apart->probe);
    brief_fact(fact, BRIEF_FACT, w, apart);
    brief_add(t->why, sizeof t->why, ". %s ends it: %s.", name, fact);
}

/* A figure may be called as the cause is, and would tell it: "bank conflicts". */
static bool tells_cause(const struct brief_work *w, const char *figure)
{
    return strstr(figure, w->story->hypotheses[w->v->cause]->label) != NULL;
}

static void turn_question(struct briefing_turn *t, const struct brief_work *w,
                          const struct reading *apart)
{
    const char *label = w->story->hypotheses[t->hypothesis]->label;
    bool nothing = !strcmp(w->story->hypotheses[t->hypothesis]->id, "none.at-limit");
    char figure[64] = "", what[64], value[96];
    snprintf(t->question, sizeof t->question,
             nothing ? "If it were at the limit of the machine, " : "If the answer were %s, ",
             label);
    if (apart && !story_experiment(w->story, apart->probe))
        brief_first_figure(figure, sizeof figure, w, apart);
    if (!apart)
        brief_add(t->question, sizeof t->question,
                  "what would you have to see, and where would you look?");
    else if (*figure && brief_figure(what, sizeof what, value, sizeof value, w, NULL, figure) &&
             !tells_cause(w, what))
        brief_add(t->question, sizeof t->question, "what would you expect of \"%s\"?", what);
    else if (!strcmp(apart->probe, "source"))
        brief_add(t->question, sizeof t->question, "what would you expect to find in the source?");
    else
        brief_add(t->question, sizeof t->question, "what would \"%s\" show?",
                  brief_title(w->story, apart->probe));
}

/* Rivals by what the ideal reader believes after the cheap purchases; what speaks for one later
 * makes it likelier. */
void brief_turns(struct briefing *out, const struct brief_work *w)
{
    double belief[MAX_HYPOTHESES], weight[MAX_HYPOTHESES];
    int room = (int)(sizeof out->turns / sizeof *out->turns);
    char cheap[96];
    after_cheap(belief, cheap, sizeof cheap, w);
    for (int h = 0; h < w->k; h++)
        weight[h] = w->rivals >> h & 1 ? belief[h] * (speaker(w, h) ? 2 : 1) : -1;
    while (out->n_turns < room) {
        int best = -1;
        for (int h = 0; h < w->k; h++)
            if (weight[h] > (out->n_turns ? 0.01 : 0) &&
                (best < 0 || weight[h] > weight[best] + 1e-12))
                best = h;
        if (best < 0)
            return;
        weight[best] = -1;
        const struct reading *apart = separator(out, w, best);
        struct briefing_turn *t = &out->turns[out->n_turns++];
        *t = (struct briefing_turn){.hypothesis = best};
        turn_why(t, w, belief, cheap, apart);
        turn_question(t, w, apart);
    }
}
