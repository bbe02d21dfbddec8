/* Events of an interview as JSON: the bodies of its log. Decoding is strict, so that a log which
 * another program wrote is refused and not half understood. */
#include "scenarios/interview/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/fields.h"
#include "kernels/wire/text.h"

static const struct { const char *name, *keys, *audience; } kinds[SESSION_KINDS] = {
    [SESSION_PLANNED] = {"planned", "plan", "host"},
    [SESSION_INVITED] = {"invited", "id candidate observer expires_ms", "host"},
    [SESSION_OPENED] = {"opened", "wall for", "host"},
    [SESSION_JOINED] = {"joined", "party role name wall", "all"},
    [SESSION_LEFT] = {"left", "party say", "all"},
    [SESSION_BEGAN] = {"began", "part", "all"},
    [SESSION_ATTEMPTED] = {"attempted", "part attempt", "host"},
    [SESSION_FINISHED] = {"finished", "part", "all"},
    [SESSION_PAUSED] = {"paused", "", "all"},
    [SESSION_RESUMED] = {"resumed", "", "all"},
    [SESSION_TICKED] = {"ticked", "slept", "all"},
    [SESSION_EXTENDED] = {"extended", "minutes part", "all"},
    [SESSION_QUIET] = {"quiet", "seconds", "all"},
    [SESSION_WITHHELD] = {"withheld", "probe back", "all"},
    [SESSION_HANDED] = {"handed", "probe", "all"},
    [SESSION_HINTED] = {"hinted", "hint text", "all"},
    [SESSION_SAID] = {"said", "line text", "host"},
    [SESSION_INJECTED] = {"injected", "text", "all"},
    [SESSION_QUEUED] = {"queued", "pushback", "host"},
    [SESSION_DRILLED] = {"drilled", "drill seed title", "all"},
    [SESSION_ANSWERED] = {"answered", "drill answer seconds how points say", "all"},
    [SESSION_RATED] = {"rated", "signal grade", "host"},
    [SESSION_NOTED] = {"noted", "text share", "host"},
    [SESSION_SPOKE] = {"spoke", "text", "all"},
    [SESSION_REVEALED] = {"revealed", "part", "all"},
    [SESSION_MENDING] = {"mending", "part over", "all"},
    [SESSION_TRIED] = {"tried", "part text", "all"},
    [SESSION_JUDGED] = {"judged", "part try verdict", "all"},
    [SESSION_HELPED] = {"helped", "part step", "all"},
    [SESSION_RELEASED] = {"released", "", "all"},
    [SESSION_UNDONE] = {"undone", "undone", "host"},
    [SESSION_CLOSED] = {"closed", "", "all"},
};

const char *session_kind_name(enum session_kind k)
{
    return kinds[k].name;
}

const char *session_audience(enum session_kind k)
{
    return kinds[k].audience;
}

void session_event_free(struct session_event *e)
{
    free(e->text);
    free(e->answer);
    json_decref(e->plan);
    json_decref(e->invitation);
    json_decref(e->verdict);
    e->text = e->answer = NULL;
    e->plan = e->invitation = e->verdict = NULL;
}

struct session_event *session_event_copy(const struct session_event *e)
{
    struct session_event *copy = mem_new(1, sizeof *copy);
    *copy = *e;
    copy->text = e->text ? text_dup(e->text) : NULL;
    copy->answer = e->answer ? text_dup(e->answer) : NULL;
    copy->plan = e->plan ? json_deep_copy(e->plan) : NULL;
    copy->invitation = e->invitation ? json_deep_copy(e->invitation) : NULL;
    copy->verdict = e->verdict ? json_deep_copy(e->verdict) : NULL;
    copy->undone = false;
    return copy;
}

/* ---- to JSON ---- */

static json_t *clean_string(const char *s)
{
    char *copy = text_dup(s ? s : "");
    text_clean(copy, strlen(copy));
    json_t *out = json_string(copy);
    free(copy);
    return out;
}

static void put_text(json_t *body, const char *key, const char *s)
{
    json_object_set_new(body, key, clean_string(s));
}

static void put_whole(json_t *body, const char *key, int64_t n)
{
    json_object_set_new(body, key, json_integer(n));
}

