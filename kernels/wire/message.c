/* The messages that come back: decoding is lenient, so that a newer runner may say more. Text is
 * cleaned on the way in, for it ends on a terminal. */
#include "kernels/wire/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/fields.h"
#include "kernels/wire/path.h"
#include "kernels/wire/text.h"

enum { CAP_METRICS = 512, CAP_TEXTS = 4096, CAP_SOFTWARE = 32 };

static const char *const status_names[] = {"ok", "partial", "cancelled", "failed"};

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

/* ---- lenient reading: what is absent or of another type counts as absent ---- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *s = json_string_value(json_object_get(object, key));
    return s ? s : "";
}

static char *dup_clean(const char *s)
{
    char *copy = text_dup(s);
    text_clean(copy, strlen(copy));
    return copy;
}

static char *optional_text(const json_t *object, const char *key)
{
    const char *s = text_of(object, key);
    return *s ? dup_clean(s) : NULL;
}

static char **texts_of(int *n, const struct fields *f, const char *key)
{
    json_t *list = fields_has(f, key) ? fields_array(f, key, CAP_TEXTS) : NULL, *value;
    char **out = mem_new(json_array_size(list), sizeof *out);
    size_t i;
    json_array_foreach(list, i, value)
        if (json_is_string(value))
            out[(*n)++] = dup_clean(json_string_value(value));
    return out;
}

static void free_texts(char **list, int n)
{
    for (int i = 0; i < n; i++)
        free(list[i]);
    free(list);
}

static json_t *encode_texts(char *const *list, int n)
{
    json_t *out = json_array();
    for (int i = 0; i < n; i++) {
        char *clean = dup_clean(list[i]);
        json_array_append_new(out, json_string(clean));
        free(clean);
    }
    return out;
}

/* NULL and "" are left out. */
static void set_text(json_t *o, const char *key, const char *s)
{
    if (!s || !*s)
        return;
    char *clean = dup_clean(s);
    set(o, key, json_string(clean));
    free(clean);
}

/* ---- part ---- */

static void decode_statistic(struct msg_value *v, const struct fields *f)
{
    v->present = true;
    v->value = v->low = v->high = fields_number(f, "value");
    if (fields_has(f, "low"))
        v->low = fields_number(f, "low");
    if (fields_has(f, "high"))
        v->high = fields_number(f, "high");
    if (fields_has(f, "n"))
        v->n = (int)fields_whole(f, "n", 0, INT32_MAX);
    const struct metric *m = metric_find(v->name);
    const char *unit = text_of(f->object, "unit");
    if (m && *unit && strcmp(unit, m->unit))
        fields_fail(f, "unit", ERR_BAD_REQUEST, "is %.16s, %s is in %s", unit, m->name, m->unit);
}

static void decode_value(struct msg_value *v, const struct fields *f, const char *name)
{
    text_copy_clean(v->name, sizeof v->name, name);
    const char *missing = text_of(f->object, "missing");
    if (fields_has(f, "value") == fields_has(f, "missing"))
        fields_fail(f, NULL, ERR_BAD_REQUEST, "must have either a value or a reason why it is missing");
    else if (fields_has(f, "value"))
        decode_statistic(v, f);
    else if (!*missing)
        fields_fail(f, "missing", ERR_BAD_REQUEST, "gives no reason");
    else
        v->missing = text_format("%s%s%s", missing, *text_of(f->object, "say") ? ": " : "", text_of(f->object, "say"));
    if (v->missing)
        text_clean(v->missing, strlen(v->missing));
}

static void decode_metrics(struct msg_part *p, const struct fields *f)
{
    json_t *all = fields_has(f, "metrics") ? fields_object(f, "metrics", CAP_METRICS) : NULL, *value;
    const char *name;
    p->metrics = mem_new(json_object_size(all), sizeof *p->metrics);
    json_object_foreach(all, name, value) {
        struct fields one = fields_enter(f, value, "metrics.%s", name);
        decode_value(&p->metrics[p->n_metrics++], &one, name);
    }
}

