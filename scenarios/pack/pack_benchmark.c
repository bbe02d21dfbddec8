/* The program that times a harness: a variant's own, and the honest one that stands in the place of
 * a fix. */
#include "scenarios/pack/pack_benchmark.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/pack/pack_image.h"
#include "scenarios/pack/pack_launches.h"
#include "scenarios/text/near.h"

enum { UNIT = 12 };

/* ---- one setting ---- */

/* What a step of a benchmark may be set to. */
static int read_setting(struct reader *r, const struct yaml *y, int field, int *out)
{
    struct benchmark_field f = msg_benchmark_field(field);
    char what[64];
    if (f.choices)
        return yaml_choice(y, f.choices, f.high + 1, f.name, out, r->err);
    snprintf(what, sizeof what, "%s from %d to %d", f.name, f.low, f.high);
    return yaml_whole(y, f.low, f.high, what, out, r->err);
}

int find_step_of_benchmark(struct reader *r, const struct yaml *y, int *out)
{
    struct near near = {.word = y->text};
    char hint[96];
    *out = msg_benchmark_find(y->text);
    if (*out >= 0)
        return 0;
    for (int i = 0; i < BENCHMARK_FIELDS; i++)
        near_try(&near, msg_benchmark_field(i).name);
    return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                     "no step '%.60s' in a benchmark%s; one such as flush or reduce was expected",
                     y->text, near_hint(&near, hint, sizeof hint));
}

static int check_program(struct reader *r, const struct yaml *y, const struct msg_benchmark *b)
{
    const char *fault = msg_benchmark_fault(b);
    return fault ? yaml_fail(y, ERR_BAD_REQUEST, r->err, "this benchmark %s", fault) : 0;
}

/* ---- the file ---- */

static int read_report(struct reader *r, const struct yaml *y, const struct story *s,
                       struct benchmark *out)
{
    const struct yaml *k[REPORT_KEYS];
    int rc = yaml_keys(y, &report_shape, k, r->err);
    if (!rc)
        rc = read_text(r, k[REPORT_K_UNIT], UNIT, false, "the unit that is printed", &out->unit);
    return rc ? rc : read_size(r, k[REPORT_K_PER_RUN], s, 1, SIZE_MAX_WHOLE, &out->per_run);
}

/* Another kernel of the suspect's source; where it says nothing it has the care of the suspect. */
static int read_baseline(struct reader *r, const struct yaml *y, const struct variant *v,
                         struct benchmark *out)
{
    const struct yaml *k[BASELINE_KEYS], *launches;
    int setting, rc = yaml_keys(y, &baseline_shape, k, r->err);
    out->care = out->program;
    for (int i = BASELINE_K_FIRST; !rc && i < BASELINE_KEYS; i++) {
        int field = msg_benchmark_find(baseline_shape.key[i].name);
        if (k[i] && (rc = read_setting(r, k[i], field, &setting)) == 0)
            msg_benchmark_set(&out->care, field, setting);
    }
    if (!rc)
        rc = check_program(r, y, &out->care);
    launches = rc ? NULL : k[BASELINE_K_LAUNCHES];
    if (!rc)
        rc = read_launches(r, launches, v->story, &out->baseline.launches,
                           &out->baseline.n_launches, &out->baseline.steps);
    out->baseline_file = v->suspect;
    return rc ? rc : read_source(r, v->suspect, v->story, launches);
}

static int read_printed(struct reader *r, const struct variant *v, const struct yaml *const *k,
                        struct benchmark *out)
{
    const struct yaml *report = k[BENCHMARK_K_REPORT], *baseline = k[BENCHMARK_K_BASELINE];
    if (report && baseline)
        return yaml_fail(report->key, ERR_BAD_REQUEST, r->err,
                         "'report' beside a baseline; one of them was expected, since with a "
                         "baseline it prints how many times as fast the kernel is");
    if (baseline)
        return read_baseline(r, baseline, v, out);
    return report ? read_report(r, report, v->story, out) : 0;
}

