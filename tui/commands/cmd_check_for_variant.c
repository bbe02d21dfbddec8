/* Each fact once, with the GPUs it is true of. Of many GPUs with figures of their own the least and
 * the most are told; --json has all of them. */
#include "tui/commands/cmd_check_for_variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/gpus.h"
#include "scenarios/formula/quantity.h"

/* More figures than these become "least to most". */
enum { MOST_SAYINGS = 3 };

/* One text about a fact, the GPUs of which it is true, and what orders it among the others. */
struct saying { char *text; const char **gpus; int n; double size; };
enum kind { LEFT_OUT, SIZE, BUFFER, MEMORY, LAUNCH, STEP };
/* What can be said of a name: a parameter, a buffer, a kernel `of` a source, an experiment. */
struct fact { enum kind kind; char *name, *of; int nth; struct saying *all; int n; };
/* A variant on all GPUs. */
struct told {
    struct fact *all; int n;
    const char **gpus; int n_gpus; /* that were not left out */
    const char *tightest; /* where the buffers take most of the memory, and how they are */
    double part, bytes, memory;
};

/* ---- facts ---- */

static struct fact *fact_of(struct told *t, enum kind kind, const char *name, const char *of,
                            int nth)
{
    for (int i = 0; i < t->n; i++) {
        struct fact *x = &t->all[i];
        if (x->kind == kind && !strcmp(x->name, name) && !strcmp(x->of, of) && x->nth == nth)
            return x;
    }
    t->all = mem_grow(t->all, (size_t)t->n + 1, sizeof *t->all);
    t->all[t->n] = (struct fact){kind, text_dup(name), text_dup(of), nth, NULL, 0};
    return &t->all[t->n++];
}

static void add_gpu(const char ***all, int *n, const char *gpu)
{
    *all = mem_grow(*all, (size_t)*n + 1, sizeof **all);
    (*all)[(*n)++] = gpu;
}

static void say(struct fact *x, const char *gpu, double size, const char *text)
{
    int i = 0;
    while (i < x->n && strcmp(x->all[i].text, text))
        i++;
    if (i == x->n) {
        x->all = mem_grow(x->all, (size_t)x->n + 1, sizeof *x->all);
        x->all[x->n++] = (struct saying){.text = text_dup(text), .size = size};
    }
    add_gpu(&x->all[i].gpus, &x->all[i].n, gpu);
}

static void told_free(struct told *t)
{
    for (int i = 0; i < t->n; i++) {
        for (int k = 0; k < t->all[i].n; k++) {
            free(t->all[i].all[k].text);
            free(t->all[i].all[k].gpus);
        }
        free(t->all[i].all);
        free(t->all[i].name);
        free(t->all[i].of);
    }
    free(t->all);
    free(t->gpus);
}

/* ---- from JSON to facts ---- */

static const char *text_at(const json_t *of, const char *key)
{
    return json_string_value(json_object_get(of, key));
}

static double number_at(const json_t *of, const char *key)
{
    return json_number_value(json_object_get(of, key));
}

static long long whole_at(const json_t *of, const char *key)
{
    return (long long)json_integer_value(json_object_get(of, key));
}

static const char *bytes_text(char out[32], double bytes)
{
    quantity_show(out, 32, bytes, "B");
    return out;
}

static void take_params(struct told *t, const char *gpu, const json_t *params)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)params, name, value) {
        char text[32];
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
        say(fact_of(t, SIZE, name, "", 0), gpu, json_number_value(value), text);
    }
}

static void take_memory(struct told *t, const char *gpu, const json_t *of)
{
    char bytes[32];
    size_t i;
    json_t *b;
    json_array_foreach(json_object_get(of, "buffers"), i, b) {
        char *text = text_format("%lld %s, %s", whole_at(b, "count"), text_at(b, "type"),
                                 bytes_text(bytes, number_at(b, "bytes")));
        say(fact_of(t, BUFFER, text_at(b, "name"), "", 0), gpu, number_at(b, "bytes"), text);
        free(text);
    }
    double all = number_at(of, "bytes"), memory = number_at(of, "memory");
    say(fact_of(t, MEMORY, "", "", 0), gpu, all, bytes_text(bytes, all));
    if (!t->tightest || all / memory > t->part) {
        t->tightest = gpu;
        t->part = all / memory;
        t->bytes = all;
        t->memory = memory;
    }
}

