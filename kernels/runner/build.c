#include "kernels/runner/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/cache.h"
#include "kernels/wire/text.h"

enum { CACHE_FILE_MOST = 64 << 20,
       FIRST_WITH_OWN = 90 /* architectures with instructions that they alone have */ };

int build_target_choose(struct build_target *out, int arch, const json_t *archs, const char *nvrtc,
                        struct err *err)
{
    int best = 0;
    for (size_t i = 0; i < json_array_size(archs); i++) {
        int one = (int)json_integer_value(json_array_get(archs, i));
        if (one <= arch && one > best)
            best = one;
    }
    if (best == 0)
        return err_set(err, ERR_UNSUPPORTED, "NVRTC %s compiles for no architecture up to sm_%d",
                       nvrtc, arch);
    *out = (struct build_target){.arch = best, .cubin = best == arch};
    snprintf(out->nvrtc, sizeof out->nvrtc, "%s", nvrtc);
    return 0;
}

const char *build_header(void)
{
    for (const struct embedded *e = device_text; e->name; e++)
        if (!strcmp(e->name, "warpdrill.h"))
            return e->text;
    return "";
}

/* ---- the plan ---- */

/* What is exact runs on its own architecture alone, and has all that this one has. A macro that the
 * text does not name changes nothing (a source can paste no name together), so that one build
 * serves for all its values. */
static json_t *options_for(const struct build_target *t, const struct msg_shape *s, bool exact,
                           const char *text)
{
    json_t *list = json_array();
    bool whole = exact && t->cubin && t->arch >= FIRST_WITH_OWN;
    json_array_append_new(list, json_sprintf("--gpu-architecture=%s_%d%s",
                                             t->cubin ? "sm" : "compute", t->arch,
                                             whole ? "a" : ""));
    json_array_append_new(list, json_string("-lineinfo"));
    json_array_append_new(list, json_string("--std=c++17"));
    json_array_append_new(list, json_string("-default-device"));
    if (t->cubin) /* no ptxas runs otherwise */
        json_array_append_new(list, json_string(BUILD_FIGURES));
    if (s && s->registers) /* ptxas ignores it where the source has __launch_bounds__ */
        json_array_append_new(list, json_sprintf("--maxrregcount=%d", s->registers));
    for (int i = 0; s && i < s->n_define; i++)
        if (strstr(text, s->define[i].name))
            json_array_append_new(list, json_sprintf("-D%s=%s", s->define[i].name,
                                                     s->define[i].value));
    return list;
}

/* All that the output depends on; the name is in it because line tables carry it. */
static void make_key(struct build *b, const struct build_target *t)
{
    json_t *key = json_pack("{s:i, s:s, s:s, s:s, s:O, s:s, s:s}", "format", CACHE_FORMAT, "exact",
                            t->exact, "name", b->name, "text", b->text, "options", b->options,
                            "nvrtc", t->nvrtc, "header", build_header());
    hash_json(b->key, key);
    json_decref(key);
}

/* The index of the build, which is added unless an equal one is there. */
static int add_build(struct build_plan *p, struct build b, const struct build_target *t)
{
    make_key(&b, t);
    b.cubin = t->cubin;
    for (int i = 0; i < p->n_builds; i++)
        if (!strcmp(p->builds[i].key, b.key)) {
            json_decref(b.options);
            return i;
        }
    p->builds = mem_grow(p->builds, (size_t)p->n_builds + 1, sizeof *p->builds);
    p->builds[p->n_builds] = b;
    return p->n_builds++;
}

static bool is_planned(const struct build_plan *p, const char *source, int variant)
{
    size_t i;
    json_t *use;
    json_array_foreach(p->uses, i, use) {
        const char *id = json_string_value(json_object_get(use, "source"));
        if (id && !strcmp(id, source) &&
            json_integer_value(json_object_get(use, "variant")) == variant)
            return true;
    }
    return false;
}