static int read_benchmark(struct reader *r, const struct yaml *root, const struct variant *v,
                          struct benchmark *out)
{
    const struct yaml *k[BENCHMARK_KEYS];
    int format, setting;
    int rc = read_format(r, root, &format);
    if (!rc)
        rc = yaml_keys(root, &benchmark_shape, k, r->err);
    out->program = msg_benchmark_honest();
    for (int i = 0; !rc && i < BENCHMARK_FIELDS; i++) {
        const struct yaml *y = k[BENCHMARK_K_FIRST + i];
        if (y && (rc = read_setting(r, y, i, &setting)) == 0)
            msg_benchmark_set(&out->program, i, setting);
    }
    if (!rc)
        rc = check_program(r, root, &out->program);
    return rc ? rc : read_printed(r, v, k, out);
}

static int read_file(struct reader *r, const struct file *f, const struct variant *v,
                     struct benchmark *out)
{
    struct yaml_doc *doc;
    out->file = f;
    int rc = yaml_doc_read(&doc, r->pack->files, f, r->err);
    if (!rc)
        rc = read_benchmark(r, yaml_doc_root(doc), v, out);
    yaml_doc_free(doc);
    return rc;
}

/* ---- whose it is ---- */

static const struct file *find_file(struct reader *r, const char *folder, const char *name)
{
    return files_find(r->pack->files, arena_format(&r->memory->arena, "%s/%s", folder, name));
}

int read_own_benchmark(struct reader *r, struct variant *v, const struct yaml *at)
{
    const char *folder = arena_format(&r->memory->arena, "%s/%s", v->story->id, v->id);
    const struct file *f = find_file(r, folder, "benchmark.yaml");
    if (story_is_harness(v->story))
        return f ? read_file(r, f, v, &v->benchmark)
                 : yaml_fail(at, ERR_MISSING, r->err,
                             "there is no %s/benchmark.yaml; every variant of a harness was "
                             "expected to have it",
                             folder);
    return f ? yaml_fail(at, ERR_BAD_REQUEST, r->err,
                         "%s in a story that is no harness; kind: harness was expected", f->path)
             : 0;
}

/* An honest benchmark that names no baseline has the variant's own, with the care of the kernel. */
static void share_baseline(struct variant *v)
{
    v->honest.baseline_file = v->benchmark.baseline_file;
    v->honest.baseline = v->benchmark.baseline;
    v->honest.care = v->honest.program;
}

int read_honest_benchmark(struct reader *r, struct variant *v, const struct yaml *root)
{
    const char *own = arena_format(&r->memory->arena, "%s/%s/sealed", v->story->id, v->id);
    const char *shared = arena_format(&r->memory->arena, "%s/sealed", v->story->id);
    const struct file *f = find_file(r, own, "benchmark.yaml");
    if (!f)
        f = find_file(r, shared, "benchmark.yaml");
    if (!f)
        return yaml_fail(root, ERR_MISSING, r->err,
                         "there is no %s/benchmark.yaml; a harness was expected to have an honest "
                         "benchmark there, or in %s",
                         shared, own);
    int rc = read_file(r, f, v, &v->honest);
    if (!rc && v->honest.baseline_file && !v->benchmark.baseline_file)
        return yaml_fail(root, ERR_BAD_REQUEST, r->err,
                         "%s has a baseline, and the benchmark of %s has none; one was expected "
                         "there too",
                         f->path, v->full_id);
    if (!rc && !v->honest.baseline_file)
        share_baseline(v);
    return rc;
}

/* ---- experiments ---- */

int read_change(struct reader *r, const struct yaml *y, struct experiment *x)
{
    int rc = yaml_is_map(y, 1, 1, "a map of one step of the benchmark to another setting", r->err);
    if (!rc)
        rc = find_step_of_benchmark(r, y->first->key, &x->field);
    return rc ? rc : read_setting(r, y->first, x->field, &x->setting);
}

int check_changes(struct reader *r, const struct variant *v, const struct yaml *at)
{
    const struct story *s = v->story;
    for (int i = 0; i < s->n_experiments; i++) {
        const struct experiment *x = &s->experiments[i];
        struct msg_benchmark b = v->benchmark.program;
        if (x->kind != EXPERIMENT_BENCHMARK)
            continue;
        msg_benchmark_set(&b, x->field, x->setting);
        const char *fault = msg_benchmark_fault(&b);
        if (fault)
            return yaml_fail(at, ERR_BAD_REQUEST, r->err,
                             "the benchmark of %s with the change of experiment '%s' %s",
                             v->full_id, x->id, fault);
    }
    return 0;
}
