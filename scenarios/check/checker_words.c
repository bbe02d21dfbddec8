/* What leaks the cause in the public half: every name, comment, string and sentence that somebody
 * who plays may see, against the words of each variant's cause, of its rivals, and those that say
 * that something is wrong at all. What names everything (hypotheses, remedies) is passed over. */
#include "scenarios/check/checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/check/checker_giveaways.h"
#include "scenarios/pack/image.h"
#include "scenarios/pack/telling.h"
#include "scenarios/text/yaml.h"

/* ---- the pieces of a file ---- */

struct said {
    enum spoken where;
    const char *text; size_t len;
    const struct yaml *node;           /* else `at` is the place in the file */
    size_t at;
    struct words words;
    unsigned char tells[MAX_HYPOTHESES]; /* enum telling, of each hypothesis on offer */
};
struct heard { const struct file *file; struct said *all; int n; };

static void hear(struct heard *h, enum spoken where, const char *text, size_t len,
                 const struct yaml *node, size_t at)
{
    h->all = mem_more(h->all, (size_t)h->n, sizeof *h->all);
    struct said *s = &h->all[h->n++];
    *s = (struct said){.where = where, .text = text, .len = len, .node = node, .at = at};
    words_cut(&s->words, text, len);
}

/* What each piece tells of each hypothesis on offer, for all questions about it. */
static void weigh(struct heard *h, const struct story *s)
{
    int first, n;
    for (int k = 0; k < s->n_hypotheses; k++) {
        struct teller *t = teller_new(s->hypotheses[k]);
        for (int i = 0; i < h->n; i++)
            h->all[i].tells[k] =
                (unsigned char)teller_hear(t, &h->all[i].words, h->all[i].where, &first, &n);
        teller_free(t);
    }
}

static void heard_free(struct heard *h)
{
    for (int i = 0; i < h->n; i++)
        words_free(&h->all[i].words);
    free(h->all);
    *h = (struct heard){0};
}

static void hear_piece(void *ctx, enum piece_kind kind, size_t at, size_t len)
{
    struct heard *h = ctx;
    hear(h, kind == PIECE_NAME ? SPOKEN_NAME : SPOKEN_COMMENT, h->file->text + at, len, NULL, at);
}

static void hear_source(struct heard *h, const struct file *f)
{
    *h = (struct heard){.file = f};
    source_pieces(source_kind_of(f->path), f->text, f->len, hear_piece, h);
}

/* ---- YAML: which keys hold what ---- */

static void hear_node(struct heard *h, enum spoken where, const struct yaml *y)
{
    if (y && y->kind == YAML_SCALAR)
        hear(h, where, y->text, y->len, y, 0);
}

static const struct yaml *value_of(const struct yaml *map, const char *key)
{
    for (const struct yaml *v = map && map->kind == YAML_MAP ? map->first : NULL; v; v = v->next)
        if (!strcmp(v->key->text, key))
            return v;
    return NULL;
}

/* The keys of a map are names that its author chose; below each of them stands a sentence or
 * another name. */
static void hear_entries(struct heard *h, const struct yaml *map, const char *prose)
{
    for (const struct yaml *v = map && map->kind == YAML_MAP ? map->first : NULL; v; v = v->next) {
        hear_node(h, SPOKEN_NAME, v->key);
        if (prose)
            hear_node(h, SPOKEN_PROSE, value_of(v, prose));
    }
}

