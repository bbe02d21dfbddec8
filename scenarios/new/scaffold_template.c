/* A kernel that is a template: the instance of it that the author's code names, as
 * `sums<float, 256><<<...>>>`. A draft declares what its parameters are bound to, above the kernel,
 * so that the body stays as its author has it. */
#include "scenarios/new/scaffold_values.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/new/scaffold_source_inside.h"

enum { PARTS_MOST = 16, LIST_MOST = 512 /* bytes, so that none is looked through for long */ };

/* ---- lists between < and > ---- */

/* The parts of base[at, end) between commas outside of brackets; -1: more than PARTS_MOST. */
static int split(struct extent parts[PARTS_MOST], const char *base, size_t at, size_t end)
{
    int n = 0, depth = 0;
    for (size_t from = at, i = at; i <= end; i++) {
        if (i < end && !(depth == 0 && base[i] == ',')) {
            depth += (strchr("([{<", base[i]) != NULL) - (strchr(")]}>", base[i]) != NULL);
            continue;
        }
        if (n == PARTS_MOST)
            return -1;
        parts[n++] = values_trimmed(base, from, i);
        from = i + 1;
    }
    return n;
}

/* Behind the list of arguments that begins at `open`, in one statement; 0: none is there. */
static size_t list_behind(const struct source *s, size_t open)
{
    const char *code = s->code;
    bool single = code[open] == '<' && code[open + 1] != '<' && code[open + 1] != '=';
    size_t close = single ? source_close(s, open, s->file.len) : 0;
    bool one = close && close - open <= LIST_MOST && !memchr(code + open, ';', close - open) &&
               !memchr(code + open, '{', close - open);
    return one ? close : 0;
}

size_t source_behind_list(const struct source *s, size_t open)
{
    size_t close = list_behind(s, open);
    return close ? code_skip(s->code, close, s->file.len) : open;
}

/* ---- one parameter ---- */

struct parameter {
    struct extent type, name, usual; /* usual: empty where it has no default */
};

/* False for packs, templates and what has no name. */
static bool read_parameter(struct parameter *p, const char *code, struct extent x)
{
    const char *equals = memchr(code + x.at, '=', x.end - x.at);
    size_t stop = equals ? (size_t)(equals - code) : x.end;
    p->usual = equals ? values_trimmed(code, stop + 1, x.end) : (struct extent){x.end, x.end};
    struct extent all = values_trimmed(code, x.at, stop);
    size_t name = all.end;
    while (name > all.at && code_is_word(code[name - 1]))
        name--;
    p->name = (struct extent){name, all.end};
    p->type = values_trimmed(code, all.at, name);
    return p->type.end > p->type.at && p->name.end > p->name.at &&
           !isdigit((unsigned char)code[name]) && !memchr(code + all.at, '.', name - all.at) &&
           code_find(code, all.at, name, "template") == name;
}

static bool is_type(const char *code, struct extent type)
{
    size_t n = type.end - type.at;
    return (n == 8 && !strncmp(code + type.at, "typename", n)) ||
           (n == 5 && !strncmp(code + type.at, "class", n));
}

/* A name that has a value is that: it may be the host's. malloc'd. */
static char *value_text(const struct source *s, const char *base, struct extent x)
{
    int number = base == s->code ? values_number(s, x.at, x.end) : 0;
    char *text = number ? text_format("%d", number) : text_ndup(base + x.at, x.end - x.at);
    for (int i = s->n_aliases - 1; !number && i >= 0; i--)
        if (!strcmp(s->aliases[i].name, text)) {
            free(text);
            return text_dup(s->aliases[i].is);
        }
    return text;
}

static void unbind(struct kernel *k)
{
    for (int i = 0; i < k->n_bound; i++) {
        free(k->bound[i].type);
        free(k->bound[i].name);
        free(k->bound[i].is);
    }
    free(k->bound);
    k->bound = NULL;
    k->n_bound = 0;
}

static void bind(struct kernel *k, const struct source *s, const struct parameter *p, char *is)
{
    k->bound = mem_grow(k->bound, (size_t)k->n_bound + 1, sizeof *k->bound);
    k->bound[k->n_bound++] = (struct bound){
        .type = is_type(s->code, p->type)
                    ? NULL
                    : text_ndup(s->code + p->type.at, p->type.end - p->type.at),
        .name = text_ndup(s->code + p->name.at, p->name.end - p->name.at),
        .is = is};
}

/* The arguments are those of base[at, end). False, with nothing bound, where they are not as many
 * as the parameters that have no default. */
