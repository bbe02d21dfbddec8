/* Opens the author's file: its text (scaffold_code.c), then its items (scaffold_items.c). */
#include "scenarios/new/scaffold_source_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"

static int slurp(struct file *f, struct err *err)
{
    FILE *in;
    int rc = path_open_stream(&in, f->path, err);
    if (rc)
        return rc;
    f->text = mem_new(CAP_SOURCE_BYTES + 2, 1);
    f->len = fread(f->text, 1, CAP_SOURCE_BYTES + 1, in);
    int bad = ferror(in);
    fclose(in);
    if (bad || !f->len)
        return err_set(err, ERR_IO, "%s %s; CUDA source was expected", f->path,
                       bad ? "cannot be read" : "is empty");
    if (f->len > CAP_SOURCE_BYTES)
        return err_set(err, ERR_TOO_LARGE,
                       "%s is larger than %d KiB; the kernel and what it needs was expected",
                       f->path, CAP_SOURCE_BYTES / 1024);
    return 0;
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
    if (rc)
        source_free(s);
    else
        *out = s;
    return rc;
}

int source_open(struct source **out, const char *path, struct err *err)
{
    struct source *s = mem_new(1, sizeof *s);
    s->file.path = text_dup(path);
    int rc = slurp(&s->file, err);
    if (!rc)
        rc = source_inline(s, err);
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
