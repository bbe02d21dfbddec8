/* What a session knows, without changing it: its clocks, what is withheld, asked and to be taken
 * back. */
#include "scenarios/interview/session_own.h"

#include <string.h>

/* ---- clocks ---- */

static int64_t since(const struct session *s, int64_t now_ms)
{
    return s->phase == SESSION_RUNNING && now_ms > s->last_ms ? now_ms - s->last_ms : 0;
}

int64_t session_part_ms(const struct session *s, int64_t now_ms)
{
    return s->part < 0 ? 0 : s->parts[s->part].spent_ms + since(s, now_ms);
}

int64_t session_total_ms(const struct session *s, int64_t now_ms)
{
    return s->elapsed_ms + since(s, now_ms);
}

/* ---- the rest ---- */

struct session_state *session_now(const struct session *s)
{
    return s->part < 0 ? NULL : &s->parts[s->part];
}

int session_name_find(const char list[][48], int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(list[i], name))
            return i;
    return -1;
}

bool session_is_withheld(const struct session *s, const char *probe)
{
    const struct session_state *p = session_now(s);
    return p && session_name_find((const char(*)[48])p->withheld, p->n_withheld, probe) >= 0;
}

const struct session_drill *session_drill_open(const struct session *s)
{
    const struct session_state *p = session_now(s);
    const struct session_drill *last = p && p->n_drills > 0 ? &p->drills[p->n_drills - 1] : NULL;
    return last && !last->answered ? last : NULL;
}

bool session_can_undo(enum session_kind k)
{
    return k == SESSION_RATED || k == SESSION_NOTED || k == SESSION_SAID || k == SESSION_HINTED ||
           k == SESSION_INJECTED || k == SESSION_WITHHELD;
}

const char *session_undoable(const struct session *s)
{
    for (int i = s->events - 1; i >= 0; i--)
        if (session_can_undo(s->log[i]->kind) && !s->log[i]->undone && s->log[i]->uid[0])
            return s->log[i]->uid;
    return "";
}

/* FNV-1a: uids are random in interviews, and numbers in tests. */
uint64_t session_uid_key(const char *uid)
{
    uint64_t key = 0xCBF29CE484222325u;
    for (; *uid; uid++)
        key = (key ^ (unsigned char)*uid) * 0x100000001B3u;
    return key;
}

static const struct session_event *last_drilled(const struct session *s, const char *id)
{
    for (int i = s->events - 1; i >= 0; i--)
        if (s->log[i]->kind == SESSION_DRILLED && !strcmp(s->log[i]->name, id))
            return s->log[i];
    return NULL;
}

const char *session_drill_title(const struct session *s, const char *id)
{
    const struct session_event *e = last_drilled(s, id);
    return e && e->text && *e->text ? e->text : id;
}

uint64_t session_drill_seed(const struct session *s, const char *id)
{
    const struct session_event *e = last_drilled(s, id);
    return e ? e->seed : (s->plan.seed ^ session_uid_key(id)) & INT64_MAX;
}

struct session_event *session_event_find(const struct session *s, const char *uid)
{
    uint64_t key = session_uid_key(uid);
    for (int i = s->events - 1; uid[0] && i >= 0; i--)
        if (s->keys[i] == key && !strcmp(s->log[i]->uid, uid))
            return s->log[i];
    return NULL;
}

struct session_party *session_party_find(const struct session *s, const char *uid)
{
    for (int i = 0; i < s->n_parties; i++)
        if (!strcmp(s->parties[i].uid, uid))
            return &s->parties[i];
    return NULL;
}

bool session_is_running(const struct session *s)
{
    return s->phase == SESSION_RUNNING || s->phase == SESSION_ON_PAUSE;
}