/* As text: JSON readers lose bits beyond 2^53. */
static void put_seed(json_t *body, uint64_t seed)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    json_object_set_new(body, "seed", json_string(text));
}

/* An older log has no title. */
static void put_drill(json_t *body, const struct session_event *e)
{
    put_text(body, "drill", e->name);
    put_seed(body, e->seed);
    if (e->text)
        put_text(body, "title", e->text);
}

static void put_answer(json_t *body, const struct session_event *e)
{
    put_text(body, "drill", e->name);
    put_text(body, "answer", e->answer);
    put_whole(body, "seconds", e->number);
    put_text(body, "how", e->role);
    json_object_set_new(body, "points", json_real(e->points));
    put_text(body, "say", e->text);
}

static void put_opened(json_t *body, const struct session_event *e)
{
    put_text(body, "wall", e->wall);
    if (e->who[0])
        put_text(body, "for", e->who);
}

static void put_party(json_t *body, const struct session_event *e)
{
    put_text(body, "party", e->name);
    put_text(body, "role", e->role);
    put_text(body, "name", e->who);
    put_text(body, "wall", e->wall);
}

static void put_line(json_t *body, const char *key, const struct session_event *e)
{
    put_whole(body, key, e->number);
    put_text(body, "text", e->text);
}

static void put_mending(json_t *body, const struct session_event *e)
{
    put_whole(body, "part", e->part);
    if (e->kind == SESSION_MENDING)
        json_object_set_new(body, "over", json_boolean(e->flag));
    if (e->kind == SESSION_TRIED)
        put_text(body, "text", e->text);
    if (e->kind == SESSION_JUDGED)
        put_whole(body, "try", e->number);
    if (e->kind == SESSION_HELPED)
        put_whole(body, "step", e->number);
    if (e->kind == SESSION_JUDGED && e->verdict)
        json_object_set(body, "verdict", e->verdict);
}

static void put_body(json_t *body, const struct session_event *e)
{
    switch (e->kind) {
    case SESSION_PLANNED: json_object_set(body, "plan", e->plan); break;
    case SESSION_INVITED: json_object_update(body, e->invitation); break;
    case SESSION_OPENED: put_opened(body, e); break;
    case SESSION_JOINED: put_party(body, e); break;
    case SESSION_LEFT: put_text(body, "party", e->name); put_text(body, "say", e->text); break;
    case SESSION_ATTEMPTED: put_text(body, "attempt", e->name); /* fall through */
    case SESSION_BEGAN:
    case SESSION_FINISHED:
    case SESSION_REVEALED: put_whole(body, "part", e->part); break;
    case SESSION_TICKED:
        if (e->flag)
            json_object_set_new(body, "slept", json_true());
        break;
    case SESSION_EXTENDED:
        put_whole(body, "minutes", e->number);
        if (e->part >= 0)
            put_whole(body, "part", e->part);
        break;
    case SESSION_QUIET: put_whole(body, "seconds", e->number); break;
    case SESSION_WITHHELD:
        json_object_set_new(body, "back", json_boolean(e->flag)); /* fall through */
    case SESSION_HANDED: put_text(body, "probe", e->name); break;
    case SESSION_HINTED: put_line(body, "hint", e); break;
    case SESSION_SAID: put_line(body, "line", e); break;
    case SESSION_INJECTED:
    case SESSION_SPOKE: put_text(body, "text", e->text); break;
    case SESSION_QUEUED:
        if (e->number >= 0)
            put_whole(body, "pushback", e->number);
        break;
    case SESSION_DRILLED: put_drill(body, e); break;
    case SESSION_ANSWERED: put_answer(body, e); break;
    case SESSION_RATED:
        put_text(body, "signal", e->name);
        put_whole(body, "grade", e->number);
        break;
    case SESSION_NOTED:
        put_text(body, "text", e->text);
        json_object_set_new(body, "share", json_boolean(e->flag));
        break;
    case SESSION_UNDONE: put_text(body, "undone", e->name); break;
    case SESSION_MENDING:
    case SESSION_TRIED:
    case SESSION_JUDGED:
    case SESSION_HELPED: put_mending(body, e); break;
    default: break;
    }
}

json_t *session_event_encode(const struct session_event *e)
{
    json_t *body = json_object();
    put_body(body, e);
    return body;
}

