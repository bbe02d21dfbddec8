/* Moves as JSON: the bodies of the event log and the lines of a script. Decoding is strict, so that
 * a misspelt key in a script is told and not ignored. */
#include "scenarios/play/investigation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

static const char *const names[MOVE_COUNT] = {
    [MOVE_STARTED] = "started",     [MOVE_ASKED] = "asked",         [MOVE_CALLED] = "called",
    [MOVE_BELIEVED] = "believed",   [MOVE_ESTIMATED] = "estimated", [MOVE_BOUGHT] = "bought",
    [MOVE_COMMITTED] = "committed", [MOVE_PUSHED] = "pushed",       [MOVE_RESPONDED] = "responded",
    [MOVE_REVEALED] = "revealed",   [MOVE_ABANDONED] = "abandoned", [MOVE_UNDONE] = "undone",
    [MOVE_NOTED] = "noted",         [MOVE_PAUSED] = "paused",       [MOVE_HANDED] = "handed",
    [MOVE_NAMED] = "named",
};

/* Which keys a body of each kind may have. */
static const char *const keys[MOVE_COUNT][4] = {
    [MOVE_STARTED] = {"tier", "gpu", "seed", "other"},
    [MOVE_ASKED] = {"question"},
    [MOVE_CALLED] = {"probe", "answer"},
    [MOVE_BELIEVED] = {"points", "odds"},
    [MOVE_ESTIMATED] = {"id", "answer", "left"},
    [MOVE_BOUGHT] = {"probe", "evidence"},
    [MOVE_COMMITTED] = {"line", "remedy", "then", "left"},
    [MOVE_PUSHED] = {"pushback"},
    [MOVE_RESPONDED] = {"points", "odds", "left"},
    [MOVE_UNDONE] = {"uid"},
    [MOVE_NOTED] = {"text"},
    [MOVE_HANDED] = {"probe", "evidence"},
    [MOVE_NAMED] = {"text"},
};

const char *move_name(enum move_kind k)
{
    return names[k];
}

void move_clear(struct move *m)
{
    evidence_free(m->evidence);
    other_gpu_free(m->other);
    free(m->text);
    m->evidence = NULL;
    m->other = NULL;
    m->text = NULL;
}

/* ---- to JSON ---- */

static bool has_odds(const struct move *m, const struct story *s)
{
    bool has = true;
    for (int k = 0; k < s->n_hypotheses; k++)
        has = has && m->odds[k] > 0;
    return has;
}

static const char *const lefts[] = {[LEFT_UNASKED] = "unasked", [LEFT_CUT] = "cut",
                                     [LEFT_KNOWN] = "known"};

static void put_left(json_t *body, const struct move *m)
{
    if (m->left != LEFT_NOT)
        json_object_set_new(body, "left", json_string(lefts[m->left]));
}

static json_t *beliefs_encode(const struct move *m, const struct story *s)
{
    json_t *points = json_object(), *odds = json_object();
    for (int k = 0; k < s->n_hypotheses; k++) {
        json_object_set_new(points, s->hypotheses[k]->id, json_integer(m->points[k]));
        json_object_set_new(odds, s->hypotheses[k]->id, json_real(m->odds[k]));
    }
    json_t *body = json_pack("{s:o}", "points", points);
    if (has_odds(m, s))
        json_object_set(body, "odds", odds);
    json_decref(odds);
    put_left(body, m);
    return body;
}

static json_t *started_encode(const struct move *m)
{
    char seed[24];
    snprintf(seed, sizeof seed, "%llu",
             (unsigned long long)m->seed); /* as text: JSON readers lose bits beyond 2^53 */
    json_t *body = json_pack("{s:s, s:s, s:s}", "tier", m->tier, "gpu", m->gpu, "seed", seed);
    if (m->other)
        json_object_set_new(body, "other", other_gpu_encode(m->other));
    return body;
}

static json_t *estimated_encode(const struct move *m)
{
    json_t *body = json_pack("{s:s, s:s}", "id", m->item, "answer", m->answer);
    put_left(body, m);
    return body;
}

static json_t *committed_encode(const struct move *m)
{
    json_t *body = json_pack("{s:i, s:s}", "line", m->line, "remedy", m->remedy);
    if (m->then[0])
        json_object_set_new(body, "then", json_string(m->then));
    put_left(body, m);
    return body;
}

json_t *move_encode(const struct move *m, const struct story *s)
{
    json_t *body;
    switch (m->kind) {
    case MOVE_STARTED: return started_encode(m);
    case MOVE_ASKED: return json_pack("{s:i}", "question", m->question);
    case MOVE_CALLED: return json_pack("{s:s, s:s}", "probe", m->probe, "answer", m->answer);
    case MOVE_BELIEVED:
    case MOVE_RESPONDED: return beliefs_encode(m, s);
    case MOVE_ESTIMATED: return estimated_encode(m);
    case MOVE_BOUGHT:
    case MOVE_HANDED:
        body = json_pack("{s:s}", "probe", m->probe);
        if (m->evidence)
            json_object_set_new(body, "evidence", evidence_encode(m->evidence));
        return body;
    case MOVE_COMMITTED: return committed_encode(m);
    case MOVE_PUSHED: return json_pack("{s:i}", "pushback", m->pushback);
    case MOVE_UNDONE: return json_pack("{s:s}", "uid", m->undone);
    case MOVE_NAMED:
    case MOVE_NOTED: return json_pack("{s:s}", "text", m->text ? m->text : m->answer);
    default: return json_object();
    }
}

