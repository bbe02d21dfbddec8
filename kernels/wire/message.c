/* The messages that come back: decoding is lenient, so that a newer runner may say more. Text is
 * cleaned on the way in, for it ends on a terminal. */
#include "kernels/wire/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/codec.h"
#include "kernels/wire/message_names.h"
#include "kernels/wire/path.h"
#include "kernels/wire/text.h"

enum { CAP_METRICS = 512, CAP_TEXTS = 4096, CAP_SOFTWARE = 32 };

static const char *const status_names[] = {"ok", "partial", "cancelled", "failed"};

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
    const char *unit = codec_text_of(f->object, "unit");
    if (m && *unit && strcmp(unit, m->unit))
        fields_fail(f, "unit", ERR_BAD_REQUEST, "is %.16s, %s is in %s", unit, m->name, m->unit);
}

static bool decode_value(void *slot, const struct fields *metrics, const char *name, json_t *value)
{
    struct msg_value *v = slot;
    struct fields in = fields_enter(metrics, value, "%s", name), *f = &in;
    const char *missing = codec_text_of(in.object, "missing");
    const char *say = codec_text_of(in.object, "say");
    text_copy_clean(v->name, sizeof v->name, name);
    if (fields_has(f, "value") == fields_has(f, "missing"))
        fields_fail(f, NULL, ERR_BAD_REQUEST,
                    "must have either a value or a reason why it is missing");
    else if (fields_has(f, "value"))
        decode_statistic(v, f);
    else if (!*missing)
        fields_fail(f, "missing", ERR_BAD_REQUEST, "gives no reason");
    else
        v->missing = text_format("%s%s%s", missing, *say ? ": " : "", say);
    if (v->missing)
        text_clean(v->missing, strlen(v->missing));
    return true;
}

static bool decode_series(void *slot, const struct fields *f, const char *name, json_t *value)
{
    struct msg_series *s = slot;
    json_t *list = fields_array(f, name, CAP_NUMBERS);
    size_t i;
    text_copy_clean(s->name, sizeof s->name, name);
    s->values = mem_new(json_array_size(list), sizeof *s->values);
    json_array_foreach(list, i, value) {
        if (!json_is_number(value))
            fields_fail(f, name, ERR_BAD_REQUEST, "must hold numbers only");
        s->values[s->n++] = json_number_value(value);
    }
    return true;
}

static json_t *encode_missing(const char *why)
{
    json_t *o = json_object();
    const char *colon = why ? strstr(why, ": ") : NULL;
    char code[64];
    snprintf(code, sizeof code, "%.*s", colon ? (int)(colon - why) : 63, why ? why : "unknown");
    set(o, "missing", *code ? codec_write_text(code) : json_string("unknown"));
    if (colon && colon[2])
        set(o, "say", codec_write_text(colon + 2));
    return o;
}

