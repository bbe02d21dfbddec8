#include "scenarios/check/checker_looks.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "kernels/wire/token.h"
#include "scenarios/pack/telling.h"

enum { LEAST_PASTED = 16 };        /* bytes without blanks from which a line of the fix is recognised */
static const double FAR_LONGER = 1.6;
enum { LEAST_VARIANTS = 3 };       /* of a pack, before "always" means anything */

static bool is_blank(char c)
{
    return isspace((unsigned char)c) != 0;
}

/* Without any blanks, so that layout does not matter; the caller's. */
static char *squeezed(const char *s, size_t n)
{
    char *out = mem_new(n + 1, 1), *o = out;
    for (size_t i = 0; i < n; i++)
        if (!is_blank(s[i]))
            *o++ = s[i];
    *o = '\0';
    return out;
}

/* ---- comments, kernels and macros that one variant alone has ---- */

struct alone { struct findings *f; const struct variant *v; };

static bool others_have(const struct variant *v, const char *what)
{
    const struct story *s = v->story;
    for (int i = 0; i < s->n_variants; i++) {
        char *text = squeezed(s->variants[i]->suspect->text, s->variants[i]->suspect->len);
        bool has = s->variants[i] != v && strstr(text, what);
        free(text);
        if (has)
            return true;
    }
    return false;
}

/* A comment that explains code which differs is part of that code. */
static bool explains_own_code(const struct variant *v, size_t at)
{
    const char *text = v->suspect->text, *line = text + at;
    while (line > text && line[-1] != '\n')
        line--;
    size_t n = strcspn(line, "\n"), before = (size_t)(text + at - line);
    char *code = squeezed(line, before > 2 && before <= n ? before - 2 : 0);
    bool own = *code && !others_have(v, code);
    free(code);
    return own;
}

static void hear_comment(void *ctx, enum piece_kind kind, size_t at, size_t len)
{
    struct alone *a = ctx;
    if (kind != PIECE_COMMENT)
        return;
    char *said = squeezed(a->v->suspect->text + at, len);
    if (*said && !others_have(a->v, said) && !explains_own_code(a->v, at))
        findings_add(a->f, "variant-comment", a->v->story->pack, a->v->full_id, NULL, place_in(a->v->suspect, at),
                     "no other variant has this comment, and the code beside it is not this variant's alone; the same comments in all of them were expected");
    free(said);
}

/* "__global__ void NAME(" or "#define NAME": the name, or NULL. */
static const char *defined(const char *line, size_t n, size_t *len)
{
    static const char *const heads[] = {"#define", "__global__"};
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
        const char *at = memmem(line, n, heads[h], strlen(heads[h]));
        const char *name = at ? at + strlen(heads[h]) : NULL, *end = line + n, *open = at ? memchr(at, '(', (size_t)(end - at)) : NULL;
        if (!at)
            continue;
        if (h == 1) {
            for (name = open; name && name > at && is_blank(name[-1]); name--)
                ;
            while (name && name > at && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
                name--;
        }
        while (name && name < end && is_blank(*name))
            name++;
        for (*len = 0; name && name + *len < end && (isalnum((unsigned char)name[*len]) || name[*len] == '_'); ++*len)
            ;
        return name && *len ? name : NULL;
    }
    return NULL;
}

static bool knows_word(const char *text, const char *name, size_t n)
{
    for (const char *at = text; (at = memmem(at, strlen(at), name, n)); at++) {
        bool left = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (left && !(isalnum((unsigned char)at[n]) || at[n] == '_'))
            return true;
    }
    return false;
}

static void check_extras(struct findings *f, const struct variant *v)
{
    const char *text = v->suspect->text;
    for (const char *line = text; *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n')) {
        size_t len;
        bool known = false;
        const char *name = defined(line, strcspn(line, "\n"), &len);
        for (int i = 0; name && i < v->story->n_variants; i++)
            known = known || (v->story->variants[i] != v && knows_word(v->story->variants[i]->suspect->text, name, len));
        if (name && !known)
            findings_add(f, "variant-extra", v->story->pack, v->full_id, NULL, place_in(v->suspect, (size_t)(name - text)),
                         "no other variant has %.*s; the same kernels and macros in all of them were expected", (int)len, name);
    }
}

static void check_differences(struct findings *f, const struct story *s)
{
    for (int i = 0; s->n_variants > 1 && i < s->n_variants; i++) {
        struct alone a = {f, s->variants[i]};
        source_pieces(a.v->suspect->text, a.v->suspect->len, hear_comment, &a);
        check_extras(f, a.v);
    }
}

/* ---- folders and causes ---- */

/* The first variant before this one whose cause is the same, or NULL. */
static const struct variant *first_like(const struct story *s, int variant)
{
    const struct variant *v = s->variants[variant];
    for (int k = 0; k < variant; k++)
        if (!v->sealed && !s->variants[k]->sealed && s->variants[k]->cause == v->cause)
            return s->variants[k];
    return NULL;
}

static void check_folders(struct findings *f, const struct story *s)
{
    for (int i = 0; i < s->n_variants; i++) {
        const struct variant *v = s->variants[i];
        if (strlen(v->id) > 1)
            findings_add(f, "variant-name", s->pack, v->full_id, NULL, (struct place){.file = v->suspect},
                         "the variant is called '%s', and its name is shown; a letter, which says nothing, was expected", v->id);
        const struct variant *like = first_like(s, i);
        if (like)
            findings_add(f, "variant-cause", s->pack, v->full_id, NULL, (struct place){.file = v->suspect},
                         "the cause is that of variant %s, %s; another cause for each variant was expected", like->id, s->hypotheses[v->cause]->label);
    }
}