static void decode_series(struct msg_part *p, const struct fields *f)
{
    json_t *all = fields_has(f, "series") ? fields_object(f, "series", CAP_METRICS) : NULL, *value;
    struct fields inside = fields_enter(f, all ? all : f->object, "series");
    const char *name;
    p->series = mem_new(json_object_size(all), sizeof *p->series);
    json_object_foreach(all, name, value) {
        json_t *list = fields_array(&inside, name, CAP_NUMBERS);
        struct msg_series *s = &p->series[p->n_series++];
        text_copy_clean(s->name, sizeof s->name, name);
        s->values = mem_new(json_array_size(list), sizeof *s->values);
        for (size_t i = 0; i < json_array_size(list); i++) {
            if (!json_is_number(json_array_get(list, i)))
                fields_fail(&inside, name, ERR_BAD_REQUEST, "must hold numbers only");
            s->values[s->n++] = json_number_value(json_array_get(list, i));
        }
    }
}

int msg_part_decode(struct msg_part *out, const json_t *msg, struct err *err)
{
    struct fields_state state = {.err = err};
    struct fields f = fields_open(&state, msg);
    struct msg_part p = {.variant = -1};
    const char *probe = fields_string(&f, "probe");
    int found = wire_probe_find(probe);
    if (found < 0)
        fields_fail(&f, "probe", ERR_BAD_REQUEST, "is unknown: \"%.64s\"", probe);
    p.probe = found < 0 ? 0 : found;
    if (fields_has(&f, "id")) /* recorded evidence has none */
        p.id = fields_whole(&f, "id", 0, FIELDS_WHOLE_MAX - 1);
    if (fields_has(&f, "item"))
        p.item = (int)fields_whole(&f, "item", 0, CAP_ITEMS - 1);
    if (fields_has(&f, "variant"))
        p.variant = (int)fields_whole(&f, "variant", -1, CAP_VARIANTS - 1);
    text_copy_clean(p.run, sizeof p.run, text_of(f.object, "run"));
    text_copy_clean(p.tier, sizeof p.tier, text_of(f.object, "tier"));
    decode_metrics(&p, &f);
    decode_series(&p, &f);
    p.lines = texts_of(&p.n_lines, &f, "lines");
    p.notes = texts_of(&p.n_notes, &f, "notes");
    if (state.code)
        msg_part_free(&p);
    *out = p;
    return state.code;
}

static json_t *encode_missing(const char *why)
{
    json_t *o = json_object();
    const char *colon = why ? strstr(why, ": ") : NULL;
    char code[64];
    snprintf(code, sizeof code, "%.*s", colon ? (int)(colon - why) : 63, why ? why : "unknown");
    set_text(o, "missing", *code ? code : "unknown");
    set_text(o, "say", colon ? colon + 2 : NULL);
    return o;
}

static json_t *encode_value(const struct msg_value *v)
{
    if (!v->present)
        return encode_missing(v->missing);
    if (!isfinite(v->value) || !isfinite(v->low) || !isfinite(v->high))
        return encode_missing("not-finite: the measurement gave no number");
    const struct metric *m = metric_find(v->name);
    json_t *o = json_object();
    set(o, "value", json_real(v->value));
    set(o, "unit", json_string(m ? m->unit : "1"));
    if (v->low != v->value || v->high != v->value) {
        set(o, "low", json_real(v->low));
        set(o, "high", json_real(v->high));
    }
    if (v->n > 0)
        set(o, "n", json_integer(v->n));
    return o;
}

static json_t *encode_numbers(const struct msg_series *s)
{
    json_t *list = json_array();
    for (int i = 0; i < s->n; i++)
        json_array_append_new(list, json_real(isfinite(s->values[i]) ? s->values[i] : 0));
    return list;
}

/* A series with a hole in it is not shown as one with a zero. */
static bool all_finite(const struct msg_series *s)
{
    for (int i = 0; i < s->n; i++)
        if (!isfinite(s->values[i]))
            return false;
    return true;
}

json_t *msg_part_encode(const struct msg_part *p)
{
    json_t *o = json_pack("{s:s, s:I, s:i, s:s}", "type", "part", "id", (json_int_t)p->id, "item", p->item, "probe",
                          wire_probe_name(p->probe));
    json_t *metrics = json_object(), *series = json_object();
    for (int i = 0; i < p->n_metrics; i++)
        set(metrics, p->metrics[i].name, encode_value(&p->metrics[i]));
    for (int i = 0; i < p->n_series; i++)
        if (all_finite(&p->series[i]))
            set(series, p->series[i].name, encode_numbers(&p->series[i]));
    set_text(o, "run", p->run);
    set_text(o, "tier", p->tier);
    if (p->variant >= 0)
        set(o, "variant", json_integer(p->variant));
    set(o, "metrics", metrics);
    set(o, "series", series);
    set(o, "lines", encode_texts(p->lines, p->n_lines));
    set(o, "notes", encode_texts(p->notes, p->n_notes));
    return o;
}

