/* A store with years of use, made by the program's own calls: attempts at stories that need not
 * exist, drills and cards of the shipped content answered by a person whose memory is decided by a
 * fixed seed. */
#ifndef WD_TESTS_TUI_LIVED_H
#define WD_TESTS_TUI_LIVED_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/store.h"
#include "db/moment.h"
#include "drills/memory/review.h"
#include "drills/progress/queue_load.h"
#include "scenarios/pack/taxonomy.h"

static uint64_t lived_seed = 7;
static unsigned lived_draw(unsigned below)
{
    lived_seed = lived_seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(lived_seed >> 33) % below;
}

/* One finished first look. */
static inline int lived_attempt(struct store *s, int k, int64_t at_ms, const char *title,
                                const char *cause, int on_truth, const char *state)
{
    static const char text[] = "{}";
    static const struct store_blob blob = {"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f"
                                           "61caaff8a",
                                           text, 2};
    struct store_attempt a = {.started_ms = at_ms,
                              .elapsed_ms = 540000,
                              .price = 4 + k % 11,
                              .cause_right = on_truth >= 50,
                              .counted = k % 17 != 0};
    struct store_event e = {.at_ms = at_ms,
                            .day = store_day(at_ms),
                            .kind = "started",
                            .body = (char *)"{}"};
    struct store_belief beliefs[3] = {{0, "", "", on_truth},
                                      {0, "", "mem.cache-locality", (100 - on_truth) * 2 / 3},
                                      {0, "", "none.at-limit", 0}};
    beliefs[2].points = 100 - on_truth - beliefs[1].points;
    snprintf(a.uid, sizeof a.uid, "%032d", k);
    snprintf(e.uid, sizeof e.uid, "%032d", 1000000 + k);
    snprintf(e.stream, sizeof e.stream, "attempt:%s", a.uid);
    snprintf(a.title, sizeof a.title, "%s", title);
    snprintf(a.scenario, sizeof a.scenario, "made/story-%d/a", k);
    snprintf(a.content, sizeof a.content, "%s", blob.sha256);
    snprintf(a.state, sizeof a.state, "%s", state);
    snprintf(a.tier, sizeof a.tier, "recorded");
    snprintf(a.gpu, sizeof a.gpu, "NVIDIA H200");
    a.scored = !strcmp(state, "revealed");
    if (a.scored) {
        snprintf(a.cause, sizeof a.cause, "%s", cause);
        a.on_truth = on_truth / 100.0;
        a.score = on_truth - 12.0 + (double)lived_draw(13);
    }
    snprintf(beliefs[0].hypothesis, sizeof beliefs[0].hypothesis, "%s", cause);
    struct store_change change = {.attempt = &a, .beliefs = beliefs, .n_beliefs = a.scored ? 3 : 0};
    return store_append(s, &e, &blob, 1, &change);
}

static inline int lived_answer(struct store *store, const struct queue_item *it, int64_t at_ms)
{
    static const char *const slips[] = {"bits for bytes: eight times too much",
                                        "a power of ten too little",
                                        "one direction counted for both"};
    unsigned luck = lived_draw(20);
    struct review r = {.how = luck < 2   ? DRILL_SLIP
                              : luck < 5 ? DRILL_WRONG
                                         : DRILL_RIGHT,
                       .seconds = 4 + lived_draw((unsigned)it->seconds),
                       .allowed = it->seconds,
                       .given = "5.22 ms",
                       .slip = luck < 2 ? slips[lived_draw(3)] : ""};
    char uid[33] = "";
    struct err err;
    snprintf(r.item, sizeof r.item, "%s", it->id);
    if (it->kind == QUEUE_DRILL) {
        r.numbered = true;
        r.unit = "s";
        r.truth = 5e-3;
        r.value = luck < 2 ? 40e-3 : luck < 5 ? 9e-3 : 5e-3 * (0.95 + lived_draw(100) / 1000.0);
        r.log_error = log(r.value / r.truth);
        r.confidence = lived_draw(3) ? 0 : 0.5 + lived_draw(5) / 10.0;
        r.low = lived_draw(100) < 70 ? 4e-3 : 6e-3;
        r.high = 8e-3;
    }
    return review_write(store, &r, uid, at_ms, 0.9, &err) < 0 ? -1 : 0;
}

/* `days` of study that end yesterday, some of them free, with at most `a_day` answers; then, on the
 * last morning, a few. */
static inline int lived_study(struct store *store, int64_t now_ms, int days, int a_day)
{
    struct library l;
    struct queue_item *items = NULL;
    struct queue_settings s = queue_default;
    struct err err;
    int n = 0, rc = 0, today = store_day(now_ms);
    library_open(&l);
    for (int day = today - days; day < today && rc == 0; day++) {
        if (lived_draw(5) == 0)
            continue;
        struct queue q;
        free(items);
        queue_load(&items, &n, &l, store, false, &err);
        s.today = day;
        s.now_ms = now_ms - (int64_t)(today - day) * 86400000 - 3600000;
        queue_build(&q, items, n, &s);
        int most = (int)lived_draw((unsigned)a_day) + a_day / 2;
        for (int i = 0; i < q.n_now && i < most && rc == 0; i++)
            rc = lived_answer(store, &items[q.entries[i].item], s.now_ms + i * 20000);
        queue_free(&q);
    }
    free(items);
    library_free(&l);
    return rc;
}

static inline int lived_looks(struct store *store, int64_t now_ms, int looks, int days)
{
    static const char *const titles[] = {"A transposed copy at an eighth of copy speed",
                                         "Eight kernels, one slow step",
                                         "The softmax that got 100 times faster", "The tidy tile",
                                         "Three buffers, no overlap"};
    size_t n_causes;
    const struct hypothesis *causes = taxonomy(&n_causes);
    int rc = 0;
    for (int k = 0; k < looks && rc == 0; k++) {
        int64_t at = now_ms - (int64_t)days * 86400000 + (int64_t)k * days * 86400000 / looks;
        rc = lived_attempt(store, k, at, titles[k % 5], causes[lived_draw((unsigned)n_causes)].id,
                           5 + (int)lived_draw(94), "revealed");
    }
    return rc;
}

#endif
