#include "tui/practice/review_sitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/app/defaults.h"

enum { RETRY_MS = 200, LAST_TRIES = 10, OF_A_TOPIC = 10 };

static bool wanted(const struct sitting *s, const struct queue_entry *e)
{
    const struct queue_item *item = &s->items[e->item];
    return (s->kinds >> item->kind & 1) && (!*s->topic || !strcmp(item->topic, s->topic));
}

/* Among the first n answers. */
static bool answered_before(const struct sitting *s, const char *id, int n)
{
    for (int i = 0; i < n; i++)
        if (s->answers[i].counted && !strcmp(s->answers[i].item, id))
            return true;
    return false;
}

/* Without a store memory does not change: what was answered in this sitting is not asked again. */
static bool answered(const struct sitting *s, const char *id)
{
    return answered_before(s, id, s->n_answers);
}

void sitting_look(struct sitting *s, struct app *app)
{
    struct err err = {0};
    free(s->items);
    queue_free(&s->queue);
    queue_settings_load(&s->settings, app_store(app), wall_now());
    if (queue_load(&s->items, &s->n_items, app_library(app), app_store(app), app_device(app) != NULL, &err) != 0)
        app_say(app, "%s", err.text);
    queue_settings_begin(&s->settings, s->items, s->n_items);
    for (int i = 0; !app_store(app) && i < s->n_items; i++)
        if (answered(s, s->items[i].id))
            s->items[i].absent = "answered in this sitting";
    queue_build(&s->queue, s->items, s->n_items, &s->settings);
}

void sitting_open(struct sitting *s, struct app *app, unsigned kinds)
{
    *s = (struct sitting){.kinds = kinds};
    sitting_look(s, app);
    s->plan = mem_new((size_t)s->queue.n_now + 1, sizeof *s->plan);
    for (int i = 0; i < s->queue.n_now; i++)
        if (wanted(s, &s->queue.entries[i]))
            snprintf(s->plan[s->n_plan++], sizeof s->plan[0], "%s", s->items[s->queue.entries[i].item].id);
}

/* 0: due, 1: not seen yet, 2: looked at and not due, 3: not to be asked. */
static int rank_of(const struct sitting *s, const struct queue_entry *e)
{
    if (e->place == QUEUE_ABSENT || !wanted(s, e))
        return 3;
    if (!s->items[e->item].memory.seen_ms)
        return 1;
    return e->place == QUEUE_NOW || e->place == QUEUE_HELD ? 0 : 2;
}

/* Adds what has this rank; new ones keep the queue's order, the rest of those looked at come by chance. */
static void plan_rank(struct sitting *s, int rank, uint64_t seed)
{
    int *found = mem_new((size_t)s->queue.n + 1, sizeof *found), n = 0;
    for (int i = 0; i < s->queue.n; i++)
        if (rank_of(s, &s->queue.entries[i]) == rank)
            found[n++] = s->queue.entries[i].item;
    for (int i = n - 1; rank == 2 && i > 0; i--) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int k = (int)((seed >> 33) % (unsigned)(i + 1)), kept = found[i];
        found[i] = found[k];
        found[k] = kept;
    }
    for (int i = 0; i < n && s->n_plan < OF_A_TOPIC; i++)
        snprintf(s->plan[s->n_plan++], sizeof s->plan[0], "%s", s->items[found[i]].id);
    free(found);
}

void sitting_open_topic(struct sitting *s, struct app *app, unsigned kinds, const char *topic)
{
    if (!*topic) {
        sitting_open(s, app, kinds);
        return;
    }
    *s = (struct sitting){.kinds = kinds};
    snprintf(s->topic, sizeof s->topic, "%s", topic);
    sitting_look(s, app);
    s->plan = mem_new(OF_A_TOPIC, sizeof *s->plan);
    uint64_t seed = app_seed(app);
    for (int rank = 0; rank < 3; rank++)
        plan_rank(s, rank, seed);
}

