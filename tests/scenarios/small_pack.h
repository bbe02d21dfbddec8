/* A pack in memory, for tests of what is made from one. `suspect` NULL: the usual text; a recording
 * is made, not measured. */
#ifndef WD_TESTS_SMALL_PACK_H
#define WD_TESTS_SMALL_PACK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/request.h"

static const char small_story[] =
    "format: 1\nid: sums\ntitle: The sum of every row\nkind: kernel\nlevel: 1\ncounted: "
    "true\nstory: |\n  It should be faster.\nneeds:\n  compute: 7.5\n  memory: 2 * "
    "matrix\nparams:\n  n: roundup(sqrt(gpu.l2_bytes), 1024)\n  matrix: 4 * n * n\nbuffers:\n  "
    "in:\n    type: f32\n    count: n * n\n    fill: uniform(-1, 1)\n  out:\n    type: f32\n    "
    "count: n\n    role: output\nlaunches:\n  - kernel: sums\n    grid: [\"ceildiv(n, 256)\"]\n    "
    "block: [256]\n    args: [out, in, n, {i64: matrix}]\nwork:\n  bytes: matrix + 4 * n\n  flops: "
    "n * n\ntolerance: {relative: 1e-4, absolute: 1e-3}\nsymptom: [time]\nyardstick: "
    "copy\nquestions:\n  - ask: Are the rows contiguous?\n    answer: Yes.\nhypotheses:\n  - "
    "mem.uncoalesced\n  - mem.cache-locality\n  - lat.low-mlp\n  - none.at-limit\nremedies:\n  "
    "warps: Give each row to a warp\n  leave: Leave it\nexperiments:\n  other-sizes:\n    kind: "
    "sweep\n    title: Time it at other sizes\n    vary: n\n    over: [n / 2, n - 512, "
    "n]\nestimates:\n  fixed-time:\n    ask: How long once the cause is gone?\n    unit: s\n    "
    "before: timing\n";

static const char small_answer[] =
    "format: 1\ndebrief: debrief.md\npair: regression\nmodels: row-serial-thread-walk\ncause: "
    "mem.uncoalesced\nlocation:\n  file: suspect.cu\n  text: sum += in[(size_t)row * n + "
    "k];\nremedies: [warps]\nfix:\n  source: fix.cu\n  launches:\n    - kernel: sums\n      grid: "
    "[\"ceildiv(n, 8)\"]\n      block: [256]\n      args: [out, in, n, {i64: "
    "matrix}]\nreference:\n  source: reference.cu\neffect: [2, 20]\nproves:\n  - suspect.time > "
    "fix.time\nreadings:\n  timing:\n    - expect: copy_fraction <= 0.5\n      fact: "
    "far-from-copy\n      rules-out: [none.at-limit]\n      because: Far.\n  memory:\n    - "
    "expect: load_sectors_per_request >= 24\n      fact: access-pattern\n      settles: "
    "[mem.uncoalesced]\n      because: 32.\n  other-sizes:\n    - expect: time.last > time.first\n "
    "     fact: grows\n      for: [mem.uncoalesced]\n      because: It grows.\npushbacks:\n  - "
    "kind: conviction\n    says: Surely not.\n    teaches: Nothing new.\nestimates:\n  "
    "fixed-time:\n    truth: fix.time\n    working: work.bytes / ceiling.copy\n    within: 1.5\n";

static const char small_suspect[] =
    "extern \"C\" __global__ void sums(float *out, const float *in, int n, long long all)\n{\n    "
    "int row = blockIdx.x * blockDim.x + threadIdx.x;\n    if (row >= n || all < 0)\n        "
    "return;\n    float sum = 0;\n    for (int k = 0; k < n; k++)\n        sum += in[(size_t)row * "
    "n + k];\n    out[row] = sum;\n}\n";
static const char small_fix[] = "extern \"C\" __global__ void sums(float *out, const float *in, "
                                "int n, long long all)\n{\n    // the fix\n}\n";
static const char small_reference[] =
    "extern \"C\" __global__ void sums(double *out, const float *in, int n, long long all)\n{\n}\n";

static inline void small_add(struct files *f, const char *path, const char *text)
{
    files_add(f, path, text, strlen(text));
}

