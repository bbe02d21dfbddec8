#include "scenarios/mend/mend_kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

#define STREAM "mend:"

/* ---- writing ---- */

static int append(struct store *s, const char *full_id, const char *kind, json_t *body,
                  struct err *err)
{
    unsigned char bytes[16];
    struct store_event e = {.version = 1, .at_ms = store_clock()};
    os_random(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(e.uid + 2 * i, 3, "%02x", bytes[i]);
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

int mend_keep(struct store *s, const char *full_id, const char *text,
              const struct mend_verdict *verdict, struct err *err)
{
    json_t *body = verdict ? mend_encode(verdict) : json_object();
    json_object_set_new(body, "text", json_string(text));
    return append(s, full_id, verdict ? "tried" : "laid-aside", body, err);
}

int mend_keep_hint(struct store *s, const char *full_id, int step, struct err *err)
{
    return append(s, full_id, "hinted", json_pack("{s:i}", "step", step), err);
}

/* ---- reading ---- */

static void take_event(struct mend_tries *out, const struct store_event *e)
{
    json_t *body = json_loads(e->body, 0, NULL);
    const char *text = json_string_value(json_object_get(body, "text"));
    if (!strcmp(e->kind, "hinted")) {
        int step = (int)json_integer_value(json_object_get(body, "step"));
        out->hints = step > out->hints ? step : out->hints;
    } else if (text) {
        out->all = mem_more(out->all, (size_t)out->n, sizeof *out->all);
        struct mend_try *t = &out->all[out->n++];
        *t = (struct mend_try){.number = out->n, .at_ms = e->at_ms, .text = text_dup(text)};
        snprintf(t->uid, sizeof t->uid, "%s", e->uid);
        mend_decode(&t->verdict, body);
        if (out->n == 1)
            out->first_ms = e->at_ms;
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