static const struct queue_entry *entry_of(const struct sitting *s, const char *id)
{
    for (int i = 0; i < s->queue.n; i++)
        if (!strcmp(s->items[s->queue.entries[i].item].id, id))
            return &s->queue.entries[i];
    return NULL;
}

/* Comes again: it was answered in this sitting and its minutes are over. */
static bool comes_again(const struct sitting *s, const struct queue_entry *e)
{
    return e->place == QUEUE_NOW && wanted(s, e) && s->items[e->item].memory.due_ms && answered(s, s->items[e->item].id);
}

const struct queue_item *sitting_next(const struct sitting *s, const struct queue_entry **entry)
{
    for (int i = 0; i < s->queue.n_now; i++)
        if (comes_again(s, &s->queue.entries[i])) {
            *entry = &s->queue.entries[i];
            return &s->items[(*entry)->item];
        }
    for (int i = 0; i < s->n_plan; i++) {
        *entry = answered(s, s->plan[i]) ? NULL : entry_of(s, s->plan[i]);
        if (*entry && (*entry)->place != QUEUE_ABSENT)
            return &s->items[(*entry)->item];
    }
    *entry = NULL;
    return NULL;
}

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

const struct queue_item *sitting_more(const struct sitting *s)
{
    static const enum queue_place places[] = {QUEUE_NOW, QUEUE_SOON, QUEUE_HELD, QUEUE_UNSEEN};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        for (int i = 0; i < s->queue.n; i++)
            if (s->queue.entries[i].place == places[p] && wanted(s, &s->queue.entries[i]))
                return &s->items[s->queue.entries[i].item];
    return NULL;
}

static int sum_of(const struct sitting *s, size_t member)
{
    int all = 0;
    for (int k = 0; k < QUEUE_KINDS; k++)
        if (s->kinds >> k & 1)
            all += *(const int *)((const char *)&s->queue.sum[k] + member);
    return all;
}

void sitting_skip(struct sitting *s, const char *id)
{
    for (int i = 0; i < s->queue.n; i++)
        if (!strcmp(s->items[s->queue.entries[i].item].id, id))
            s->queue.entries[i].place = QUEUE_ABSENT;
    for (int i = 0; i < s->n_plan; i++)
        if (!strcmp(s->plan[i], id))
            s->plan[i][0] = '\0';
}

int sitting_left(const struct sitting *s)
{
    int n = 0;
    for (int i = 0; i < s->queue.n_now; i++)
        n += comes_again(s, &s->queue.entries[i]);
    for (int i = 0; i < s->n_plan; i++)
        n += *s->plan[i] && !answered(s, s->plan[i]);
    return n;
}

int sitting_counted(const struct sitting *s)
{
    int n = 0;
    for (int i = 0; i < s->n_answers; i++)
        n += s->answers[i].counted;
    return n;
}

/* The plan's number stays what it was; what comes again is counted apart. */
void sitting_place(const struct sitting *s, const char *item, bool open, char *out, size_t size)
{
    int done = 0, left = 0, before = open ? s->n_answers : s->n_answers - 1;
    for (int i = 0; i < s->n_answers; i++)
        done += s->answers[i].counted && !answered_before(s, s->answers[i].item, i);
    for (int i = 0; i < s->n_plan; i++)
        left += *s->plan[i] && !answered(s, s->plan[i]);
    bool again = answered_before(s, item, before);
    int at = done + (open && !again), all = done + left;
    snprintf(out, size, again ? "%d of %d and one again" : "%d of %d", at, all > at ? all : at);
}

/* ---- keeping ---- */