static json_t *encode_value(const void *slot)
{
    const struct msg_value *v = slot;
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

/* A series with a hole in it is not shown as one with a zero. */
static json_t *encode_series(const void *slot)
{
    const struct msg_series *s = slot;
    json_t *list = json_array();
    for (int i = 0; i < s->n; i++)
        json_array_append_new(list, json_real(s->values[i])); /* only finite ones are appended */
    if (json_array_size(list) == (size_t)s->n)
        return list;
    json_decref(list);
    return NULL;
}

static bool decode_probe(void *slot, const struct fields *f, const char *key, json_t *value)
{
    (void)value;
    const char *name = fields_string(f, key);
    int found = wire_probe_find(name);
    if (found < 0)
        fields_fail(f, key, ERR_BAD_REQUEST, "is unknown: \"%.64s\"", name);
    else
        *(enum wire_probe *)slot = found;
    return true;
}

static json_t *encode_probe(const void *slot)
{
    return json_string(wire_probe_name(*(const enum wire_probe *)slot));
}

const struct row_own probe_own = {.read = decode_probe, .write = encode_probe};
static const struct row_own value_own = {.read = decode_value, .write = encode_value};
static const struct row_own series_own = {.read = decode_series, .write = encode_series};

static const struct row value_rows[] = {
    {"missing", ROW_OWNED, ROW_OPTIONAL, MEMBER(struct msg_value, missing)},
};
static const struct codec value_codec = {CODEC(struct msg_value, value_rows)};

static const struct row series_rows[] = {
    {NULL, ROW_HELD, COUNTED(struct msg_series, values, n)},
};
static const struct codec series_codec = {CODEC(struct msg_series, series_rows)};

/* Recorded evidence has no id. */
static const struct row part_rows[] = {
    {"id", ROW_WHOLE, ROW_WRITTEN, MEMBER(struct msg_part, id), .high = FIELDS_WHOLE_MAX - 1},
    {"item", ROW_WHOLE, ROW_WRITTEN, MEMBER(struct msg_part, item), .high = CAP_ITEMS - 1},
    {"probe", ROW_OWN, MEMBER(struct msg_part, probe), .own = &probe_own},
    {"run", ROW_TEXT, ROW_OPTIONAL, MEMBER(struct msg_part, run)},
    {"tier", ROW_TEXT, ROW_OPTIONAL, MEMBER(struct msg_part, tier)},
    {"variant", ROW_WHOLE, ROW_OPTIONAL, MEMBER(struct msg_part, variant),
     .low = -1, .high = CAP_VARIANTS - 1, .absent = -1},
    {"metrics", ROW_MAP, ROW_WRITTEN, COUNTED(struct msg_part, metrics, n_metrics),
     .high = CAP_METRICS, .of = &value_codec, .own = &value_own},
    {"series", ROW_MAP, ROW_WRITTEN, COUNTED(struct msg_part, series, n_series),
     .high = CAP_METRICS, .of = &series_codec, .own = &series_own},
    {"lines", ROW_TEXTS, ROW_WRITTEN, COUNTED(struct msg_part, lines, n_lines), .high = CAP_TEXTS},
    {"notes", ROW_TEXTS, ROW_WRITTEN, COUNTED(struct msg_part, notes, n_notes), .high = CAP_TEXTS},
};
static const struct codec part_codec = {CODEC(struct msg_part, part_rows), .type = "part"};

int msg_part_decode(struct msg_part *out, const json_t *msg, struct err *err)
{
    return codec_read(out, &part_codec, msg, err);
}

json_t *msg_part_encode(const struct msg_part *p)
{
    return codec_write(p, &part_codec);
}

void msg_part_copy(struct msg_part *to, const struct msg_part *from)
{
    codec_copy(to, from, &part_codec);
}

void msg_part_free(struct msg_part *p)
{
    codec_free(p, &part_codec);
}

const struct msg_value *msg_part_value(const struct msg_part *p, const char *metric)
{
    for (int i = 0; i < p->n_metrics; i++)
        if (!strcmp(p->metrics[i].name, metric))
            return &p->metrics[i];
    return NULL;
}

const struct msg_value *msg_part_time(const struct msg_part *p)
{
    return p->probe == PROBE_TIMING      ? msg_part_value(p, "time")
           : p->probe == PROBE_BENCHMARK ? msg_part_value(p, "reported_time")
                                         : NULL;
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
static bool decode_number(void *slot, const struct fields *f, const char *name, json_t *value)
{
    struct msg_number *n = slot;
    json_t *number = json_is_object(value) ? json_object_get(value, "value") : value;
    (void)f;
    if (!json_is_number(number))
        return false;
    text_copy_clean(n->name, sizeof n->name, name);
    text_copy_clean(n->unit, sizeof n->unit, codec_text_of(value, "unit"));
    n->value = json_number_value(number);
    return true;
}

static json_t *encode_attribute(const void *slot)
{
    const struct msg_number *n = slot;
    return isfinite(n->value) ? json_real(n->value) : NULL;
}

static json_t *encode_ceiling(const void *slot)
{
    const struct msg_number *n = slot;
    return isfinite(n->value) ? json_pack("{s:f, s:s}", "value", n->value, "unit", n->unit) : NULL;
}

static const struct row tier_rows[] = {
    {"ok", ROW_BOOL, ROW_OPTIONAL, MEMBER(struct msg_tier, ok)},
    {"missing", ROW_OWNED, ROW_OPTIONAL, MEMBER(struct msg_tier, missing)},
    {"say", ROW_OWNED, ROW_OPTIONAL, MEMBER(struct msg_tier, say)},
    {"remedy", ROW_OWNED, ROW_OPTIONAL, MEMBER(struct msg_tier, remedy)},
};
static const struct codec tier_codec = {CODEC(struct msg_tier, tier_rows)};

static bool decode_tier(void *slot, const struct fields *f, const char *name, json_t *value)
{
    struct msg_tier *t = slot;
    struct fields one = fields_enter(f, json_is_object(value) ? value : NULL, "%s", name);
    int probe = wire_probe_find(name);
    if (probe < 0)
        return false;
    t->probe = probe;
    codec_take(t, &tier_codec, &one);
    return true;
}

/* A tier is there, or there is a reason why not. */
static json_t *encode_tier(const void *slot)
{
    struct msg_tier t = *(const struct msg_tier *)slot;
    char unknown[] = "unknown";
    t.missing = t.ok ? NULL : t.missing ? t.missing : unknown;
    return codec_write(&t, &tier_codec);
}

static const char *tier_name(const void *slot)
{
    return wire_probe_name(((const struct msg_tier *)slot)->probe);
}

static bool has_field(const char *name)
{
    return !strcmp(name, "driver") || !strcmp(name, "nvrtc") || !strcmp(name, "cupti");
}

static bool decode_software(void *slot, const struct fields *f, const char *name, json_t *value)
{
    struct msg_software *s = slot;
    (void)f;
    if (has_field(name) || !json_is_string(value))
        return false;
    text_copy_clean(s->name, sizeof s->name, name);
    text_copy_clean(s->text, sizeof s->text, json_string_value(value));
    return true;
}

/* "": looked for, not there. */
static json_t *encode_software(const void *slot)
{
    return json_string(((const struct msg_software *)slot)->text);
}

static bool decode_origin(void *slot, const struct fields *f, const char *key, json_t *value)
{
    const char *text = codec_text_of(f->object, key);
    size_t n = sizeof((struct msg_device *)NULL)->origin - 1;
    (void)value;
    if (strlen(text) == n && strspn(text, "0123456789abcdef") == n)
        memcpy(slot, text, n);
    return true;
}

/* Files are named by the slug. A device may be without one. */
static bool decode_slug(void *slot, const struct fields *f, const char *key, json_t *value)
{
    const char *slug = codec_text_of(f->object, key);
    size_t n = strlen(slug), size = sizeof((struct msg_device *)NULL)->slug;
    (void)value;
    if (n >= size || strspn(slug, "abcdefghijklmnopqrstuvwxyz0123456789-._") != n ||
        (n && path_name_fault(slug)))
        fields_fail(f, key, ERR_BAD_REQUEST,
                    "is no plain name of at most %zu characters a-z 0-9 - . _", size - 1);
    else
        memcpy(slot, slug, n + 1);
    return true;
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

static bool decode_walls(void *slot, const struct fields *f, const char *key, json_t *walls)
{
    struct msg_walls *w = slot;
    (void)f, (void)key;
    w->known = json_is_object(walls);
    decode_wall(w->compiler, sizeof w->compiler, json_object_get(walls, "compiler"));
    decode_wall(w->worker, sizeof w->worker, json_object_get(walls, "worker"));
    return true;
}

static bool decode_links(void *slot, const struct fields *f, const char *key, json_t *links)
{
    struct err why = {0};
    int rc = json_is_null(links) ? 0 : links_decode(slot, links, &why);
    if (rc)
        fields_fail(f, key, rc, "cannot be read: %s", why.text);
    return true;
}

static json_t *encode_links(const void *slot)
{
    return links_encode(slot);
}

static const struct row_own attribute_own = {.read = decode_number, .write = encode_attribute};
static const struct row_own ceiling_own = {.read = decode_number, .write = encode_ceiling};
static const struct row_own tier_own = {
    .read = decode_tier, .write = encode_tier, .name = tier_name,
};
static const struct row_own software_own = {.read = decode_software, .write = encode_software};
static const struct row_own origin_own = {.read = decode_origin, .write = codec_write_text};
static const struct row_own slug_own = {.read = decode_slug, .write = codec_write_text};
static const struct row_own links_own = {.read = decode_links, .write = encode_links};
/* The supervisor tells of walls, not the worker. */
static const struct row_own walls_own = {.read = decode_walls};

static const struct row gpu_rows[] = {
    {"name", ROW_TEXT, ROW_OPTIONAL, MEMBER(struct msg_device, name)},
    {"slug", ROW_OWN, ROW_OPTIONAL, MEMBER(struct msg_device, slug), .own = &slug_own},
    {"uuid", ROW_TEXT, ROW_OPTIONAL, MEMBER(struct msg_device, uuid)},
    {"attributes", ROW_MAP, ROW_WRITTEN, COUNTED(struct msg_device, attributes, n_attributes),
     .high = CAP_METRICS, .cut = true, .own = &attribute_own},
};
static const struct codec gpu_codec = {CODEC(struct msg_device, gpu_rows)};

static const struct row software_rows[] = {
    {"driver", ROW_TEXT, ROW_OPTIONAL, MEMBER(struct msg_device, driver)},
    {"nvrtc", ROW_TEXT, ROW_OPTIONAL, MEMBER(struct msg_device, nvrtc)},
    {"cupti", ROW_TEXT, ROW_OPTIONAL, MEMBER(struct msg_device, cupti)},
    {NULL, ROW_MAP, COUNTED(struct msg_device, software, n_software),
     .high = CAP_SOFTWARE, .own = &software_own},
};
static const struct codec software_codec = {CODEC(struct msg_device, software_rows)};

static const struct row device_rows[] = {
    {"id", ROW_WHOLE, ROW_WRITTEN, MEMBER(struct msg_device, id), .high = FIELDS_WHOLE_MAX - 1},
    {"origin", ROW_OWN, ROW_OPTIONAL, MEMBER(struct msg_device, origin), .own = &origin_own},
    {"gpu", ROW_OBJECT, .high = CAP_TEXTS, .of = &gpu_codec},
    {"software", ROW_OBJECT, ROW_WRITTEN, .high = INT32_MAX, .of = &software_codec},
    {"tiers", ROW_MAP, ROW_WRITTEN, COUNTED(struct msg_device, tiers, n_tiers),
     .high = INT32_MAX, .cut = true, .of = &tier_codec, .own = &tier_own},
    {"ceilings", ROW_MAP, ROW_WRITTEN, COUNTED(struct msg_device, ceilings, n_ceilings),
     .high = CAP_METRICS, .cut = true, .own = &ceiling_own},
    {"throttle", ROW_TEXTS, ROW_WRITTEN, COUNTED(struct msg_device, throttle, n_throttle),
     .high = CAP_TEXTS},
    {"walls", ROW_OWN, ROW_OPTIONAL, MEMBER(struct msg_device, walls), .own = &walls_own},
    {"links", ROW_OWN, ROW_OPTIONAL, MEMBER(struct msg_device, links), .own = &links_own},
};
static const struct codec device_codec = {CODEC(struct msg_device, device_rows), .type = "device"};

int msg_device_decode(struct msg_device *out, const json_t *msg, struct err *err)
{
    return codec_read(out, &device_codec, msg, err);
}

json_t *msg_device_encode(const struct msg_device *d)
{
    return codec_write(d, &device_codec);
}

void msg_device_free(struct msg_device *d)
{
    codec_free(d, &device_codec);
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
    return find_number(d->ceilings, d->n_ceilings, name, out) ||
           links_number(&d->links, name, out);
}

/* ---- done ---- */

/* null: of no request. */
static bool decode_done_id(void *slot, const struct fields *f, const char *key, json_t *value)
{
    struct msg_done *d = slot;
    d->has_id = json_is_integer(value);
    if (d->has_id)
        d->id = fields_whole(f, key, 0, FIELDS_WHOLE_MAX - 1);
    return true;
}

static json_t *encode_done_id(const void *slot)
{
    const struct msg_done *d = slot;
    return d->has_id ? json_integer(d->id) : json_null();
}

static bool decode_code(void *slot, const struct fields *f, const char *key, json_t *value)
{
    (void)value;
    *(int *)slot = err_from_name(codec_text_of(f->object, key));
    return true;
}

static json_t *encode_code(const void *slot)
{
    int code = *(const int *)slot;
    return code ? json_string(err_name(code)) : NULL;
}

static const struct row_own done_id_own = {.read = decode_done_id, .write = encode_done_id};
static const struct row_own code_own = {.read = decode_code, .write = encode_code};

static const struct row error_rows[] = {
    {"code", ROW_OWN, MEMBER(struct msg_done, code), .own = &code_own},
    {"call", ROW_TEXT, ROW_OPTIONAL, MEMBER(struct msg_done, call)},
    {"where", ROW_TEXT, ROW_OPTIONAL, MEMBER(struct msg_done, where)},
    {"text", ROW_OWNED, ROW_OPTIONAL, MEMBER(struct msg_done, text)},
    {"remedy", ROW_OWNED, ROW_OPTIONAL, MEMBER(struct msg_done, remedy)},
};
static const struct codec error_codec = {CODEC(struct msg_done, error_rows)};

static const struct row done_rows[] = {
    {"id", ROW_OWN, ROW_WRITTEN, .own = &done_id_own},
    {"status", ROW_CHOICE, MEMBER(struct msg_done, status), .high = 4, .names = status_names},
    {"error", ROW_OBJECT, ROW_OPTIONAL, .high = INT32_MAX, .of = &error_codec},
    {"log", ROW_OWNED, ROW_WRITTEN, MEMBER(struct msg_done, log)},
};
static const struct codec done_codec = {CODEC(struct msg_done, done_rows), .type = "done"};

int msg_done_decode(struct msg_done *out, const json_t *msg, struct err *err)
{
    return codec_read(out, &done_codec, msg, err);
}

json_t *msg_done_encode(const struct msg_done *d)
{
    return codec_write(d, &done_codec);
}

void msg_done_free(struct msg_done *d)
{
    codec_free(d, &done_codec);
}
