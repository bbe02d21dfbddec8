/* Judging a whole database before it takes the place of the one in use. What is merely old and
 * cannot be read any more stays, as in the log. */
#include "drills/transfer/transfer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "db/bulk.h"
#include "drills/memory/review.h"
#include "drills/transfer/transfer_own.h"
#include "kernels/wire/hash.h"
#include "kernels/wire/text.h"

enum { PIECE = 256 };

struct judging {
    struct store *copy;
    char *why;
    size_t n;
};

static int fail(const struct judging *j, int rc)
{
    snprintf(j->why, j->n, "%s", store_message(j->copy));
    return rc;
}

static int judge_event(const struct judging *j, const struct store_event *e)
{
    const char *fault = transfer_event_fault(e);
    json_t *body = fault ? NULL : transfer_body(e);
    if (!fault && !body)
        fault = "body: a JSON object was expected";
    if (fault)
        snprintf(j->why, j->n, "event %" PRId64 " makes no sense: %s", e->seq, fault);
    json_decref(body);
    return fault ? STORE_DAMAGED : STORE_OK;
}

static int judge_events(const struct judging *j)
{
    int64_t after = 0;
    int n = PIECE, rc = STORE_OK;
    while (rc == STORE_OK && n == PIECE) {
        struct store_event *events = NULL;
        rc = store_log(j->copy, after, PIECE, &events, &n);
        if (rc != STORE_OK)
            return fail(j, rc);
        for (int i = 0; i < n && rc == STORE_OK; i++)
            rc = judge_event(j, &events[i]);
        after = n ? events[n - 1].seq : after;
        store_events_free(events, n);
    }
    return rc;
}

static int judge_text(const struct judging *j, const char *sha256)
{
    char hash[HASH_HEX], *bytes = NULL;
    size_t n;
    int rc = store_blob_get(j->copy, sha256, &bytes, &n);
    if (rc != STORE_OK)
        return fail(j, rc);
    hash_bytes(hash, bytes, n);
    free(bytes);
    if (strcmp(hash, sha256) == 0)
        return STORE_OK;
    snprintf(j->why, j->n, "the text %.12s... was changed: its hash is %.12s...", sha256, hash);
    return STORE_DAMAGED;
}

static int judge_texts(const struct judging *j)
{
    struct store_hash *texts = NULL;
    int n = 0, rc = store_texts(j->copy, &texts, &n);
    if (rc != STORE_OK)
        return fail(j, rc);
    for (int i = 0; i < n && rc == STORE_OK; i++)
        rc = judge_text(j, texts[i].sha256);
    free(texts);
    return rc;
}

int transfer_judge(struct store *copy, char *why, size_t n)
{
    struct judging j = {copy, why, n};
    struct err err = {0};
    int rc = judge_events(&j);
    if (rc == STORE_OK)
        rc = judge_texts(&j);
    if (rc == STORE_OK && review_rebuild_now(copy, &err) != 0) {
        snprintf(why, n, "%s", err.text);
        rc = STORE_DAMAGED;
    }
    if (rc != STORE_OK)
        text_clean(why, strlen(why));
    return rc;
}