void sitting_when(const struct sitting *s, const struct queue_item *item, const struct store_memory *m, char *out, size_t size)
{
    struct queue_item it = *item;
    enum queue_reason why;
    int seen = 0;
    it.memory = *m;
    if (m->due_ms) {
        int minutes = (int)((m->due_ms - m->seen_ms + 59999) / 60000);
        snprintf(out, size, "in %d min", minutes);
        return;
    }
    for (int i = 0; i < s->n_items; i++)
        seen += s->items[i].memory.phase != 0;
    int day = queue_due_day(&it, &s->settings, seen, &why), days = day - s->settings.today;
    if (day == 0)
        snprintf(out, size, "not before the interview");
    else if (days <= 1)
        snprintf(out, size, "tomorrow");
    else
        snprintf(out, size, "in %d days", days);
}

void sitting_preview(const struct sitting *s, const struct queue_item *item, enum fsrs_grade grade, char *out, size_t size)
{
    struct store_memory after = review_after(&item->memory, grade, wall_now(), s->settings.retention);
    sitting_when(s, item, &after, out, size);
}

static struct sitting_answer *push(struct sitting *s, const struct sitting_answer *answer)
{
    if (s->n_answers == s->room) {
        s->room = s->room ? 2 * s->room : 16;
        s->answers = mem_grow(s->answers, (size_t)s->room, sizeof *s->answers);
    }
    struct sitting_answer *a = &s->answers[s->n_answers++];
    *a = *answer;
    a->typed = text_dup(answer->typed ? answer->typed : "");
    return a;
}

/* The review's texts are the answer's, which may have moved. */
static int write_newest(struct sitting *s, struct app *app, struct err *err)
{
    struct sitting_answer *a = &s->answers[s->n_answers - 1];
    struct store_item now;
    s->waiting.given = a->typed;
    s->waiting.slip = a->slip;
    int rc = review_write(app_store(app), &s->waiting, a->uid, wall_now(), s->settings.retention, err);
    s->is_waiting = rc < 0;
    if (rc < 0)
        return rc;
    const struct queue_item *item = queue_find(s->items, s->n_items, a->item);
    if (item && store_item_get(app_store(app), a->item, &now) == 1)
        sitting_when(s, item, &now.memory, a->next, sizeof a->next);
    return 0;
}

static struct seen *find_seen(const struct sitting *s, const char *item)
{
    for (int i = 0; i < s->n_seen; i++)
        if (!strcmp(s->seen[i].item, item))
            return &s->seen[i];
    return NULL;
}

static void remember_seen(struct sitting *s, const struct sitting_answer *a)
{
    struct seen *seen = find_seen(s, a->item);
    if (!seen) {
        s->seen = mem_grow(s->seen, (size_t)s->n_seen + 1, sizeof *s->seen);
        seen = &s->seen[s->n_seen++];
        snprintf(seen->item, sizeof seen->item, "%s", a->item);
        seen->most = (enum fsrs_grade)a->grade;
    }
    if ((int)seen->most > a->grade)
        seen->most = (enum fsrs_grade)a->grade;
}

/* The answer after a taken back one: a grade alone, no number for calibration. */
static void cap_seen(struct sitting *s, struct sitting_answer *a, struct review *r)
{
    struct seen *seen = find_seen(s, a->item);
    enum fsrs_grade unseen = review_grade(r);
    if (!seen || unseen == 0)
        return;
    r->most = seen->most;
    *seen = s->seen[--s->n_seen];
    a->seen = review_grade(r) < unseen;
    if (!a->seen)
        return;
    r->numbered = a->factor = false;
    a->points = 0;
}

struct sitting_answer *sitting_answer(struct sitting *s, struct app *app, const struct sitting_answer *answer, const struct review *r)
{
    struct err err = {0};
    struct sitting_answer *a = push(s, answer);
    a->counted = true;
    s->waiting = *r;
    cap_seen(s, a, &s->waiting);
    a->grade = (int)review_grade(&s->waiting);
    if (!app_store(app))
        snprintf(a->next, sizeof a->next, "not kept");
    else if (write_newest(s, app, &err) != 0)
        app_say(app, "Not kept yet: %s", err.text);
    sitting_look(s, app);
    return a;
}

