/* Each word is a number; a story is a sorted list of them. Totals over all stories are counted
 * once, and what hidden stories have put into them is taken out when somebody asks. */
#include "scenarios/check/library_words.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

enum { LEAST = 3 /* letters of a word */, PRIOR = 2 /* variants that are imagined beside */ };

struct bag { int *word; int n; };         /* ascending */
struct count { int offered, true_; };     /* variants */
struct vocabulary {
    const struct openings *o;
    struct bag *story, *cause;            /* cause: its explanation */
    int *explaining;                      /* how many explanations have the word */
    struct count *total;                  /* [word][cause] */
    int n, n_causes;
};

/* ---- text to words ---- */

struct found { char *text; int bag; };
struct texts { struct found *all; int n; };

/* Endings that a plural, a past tense or a participle has: "loads" and "loading" are one word. */
static size_t stem(const char *word, size_t n)
{
    static const char *const endings[] = {"ings", "ing", "ies", "es", "ed", "s"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t k = strlen(endings[i]);
        if (n >= k + LEAST && !strncmp(word + n - k, endings[i], k))
            return n - k;
    }
    return n;
}

static void keep(struct texts *f, const char *from, size_t n, int bag)
{
    char *word = text_ndup(from, n);
    for (size_t i = 0; i < n; i++)
        word[i] = (char)tolower((unsigned char)word[i]);
    word[stem(word, n)] = '\0';
    f->all = mem_more(f->all, (size_t)f->n, sizeof *f->all);
    f->all[f->n++] = (struct found){word, bag};
}

static void find(struct texts *f, const char *text, int bag)
{
    while (*text) {
        size_t n = 0;
        while (isalpha((unsigned char)text[n]))
            n++;
        if (n >= LEAST)
            keep(f, text, n, bag);
        text += n ? n : 1;
    }
}

static int compare(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    int words = strcmp(x->text, y->text);
    return words ? words : x->bag - y->bag;
}

static void put(struct bag *b, int word)
{
    if (b->n && b->word[b->n - 1] == word)
        return;
    b->word = mem_more(b->word, (size_t)b->n, sizeof *b->word);
    b->word[b->n++] = word;
}

/* Bags of stories come first, then those of causes. */
static void fill(struct vocabulary *w, struct texts *f)
{
    qsort(f->all, (size_t)f->n, sizeof *f->all, compare);
    for (int i = 0; i < f->n; i++) {
        bool new = i == 0 || strcmp(f->all[i].text, f->all[i - 1].text) != 0;
        int bag = f->all[i].bag - w->o->n_stories;
        w->n += new;
        put(bag < 0 ? &w->story[f->all[i].bag] : &w->cause[bag], w->n - 1);
    }
    for (int i = 0; i < f->n; i++)
        free(f->all[i].text);
    free(f->all);
}

/* ---- counts ---- */

static struct count *at(const struct vocabulary *w, int word, int cause)
{
    return &w->total[word * w->n_causes + cause];
}

static void count_opening(struct vocabulary *w, const struct opening *one)
{
    const struct bag *b = &w->story[one->story];
    for (int i = 0; i < b->n; i++)
        for (int h = 0; h < one->n; h++) {
            at(w, b->word[i], one->cause[h])->offered++;
            at(w, b->word[i], one->cause[h])->true_ += h == one->truth;
        }
}

struct vocabulary *vocabulary_new(const struct openings *o)
{
    struct vocabulary *w = mem_new(1, sizeof *w);
    struct texts f = {0};
    size_t n_causes;
    const struct hypothesis *causes = taxonomy(&n_causes);
    w->o = o;
    w->n_causes = (int)n_causes;
    w->story = mem_new((size_t)o->n_stories, sizeof *w->story);
    w->cause = mem_new(n_causes, sizeof *w->cause);
    for (int s = 0; s < o->n_stories; s++)
        find(&f, o->stories[s].text, s);
    for (int c = 0; c < w->n_causes; c++) {
        find(&f, causes[c].label, o->n_stories + c);
        find(&f, causes[c].explain, o->n_stories + c);
    }
    fill(w, &f);
    w->explaining = mem_new((size_t)w->n, sizeof *w->explaining);
    w->total = mem_new((size_t)w->n * n_causes, sizeof *w->total);
    for (int c = 0; c < w->n_causes; c++)
        for (int i = 0; i < w->cause[c].n; i++)
            w->explaining[w->cause[c].word[i]]++;
    for (int i = 0; i < o->n; i++)
        count_opening(w, &o->all[i]);
    return w;
}

void vocabulary_free(struct vocabulary *w)
{
    if (!w)
        return;
    for (int s = 0; s < w->o->n_stories; s++)
        free(w->story[s].word);
    for (int c = 0; c < w->n_causes; c++)
        free(w->cause[c].word);
    free(w->story);
    free(w->cause);
    free(w->explaining);
    free(w->total);
    free(w);
}

/* ---- questions ---- */

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static bool holds(const struct bag *b, int word)
{
    return b->n && bsearch(&word, b->word, (size_t)b->n, sizeof word, by_number);
}

/* What the variants of a story put into the totals of each of its words for this cause. */
static struct count count_story(const struct vocabulary *w, int story, int cause)
{
    const struct opening_story *s = &w->o->stories[story];
    struct count c = {0};
    for (int i = s->first; i < s->first + s->n; i++)
        for (int h = 0; h < w->o->all[i].n; h++)
            if (w->o->all[i].cause[h] == cause) {
                c.offered++;
                c.true_ += h == w->o->all[i].truth;
            }
    return c;
}

/* A hidden story, gone through beside the one that is asked about. */
struct beside { struct count put; const struct bag *bag; int at; };

/* Words are asked for in ascending order. */
static void take_out(struct count *c, struct beside *b, int word)
{
    while (b->at < b->bag->n && b->bag->word[b->at] < word)
        b->at++;
    if (b->at == b->bag->n || b->bag->word[b->at] > word)
        return;
    c->offered -= b->put.offered;
    c->true_ -= b->put.true_;
}

double vocabulary_learnt(const struct vocabulary *w, const struct hidden *hidden, int story,
                         int cause, double base)
{
    const struct bag *b = &w->story[story];
    struct beside beside[MOST_HIDDEN];
    double sum = 0;
    for (int k = 0; k < hidden->n; k++)
        beside[k] = (struct beside){count_story(w, hidden->story[k], cause),
                                    &w->story[hidden->story[k]], 0};
    for (int i = 0; i < b->n; i++) {
        struct count c = *at(w, b->word[i], cause);
        for (int k = 0; k < hidden->n; k++)
            take_out(&c, &beside[k], b->word[i]);
        sum += log((c.true_ + PRIOR * base) / (c.offered + PRIOR) / base);
    }
    return sum;
}

double vocabulary_explained(const struct vocabulary *w, int story, int cause)
{
    const struct bag *b = &w->cause[cause];
    double sum = 0;
    for (int i = 0; i < b->n; i++)
        if (holds(&w->story[story], b->word[i]))
            sum += log((double)w->n_causes / w->explaining[b->word[i]]);
    return b->n ? sum / sqrt(b->n) : 0;
}