/* How many of a list are like the one at `at`; 0: one before it is. */
static int count_alike(const json_t *list, size_t at)
{
    int alike = 0;
    size_t i;
    json_t *x;
    json_array_foreach((json_t *)(uintptr_t)list, i, x) {
        bool same = json_equal(x, json_array_get(list, at));
        if (same && i < at)
            return 0;
        alike += same;
    }
    return alike;
}

/* "132", "64 x 32"; how many in all. */
static double write_extent(FILE *out, const json_t *extent)
{
    json_int_t of[3];
    for (size_t i = 0; i < 3; i++)
        of[i] = json_integer_value(json_array_get(extent, i));
    fprintf(out, "%lld", (long long)of[0]);
    if (of[1] > 1 || of[2] > 1)
        fprintf(out, " x %lld", (long long)of[1]);
    if (of[2] > 1)
        fprintf(out, " x %lld", (long long)of[2]);
    return (double)of[0] * (double)of[1] * (double)of[2];
}

/* Which of the different launches of this kernel and source it is, from 0. */
static int nth_of(const json_t *list, size_t at)
{
    const json_t *l = json_array_get(list, at);
    int nth = 0;
    for (size_t i = 0; i < at; i++) {
        const json_t *x = json_array_get(list, i);
        nth += count_alike(list, i) && !strcmp(text_at(x, "kernel"), text_at(l, "kernel")) &&
               !strcmp(text_at(x, "source"), text_at(l, "source"));
    }
    return nth;
}

static void take_launch(struct told *t, const char *gpu, const json_t *list, size_t at, int times)
{
    const json_t *l = json_array_get(list, at);
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    double blocks = write_extent(out, json_object_get(l, "grid"));
    fputs(" blocks of ", out);
    write_extent(out, json_object_get(l, "block"));
    fputs(" threads", out);
    if (whole_at(l, "shared"))
        fprintf(out, ", %lld B of shared memory", whole_at(l, "shared"));
    if (times > 1)
        fprintf(out, ", %d times", times);
    fclose(out);
    say(fact_of(t, LAUNCH, text_at(l, "kernel"), text_at(l, "source"), nth_of(list, at)), gpu,
        blocks, text);
    free(text);
}

static void take_launches(struct told *t, const char *gpu, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        int times = count_alike(list, i);
        if (times)
            take_launch(t, gpu, list, i, times);
    }
}

/* The steps of a sweep by themselves for one GPU. */
static void take_each_step(struct told *t, const char *gpu, const json_t *steps)
{
    size_t i;
    json_t *x;
    json_array_foreach((json_t *)(uintptr_t)steps, i, x) {
        char bytes[32];
        double size = number_at(x, "bytes");
        say(fact_of(t, STEP, text_at(x, "label"), text_at(x, "experiment"), 0), gpu, size,
            bytes_text(bytes, size));
    }
}

/* The largest step of each sweep. */
static void take_largest_step(struct told *t, const char *gpu, const json_t *steps)
{
    size_t n = json_array_size(steps);
    for (size_t i = 0, end; i < n; i = end) {
        const char *of = text_at(json_array_get(steps, i), "experiment");
        double most = 0;
        for (end = i; end < n; end++) {
            const json_t *x = json_array_get(steps, end);
            if (strcmp(text_at(x, "experiment"), of))
                break;
            most = number_at(x, "bytes") > most ? number_at(x, "bytes") : most;
        }
        char bytes[32], *name = text_format("the largest of %zu", end - i);
        say(fact_of(t, STEP, name, of, 0), gpu, most, bytes_text(bytes, most));
        free(name);
    }
}

