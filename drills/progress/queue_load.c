#include "drills/progress/queue_load.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/items.h"
#include "db/moment.h"
#include "drills/library/measure.h"
#include "drills/memory/review.h"
#include "kernels/wire/text.h"
#include "scenarios/pack/taxonomy.h"

enum { CAUSE_SECONDS = 60, CARD_LEVEL = 1, FIRST_DRILLS = 10, FIGURE_SECONDS = 120 };

struct growing { struct queue_item *at; int n, room; };

static struct queue_item *grow(struct growing *g)
{
    if (g->n == g->room) {
        g->room = g->room ? g->room * 2 : 256;
        g->at = mem_grow(g->at, (size_t)g->room, sizeof *g->at);
    }
    struct queue_item *it = &g->at[g->n++];
    memset(it, 0, sizeof *it);
    return it;
}

/* Those over links are asked of whoever has none by what was recorded, as measured ones are. */
static bool is_absent(const struct drill *d, bool gpu)
{
    bool recorded = (d->trial || d->needs_links) && drill_is_recorded(d->set);
    return d->needs_gpu && !gpu && !recorded;
}

static void add_content(struct growing *g, const struct library *l, bool gpu)
{
    for (int k = 0; k < library_drills(l); k++) {
        const struct drill *d = library_drill_at(l, k);
        struct queue_item *it = grow(g);
        snprintf(it->id, sizeof it->id, "drill:%s", d->full_id);
        it->kind = QUEUE_DRILL;
        it->topic = d->topic;
        it->level = d->level;
        it->seconds = d->seconds;
        it->absent = is_absent(d, gpu) ? "about your own GPU: there is none here" : NULL;
    }
    for (int s = 0; s < l->n_cards; s++)
        for (int k = 0; k < l->cards[s].n; k++) {
            const struct card *c = &l->cards[s].cards[k];
            struct queue_item *it = grow(g);
            snprintf(it->id, sizeof it->id, "card:%s", c->full_id);
            it->kind = QUEUE_CARD;
            it->topic = c->topic;
            it->level = CARD_LEVEL;
            it->seconds = review_card_seconds(c->kind);
        }
}

static void add_figures(struct growing *g, const struct library *l)
{
    for (int k = 0; k < library_figures(l); k++) {
        const struct figure_data *f = library_figure_at(l, k);
        struct queue_item *it = grow(g);
        snprintf(it->id, sizeof it->id, "figure:%s", f->full_id);
        it->kind = QUEUE_CARD;
        it->topic = f->topic;
        it->level = CARD_LEVEL;
        it->seconds = FIGURE_SECONDS;
    }
}

static bool starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* An item of the log that the content does not name: a cause, or something that was removed. */
static void add_logged(struct growing *g, const struct store_item *row)
{
    struct queue_item *it = grow(g);
    const struct hypothesis *h =
        starts(row->id, "cause:") ? taxonomy_find(row->id + strlen("cause:")) : NULL;
    snprintf(it->id, sizeof it->id, "%s", row->id);
    it->kind = starts(row->id, "drill:")  ? QUEUE_DRILL
               : starts(row->id, "card:") || starts(row->id, "figure:") ? QUEUE_CARD
                                          : QUEUE_CAUSE;
    it->topic = h ? h->group : "";
    it->level = 1;
    it->seconds = CAUSE_SECONDS;
    it->absent = h ? NULL : "its content is gone; what you learned is kept";
    it->memory = row->memory;
}

static int by_id(const void *a, const void *b)
{
    return strcmp((*(struct queue_item *const *)a)->id, (*(struct queue_item *const *)b)->id);
}

static int find_by_id(const void *key, const void *member)
{
    return strcmp(key, (*(struct queue_item *const *)member)->id);
}

static void join(struct growing *g, const struct store_item *rows, int n_rows)
{
    int n = g->n;
    struct queue_item **index = mem_new((size_t)n + 1, sizeof *index);
    bool *found = mem_new((size_t)n_rows + 1, sizeof *found);
    for (int i = 0; i < n; i++)
        index[i] = &g->at[i];
    qsort(index, (size_t)n, sizeof *index, by_id);
    for (int r = 0; r < n_rows; r++) {
        struct queue_item **hit = bsearch(rows[r].id, index, (size_t)n, sizeof *index, find_by_id);
        found[r] = hit != NULL;
        if (hit)
            (*hit)->memory = rows[r].memory;
    }
    free(index); /* it points into an array that may move now */
    for (int r = 0; r < n_rows; r++)
        if (!found[r])
            add_logged(g, &rows[r]);
    free(found);
}

int queue_load(struct queue_item **out, int *n, const struct library *l, struct store *store,
               bool gpu, struct err *err)
{
    struct growing g = {0};
    struct store_item *rows = NULL;
    int n_rows = 0, rc = 0;
    if (l)
        add_content(&g, l, gpu);
    if (l)
        add_figures(&g, l);
    if (store && store_items(store, INT_MAX, &rows, &n_rows) != STORE_OK)
        rc = err_set(err, ERR_IO, "%s", store_message(store));
    join(&g, rows, n_rows);
    free(rows);
    *out = g.at;
    *n = g.n;
    return rc;
}

const struct queue_item *queue_find(const struct queue_item *items, int n, const char *id)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(items[i].id, id))
            return &items[i];
    return NULL;
}

/* ---- settings ---- */

int queue_read_date(const char *text)
{
    static const int lengths[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year, month, day, end = 0;
    if (sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &end) != 3 || text[end] || year < 1970 ||
        month < 1 || month > 12 || day < 1 || day > lengths[month - 1])
        return 0;
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && day == 29 && !leap ? 0 : store_day_of(year, month, day);
}

/* The number kept under a name, where it lies within its bounds. */
static double setting(struct store *store, const char *name, double low, double high,
                      double otherwise)
{
    char *text = NULL, *end = NULL;
    double value = otherwise;
    if (store_setting_get(store, name, &text) == 1) {
        value = strtod(text, &end);
        if (end == text || *end || !(value >= low && value <= high))
            value = otherwise;
    }
    free(text);
    return value;
}

void queue_settings_load(struct queue_settings *out, struct store *store, int64_t now_ms)
{
    char *date = NULL;
    *out = queue_default;
    out->now_ms = now_ms;
    out->today = store_day(now_ms);
    if (!store)
        return;
    if (store_setting_get(store, "interview", &date) == 1)
        out->interview = queue_read_date(date);
    free(date);
    out->retention = setting(store, "retention", 0.7, 0.99, queue_default.retention);
    out->new_cards = (int)setting(store, "new-cards", 0, 1000, queue_default.new_cards);
    out->new_drills = (int)setting(store, "new-drills", 0, 1000, queue_default.new_drills);
    out->most_reviews = (int)setting(store, "most-reviews", 1, 100000, queue_default.most_reviews);
}

void queue_settings_begin(struct queue_settings *s, const struct queue_item *items, int n)
{
    for (int i = 0; i < n; i++)
        if (items[i].kind == QUEUE_DRILL && items[i].memory.reviews > 0 &&
            items[i].memory.first_day < s->today)
            return;
    if (s->new_drills > 0 && s->new_drills < FIRST_DRILLS)
        s->new_drills = FIRST_DRILLS;
}
