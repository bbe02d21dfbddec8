#include "scenarios/mend/mend_kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/moment.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

#define STREAM "mend:"

/* ---- writing ---- */

void mend_uid(char out[MEND_UID])
{
    unsigned char bytes[MEND_UID / 2];
    os_random(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

static int append(struct store *s, const char *full_id, const char *uid, const char *kind,
                  json_t *body, struct err *err)
{
    struct store_event e = {.version = 1, .at_ms = store_clock()};
    if (uid)
        snprintf(e.uid, sizeof e.uid, "%s", uid);
    else
        mend_uid(e.uid);
    e.day = store_day(e.at_ms);
    snprintf(e.stream, sizeof e.stream, STREAM "%.120s", full_id);
    snprintf(e.kind, sizeof e.kind, "%s", kind);
    e.body = json_dumps(body, JSON_COMPACT | JSON_SORT_KEYS);
    int rc = e.body ? store_append(s, &e, NULL, 0, NULL) : STORE_FAILED;
    free(e.body);
    json_decref(body);
    if (rc == STORE_OK)
        return 0;
    return err_set(err, rc == STORE_BUSY ? ERR_BUSY : ERR_IO, "%s", store_message(s));
}

int mend_keep(struct store *s, const char *full_id, const char *uid, const char *text,
              const struct mend_verdict *verdict, struct err *err)
{
    if (verdict->is == MEND_NOT_JUDGED)
        return 0;
    json_t *body = verdict->is == MEND_OPEN ? json_object() : mend_encode(verdict);
    json_object_set_new(body, "text", json_string(text));
    return append(s, full_id, uid, verdict->is == MEND_OPEN ? "laid-aside" : "tried", body, err);
}

int mend_keep_aside(struct store *s, const char *full_id, const char *text, struct err *err)
{
    static const struct mend_verdict open;
    return mend_keep(s, full_id, NULL, text, &open, err);
}

static int keep_what_stands(const struct mend_place *p, struct store *s, const char *full_id,
                            const struct mend_tries *tries, const char *text, struct err *err)
{
    char *now = NULL;
    struct err why = {0};
    int rc = mend_read(&now, p, &why);
    if (rc == ERR_MISSING || (rc == 0 && !strcmp(now, text)))
        rc = 0;
    else if (rc || !s)
        rc = mend_move_aside(p, err);
    else if (!mend_with_text(tries, now))
        rc = mend_keep_aside(s, full_id, now, err);
    free(now);
    return rc;
}

int mend_replace(const struct mend_place *p, struct store *s, const char *full_id,
                 const struct mend_tries *tries, const char *text, struct err *err)
{
    int rc = keep_what_stands(p, s, full_id, tries, text, err);
    return rc ? rc : mend_put(p, text, err);
}

int mend_keep_hint(struct store *s, const char *full_id, int step, struct err *err)
{
    return append(s, full_id, NULL, "hinted", json_pack("{s:i}", "step", step), err);
}

/* ---- reading ---- */

static void take_event(struct mend_tries *out, const struct store_event *e)
{
    json_t *body = json_loads(e->body, 0, NULL);
    const char *text = json_string_value(json_object_get(body, "text"));
    if (!strcmp(e->kind, "hinted")) {
        int step = (int)json_integer_value(json_object_get(body, "step"));
        out->hints = step > out->hints ? step : out->hints;
    } else if (text && !text[text_first_bad(text, strlen(text))]) {
        out->all = mem_more(out->all, (size_t)out->n, sizeof *out->all);
        struct mend_try *t = &out->all[out->n++];
        *t = (struct mend_try){.number = out->n, .at_ms = e->at_ms, .text = text_dup(text)};
        snprintf(t->uid, sizeof t->uid, "%s", e->uid);
        mend_decode(&t->verdict, body);
    }
    json_decref(body);
}

int mend_tries_read(struct mend_tries *out, struct store *s, const char *full_id, struct err *err)
{
    char stream[128];
    struct store_event *events = NULL;
    int n = 0;
    *out = (struct mend_tries){0};
    snprintf(stream, sizeof stream, STREAM "%.120s", full_id);
    int rc = store_events(s, stream, &events, &n);
    for (int i = 0; i < n; i++)
        take_event(out, &events[i]);
    store_events_free(events, n);
    return rc == STORE_OK ? 0 : err_set(err, ERR_IO, "%s", store_message(s));
}

void mend_tries_free(struct mend_tries *t)
{
    for (int i = 0; i < t->n; i++)
        free(t->all[i].text);
    free(t->all);
    *t = (struct mend_tries){0};
}

const struct mend_try *mend_best(const struct mend_tries *t)
{
    const struct mend_try *best = NULL;
    for (int i = 0; i < t->n; i++) {
        const struct mend_verdict *v = &t->all[i].verdict;
        if (v->is == MEND_RIGHT && v->against.there &&
            (!best || v->against.value < best->verdict.against.value))
            best = &t->all[i];
    }
    return best;
}

int mend_number(const struct mend_tries *t, const char *uid)
{
    for (int i = t->n - 1; i >= 0; i--)
        if (!strcmp(t->all[i].uid, uid))
            return t->all[i].number;
    return 0;
}

const struct mend_try *mend_with_text(const struct mend_tries *t, const char *text)
{
    for (int i = t->n - 1; i >= 0; i--)
        if (!strcmp(t->all[i].text, text))
            return &t->all[i];
    return NULL;
}

/* ---- may it be mended ---- */

static bool is_of(const char *scenario, const char *id)
{
    size_t n = strlen(id);
    return !strncmp(scenario, id, n) && (!scenario[n] || scenario[n] == '/');
}

int mend_allowed(struct store *s, const char *full_id, char id[128])
{
    struct store_attempt *rows = NULL;
    int n = 0, rc = store_attempts(s, "revealed", 0, &rows, &n), found = 0;
    for (int i = 0; rc == STORE_OK && i < n && !found; i++)
        if (is_of(rows[i].scenario, full_id)) {
            snprintf(id, 128, "%s", rows[i].scenario);
            found = 1;
        }
    free(rows);
    return rc == STORE_OK ? found : rc;
}