void msg_part_copy(struct msg_part *to, const struct msg_part *from)
{
    *to = *from;
    to->metrics = mem_new((size_t)from->n_metrics, sizeof *to->metrics);
    for (int i = 0; i < from->n_metrics; i++) {
        to->metrics[i] = from->metrics[i];
        to->metrics[i].missing = from->metrics[i].missing ? text_dup(from->metrics[i].missing) : NULL;
    }
    to->series = mem_new((size_t)from->n_series, sizeof *to->series);
    for (int i = 0; i < from->n_series; i++) {
        to->series[i] = from->series[i];
        to->series[i].values = mem_new((size_t)from->series[i].n, sizeof(double));
        if (from->series[i].n)
            memcpy(to->series[i].values, from->series[i].values, (size_t)from->series[i].n * sizeof(double));
    }
    to->lines = mem_new((size_t)from->n_lines, sizeof *to->lines);
    for (int i = 0; i < from->n_lines; i++)
        to->lines[i] = text_dup(from->lines[i]);
    to->notes = mem_new((size_t)from->n_notes, sizeof *to->notes);
    for (int i = 0; i < from->n_notes; i++)
        to->notes[i] = text_dup(from->notes[i]);
}

void msg_part_free(struct msg_part *p)
{
    if (!p)
        return;
    for (int i = 0; i < p->n_metrics; i++)
        free(p->metrics[i].missing);
    for (int i = 0; i < p->n_series; i++)
        free(p->series[i].values);
    free(p->metrics);
    free(p->series);
    free_texts(p->lines, p->n_lines);
    free_texts(p->notes, p->n_notes);
    *p = (struct msg_part){0};
}

const struct msg_value *msg_part_value(const struct msg_part *p, const char *metric)
{
    for (int i = 0; i < p->n_metrics; i++)
        if (!strcmp(p->metrics[i].name, metric))
            return &p->metrics[i];
    return NULL;
}

bool msg_part_note(const struct msg_part *p, const char *note)
{
    for (int i = 0; i < p->n_notes; i++)
        if (!strcmp(p->notes[i], note))
            return true;
    return false;
}

/* ---- device ---- */

/* Plain numbers (attributes), or objects of value and unit (ceilings); others are left out. */
static struct msg_number *decode_numbers(int *n, const json_t *object)
{
    struct msg_number *out = mem_new(json_object_size(object), sizeof *out);
    json_t *all = (json_t *)(uintptr_t)object, *value;
    const char *name;
    json_object_foreach(all, name, value) {
        json_t *number = json_is_object(value) ? json_object_get(value, "value") : value;
        if (!json_is_number(number) || *n >= CAP_METRICS)
            continue;
        struct msg_number *slot = &out[(*n)++];
        text_copy_clean(slot->name, sizeof slot->name, name);
        text_copy_clean(slot->unit, sizeof slot->unit, text_of(value, "unit"));
        slot->value = json_number_value(number);
    }
    return out;
}

static void decode_tiers(struct msg_device *d, json_t *all)
{
    const char *name;
    json_t *value;
    d->tiers = mem_new(json_object_size(all), sizeof *d->tiers);
    json_object_foreach(all, name, value) {
        int probe = wire_probe_find(name);
        if (probe < 0)
            continue;
        struct msg_tier *t = &d->tiers[d->n_tiers++];
        t->probe = probe;
        t->ok = json_is_true(json_object_get(value, "ok"));
        t->missing = optional_text(value, "missing");
        t->say = optional_text(value, "say");
        t->remedy = optional_text(value, "remedy");
    }
}

static bool has_field(const char *name)
{
    return !strcmp(name, "driver") || !strcmp(name, "nvrtc") || !strcmp(name, "cupti");
}

