#include "drills/figure/schedule.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What comes next on a stage, at a time or (-1) as soon as it can; false: nothing. */
typedef bool next_block(const void *ctx, const struct schedule *s, int stage,
                        struct schedule_block *out);

/* Nothing can go on: a block out of turn on its own stage says more than one that waits for
 * another stage. */
static enum schedule_fault say_stuck(struct schedule *s, next_block *next, const void *ctx,
                                     struct err *err)
{
    enum schedule_fault fault = FAULT_NONE;
    struct schedule_block b;
    for (int p = 0; p < s->rules.stages && (!fault || fault == FAULT_BEFORE); p++) {
        if (!next(ctx, s, p, &b))
            continue;
        b.start = b.start < 0 ? schedule_stage_end(s, p) : b.start;
        fault = schedule_place(s, b, err);
    }
    return fault;
}

/* Stages in turn, each as far as what it waits for is placed. */
static enum schedule_fault run(struct schedule *s, next_block *next, const void *ctx,
                               struct err *err)
{
    struct schedule_block b;
    int before;
    do {
        before = s->n;
        for (int p = 0; p < s->rules.stages; p++)
            while (next(ctx, s, p, &b)) {
                int soonest = schedule_soonest(s, b);
                if (soonest < 0)
                    break;
                b.start = b.start < 0 ? soonest : b.start;
                enum schedule_fault fault = schedule_place(s, b, err);
                if (fault)
                    return fault;
            }
    } while (s->n > before);
    return say_stuck(s, next, ctx, err);
}

/* ---- known schedules ---- */

/* Blocks of each part on a stage. */
static void count(const struct schedule *s, int stage, int n[PART_KINDS])
{
    n[0] = n[1] = n[2] = 0;
    for (int i = 0; i < s->n; i++)
        n[s->block[i].part] += s->block[i].stage == stage;
}

/* Forwards before the first backward, less the one that comes right before it. */
static int warm_up(const struct schedule_rules *r, int stage)
{
    int behind = r->stages - stage - 1;
    return r->kind == SCHEDULE_INTERLEAVED ? 2 * behind + (r->chunks - 1) * r->stages
           : r->kind == SCHEDULE_ZB_H2     ? 2 * behind
                                           : behind;
}

/* Zero bubble puts weights off by as many microbatches as stages lie before, H2 by twice as many:
 * so every stage holds the same. */
static enum schedule_part part_of(const struct schedule_rules *r, int stage,
                                  const int n[PART_KINDS])
{
    int all = r->microbatches * r->chunks, late = (r->kind == SCHEDULE_ZB_H2 ? 2 : 1) * stage;
    bool forward = n[0] < all && (r->phases || n[0] - n[1] <= warm_up(r, stage));
    if (r->split && n[2] < n[1] - late)
        return PART_WEIGHTS;
    if (forward)
        return PART_FORWARD;
    return n[1] < all ? PART_BACKWARD : PART_WEIGHTS;
}

/* Megatron's order: as many microbatches as stages go through a chunk, then through the next;
 * backward begins with the last chunk. Without chunks: one after the other. */
static bool known(const void *ctx, const struct schedule *s, int stage, struct schedule_block *out)
{
    const struct schedule_rules *r = &s->rules;
    int n[PART_KINDS], group = r->stages * r->chunks;
    (void)ctx;
    count(s, stage, n);
    enum schedule_part part = part_of(r, stage, n);
    int k = n[part], chunk = k % group / r->stages;
    *out = (struct schedule_block){.part = part, .stage = stage, .start = -1};
    out->microbatch = r->chunks == 1 ? k : k / group * r->stages + k % r->stages;
    out->chunk = r->chunks == 1 ? 0 : part == PART_FORWARD ? chunk : r->chunks - 1 - chunk;
    return n[0] + n[1] + n[2] < schedule_blocks(r) / r->stages;
}

int schedule_known(struct schedule *out, const struct schedule_rules *r, struct err *err)
{
    *out = (struct schedule){.rules = *r};
    return run(out, known, NULL, err) ? ERR_BAD_REQUEST : 0;
}

/* ---- an order that is written ---- */

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

/* One block, "F3" or "b0@7"; where it ends, or NULL. */
static const char *read_block(const char *at, struct schedule_block *out)
{
    static const char letters[] = "fbwFBW";
    const char *letter = *at ? strchr(letters, *at) : NULL;
    char *end;
    if (!letter || !isdigit((unsigned char)at[1]))
        return NULL;
    out->part = (enum schedule_part)((letter - letters) % 3);
    out->chunk = letter - letters >= 3;
    out->start = -1;
    long n = strtol(at + 1, &end, 10);
    out->microbatch = n < 1000 ? (int)n : 1000;
    if (*end == '@' && isdigit((unsigned char)end[1])) {
        n = strtol(end + 1, &end, 10);
        out->start = n < 1000 ? (int)n : 1000;
    }
    return *end && !strchr(" \t;", *end) ? NULL : end;
}

/* The list of the stage, and in it the block behind those that are placed. */
static bool written(const void *ctx, const struct schedule *s, int stage,
                    struct schedule_block *out)
{
    const char *at = ctx;
    int n[PART_KINDS];
    for (int p = 0; p < stage && *at; p++) {
        at += strcspn(at, ";");
        at += *at == ';';
    }
    count(s, stage, n);
    out->stage = stage;
    for (int i = n[0] + n[1] + n[2]; i >= 0 && at; i--) {
        at = skip_blanks(at);
        at = *at && *at != ';' ? read_block(at, out) : NULL;
    }
    return at != NULL;
}

static int check_written(const char *text, int stages, struct err *err)
{
    int lists = 1;
    struct schedule_block b;
    for (const char *at = skip_blanks(text), *end; *at; at = skip_blanks(end)) {
        end = *at == ';' ? at + 1 : read_block(at, &b);
        lists += *at == ';';
        if (!end)
            return err_set(err, ERR_BAD_REQUEST, "'%.12s' is no block; f3, b0@7 or, of chunk 1, F3 "
                           "was expected, and ; between stages", at);
        if (end - text > 1 << 14)
            return err_set(err, ERR_TOO_LARGE, "more than 16 KiB; less was expected");
    }
    if (lists > stages)
        return err_set(err, ERR_BAD_REQUEST, "%d lists for %d stages; one each was expected", lists,
                       stages);
    return 0;
}

int schedule_read(struct schedule *out, const struct schedule_rules *r, const char *text,
                  enum schedule_fault *fault, struct err *err)
{
    *out = (struct schedule){.rules = *r};
    *fault = FAULT_NONE;
    int rc = check_written(text, r->stages, err);
    if (!rc && (*fault = run(out, written, text, err)))
        rc = ERR_BAD_REQUEST;
    return rc;
}