/* The reason without what this GPU has: it is told once of all that are left out. */
static void take_left_out(struct told *t, const char *gpu, const char *why)
{
    char *text = text_ndup(why, strcspn(why, ";"));
    say(fact_of(t, LEFT_OUT, text, "", 0), gpu, 0, "");
    free(text);
}

static void take(struct told *t, const json_t *of, bool alone)
{
    const char *gpu = text_at(of, "gpu"), *why = text_at(of, "left_out");
    const json_t *steps = json_object_get(of, "steps");
    if (why || json_object_get(of, "unfit")) {
        take_left_out(t, gpu, why ? why : "what it launches cannot be there, as a finding says");
        return;
    }
    add_gpu(&t->gpus, &t->n_gpus, gpu);
    take_params(t, gpu, json_object_get(of, "params"));
    take_memory(t, gpu, of);
    take_launches(t, gpu, json_object_get(of, "launches"));
    (alone ? take_each_step : take_largest_step)(t, gpu, steps);
}

/* ---- as lines ---- */

static void write_gpu(FILE *out, const char *slug)
{
    char name[GPU_NAME_MOST];
    gpu_short(name, slug);
    fputs(name, out);
}

static bool is_among(const char **gpus, int n, const char *gpu)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(gpus[i], gpu))
            return true;
    return false;
}

/* Names between commas, or "all but" those that are fewer. */
static void write_gpus(FILE *out, const struct told *t, const char **gpus, int n)
{
    bool others = n > t->n_gpus - n && n > MOST_SAYINGS && n < t->n_gpus;
    const char *before = others ? "all but " : "";
    for (int i = 0; i < (others ? t->n_gpus : n); i++) {
        const char *gpu = others ? t->gpus[i] : gpus[i];
        if (others && is_among(gpus, n, gpu))
            continue;
        fputs(before, out);
        write_gpu(out, gpu);
        before = ", ";
    }
}

static void write_saying(FILE *out, const struct told *t, const struct saying *s)
{
    fprintf(out, "%s (", s->text);
    write_gpus(out, t, s->gpus, s->n);
    fputc(')', out);
}

static bool is_everywhere(const struct told *t, const struct fact *x)
{
    return x->n == 1 && x->all[0].n == t->n_gpus;
}

static void write_range(FILE *out, const struct told *t, const struct fact *x)
{
    const struct saying *least = x->all, *most = x->all;
    for (int i = 1; i < x->n; i++) {
        least = x->all[i].size < least->size ? &x->all[i] : least;
        most = x->all[i].size > most->size ? &x->all[i] : most;
    }
    write_saying(out, t, least);
    fputs(" to ", out);
    write_saying(out, t, most);
}

/* "16384 blocks", "16384 blocks (tesla-t4), 163840 blocks (nvidia-l4, nvidia-l40)". */
static void write_sayings(FILE *out, const struct told *t, const struct fact *x)
{
    if (is_everywhere(t, x)) {
        fputs(x->all[0].text, out);
    } else if (x->n > MOST_SAYINGS) {
        write_range(out, t, x);
    } else {
        for (int i = 0; i < x->n; i++) {
            fputs(i ? ", " : "", out);
            write_saying(out, t, &x->all[i]);
        }
    }
}

static void write_left_out(FILE *out, const struct told *t, const struct fact *x)
{
    fprintf(out, "  left out: %s: ", x->name);
    write_gpus(out, t, x->all[0].gpus, x->all[0].n);
    fputc('\n', out);
}

/* Those that are the same everywhere in one line, the others each in its own. */
static void write_sizes(FILE *out, const struct told *t)
{
    int n = 0;
    for (int i = 0; i < t->n; i++)
        if (t->all[i].kind == SIZE && is_everywhere(t, &t->all[i]))
            fprintf(out, "%s  %s %s", n++ ? "" : "  sizes", t->all[i].name, t->all[i].all[0].text);
    if (n)
        fputc('\n', out);
    for (int i = 0; i < t->n; i++)
        if (t->all[i].kind == SIZE && !is_everywhere(t, &t->all[i])) {
            fprintf(out, "  sizes  %s ", t->all[i].name);
            write_sayings(out, t, &t->all[i]);
            fputc('\n', out);
        }
}