struct sitting_answer *sitting_answer_uncounted(struct sitting *s, const struct sitting_answer *answer)
{
    struct sitting_answer *a = push(s, answer);
    a->counted = false;
    snprintf(a->next, sizeof a->next, "not counted");
    return a;
}

void sitting_tick(struct sitting *s, struct app *app)
{
    struct err err = {0};
    if (s->is_waiting && write_newest(s, app, &err) == 0)
        app_say(app, "Kept now.");
}

int sitting_due_ms(const struct sitting *s)
{
    return s->is_waiting ? RETRY_MS : -1;
}

bool sitting_undo(struct sitting *s, struct app *app, struct sitting_answer *out)
{
    struct err err = {0};
    if (s->n_answers == 0) {
        app_say(app, "Nothing was answered in this sitting yet.");
        return false;
    }
    const struct sitting_answer *a = &s->answers[s->n_answers - 1];
    if (s->is_waiting)
        s->is_waiting = false; /* it was never kept */
    else if (a->counted && *a->uid && review_undo(app_store(app), a->uid, wall_now(), &err) != 0) {
        app_say(app, "%s", err.text);
        return false;
    }
    *out = *a;
    s->n_answers--;
    if (a->counted)
        remember_seen(s, a);
    return true;
}

void sitting_close(struct sitting *s, struct app *app)
{
    struct err err = {0};
    for (int k = 0; s->is_waiting && k < LAST_TRIES; k++)
        write_newest(s, app, &err); /* each waits for the lock as long as the store was told to */
    for (int i = 0; i < s->n_answers; i++)
        free(s->answers[i].typed);
    free(s->answers);
    free(s->items);
    free(s->plan);
    free(s->seen);
    queue_free(&s->queue);
    *s = (struct sitting){0};
}

/* ---- the end ---- */

static const char *verdict(const struct sitting_answer *a)
{
    static const char *const words[] = {
        [DRILL_SKIPPED] = "skipped", [DRILL_UNREADABLE] = "",   [DRILL_WRONG_UNIT] = "", [DRILL_RIGHT] = "right",
        [DRILL_CLOSE] = "close",     [DRILL_SLIP] = "a slip", [DRILL_WRONG] = "wrong",
    };
    return a->seen ? "seen" : words[a->how];
}

static enum style style_of(const struct sitting_answer *a)
{
    bool bad = a->how == DRILL_SLIP || a->how == DRILL_WRONG;
    if (a->seen)
        return STYLE_PLAIN;
    return a->how == DRILL_RIGHT ? STYLE_GOOD : bad ? STYLE_BAD : STYLE_PLAIN;
}

static const char *sign_of(const struct sitting_answer *a)
{
    if (a->seen)
        return "-";
    return a->how == DRILL_RIGHT ? glyph("✓", "x") : a->how == DRILL_SKIPPED ? glyph("·", ".") : "-";
}

static void off_by(char *out, size_t size, const struct sitting_answer *a)
{
    double f = exp(fabs(a->log_error));
    out[0] = '\0';
    if (a->factor && a->how >= DRILL_RIGHT)
        snprintf(out, size, f < 10 ? "%.2f x" : f < 1000 ? "%.0f x" : "far off", f);
}

/* Right ends of the columns; factor 0: no such column. */
struct columns { int verdict, factor, time, next; };

/* A title that does not fit ends at a word. */
static void title_draw(int y, int x, int w, const char *title)
{
    char text[128];
    snprintf(text, sizeof text, "%s", title);
    char *blank;
    while (draw_columns(text) > w && (blank = strrchr(text, ' ')))
        *blank = '\0';
    draw_text(y, x, w, STYLE_PLAIN, text);
}

