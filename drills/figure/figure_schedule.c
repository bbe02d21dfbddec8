/* A schedule, from its kind and sizes. Each stage is a part that the program explains. */
#include "drills/figure/figure_read.h"

#include <stdio.h>
#include <string.h>

enum { KIND, STAGES, MICROBATCHES, CHUNKS, FORWARD, BACKWARD, WEIGHTS, COUNT };
SHAPE(schedule, "a schedule", COUNT, {"kind", true}, {"stages", true}, {"microbatches", true},
      {"chunks", false}, {"forward", false}, {"backward", false}, {"weights", false});

/* Names are of two letters, so microbatches have one digit and chunks are told by capitals. */
enum { MOST_MICROBATCHES = 10, MOST_CHUNKS = 2, MOST_TIME = 200 };

static int whole_or_one(struct figure_reader *r, const struct yaml *y, int most)
{
    return y ? figure_whole(r, y, 1, most) : 1;
}

static int warm_up(const struct schedule *s, int stage)
{
    struct schedule_block first = {PART_BACKWARD, stage, 0, s->rules.chunks - 1, 0};
    int n = 0, k = schedule_find(s, first);
    for (int i = 0; i < s->n; i++)
        n += s->block[i].stage == stage && s->block[i].part == PART_FORWARD &&
             s->block[i].start < s->block[k].start;
    return n;
}

static void add_stage(struct figure_reader *r, int stage, const struct schedule_sum *sum)
{
    struct figure_schedule *f = &r->figure->schedule;
    int forwards = warm_up(f->known, stage), held = sum->held[stage];
    const char *name = arena_format(r->arena, "stage %d", stage);
    int part = figure_part(r, name, NULL);
    r->figure->part[part].says =
        arena_format(r->arena, "%d forward%s before the first backward; at most %d activation%s "
                     "held; idle for %d of %d.",
                     forwards, forwards > 1 ? "s" : "", held, held > 1 ? "s" : "",
                     sum->time - schedule_stage_time(&f->known->rules), sum->time);
    f->row[stage] = figure_word(r, name, "stage", part, false);
    f->held[stage] = figure_computed(r, (struct quantity){held, DIM_NONE}, "1", part, true);
    figure_bind_plain(r, NULL, arena_format(r->arena, "held%d", stage), held);
}

static void read_rules(struct figure_reader *r, const struct yaml *y, struct schedule_rules *out)
{
    const struct yaml *k[COUNT];
    struct err why = {0};
    if (!figure_keys(r, y, &figure_schedule_shape, k))
        return;
    int kind = figure_choice(r, k[KIND], schedule_kinds, SCHEDULE_KINDS,
                             "gpipe, 1f1b, interleaved, zb-h1 or zb-h2");
    int stages = figure_whole(r, k[STAGES], 2, SCHEDULE_STAGES),
        microbatches = figure_whole(r, k[MICROBATCHES], 2, MOST_MICROBATCHES),
        chunks = whole_or_one(r, k[CHUNKS], MOST_CHUNKS),
        times[PART_KINDS] = {whole_or_one(r, k[FORWARD], SCHEDULE_TIME),
                             whole_or_one(r, k[BACKWARD], SCHEDULE_TIME),
                             whole_or_one(r, k[WEIGHTS], SCHEDULE_TIME)};
    if (!r->rc && schedule_rules_make(out, (enum schedule_kind)kind, stages, microbatches, chunks,
                                      times, &why))
        figure_fail(r, y, "%s", why.text);
    if (!r->rc && k[WEIGHTS] && !out->split)
        figure_fail(r, k[WEIGHTS], "backward is whole in %s; a kind that splits it was expected",
                    schedule_kinds[kind]);
}

void figure_read_schedule(struct figure_reader *r, const struct yaml *y)
{
    struct schedule_rules rules = {.stages = 0};
    struct schedule_sum sum;
    struct err why = {0};
    struct schedule *s = r->figure->schedule.known = arena_new(r->arena, 1, sizeof *s);
    read_rules(r, y, &rules);
    if (!r->rc && schedule_known(s, &rules, &why))
        figure_fail(r, y, "%s", why.text);
    if (r->rc)
        return;
    schedule_sum(&sum, s);
    if (sum.time > MOST_TIME)
        figure_fail(r, y, "it lasts %d; at most %d was expected", sum.time, MOST_TIME);
    for (int p = 0; p < rules.stages; p++)
        add_stage(r, p, &sum);
    figure_bind_plain(r, y, "total", sum.time);
    figure_bind_plain(r, y, "busy", schedule_stage_time(&rules));
    figure_bind_plain(r, y, "bubble", sum.bubble);
}