/* evidence: text of sums/a/sealed/evidence/fake-gpu.json, or NULL. */
static inline struct pack *small_pack(const char *story, const char *suspect, const char *evidence,
                                      struct err *err)
{
    struct files *f = files_new("small");
    struct pack *p = NULL;
    small_add(f, "pack.yaml",
              "format: 1\nid: small\ntitle: Small\nlicence: MIT\nscenarios: [sums]\n");
    small_add(f, "sums/scenario.yaml", story ? story : small_story);
    for (const char *v = "ab"; *v; v++) {
        const char *names[] = {"suspect.cu", "sealed/answer.yaml", "sealed/fix.cu",
                               "sealed/reference.cu", "sealed/debrief.md"};
        const char *texts[] = {suspect ? suspect : small_suspect, small_answer, small_fix,
                               small_reference, "Why.\n"};
        for (int i = 0; i < 5; i++) {
            char path[64];
            snprintf(path, sizeof path, "sums/%c/%s", *v, names[i]);
            small_add(f, path, texts[i]);
        }
    }
    if (evidence)
        small_add(f, "sums/a/sealed/evidence/fake-gpu.json", evidence);
    return pack_load(&p, f, err) ? NULL : p;
}

static struct msg_number small_attributes[] = {
    {.name = "compute", .value = 9},
    {.name = "sm_count", .value = 132},
    {.name = "l2_bytes", .value = 4194304},
    {.name = "mem_bytes", .value = 1e11},
};
static struct msg_number small_ceilings[] = {{.name = "copy", .unit = "B/s", .value = 4e12}};
static struct msg_device small_device = {
    .name = "Fake GPU",
    .slug = "fake-gpu",
    .attributes = small_attributes,
    .n_attributes = 4,
    .ceilings = small_ceilings,
    .n_ceilings = 1,
};

static inline double small_time(const struct msg_shape *s, char run)
{
    return s->work.bytes / (run == 'a' ? 5e11 : 3.2e12);
}

static inline void small_part(struct recording *r, const char *key, const struct msg_measure *m,
                              int item, const char *run)
{
    const struct msg_item *it = &m->items[item];
    size_t n;
    if (recording_find(r, key, run)) /* measured once, though two items ask for it */
        return;
    const struct metric *table = metric_of_probe(it->probe, &n);
    struct evidence *one = evidence_new("", "recorded", "");
    struct msg_part part = {.probe = it->probe,
                            .variant = -1,
                            .tier = "recorded",
                            .metrics = calloc(n, sizeof *part.metrics)};
    snprintf(part.run, sizeof part.run, "%s", run);
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(table[i].name, "ratio") || !strcmp(table[i].name, "copy_fraction"))
            continue;
        struct msg_value *v = &part.metrics[part.n_metrics++];
        snprintf(v->name, sizeof v->name, "%s", table[i].name);
        v->present = true;
        v->value = !strcmp(v->name, "time") ? small_time(msg_shape_of(m, it->variant), *run)
                   : *run == 'a'            ? 32
                                            : 4;
        v->low = v->high = v->value;
    }
    r->items = realloc(r->items, ((size_t)r->n_items + 1) * sizeof *r->items);
    strcpy(r->items[r->n_items].key, key);
    r->items[r->n_items++].part = *evidence_add(one, &part);
    free(part.metrics);
    free(one->parts);
    free(one);
}

/* The text of a recording that answers everything a variant can be asked; the caller frees it. */
static inline char *small_recording(const struct variant *v)
{
    struct msg_measure m;
    struct recording r = {.device = small_device,
                          .method = METHOD_VERSION,
                          .recorded = "2026-11-01"};
    struct err err = {0};
    if (request_build(&m, v, &small_device, "all", 0, &err)) {
        fprintf(stderr, "%s\n", err.text);
        abort();
    }
    for (int i = 0; i < m.n_items; i++) {
        char key[65];
        if (msg_item_key(key, &m, i, &err))
            abort();
        for (int k = 0; k < m.items[i].n_runs; k++)
            small_part(&r, key, &m, i, m.items[i].runs[k]);
    }
    json_t *root = recording_encode(&r);
    char *text = json_dumps(root, JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    json_decref(root);
    for (int i = 0; i < r.n_items; i++)
        msg_part_free(&r.items[i].part);
    free(r.items);
    msg_measure_free(&m);
    return text;
}

/* The pack with evidence of variant a. */
static inline struct pack *small_recorded(struct err *err)
{
    struct pack *bare = small_pack(NULL, NULL, NULL, err);
    if (!bare)
        return NULL;
    char *text = small_recording(bare->stories[0].variants[0]);
    pack_free(bare);
    struct pack *p = small_pack(NULL, NULL, text, err);
    free(text);
    return p;
}

#endif