static void write_memory(FILE *out, const struct told *t, const struct fact *x)
{
    char bytes[32], memory[32];
    bytes_text(bytes, t->bytes);
    bytes_text(memory, t->memory);
    fputs("  memory  ", out);
    write_sayings(out, t, x);
    if (t->n_gpus == 1) {
        fprintf(out, " in all, of %s\n", memory);
    } else {
        fputs(" in all; the fullest is ", out);
        write_gpu(out, t->tightest);
        fprintf(out, ", %s of %s\n", bytes, memory);
    }
}

static bool is_same_saying(const struct fact *a, const struct fact *b)
{
    if (a->n != b->n)
        return false;
    for (int i = 0; i < a->n; i++)
        if (strcmp(a->all[i].text, b->all[i].text) || a->all[i].n != b->all[i].n ||
            memcmp(a->all[i].gpus, b->all[i].gpus, (size_t)a->all[i].n * sizeof *a->all[i].gpus))
            return false;
    return true;
}

static bool is_same_launch(const struct fact *a, const struct fact *b)
{
    return b->kind == LAUNCH && !strcmp(a->name, b->name) && is_same_saying(a, b);
}

/* Sources that launch a kernel alike are told together, but for one GPU. */
static void write_launch(FILE *out, const struct told *t, int at)
{
    const struct fact *x = &t->all[at];
    for (int i = 0; i < at && t->n_gpus > 1; i++)
        if (is_same_launch(x, &t->all[i]))
            return;
    fprintf(out, "  launch  %s of %s", x->name, x->of);
    for (int i = at + 1; i < t->n && t->n_gpus > 1; i++)
        if (is_same_launch(x, &t->all[i]))
            fprintf(out, ", %s", t->all[i].of);
    fputs(": ", out);
    write_sayings(out, t, x);
    fputc('\n', out);
}

static void write_fact(FILE *out, const struct told *t, int at)
{
    const struct fact *x = &t->all[at];
    if (x->kind == BUFFER)
        fprintf(out, "  buffer  %s: ", x->name);
    else if (x->kind == STEP)
        fprintf(out, "  step    %s of %s: ", x->name, x->of);
    if (x->kind == LEFT_OUT) {
        write_left_out(out, t, x);
    } else if (x->kind == MEMORY) {
        write_memory(out, t, x);
    } else if (x->kind == LAUNCH) {
        write_launch(out, t, at);
    } else {
        write_sayings(out, t, x);
        fputc('\n', out);
    }
}

static char *written(const struct told *t)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (t->n_gpus > 1)
        fprintf(out, "  for %d GPUs\n", t->n_gpus);
    else
        fprintf(out, "  for %s\n", t->n_gpus ? t->gpus[0] : "no GPU");
    for (int i = 0; i < t->n; i++)
        if (t->all[i].kind == LEFT_OUT)
            write_fact(out, t, i);
    write_sizes(out, t);
    for (int kind = BUFFER; kind <= STEP; kind++)
        for (int i = 0; i < t->n; i++)
            if (t->all[i].kind == (enum kind)kind)
                write_fact(out, t, i);
    fclose(out);
    return text;
}

char *check_for_variant(const json_t *sizes, size_t *at)
{
    const char *scenario = text_at(json_array_get(sizes, *at), "scenario");
    struct told t = {0};
    size_t end = *at;
    while (end < json_array_size(sizes) &&
           !strcmp(text_at(json_array_get(sizes, end), "scenario"), scenario))
        end++;
    bool alone = end - *at == 1;
    for (; *at < end; ++*at)
        take(&t, json_array_get(sizes, *at), alone);
    char *text = written(&t);
    told_free(&t);
    return text;
}
