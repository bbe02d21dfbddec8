#include "drills/progress/standing_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/items.h"
#include "db/moment.h"
#include "drills/question/template.h"
#include "kernels/wire/text.h"
#include "scenarios/pack/taxonomy.h"

struct gathered {
    struct store_tally *tallies; int n_tallies;
    struct store_answer *answers; int n_answers;
    struct store_attempt *attempts; int n_attempts;
    struct store_study_day *days; int n_days;
    const struct queue_item **index; int n_items;    /* by id */
    struct standing_try *tries; int n_tries;         /* of topics */
};

static int by_id(const void *a, const void *b)
{
    return strcmp((*(const struct queue_item *const *)a)->id,
                  (*(const struct queue_item *const *)b)->id);
}

static int find_by_id(const void *key, const void *member)
{
    return strcmp(key, (*(const struct queue_item *const *)member)->id);
}

/* NULL: of no topic. */
static const char *topic_of(const struct gathered *g, const char *item)
{
    const struct queue_item **hit =
        bsearch(item, g->index, (size_t)g->n_items, sizeof *g->index, find_by_id);
    return hit && (*hit)->kind != QUEUE_CAUSE && *(*hit)->topic ? (*hit)->topic : NULL;
}

static void index_items(struct gathered *g, const struct queue_item *items, int n)
{
    g->index = mem_new((size_t)n + 1, sizeof *g->index);
    g->n_items = n;
    for (int i = 0; i < n; i++)
        g->index[i] = &items[i];
    qsort(g->index, (size_t)n, sizeof *g->index, by_id);
}

static int read_store(struct gathered *g, struct store *store, int today)
{
    int rc = store_tallies(store, &g->tallies, &g->n_tallies);
    if (rc == STORE_OK)
        rc = store_answers(store, &(struct store_answer_filter){0}, &g->answers, &g->n_answers);
    if (rc == STORE_OK)
        rc = store_attempts(store, "revealed", 0, &g->attempts, &g->n_attempts);
    if (rc == STORE_OK)
        rc = store_study_days(store, today - 7 * STANDING_WEEKS, today, &g->days, &g->n_days);
    return rc;
}

static double factor_of(const struct store_answer *a)
{
    return a->readable && a->value > 0 && a->truth > 0 ? exp(fabs(a->log_error)) : 0;
}

/* ---- topics ---- */

static void gather_tries(struct gathered *g)
{
    g->tries = mem_new((size_t)(g->n_tallies + g->n_answers) + 1, sizeof *g->tries);
    for (int i = 0; i < g->n_tallies; i++) {
        const char *topic = topic_of(g, g->tallies[i].item);
        if (topic)
            g->tries[g->n_tries++] = (struct standing_try){.group = topic,
                                                           .n = g->tallies[i].n,
                                                           .right = g->tallies[i].correct};
    }
    for (int i = 0; i < g->n_answers; i++) { /* their rights are counted already, as reviews */
        const char *topic = topic_of(g, g->answers[i].item);
        if (topic)
            g->tries[g->n_tries++] =
                (struct standing_try){.group = topic, .factor = factor_of(&g->answers[i])};
    }
}

static bool has_content(const struct gathered *g, const char *topic)
{
    for (int i = 0; i < g->n_items; i++)
        if (!strcmp(g->index[i]->topic, topic))
            return true;
    return false;
}

static void fill_topics(struct standing *out, const struct gathered *g)
{
    int n = 0;
    while (drill_topics[n])
        n++;
    out->topics = mem_new((size_t)n + 1, sizeof *out->topics);
    for (int i = 0; i < n; i++)
        if (has_content(g, drill_topics[i]))
            out->topics[out->n_topics++].group = drill_topics[i];
    standing_shares(out->topics, out->n_topics, g->tries, g->n_tries);
}

/* ---- causes ---- */

static void fill_causes(struct standing *out, const struct gathered *g)
{
    struct standing_try *tries = mem_new((size_t)g->n_attempts + 1, sizeof *tries);
    size_t n_known;
    const struct hypothesis *known = taxonomy(&n_known);
    int n = 0;
    for (int i = 0; i < g->n_attempts; i++)
        if (g->attempts[i].counted && g->attempts[i].cause_right >= 0)
            tries[n++] = (struct standing_try){.group = g->attempts[i].cause,
                                               .n = 1,
                                               .right = g->attempts[i].cause_right};
    out->causes = mem_new(n_known + 1, sizeof *out->causes);
    for (size_t k = 0; k < n_known; k++)
        for (int i = 0; i < n; i++)
            if (!strcmp(tries[i].group, known[k].id)) {
                out->causes[out->n_causes++].group = known[k].id;
                break;
            }
    standing_shares(out->causes, out->n_causes, tries, n);
    free(tries);
}

