#include "scenarios/check/library_openings.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/request.h"
#include "scenarios/pack/recordings.h"

int openings_story(struct openings *o, const char *id, const char *text)
{
    o->stories = mem_grow(o->stories, (size_t)o->n_stories + 1, sizeof *o->stories);
    o->stories[o->n_stories] = (struct opening_story){text_dup(id), text_dup(text), o->n, 0};
    return o->n_stories++;
}

bool hidden_has(const struct hidden *h, int story)
{
    bool has = false;
    for (int i = 0; i < h->n; i++)
        has = has || h->story[i] == story;
    return has;
}

static int find_none(const struct opening *one)
{
    int rank = taxonomy_rank(taxonomy_find("none.at-limit")), h = one->n - 1;
    while (h >= 0 && one->cause[h] != rank)
        h--;
    return h;
}

void openings_add(struct openings *o, const struct opening *one)
{
    assert(one->story == o->n_stories - 1 && one->truth < one->n);
    o->stories[one->story].n++;
    o->all = mem_grow(o->all, (size_t)o->n + 1, sizeof *o->all);
    struct opening *new = &o->all[o->n++];
    *new = *one;
    new->id = text_dup(one->id);
    new->none = find_none(one);
    new->healthy = new->none == new->truth;
}

void openings_free(struct openings *o)
{
    for (int i = 0; i < o->n; i++)
        free(o->all[i].id);
    for (int s = 0; s < o->n_stories; s++) {
        free(o->stories[s].id);
        free(o->stories[s].text);
    }
    free(o->all);
    free(o->stories);
    *o = (struct openings){0};
}

/* ---- the words of a story ---- */

static void say(FILE *out, const char *text)
{
    if (text)
        fprintf(out, "%s\n", text);
}

static char *free_words(const struct story *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    say(out, s->title);
    say(out, s->text);
    for (int i = 0; i < s->n_questions; i++) {
        say(out, s->questions[i].ask);
        say(out, s->questions[i].answer);
    }
    for (int i = 0; i < s->n_remedies; i++)
        say(out, s->remedies[i].text);
    for (int i = 0; i < s->n_experiments; i++)
        say(out, s->experiments[i].standard ? NULL : s->experiments[i].title);
    for (int i = 0; i < s->n_estimates; i++)
        say(out, s->estimates[i].ask);
    fclose(out);
    return text;
}

/* ---- what a recording shows for nothing ---- */

/* The copy's time is in no evidence: the scope makes it of bytes and the GPU's copy rate, as the
 * screens do. */
static double over_copy(const struct variant *v, const struct recording *r)
{
    struct evidence *symptom;
    struct quantity fraction;
    if (request_recall(&symptom, v, r, "symptom", NULL))
        return 0;
    struct scope scope = {
        .story = v->story, .device = &r->device, .bought = &symptom, .n_bought = 1};
    int rc = scope_lookup(&scope, "copy_fraction", &fraction, NULL);
    evidence_free(symptom);
    return rc == 0 && fraction.value > 0 ? 1 / fraction.value : 0;
}

static void look(struct opening *one, const struct variant *v)
{
    struct recording **list;
    int n;
    if (story_is_case(v->story) || recordings_of(v, &list, &n, NULL))
        return;
    for (int i = 0; i < n && one->over_copy == 0; i++)
        one->over_copy = over_copy(v, list[i]);
    recordings_free(list, n);
}

/* ---- packs ---- */

static void add_variant(struct openings *o, int story, const struct variant *v, int letter)
{
    const struct story *s = v->story;
    struct opening one = {.id = v->full_id,
                          .story = story,
                          .letter = letter,
                          .letters = s->n_variants,
                          .n = s->n_hypotheses,
                          .truth = v->cause,
                          .asks_left = story_asks_left(s),
                          .left = variant_left(v),
                          .level = s->level,
                          .kind = story_is_case(s)       ? OPENING_CASE
                                  : story_is_pipeline(s) ? OPENING_PIPELINE
                                                         : OPENING_KERNEL};
    for (int h = 0; h < s->n_hypotheses; h++)
        one.cause[h] = taxonomy_rank(s->hypotheses[h]);
    look(&one, v);
    openings_add(o, &one);
}

void openings_pack(struct openings *o, const struct pack *p)
{
    for (int i = 0; i < p->n_stories; i++) {
        const struct story *s = &p->stories[i];
        char *text = free_words(s);
        int story = openings_story(o, s->full_id, text);
        for (int k = 0; k < s->n_variants; k++)
            if (s->variants[k]->sealed)
                o->n_closed++;
            else
                add_variant(o, story, s->variants[k], k);
        free(text);
    }
}
