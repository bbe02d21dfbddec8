/* Sample rows for the store's tests: one folder, numbered uids, one attempt. */
#ifndef WD_TESTS_DB_SAMPLE_H
#define WD_TESTS_DB_SAMPLE_H

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/store.h"

#include "db/items.h"

#define SAMPLE_ATTEMPT "000000000000000000000000000000aa"
#define SAMPLE_STREAM "attempt:" SAMPLE_ATTEMPT
#define SAMPLE_SHA "1111111111111111111111111111111111111111111111111111111111111111"

static inline char *sample_folder(void)
{
    char *folder = strdup("/tmp/warpdrill-db-XXXXXX");
    if (!folder || !mkdtemp(folder))
        abort();
    return folder;
}

/* Removes a folder that holds files alone, and frees its name. */
static inline void sample_folder_free(char *folder)
{
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (e->d_name[0] != '.')
            remove(path);
    }
    if (dir)
        closedir(dir);
    rmdir(folder);
    free(folder);
}

static inline struct store_event sample_event(unsigned number)
{
    struct store_event e = {.stream = SAMPLE_STREAM,
                            .kind = "believed",
                            .version = 1,
                            .at_ms = 1700000000000,
                            .day = 19676,
                            .actor = "self",
                            .audience = "all"};
    snprintf(e.uid, sizeof e.uid, "%032x", number);
    e.body = (char *)"{\"points\":{\"mem.uncoalesced\":60,\"none.at-limit\":40}}";
    return e;
}

static inline struct store_attempt sample_attempt(const char *state)
{
    struct store_attempt a = {.uid = SAMPLE_ATTEMPT,
                              .scenario = "first-principles/transposed-copy",
                              .content = SAMPLE_SHA,
                              .tier = "recorded",
                              .gpu = "NVIDIA H200",
                              .started_ms = 1700000000000,
                              .elapsed_ms = 1000,
                              .price = 3,
                              .cause_right = -1,
                              .counted = true,
                              .title = "A transposed copy"};
    snprintf(a.state, sizeof a.state, "%s", state);
    return a;
}

/* The row of an attempt that is there. */
static inline struct store_attempt sample_attempt_row(struct store *s, const char *uid)
{
    struct store_attempt *all, found = {.uid = ""};
    int n, rc = store_attempts(s, NULL, 0, &all, &n);
    for (int i = 0; rc == STORE_OK && i < n; i++)
        if (strcmp(all[i].uid, uid) == 0)
            found = all[i];
    free(all);
    if (!*found.uid)
        abort();
    return found;
}

/* The event that starts the sample attempt, with the blob that its row refers to. */
static inline int sample_start(struct store *s, unsigned number)
{
    struct store_event e = sample_event(number);
    struct store_attempt a = sample_attempt("open");
    struct store_blob blob = {.sha256 = SAMPLE_SHA, .bytes = "story", .n = 5};
    struct store_change change = {.attempt = &a};
    snprintf(e.kind, sizeof e.kind, "started");
    return store_append(s, &e, &blob, 1, &change);
}

/* ---- a numbered life: 1 starts the attempt; then, by number % 4: 0 and 2 review a card, 3 takes
 * the review before back, 1 is a belief ---- */

#define SAMPLE_ITEM "card:silicon/h200-bw"

static inline int sample_review(struct store *s, unsigned number)
{
    struct store_event e = sample_event(number);
    struct store_review r = {.day = e.day,
                             .at_ms = e.at_ms,
                             .grade = 3,
                             .correct = true,
                             .model = "fsrs-6",
                             .item = SAMPLE_ITEM};
    struct store_item now;
    struct store_change change = {.review = &r};
    if (store_item_get(s, SAMPLE_ITEM, &now) < 0)
        return STORE_FAILED;
    r.before = r.after = now.memory;
    r.after.phase = 2;
    r.after.reviews++;
    r.after.stability += 1.25;
    snprintf(e.stream, sizeof e.stream, "item:" SAMPLE_ITEM);
    snprintf(e.kind, sizeof e.kind, "reviewed");
    return store_append(s, &e, NULL, 0, &change);
}

static inline int sample_undo(struct store *s, unsigned number)
{
    struct store_event e = sample_event(number);
    char uid[33];
    struct store_change change = {.undone = uid};
    snprintf(uid, sizeof uid, "%032x", number - 1);
    snprintf(e.stream, sizeof e.stream, "item:" SAMPLE_ITEM);
    snprintf(e.kind, sizeof e.kind, "undone");
    return store_append(s, &e, NULL, 0, &change);
}

static inline int sample_step(struct store *s, unsigned number)
{
    struct store_event e = sample_event(number);
    struct store_belief belief = {.step = (int)number, .hypothesis = "none.at-limit", .points = 50};
    struct store_change change = {.beliefs = &belief, .n_beliefs = 1};
    if (number == 1)
        return sample_start(s, 1);
    if (number % 4 == 1)
        return store_append(s, &e, NULL, 0, &change);
    return number % 4 == 3 ? sample_undo(s, number) : sample_review(s, number);
}

/* How many steps were stored, or -1 when the rows are not what so many steps bring. */
static inline int sample_count(struct store *s)
{
    struct store_event *events = NULL;
    struct store_belief *beliefs = NULL;
    struct store_review *reviews = NULL;
    struct store_item item = {{0}, {0}};
    int n, n_items, n_beliefs, n_reviews, want_beliefs = 0, want_reviews = 0;
    bool read = store_events(s, SAMPLE_STREAM, &events, &n) == STORE_OK;
    store_events_free(events, n);
    read = store_events(s, "item:" SAMPLE_ITEM, &events, &n_items) == STORE_OK && read;
    store_events_free(events, n_items);
    read = store_beliefs(s, SAMPLE_ATTEMPT, &beliefs, &n_beliefs) == STORE_OK && read;
    free(beliefs);
    read = store_reviews(s, NULL, 0, 0, &reviews, &n_reviews) == STORE_OK && read;
    free(reviews);
    read = store_item_get(s, SAMPLE_ITEM, &item) >= 0 && read;
    n += n_items;
    for (int i = 2; i <= n; i++) {
        want_beliefs += i % 4 == 1;
        want_reviews += i % 4 == 3 ? -1 : i % 2 == 0;
    }
    bool same = n_beliefs == want_beliefs && n_reviews == want_reviews &&
                item.memory.reviews == want_reviews && item.memory.stability == 1.25 * want_reviews;
    return read && same ? n : -1;
}

/* A backup_judge that asks for nothing. */
static inline int anything_goes(struct store *copy, char *why, size_t n)
{
    (void)copy;
    (void)why;
    (void)n;
    return STORE_OK;
}

#endif