/* The beliefs held at the end of first looks. */
static int fill_beliefs(struct standing *out, const struct gathered *g, struct store *store)
{
    struct standing_said *said = NULL;
    int n = 0, rc = STORE_OK;
    for (int i = 0; i < g->n_attempts && rc == STORE_OK; i++) {
        struct store_belief *b = NULL;
        int n_beliefs = 0;
        if (!g->attempts[i].counted)
            continue;
        rc = store_beliefs(store, g->attempts[i].uid, &b, &n_beliefs);
        said = mem_grow(said, (size_t)(n + n_beliefs) + 1, sizeof *said);
        for (int k = 0; k < n_beliefs; k++) /* they come by step */
            if (b[k].step == b[n_beliefs - 1].step)
                said[n++] = (struct standing_said){b[k].points / 100.0,
                                                   !strcmp(b[k].hypothesis, g->attempts[i].cause)};
        free(b);
    }
    standing_calibrate(out->beliefs, said, n);
    out->n_beliefs = n;
    free(said);
    return rc;
}

/* ---- numbers ---- */

static void fill_numbers(struct standing *out, const struct gathered *g)
{
    struct standing_try *tries = mem_new((size_t)g->n_answers + 1, sizeof *tries);
    struct standing_said *said = mem_new((size_t)g->n_answers + 1, sizeof *said);
    int n = 0, n_said = 0;
    for (int i = 0; i < g->n_answers; i++) {
        const struct store_answer *a = &g->answers[i];
        if (strcmp(a->how, "skipped") != 0 && a->readable)
            tries[n++] =
                (struct standing_try){"", 1, !strcmp(a->how, "right"), factor_of(a), a->slip};
        if (a->confidence > 0)
            said[n_said++] =
                (struct standing_said){a->confidence, a->low <= a->truth && a->truth <= a->high};
    }
    out->estimates.group = "";
    standing_shares(&out->estimates, 1, tries, n);
    out->n_slips = standing_slips(out->slips, STANDING_SLIPS, tries, n);
    standing_calibrate_stated(out->stated, said, n_said);
    free(said);
    free(tries);
}

static void fill_heat(struct standing *out, const struct gathered *g, int today)
{
    struct standing_done *done = mem_new((size_t)(g->n_days + g->n_attempts) + 1, sizeof *done);
    int n = 0;
    for (int i = 0; i < g->n_days; i++)
        done[n++] = (struct standing_done){g->days[i].day, g->days[i].reviews};
    for (int i = 0; i < g->n_attempts; i++)
        done[n++] =
            (struct standing_done){store_day(g->attempts[i].started_ms + g->attempts[i].elapsed_ms),
                                   1};
    standing_heat(&out->heat, today, done, n);
    free(done);
}

int standing_load(struct standing *out, struct store *store, const struct queue_item *items, int n,
                  int today, struct err *err)
{
    struct gathered g = {0};
    *out = (struct standing){0};
    int rc = read_store(&g, store, today);
    if (rc == STORE_OK) {
        index_items(&g, items, n);
        gather_tries(&g);
        fill_topics(out, &g);
        fill_numbers(out, &g);
        fill_heat(out, &g, today);
        rc = fill_beliefs(out, &g, store);
        fill_causes(out, &g);
    }
    out->memory = g.answers; /* slips point into it; causes are named by the taxonomy, topics by
                                drill_topics */
    free(g.tallies);
    free(g.attempts);
    free(g.days);
    free(g.index);
    free(g.tries);
    if (rc == STORE_OK)
        return 0;
    standing_free(out);
    return err_set(err, rc == STORE_BUSY ? ERR_BUSY : ERR_IO, "%s", store_message(store));
}

void standing_free(struct standing *s)
{
    free(s->topics);
    free(s->causes);
    free(s->memory);
    *s = (struct standing){0};
}