/* An image is finished: the driver takes it as it is. */
static int add_image(struct build_plan *p, const struct msg_source *src, const struct msg_shape *s,
                     struct build_target t)
{
    t.cubin = false;
    struct build b = {.name = src->name,
                      .text = src->image.ptx,
                      .options = json_pack("[s, i]", "image", s->registers),
                      .given = true,
                      .registers = s->registers};
    int before = p->n_builds, at = add_build(p, b, &t);
    struct build *new = &p->builds[at];
    if (at < before)
        return at;
    new->ready = true;
    new->log = text_dup("");
    new->ptx_len = new->image_len = strlen(src->image.ptx);
    new->ptx = text_ndup(src->image.ptx, new->ptx_len);
    new->image = text_ndup(src->image.ptx, new->image_len);
    return at;
}

static int add_source(struct build_plan *p, const struct msg_source *src, const struct msg_shape *s,
                      const struct build_target *t)
{
    if (src->image.ptx)
        return add_image(p, src, s, *t);
    return add_build(
        p,
        (struct build){
            .name = src->name, .text = src->text, .options = options_for(t, s, src->exact, src->text)},
        t);
}

static void plan_run(struct build_plan *p, const struct msg_measure *m, int variant,
                     const char *run, const struct build_target *t)
{
    const struct msg_shape *s = msg_shape_of(m, variant);
    const struct msg_run *r = *run ? msg_run_find(s, run) : NULL;
    for (int i = 0; r && i < r->n_launches; i++) {
        const struct msg_source *src = msg_source_find(m, r->launches[i].source);
        if (!src) /* a transfer */
            continue;
        if (is_planned(p, src->id, variant))
            continue;
        int at = add_source(p, src, s, t);
        json_array_append_new(p->uses, json_pack("{s:s, s:i, s:i}", "source", src->id, "variant",
                                                 variant, "build", at));
    }
}

static void plan_device(struct build_plan *p, const struct build_target *t)
{
    for (const struct embedded *e = device_text; e->name; e++) {
        const char *suffix = strrchr(e->name, '.');
        if (!suffix || strcmp(suffix, ".cu"))
            continue;
        struct build b = {.name = e->name,
                          .text = e->text,
                          .options = options_for(t, NULL, false, e->text),
                          .device = true};
        if (!strcmp(e->name, "instrument.cu")) /* its functions are called from other texts */
            json_array_append_new(b.options, json_string("--relocatable-device-code=true"));
        int at = add_build(p, b, t);
        json_array_append_new(p->uses, json_pack("{s:s, s:i}", "device", e->name, "build", at));
    }
}

void build_plan_make(struct build_plan *out, const struct msg_measure *m,
                     const struct build_target *t)
{
    *out = (struct build_plan){.uses = json_array()};
    plan_device(out, t);
    for (int i = 0; m && i < m->n_items; i++) {
        const struct msg_item *it = &m->items[i];
        for (int k = 0; k < it->n_runs; k++)
            plan_run(out, m, it->variant, it->runs[k], t);
        plan_run(out, m, it->variant, it->against, t);
        plan_run(out, m, it->variant, it->baseline.run, t);
    }
}

static bool is_among(int arch, const json_t *archs)
{
    for (size_t i = 0; i < json_array_size(archs); i++)
        if (json_integer_value(json_array_get(archs, i)) == arch)
            return true;
    return false;
}

void build_plan_compile(struct build_plan *out, const struct msg_compile *m,
                        const struct build_target *any, const json_t *archs)
{
    struct msg_shape shape = {.define = m->define, .n_define = m->n_define};
    struct build_target t = *any;
    t.cubin = true;
    *out = (struct build_plan){.uses = json_array()};
    for (int i = 0; i < m->n_sources; i++)
        for (int k = 0; k < m->n_arch; k++) {
            int at = -1;
            t.arch = m->arch[k];
            if (is_among(t.arch, archs)) {
                struct build b = {.name = m->sources[i].name,
                                  .text = m->sources[i].text,
                                  .options = options_for(&t, &shape, m->sources[i].exact,
                                                         m->sources[i].text)};
                at = add_build(out, b, &t);
            }
            json_array_append_new(out->uses,
                                  json_pack("{s:s, s:i, s:i}", "source", m->sources[i].id, "arch",
                                            t.arch, "build", at));
        }
}

