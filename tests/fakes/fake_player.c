/* Plays a variant to its debrief without a screen, and names its cause: fake_player PACK-FOLDER
 * VARIANT DATABASE. The pack has recorded evidence. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/play/attempt.h"

static void need(bool good, const struct err *err)
{
    if (good)
        return;
    fprintf(stderr, "fake_player: %s\n", err->text);
    exit(1);
}

static const struct variant *find(const struct pack *p, const char *id)
{
    for (int s = 0; s < p->n_stories; s++)
        for (int k = 0; k < p->stories[s].n_variants; k++)
            if (strstr(p->stories[s].variants[k]->full_id, id))
                return p->stories[s].variants[k];
    fprintf(stderr, "fake_player: no variant %s\n", id);
    exit(1);
}

static void make(struct attempt *a, struct move m)
{
    struct err err = {0};
    need(attempt_move(a, &m, 0, &err) == 0, &err);
}

static void play(struct attempt *a)
{
    struct err err = {0};
    struct evidence *all = NULL;
    const struct variant *v = attempt_variant(a);
    struct move commit = {.kind = MOVE_COMMITTED, .line = v->location_line}, believe = {
                    .kind = MOVE_BELIEVED}, respond = {.kind = MOVE_RESPONDED};
    double belief[MAX_HYPOTHESES];
    for (int h = 0; h < v->story->n_hypotheses; h++)
        belief[h] = h == v->cause ? 50 : 1;
    belief_round(believe.points, belief, v->story->n_hypotheses, 1);
    memcpy(respond.points, believe.points, sizeof respond.points);
    snprintf(commit.remedy, sizeof commit.remedy, "%s", v->story->remedies[0].id);
    make(a, believe);
    make(a, commit);
    make(a,
         (struct move){.kind = MOVE_PUSHED, .pushback = investigation_pushback(attempt_state(a))});
    make(a, respond);
    need(request_recall_all(&all, v, attempt_recording(a), &err) == 0, &err);
    need(attempt_reveal(a, &attempt_recording(a)->device, all, 0, &err) == 0, &err);
    need(attempt_tick(a, 0, &err) == 0, &err);
}

int main(int argc, char **argv)
{
    struct store *store = NULL;
    struct pack *pack = NULL;
    struct supply *supply = NULL;
    struct attempt *a = NULL;
    struct err err = {0};
    if (argc != 4)
        return 2;
    need(pack_open(&pack, argv[1], &err) == 0, &err);
    const struct variant *v = find(pack, argv[2]);
    snprintf(err.text, sizeof err.text, "%s cannot be opened", argv[3]);
    need(store_open(&store, argv[3], 5000) == STORE_OK, &err);
    need(supply_recorded(&supply, v, NULL, &err) == 0, &err);
    need(attempt_start(&a, store, v, supply, 1, 0, &err) == 0, &err);
    play(a);
    attempt_free(a);
    supply_free(supply);
    pack_free(pack);
    store_free(store);
    return 0;
}
