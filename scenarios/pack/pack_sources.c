#include "scenarios/pack/pack_sources.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"

int read_path(struct reader *r, const struct yaml *y, const char *folder, const char *end,
              const struct file **out)
{
    struct err why;
    int rc = yaml_is_scalar(y, "the name of a file", r->err);
    if (rc)
        return rc;
    if (path_ok(y->text, &why))
        return yaml_fail(y, why.code, r->err, "%s", why.text);
    if (y->len <= strlen(end) || strcmp(y->text + y->len - strlen(end), end))
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "'%.100s'; a file that ends in %s was expected", y->text, end);
    const char *path = arena_format(&r->memory->arena, "%s/%s", folder, y->text);
    *out = files_find(r->pack->files, path);
    return *out ? 0
                : yaml_fail(y, ERR_MISSING, r->err,
                            "there is no %s; a file of that folder was expected", path);
}

static int scan_source(struct reader *r, const struct file *f, const struct token_text **out)
{
    struct scanned new = {.file = f};
    struct err why;
    for (int i = 0; i < r->n_scanned; i++)
        if (r->scanned[i].file == f)
            return *out = &r->scanned[i].tokens, 0;
    int rc = token_scan(&new.tokens, f->text, f->len, &why), line, col;
    if (rc) {
        const char *what = token_error_place(&why, &line, &col);
        return files_fail(r->pack->files, f, line, col, rc, r->err, "%s", what);
    }
    r->scanned = mem_grow(r->scanned, (size_t)r->n_scanned + 1, sizeof *r->scanned);
    r->scanned[r->n_scanned] = new;
    *out = &r->scanned[r->n_scanned++].tokens;
    return 0;
}

void free_scanned(struct reader *r)
{
    for (int i = 0; i < r->n_scanned; i++)
        token_free(&r->scanned[i].tokens);
    free(r->scanned);
}

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *s = text; (s = strstr(s, word)); s++)
        if ((s == text || !is_word(s[-1])) && !is_word(s[n]))
            return true;
    return false;
}

int check_source(struct reader *r, const struct file *f, const struct yaml *launches)
{
    const struct token_text *tokens;
    int rc = scan_source(r, f, &tokens);
    if (rc)
        return rc;
    for (const struct yaml *l = launches->first; l; l = l->next)
        for (const struct yaml *v = l->first; v; v = v->next)
            if (!strcmp(v->key->text, "kernel") && !has_word(tokens->text, v->text))
                return yaml_fail(v, ERR_BAD_REQUEST, r->err,
                                 "kernel '%.63s' does not occur in %s; a kernel of that file was "
                                 "expected",
                                 v->text, f->path);
    return 0;
}
