/* Interviews made by the host's verbs, on the small pack, in a state folder of the test's own. The
 * clock stands but for what a verb takes. */
#ifndef WD_TESTS_MADE_INTERVIEW_H
#define WD_TESTS_MADE_INTERVIEW_H

#include <unistd.h>

#include "kernels/wire/os.h"
#include "scenarios/interview/interview.h"
#include "scenarios/interview/interview_life.h"
#include "tests/scenarios/small_pack.h"
#include "tests/unit.h"

enum { HOUR_MS = 3600000 };

static char state_home[64];
static struct pack *pack;
static int verb_ms;
static int64_t now_ms = 1795262400000;      /* 2026-11-21, 12:00 UTC */

static inline void set_clock(int64_t forward)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)(now_ms += forward));
    setenv("WARPDRILL_NOW_MS", text, 1);
}

/* A set-up, or its beginning; `takes`: ms that pass after each verb. */
static inline int interviews_begin(const char *name, int takes)
{
    struct err err = {0};
    snprintf(state_home, sizeof state_home, "/tmp/wd-%s-XXXXXX", name);
    if (!mkdtemp(state_home))
        return -1;
    setenv("XDG_STATE_HOME", state_home, 1);
    verb_ms = takes;
    set_clock(0);
    pack = small_recorded(&err);
    return pack ? 0 : -1;
}

/* A tear-down. It fails where a test left an interview. */
static inline int interviews_end(void **state)
{
    char path[128];
    pack_free(pack);
    static const char *const folders[] = {"/warpdrill/sessions", "/warpdrill", ""};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", state_home, folders[i]);
        if (rmdir(path) != 0)
            return -1;
    }
    return 0;
}

static inline void ok(int rc, const struct err *err)
{
    if (rc)
        fail_msg("%s", err->text);
}
#define DO(call) do { struct err err = {0}; ok(call, &err); set_clock(verb_ms); } while (0)
#define REFUSED(code, words, call) \
    do { \
        struct err err = {0}; \
        assert_int_equal(call, code); \
        if (!strstr(err.text, words)) \
            fail_msg("%s", err.text); \
    } while (0)

/* The plan `p` with a rubric; *codes may be NULL. */
static inline struct interview *made_interview_new(struct session_plan p,
                                                   struct session_codes *codes)
{
    struct session_codes unused;
    struct interview *l = NULL;
    struct err err = {0};
    session_rubric_builtin(&p);
    ok(interview_create(&l, codes ? codes : &unused, &p, HOUR_MS, &err), &err);
    return l;
}

static inline void made_interview_delete(const char *id)
{
    struct err err = {0};
    ok(interview_delete(id, &err), &err);
}

/* Closes and deletes it. */
static inline void made_interview_end(struct interview *l)
{
    char id[64];
    snprintf(id, sizeof id, "%s", interview_id(l));
    interview_free(l);
    made_interview_delete(id);
}

/* An attempt at the pack's one story, for interview_attempt_begin. */
static inline struct attempt *attempt_new(struct interview *l)
{
    struct err err = {0};
    struct supply *s = NULL;
    struct attempt *a = NULL;
    const struct variant *v = pack->stories[0].variants[0];
    if (supply_recorded(&s, v, NULL, &err) ||
        attempt_start(&a, interview_store(l), v, s, 7, os_monotonic_ms(), &err))
        fail_msg("%s", err.text);
    supply_free(s);
    return a;
}

/* What was recorded of a probe, for whoever buys it or is handed it. */
static inline struct evidence *recorded(struct interview *l, const char *probe)
{
    struct evidence *e = NULL;
    DO(request_recall(&e, attempt_variant(interview_attempt(l)),
                      attempt_recording(interview_attempt(l)), probe, &err));
    return e;
}

/* One key of the candidate on a belief, stored. */
static inline void press_belief(struct interview *l, int chosen, enum belief_key key)
{
    attempt_press(interview_attempt(l), chosen, key, os_monotonic_ms());
    interview_changed(l);
    DO(interview_settle(l, &err));
}

#endif