static void hear_story(struct heard *h, const struct yaml *root)
{
    hear_node(h, SPOKEN_NAME, value_of(root, "id"));
    hear_node(h, SPOKEN_PROSE, value_of(root, "title"));
    hear_node(h, SPOKEN_PROSE, value_of(root, "story"));
    hear_node(h, SPOKEN_NAME, value_of(value_of(root, "rate"), "unit"));
    hear_entries(h, value_of(root, "params"), NULL);
    hear_entries(h, value_of(root, "define"), NULL);
    hear_entries(h, value_of(root, "buffers"), NULL);
    hear_entries(h, value_of(root, "experiments"), "title");
    hear_entries(h, value_of(root, "estimates"), "ask");
    hear_entries(h, value_of(root, "exhibits"), "title");
    hear_node(h, SPOKEN_PROSE, value_of(root, "system"));
    const struct yaml *list = value_of(root, "launches");
    for (const struct yaml *v = list ? list->first : NULL; v; v = v->next) {
        hear_node(h, SPOKEN_NAME, value_of(v, "kernel"));
        hear_node(h, SPOKEN_PROSE, value_of(v, "label"));
    }
    list = value_of(root, "questions");
    for (const struct yaml *v = list ? list->first : NULL; v; v = v->next) {
        hear_node(h, SPOKEN_PROSE, value_of(v, "ask"));
        hear_node(h, SPOKEN_PROSE, value_of(v, "answer"));
    }
}

/* "hot(a, b)" says what the format knows, not what this buffer holds: a list of fills in a comment,
 * as drafts have it. */
static void hear_yaml_comment(void *ctx, enum piece_kind kind, size_t at, size_t len)
{
    static const char *const forms[] = {"(a, b)", "(a)"};
    struct heard *h = ctx;
    hear_piece(h, kind, at, len);
    struct said *s = &h->all[h->n - 1];
    for (int i = 0; i < s->words.n; i++) {
        struct word_at *w = &s->words.word[i];
        for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
            if (w->at + w->len + strlen(forms[k]) <= len &&
                !strncmp(s->text + w->at + w->len, forms[k], strlen(forms[k])))
                w->text[0] = '\0';
    }
}

static void hear_yaml(struct heard *h, const struct file *f, const struct yaml_doc *doc, bool story)
{
    const struct yaml *root = yaml_doc_root(doc);
    *h = (struct heard){.file = f};
    yaml_comments(f->text, f->len, hear_yaml_comment, h);
    if (story) {
        hear_story(h, root);
    } else {
        hear_node(h, SPOKEN_NAME, value_of(root, "id"));
        hear_node(h, SPOKEN_PROSE, value_of(root, "title"));
    }
}

/* ---- what was heard, against one variant ---- */

struct listening {
    struct findings *f;
    const struct story *story;
    const struct variant *v;
    const struct heard *heard;
};

static struct place place_at(const struct heard *h, const struct said *s, int word)
{
    size_t at = s->words.word[word].at;
    if (!s->node)
        return place_in(h->file, s->at + at);
    struct place p = {.file = h->file};
    yaml_place(h->file, s->node->line, s->node->col, s->node->text, (int)at + 1, &p.line, &p.col);
    return p;
}

/* The words as they stand there. */
static void quote(char *out, size_t size, const struct said *s, int first, int n)
{
    size_t from = s->words.word[first].at,
           to = s->words.word[first + n - 1].at + s->words.word[first + n - 1].len;
    snprintf(out, size, "%.*s", (int)(to - from), s->text + from);
    for (char *c = out; *c; c++)
        if (*c == '\n')
            *c = ' ';
}

static bool is_cause(const struct variant *v, int h)
{
    return v->cause == h || (v->contributing & 1u << h);
}

/* The files that a variant has for itself and everybody sees; those that it lacks are NULL. */
enum { OWN_FILES = 3 };
static void own_files(const struct file *out[OWN_FILES], const struct variant *v)
{
    struct image_files image = {0};
    if (v->suspect)
        image_find(&image, v->story->pack->files, v->suspect);
    out[0] = v->suspect;
    out[1] = v->launches_file;
    out[2] = image.about;
}

/* Which of them was heard; -1: one that all variants share. */
static int which_own(const struct listening *l)
{
    const struct file *own[OWN_FILES];
    own_files(own, l->v);
    for (int i = 0; i < OWN_FILES; i++)
        if (l->heard->file == own[i])
            return i;
    return -1;
}

