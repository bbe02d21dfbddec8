/* No name that only authors know reaches a screen: of every shipped variant with a recording all
 * that can be bought is made into the rows of a notebook, and the debrief of whoever bought it into
 * its sentences. */
#include <ctype.h>

#include "kernels/wire/text.h"
#include "scenarios/library/catalog.h"
#include "scenarios/pack/probe.h"
#include "scenarios/play/debrief.h"
#include "scenarios/play/investigation.h"
#include "scenarios/supply/supply.h"
#include "tests/unit.h"
#include "tui/play/notebook.h"

/* Words of the format and of the runner's notes. */
static const char *const inner[] = {"fence",  "bases",  "passes", "board power",
                                    "SOURCES.md", "identical_repeats", "ballast"};

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '.';
}

/* Does `word` stand in the text, and not within a longer one? */
static bool stands_in(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || !is_of_word(at[-1])) && (!is_of_word(at[n]) || at[n] == '.'))
            return true;
    return false;
}

/* No id of this story. */
static void expect_plain(const struct variant *v, const char *text)
{
    const struct story *s = v->story;
    for (int k = 0; k < s->n_experiments; k++)
        if (strchr(s->experiments[k].id, '-') && stands_in(text, s->experiments[k].id))
            fail_msg("%s: the experiment's id '%s' in '%s'", v->full_id, s->experiments[k].id,
                     text);
    for (int k = 0; k < s->n_hypotheses; k++)
        if (stands_in(text, s->hypotheses[k]->id))
            fail_msg("%s: the cause's id '%s' in '%s'", v->full_id, s->hypotheses[k]->id, text);
    for (int k = 0; k < s->n_estimates; k++)
        if (strchr(s->estimates[k].id, '-') && stands_in(text, s->estimates[k].id))
            fail_msg("%s: the estimate's id '%s' in '%s'", v->full_id, s->estimates[k].id, text);
}

static void expect_plain_row(const struct variant *v, const char *text)
{
    expect_plain(v, text);
    for (size_t k = 0; k < sizeof inner / sizeof *inner; k++)
        if (stands_in(text, inner[k]))
            fail_msg("%s: '%s' in '%s'", v->full_id, inner[k], text);
}

static void expect_plain_note(const struct variant *v, const struct note *n)
{
    expect_plain(v, n->title);
    expect_plain(v, n->fold);
    for (int k = 0; k < n->n; k++) {
        expect_plain_row(v, n->row[k].label);
        expect_plain(v, n->row[k].value);
        expect_plain(v, n->row[k].beside);
    }
}

/* ---- what can be bought ---- */

static struct evidence *evidence_of(struct supply *supply, const char *probe)
{
    struct err err;
    bool sold = strcmp(probe, "debrief") == 0 || !supply_missing(supply, probe);
    if (!sold || supply_ask(supply, probe, &err) != 0)
        return NULL;
    return supply_poll(supply) == SUPPLY_READY ? supply_take(supply) : NULL;
}

static int move(struct investigation *i, struct move m)
{
    struct err err;
    static int made;
    snprintf(m.uid, sizeof m.uid, "%032d", ++made);
    int rc = investigation_apply(i, &m, &err);
    if (rc)
        evidence_free(m.evidence);
    return rc;
}

static void buy(struct investigation *i, struct supply *supply, const char *probe)
{
    struct move m = {.kind = MOVE_BOUGHT, .evidence = evidence_of(supply, probe)};
    snprintf(m.probe, sizeof m.probe, "%s", probe);
    if (m.evidence)
        move(i, m);
}

static void buy_all(struct investigation *i, struct supply *supply, const struct story *s)
{
    size_t n;
    const struct probe *p = probe_table(&n);
    for (int k = 0; k < s->n_experiments; k++)
        buy(i, supply, s->experiments[k].id);
    for (size_t k = 0; k < n; k++)
        if (p[k].id != SHOP_EXPERIMENT)
            buy(i, supply, p[k].name);
}

static void expect_plain_debrief(const struct variant *v, const struct debrief *d)
{
    expect_plain(v, d->headline);
    expect_plain(v, d->astray);
    expect_plain(v, d->slip);
    expect_plain(v, d->trap);
    expect_plain(v, d->cheaper);
    expect_plain(v, d->longest);
    expect_plain(v, d->named);
    expect_plain(v, d->of_them.cheaper);
    expect_plain(v, d->of_them.trap);
    for (int k = 0; k < LINE_COUNT; k++)
        expect_plain(v, d->why[k]);
    for (int k = 0; k < d->n_graded; k++)
        expect_plain(v, d->graded[k].say);
}

/* From the first beliefs to the last, without a word. */
static bool finish(struct investigation *i)
{
    struct move named = {.kind = MOVE_NAMED}, commit = {.kind = MOVE_COMMITTED, .line = 1};
    move(i, named);
    snprintf(commit.remedy, sizeof commit.remedy, "%s", i->variant->story->remedies[0].id);
    if (move(i, commit) != 0)
        return false;
    for (int k = 0; k < i->variant->story->n_estimates; k++) {
        struct move m = {.kind = MOVE_ESTIMATED};
        snprintf(m.item, sizeof m.item, "%s", i->variant->story->estimates[k].id);
        move(i, m);
    }
    if (i->variant->n_pushbacks) {
        struct move last = {.kind = MOVE_RESPONDED};
        memcpy(last.points, i->points, sizeof last.points);
        move(i, (struct move){.kind = MOVE_PUSHED, .pushback = 0});
        move(i, last);
    }
    return true;
}

static void play(const struct variant *v, struct supply *supply)
{
    const struct msg_device *device = supply_device(supply);
    struct investigation *i = investigation_new(v);
    struct notebook book;
    struct note_frame frame = {v, device, 0, supply_tier(supply), NULL, 0, 60};
    buy_all(i, supply, v->story);
    assert_true(i->n_bought > 0);
    notebook_make(&book, i, &frame);
    for (int k = 0; k < book.n; k++)
        expect_plain_note(v, &book.note[k]);
    notebook_free(&book);
    struct evidence *all = evidence_of(supply, "debrief");
    struct debrief d;
    struct err err;
    assert_true(finish(i));
    if (!all || debrief_make(&d, i, device, all, &err) != 0)
        fail_msg("%s: %s", v->full_id, all ? err.text : "nothing recorded for the debrief");
    expect_plain_debrief(v, &d);
    evidence_free(all);
    investigation_free(i);
}

static void nothing_shipped_shows_inner_names(void **state)
{
    const char *dirs[] = {"content/packs"};
    struct catalog *c;
    struct err err;
    int played = 0;
    assert_int_equal(catalog_open(&c, dirs, 1, &err), 0);
    for (int p = 0; p < c->n_packs; p++)
        for (int s = 0; s < c->packs[p]->n_stories; s++)
            for (int k = 0; k < c->packs[p]->stories[s].n_variants; k++) {
                const struct variant *v = c->packs[p]->stories[s].variants[k];
                struct supply *supply;
                if (supply_recorded(&supply, v, NULL, &err) != 0)
                    continue;
                play(v, supply);
                supply_free(supply);
                played++;
            }
    assert_true(played > 50);
    catalog_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_shipped_shows_inner_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