/* ---- from JSON ---- */

enum { PART_LAST = SESSION_MAX_PARTS - 1, NUMBER_MOST = 1000000 };

/* An empty text becomes NULL, as the event has it. */
static char *take_text(const struct fields *f, const char *key, size_t most)
{
    const char *s = fields_string(f, key);
    if (strlen(s) > most)
        fields_fail(f, key, ERR_TOO_LARGE, "is longer than %zu bytes", most);
    if (!*s)
        return NULL;
    char *copy = text_ndup(s, strlen(s) > most ? most : strlen(s));
    text_clean(copy, strlen(copy));
    return copy;
}

static void take_name(const struct fields *f, const char *key, struct session_event *e)
{
    fields_text(f, key, e->name, sizeof e->name);
    text_clean(e->name, strlen(e->name));
    if (!e->name[0])
        fields_fail(f, key, ERR_BAD_REQUEST, "is empty");
}

static void take_seed(const struct fields *f, struct session_event *e)
{
    const char *s = fields_string(f, "seed");
    if (!*s || strlen(s) > 20 || strspn(s, "0123456789") != strlen(s))
        fields_fail(f, "seed", ERR_BAD_REQUEST, "must be a whole number as text");
    e->seed = strtoull(s, NULL, 10);
}

static void take_invitation(const struct fields *f, struct session_event *e)
{
    char id[8], hash[65];
    fields_text(f, "id", id, sizeof id);
    fields_text(f, "candidate", hash, sizeof hash);
    fields_text(f, "observer", hash, sizeof hash);
    fields_whole(f, "expires_ms", 0, FIELDS_WHOLE_MAX);
    e->invitation = json_deep_copy(f->object);
}

static void take_opened(const struct fields *f, struct session_event *e)
{
    fields_text(f, "wall", e->wall, sizeof e->wall);
    if (fields_has(f, "for"))
        fields_text(f, "for", e->who, sizeof e->who);
    text_clean(e->who, strlen(e->who));
}

static void take_party(const struct fields *f, struct session_event *e)
{
    take_name(f, "party", e);
    static const char *const roles[] = {"candidate", "observer"};
    snprintf(e->role, sizeof e->role, "%s", roles[fields_choice(f, "role", roles, 2)]);
    fields_text(f, "name", e->who, sizeof e->who);
    fields_text(f, "wall", e->wall, sizeof e->wall);
    text_clean(e->who, strlen(e->who));
    text_clean(e->wall, strlen(e->wall));
}

static void take_drill(const struct fields *f, struct session_event *e)
{
    take_name(f, "drill", e);
    take_seed(f, e);
    if (fields_has(f, "title"))
        e->text = take_text(f, "title", SESSION_TEXT);
}

static void take_answer(const struct fields *f, struct session_event *e)
{
    take_name(f, "drill", e);
    e->answer = take_text(f, "answer", SESSION_TEXT);
    e->number = (int)fields_whole(f, "seconds", 0, NUMBER_MOST);
    fields_text(f, "how", e->role, sizeof e->role);
    text_clean(e->role, strlen(e->role));
    e->points = fields_number(f, "points");
    e->text = take_text(f, "say", SESSION_TEXT);
}

/* As it was typed, or not at all: a text that is judged is not mended on its way. */
static void take_try(const struct fields *f, struct session_event *e)
{
    const char *text = fields_string(f, "text");
    size_t n = strlen(text);
    if (n > SESSION_TRY)
        fields_fail(f, "text", ERR_TOO_LARGE, "is longer than %d bytes", SESSION_TRY);
    else if (text_first_bad(text, n) != n)
        fields_fail(f, "text", ERR_BAD_REQUEST, "has control characters");
    else if (n)
        e->text = text_dup(text);
}

/* Read and written anew, so that nothing is in it but what a verdict has. */
static void take_verdict(const struct fields *f, struct session_event *e)
{
    struct mend_verdict *v = mem_new(1, sizeof *v);
    e->number = (int)fields_whole(f, "try", 1, SESSION_TRIES);
    mend_decode(v, fields_object(f, "verdict", 64));
    if (v->is == MEND_OPEN)
        fields_fail(f, "verdict", ERR_BAD_REQUEST, "says neither right nor why not");
    else
        e->verdict = mend_encode(v);
    free(v);
}

