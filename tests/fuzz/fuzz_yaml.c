/* A YAML file: whatever the bytes, a tree with a place for each node, or an error at a place that
 * exists. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "scenarios/text/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every getter at every node; returns how many nodes there were. */
static int use(const struct yaml *y)
{
    struct err err = {0};
    int n = 1, whole, line, col;
    double number;
    bool flag;
    assert(y->line >= 1 && y->col >= 1);
    assert(yaml_fail(y, ERR_BAD_REQUEST, &err, "said") == ERR_BAD_REQUEST &&
           strstr(err.text, "said"));
    yaml_whole(y, -5, 5, "a small number", &whole, &err);
    yaml_number(y, "a number", &number, &err);
    yaml_bool(y, "true or false", &flag, &err);
    yaml_string(y, 80, true, "text", &err);
    if (y->kind == YAML_SCALAR) {
        assert(strlen(y->text) == y->len);
        yaml_cut_by_comment(y);
        for (size_t k = 1; k <= y->len + 1; k += 7)
            assert(yaml_fail_at(y, (int)k, ERR_BAD_REQUEST, &err, "said") == ERR_BAD_REQUEST);
        yaml_place(yaml_doc_file(y->doc), y->line, y->col, y->text, 1, &line, &col);
        return 1;
    }
    int children = 0;
    for (const struct yaml *c = y->first; c; c = c->next, children++)
        n += use(c) + (c->key ? use(c->key) : 0);
    assert(children == y->n);
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct files *f = files_new("fuzz");
    struct yaml_doc *doc = NULL;
    struct err err = {0};
    files_add(f, "a.yaml", (const char *)data, size);
    int rc = yaml_doc_read(&doc, f, &f->file[0], &err);
    assert(rc ? !doc && err.code == rc && *err.text : doc != NULL);
    if (doc)
        use(yaml_doc_root(doc));
    yaml_doc_free(doc);
    files_free(f);
    return 0;
}
