/* A log from elsewhere. The first byte says what is made right before it is read, so that what lies
 * behind is reached: bit 0 the counts of the head, bit 1 the hashes of texts and what refers to
 * them. Whatever an import takes can be judged, exported, and its attempts looked at. */
#include <assert.h>
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drills/transfer/transfer.h"
#include "kernels/wire/hash.h"
#include "kernels/wire/text.h"
#include "scenarios/play/attempt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { COUNTS = 1, HASHES = 2, LINES_MOST = 4096 };

static char folder[64], input[96], base[96], taken[96];
static struct store *store; /* holds nothing: every import into it is a dry run */

static void leave(void)
{
    store_free(store);
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (e->d_name[0] != '.')
            unlinkat(dirfd(dir), e->d_name, 0);
    if (dir)
        closedir(dir);
    rmdir(folder);
}

static void start(void)
{
    strcpy(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/warpdrill-fuzz-XXXXXX"
                                                 : "/tmp/warpdrill-fuzz-XXXXXX");
    if (!mkdtemp(folder))
        abort();
    snprintf(input, sizeof input, "%s/input", folder);
    snprintf(base, sizeof base, "%s/base.db", folder);
    snprintf(taken, sizeof taken, "%s/taken.db", folder);
    if (store_open(&store, base, 1000) != STORE_OK)
        abort();
    atexit(leave);
}

/* ---- making it right ---- */

struct mending {
    unsigned what;
    json_t *hashes; /* former to right */
    json_t *lines[LINES_MOST]; /* NULL: the text, as it is */
    char *text[LINES_MOST];
    int n, events, blobs;
};

static void mend_blob(struct mending *m, json_t *line)
{
    char hash[HASH_HEX];
    const char *former = json_string_value(json_object_get(line, "blob")),
               *content = json_string_value(json_object_get(line, "content"));
    if (!former || !content)
        return;
    hash_bytes(hash, content, strlen(content));
    json_object_set_new(m->hashes, former, json_string(hash));
    json_object_set_new(line, "blob", json_string(hash));
}

/* In any string of an event: whatever is the name of a text. */
static void mend_names(const struct mending *m, json_t *value, int depth)
{
    const char *key;
    json_t *member, *right;
    void *next;
    size_t i;
    if (depth > 100)
        return;
    json_object_foreach_safe(value, next, key, member)
    {
        right =
            json_is_string(member) ? json_object_get(m->hashes, json_string_value(member)) : NULL;
        if (right)
            json_object_set(value, key, right);
        else
            mend_names(m, member, depth + 1);
    }
    json_array_foreach(value, i, member)
    {
        right =
            json_is_string(member) ? json_object_get(m->hashes, json_string_value(member)) : NULL;
        if (right)
            json_array_set(value, i, right);
        else
            mend_names(m, member, depth + 1);
    }
}

static void read_lines(struct mending *m, const char *text, size_t size)
{
    const char *end = text + size;
    while (text < end && m->n < LINES_MOST) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        size_t len = (size_t)((stop ? stop : end) - text);
        json_t *line = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
        m->text[m->n] = text_ndup(text, len);
        m->lines[m->n++] = line;
        if (line && json_object_get(line, "blob"))
            m->blobs++;
        else if (m->n > 1)
            m->events++;
        text += len + 1;
    }
}

static void mend(struct mending *m)
{
    for (int i = 0; i < m->n && m->what & HASHES; i++)
        if (json_object_get(m->lines[i], "blob"))
            mend_blob(m, m->lines[i]);
        else
            mend_names(m, m->lines[i], 0);
    if (m->what & COUNTS && m->n && json_is_object(m->lines[0])) {
        json_object_set_new(m->lines[0], "events", json_integer(m->events));
        json_object_set_new(m->lines[0], "blobs", json_integer(m->blobs));
    }
}

static void write_input(unsigned what, const char *text, size_t size)
{
    static struct mending m;
    FILE *f = fopen(input, "wb");
    assert(f);
    m = (struct mending){.what = what, .hashes = json_object()};
    if (what & (COUNTS | HASHES)) {
        read_lines(&m, text, size);
        mend(&m);
    } else {
        fwrite(text, 1, size, f);
    }
    for (int i = 0; i < m.n; i++) {
        if (!m.lines[i] || json_dumpf(m.lines[i], f, JSON_COMPACT) != 0)
            fputs(m.text[i], f);
        fputc('\n', f);
        json_decref(m.lines[i]);
        free(m.text[i]);
    }
    json_decref(m.hashes);
    fclose(f);
}

/* ---- what was taken ---- */

static void look_at_attempt(struct store *s, const char *uid)
{
    struct attempt *a = NULL;
    struct err err = {0};
    int rc = attempt_resume(&a, s, uid, 0, &err);
    assert(rc ? !a && *err.text : a != NULL);
    if (rc == 0)
        attempt_debrief(a);
    attempt_free(a);
}

static void look_at(struct store *s)
{
    struct store_attempt *attempts = NULL;
    struct err err = {0};
    char why[256] = "", **streams = NULL;
    int n = 0;
    if (transfer_judge(s, why, sizeof why) != STORE_OK) {
        fprintf(stderr, "taken, and then judged: %s\n", why);
        abort();
    }
    assert(store_attempts(s, NULL, 0, &attempts, &n) == STORE_OK);
    free(attempts);
    assert(store_streams(s, "attempt:", &streams, &n) == STORE_OK);
    for (int i = 0; i < n; i++)
        look_at_attempt(s, streams[i] + strlen("attempt:"));
    store_streams_free(streams, n);
    FILE *out = fopen("/dev/null", "w");
    assert(transfer_write_json(s, out, &err) == 0);
    fclose(out);
}

static void take(void)
{
    struct store *s = NULL;
    struct transfer_report report;
    struct err err = {0};
    assert(store_open(&s, taken, 1000) == STORE_OK);
    assert(transfer_read(s, input, false, &report, &err) == 0);
    long fresh = report.fresh;
    transfer_report_free(&report);
    look_at(s);
    assert(transfer_read(s, input, false, &report, &err) == 0 && report.fresh == 0 &&
           report.known + report.left_out >= fresh);
    transfer_report_free(&report);
    store_free(s);
    assert(unlink(taken) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct transfer_report report;
    struct err err = {0};
    if (!store)
        start();
    if (!size)
        return 0;
    write_input(data[0], (const char *)data + 1, size - 1);
    int rc = transfer_read(store, input, true, &report, &err);
    assert(rc ? *err.text != '\0' : report.refused == 0);
    long fresh = report.fresh;
    transfer_report_free(&report);
    if (rc == 0 && fresh)
        take();
    return 0;
}