static bool says_too(const struct variant *v, int which, const char *said)
{
    const struct file *own[OWN_FILES];
    own_files(own, v);
    return own[which] && strstr(own[which]->text, said);
}

/* Do the other variants' sources say it too, or is the file shared, while their cause is another?
 * Then it tells nobody which of them this is. */
static bool is_common(const struct listening *l, const char *said, int h)
{
    const struct story *s = l->story;
    bool other = false;
    int own = which_own(l);
    for (int i = 0; i < s->n_variants; i++) {
        other = other || (!s->variants[i]->sealed && !is_cause(s->variants[i], h));
        if (own >= 0 && !says_too(s->variants[i], own, said))
            return false;
    }
    return other;
}

/* A text that names them all, such as a list in a comment, says nothing about any. */
static bool names_all(const struct heard *h, const struct story *s)
{
    int named = 0;
    for (int k = 0; k < s->n_hypotheses; k++)
        for (int i = 0; i < h->n; i++)
            if (h->all[i].tells[k] == TELLS_NAME) {
                named++;
                break;
            }
    return named >= s->n_hypotheses - 1;
}

/* Is it the cause of any variant that may be meant: of this one in its own source, of one of them
 * in what they share? */
static bool is_somebodys_cause(const struct listening *l, int h)
{
    bool shared = which_own(l) < 0, found = is_cause(l->v, h);
    for (int i = 0; shared && i < l->story->n_variants; i++)
        found = found || (!l->story->variants[i]->sealed && is_cause(l->story->variants[i], h));
    return found;
}

/* Reports what the heard text says of hypothesis k, once. */
static void listen_for(const struct listening *l, int k)
{
    const struct hypothesis *h = l->story->hypotheses[k];
    const struct said *hint = NULL;
    char text[96];
    int first, n;
    for (int i = 0; i < l->heard->n; i++) {
        const struct said *s = &l->heard->all[i];
        enum telling tells = s->tells[k];
        if (tells == TELLS_HINT && !hint)
            hint = s;
        if (tells != TELLS_NAME ||
            (!is_cause(l->v, k) && (s->where == SPOKEN_PROSE || is_somebodys_cause(l, k))))
            continue;
        telling_hypothesis(h, &s->words, s->where, &first, &n);
        quote(text, sizeof text, s, first, n);
        findings_add(l->f, is_cause(l->v, k) ? "leak-cause" : "leak-rival", l->story->pack,
                     l->v->full_id, NULL, place_at(l->heard, s, first),
                     is_cause(l->v, k) ? "'%s' names the cause, %s; a word that says nothing about "
                                         "it was expected"
                                       : "'%s' names %s, which is on offer and not the cause; a "
                                         "word that names neither was expected",
                     text, h->label);
        return;
    }
    if (!hint || !is_cause(l->v, k))
        return;
    telling_hypothesis(h, &hint->words, hint->where, &first, &n);
    quote(text, sizeof text, hint, first, n);
    if (!is_common(l, text, k))
        findings_add(l->f, "leak-hint", l->story->pack, l->v->full_id, NULL,
                     place_at(l->heard, hint, first),
                     "'%s' goes well with the cause, %s; a word that every variant has, or none, "
                     "was expected",
                     text, h->label);
}

static void listen(struct findings *f, const struct variant *v, const struct heard *h)
{
    struct listening l = {.f = f, .story = v->story, .v = v, .heard = h};
    if (v->sealed || names_all(h, v->story))
        return;
    for (int k = 0; k < v->story->n_hypotheses; k++)
        listen_for(&l, k);
}

/* ---- words that say that something is wrong at all ---- */

/* The same word is told once in a file, and of many words the first ones. */
struct told { char text[MOST_TOLD][96]; int n; };

static bool was_told(const struct told *t, const char *text)
{
    for (int i = 0; i < t->n; i++)
        if (!strcmp(t->text[i], text))
            return true;
    return false;
}

