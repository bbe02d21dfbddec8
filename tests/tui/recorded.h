/* A copy of the shipped packs in the test's folder, with synthetic evidence: screens can be played
 * on a machine that has no GPU and no recording. The figures resemble an H200's; they are no
 * measurement. */
#ifndef WD_TESTS_TUI_RECORDED_H
#define WD_TESTS_TUI_RECORDED_H

#include <jansson.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/pack.h"
#include "scenarios/evidence/request.h"
#include "tests/folder.h"

static char packs[96];                   /* where they lie */

static void give_up(const char *what, const char *text)
{
    fprintf(stderr, "%s: %s\n", what, text);
    abort();
}

static struct msg_device device(void)
{
    static struct msg_number attributes[] = {
        {"compute", "1", 9.0},
        {"sm_count", "1", 132},
        {"l2_bytes", "1", 62914560},
        {"smem_block", "1", 49152},
        {"smem_block_optin", "1", 232448},
        {"smem_sm", "1", 233472},
        {"regs_sm", "1", 65536},
        {"regs_block", "1", 65536},
        {"threads_sm", "1", 2048},
        {"threads_block", "1", 1024},
        {"blocks_sm", "1", 32},
        {"warp_size", "1", 32},
        {"mem_bytes", "1", 150e9},
        {"bus_bits", "1", 6144},
        {"dram_peak", "1", 4.8e12},
    };
    static struct msg_number ceilings[] = {{"copy", "B/s", 4.156e12},
                                           {"fma", "flop/s", 60e12},
                                           {"launch", "s", 2e-6}};
    struct msg_device d = {.name = "NVIDIA H200",
                           .slug = "nvidia-h200",
                           .driver = "580.0",
                           .nvrtc = "13.0",
                           .cupti = "13.0"};
    d.attributes = attributes;
    d.n_attributes = sizeof attributes / sizeof *attributes;
    d.ceilings = ceilings;
    d.n_ceilings = sizeof ceilings / sizeof *ceilings;
    return d;
}

/* What a metric is for the scattered stores; any other run is healthy. */
static double value_of(const char *metric, bool slow, double bytes)
{
    static const struct { const char *name; double slow, healthy;
    } known[] = {
        {"store_sectors_per_request", 32, 4},
        {"load_sectors_per_request", 4, 4},
        {"store_efficiency", 0.125, 1},
        {"load_efficiency", 1, 1},
        {"dram_fraction", 0.13, 0.87},
        {"stall_long_scoreboard", 605, 60},
        {"stall_lg_throttle", 39, 3},
        {"stall_total", 660, 80},
        {"occupancy", 0.92, 0.93},
        {"occupancy_limit", 1, 1},
        {"shared_bytes", 0, 0},
        {"local_bytes", 0, 0},
        {"shared_instructions", 0, 0},
        {"wrong_elements", 0, 0},
        {"alu_busy", 0.05, 0.1},
        {"waves", 15, 15},
        {"sm_clock", 1.9e9, 1.9e9},
        {"issue_active", 0.04, 0.2},
    };
    double time = bytes / (slow ? 0.511e12 : 4.0e12);
    if (!strcmp(metric, "time"))
        return time;
    if (!strcmp(metric, "bandwidth"))
        return bytes / time;
    if (!strcmp(metric, "copy_fraction"))
        return bytes / time / 4.156e12;
    if (!strcmp(metric, "dram_bytes"))
        return (slow ? 1.2 : 1.02) * bytes;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(metric, known[i].name))
            return slow ? known[i].slow : known[i].healthy;
    const struct metric *m = metric_find(metric);
    return m && m->share ? 0.5 : 1;
}

static void add_item(struct recording *r, const char *key, struct msg_part *part)
{
    r->items = mem_grow(r->items, (size_t)r->n_items + 1, sizeof *r->items);
    snprintf(r->items[r->n_items].key, 65, "%s", key);
    r->items[r->n_items++].part = *part;
}

/* Kernel i takes 10, 30, 50, 20 or 40 us after what it waits for, 2 us later at the soonest. */
static void add_timeline(struct msg_part *p, const struct msg_run *run)
{
    static const char *const names[] = { "kernel", "stream", "start", "end" };
    double free_from[CAP_STREAMS] = { 0 }, step = 0;
    p->series = mem_new(4, sizeof *p->series);
    for (; p->n_series < 4; p->n_series++) {
        snprintf(p->series[p->n_series].name, sizeof p->series[0].name, "%s", names[p->n_series]);
        p->series[p->n_series].values = mem_new((size_t)run->n_launches, sizeof(double));
        p->series[p->n_series].n = run->n_launches;
    }
    p->lines = mem_new((size_t)run->n_launches, sizeof *p->lines);
    for (int i = 0; i < run->n_launches; i++) {
        const struct msg_launch *l = &run->launches[i];
        double start = free_from[l->stream];
        for (int k = 0; k < i; k++)
            if (l->after >> k & 1 && p->series[3].values[k] + 2e-6 > start)
                start = p->series[3].values[k] + 2e-6;
        p->series[0].values[i] = i;
        p->series[1].values[i] = l->stream;
        p->series[2].values[i] = start;
        p->series[3].values[i] = start + 10e-6 + 20e-6 * (i * 3 % 5 * 2 % 5) / 2;
        free_from[l->stream] = p->series[3].values[i] + 2e-6;
        p->lines[p->n_lines++] = text_dup(l->kernel);
        step = step > p->series[3].values[i] ? step : p->series[3].values[i];
    }
    for (int k = 0; k < p->n_metrics; k++) {
        struct msg_value *v = &p->metrics[k];
        v->value = v->low = v->high = !strcmp(v->name, "gap_time")    ? 2e-6
                                      : !strcmp(v->name, "busy_time") ? step - 2e-6
                                      : !strcmp(v->name, "step_time") ? step
                                                                      : v->value;
    }
}

