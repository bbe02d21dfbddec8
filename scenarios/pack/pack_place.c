/* What launches, collectives and peer copies of a pipeline have in common: a label, a stream, what
 * they wait for, a rank, what they compel. */
#include "scenarios/pack/pack_place.h"

#include <float.h>
#include <string.h>

enum { LABEL = 24 };

static int find_label(const struct launch *l, int n, const char *label)
{
    for (int i = 0; i < n; i++)
        if (l[i].label && !strcmp(l[i].label, label))
            return i;
    return -1;
}

static int read_label(struct reader *r, const struct yaml *y, const struct yaml *launch,
                      struct launch *l, int at)
{
    if (!y)
        return yaml_fail(launch, ERR_BAD_REQUEST, r->err,
                         "a launch without a label; each of a pipeline was expected to have one");
    int rc = read_text(r, y, LABEL, false, "a label", &l[at].label);
    if (!rc && find_label(l, at, l[at].label) >= 0)
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err,
                       "'%s' is the label of an earlier launch; another was expected", l[at].label);
    return rc;
}

/* `at` launches are known already; only those can be waited for. */
static int read_after(struct reader *r, const struct yaml *y, struct launch *l, int at)
{
    int rc = yaml_is_list(y, 0, CAP_LAUNCHES, "a list of labels", r->err);
    for (const struct yaml *v = rc ? NULL : y->first; v; v = v->next) {
        if ((rc = yaml_is_scalar(v, "the label of a launch", r->err)))
            return rc;
        int k = find_label(l, at, v->text);
        if (k < 0)
            return yaml_fail(v, ERR_BAD_REQUEST, r->err,
                             "'%.60s' is no label of a launch above; one that stands earlier was "
                             "expected",
                             v->text);
        if (l[k].stream == l[at].stream)
            return yaml_fail(v, ERR_BAD_REQUEST, r->err,
                             "'%.60s' is on the same stream and waited for anyway; a launch on "
                             "another was expected",
                             v->text);
        l[at].after |= (uint64_t)1 << k;
    }
    return rc;
}

int read_rank(struct reader *r, const struct yaml *y, const struct story *s, int *only)
{
    int rank = -1;
    *only = 0;
    if (!y)
        return 0;
    if (s->gpus < 2)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "a rank in a story on one GPU; `needs: {gpus: 2}` was expected");
    int rc = yaml_whole(y, 0, s->gpus - 1, "a rank below the story's gpus", &rank, r->err);
    *only = rank + 1;
    return rc;
}

int read_buffer_name(struct reader *r, const struct yaml *y, const struct story *s, int *out)
{
    int rc = yaml_is_scalar(y, "the name of a buffer", r->err);
    for (int i = 0; !rc && i < s->n_buffers; i++)
        if (!strcmp(s->buffers[i].name, y->text))
            return *out = i, 0;
    return rc ? rc
              : yaml_fail(y, ERR_BAD_REQUEST, r->err,
                          "no buffer '%.60s'; one of those above was expected", y->text);
}

int read_place(struct reader *r, const struct yaml *item, const struct place *k,
               const struct story *s, struct launch *l, int at)
{
    int rc = read_label(r, k->label, item, l, at);
    if (!rc && k->stream)
        rc = yaml_whole(k->stream, 0, CAP_STREAMS - 1, "a stream from 0 to 7", &l[at].stream,
                        r->err);
    if (!rc && k->after)
        rc = read_after(r, k->after, l, at);
    if (!rc)
        rc = read_rank(r, k->rank, s, &l[at].only);
    if (!rc && k->bytes)
        rc = read_size(r, k->bytes, s, 0, DBL_MAX, &l[at].bytes);
    if (!rc && k->flops)
        rc = read_size(r, k->flops, s, 0, DBL_MAX, &l[at].flops);
    return rc;
}