static void row_draw(const struct sitting_answer *a, int y, int x, const struct columns *c)
{
    char text[32];
    draw_text(y, x + 1, 1, style_of(a), sign_of(a));
    title_draw(y, x + 3, c->verdict - 12, a->title);
    draw_right(y, x + c->verdict, 10, style_of(a), verdict(a));
    off_by(text, sizeof text, a);
    if (c->factor)
        draw_right(y, x + c->factor, 9, STYLE_PLAIN, text);
    snprintf(text, sizeof text, "%d:%02d", (int)a->seconds / 60, (int)a->seconds % 60);
    draw_right(y, x + c->time, 7, a->allowed > 0 && a->seconds > a->allowed ? STYLE_BOLD : STYLE_PLAIN, text);
    draw_right(y, x + c->next, c->next - c->time - 1, STYLE_DIM, a->next);
}

static struct columns columns_of(const struct sitting *s, int w)
{
    struct columns c = {.next = w - 2};
    int next = 11; /* as wide as what stands there, so that titles have the rest */
    for (int i = 0; i < s->n_answers; i++)
        next = draw_columns(s->answers[i].next) > next ? draw_columns(s->answers[i].next) : next;
    c.time = c.next - 1 - (next < 17 || w >= 80 ? next : 16);
    c.factor = s->kinds >> QUEUE_DRILL & 1 ? c.time - 8 : 0;
    c.verdict = c.factor ? c.factor - 10 : c.time - 8;
    return c;
}

void sitting_draw_head(const struct sitting *s, int y, struct rect r)
{
    struct columns c = columns_of(s, r.w);
    draw_right(y, r.x + c.verdict + 1, 11, STYLE_DIM, " answer ");
    if (c.factor)
        draw_right(y, r.x + c.factor + 1, 10, STYLE_DIM, " off by ");
    draw_right(y, r.x + c.time + 1, 8, STYLE_DIM, " time ");
    draw_right(y, r.x + c.next + 1, 16, STYLE_DIM, " comes back ");
}

int sitting_draw(const struct sitting *s, struct rect r, int top)
{
    struct columns c = columns_of(s, r.w);
    int line = 0;
    for (int i = 0; i < s->n_answers; i++) {
        const struct sitting_answer *a = &s->answers[i];
        int y = line++ - top;
        if (y >= 0 && y < r.h)
            row_draw(a, r.y + y, r.x, &c);
        if (!*a->slip)
            continue;
        y = line++ - top;
        if (y >= 0 && y < r.h)
            draw_text(r.y + y, r.x + 5, r.w - 7, STYLE_DIM, a->slip);
    }
    return line;
}

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
    for (int i = 0; i < s->n_answers; i++)
        if (s->answers[i].counted && s->answers[i].factor && s->answers[i].how >= DRILL_RIGHT)
            off[n++] = fabs(s->answers[i].log_error);
    qsort(off, (size_t)n, sizeof *off, by_size);
    double median = n == 0 ? -1 : n % 2 ? off[n / 2] : (off[n / 2 - 1] + off[n / 2]) / 2;
    free(off);
    return n ? exp(median) : 0;
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
        if (e->place == QUEUE_SOON && wanted(s, e) && (first == 0 || due < first))
            first = due;
    }
    return first ? (int)((first - s->settings.now_ms + 59999) / 60000) : -1;
}

void sitting_later(const struct sitting *s, char *out, size_t size)
{
    int soon = sum_of(s, offsetof(struct queue_sum, soon)), held = sum_of(s, offsetof(struct queue_sum, held)), at = 0;
    int unseen = sum_of(s, offsetof(struct queue_sum, unseen)) - sum_of(s, offsetof(struct queue_sum, fresh)), minutes = soonest(s);
    out[0] = '\0';
    if (soon)
        at += snprintf(out + at, size - (size_t)at, "%d still being learned, the next in %d min.  ", soon, minutes < 1 ? 1 : minutes);
    if (held)
        at += snprintf(out + at, size - (size_t)at, "%d more are due and over today's number.  ", held);
    if (unseen > 0)
        snprintf(out + at, size - (size_t)at, "%d not seen yet.", unseen);
}