static bool bind_all(struct kernel *k, const struct source *s, const char *base, size_t at,
                     size_t end)
{
    struct extent params[PARTS_MOST], args[PARTS_MOST];
    size_t open = code_skip(s->code, k->begin + strlen("template"), k->body),
           close = list_behind(s, open);
    int n = close ? split(params, s->code, open + 1, close - 1) : -1;
    int given = split(args, base, at, end);
    bool good = n > 0 && given > 0 && given <= n;
    for (int i = 0; good && i < n; i++) {
        struct parameter p;
        good = read_parameter(&p, s->code, params[i]);
        bool said = good && i < given;
        struct extent x = !good ? params[i] : said ? args[i] : p.usual;
        good = good && x.end > x.at;
        if (good)
            bind(k, s, &p, value_text(s, said ? base : s->code, x));
    }
    if (!good)
        unbind(k);
    k->head_end = good ? close : 0;
    return good;
}

/* ---- the instance ---- */

/* The next instance of k behind `from` outside of itself: its list's two ends. */
static bool next_instance(const struct source *s, const struct kernel *k, size_t from,
                          struct extent *list)
{
    size_t end = s->file.len;
    for (size_t at = from; (at = code_find(s->code, at, end, k->name)) < end; at++) {
        size_t open = code_skip(s->code, at + strlen(k->name), end), close = list_behind(s, open);
        bool inside = at >= k->begin && at < k->end;
        if (!close || inside)
            continue;
        *list = (struct extent){open, close};
        return true;
    }
    return false;
}

void source_instance(struct source *s, struct kernel *k)
{
    struct extent list;
    for (int launched = 1; launched >= 0; launched--)
        for (size_t from = 0; next_instance(s, k, from, &list); from = list.end) {
            bool launch = !strncmp(s->code + source_behind_list(s, list.at), "<<<", 3);
            if (launch < launched || !bind_all(k, s, s->code, list.at + 1, list.end - 1))
                continue;
            k->instance = list.at;
            k->is_template = false;
            return;
        }
}

bool source_instance_as(struct source *s, struct kernel *k, const char *list)
{
    size_t n = strlen(list);
    if (!(k->is_template || k->n_bound) || n < 3 || list[0] != '<' || list[n - 1] != '>')
        return false;
    unbind(k);
    k->instance = 0;
    k->is_template = !bind_all(k, s, list, 1, n - 1);
    return !k->is_template;
}

char *source_template_list(const struct source *s, const struct kernel *k)
{
    size_t word = strlen("template"), close = 0, open = 0;
    if (!strncmp(s->code + k->begin, "template", word)) {
        open = code_skip(s->code, k->begin + word, k->body);
        close = list_behind(s, open);
    }
    char *list = close ? text_ndup(s->file.text + open, close - open) : NULL;
    for (char *c = list; c && *c; c++)
        *c = strchr("\n\t\r", *c) ? ' ' : *c;
    return list;
}

void source_instance_aliases(struct source *s, const struct kernel *k)
{
    for (int i = 0; i < k->n_bound; i++) {
        s->aliases = mem_grow(s->aliases, (size_t)s->n_aliases + 1, sizeof *s->aliases);
        s->aliases[s->n_aliases++] =
            (struct alias){text_dup(k->bound[i].name), text_dup(k->bound[i].is)};
    }
}

/* ---- what a draft says of it ---- */

char *source_instance_text(const struct kernel *const *k, int which)
{
    char *out = text_dup("");
    for (int i = 0; i < k[which]->n_bound; i++) {
        const struct bound *b = &k[which]->bound[i];
        bool told = false;
        for (int other = 0; other < which; other++)
            for (int j = 0; j < k[other]->n_bound; j++)
                told = told || (!strcmp(k[other]->bound[j].name, b->name) &&
                                !strcmp(k[other]->bound[j].is, b->is));
        char *longer = told      ? text_dup(out)
                       : b->type ? text_format("%sconstexpr %s %s = %s;\n", out, b->type, b->name,
                                               b->is)
                                 : text_format("%stypedef %s %s;\n", out, b->is, b->name);
        free(out);
        out = longer;
    }
    return out;
}

static bool same_list(const struct source *s, struct extent a, struct extent b)
{
    char x[200], y[200];
    source_line(x, sizeof x, s, a.at, a.end);
    source_line(y, sizeof y, s, b.at, b.end);
    return !strcmp(x, y);
}

void source_instance_notes(struct source *s, const struct kernel *k)
{
    struct extent mine = {k->instance, list_behind(s, k->instance)}, list;
    char text[120], other[120];
    if (!k->n_bound || !k->instance)
        return;
    source_line(text, sizeof text, s, mine.at, mine.end);
    source_note(s, source_line_at(s, mine.at),
                "%s is a template: the draft is of %s%s; --kernel '%s<...>' makes one of another",
                k->name, k->name, text, k->name);
    for (size_t from = 0; next_instance(s, k, from, &list); from = list.end) {
        if (same_list(s, mine, list))
            continue;
        source_line(other, sizeof other, s, list.at, list.end);
        source_note(s, source_line_at(s, list.at), "%s%s was left out: a draft has one instance",
                    k->name, other);
    }
}
