/* What a debrief says in figures: those that it takes from evidence, and of which GPU the others
 * are. */
#include "scenarios/pack/pack_debrief.h"

#include <string.h>

enum { MAX_TOLD = 64, MAX_UNRECORDED = 160, FIGURE = 40, GPU_NAME = 64, FORMULA = 240 };

static int fail_at(struct reader *r, const struct file *f, size_t at, const char *what)
{
    int line, col;
    file_place(f, at, &line, &col);
    return files_fail(r->pack->files, f, line, col, ERR_BAD_REQUEST, r->err, "%s", what);
}

/* The formula between braces, without blanks around it and without "as %". */
static size_t formula_of(const char *from, const char *to, size_t *len, bool *share)
{
    const char *begin = from + strspn(from, " ");
    while (to > begin && to[-1] == ' ')
        to--;
    *share = to - begin > 5 && !strncmp(to - 5, " as %", 5);
    if (*share)
        to -= 5;
    *len = (size_t)(to - begin);
    return (size_t)(begin - from);
}

/* One figure, whose braces open at byte `begin`. */
static int read_told_figure(struct reader *r, struct variant *v, size_t begin)
{
    const struct file *f = v->debrief;
    const char *at = f->text + begin, *end = strstr(at, "}}");
    char text[FORMULA];
    size_t len;
    struct told_value *t = &v->told[v->n_told];
    if (!end || memchr(at, '\n', (size_t)(end - at)))
        return fail_at(r, f, begin, "{{ without }} on its line; {{FORMULA}} was expected");
    if (v->n_told == MAX_TOLD)
        return fail_at(r, f, begin, "more than 64 figures; at most 64 were expected");
    size_t in = begin + 2 + formula_of(at + 2, end, &len, &t->share);
    if (len == 0 || len >= sizeof text)
        return fail_at(r, f, in, "nothing, or more than 239 bytes; a formula was expected");
    memcpy(text, f->text + in, len);
    text[len] = '\0';
    t->at = begin;
    t->len = (size_t)(end + 2 - at);
    v->n_told++;
    return read_told(r, f, in, text, v->story, &t->value);
}

static int read_told_of_line(struct reader *r, struct variant *v, size_t from, size_t to)
{
    int rc = 0;
    for (size_t at = from; !rc && at + 1 < to; at++) {
        if (strncmp(v->debrief->text + at, "{{", 2) != 0)
            continue;
        rc = read_told_figure(r, v, at);
        at = rc ? at : v->told[v->n_told - 1].at + v->told[v->n_told - 1].len - 1;
    }
    return rc;
}

/* Three backticks begin and end code, which stands as it is: braces in it are C's. */
int read_told_figures(struct reader *r, struct variant *v)
{
    const struct file *f = v->debrief;
    bool code = false;
    int rc = 0;
    v->told = arena_new(&r->memory->arena, MAX_TOLD, sizeof *v->told);
    for (size_t at = 0, to; !rc && at < f->len; at = to + 1) {
        to = at + strcspn(f->text + at, "\n");
        if (!strncmp(f->text + at + strspn(f->text + at, " \t"), "```", 3))
            code = !code;
        else if (!code)
            rc = read_told_of_line(r, v, at, to);
    }
    return rc;
}

int read_figures_of(struct reader *r, struct variant *v, const struct yaml *measured_on,
                    const struct yaml *unrecorded)
{
    int rc = 0;
    if (measured_on)
        rc = read_text(r, measured_on, GPU_NAME, false, "the name of a GPU", &v->measured_on);
    if (!rc && unrecorded)
        rc = yaml_is_list(unrecorded, 1, MAX_UNRECORDED, "a list of figures with units", r->err);
    if (rc || !unrecorded)
        return rc;
    v->unrecorded = arena_new(&r->memory->arena, (size_t)unrecorded->n, sizeof *v->unrecorded);
    for (const struct yaml *y = unrecorded->first; y && !rc; y = y->next)
        rc = read_text(r, y, FIGURE, false, "a figure such as 650 ns",
                       &v->unrecorded[v->n_unrecorded++]);
    return rc;
}
