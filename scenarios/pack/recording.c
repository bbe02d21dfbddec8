#include "scenarios/pack/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/codec.h"
#include "kernels/wire/text.h"

enum { RECORDING_FORMAT = 1, ITEMS_MOST = 16384, METHOD_MOST = 1000000 };

static int item_decode(struct recording *r, const json_t *item, const char *path, struct err *err)
{
    const char *key = json_string_value(json_object_get(item, "key"));
    const json_t *part = json_object_get(item, "part");
    if (!key || strlen(key) != 64 || strspn(key, "0123456789abcdef") != 64 || !json_is_object(part))
        return err_set(err, ERR_BAD_REQUEST, "%s: item %d needs a `key` of 64 digits and a `part`",
                       path, r->n_items + 1);
    struct err why = {0};
    int rc = msg_part_decode(&r->items[r->n_items].part, part, &why);
    memcpy(r->items[r->n_items++].key, key, 65);
    return rc ? err_set(err, rc, "%s: item %d: %s", path, r->n_items, why.text) : 0;
}

bool recording_when_ok(const char *text)
{
    static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
    size_t n = strlen(text);
    for (size_t i = 0; i < n && i < sizeof form; i++)
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    return n == 10 || n == 20;
}

static void take_when(char out[21], const char *text)
{
    if (recording_when_ok(text))
        snprintf(out, 21, "%s", text);
}

static int fail_format(long long format, const char *path, struct err *err)
{
    char words[160];
    files_format(words, sizeof words, format, RECORDING_FORMAT, RECORDING_FORMAT);
    return err_set(err, ERR_VERSION, "%s: recorded evidence of %s", path, words);
}

static int recording_fill(struct recording *r, json_t *root, const char *path, struct err *err)
{
    const json_t *items = json_object_get(root, "items");
    if (json_integer_value(json_object_get(root, "format")) != RECORDING_FORMAT)
        return fail_format(json_integer_value(json_object_get(root, "format")), path, err);
    if (!json_is_array(items))
        return err_set(err, ERR_BAD_REQUEST, "%s: recorded evidence needs a list of `items`", path);
    if (json_array_size(items) > ITEMS_MOST)
        return err_set(err, ERR_TOO_LARGE,
                       "%s: recorded evidence of %zu items; at most %d were expected", path,
                       json_array_size(items), ITEMS_MOST);
    json_int_t method = json_integer_value(json_object_get(root, "method"));
    if (method < 0 || method > METHOD_MOST)
        return err_set(err, ERR_BAD_REQUEST,
                       "%s: `method` is %lld; the number of a measuring method was expected", path,
                       (long long)method);
    r->method = (int)method;
    text_copy_clean(r->recorded, sizeof r->recorded, codec_text_of(root, "recorded"));
    take_when(r->at, codec_text_of(root, "recorded"));
    take_when(r->since, codec_text_of(root, "since"));
    text_copy_clean(r->version, sizeof r->version, codec_text_of(root, "version"));
    text_copy_clean(r->made_by, sizeof r->made_by, codec_text_of(root, "made_by"));
    text_copy_clean(r->tier, sizeof r->tier, codec_text_of(root, "tier"));
    json_object_set_new(root, "type", json_string("device"));
    json_object_set_new(root, "id", json_integer(0));
    struct err why = {0};
    int rc = msg_device_decode(&r->device, root, &why);
    if (rc)
        return err_set(err, rc, "%s: %s", path, why.text);
    r->items = mem_new(json_array_size(items), sizeof *r->items);
    for (size_t i = 0; rc == 0 && i < json_array_size(items); i++)
        rc = item_decode(r, json_array_get(items, i), path, err);
    return rc;
}

int recording_decode(struct recording **out, const char *text, size_t len, const char *path,
                     struct err *err)
{
    json_error_t where;
    json_t *root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &where);
    if (!json_is_object(root)) {
        json_decref(root);
        return err_set(err, ERR_BAD_REQUEST, "%s:%d:%d: %s", path, root ? 1 : where.line,
                       root ? 1 : where.column,
                       root ? "recorded evidence must be an object" : where.text);
    }
    struct recording *r = mem_new(1, sizeof *r);
    int rc = recording_fill(r, root, path, err);
    json_decref(root);
    if (rc) {
        recording_free(r);
        return rc;
    }
    *out = r;
    return 0;
}

/* A part without what only its place in one conversation meant, and without empty lists. */
static json_t *kept_part(const struct msg_part *part)
{
    static const char *const of_the_request[] = {"type", "id", "item", "variant"};
    static const char *const lists[] = {"lines", "notes", "series"};
    json_t *obj = msg_part_encode(part);
    for (size_t i = 0; i < sizeof of_the_request / sizeof *of_the_request; i++)
        json_object_del(obj, of_the_request[i]);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const json_t *list = json_object_get(obj, lists[i]);
        if (json_array_size(list) == 0 && json_object_size(list) == 0)
            json_object_del(obj, lists[i]);
    }
    return obj;
}

json_t *recording_encode(const struct recording *r)
{
    json_t *root = msg_device_encode(&r->device);
    static const char *const of_the_moment[] = {"type", "id", "tiers", "throttle"};
    for (size_t i = 0; i < sizeof of_the_moment / sizeof *of_the_moment; i++)
        json_object_del(root, of_the_moment[i]);
    json_t *items = json_array();
    for (int i = 0; i < r->n_items; i++) {
        json_array_append_new(items, json_pack("{s:s, s:o}", "key", r->items[i].key, "part",
                                               kept_part(&r->items[i].part)));
    }
    json_object_set_new(root, "format", json_integer(RECORDING_FORMAT));
    json_object_set_new(root, "method", json_integer(r->method));
    json_object_set_new(root, "recorded", json_string(*r->at ? r->at : r->recorded));
    if (*r->since)
        json_object_set_new(root, "since", json_string(r->since));
    if (*r->version)
        json_object_set_new(root, "version", json_string(r->version));
    if (*r->made_by)
        json_object_set_new(root, "made_by", json_string(r->made_by));
    if (*r->tier)
        json_object_set_new(root, "tier", json_string(r->tier));
    json_object_set_new(root, "items", items);
    return root;
}

struct msg_part *recording_append(struct recording *r, const char *key, const struct msg_part *part)
{
    r->items = mem_grow(r->items, (size_t)r->n_items + 1, sizeof *r->items);
    memcpy(r->items[r->n_items].key, key, 65);
    msg_part_copy(&r->items[r->n_items].part, part);
    return &r->items[r->n_items++].part;
}

void recording_free(struct recording *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->n_items; i++)
        msg_part_free(&r->items[i].part);
    free(r->items);
    msg_device_free(&r->device);
    free(r);
}

const struct msg_part *recording_find(const struct recording *r, const char *key, const char *run)
{
    for (int i = 0; i < r->n_items; i++)
        if (!strcmp(r->items[i].key, key) && !strcmp(r->items[i].part.run, run))
            return &r->items[i].part;
    return NULL;
}
