/* The codec of a device. Decoding is lenient, so that a newer runner may say more, and
 * text is cleaned, for it ends on a terminal. */
#include "kernels/wire/message_device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/wire/message_names.h"
#include "kernels/wire/path.h"
#include "kernels/wire/text.h"

enum { CAP_SOFTWARE = 32 };

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
