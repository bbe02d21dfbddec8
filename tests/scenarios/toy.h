/* One small scenario built by hand, without YAML: four hypotheses, readings of timing, memory,
 * stalls, a sweep and the source. */
#ifndef WD_TESTS_TOY_H
#define WD_TESTS_TOY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/play/debrief.h"

enum { TOY_UNCOALESCED, TOY_BANKS, TOY_LOADS, TOY_LIMIT, TOY_K };

struct toy {
    struct pack pack;
    struct story story;
    struct variant variant, *list[1];
    struct question questions[5];
    struct remedy remedies[3];
    struct experiment experiment;
    struct estimate estimates[2];
    struct reading readings[8];
    struct pushback pushbacks[3];
    struct truth truths[2];
    struct mistake mistake;
    struct expr over[2];
    struct msg_number ceiling;
    struct msg_device device;
    struct evidence *all;
};

static inline struct expr toy_expr(const char *text)
{
    struct expr e = {0};
    struct err err = {0};
    if (formula_parse(&e.f, text, NULL, &err)) {
        fprintf(stderr, "%s: %s\n", text, err.text);
        abort();
    }
    return e;
}

static inline void toy_metric(struct evidence *e, int probe, const char *run, int variant,
                              const char *name, double value)
{
    e->parts = mem_grow(e->parts, (size_t)e->n_parts + 1, sizeof *e->parts);
    struct msg_part *p = &e->parts[e->n_parts++];
    *p = (struct msg_part){.probe = (enum wire_probe)probe, .variant = variant, .tier = "recorded"};
    snprintf(p->run, sizeof p->run, "%s", run);
    p->metrics = mem_new(1, sizeof *p->metrics);
    p->n_metrics = 1;
    p->metrics[0] =
        (struct msg_value){.present = true, .value = value, .low = value, .high = value};
    snprintf(p->metrics[0].name, sizeof p->metrics[0].name, "%s", name);
}

static inline struct evidence *toy_empty(const char *probe)
{
    struct evidence *e = mem_new(1, sizeof *e);
    snprintf(e->probe, sizeof e->probe, "%s", probe);
    return e;
}

/* What a purchase brings: the suspect takes 8 us for what a copy does in 1 us, and stores 32
 * sectors a request. */
static inline struct evidence *toy_evidence(const char *probe)
{
    struct evidence *e = toy_empty(probe);
    if (strcmp(probe, "timing") == 0)
        toy_metric(e, PROBE_TIMING, "a", -1, "time", 8e-6);
    if (strcmp(probe, "resources") == 0)
        toy_metric(e, PROBE_RESOURCES, "a", -1, "shared_bytes", 0);
    if (strcmp(probe, "memory") == 0)
        toy_metric(e, PROBE_MEMORY, "a", -1, "store_sectors_per_request", 32);
    if (strcmp(probe, "stalls") == 0)
        toy_metric(e, PROBE_STALLS, "a", -1, "stall_long_scoreboard", 600);
    if (strcmp(probe, "other-sizes") == 0) {
        toy_metric(e, PROBE_TIMING, "a", 0, "time", 1e-6);
        toy_metric(e, PROBE_TIMING, "a", 1, "time", 8e-6);
    }
    return e;
}

static inline struct evidence *toy_all(void)
{
    struct evidence *e = toy_empty("all");
    toy_metric(e, PROBE_TIMING, "a", -1, "time", 8e-6);
    toy_metric(e, PROBE_TIMING, "b", -1, "time", 1.25e-6);
    toy_metric(e, PROBE_TIMING, "a/b", -1, "ratio", 6.4);
    toy_metric(e, PROBE_RESOURCES, "a", -1, "shared_bytes", 0);
    toy_metric(e, PROBE_MEMORY, "a", -1, "store_sectors_per_request", 32);
    toy_metric(e, PROBE_MEMORY, "b", -1, "store_sectors_per_request", 4);
    toy_metric(e, PROBE_STALLS, "a", -1, "stall_long_scoreboard", 600);
    toy_metric(e, PROBE_TIMING, "a", 0, "time", 1e-6);
    toy_metric(e, PROBE_TIMING, "a", 1, "time", 8e-6);
    return e;
}

static inline struct reading toy_reading(const char *probe, const char *expect, char *fact)
{
    return (struct reading){.probe = probe,
                            .expect = expect ? toy_expr(expect) : (struct expr){0},
                            .fact = fact,
                            .because = "so"};
}

