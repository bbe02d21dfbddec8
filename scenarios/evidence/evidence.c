#include "scenarios/evidence/evidence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/codec.h"
#include "kernels/wire/text.h"

enum { PARTS_MOST = 8 * CAP_ITEMS };

/* ---- one purchase ---- */

json_t *evidence_encode(const struct evidence *e)
{
    json_t *parts = json_array();
    for (int i = 0; i < e->n_parts; i++)
        json_array_append_new(parts, msg_part_encode(&e->parts[i]));
    return json_pack("{s:s, s:s, s:s, s:o}", "probe", e->probe, "tier", e->tier, "gpu", e->gpu,
                     "parts", parts);
}

int evidence_decode(struct evidence **out, const json_t *obj, struct err *err)
{
    const json_t *parts = json_object_get(obj, "parts");
    if (!json_is_array(parts))
        return err_set(err, ERR_BAD_REQUEST, "evidence: `parts` must be a list");
    if (json_array_size(parts) > PARTS_MOST)
        return err_set(err, ERR_TOO_LARGE, "evidence: %zu parts; at most %d were expected",
                       json_array_size(parts), PARTS_MOST);
    struct evidence *e = mem_new(1, sizeof *e);
    text_copy_clean(e->probe, sizeof e->probe, codec_text_of(obj, "probe"));
    text_copy_clean(e->tier, sizeof e->tier, codec_text_of(obj, "tier"));
    text_copy_clean(e->gpu, sizeof e->gpu, codec_text_of(obj, "gpu"));
    e->parts = mem_new(json_array_size(parts), sizeof *e->parts);
    for (size_t i = 0; i < json_array_size(parts); i++) {
        int rc = msg_part_decode(&e->parts[i], json_array_get(parts, i), err);
        e->n_parts++;
        if (rc) {
            evidence_free(e);
            return rc;
        }
    }
    *out = e;
    return 0;
}

void evidence_free(struct evidence *e)
{
    if (!e)
        return;
    for (int i = 0; i < e->n_parts; i++)
        msg_part_free(&e->parts[i]);
    free(e->parts);
    free(e);
}

struct evidence *evidence_copy(const struct evidence *e)
{
    struct evidence *copy = evidence_new(e->probe, e->tier, e->gpu);
    for (int i = 0; i < e->n_parts; i++)
        evidence_add(copy, &e->parts[i]);
    return copy;
}

struct evidence *evidence_new(const char *probe, const char *tier, const char *gpu)
{
    struct evidence *e = mem_new(1, sizeof *e);
    snprintf(e->probe, sizeof e->probe, "%s", probe);
    snprintf(e->tier, sizeof e->tier, "%s", tier);
    snprintf(e->gpu, sizeof e->gpu, "%s", gpu);
    return e;
}

struct msg_part *evidence_add(struct evidence *e, const struct msg_part *part)
{
    e->parts = mem_grow(e->parts, (size_t)e->n_parts + 1, sizeof *e->parts);
    struct msg_part *copy = &e->parts[e->n_parts++];
    msg_part_copy(copy, part);
    return copy;
}

const struct msg_series *evidence_series(const struct msg_part *p, const char *name)
{
    for (int i = 0; i < p->n_series; i++)
        if (!strcmp(p->series[i].name, name))
            return &p->series[i];
    return NULL;
}
