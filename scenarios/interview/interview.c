/* The interview that is kept: its time, its attempts, what is stored of them, events and moves in
 * one order. */
#include "scenarios/interview/interview.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "kernels/wire/os.h"
#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/play/attempt_log.h"
#include "scenarios/interview/interview_inside.h"

int64_t interview_now(const struct interview *l)
{
    (void)l;
    return attempt_utc_ms();
}

/* ---- how long the host was here: a moment in the file that it has locked ---- */

enum { MOMENT_BYTES = 20 };

int64_t interview_keep_time(struct interview *l)
{
    char text[MOMENT_BYTES + 2];
    if (l->lock < 0)
        return interview_now(l);
    l->kept_ms = interview_now(l);
    int n = snprintf(text, sizeof text, "%*lld\n", MOMENT_BYTES, (long long)l->kept_ms);
    ssize_t wrote = pwrite(l->lock, text, (size_t)n, 0);
    (void)wrote;                         /* a disk that takes nothing leaves the last tick */
    return l->kept_ms;
}

int64_t interview_kept_ms(const struct interview *l)
{
    return l->kept_ms ? l->kept_ms : interview_now(l);
}

int64_t interview_kept_before(const struct interview *l)
{
    char text[MOMENT_BYTES + 2] = "";
    ssize_t read = l->lock < 0 ? 0 : pread(l->lock, text, MOMENT_BYTES + 1, 0);
    bool whole = read == MOMENT_BYTES + 1 && text[MOMENT_BYTES] == '\n';
    return whole ? strtoll(text, NULL, 10) : 0;
}

/* ---- what is asked of it ---- */

const char *interview_id(const struct interview *l)
{
    return l->id;
}

const char *interview_folder(const struct interview *l)
{
    return l->folder;
}

const struct session *interview_session(const struct interview *l)
{
    return l->session;
}

struct store *interview_store(struct interview *l)
{
    return l->store;
}

/* Moves count by themselves, since an attempt makes some of its own accord: beliefs after a while
 * without a key. */
unsigned interview_changes(const struct interview *l)
{
    unsigned n = l->changes;
    for (int i = 0; i < SESSION_MAX_PARTS; i++)
        if (l->attempt[i])
            n += (unsigned)attempt_state(l->attempt[i])->n_moves;
    return n;
}

void interview_changed(struct interview *l)
{
    l->changes++;
}

/* ---- the scenario that runs ---- */

struct attempt *interview_attempt_of(struct interview *l, int part, struct err *err)
{
    const struct session *s = l->session;
    if (part < 0 || part >= s->plan.n_parts || !s->parts[part].attempt[0]) {
        err_set(err, ERR_MISSING, "part %d has no attempt", part + 1);
        return NULL;
    }
    if (!l->attempt[part])
        attempt_resume(&l->attempt[part], l->store, s->parts[part].attempt, os_monotonic_ms(), err);
    return l->attempt[part];
}

struct attempt *interview_attempt(struct interview *l)
{
    return interview_attempt_of(l, l->session->part, NULL);
}

/* A move that nobody told of, or that was stored meanwhile, is a change too. */
static void notice_moves(struct interview *l)
{
    int64_t moves = 0;
    for (int i = 0; i < SESSION_MAX_PARTS; i++)
        if (l->attempt[i]) {
            int n = attempt_state(l->attempt[i])->n_moves;
            moves += 2 * n + (attempt_seq(l->attempt[i], n - 1) > 0);
        }
    l->changes += moves != l->moves;
    l->moves = moves;
}

int interview_settle(struct interview *l, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < SESSION_MAX_PARTS && rc == 0; i++)
        if (l->attempt[i] && l->lock >= 0)
            rc = attempt_settle(l->attempt[i], os_monotonic_ms(), err);
    notice_moves(l);
    return rc;
}

/* ---- entries ---- */

/* The log of the session, or the moves of a part's attempt: each in its own order, so that they are
 * merged and not sorted. */
struct source { struct attempt *a; int part, at, n; };

static struct interview_entry entry_of(const struct interview *l, const struct source *from)
{
    if (!from->a) {
        const struct session_event *e = l->session->log[from->at];
        return (struct interview_entry){.seq = e->seq,
                                        .at_ms = e->at_ms,
                                        .elapsed_ms = e->elapsed_ms,
                                        .part = e->in_part,
                                        .event = e};
    }
    const struct investigation *i = attempt_state(from->a);
    int64_t seq = attempt_seq(from->a, from->at);
    return (struct interview_entry){.seq = seq ? seq : INT64_MAX,
                                    .at_ms = i->moves[from->at].at_ms,
                                    .part = from->part,
                                    .move = &i->moves[from->at],
                                    .of = i};
}

/* Moves that are not stored yet come last, in their order. */
static void merge(struct interview *l)
{
    struct source from[SESSION_MAX_PARTS + 1] = {{.n = l->session->events}};
    struct interview_entry head[SESSION_MAX_PARTS + 1];
    int n = 1, total = l->session->events;
    for (int p = 0; p < l->session->plan.n_parts; p++)
        if (l->attempt[p]) {
            from[n] = (struct source){.a = l->attempt[p],
                                      .part = p,
                                      .n = attempt_state(l->attempt[p])->n_moves};
            total += from[n++].n;
        }
    for (int k = 0; k < n; k++)
        if (from[k].n > 0)
            head[k] = entry_of(l, &from[k]);
    l->entries = mem_grow(l->entries, (size_t)total, sizeof *l->entries);
    for (l->n_entries = 0; l->n_entries < total; l->n_entries++) {
        int next = -1;
        for (int k = 0; k < n; k++)
            if (from[k].at < from[k].n && (next < 0 || head[k].seq < head[next].seq))
                next = k;
        l->entries[l->n_entries] = head[next];
        if (++from[next].at < from[next].n)
            head[next] = entry_of(l, &from[next]);
    }
}

/* A move's running time is that of the event before it, and what passed since then while the clock
 * ran. */
static void time_moves(struct interview *l)
{
    const struct session_event *last = NULL;
    for (int i = 0; i < l->n_entries; i++) {
        struct interview_entry *e = &l->entries[i];
        if (e->event)
            last = e->event;
        else if (last)
            e->elapsed_ms = last->elapsed_ms +
                            (last->runs && e->at_ms > last->at_ms ? e->at_ms - last->at_ms : 0);
        if (e->seq == INT64_MAX)
            e->seq = 0;
    }
}

int interview_entries(struct interview *l, const struct interview_entry **out)
{
    const struct session *s = l->session;
    for (int p = 0; p < s->plan.n_parts; p++)
        interview_attempt_of(l, p, NULL);
    if (l->entries_of != interview_changes(l)) {
        merge(l);
        time_moves(l);
        l->entries_of = interview_changes(l);
    }
    *out = l->entries;
    return l->n_entries;
}
