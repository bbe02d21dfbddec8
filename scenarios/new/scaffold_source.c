/* Opens the author's file: its text (scaffold_code.c), then its items (scaffold_items.c). */
#include "scenarios/new/scaffold_source_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

static int slurp(struct source *s, struct err *err)
{
    struct file *f = &s->file;
    char *text = source_bytes(f->path, s->revision, CAP_SOURCE_BYTES, &f->len, err);
    if (!text)
        return err->code;
    f->text = mem_new(f->len + 2, 1);
    memcpy(f->text, text, f->len);
    free(text);
    return f->len ? 0
                  : err_set(err, ERR_IO, "%s is empty; CUDA source was expected", f->path);
}

/* Takes s over; the text is there. */
static int read_source(struct source **out, struct source *s, int rc, struct err *err)
{
    *out = NULL;
    if (!rc)
        rc = source_mend(s, err);
    if (!rc) {
        source_mask(s);
        source_directives(s);
        source_pair_brackets(s);
        rc = source_split(s, err);
    }
    if (!rc && !s->n_kernels)
        rc = err_set(err, ERR_MISSING,
                     "%s: there is no kernel in it; a function with __global__ and a body was "
                     "expected",
                     s->file.path);
    for (int i = 0; !rc && i < s->n_kernels; i++)
        if (s->kernels[i].is_template)
            source_instance(s, &s->kernels[i]);
    if (rc)
        source_free(s);
    else
        *out = s;
    return rc;
}

int source_open_at(struct source **out, const char *path, const char *revision, struct err *err)
{
    struct source *s = mem_new(1, sizeof *s);
    struct err unseen;
    err = err ? err : &unseen; /* slurp reads the code */
    s->file.path = text_dup(path);
    s->revision = revision;
    int rc = slurp(s, err);
    if (!rc)
        rc = source_inline(s, err);
    s->revision = NULL;
    return read_source(out, s, rc, err);
}

int source_read(struct source **out, const char *path, const char *text, size_t len,
                struct err *err)
{
    struct source *s = mem_new(1, sizeof *s);
    s->file = (struct file){.path = text_dup(path), .text = mem_new(len + 2, 1), .len = len};
    memcpy(s->file.text, text, len);
    return read_source(out, s, 0, err);
}

static void kernel_free(struct kernel *k)
{
    for (int i = 0; i < k->n_params; i++) {
        free(k->params[i].name);
        free(k->params[i].type);
        free(k->params[i].passed);
    }
    for (int i = 0; i < k->n_bound; i++) {
        free(k->bound[i].type);
        free(k->bound[i].name);
        free(k->bound[i].is);
    }
    free(k->bound);
    free(k->params);
    free(k->name);
    free(k->launch);
    free(k->grid_formula);
    free(k->guard);
}

void source_free(struct source *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->n_kernels; i++)
        kernel_free(&s->kernels[i]);
    for (int i = 0; i < s->n_aliases; i++) {
        free(s->aliases[i].name);
        free(s->aliases[i].is);
    }
    for (int i = 0; i < s->n_types; i++) {
        free(s->types[i].name);
        free(s->types[i].other);
    }
    for (int i = 0; i < s->n_notes; i++)
        free(s->notes[i].text);
    free(s->types);
    free(s->kernels);
    free(s->aliases);
    free(s->notes);
    free(s->dropped);
    free(s->quotes);
    free(s->code);
    free(s->marks);
    free(s->close);
    for (int i = 0; i < s->n_headers; i++)
        free(s->headers[i]);
    free(s->headers);
    free(s->origins);
    free(s->file.path);
    free(s->file.text);
    free(s);
}

struct kernel *source_kernel(const struct source *s, const char *name)
{
    for (int i = 0; i < s->n_kernels; i++)
        if (!strcmp(s->kernels[i].name, name))
            return &s->kernels[i];
    return NULL;
}
