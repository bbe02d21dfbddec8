#include "tui/home/lately.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

enum { GAP_MS = 30 * 60000, TOPICS_SHOWN = 3, KINDS = 2 };

/* A session that is being gathered, from its end to its beginning. */
struct session {
    struct lately row;
    int64_t took_ms;
    const char *topics[TOPICS_SHOWN];
    int n_topics;
    bool more;
};

/* ---- one session ---- */

static const char *topic_of(const char *item, const struct library *l)
{
    if (!l)
        return NULL;
    if (!strncmp(item, "drill:", 6)) {
        const struct drill *d = library_drill(l, item + 6);
        return d ? d->topic : NULL;
    }
    if (!strncmp(item, "figure:", 7)) {
        const struct figure_data *f = library_figure(l, item + 7);
        return f ? f->topic : NULL;
    }
    const struct card *c = library_card(l, item + 5);
    return c ? c->topic : NULL;
}

/* Figures are asked among the cards. */
static bool is_card(const char *item)
{
    return !strncmp(item, "card:", 5) || !strncmp(item, "figure:", 7);
}

static void session_name(struct session *s)
{
    char *out = s->row.title;
    size_t size = sizeof s->row.title,
           at = (size_t)snprintf(out, size, "%s", s->row.cards ? "Cards" : "Drills");
    for (int i = 0; i < s->n_topics && at < size; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%s", i ? ", " : ": ", s->topics[i]);
    if (s->more && at < size)
        snprintf(out + at, size - at, " and more");
}

static void session_topic(struct session *s, const char *topic)
{
    for (int i = 0; i < s->n_topics; i++)
        if (topic && !strcmp(s->topics[i], topic))
            return;
    if (topic && s->n_topics < TOPICS_SHOWN)
        s->topics[s->n_topics++] = topic;
    else if (topic)
        s->more = true;
}

static void session_add(struct session *s, const struct store_review *r, const struct library *l)
{
    s->row.at_ms = r->at_ms;
    s->row.n++;
    s->row.right += r->correct;
    s->took_ms += r->took_ms;
    s->row.minutes = (int)((s->took_ms + 59999) / 60000);
    session_topic(s, topic_of(r->item, l));
}

/* ---- all of them ---- */

struct list { struct lately *at; int n; };

static void list_add(struct list *list, const struct lately *row)
{
    list->at = mem_grow(list->at, (size_t)list->n + 1, sizeof *list->at);
    list->at[list->n++] = *row;
}

static void session_end(struct list *list, struct session *s)
{
    if (s->row.n > 0) {
        session_name(s);
        list_add(list, &s->row);
    }
    memset(s, 0, sizeof *s);
}

static void add_sessions(struct list *list, const struct store_review *r, int n, bool cut,
                         const struct library *l, int most)
{
    struct session open[KINDS] = {0};
    for (int i = 0; i < n && list->n < most; i++) {
        bool cards = is_card(r[i].item);
        struct session *s = &open[cards];
        if (!cards && strncmp(r[i].item, "drill:", 6) != 0)
            continue;
        if (s->row.n > 0 && s->row.at_ms - r[i].at_ms > GAP_MS)
            session_end(list, s);
        s->row.cards = cards;
        session_add(s, &r[i], l);
    }
    for (int k = 0; k < KINDS; k++)
        if (!cut || list->n == 0) /* better a part than nothing */
            session_end(list, &open[k]);
}

static int newest_first(const void *a, const void *b)
{
    const struct lately *x = a, *y = b;
    return (x->at_ms < y->at_ms) - (x->at_ms > y->at_ms);
}

int lately_make(struct lately **out, const struct store_attempt *a, int n_a,
                const struct store_review *r, int n_r, bool cut, const struct library *l, int most)
{
    struct list list = {0};
    add_sessions(&list, r, n_r, cut, l, most);
    for (int i = 0; i < n_a && i < most; i++)
        list_add(&list, &(struct lately){.at_ms = a[i].started_ms, .attempt = &a[i]});
    if (list.n > 0)
        qsort(list.at, (size_t)list.n, sizeof *list.at, newest_first);
    *out = list.at;
    return list.n < most ? list.n : most;
}
