/* What is drawn by lot must be the same riddle in every play: its claims are held against a hundred
 * draws, and the ideal reader reads them all. */
#include "scenarios/check/checks.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/library/variant_copy.h"

enum { DRAWS = 100, MAY_FAIL = 5, GLANCE = 1 /* minutes: what a screen shows already */ };
enum outcome { DRAWN, NOT_DRAWN, GIVEN_AWAY };

/* What is wrong with one draw; out[0] is '\0' where nothing is. */
static enum outcome try_draw(const struct variant *v, uint64_t seed, char *out, size_t size)
{
    struct pack *pack = NULL;
    const struct variant *drawn;
    struct findings own = {0};
    struct err err = {0};
    int rc = variant_draw(&pack, &drawn, v, seed, &err);
    if (!rc)
        rc = check_exhibits(&own, drawn, &err);
    const struct measured *m = own.n_measured ? &own.measured[0] : NULL;
    bool given = m && m->reached && m->path.price <= GLANCE;
    *out = '\0';
    if (m && !m->reached)
        snprintf(out, size, "the ideal reader does not come to 90 %%");
    for (int i = own.n - 1; i >= 0; i--)
        if (own.all[i].rule->grade == GRADE_ERROR)
            snprintf(out, size, "%s [%s]", own.all[i].text, own.all[i].rule->id);
    if (given)
        snprintf(out, size, "%s alone takes an even reader to %.0f %%",
                 m->path.n ? m->path.probe[0] : "nothing", 100 * m->path.belief);
    if (rc)
        snprintf(out, size, "%.*s", (int)strcspn(err.text, "\n"), err.text);
    findings_free(&own);
    pack_free(pack);
    return rc ? NOT_DRAWN : given ? GIVEN_AWAY : DRAWN;
}

void check_draws(struct findings *f, const struct variant *v)
{
    char first[sizeof(struct err)] = "", said[sizeof first];
    int failed = 0, seed_of_first = 0;
    enum outcome outcome = DRAWN;
    if (!v->story->model)
        return;
    for (int seed = 1; outcome == DRAWN && seed <= DRAWS; seed++) {
        outcome = try_draw(v, (uint64_t)seed, said, sizeof said);
        if (outcome != DRAWN)
            failed = 0; /* this one is told, whatever came before */
        if (*said && !failed++) {
            snprintf(first, sizeof first, "%s", said);
            seed_of_first = seed;
        }
    }
    if (outcome != DRAWN)
        findings_add(f, "draws", v->story->pack, v->full_id, NULL, place_answer(v, "readings", NULL),
                     outcome == NOT_DRAWN ? "seed %d cannot be drawn: %s"
                                          : "seed %d gives the cause away for a minute: %s",
                     seed_of_first, first);
    else if (failed > MAY_FAIL)
        findings_add(f, "draws", v->story->pack, v->full_id, NULL, place_answer(v, "readings", NULL),
                     "%d of %d draws do not hold what the answer says; at most %d were expected. "
                     "Seed %d: %s",
                     failed, DRAWS, MAY_FAIL, seed_of_first, first);
}