static void decode_software(struct msg_device *d, const json_t *software)
{
    const char *name;
    json_t *value;
    d->software = mem_new(json_object_size(software), sizeof *d->software);
    json_object_foreach((json_t *)software, name, value) {
        if (has_field(name) || !json_is_string(value) || d->n_software == CAP_SOFTWARE)
            continue;
        struct msg_software *s = &d->software[d->n_software++];
        text_copy_clean(s->name, sizeof s->name, name);
        text_copy_clean(s->text, sizeof s->text, json_string_value(value));
    }
}

static void decode_origin(struct msg_device *d, const char *text)
{
    size_t n = sizeof d->origin - 1;
    if (strlen(text) == n && strspn(text, "0123456789abcdef") == n)
        memcpy(d->origin, text, n);
}

/* Files are named by the slug. A device may be without one. */
static void decode_slug(struct msg_device *d, const struct fields *f, const char *slug)
{
    size_t n = strlen(slug);
    if (n >= sizeof d->slug || strspn(slug, "abcdefghijklmnopqrstuvwxyz0123456789-._") != n ||
        (n && path_name_fault(slug)))
        fields_fail(f, "gpu.slug", ERR_BAD_REQUEST,
                    "is no plain name of at most %zu characters a-z 0-9 - . _", sizeof d->slug - 1);
    else
        memcpy(d->slug, slug, n + 1);
}

/* A list of names, as words. */
static void decode_wall(char *out, size_t size, const json_t *names)
{
    size_t i, used = 0;
    json_t *name;
    json_array_foreach(names, i, name) {
        char word[16];
        text_copy_clean(word, sizeof word, json_is_string(name) ? json_string_value(name) : "");
        if (*word && used + strlen(word) + 2 < size)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? " " : "", word);
    }
}

static void decode_walls(struct msg_walls *w, const json_t *walls)
{
    w->known = json_is_object(walls);
    decode_wall(w->compiler, sizeof w->compiler, json_object_get(walls, "compiler"));
    decode_wall(w->worker, sizeof w->worker, json_object_get(walls, "worker"));
}

int msg_device_decode(struct msg_device *out, const json_t *msg, struct err *err)
{
    struct fields_state state = {.err = err};
    struct fields f = fields_open(&state, msg);
    struct msg_device d = {0};
    json_t *gpu = fields_object(&f, "gpu", CAP_TEXTS), *software = json_object_get(f.object, "software");
    if (fields_has(&f, "id"))
        d.id = fields_whole(&f, "id", 0, FIELDS_WHOLE_MAX - 1);
    text_copy_clean(d.name, sizeof d.name, text_of(gpu, "name"));
    decode_slug(&d, &f, text_of(gpu, "slug"));
    text_copy_clean(d.uuid, sizeof d.uuid, text_of(gpu, "uuid"));
    decode_origin(&d, text_of(f.object, "origin"));
    text_copy_clean(d.driver, sizeof d.driver, text_of(software, "driver"));
    text_copy_clean(d.nvrtc, sizeof d.nvrtc, text_of(software, "nvrtc"));
    text_copy_clean(d.cupti, sizeof d.cupti, text_of(software, "cupti"));
    decode_software(&d, software);
    decode_walls(&d.walls, json_object_get(f.object, "walls"));
    d.attributes = decode_numbers(&d.n_attributes, json_object_get(gpu, "attributes"));
    d.ceilings = decode_numbers(&d.n_ceilings, json_object_get(f.object, "ceilings"));
    decode_tiers(&d, json_object_get(f.object, "tiers"));
    d.throttle = texts_of(&d.n_throttle, &f, "throttle");
    if (state.code)
        msg_device_free(&d);
    *out = d;
    return state.code;
}

static json_t *encode_gpu(const struct msg_device *d)
{
    json_t *o = json_object(), *attributes = json_object();
    for (int i = 0; i < d->n_attributes; i++)
        if (isfinite(d->attributes[i].value))
            set(attributes, d->attributes[i].name, json_real(d->attributes[i].value));
    set_text(o, "name", d->name);
    set_text(o, "slug", d->slug);
    set_text(o, "uuid", d->uuid);
    set(o, "attributes", attributes);
    return o;
}

static json_t *encode_tier(const struct msg_tier *t)
{
    json_t *o = json_object();
    if (t->ok)
        set(o, "ok", json_true());
    else
        set_text(o, "missing", t->missing ? t->missing : "unknown");
    set_text(o, "say", t->say);
    set_text(o, "remedy", t->remedy);
    return o;
}

