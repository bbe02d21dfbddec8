/* Texts with holes: <<FORMULA>>, <<FORMULA | UNIT .DIGITS :WIDTH>>, <<WORDS>>. */
#include "scenarios/pack/model_inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

enum { MOST_WIDTH = 60, MOST_POINT = 6 };
static const char OPEN[] = "<<", CLOSE[] = ">>";

/* A text, and where its bytes stand: in a scalar, or in a file as they are. */
struct source { const struct file *f; const struct yaml *y; const char *text; };

static void place_of(const struct source *s, size_t at, int *line, int *col)
{
    if (s->y)
        yaml_place(s->f, s->y->line, s->y->col, s->text, (int)at + 1, line, col);
    else
        file_place(s->f, at, line, col);
}

static int refuse(struct reader *r, const struct source *s, size_t at, const char *what)
{
    int line, col;
    place_of(s, at, &line, &col);
    return files_fail(r->pack->files, s->f, line, col, ERR_BAD_REQUEST, r->err, "%s", what);
}

/* "ms .1 :7": unit, digits behind the point, width (below 0: to the left), each but once. */
static int read_style(struct reader *r, const struct source *s, size_t at, const char *style,
                      struct piece *p)
{
    for (const char *c = style + strspn(style, " "); *c; c += strspn(c, " ")) {
        char word[24] = "", *end = word;
        size_t len = strcspn(c, " ");
        snprintf(word, sizeof word, "%.*s", (int)len, c);
        if (*word == '.')
            p->digits = (int)strtol(word + 1, &end, 10);
        else if (*word == ':')
            p->width = (int)strtol(word + 1, &end, 10);
        else if (unit_parse(word, strlen(word), &p->dim, &p->factor))
            end += strlen(word);
        if (len >= sizeof word || *end || p->digits > MOST_POINT || abs(p->width) > MOST_WIDTH)
            return refuse(r, s, at + (size_t)(c - style),
                          "a unit, .DIGITS (at most 6) or :WIDTH (at most 60) was expected");
        c += len;
    }
    return 0;
}

static const struct wording *find_wording(const struct model *m, const char *name)
{
    for (int i = 0; i < m->n_wordings; i++)
        if (!strcmp(m->wordings[i].name, name))
            return &m->wordings[i];
    return NULL;
}

/* What stands between << and >>, which begins at byte `at`. */
static int read_hole(struct reader *r, const struct model *m, const struct source *s, size_t at,
                     size_t len, struct piece *p)
{
    int line, col;
    char *text = arena_text(&r->memory->arena, s->text + at, len), *bar = strchr(text, '|');
    size_t blank = strspn(text, " ");
    if (bar)
        *bar = '\0';
    for (size_t n = strlen(text); n > 0 && text[n - 1] == ' '; n--)
        text[n - 1] = '\0';
    p->dim = DIM_NONE;
    p->factor = 1;
    p->wording = find_wording(m, text + blank);
    place_of(s, at + blank, &line, &col);
    int rc = p->wording
                 ? 0
                 : model_formula(r, m, s->f, line, col, text + blank, &p->is);
    return rc || !bar ? rc : read_style(r, s, at + (size_t)(bar + 1 - text), bar + 1, p);
}

static int cut(struct reader *r, const struct model *m, const struct source *s,
               struct template_text *out)
{
    const char *at = s->text, *hole;
    size_t holes = 0;
    for (const char *h = at; (h = strstr(h, OPEN)); h += strlen(OPEN))
        holes++;
    out->n = 0;
    out->piece = arena_new(&r->memory->arena, holes + 1, sizeof *out->piece);
    while ((hole = strstr(at, OPEN))) {
        const char *from = hole + strlen(OPEN), *end = strstr(from, CLOSE);
        struct piece *p = &out->piece[out->n++];
        if (!end)
            return refuse(r, s, (size_t)(hole - s->text),
                          "<< without >>; <<FORMULA>> was expected");
        p->text = arena_text(&r->memory->arena, at, (size_t)(hole - at));
        int rc = read_hole(r, m, s, (size_t)(from - s->text), (size_t)(end - from), p);
        if (rc)
            return rc;
        at = end + strlen(CLOSE);
    }
    out->piece[out->n++].text = arena_text(&r->memory->arena, at, strlen(at));
    return 0;
}

int read_template(struct reader *r, const struct model *m, const struct yaml *y,
                  struct template_text *out)
{
    struct source s = {yaml_doc_file(y->doc), y, y->text};
    return cut(r, m, &s, out);
}

/* ---- filling ---- */

static int write_number(struct drawing *d, const int *bound, const struct piece *p, char *out,
                        size_t size, struct err *err)
{
    struct quantity q;
    int rc = drawing_value(d, bound, &p->is, &q, err);
    if (!rc && !dim_equal(q.dim, p->dim)) {
        char is[64], wanted[64];
        dim_describe(is, sizeof is, q.dim);
        dim_describe(wanted, sizeof wanted, p->dim);
        err_set(err, ERR_BAD_REQUEST, "this is %s; %s was expected by the unit behind it", is,
                wanted);
        rc = expr_fail(&p->is, 1, drawing_model(d)->story->pack, err);
    }
    if (!rc)
        snprintf(out, size, "%*.*f", p->width, p->digits, q.value / p->factor + 0.0);
    return rc;
}

static int write_words(struct drawing *d, const int *bound, const struct piece *p, char *out,
                       size_t size, struct err *err)
{
    struct quantity q;
    const struct wording *w = p->wording;
    int rc = drawing_value(d, bound, &w->pick, &q, err);
    if (!rc && !(q.value >= 0 && q.value < w->n)) {
        err_set(err, ERR_BAD_REQUEST, "%g of %d texts; a number from 0 to %d was expected", q.value,
                w->n, w->n - 1);
        rc = expr_fail(&w->pick, 1, drawing_model(d)->story->pack, err);
    }
    if (!rc)
        snprintf(out, size, "%*s", p->width, w->entry[(int)q.value]);
    return rc;
}

int drawing_write(struct drawing *d, const int *bound, const struct template_text *t, char **out,
                  struct err *err)
{
    char *all = text_dup("");
    int rc = 0;
    for (int i = 0; !rc && i < t->n; i++) {
        const struct piece *p = &t->piece[i];
        char filled[160] = "";
        if (p->is.f)
            rc = write_number(d, bound, p, filled, sizeof filled, err);
        else if (p->wording)
            rc = write_words(d, bound, p, filled, sizeof filled, err);
        char *longer = text_format("%s%s%s", all, p->text, filled);
        free(all);
        all = longer;
    }
    if (rc)
        free(all);
    else
        *out = all;
    return rc;
}

int fill_drawn(struct reader *r, const struct variant *v, const struct file **f)
{
    struct template_text t;
    char *text = NULL;
    if (!v->story->model || !*f)
        return 0;
    struct source s = {*f, NULL, (*f)->text};
    int rc = cut(r, v->story->model, &s, &t);
    if (rc)
        return rc;
    struct drawing *d = drawing_new(v);
    rc = drawing_write(d, NOWHERE, &t, &text, r->err);
    drawing_free(d);
    if (rc)
        return rc;
    struct file *filled = arena_new(&r->memory->arena, 1, sizeof *filled);
    *filled = **f;
    filled->len = strlen(text);
    filled->text = arena_text(&r->memory->arena, text, filled->len);
    free(text);
    *f = filled;
    return 0;
}