static inline void toy_readings(struct toy *t)
{
    struct reading *r = t->readings;
    r[0] = toy_reading("timing", "time >= 2 us", "far-from-copy");
    r[0].says[WORD_RULES_OUT] = 1u << TOY_LIMIT;
    r[1] = toy_reading("resources", "shared_bytes == 0", "no-shared-memory");
    r[1].says[WORD_RULES_OUT] = 1u << TOY_BANKS;
    r[2] = toy_reading("memory", "store_sectors_per_request >= 24", "access-pattern");
    r[2].says[WORD_SETTLES] = 1u << TOY_UNCOALESCED;
    r[3] = toy_reading("stalls", "stall_long_scoreboard >= 100 cycle", "waits-for-memory");
    r[3].says[WORD_FOR] = 1u << TOY_LOADS;
    r[3].says[WORD_AGAINST] = 1u << TOY_BANKS | 1u << TOY_LIMIT;
    r[4] = toy_reading("other-sizes", "time.last / time.first >= 8", "scales");
    r[4].says[WORD_AGAINST] = 1u << TOY_LIMIT;
    r[5] = toy_reading("source", NULL, "access-pattern");
    r[5].says[WORD_FOR] = 1u << TOY_UNCOALESCED;
    r[5].says[WORD_RULES_OUT] = 1u << TOY_BANKS;
    r[6] = toy_reading("stalls", "stall_long_scoreboard / store_sectors_per_request >= 10 cycle",
                       "both-known"); /* takes two purchases */
    r[6].says[WORD_AGAINST] = 1u << TOY_LOADS;
    r[7] = toy_reading("pipes", "alu_busy <= 0.3", "integer-pipe"); /* never measured here */
    r[7].says[WORD_SETTLES] = 1u << TOY_BANKS;
    t->variant.readings = r;
    t->variant.n_readings = 8;
}

static inline void toy_answers(struct toy *t)
{
    t->pushbacks[0] = (struct pushback){.kind = PUSH_CONVICTION,
                                        .says = "Surely not.",
                                        .teaches = "No new fact."};
    t->pushbacks[1] =
        (struct pushback){.kind = PUSH_CORRECTION,
                          .says = "32.",
                          .fact = "access-pattern",
                          .expect = toy_expr("suspect.store_sectors_per_request >= 24")};
    t->pushbacks[1].bears[WORD_SETTLES] = 1u << TOY_UNCOALESCED;
    t->pushbacks[2] = (struct pushback){.kind = PUSH_RED_HERRING, .says = "Latency?"};
    t->variant.pushbacks = t->pushbacks;
    t->variant.n_pushbacks = 3;
    t->mistake = (struct mistake){toy_expr("fix.time / 2 * 0.9"), "That moves it once."};
    t->truths[0] = (struct truth){.estimate = &t->estimates[0],
                                  .truth = toy_expr("fix.time"),
                                  .within = 1.2,
                                  .mistakes = &t->mistake,
                                  .n_mistakes = 1};
    t->truths[1] = (struct truth){.estimate = &t->estimates[1],
                                  .truth = toy_expr("suspect.store_sectors_per_request"),
                                  .working = toy_expr("4 * 8"),
                                  .within = 1.1};
    t->variant.truths = t->truths;
    t->variant.n_truths = 2;
}