json_t *msg_device_encode(const struct msg_device *d)
{
    json_t *o = json_pack("{s:s, s:I}", "type", "device", "id", (json_int_t)d->id);
    json_t *software = json_object(), *tiers = json_object(), *ceilings = json_object();
    set_text(software, "driver", d->driver);
    set_text(software, "nvrtc", d->nvrtc);
    set_text(software, "cupti", d->cupti);
    for (int i = 0; i < d->n_software; i++)
        set(software, d->software[i].name, json_string(d->software[i].text)); /* "": looked for, not there */
    for (int i = 0; i < d->n_tiers; i++)
        set(tiers, wire_probe_name(d->tiers[i].probe), encode_tier(&d->tiers[i]));
    for (int i = 0; i < d->n_ceilings; i++)
        if (isfinite(d->ceilings[i].value))
            set(ceilings, d->ceilings[i].name,
                json_pack("{s:f, s:s}", "value", d->ceilings[i].value, "unit", d->ceilings[i].unit));
    set_text(o, "origin", d->origin);
    set(o, "gpu", encode_gpu(d));
    set(o, "software", software);
    set(o, "tiers", tiers);
    set(o, "ceilings", ceilings);
    set(o, "throttle", encode_texts(d->throttle, d->n_throttle));
    return o;
}

void msg_device_free(struct msg_device *d)
{
    if (!d)
        return;
    for (int i = 0; i < d->n_tiers; i++) {
        free(d->tiers[i].missing);
        free(d->tiers[i].say);
        free(d->tiers[i].remedy);
    }
    free(d->tiers);
    free(d->attributes);
    free(d->ceilings);
    free(d->software);
    free_texts(d->throttle, d->n_throttle);
    *d = (struct msg_device){0};
}

static bool find_number(const struct msg_number *list, int n, const char *name, double *out)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(list[i].name, name)) {
            *out = list[i].value;
            return true;
        }
    return false;
}

bool msg_device_number(const struct msg_device *d, const char *name, double *out)
{
    return find_number(d->attributes, d->n_attributes, name, out);
}

bool msg_device_ceiling(const struct msg_device *d, const char *name, double *out)
{
    return find_number(d->ceilings, d->n_ceilings, name, out);
}

/* ---- done ---- */

int msg_done_decode(struct msg_done *out, const json_t *msg, struct err *err)
{
    struct fields_state state = {.err = err};
    struct fields f = fields_open(&state, msg);
    struct msg_done d = {0};
    const json_t *error = json_object_get(f.object, "error");
    d.has_id = json_is_integer(json_object_get(f.object, "id"));
    if (d.has_id)
        d.id = fields_whole(&f, "id", 0, FIELDS_WHOLE_MAX - 1);
    d.status = fields_choice(&f, "status", status_names, 4);
    if (json_is_object(error)) {
        d.code = err_from_name(text_of(error, "code"));
        text_copy_clean(d.call, sizeof d.call, text_of(error, "call"));
        text_copy_clean(d.where, sizeof d.where, text_of(error, "where"));
        d.text = optional_text(error, "text");
        d.remedy = optional_text(error, "remedy");
    }
    d.log = optional_text(f.object, "log");
    if (state.code)
        msg_done_free(&d);
    *out = d;
    return state.code;
}

json_t *msg_done_encode(const struct msg_done *d)
{
    json_t *o = json_pack("{s:s, s:o, s:s}", "type", "done", "id", d->has_id ? json_integer(d->id) : json_null(),
                          "status", status_names[d->status]);
    if (d->code) {
        json_t *error = json_object();
        set_text(error, "code", err_name(d->code));
        set_text(error, "call", d->call);
        set_text(error, "where", d->where);
        set_text(error, "text", d->text);
        set_text(error, "remedy", d->remedy);
        set(o, "error", error);
    }
    char *log = dup_clean(d->log ? d->log : "");
    set(o, "log", json_string(log));
    free(log);
    return o;
}

void msg_done_free(struct msg_done *d)
{
    if (!d)
        return;
    free(d->text);
    free(d->remedy);
    free(d->log);
    *d = (struct msg_done){0};
}