/* ---- where the truth stands ---- */

static int first_of(unsigned bits)
{
    int k = 0;
    while (bits && !(bits & 1u << k))
        k++;
    return bits ? k : -1;
}

static void check_order(struct findings *f, const struct story *story)
{
    const struct pack *p = story->pack;
    struct place at = place_file(p, "pack.yaml");
    bool cause = true, remedy = true;
    int n = 0;
    for (int s = 0; s < p->n_stories; s++)
        for (int i = 0; i < p->stories[s].n_variants; i++) {
            const struct variant *v = p->stories[s].variants[i];
            cause = cause && !v->sealed && v->cause == 0;
            remedy = remedy && !v->sealed && first_of(v->remedies) == 0;
            n++;
        }
    if (n >= LEAST_VARIANTS && cause)
        findings_add(f, "truth-first", p, p->id, NULL, at, "in all %d variants the cause is the first hypothesis on offer; rivals before it were expected", n);
    if (n >= LEAST_VARIANTS && remedy)
        findings_add(f, "truth-first", p, p->id, NULL, at, "in all %d variants an accepted remedy is the first on offer; another place was expected", n);
}

/* Characters, not bytes. */
static double length_of(const char *s)
{
    double n = 0;
    for (; *s; s++)
        n += !text_is_tail(*s);
    return n;
}

static void check_remedies(struct findings *f, const struct variant *v)
{
    const struct story *s = v->story;
    double longest = 0, other = 0;
    int which = -1;
    for (int r = 0; r < s->n_remedies; r++) {
        double n = length_of(s->remedies[r].text);
        if (!(v->remedies & 1u << r))
            other = n > other ? n : other;
        else if (n > longest) {
            longest = n;
            which = r;
        }
    }
    char *path = text_format("%s/scenario.yaml", s->id);
    if (which >= 0 && other > 0 && longest >= FAR_LONGER * other)
        findings_add(f, "remedy-longest", s->pack, v->full_id, NULL, place_key(s->pack, path, "remedies", s->remedies[which].id),
                     "the accepted remedy takes %.0f characters, the next longest %.0f; texts of about one length were expected", longest, other);
    free(path);
}

/* ---- the fix, pasted where it is shown ---- */

static bool is_code(const char *line)
{
    return strlen(line) >= LEAST_PASTED && strpbrk(line, ";=(") && strncmp(line, "//", 2) && strncmp(line, "#pragma", 7);
}

struct gathered { const struct file *file; char *text; size_t n; };

static void gather_comment(void *ctx, enum piece_kind kind, size_t at, size_t len)
{
    struct gathered *to = ctx;
    if (kind == PIECE_NAME)
        return;
    char *s = squeezed(to->file->text + at, len);
    size_t n = strlen(s);
    to->text = mem_grow(to->text, to->n + n + 2, 1);
    memcpy(to->text + to->n, s, n + 1);
    to->n += n;
    free(s);
}

/* What a suspect's comments and strings say, and all of scenario.yaml, without blanks. */
static char *public_prose(const struct story *s)
{
    char *path = text_format("%s/scenario.yaml", s->id);
    const struct file *yaml = files_find(s->pack->files, path);
    struct gathered all = {.text = yaml ? squeezed(yaml->text, yaml->len) : text_dup("")};
    all.n = strlen(all.text);
    for (int i = 0; i < s->n_variants; i++) {
        all.file = s->variants[i]->suspect;
        source_pieces(all.file->text, all.file->len, gather_comment, &all);
    }
    free(path);
    return all.text;
}

/* The code of a source without comments and blanks; the caller's. */
static char *code_of(const struct file *f)
{
    struct token_text t;
    if (token_scan(&t, f->text, f->len, NULL))
        return text_dup("");
    char *code = squeezed(t.text, t.len);
    token_free(&t);
    return code;
}

static void check_pasted(struct findings *f, const struct variant *v, const char *prose)
{
    struct token_text fix;
    if (token_scan(&fix, v->fix_file->text, v->fix_file->len, NULL))
        return;
    char *suspect = code_of(v->suspect);
    const char *line = fix.text;
    int pasted = 0;
    for (int k = 0; k < fix.lines && !pasted; k++, line += strcspn(line, "\n") + 1) {
        char *code = squeezed(line, strcspn(line, "\n"));
        if (is_code(code) && strstr(prose, code) && !strstr(suspect, code))
            pasted = fix.line_of[k];
        free(code);
    }
    if (pasted)
        findings_add(f, "leak-fix", v->story->pack, v->full_id, NULL, (struct place){v->fix_file, pasted, 1},
                     "this line of the fix stands in a comment of the source or in scenario.yaml, where everybody sees it; nothing of it was expected");
    token_free(&fix);
    free(suspect);
}

void check_looks(struct findings *f, const struct story *s)
{
    bool has_code = !story_is_case(s);
    char *prose = has_code ? public_prose(s) : NULL;
    check_folders(f, s);
    if (has_code)
        check_differences(f, s);
    check_order(f, s);
    for (int i = 0; i < s->n_variants; i++) {
        if (s->variants[i]->sealed)
            continue;
        check_remedies(f, s->variants[i]);
        if (has_code)
            check_pasted(f, s->variants[i], prose);
    }
    free(prose);
}