static void take_mending(const struct fields *f, struct session_event *e)
{
    e->part = (int)fields_whole(f, "part", 0, PART_LAST);
    if (e->kind == SESSION_MENDING)
        e->flag = fields_bool(f, "over");
    else if (e->kind == SESSION_TRIED)
        take_try(f, e);
    else if (e->kind == SESSION_HELPED)
        e->number = (int)fields_whole(f, "step", 1, SESSION_STEPS);
    else
        take_verdict(f, e);
}

static void take_body(const struct fields *f, struct session_event *e)
{
    switch (e->kind) {
    case SESSION_PLANNED: e->plan = json_deep_copy(fields_object(f, "plan", 64)); break;
    case SESSION_INVITED: take_invitation(f, e); break;
    case SESSION_OPENED: take_opened(f, e); break;
    case SESSION_JOINED: take_party(f, e); break;
    case SESSION_LEFT: take_name(f, "party", e); e->text = take_text(f, "say", SESSION_TEXT); break;
    case SESSION_ATTEMPTED: take_name(f, "attempt", e); /* fall through */
    case SESSION_BEGAN:
    case SESSION_FINISHED:
    case SESSION_REVEALED: e->part = (int)fields_whole(f, "part", 0, PART_LAST); break;
    case SESSION_TICKED: e->flag = fields_has(f, "slept") && fields_bool(f, "slept"); break;
    case SESSION_EXTENDED:
        e->number = (int)fields_whole(f, "minutes", 0, NUMBER_MOST);
        e->part = fields_has(f, "part") ? (int)fields_whole(f, "part", 0, PART_LAST) : -1;
        break;
    case SESSION_QUIET: e->number = (int)fields_whole(f, "seconds", 0, NUMBER_MOST); break;
    case SESSION_WITHHELD: e->flag = fields_bool(f, "back"); /* fall through */
    case SESSION_HANDED: take_name(f, "probe", e); break;
    case SESSION_HINTED:
        e->number = (int)fields_whole(f, "hint", 0, NUMBER_MOST);
        e->text = take_text(f, "text", SESSION_TEXT);
        break;
    case SESSION_SAID:
        e->number = (int)fields_whole(f, "line", 0, NUMBER_MOST);
        e->text = take_text(f, "text", SESSION_TEXT);
        break;
    case SESSION_INJECTED: e->text = take_text(f, "text", SESSION_TEXT); break;
    case SESSION_SPOKE: e->text = take_text(f, "text", SESSION_TALK); break;
    case SESSION_QUEUED:
        e->number =
            fields_has(f, "pushback") ? (int)fields_whole(f, "pushback", 0, NUMBER_MOST) : -1;
        break;
    case SESSION_DRILLED: take_drill(f, e); break;
    case SESSION_ANSWERED: take_answer(f, e); break;
    case SESSION_RATED:
        take_name(f, "signal", e);
        e->number = (int)fields_whole(f, "grade", 0, SESSION_MAX_ANCHORS);
        break;
    case SESSION_NOTED:
        e->text = take_text(f, "text", SESSION_TEXT);
        e->flag = fields_bool(f, "share");
        break;
    case SESSION_UNDONE: take_name(f, "undone", e); break;
    case SESSION_MENDING:
    case SESSION_TRIED:
    case SESSION_JUDGED:
    case SESSION_HELPED: take_mending(f, e); break;
    default: break;
    }
}

int session_event_decode(struct session_event *out, const char *kind, const json_t *body,
                         struct err *err)
{
    int k = 0;
    *out = (struct session_event){.part = -1, .in_part = -1};
    while (k < SESSION_KINDS && strcmp(kinds[k].name, kind) != 0)
        k++;
    if (k == SESSION_KINDS)
        return err_set(err, ERR_BAD_REQUEST, "there is no event '%.40s' in an interview", kind);
    out->kind = (enum session_kind)k;
    struct err local = {0};
    struct fields_state state = {.err = &local};
    struct fields f = fields_open(&state, body);
    fields_only(&f, kinds[k].keys);
    if (!state.code)
        take_body(&f, out);
    if (!state.code)
        return 0;
    session_event_free(out);
    return err_set(err, state.code, "%s: %s", kind, local.text);
}