static inline struct toy *toy_new(void)
{
    static const char *const ids[] = {"mem.uncoalesced", "smem.bank-conflict", "lat.low-mlp",
                                      "none.at-limit"};
    struct toy *t = mem_new(1, sizeof *t);
    struct story *s = &t->story;
    *s = (struct story){.pack = &t->pack,
                        .id = "toy",
                        .full_id = "test/toy",
                        .title = "A toy",
                        .kind = "kernel",
                        .level = 1,
                        .counted = true,
                        .work_bytes = toy_expr("4000000"),
                        .work_flops = toy_expr("0"),
                        .n_hypotheses = TOY_K};
    for (int k = 0; k < TOY_K; k++)
        s->hypotheses[k] = taxonomy_find(ids[k]);
    for (int q = 0; q < 5; q++)
        t->questions[q] = (struct question){"Why?", "So."};
    t->remedies[0] =
        (struct remedy){"tile",
                        "Go through a tile in shared memory, so that both sides walk along rows"};
    t->remedies[1] = (struct remedy){"pad", "Pad the tile"};
    t->remedies[2] = (struct remedy){"leave", "Leave it"};
    t->over[0] = toy_expr("1");
    t->over[1] = toy_expr("2");
    t->experiment = (struct experiment){.id = "other-sizes",
                                        .title = "Time it at other sizes",
                                        .shop = SHOP_EXPERIMENT,
                                        .price = 3,
                                        .measure = PROBE_TIMING,
                                        .over = t->over,
                                        .n_steps = 2};
    t->estimates[0] = (struct estimate){.id = "fixed-time",
                                        .ask = "How long?",
                                        .unit = "s",
                                        .dim = {0, 1, 0, 0},
                                        .before = "timing"};
    t->estimates[1] = (struct estimate){.id = "store-sectors",
                                        .ask = "How many?",
                                        .unit = "1",
                                        .before = "memory"};
    s->questions = t->questions, s->n_questions = 5;
    s->remedies = t->remedies, s->n_remedies = 3;
    s->experiments = &t->experiment, s->n_experiments = 1;
    s->estimates = t->estimates, s->n_estimates = 2;
    t->list[0] = &t->variant;
    s->variants = t->list, s->n_variants = 1;
    t->variant = (struct variant){.story = s,
                                  .id = "a",
                                  .full_id = "test/toy/a",
                                  .pair = PAIR_REGRESSION,
                                  .cause = TOY_UNCOALESCED,
                                  .location_line = 6,
                                  .remedies = 1,
                                  .effect_low = 3,
                                  .effect_high = 12};
    toy_readings(t);
    toy_answers(t);
    t->ceiling = (struct msg_number){.name = "copy", .unit = "B/s", .value = 4e12};
    t->device = (struct msg_device){.name = "Fake GPU",
                                    .slug = "fake-gpu",
                                    .ceilings = &t->ceiling,
                                    .n_ceilings = 1};
    t->all = toy_all();
    return t;
}

static inline void toy_free(struct toy *t)
{
    for (int r = 0; r < 8; r++)
        formula_free(t->readings[r].expect.f);
    formula_free(t->story.work_bytes.f);
    formula_free(t->story.work_flops.f);
    formula_free(t->pushbacks[1].expect.f);
    formula_free(t->mistake.value.f);
    formula_free(t->truths[0].truth.f);
    formula_free(t->truths[1].truth.f);
    formula_free(t->truths[1].working.f);
    formula_free(t->over[0].f);
    formula_free(t->over[1].f);
    evidence_free(t->all);
    free(t);
}

/* ---- moves in a line each; what they return is investigation_apply's ---- */

static inline int toy_move(struct investigation *i, struct move m, struct err *err)
{
    static int count;
    snprintf(m.uid, sizeof m.uid, "%032d", ++count);
    m.elapsed_ms = count;
    int rc = investigation_apply(i, &m, err);
    if (rc)
        evidence_free(m.evidence);
    return rc;
}

static inline int toy_believe(struct investigation *i, enum move_kind kind, int a, int b, int c,
                              int d)
{
    return toy_move(i, (struct move){.kind = kind, .points = {a, b, c, d}}, NULL);
}

static inline int toy_buy(struct investigation *i, const char *probe)
{
    struct move m = {.kind = MOVE_BOUGHT, .evidence = toy_evidence(probe)};
    snprintf(m.probe, sizeof m.probe, "%s", probe);
    return toy_move(i, m, NULL);
}

static inline int toy_estimate(struct investigation *i, const char *id, const char *answer)
{
    struct move m = {.kind = MOVE_ESTIMATED};
    snprintf(m.item, sizeof m.item, "%s", id);
    snprintf(m.answer, sizeof m.answer, "%s", answer);
    return toy_move(i, m, NULL);
}

static inline int toy_commit(struct investigation *i, int line, const char *remedy)
{
    struct move m = {.kind = MOVE_COMMITTED, .line = line};
    snprintf(m.remedy, sizeof m.remedy, "%s", remedy);
    return toy_move(i, m, NULL);
}

static inline int toy_push(struct investigation *i, int pushback)
{
    return toy_move(i, (struct move){.kind = MOVE_PUSHED, .pushback = pushback}, NULL);
}

#endif
