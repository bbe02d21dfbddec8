#include "scenarios/mend/mend_launches.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/names.h"

struct launch_reading {
    struct mend_launches *out;
    const struct variant *v;
    const char *name;
    int line;
    struct err *err;
};

static int fail(struct launch_reading *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static int fail(struct launch_reading *r, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return err_set(r->err, ERR_BAD_REQUEST, "%s:%d: %s", r->name, r->line, text);
}

/* ---- whose launches ---- */

static void take_launches(struct launch_reading *r, const char *run)
{
    struct mend_launches *out = r->out;
    const struct launch *from = variant_launches(r->v, run, &out->n);
    free(out->launch);
    out->launch = mem_new((size_t)out->n, sizeof *out->launch);
    if (out->n)
        memcpy(out->launch, from, (size_t)out->n * sizeof *out->launch);
    out->steps = *variant_steps(r->v, run);
}

static int read_whose(struct launch_reading *r, const char *word)
{
    static const struct { const char *word, *run; } whose[] = {
        {"suspect", "a"}, {"fix", "b"}, {"best", "c"}};
    for (size_t i = 0; i < sizeof whose / sizeof *whose; i++) {
        if (strcmp(word, whose[i].word))
            continue;
        if (!variant_source(r->v, whose[i].run))
            return fail(r, "this scenario has no %s", word);
        take_launches(r, whose[i].run);
        return 0;
    }
    return fail(r, "'%.40s' has no launches; suspect, fix or best was expected", word);
}

/* ---- one launch ---- */

static void trim(char *line)
{
    size_t n = strlen(line);
    while (n && isspace((unsigned char)line[n - 1]))
        line[--n] = '\0';
}

static int know_name(void *ctx, const char *name)
{
    const struct story *s = ctx;
    struct err none = {0};
    struct quantity q;
    if (name_param(s, name) >= 0)
        return 0;
    const char *rest = name_after(name, "gpu.");
    return rest && name_gpu(NULL, rest, &q, &none) == ERR_MISSING ? 0 : ERR_BAD_REQUEST;
}

static int read_formula(struct launch_reading *r, struct expr *out, char *text)
{
    struct mend_launches *l = r->out;
    struct formula *f = NULL;
    struct err why = {0};
    text += strspn(text, " \t");
    trim(text);
    if (formula_parse(&f, text, NULL, &why))
        return fail(r, "'%.60s': %s", text, why.text);
    l->formula = mem_more(l->formula, (size_t)l->n_formulas, sizeof *l->formula);
    l->formula[l->n_formulas++] = f;
    *out = (struct expr){.f = f, .line = r->line};
    if (formula_names(f, know_name, (void *)r->v->story, NULL))
        return fail(r, "'%.60s' names what is no size of this story", text);
    return 0;
}

/* The next part of a list, up to a comma outside of parentheses; NULL at the end. */
static char *next_part(char **rest)
{
    char *from = *rest, *at = from;
    int depth = 0;
    if (!from)
        return NULL;
    for (; *at && (*at != ',' || depth > 0); at++)
        depth += (*at == '(') - (*at == ')');
    *rest = *at ? at + 1 : NULL;
    *at = '\0';
    return from;
}

static int read_extent(struct launch_reading *r, struct expr out[3], int *n, char *list)
{
    int rc = 0;
    char *part;
    *n = 0;
    while (rc == 0 && (part = next_part(&list)))
        rc = *n < 3 ? read_formula(r, &out[(*n)++], part)
                    : fail(r, "a grid or block has at most three sizes");
    return rc;
}

static bool after_word(char **at, const char *word)
{
    size_t n = strlen(word);
    while (**at == ' ')
        ++*at;
    if (strncmp(*at, word, n) || (*at)[n] != ' ')
        return false;
    *at += n + 1;
    return true;
}

static int read_clause(struct launch_reading *r, struct launch *l, char *clause)
{
    if (after_word(&clause, "grid"))
        return read_extent(r, l->grid, &l->n_grid, clause);
    if (after_word(&clause, "block"))
        return read_extent(r, l->block, &l->n_block, clause);
    if (after_word(&clause, "shared"))
        return read_formula(r, &l->shared, clause);
    return fail(r, "'%.40s' is neither grid, block nor shared", clause);
}

static int read_launch(struct launch_reading *r, char *at)
{
    char *end, *clause;
    long k = strtol(at, &end, 10);
    if (end == at || *end != ':')
        return fail(r, "\"launch NUMBER: grid ...; block ...; shared ...\" was expected");
    if (k < 1 || k > r->out->n)
        return fail(r, "there is no launch %ld; there are %d", k, r->out->n);
    int rc = 0;
    for (end++; rc == 0 && (clause = strsep(&end, ";"));)
        rc = read_clause(r, &r->out->launch[k - 1], clause);
    return rc;
}

/* ---- the leading comment ---- */

/* Of a line of the leading comment what follows the slashes. */
static char *after_slashes(char *line)
{
    return line + strspn(line, "/ \t");
}

static bool is_launch_line(const char *at)
{
    return !strncmp(at, "launches:", 9) ||
           (!strncmp(at, "launch ", 7) && isdigit((unsigned char)at[7]));
}

/* The next line of the leading comment, ended by NUL; NULL: the code begins. */
static char *next_comment(char **rest)
{
    char *line = strsep(rest, "\n");
    const char *first = line ? line + strspn(line, " \t\r") : "x";
    return *first && strncmp(first, "//", 2) ? NULL : line;
}

static int read_line(struct launch_reading *r, char *line)
{
    char *at = after_slashes(line);
    trim(at);
    if (!is_launch_line(at))
        return 0;
    return at[6] == ' ' ? read_launch(r, at + 7) : read_whose(r, at + 9 + strspn(at + 9, " "));
}

int mend_launches_read(struct mend_launches *out, const struct variant *v, const char *name,
                       const char *text, struct err *err)
{
    struct launch_reading r = {.out = out, .v = v, .name = name, .err = err};
    char *copy = text_dup(text), *rest = copy, *line;
    int rc = 0;
    *out = (struct mend_launches){0};
    take_launches(&r, "a");
    while (rc == 0 && (line = next_comment(&rest))) {
        r.line++;
        rc = read_line(&r, line);
    }
    free(copy);
    return rc;
}

void mend_launches_free(struct mend_launches *l)
{
    for (int i = 0; i < l->n_formulas; i++)
        formula_free(l->formula[i]);
    free(l->formula);
    free(l->launch);
    *l = (struct mend_launches){0};
}

char *mend_listing(const char *text)
{
    char *copy = text_dup(text), *rest = copy, *line, *out = NULL;
    size_t size, n = strlen(text);
    FILE *f = open_memstream(&out, &size);
    if (!f)
        abort();
    fprintf(f, "%s%s\n", text, n && text[n - 1] == '\n' ? "" : "\n");
    while ((line = next_comment(&rest)))
        if (is_launch_line(after_slashes(line)))
            fprintf(f, "%s\n", after_slashes(line));
    fclose(f);
    free(copy);
    return out;
}
