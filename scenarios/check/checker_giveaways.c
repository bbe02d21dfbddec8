#include "scenarios/check/checker_giveaways.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "kernels/wire/token.h"
#include "scenarios/check/phrases.h"
#include "scenarios/pack/telling.h"

enum { LEAST_PASTED = 16 }; /* bytes without blanks from which a line of the fix is recognised */
static const double FAR_LONGER = 1.6;
enum { MOST_BESIDE = 160 };        /* bytes of code before a comment that it may explain */
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

/* Phrases of the variants' sources: one that two variants have is no variant's own. */
struct own {
    struct findings *f;
    const struct story *s;
    struct phrases *all;
    struct mark *mark; int n;
    int variant;           /* whose source is heard */
};
/* beside: the phrase of the code before a comment, or -1. */
struct mark { int variant, phrase, beside; size_t at, len; };

static struct mark *mark_add(struct own *o, size_t at, size_t len)
{
    o->mark = mem_more(o->mark, (size_t)o->n, sizeof *o->mark);
    o->mark[o->n] = (struct mark){.variant = o->variant, .beside = -1, .at = at, .len = len};
    return &o->mark[o->n++];
}

static const struct file *source_of(const struct own *o, int variant)
{
    return o->s->variants[variant]->suspect;
}

static int add_squeezed(struct phrases *p, const char *text, size_t n)
{
    char *s = squeezed(text, n);
    int phrase = *s ? phrases_add(p, s, strlen(s)) : -1;
    free(s);
    return phrase;
}

/* The code before a comment on its line, of a long line its end. */
static size_t code_before(const char *text, size_t at)
{
    size_t n = 0;
    while (n < MOST_BESIDE && n < at && text[at - n - 1] != '\n')
        n++;
    return n;
}

static void hear_comment(void *ctx, enum piece_kind kind, size_t at, size_t len)
{
    struct own *o = ctx;
    const char *text = source_of(o, o->variant)->text;
    int said = kind == PIECE_COMMENT ? add_squeezed(o->all, text + at, len) : -1;
    if (said < 0)
        return;
    size_t before = code_before(text, at);
    struct mark *m = mark_add(o, at, len);
    m->phrase = said;
    if (before > 2)
        m->beside = add_squeezed(o->all, text + at - before, before - 2);
}

static void read_squeezed(struct own *o, int variant)
{
    char *text = squeezed(source_of(o, variant)->text, source_of(o, variant)->len);
    phrases_read(o->all, text, strlen(text), variant);
    free(text);
}

/* A comment that explains code which differs is part of that code. */
static bool is_own_comment(const struct own *o, const struct mark *m)
{
    return phrases_owner(o->all, m->phrase) != PHRASE_SHARED &&
           (m->beside < 0 || phrases_owner(o->all, m->beside) == PHRASE_SHARED);
}

static void tell_comment(const struct own *o, const struct mark *m)
{
    const struct variant *v = o->s->variants[m->variant];
    findings_add(o->f, "variant-comment", o->s->pack, v->full_id, NULL, place_in(v->suspect, m->at),
                 "no other variant has this comment, and the code beside it is not this variant's "
                 "alone; the same comments in all of them were expected");
}

/* "__global__ void NAME(" or "#define NAME": the name, or NULL. */
static const char *defined(const char *line, size_t n, size_t *len)
{
    static const char *const heads[] = {"#define", "__global__"};
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
        const char *at = memmem(line, n, heads[h], strlen(heads[h]));
        const char *name = at ? at + strlen(heads[h]) : NULL, *end = line + n,
                   *open = at ? memchr(at, '(', (size_t)(end - at)) : NULL;
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
        for (*len = 0;
             name && name + *len < end && (isalnum((unsigned char)name[*len]) || name[*len] == '_');
             ++*len)
            ;
        return name && *len ? name : NULL;
    }
    return NULL;
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* " name name name ": the words of a source, so that a phrase with its blanks is a whole word. */
static void read_names(struct own *o, int variant)
{
    const struct file *f = source_of(o, variant);
    char *text = mem_new(f->len + 2, 1), *end = text;
    *end++ = ' ';
    for (size_t i = 0; i < f->len; i++)
        if (in_name(f->text[i]))
            *end++ = f->text[i];
        else if (end[-1] != ' ')
            *end++ = ' ';
    if (end[-1] != ' ')
        *end++ = ' ';
    phrases_read(o->all, text, (size_t)(end - text), variant);
    free(text);
}

