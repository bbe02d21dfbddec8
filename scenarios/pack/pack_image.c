/* Images as sources: a text that is shown, the PTX that runs in its place, and where that comes
 * from. SUSPECT.image.yaml beside the text says so; SUSPECT.ptx lies beside both. */
#include "scenarios/pack/pack_image.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/hash.h"
#include "kernels/wire/ptx_scan.h"
#include "scenarios/pack/image.h"
#include "scenarios/pack/pack_sources.h"

enum { ABOUT = 200, OPTIONS = 1000 }; /* bytes of a line; options are those of each kernel */

static int check_hash(struct reader *r, const struct yaml *y, const struct file *f)
{
    char now[HASH_HEX];
    int rc = yaml_is_scalar(y, "a SHA-256 in 64 hex digits", r->err);
    if (rc)
        return rc;
    hash_bytes(now, f->text, f->len);
    return strcmp(now, y->text) ? yaml_fail(y, ERR_BAD_REQUEST, r->err,
                                            "this is not the SHA-256 of %s, which is %s; compile "
                                            "the text again, and write both hashes",
                                            f->path, now)
                                : 0;
}

static int check_lines(struct reader *r, const struct yaml *const *k)
{
    static const int lines[] = {IMAGE_K_COMPILER, IMAGE_K_OPTIONS, IMAGE_K_MADE_BY, IMAGE_K_MADE};
    int rc = 0;
    for (size_t i = 0; !rc && i < sizeof lines / sizeof *lines; i++)
        if (k[lines[i]])
            rc = yaml_string(k[lines[i]], lines[i] == IMAGE_K_OPTIONS ? OPTIONS : ABOUT, false,
                             "a line", r->err);
    return rc;
}

static int check_target(struct reader *r, const struct yaml *y, const struct ptx_text *t)
{
    char now[16];
    snprintf(now, sizeof now, "sm_%d%.1s", t->arch, &t->only);
    int rc = yaml_is_scalar(y, "a target such as sm_80", r->err);
    if (!rc && strcmp(now, y->text))
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err, "the PTX is for %s; that was expected", now);
    return rc;
}

/* ---- how it is launched ---- */

static const struct yaml *value_of(const struct yaml *map, const char *key)
{
    for (const struct yaml *v = map->first; v; v = v->next)
        if (!strcmp(v->key->text, key))
            return v;
    return NULL;
}

static int count(const struct yaml *list)
{
    int n = 0;
    for (const struct yaml *v = list->first; v; v = v->next)
        n++;
    return n;
}

/* Sizes that are formulas are left to the driver. */
static int check_block(struct reader *r, const struct yaml *block, const struct ptx_kernel *k)
{
    const struct yaml *v = block->first;
    for (int i = 0; v && i < 3 && *k->block; i++, v = v->next)
        if (v->text && isdigit((unsigned char)*v->text) &&
            strtoul(v->text, NULL, 10) != k->block[i] && !strpbrk(v->text, " */+-("))
            return yaml_fail(v, ERR_BAD_REQUEST, r->err,
                             "blocks of %s threads; the image was compiled for %u", v->text,
                             k->block[i]);
    return 0;
}

static bool is_buffer(const struct story *s, const char *name)
{
    for (int i = 0; i < s->n_buffers; i++)
        if (!strcmp(s->buffers[i].name, name))
            return true;
    return false;
}

/* "an i32" and its size; a bare name is a buffer's or a parameter's. */
static const char *describe(const struct yaml *arg, const struct story *s, int *bytes)
{
    const char *type = arg->kind == YAML_MAP ? arg->first->key->text
                       : is_buffer(s, arg->text) ? "buffer" : "i32";
    *bytes = strstr(type, "32") ? 4 : 8;
    return type;
}

static int check_args(struct reader *r, const struct yaml *args, const struct story *s,
                      const struct ptx_kernel *k, const struct file *ptx)
{
    if (count(args) != k->n_params)
        return yaml_fail(args, ERR_BAD_REQUEST, r->err,
                         "%d arguments; %d were expected by %s in %s (a pointer that is not used "
                         "is {i64: 0})",
                         count(args), k->n_params, k->name, ptx->path);
    const struct yaml *v = args->first;
    for (int i = 0; v && i < PTX_PARAMS; i++, v = v->next) {
        char wants[96];
        int bytes;
        const char *type = describe(v, s, &bytes);
        ptx_wants(wants, sizeof wants, k, i);
        if (!ptx_takes(k, i, bytes))
            return yaml_fail(v, ERR_BAD_REQUEST, r->err,
                             "argument %d, of type %s, has %d bytes; %s was expected by %s in %s",
                             i + 1, type, bytes, wants, k->name, ptx->path);
    }
    return 0;
}

