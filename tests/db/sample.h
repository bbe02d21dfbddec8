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
    struct store_event e = {.stream = SAMPLE_STREAM, .kind = "believed", .version = 1, .at_ms = 1700000000000,
                            .day = 19676, .actor = "self", .audience = "all"};
    snprintf(e.uid, sizeof e.uid, "%032x", number);
    e.body = (char *)"{\"points\":{\"mem.uncoalesced\":60,\"none.at-limit\":40}}";
    return e;
}

static inline struct store_attempt sample_attempt(const char *state)
{
    struct store_attempt a = {.uid = SAMPLE_ATTEMPT, .scenario = "first-principles/transposed-copy",
                              .content = SAMPLE_SHA, .tier = "recorded", .gpu = "NVIDIA H200",
                              .started_ms = 1700000000000, .elapsed_ms = 1000, .price = 3, .cause_right = -1,
                              .counted = true, .title = "A transposed copy"};
    snprintf(a.state, sizeof a.state, "%s", state);
    return a;
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

#endif