static void hear_names(struct own *o)
{
    const char *text = source_of(o, o->variant)->text;
    for (const char *line = text; *line;
         line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n')) {
        size_t len;
        const char *name = defined(line, strcspn(line, "\n"), &len);
        if (!name)
            continue;
        char *word = text_format(" %.*s ", (int)len, name);
        mark_add(o, (size_t)(name - text), len)->phrase = phrases_add(o->all, word, len + 2);
        free(word);
    }
}

static bool is_own_name(const struct own *o, const struct mark *m)
{
    return phrases_owner(o->all, m->phrase) != PHRASE_SHARED;
}

static void tell_name(const struct own *o, const struct mark *m)
{
    const struct variant *v = o->s->variants[m->variant];
    findings_add(o->f, "variant-extra", o->s->pack, v->full_id, NULL, place_in(v->suspect, m->at),
                 "no other variant has %.*s; the same kernels and macros in all of them were "
                 "expected",
                 (int)m->len, v->suspect->text + m->at);
}

/* Of each variant the first ones. */
static void tell_own(const struct own *o, bool (*is_own)(const struct own *o, const struct mark *m),
                     void (*tell)(const struct own *o, const struct mark *m))
{
    for (int i = 0, told = 0; i < o->n; i++) {
        told = i && o->mark[i].variant == o->mark[i - 1].variant ? told : 0;
        if (told < MOST_TOLD && is_own(o, &o->mark[i])) {
            tell(o, &o->mark[i]);
            told++;
        }
    }
}

static void check_comments(struct findings *f, const struct story *s)
{
    struct own o = {.f = f, .s = s, .all = phrases_new()};
    for (; o.variant < s->n_variants; o.variant++)
        source_pieces(s->variants[o.variant]->kind, source_of(&o, o.variant)->text,
                      source_of(&o, o.variant)->len, hear_comment, &o);
    for (int i = 0; i < s->n_variants; i++)
        read_squeezed(&o, i);
    tell_own(&o, is_own_comment, tell_comment);
    phrases_free(o.all);
    free(o.mark);
}

static void check_extras(struct findings *f, const struct story *s)
{
    struct own o = {.f = f, .s = s, .all = phrases_new()};
    for (; o.variant < s->n_variants; o.variant++)
        hear_names(&o);
    for (int i = 0; i < s->n_variants; i++)
        read_names(&o, i);
    tell_own(&o, is_own_name, tell_name);
    phrases_free(o.all);
    free(o.mark);
}

/* ---- folders and causes ---- */

/* In a harness the step is half of what is to be found. */
static bool is_one_fault(const struct variant *v, const struct variant *w)
{
    return v->cause == w->cause &&
           (!story_is_harness(v->story) || v->location_line == w->location_line);
}

/* The first variant before this one whose fault is the same, or NULL. */
static const struct variant *first_like(const struct story *s, int variant)
{
    const struct variant *v = s->variants[variant];
    for (int k = 0; k < variant; k++)
        if (!v->sealed && !s->variants[k]->sealed && is_one_fault(v, s->variants[k]))
            return s->variants[k];
    return NULL;
}