void build_clear(struct build *b)
{
    json_decref(b->options);
    free(b->log);
    free(b->ptx);
    free(b->image);
}

void build_copy(struct build *to, const struct build *from)
{
    to->log = text_dup(from->log);
    to->ptx = text_ndup(from->ptx, from->ptx_len);
    to->ptx_len = from->ptx_len;
    to->image = text_ndup(from->image, from->image_len);
    to->image_len = from->image_len;
    to->ready = true;
}

void build_plan_free(struct build_plan *p)
{
    for (int i = 0; i < p->n_builds; i++)
        build_clear(&p->builds[i]);
    free(p->builds);
    json_decref(p->uses);
    *p = (struct build_plan){0};
}

void build_finish(struct build *b, const struct ipc_message *m)
{
    const char *log = json_string_value(json_object_get(m->head, "log"));
    b->log = text_dup(log ? log : "");
    b->ptx = text_ndup(m->blobs[0], m->lens[0]);
    b->ptx_len = m->lens[0];
    b->image = text_ndup(m->blobs[1], m->lens[1]);
    b->image_len = m->lens[1];
    b->ready = true;
}

void build_refuse(struct build *b, const struct ipc_message *m)
{
    const char *log = json_string_value(json_object_get(m->head, "log"));
    b->log = text_ndup(log ? log : "", log ? strnlen(log, CAP_LOG_BYTES) : 0);
    b->refused = true;
}

int build_plan_send(const struct build_plan *p, struct ipc *worker, json_t *head, struct err *err)
{
    struct ipc_blob *blobs = mem_new((size_t)p->n_builds * 2, sizeof *blobs);
    json_t *modules = json_array(), *use;
    size_t i;
    for (int k = 0; k < p->n_builds; k++) {
        blobs[2 * k] = (struct ipc_blob){p->builds[k].ptx, p->builds[k].ptx_len};
        blobs[2 * k + 1] = (struct ipc_blob){p->builds[k].image, p->builds[k].image_len};
    }
    json_array_foreach(p->uses, i, use) {
        int at = (int)json_integer_value(json_object_get(use, "build"));
        const struct build *b = &p->builds[at];
        json_t *module = json_pack("{s:b, s:b, s:i, s:s, s:s, s:i, s:i}", "cubin", b->cubin,
                                   "given", b->given, "registers", b->registers, "log", b->log,
                                   "key", b->key, "ptx_blob", 2 * at, "image_blob", 2 * at + 1);
        json_object_update_missing(module, use);
        json_object_del(module, "build");
        json_array_append_new(modules, module);
    }
    json_object_set_new(head, "modules", modules);
    int rc = ipc_queue(worker, head, blobs, p->n_builds * 2, err);
    free(blobs);
    return rc;
}

/* ---- the cache ---- */

bool build_cache_load(struct build *b)
{
    struct cache_entry e;
    if (!cache_load(&e, b->key))
        return false;
    b->log = e.log;
    b->ptx = e.ptx;
    b->ptx_len = e.ptx_len;
    b->image = e.image;
    b->image_len = e.image_len;
    b->ready = true;
    return true;
}

void build_cache_store(const struct build *b)
{
    const struct cache_entry e = {.log = b->log,
                                  .ptx = b->ptx,
                                  .ptx_len = b->ptx_len,
                                  .image = b->image,
                                  .image_len = b->image_len};
    cache_store(&e, b->key, CACHE_BYTES);
}