static int check_launch(struct reader *r, const struct yaml *l, const struct story *s,
                        const struct ptx_text *t, const struct file *ptx)
{
    const struct yaml *name = value_of(l, "kernel"), *args = value_of(l, "args"),
                      *block = value_of(l, "block");
    const struct ptx_kernel *k = name ? ptx_text_kernel(t, name->text) : NULL;
    if (!name)
        return 0;
    if (!k)
        return yaml_fail(name, ERR_BAD_REQUEST, r->err,
                         "%s has no kernel '%.63s'; %s%s was expected", ptx->path, name->text,
                         t->n_kernels > 1 ? "one of its kernels, such as " : "",
                         t->kernels[0].name);
    int rc = args ? check_args(r, args, s, k, ptx) : 0;
    return rc || !block ? rc : check_block(r, block, k);
}

static int check_ptx(struct reader *r, const struct file *ptx, const struct yaml *target,
                     const struct story *s, const struct yaml *launches)
{
    struct ptx_text t;
    struct err why = {0};
    int rc = ptx_scan(&t, ptx->text, ptx->len, &why), line, col;
    if (rc) {
        const char *what = token_error_place(&why, &line, &col);
        return files_fail(r->pack->files, ptx, line, col, rc, r->err, "%s", what);
    }
    rc = check_target(r, target, &t);
    for (const struct yaml *l = launches->first; l && !rc; l = l->next)
        rc = check_launch(r, l, s, &t, ptx);
    ptx_text_free(&t);
    return rc;
}

/* No key of ours: who tries it is told why. */
static int refuse_machine_code(struct reader *r, const struct yaml *root)
{
    const struct yaml *cubin = root->kind == YAML_MAP ? value_of(root, "cubin") : NULL;
    return cubin ? yaml_fail(cubin->key, ERR_UNSUPPORTED, r->err,
                             "machine code is not taken from a pack: nobody can read it, and the "
                             "driver's loader is not made for what others wrote; PTX alone was "
                             "expected")
                 : 0;
}

static int read_about(struct reader *r, const struct file *f, const struct image_files *i,
                      const struct yaml *root, const struct story *s,
                      const struct yaml *launches)
{
    const struct yaml *k[IMAGE_KEYS];
    int format = 0;
    int rc = read_format(r, root, &format);
    if (!rc)
        rc = refuse_machine_code(r, root);
    if (!rc)
        rc = yaml_keys(root, &image_shape, k, r->err);
    if (!rc && format < 2)
        rc = yaml_fail(k[IMAGE_K_FORMAT], ERR_BAD_REQUEST, r->err,
                       "format %d; images came with format 2", format);
    if (!rc)
        rc = check_hash(r, k[IMAGE_K_TEXT], f);
    if (!rc)
        rc = check_hash(r, k[IMAGE_K_PTX], i->ptx);
    if (!rc)
        rc = check_lines(r, k);
    return rc ? rc : check_ptx(r, i->ptx, k[IMAGE_K_TARGET], s, launches);
}

/* A compiler would take macros, and an image is past that. */
static int check_defines(struct reader *r, const struct story *s, const struct file *f)
{
    if (!s->n_defines)
        return 0;
    const struct define *d = &s->defines[0];
    return files_fail(r->pack->files, files_find(r->pack->files, d->file), d->line, d->col,
                      ERR_BAD_REQUEST, r->err,
                      "the macro %s cannot reach %s, of which an image runs and is never compiled; "
                      "an argument, or no 'define', was expected",
                      d->name, f->path);
}

int read_source(struct reader *r, const struct file *f, const struct story *s,
                const struct yaml *launches)
{
    struct image_files i;
    struct yaml_doc *doc;
    image_find(&i, r->pack->files, f);
    if (!i.about && source_kind_of(f->path)->image)
        return files_fail(r->pack->files, f, 1, 1, ERR_MISSING, r->err,
                          "a text that is not compiled here, without its image; an .image.yaml "
                          "and a .ptx of the same name were expected beside it");
    if (!i.about && i.ptx)
        return files_fail(r->pack->files, i.ptx, 1, 1, ERR_MISSING, r->err,
                          "an image that says nothing of where it comes from, so that nobody runs "
                          "it; an .image.yaml of the same name was expected beside it, or no .ptx");
    if (!i.about)
        return check_source(r, f, launches);
    if (!i.ptx)
        return files_fail(r->pack->files, i.about, 1, 1, ERR_MISSING, r->err,
                          "no .ptx of this name lies beside it; one was expected");
    int rc = check_defines(r, s, f);
    if (rc)
        return rc;
    rc = yaml_doc_read(&doc, r->pack->files, i.about, r->err);
    if (!rc)
        rc = read_about(r, f, &i, yaml_doc_root(doc), s, launches);
    yaml_doc_free(doc);
    return rc;
}