static void check_folders(struct findings *f, const struct story *s)
{
    for (int i = 0; i < s->n_variants; i++) {
        const struct variant *v = s->variants[i];
        if (strlen(v->id) > 1)
            findings_add(f, "variant-name", s->pack, v->full_id, NULL,
                         (struct place){.file = v->suspect},
                         "the variant is called '%s', and its name is shown; a letter, which says "
                         "nothing, was expected",
                         v->id);
        const struct variant *like = first_like(s, i);
        if (like)
            findings_add(f, "variant-cause", s->pack, v->full_id, NULL,
                         (struct place){.file = v->suspect},
                         "the cause is that of variant %s, %s; another cause for each variant was "
                         "expected",
                         like->id, s->hypotheses[v->cause]->label);
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
        findings_add(f, "truth-first", p, p->id, NULL, at,
                     "in all %d variants the cause is the first hypothesis on offer; rivals before "
                     "it were expected",
                     n);
    if (n >= LEAST_VARIANTS && remedy)
        findings_add(f, "truth-first", p, p->id, NULL, at,
                     "in all %d variants an accepted remedy is the first on offer; another place "
                     "was expected",
                     n);
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
        findings_add(f, "remedy-longest", s->pack, v->full_id, NULL,
                     place_key(s->pack, path, "remedies", s->remedies[which].id),
                     "the accepted remedy takes %.0f characters, the next longest %.0f; texts of "
                     "about one length were expected",
                     longest, other);
    free(path);
}

/* ---- the fix, pasted where it is shown ---- */

static bool is_code(const char *line)
{
    return strlen(line) >= LEAST_PASTED && strpbrk(line, ";=(") && strncmp(line, "//", 2) &&
           strncmp(line, "#pragma", 7);
}

struct gathered { const struct file *file; char *text; size_t n, room; };

static void gather_comment(void *ctx, enum piece_kind kind, size_t at, size_t len)
{
    struct gathered *to = ctx;
    if (kind == PIECE_NAME)
        return;
    char *s = squeezed(to->file->text + at, len);
    size_t n = strlen(s);
    if (to->n + n + 1 > to->room)
        to->text = mem_grow(to->text, to->room = 2 * (to->n + n + 1), 1);
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
    all.room = all.n + 1;
    for (int i = 0; i < s->n_variants; i++) {
        all.file = s->variants[i]->suspect;
        source_pieces(s->variants[i]->kind, all.file->text, all.file->len, gather_comment, &all);
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

/* Lines of a fix: the phrase of each, and where it stands. */
struct lines { int *phrase, *line; int n; };

static void lines_free(struct lines *l)
{
    free(l->phrase);
    free(l->line);
}

/* The code lines of a fix, as phrases. */
static void lines_of(struct lines *out, const struct variant *v, struct phrases *p)
{
    struct token_text fix;
    *out = (struct lines){.n = 0};
    if (token_scan(&fix, v->fix_file->text, v->fix_file->len, NULL))
        return;
    out->phrase = mem_new((size_t)fix.lines + 1, sizeof *out->phrase);
    out->line = mem_new((size_t)fix.lines + 1, sizeof *out->line);
    const char *line = fix.text;
    for (int k = 0; k < fix.lines; k++, line += strcspn(line, "\n") + 1) {
        char *code = squeezed(line, strcspn(line, "\n"));
        if (is_code(code)) {
            out->phrase[out->n] = phrases_add(p, code, strlen(code));
            out->line[out->n++] = fix.line_of[k];
        }
        free(code);
    }
    token_free(&fix);
}

enum { BY_PROSE, BY_SUSPECT };

/* The first line that prose has and the suspect's code has not. */
static void check_pasted(struct findings *f, const struct variant *v, const char *prose)
{
    struct phrases *p = phrases_new();
    struct lines lines;
    int pasted = 0;
    lines_of(&lines, v, p);
    char *suspect = code_of(v->suspect);
    phrases_read(p, prose, strlen(prose), BY_PROSE);
    phrases_read(p, suspect, strlen(suspect), BY_SUSPECT);
    for (int k = 0; k < lines.n && !pasted; k++)
        if (phrases_owner(p, lines.phrase[k]) == BY_PROSE)
            pasted = lines.line[k];
    if (pasted)
        findings_add(f, "leak-fix", v->story->pack, v->full_id, NULL,
                     (struct place){v->fix_file, pasted, 1},
                     "this line of the fix stands in a comment of the source or in scenario.yaml, "
                     "where everybody sees it; nothing of it was expected");
    lines_free(&lines);
    free(suspect);
    phrases_free(p);
}

void check_giveaways(struct findings *f, const struct story *s)
{
    bool has_code = !story_is_case(s);
    char *prose = has_code ? public_prose(s) : NULL;
    check_folders(f, s);
    if (has_code && s->n_variants > 1) {
        check_comments(f, s);
        check_extras(f, s);
    }
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
