/* Steps of the host in a pipeline's launches: what each may say, and their order. */
#include "scenarios/pack/pack_steps.h"

#include <string.h>

#include "scenarios/pack/pack_place.h"

enum { HOST_LABEL = 24, ONE_KEYS = HOST_K_TO };

bool is_host_step(const struct yaml *y)
{
    bool host = false;
    for (const struct yaml *v = y->kind == YAML_MAP ? y->first : NULL; v; v = v->next) {
        if (!strcmp(v->key->text, "kernel") || !strcmp(v->key->text, "collective") ||
            !strcmp(v->key->text, "peer_copy"))
            return false;
        for (int i = 0; i < ONE_KEYS; i++)
            host = host || !strcmp(v->key->text, host_shape.key[i].name);
    }
    return host;
}

static int refuse_host(struct reader *r, const struct yaml *y, const struct story *s)
{
    if (s->format < FORMAT_OWN_LAUNCHES)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "a step of the host in a story of format %d; format: %d was expected",
                         s->format, FORMAT_OWN_LAUNCHES);
    if (!story_is_pipeline(s))
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "a step of the host in a story that is no pipeline; kind: pipeline was "
                         "expected");
    return 0;
}

/* The one key that says what is done; k[*what] is its value. */
static int find_kind(struct reader *r, const struct yaml *const *k, int *what)
{
    *what = -1;
    for (int i = 0; i < ONE_KEYS; i++) {
        if (k[i] && *what >= 0)
            return yaml_fail(k[i]->key, ERR_BAD_REQUEST, r->err,
                             "'%s' beside '%s'; one step an item was expected", k[i]->key->text,
                             k[*what]->key->text);
        *what = k[i] ? i : *what;
    }
    return 0;
}

/* Keys that only some steps have. */
static int refuse_others(struct reader *r, const struct yaml *const *k, int what)
{
    bool alone = what == HOST_K_SYNC || what == HOST_K_COPY || what == HOST_K_WAIT ||
                 what == HOST_K_READ;
    if (k[HOST_K_RANK] && !alone)
        return yaml_fail(k[HOST_K_RANK]->key, ERR_BAD_REQUEST, r->err,
                         "'rank' beside '%s', which every rank does", k[what]->key->text);
    for (int i = HOST_K_TO; i < HOST_K_RANK; i++) {
        bool has = what == HOST_K_COPY || (what == HOST_K_READ && i == HOST_K_STREAM);
        if (k[i] && !has)
            return yaml_fail(k[i]->key, ERR_BAD_REQUEST, r->err, "'%s' beside '%s', which has none",
                             k[i]->key->text, k[what]->key->text);
        if (!k[i] && has && i != HOST_K_STREAM)
            return yaml_fail(k[what]->key, ERR_BAD_REQUEST, r->err, "a copy without '%s'",
                             host_shape.key[i].name);
    }
    return 0;
}

static int read_where(struct reader *r, const struct yaml *y, int *stream)
{
    static const char *const where[] = {"device",   "stream 0", "stream 1", "stream 2", "stream 3",
                                        "stream 4", "stream 5", "stream 6", "stream 7"};
    int rc = yaml_choice(y, where, CAP_STREAMS + 1, "device, or stream 0 to stream 7", stream,
                         r->err);
    *stream -= 1;
    return rc;
}

static int read_word(struct reader *r, const struct yaml *y, const char *word)
{
    int at;
    return yaml_choice(y, &word, 1, word, &at, r->err);
}

static int read_second(struct reader *r, const struct yaml *y, const char *const *words,
                       const char *wanted, bool *second)
{
    int at = 0;
    int rc = yaml_choice(y, words, 2, wanted, &at, r->err);
    *second = at == 1;
    return rc;
}

static int read_copy(struct reader *r, const struct yaml *const *k, struct host_item *out)
{
    static const char *const sides[] = {"host", "device"};
    static const char *const kinds[] = {"pageable", "pinned"};
    int rc = read_second(r, k[HOST_K_TO], sides, "host or device", &out->to_device);
    return rc ? rc
              : read_second(r, k[HOST_K_MEMORY], kinds, "pageable or pinned", &out->pinned);
}

static const char *const captures[] = {"graph", "anew"}, *const forms[] = {"cubin", "ptx"};

static int read_what(struct reader *r, const struct yaml *const *k, int what,
                     const struct story *s, struct host_item *out)
{
    const struct yaml *y = k[what];
    int rc;
    switch (what) {
    case HOST_K_SYNC: return read_where(r, y, &out->stream);
    case HOST_K_COPY:
        rc = read_buffer_name(r, y, s, &out->buffer);
        return rc ? rc : read_copy(r, k, out);
    case HOST_K_ALLOC: return read_size(r, y, s, 1, (double)ALLOC_MOST, &out->amount);
    case HOST_K_WAIT: return read_formula(r, y, s, USE_SIZE, &out->amount);
    case HOST_K_READ: return read_buffer_name(r, y, s, &out->buffer);
    case HOST_K_FREE: return read_word(r, y, "latest");
    case HOST_K_CAPTURE: return read_second(r, y, captures, "graph or anew", &out->anew);
    case HOST_K_LOAD: return read_second(r, y, forms, "cubin or ptx", &out->ptx);
    default: return read_word(r, y, "graph");
    }
}

int read_host_step(struct reader *r, const struct yaml *y, const struct story *s,
                   struct host_item *out)
{
    const struct yaml *k[HOST_KEYS];
    int what;
    int rc = refuse_host(r, y, s);
    if (!rc)
        rc = yaml_keys(y, &host_shape, k, r->err);
    if (!rc)
        rc = find_kind(r, k, &what);
    if (!rc)
        rc = refuse_others(r, k, what);
    if (rc)
        return rc;
    *out = (struct host_item){.kind = (enum host_step)(what + HOST_SYNC)};
    rc = read_what(r, k, what, s, out);
    if (!rc && k[HOST_K_STREAM])
        rc = yaml_whole(k[HOST_K_STREAM], 0, CAP_STREAMS - 1, "a stream from 0 to 7", &out->stream,
                        r->err);
    if (!rc)
        rc = read_rank(r, k[HOST_K_RANK], s, &out->only);
    if (!rc && k[HOST_K_LABEL])
        rc = read_text(r, k[HOST_K_LABEL], HOST_LABEL, false, "a label", &out->label);
    return rc;
}

int check_host_steps(struct reader *r, const struct yaml *list, const struct host_list *h)
{
    struct msg_step kinds[CAP_STEPS] = {{0}};
    int at;
    for (int i = 0; i < h->n; i++)
        kinds[i].kind = h->item[i].kind;
    const char *fault = steps_fault(kinds, h->n, &at);
    const struct yaml *v = list->first;
    for (int i = 0; fault && i < at; i++)
        v = v->next;
    return fault ? yaml_fail(v, ERR_BAD_REQUEST, r->err, "this step %s", fault) : 0;
}
