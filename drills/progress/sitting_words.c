#include "drills/progress/sitting.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/wire/text.h"

/* ---- the item that is asked ---- */

/* The queue of this moment may have chosen other new ones; the sitting keeps to its own. */
void sitting_why(const struct sitting *s, const struct queue_entry *e, char *out, size_t size)
{
    out[0] = '\0';
    if (!e)
        return;
    struct queue_entry now = *e;
    if (now.place == QUEUE_UNSEEN)
        now.reason = WHY_NEW;
    queue_why(out, size, &now, s->items, &s->settings);
}

/* The plan's number stays; repeated items are counted apart. */
void sitting_place(const struct sitting *s, const char *item, bool open, char *out, size_t size)
{
    int done = 0, left = 0, before = open ? s->n_answers : s->n_answers - 1;
    for (int i = 0; i < s->n_answers; i++) {
        const struct sitting_answer *a = &s->answers[i];
        done += a->counted && !sitting_answered(s, a->item, i);
    }
    for (int i = 0; i < s->n_plan; i++)
        left += *s->plan[i] && !sitting_answered(s, s->plan[i], s->n_answers);
    bool again = sitting_answered(s, item, before);
    int at = done + (open && !again), all = done + left;
    snprintf(out, size, again ? "%d of %d and one again" : "%d of %d", at, all > at ? all : at);
}

void sitting_preview(const struct sitting *s, const struct queue_item *item, enum fsrs_grade grade,
                     int64_t now_ms, char *out, size_t size)
{
    struct store_memory after = review_after(&item->memory, grade, now_ms, s->settings.retention);
    sitting_when(s, item, &after, out, size);
}

/* ---- the end ---- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The median of the factors by which numbers were off; 0 when there are none. */
static double median_off(const struct sitting *s)
{
    double *off = mem_new((size_t)s->n_answers + 1, sizeof *off);
    int n = 0;
    for (int i = 0; i < s->n_answers; i++) {
        const struct sitting_answer *a = &s->answers[i];
        if (a->counted && a->factor && a->how >= DRILL_RIGHT)
            off[n++] = fabs(a->log_error);
    }
    qsort(off, (size_t)n, sizeof *off, by_size);
    double median = n ? exp((off[(n - 1) / 2] + off[n / 2]) / 2) : 0;
    free(off);
    return median;
}

void sitting_sum(const struct sitting *s, char *out, size_t size)
{
    int n = 0, right = 0, at;
    double seconds = 0, points = 0, off = median_off(s);
    for (int i = 0; i < s->n_answers; i++) {
        const struct sitting_answer *a = &s->answers[i];
        n += a->counted;
        right += a->counted && !a->seen && a->how == DRILL_RIGHT;
        points += a->counted ? a->points : 0;
        seconds += a->seconds;
    }
    at = snprintf(out, size, "%d of %d right", right, n);
    if (s->kinds >> QUEUE_DRILL & 1)
        at += snprintf(out + at, size - (size_t)at, "   %.1f points", points);
    if (off >= 1000)
        at += snprintf(out + at, size - (size_t)at, "   far off at the median");
    else if (off > 0)
        at += snprintf(out + at, size - (size_t)at, "   off by %.2f x at the median", off);
    snprintf(out + at, size - (size_t)at, "   %d:%02d", (int)seconds / 60, (int)seconds % 60);
}

/* Minutes until the first step that is not due yet; -1: there is none. */
static int soonest(const struct sitting *s)
{
    int64_t first = 0;
    for (int i = 0; i < s->queue.n; i++) {
        const struct queue_entry *e = &s->queue.entries[i];
        int64_t due = s->items[e->item].memory.due_ms;
        if (e->place == QUEUE_SOON && sitting_wants(s, e) && (first == 0 || due < first))
            first = due;
    }
    return first ? queue_minutes(first - s->settings.now_ms) : -1;
}

/* Of the sitting's kinds: what waits for later. */
static struct queue_sum sum_of(const struct sitting *s)
{
    struct queue_sum all = {0};
    for (int k = 0; k < QUEUE_KINDS; k++) {
        const struct queue_sum *one = &s->queue.sum[k];
        if (!(s->kinds >> k & 1))
            continue;
        all.soon += one->soon;
        all.held += one->held;
        all.unseen += one->unseen;
        all.fresh += one->fresh;
    }
    return all;
}

void sitting_later(const struct sitting *s, char *out, size_t size)
{
    struct queue_sum sum = sum_of(s);
    int unseen = sum.unseen - sum.fresh, minutes = soonest(s);
    size_t at = 0;
    out[0] = '\0';
    if (sum.soon)
        at += (size_t)snprintf(out, size, "%d still being learned, the next in %d min.  ",
                               sum.soon, minutes < 1 ? 1 : minutes);
    if (sum.held)
        at += (size_t)snprintf(out + at, size - at,
                               "%d more are due and over today's number.  ", sum.held);
    if (unseen > 0)
        snprintf(out + at, size - at, "%d not seen yet.", unseen);
}