/* ---- from JSON ---- */

static int keys_known(const json_t *body, enum move_kind kind, struct err *err)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)body, key, value) {
        bool known = false;
        for (int i = 0; i < 4 && keys[kind][i]; i++)
            known = known || strcmp(keys[kind][i], key) == 0;
        if (!known)
            return err_set(err, ERR_BAD_REQUEST, "%s: unknown key '%.40s'", names[kind], key);
    }
    return 0;
}

/* A text, "" when absent; "!" in front of the key: it must be there. */
static int get_text(char *out, size_t size, const json_t *body, const char *key, struct err *err)
{
    bool needed = key[0] == '!';
    const json_t *value = json_object_get(body, key + needed);
    out[0] = '\0';
    if (!value && !needed)
        return 0;
    if (!value)
        return err_set(err, ERR_BAD_REQUEST, "body: '%s' is missing", key + needed);
    if (!json_is_string(value))
        return err_set(err, ERR_BAD_REQUEST, "'%s' must be a text", key + needed);
    if (json_string_length(value) >= size ||
        strlen(json_string_value(value)) != json_string_length(value))
        return err_set(err, ERR_TOO_LARGE, "'%s' is longer than %zu bytes", key + needed, size - 1);
    snprintf(out, size, "%s", json_string_value(value));
    text_clean(out, strlen(out));
    return 0;
}

static int get_int(int *out, const json_t *body, const char *key, bool needed, struct err *err)
{
    const json_t *value = json_object_get(body, key);
    json_int_t n = json_integer_value(value);
    *out = 0;
    if (!needed && (!value || json_is_null(value)))
        return 0;
    if (!json_is_integer(value) || n < 0 || n > 1000000)
        return err_set(err, ERR_BAD_REQUEST, "'%s' must be a whole number from 0 to a million",
                       key);
    *out = (int)n;
    return 0;
}

static int get_hypothesis(int *k, const char *id, const struct story *s, struct err *err)
{
    *k = 0;
    while (*k < s->n_hypotheses && strcmp(s->hypotheses[*k]->id, id) != 0)
        ++*k;
    return *k < s->n_hypotheses
               ? 0
               : err_set(err, ERR_BAD_REQUEST, "hypothesis '%.60s' is not on offer here", id);
}

static int get_points(int *points, const json_t *body, const struct story *s, struct err *err)
{
    const json_t *obj = json_object_get(body, "points");
    const char *id;
    json_t *value;
    int k;
    if (!json_is_object(obj))
        return err_set(err, ERR_BAD_REQUEST,
                       "'points' must be an object of hypothesis ids and whole numbers");
    json_object_foreach((json_t *)obj, id, value) {
        if (get_hypothesis(&k, id, s, err))
            return ERR_BAD_REQUEST;
        if (!json_is_integer(value) || json_integer_value(value) < 0 ||
            json_integer_value(value) > 100)
            return err_set(err, ERR_BAD_REQUEST,
                           "the points of %s must be a whole number from 0 to 100", id);
        points[k] = (int)json_integer_value(value);
    }
    return 0;
}

/* Keys stay far within these. */
#define LEAST_ODDS 1e-6
#define MOST_ODDS 1e6

/* Logs that are older than odds have none. */
static int get_odds(double *odds, const json_t *body, const struct story *s, struct err *err)
{
    const json_t *obj = json_object_get(body, "odds");
    const char *id;
    json_t *value;
    int k;
    if (obj && !json_is_object(obj))
        return err_set(err, ERR_BAD_REQUEST,
                       "'odds' must be an object of hypothesis ids and numbers");
    json_object_foreach((json_t *)obj, id, value) {
        if (get_hypothesis(&k, id, s, err))
            return ERR_BAD_REQUEST;
        if (!json_is_number(value) || json_number_value(value) < LEAST_ODDS ||
            json_number_value(value) > MOST_ODDS)
            return err_set(err, ERR_BAD_REQUEST, "the odds of %s must be a number from %g to %g",
                           id, LEAST_ODDS, MOST_ODDS);
        odds[k] = json_number_value(value);
    }
    return 0;
}

static int get_seed(uint64_t *out, const json_t *body, struct err *err)
{
    const json_t *value = json_object_get(body, "seed");
    const char *text = json_string_value(value);
    *out = 0;
    if (!value)
        return 0;
    if (json_is_integer(value) && json_integer_value(value) >= 0) {
        *out = (uint64_t)json_integer_value(value);
        return 0;
    }
    if (!text || !*text || strlen(text) > 20 || strspn(text, "0123456789") != strlen(text))
        return err_set(err, ERR_BAD_REQUEST, "'seed' must be a whole number, not negative");
    *out = strtoull(text, NULL, 10);
    return 0;
}

