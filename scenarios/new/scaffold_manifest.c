/* pack.yaml: a new one, or the one that is there with an id more. */
#include "scenarios/new/scaffold_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/text/yaml.h"

static size_t byte_at(const struct file *f, int line, int col)
{
    size_t n, at;
    const char *start = file_line(f, line, &n);
    at = (size_t)(start - f->text);
    for (int c = 1; c < col && f->text[at] && f->text[at] != '\n'; c++)
        do
            at++;
        while (text_is_tail(f->text[at]));
    return at;
}

static const struct yaml *last_entry(const struct yaml *root)
{
    const struct yaml *list = root->kind == YAML_MAP ? root->first : NULL, *last;
    while (list && strcmp(list->key->text, "scenarios"))
        list = list->next;
    if (!list || list->kind != YAML_LIST || !list->first)
        return NULL;
    for (last = list->first; last->next; last = last->next)
        ;
    return last;
}

char *scaffold_add_id(const struct files *files, const struct file *manifest, const char *id,
                      struct err *err)
{
    struct yaml_doc *doc = NULL;
    char *out = NULL;
    if (yaml_doc_read(&doc, files, manifest, err))
        return NULL;
    const struct yaml *last = last_entry(yaml_doc_root(doc));
    if (!last || last->kind != YAML_SCALAR) {
        err_set(err, ERR_BAD_REQUEST,
                "%s/%s has no list `scenarios` to add %s to; a list of ids was expected",
                files->root, manifest->path, id);
    } else if (last->flow) {
        size_t at = byte_at(manifest, last->line, last->col) + last->len +
                    (last->style == YAML_QUOTED ? 2 : 0);
        out = text_format("%.*s, %s%s", (int)at, manifest->text, id, manifest->text + at);
    } else {
        size_t line, at = byte_at(manifest, last->line, 1), end;
        line = strcspn(manifest->text + at, "-");       /* as deep as the entry above */
        end = at + strcspn(manifest->text + at, "\n");
        out =
            text_format("%.*s\n%.*s- %s%s", (int)end, manifest->text, (int)line,
                        manifest->text + at, id, manifest->text[end] ? manifest->text + end : "\n");
    }
    yaml_doc_free(doc);
    return out;
}

char *manifest_new(const struct scaffold *s)
{
    char *id = place_last(s->pack), *title = place_title(id);
    char *text = text_format("format: 1\nid: %s    # names the pack in %s/STORY/VARIANT; it stays, "
                             "since progress is kept under it\ntitle: %s\nlicence: MIT    # of the "
                             "content; MIT was taken, change it to yours\nscenarios:      # as the "
                             "list of scenarios has them\n  - %s\n",
                             id, id, title, s->id);
    free(id);
    free(title);
    return text;
}