static void add_part(struct recording *r, const struct msg_measure *m, int item, const char *key,
                     const char *run, bool slow)
{
    const struct msg_item *it = &m->items[item];
    struct msg_part part = { .probe = it->probe, .variant = -1, .tier = "recorded" };
    size_t n = 0;
    const struct metric *metric = metric_of_probe(it->probe, &n);
    double bytes = msg_shape_of(m, it->variant)->work.bytes;
    bool ratio = strchr(run, '/') != NULL;
    if (recording_find(r, key, run)) /* measured once, though two items ask for it */
        return;
    snprintf(part.run, sizeof part.run, "%s", run);
    part.metrics = mem_new(n, sizeof *part.metrics);
    for (size_t k = 0; k < n; k++) {
        if (it->probe == PROBE_TIMING && ratio != !strcmp(metric[k].name, "ratio"))
            continue;
        double v = ratio ? value_of("time", slow, bytes) / value_of("time", false, bytes)
                         : value_of(metric[k].name, slow, bytes);
        struct msg_value *value = &part.metrics[part.n_metrics++];
        *value = (struct msg_value){.present = true,
                                    .value = v,
                                    .low = 0.99 * v,
                                    .high = 1.01 * v,
                                    .n = it->probe == PROBE_TIMING ? 41 : 0};
        snprintf(value->name, sizeof value->name, "%s", metric[k].name);
    }
    if (it->probe == PROBE_TIMING) {
        part.notes = mem_new(1, sizeof *part.notes);
        part.notes[part.n_notes++] = text_dup(it->cache == CACHE_WARM ? "warm" : "cold");
    }
    if (it->probe == PROBE_TIMELINE)
        add_timeline(&part, msg_run_find(msg_shape_of(m, it->variant), run));
    add_item(r, key, &part);
}

static void record(const struct variant *v, bool slow)
{
    struct recording r = { .device = device(), .method = METHOD_VERSION, .recorded = "2026-01-01" };
    struct msg_measure m;
    struct err err = { 0 };
    char path[512], key[65];
    if (request_build(&m, v, &r.device, "all", 0, &err) != 0)
        give_up(v->full_id, err.text);
    for (int i = 0; i < m.n_items; i++) {
        const struct msg_item *it = &m.items[i];
        if (msg_item_key(key, &m, i, &err) != 0)
            give_up(v->full_id, err.text);
        for (int k = 0; k < it->n_runs; k++)
            add_part(&r, &m, i, key, it->runs[k], slow && it->runs[k][0] == 'a');
        if (it->n_runs == 2) {
            char pair[40];
            snprintf(pair, sizeof pair, "%s/%s", it->runs[0], it->runs[1]);
            add_part(&r, &m, i, key, pair, slow);
        }
    }
    json_t *text = recording_encode(&r);
    snprintf(path, sizeof path, "%s/%s/%s/%s/sealed/evidence", packs, v->story->pack->id,
             v->story->id, v->id);
    mkdir(path, 0755);
    strncat(path, "/nvidia-h200.json", sizeof path - strlen(path) - 1);
    if (json_dump_file(text, path, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) != 0)
        give_up(path, "cannot be written");
    json_decref(text);
    msg_measure_free(&m);
    for (int i = 0; i < r.n_items; i++)
        msg_part_free(&r.items[i].part);
    free(r.items);
}

/* Copies the pack CONTENT/ID to `packs` and records every variant there; ends the test on failure.
 * `folder` exists. */
static inline void recorded_pack(const char *content, const char *id)
{
    char command[1024], path[512];
    struct pack *pack = NULL;
    struct err err = { 0 };
    snprintf(packs, sizeof packs, "%s/packs", folder);
    snprintf(command, sizeof command,
             "mkdir -p '%s' && cp -r '%s/%s' '%s/' && rm -f '%s'/%s/*/*/sealed/evidence/*.json",
             packs, content, id, packs, packs, id);
    if (system(command) != 0)
        give_up(command, "failed");
    snprintf(path, sizeof path, "%s/%s", packs, id);
    if (pack_open(&pack, path, &err) != 0)
        give_up(path, err.text);
    for (int s = 0; s < pack->n_stories; s++)
        for (int v = 0; v < pack->stories[s].n_variants; v++)
            record(pack->stories[s].variants[v],
                   pack->stories[s].variants[v]->pair == PAIR_REGRESSION);
    pack_free(pack);
}

/* The shipped pack of first principles. */
static inline void recorded_packs(void)
{
    recorded_pack("content/packs", "first-principles");
}

/* The same in a folder made for it. */
static inline int recorded_folder(const char *name)
{
    if (folder_make(name) != 0)
        return -1;
    recorded_packs();
    return 0;
}

#endif
