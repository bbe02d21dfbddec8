#include "scenarios/mend/mend_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/mend/mend_score.h"

enum { HARDEST = 5 /* level; a task that is no story's has none, 0 */ };

struct path_reading {
    struct mend_path *out;
    struct store *store;
    struct store_attempt *seen; int n; /* that were revealed */
};

static bool was_diagnosed(const struct path_reading *r, const struct variant *v)
{
    for (int i = 0; i < r->n; i++)
        if (!strcmp(r->seen[i].scenario, v->full_id))
            return true;
    return false;
}

static int add(struct path_reading *r, const struct variant *v, struct err *err)
{
    struct mend_path *p = r->out;
    struct mend_tries tries;
    int rc = mend_tries_read(&tries, r->store, v->full_id, err);
    struct mend_score score = mend_score_of(&tries);
    p->all = mem_more(p->all, (size_t)p->n, sizeof *p->all);
    struct mend_station *at = &p->all[p->n++];
    *at = (struct mend_station){.v = v, .tries = score.tries, .done = score.done};
    mend_progress_words(at->words, sizeof at->words, &tries);
    mend_tries_free(&tries);
    return rc;
}

static int add_story(struct path_reading *r, const struct story *s, struct err *err)
{
    int rc = 0;
    for (int i = 0; rc == 0 && i < s->n_variants; i++) {
        const struct variant *v = s->variants[i];
        if (!mend_needless(v) && !mend_cannot(v) && was_diagnosed(r, v))
            rc = add(r, v, err);
    }
    return rc;
}

static int add_level(struct path_reading *r, const struct catalog *c, int level, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < c->n_packs; i++)
        for (int k = 0; rc == 0 && k < c->packs[i]->n_stories; k++)
            if (c->packs[i]->stories[k].level == level)
                rc = add_story(r, &c->packs[i]->stories[k], err);
    return rc;
}

int mend_path_read(struct mend_path *out, const struct catalog *c, struct store *s,
                   struct err *err)
{
    struct path_reading r = {.out = out, .store = s};
    *out = (struct mend_path){0};
    if (store_attempts(s, "revealed", 0, &r.seen, &r.n) != STORE_OK)
        return err_set(err, ERR_IO, "%s", store_message(s));
    int rc = 0;
    for (int level = 1; rc == 0 && level <= HARDEST; level++)
        rc = add_level(&r, c, level, err);
    free(r.seen);
    return rc;
}

void mend_path_free(struct mend_path *p)
{
    free(p->all);
    *p = (struct mend_path){0};
}

int mend_path_next(const struct mend_path *p)
{
    for (int i = 0; i < p->n; i++)
        if (!p->all[i].done)
            return i;
    return -1;
}

int mend_tasks(const struct story ***out, const struct catalog *c)
{
    const struct story *one;
    int n = 0;
    *out = NULL;
    for (int level = 0; level <= HARDEST; level++)
        for (int i = 0; i < c->n_packs; i++)
            for (int k = 0; (one = pack_written(c->packs[i], k)); k++)
                if (one->level == level) {
                    *out = mem_more(*out, (size_t)n, sizeof **out);
                    (*out)[n++] = one;
                }
    return n;
}

json_t *mend_path_encode(const struct mend_path *p)
{
    json_t *all = json_array();
    for (int i = 0; i < p->n; i++) {
        const struct mend_station *at = &p->all[i];
        const struct story *s = at->v->story;
        json_array_append_new(
            all, json_pack("{s:s, s:s, s:s, s:i, s:i, s:b, s:s}", "id", at->v->full_id, "title",
                           s->title, "cause", s->hypotheses[at->v->cause]->label, "level", s->level,
                           "tries", at->tries, "done", at->done, "words", at->words));
    }
    return all;
}