static void listen_verdict(struct findings *f, const struct story *story, const char *scenario,
                           const struct heard *h)
{
    static const char *const places[] =
        {[SPOKEN_NAME] = "a name", [SPOKEN_COMMENT] = "a comment", [SPOKEN_PROSE] = "a sentence"};
    struct teller *verdict = teller_new(NULL);
    struct told told = {.n = 0};
    int first, n;
    for (int i = 0; i < h->n && told.n < MOST_TOLD; i++) {
        const struct said *s = &h->all[i];
        enum telling tells = teller_hear(verdict, &s->words, s->where, &first, &n);
        char *text = told.text[told.n];
        if (tells == TELLS_NOTHING)
            continue;
        quote(text, sizeof told.text[0], s, first, n);
        if (was_told(&told, text))
            continue;
        told.n++;
        findings_add(f, tells == TELLS_NAME ? "leak-word" : "leak-tone", story->pack, scenario,
                     NULL, place_at(h, s, first),
                     "'%s' in %s %s; what a colleague would have written on a bad day was expected",
                     text, places[s->where],
                     tells == TELLS_NAME ? "says that something is wrong"
                                         : "may say how it stands");
    }
    teller_free(verdict);
}

/* ---- a story ---- */

/* Options of a compiler and who ran it: a name may have been chosen there that tells. */
static void hear_image(struct heard *h, const struct file *f, const struct yaml_doc *doc)
{
    static const char *const keys[] = {"compiler", "options", "made-by"};
    *h = (struct heard){.file = f};
    yaml_comments(f->text, f->len, hear_yaml_comment, h);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        hear_node(h, SPOKEN_NAME, value_of(yaml_doc_root(doc), keys[i]));
}

static void listen_apart(struct findings *f, const struct variant *v, struct heard *h)
{
    weigh(h, v->story);
    listen(f, v, h);
    listen_verdict(f, v->story, v->full_id, h);
    heard_free(h);
}

/* What is said beside a variant's source: labels, kernels and comments of its own launches, and
 * where its image comes from. The PTX is a compiler's text. */
static void check_beside(struct findings *f, const struct variant *v)
{
    const struct file *own[OWN_FILES];
    own_files(own, v);
    for (int i = 1; i < OWN_FILES; i++) {
        struct yaml_doc *doc = NULL;
        struct heard h;
        if (!own[i] || yaml_doc_read(&doc, v->story->pack->files, own[i], NULL))
            continue;
        if (own[i] == v->launches_file)
            hear_yaml(&h, own[i], doc, true);
        else
            hear_image(&h, own[i], doc);
        listen_apart(f, v, &h);
        yaml_doc_free(doc);
    }
}

static void check_sources(struct findings *f, const struct story *s)
{
    for (int i = 0; i < s->n_variants; i++) {
        const struct variant *v = s->variants[i];
        struct heard source = {.file = v->suspect}, folder = {.file = v->suspect};
        if (!story_is_case(s))
            hear_source(&source, v->suspect);
        hear(&folder, SPOKEN_NAME, v->id, strlen(v->id), NULL, 0);
        listen_apart(f, v, &source);
        listen_apart(f, v, &folder);
        check_beside(f, v);
    }
}

static void check_yaml(struct findings *f, const struct story *s, const char *path, bool story)
{
    const struct file *file = files_find(s->pack->files, path);
    struct yaml_doc *doc = NULL;
    struct heard h;
    if (!file || yaml_doc_read(&doc, s->pack->files, file, NULL))
        return;
    hear_yaml(&h, file, doc, story);
    weigh(&h, s);
    for (int i = 0; i < s->n_variants; i++)
        listen(f, s->variants[i], &h);
    listen_verdict(f, s, story ? s->full_id : s->pack->id, &h);
    heard_free(&h);
    yaml_doc_free(doc);
}

void check_words(struct findings *f, const struct story *s)
{
    char *path = text_format("%s/scenario.yaml", s->id);
    check_yaml(f, s, path, true);
    check_yaml(f, s, "pack.yaml", false);
    check_sources(f, s);
    check_giveaways(f, s);
    free(path);
}
