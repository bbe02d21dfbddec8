/* The codec of evidence. Decoding is lenient, so that a newer runner may say more, and
 * text is cleaned, for it ends on a terminal. */
#include "kernels/wire/message_part.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/message_names.h"
#include "kernels/wire/text.h"

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