static int get_started(struct move *m, const json_t *body, struct err *err)
{
    int rc = get_text(m->tier, sizeof m->tier, body, "tier", err);
    if (rc == 0)
        rc = get_text(m->gpu, sizeof m->gpu, body, "gpu", err);
    if (rc == 0)
        rc = get_seed(&m->seed, body, err);
    const json_t *other = json_object_get(body, "other");
    return rc || !other ? rc : other_gpu_decode(&m->other, other, err);
}

static int get_pair(char *a, size_t a_size, const char *a_key, char *b, size_t b_size,
                    const char *b_key, const json_t *body, struct err *err)
{
    int rc = get_text(a, a_size, body, a_key, err);
    return rc ? rc : get_text(b, b_size, body, b_key, err);
}

static int get_estimated(struct move *m, const json_t *body, struct err *err)
{
    char left[12];
    int rc =
        get_pair(m->item, sizeof m->item, "!id", m->answer, sizeof m->answer, "answer", body, err);
    rc = rc ? rc : get_text(left, sizeof left, body, "left", err);
    for (int k = LEFT_UNASKED; rc == 0 && k < LEFT_COUNT; k++)
        if (!strcmp(left, lefts[k]))
            m->left = (enum left)k;
    if (rc == 0 && ((left[0] && m->left == LEFT_NOT) || (m->left != LEFT_NOT && m->answer[0])))
        return err_set(err, ERR_BAD_REQUEST,
                       "'left' says why there is no answer: \"unasked\", \"cut\" or \"known\"");
    return rc;
}

/* Of what was locked, or stood by, because the truth was shown: there are no words of the person's
 * in it. */
static int get_cut(struct move *m, const json_t *body, struct err *err)
{
    char left[12];
    int rc = get_text(left, sizeof left, body, "left", err);
    if (rc || !left[0])
        return rc;
    if (strcmp(left, lefts[LEFT_CUT]) != 0 || m->remedy[0] || m->then[0] || m->line)
        return err_set(err, ERR_BAD_REQUEST,
                       "'left' is \"cut\", of beliefs alone: the truth was shown first");
    m->left = LEFT_CUT;
    return 0;
}

/* A short one stands in the move, a longer one beside it. */
static int get_note(struct move *m, const json_t *body, struct err *err)
{
    char *text = mem_new(NOTE_BYTES + 1, 1);
    int rc = get_text(text, NOTE_BYTES + 1, body, "!text", err);
    if (rc == 0 && strlen(text) >= sizeof m->answer)
        m->text = text_dup(text);
    else if (rc == 0)
        snprintf(m->answer, sizeof m->answer, "%s", text);
    free(text);
    return rc;
}

static int get_body(struct move *m, const json_t *body, const struct story *s, struct err *err)
{
    int rc;
    switch (m->kind) {
    case MOVE_STARTED: return get_started(m, body, err);
    case MOVE_ASKED: return get_int(&m->question, body, "question", true, err);
    case MOVE_CALLED:
        return get_pair(m->probe, sizeof m->probe, "!probe", m->answer, sizeof m->answer, "!answer",
                        body, err);
    case MOVE_BELIEVED:
    case MOVE_RESPONDED:
        rc = get_points(m->points, body, s, err);
        rc = rc ? rc : get_odds(m->odds, body, s, err);
        return rc ? rc : get_cut(m, body, err);
    case MOVE_ESTIMATED: return get_estimated(m, body, err);
    case MOVE_BOUGHT:
    case MOVE_HANDED:
        rc = get_text(m->probe, sizeof m->probe, body, "!probe", err);
        return rc || !json_object_get(body, "evidence")
                   ? rc
                   : evidence_decode(&m->evidence, json_object_get(body, "evidence"), err);
    case MOVE_COMMITTED:
        rc = get_int(&m->line, body, "line", false, err);
        rc = rc ? rc
                : get_pair(m->remedy, sizeof m->remedy, "remedy", m->then, sizeof m->then, "then",
                           body, err);
        return rc ? rc : get_cut(m, body, err);
    case MOVE_PUSHED: return get_int(&m->pushback, body, "pushback", true, err);
    case MOVE_UNDONE: return get_text(m->undone, sizeof m->undone, body, "!uid", err);
    case MOVE_NAMED:
    case MOVE_NOTED: return get_note(m, body, err);
    default: return 0;
    }
}

int move_decode(struct move *out, const char *kind, const json_t *body, const struct story *s,
                struct err *err)
{
    int k = 0;
    while (k < MOVE_COUNT && strcmp(names[k], kind) != 0)
        k++;
    if (k == MOVE_COUNT)
        return err_set(err, ERR_BAD_REQUEST, "there is no move '%.40s'", kind);
    *out = (struct move){.kind = (enum move_kind)k};
    if (body && !json_is_object(body))
        return err_set(err, ERR_BAD_REQUEST, "%s: the body must be an object", kind);
    int rc = keys_known(body, out->kind, err);
    return rc ? rc : get_body(out, body, s, err);
}
