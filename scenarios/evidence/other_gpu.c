#include "scenarios/evidence/other_gpu.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/request.h"
#include "scenarios/pack/recordings.h"

/* ---- which recording ---- */

void other_gpu_free(struct other_gpu *o)
{
    if (!o)
        return;
    msg_device_free(&o->device);
    evidence_free(o->times);
    free(o);
}

/* Of every run: what was timed beside another one is not the time alone. */
static bool is_time(const struct msg_part *p)
{
    return p->probe == PROBE_TIMING && p->variant < 0;
}

/* NULL: it is of other code or sizes, or by a measuring method that is not believed. */
static struct evidence *times_of(const struct variant *v, const struct recording *r)
{
    struct evidence *all = NULL, *times;
    bool believed = r->method >= METHOD_OLDEST && r->method <= METHOD_VERSION;
    if (!believed || request_recall_all(&all, v, r, NULL))
        return NULL;
    times = evidence_new(all->probe, all->tier, all->gpu);
    for (int i = 0; i < all->n_parts; i++)
        if (is_time(&all->parts[i]))
            evidence_add(times, &all->parts[i]);
    evidence_free(all);
    return times;
}

/* Returns 1 at a name of the other GPU that has no value. */
static int at_unknown(void *ctx, const char *name)
{
    struct quantity q;
    return name_other(name) && scope_lookup(ctx, name, &q, NULL) != 0;
}

static bool answers(const struct other_gpu *o, const struct variant *v)
{
    struct scope s = {.story = v->story, .other = o};
    for (int t = 0; t < v->n_truths; t++) {
        const struct truth *truth = &v->truths[t];
        if (truth->estimate->across && (formula_names(truth->truth.f, at_unknown, &s, NULL) ||
                                        formula_names(truth->working.f, at_unknown, &s, NULL)))
            return false;
    }
    return true;
}

/* Takes the recording's GPU over. */
static struct other_gpu *make(const struct variant *v, struct recording *r)
{
    struct evidence *times = times_of(v, r);
    if (!times)
        return NULL;
    struct other_gpu *o = mem_new(1, sizeof *o);
    *o = (struct other_gpu){r->device, times};
    r->device = (struct msg_device){0};
    if (answers(o, v))
        return o;
    other_gpu_free(o);
    return NULL;
}

struct other_gpu *other_gpu_find(const struct variant *v, const char *played)
{
    struct recording **list = NULL;
    struct other_gpu *found = NULL;
    int n = 0;
    if (!story_asks_across(v->story) || recordings_of(v, &list, &n, NULL))
        return NULL;
    for (int i = 0; i < n && !found; i++)
        if (strcmp(list[i]->device.name, played) != 0)
            found = make(v, list[i]);
    recordings_free(list, n);
    return found;
}

/* ---- as JSON ---- */

json_t *other_gpu_encode(const struct other_gpu *o)
{
    json_t *obj = json_object();
    json_object_set_new(obj, "device", msg_device_encode(&o->device));
    json_object_set_new(obj, "times", evidence_encode(o->times));
    return obj;
}

int other_gpu_decode(struct other_gpu **out, const json_t *obj, struct err *err)
{
    struct other_gpu *o = mem_new(1, sizeof *o);
    int rc = msg_device_decode(&o->device, json_object_get(obj, "device"), err);
    if (!rc)
        rc = evidence_decode(&o->times, json_object_get(obj, "times"), err);
    if (rc)
        other_gpu_free(o);
    else
        *out = o;
    return rc;
}

struct other_gpu *other_gpu_copy(const struct other_gpu *o)
{
    struct other_gpu *copy = NULL;
    json_t *obj = o ? other_gpu_encode(o) : NULL;
    if (obj)
        other_gpu_decode(&copy, obj, NULL);
    json_decref(obj);
    return copy;
}

/* ---- what is told of it ---- */

static const struct {
    const char *name, *unit, *before, *after;
} told[] = {
    {"dram_peak", "B/s", "DRAM ", ""},
    {"sm_count", "1", "", " SMs"},
    {"clock_hz", "Hz", "", ""},
    {"l2_bytes", "B", "L2 ", ""},
};

bool other_gpu_tells(const char *attribute)
{
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (!strcmp(told[i].name, attribute))
            return true;
    return false;
}

static void add(char *out, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void add(char *out, size_t size, const char *fmt, ...)
{
    size_t used = strlen(out);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(out + used, size - used, fmt, ap);
    va_end(ap);
}

static void add_gpu(char *out, size_t size, const struct msg_device *d)
{
    const char *sign = ": ";
    add(out, size, "%s", d->name);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        char value[32];
        double number;
        if (!msg_device_number(d, told[i].name, &number))
            continue;
        quantity_show(value, sizeof value, number, told[i].unit);
        add(out, size, "%s%s%s%s", sign, told[i].before, value, told[i].after);
        sign = ", ";
    }
}

static void sizes_of(char *out, size_t size, const struct story *story,
                     const struct msg_device *d)
{
    char bytes[32];
    double moved = request_step_size(story, d, NULL, 0).bytes;
    request_sizes(out, size, story, d);
    quantity_show(bytes, sizeof bytes, moved, "B");
    add(out, size, "%sat least %s to move", *out ? "; " : "", bytes);
}

void other_gpu_says(char *out, size_t size, const struct story *story,
                    const struct msg_device *here, double time, const struct other_gpu *o)
{
    char here_sizes[240], there_sizes[240], took[32];
    sizes_of(here_sizes, sizeof here_sizes, story, here);
    sizes_of(there_sizes, sizeof there_sizes, story, &o->device);
    *out = '\0';
    add_gpu(out, size, here);
    if (time > 0) {
        quantity_show(took, sizeof took, time, "s");
        add(out, size, "; %s here", took);
    }
    add(out, size, ".\n");
    add_gpu(out, size, &o->device);
    if (strcmp(here_sizes, there_sizes) == 0)
        add(out, size, "; the same sizes.");
    else
        add(out, size, ".\nSizes there: %s.", there_sizes);
}
