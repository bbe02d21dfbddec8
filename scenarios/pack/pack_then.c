/* A second fault: what is left of a build once its first fault is mended. */
#include "scenarios/pack/pack_then.h"

#include <string.h>

#include "scenarios/pack/pack_location.h"

enum { LEVEL_TWO_FAULTS = 4 };

int read_faults(struct reader *r, struct story *s, const struct yaml *y)
{
    int rc = yaml_whole(y, 1, 2, "1 or 2, how many faults a variant may hold", &s->faults, r->err);
    if (rc || s->faults == 1)
        return rc;
    if (s->format < FORMAT_TWO_FAULTS)
        return yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                         "two faults in format %d; format: %d was expected above", s->format,
                         FORMAT_TWO_FAULTS);
    if (s->level != LEVEL_TWO_FAULTS)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "two faults at level %d; level: %d was expected with them", s->level,
                         LEVEL_TWO_FAULTS);
    return 0;
}

/* Where a second fault may stand at all. */
static int check_may(struct reader *r, const struct variant *v, const struct yaml *y, int format)
{
    if (format < FORMAT_TWO_FAULTS)
        return yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                         "a second fault in format %d; format: %d was expected above", format,
                         FORMAT_TWO_FAULTS);
    if (v->story->faults < 2)
        return yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                         "a second fault in a story of one; faults: 2 was expected in %s/"
                         "scenario.yaml",
                         v->story->id);
    if (v->pair != PAIR_REGRESSION)
        return yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                         "a second fault in a %s pair; a regression was expected, whose faults "
                         "are ranked by what they cost",
                         v->pair == PAIR_WRONG ? "wrong" : "healthy");
    return 0;
}

static int read_left(struct reader *r, const struct variant *v, const struct yaml *y, int *out)
{
    int k = find_hypothesis(r, y, v->story);
    if (k < 0)
        return k;
    if (k == v->cause)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "%s is the cause itself; another hypothesis was expected", y->text);
    if (!strcmp(v->story->hypotheses[k]->id, "none.at-limit"))
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "none.at-limit is left; a fault was expected, or no 'then'");
    *out = k;
    return 0;
}

/* A location is read into a variant: into a copy of this one, which has none yet. */
static int read_left_location(struct reader *r, const struct variant *v, const struct yaml *y,
                              int format, struct then *out)
{
    struct variant blank = *v;
    blank.n_spans = 0;
    blank.location_line = 0;
    int rc = read_location(r, &blank, y, y, format);
    out->location_line = blank.location_line;
    return rc;
}

int read_then(struct reader *r, struct variant *v, const struct yaml *y, int format,
              const struct yaml **k, struct then **out)
{
    *out = NULL;
    int rc = y ? check_may(r, v, y, format) : 0;
    if (rc || !y)
        return rc;
    struct then *then = arena_new(&r->memory->arena, 1, sizeof *then);
    rc = yaml_keys(y, &then_shape, k, r->err);
    if (!rc)
        rc = read_left(r, v, k[THEN_K_CAUSE], &then->cause);
    if (!rc)
        rc = read_left_location(r, v, k[THEN_K_LOCATION], format, then);
    if (!rc)
        rc = read_remedy_bits(r, k[THEN_K_REMEDIES], v->story, &then->remedies);
    if (!rc)
        v->contributing |= 1u << then->cause;
    v->then = *out = then;
    return rc;
}
