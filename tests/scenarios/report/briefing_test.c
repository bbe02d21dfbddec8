/* The interviewer's page of every shipped variant: whole, without holes, within its sizes, and true
 * of what the readings say. */
#include "scenarios/report/session_briefing.h"

#include <ctype.h>

#include "kernels/wire/text.h"
#include "scenarios/library/catalog.h"
#include "scenarios/pack/recordings.h"
#include "tests/scenarios/toy.h"
#include "tests/unit.h"

/* ---- one page ---- */

static const char *who;

static void sentence_fits(const char *text, size_t size, const char *what)
{
    size_t n = strlen(text);
    if (n == 0 || n >= size || strstr(text, " nan ") || strstr(text, " inf ") ||
        strstr(text, "n/a") || strstr(text, "(null)") || text_first_bad(text, n) != n ||
        isspace((unsigned char)text[0]) || isspace((unsigned char)text[n - 1]))
        fail_msg("%s, %s: '%s'", who, what, text);
}

static void holds_no_word(const char *text, const char *word, const char *what)
{
    if (strstr(text, word))
        fail_msg("%s, %s says '%s': %s", who, what, word, text);
}

static void lines_fit(const struct briefing_line *l, int n, const char *what)
{
    for (int i = 0; i < n; i++) {
        sentence_fits(l[i].text, sizeof l[i].text, what);
        if (l[i].fact <= 0 || l[i].fact > 64 || strncmp(l[i].text + l[i].fact, ": ", 2) != 0)
            fail_msg("%s, %s: a fact of %d bytes in '%s'", who, what, l[i].fact, l[i].text);
        if (strlen(l[i].text) >= sizeof l[i].text - 1)
            fail_msg("%s, %s is cut: %s", who, what, l[i].text);
    }
}

static void turns_fit(const struct briefing *b, const struct variant *v)
{
    assert_in_range(b->n_turns, 1, 3);
    for (int t = 0; t < b->n_turns; t++) {
        assert_true(b->turns[t].hypothesis >= 0 &&
                    b->turns[t].hypothesis < v->story->n_hypotheses &&
                    b->turns[t].hypothesis != v->cause);
        sentence_fits(b->turns[t].why, sizeof b->turns[t].why, "why");
        sentence_fits(b->turns[t].question, sizeof b->turns[t].question, "question");
        assert_int_equal(b->turns[t].question[strlen(b->turns[t].question) - 1], '?');
        holds_no_word(b->turns[t].question, v->story->hypotheses[v->cause]->label, "a question");
        for (int o = 0; o < t; o++)
            assert_int_not_equal(b->turns[t].hypothesis, b->turns[o].hypothesis);
    }
}

/* A number across GPUs names the other one. */
static void says_fit(const struct briefing *b, const struct variant *v,
                     const struct other_gpu *other)
{
    int hints = 0, numbers = 0, pushbacks = 0;
    const char *label = v->story->hypotheses[v->cause]->label;
    for (int s = 0; s < b->n_says; s++) {
        const struct briefing_say *at = &b->says[s];
        sentence_fits(at->text, sizeof at->text, "say");
        sentence_fits(at->note, sizeof at->note, "note");
        if (at->kind == SAY_HINT) {
            assert_int_equal(at->index, hints++);
            if (at->index < 2)
                holds_no_word(at->text, label, "an early hint");
        } else if (at->kind == SAY_NUMBER) {
            numbers++;
            const char *ask = v->story->estimates[at->index].ask;
            assert_int_equal(strncmp(at->text, ask, strlen(ask)), 0);
            bool across = v->story->estimates[at->index].across;
            assert_true(!across || strstr(at->text, other->device.name));
            assert_non_null(strstr(at->expects, "; take "));
            assert_null(strstr(at->note, at->expects));
            assert_true(at->truth > 0 && at->within >= 1.1);
        } else {
            pushbacks++;
            assert_string_equal(at->text, v->pushbacks[at->index].says);
        }
    }
    assert_int_equal(hints, 3);
    assert_int_equal(numbers, v->n_truths - (!other && story_asks_across(v->story)));
    assert_int_equal(pushbacks, v->n_pushbacks);
}

static void page_fits(const struct briefing *b, const struct variant *v,
                      const struct other_gpu *other)
{
    sentence_fits(b->truth, sizeof b->truth, "truth");
    sentence_fits(b->fix, sizeof b->fix, "fix");
    sentence_fits(b->effect, sizeof b->effect, "effect");
    sentence_fits(b->cheapest, sizeof b->cheapest, "cheapest");
    assert_int_equal(strncmp(b->truth, v->story->hypotheses[v->cause]->label,
                             strlen(v->story->hypotheses[v->cause]->label)),
                     0);
    if (b->n_numbers != 5)
        fail_msg("%s has %d numbers", who, b->n_numbers);
    for (int n = 0; n < b->n_numbers; n++) {
        sentence_fits(b->numbers[n].label, sizeof b->numbers[n].label, "label");
        sentence_fits(b->numbers[n].value, sizeof b->numbers[n].value, "value");
    }
    if (b->n_settles < 1 || b->n_misleads < 1 || b->path.n < 1)
        fail_msg("%s: %d settle, %d mislead, path of %d", who, b->n_settles, b->n_misleads,
                 b->path.n);
    lines_fit(b->settles, b->n_settles, "settles");
    lines_fit(b->misleads, b->n_misleads, "misleads");
    turns_fit(b, v);
    says_fit(b, v, other);
}

/* ---- all shipped variants ---- */

static void of_recording(const struct variant *v, const struct recording *r)
{
    struct briefing b;
    struct evidence *all = NULL;
    struct err err = {0};
    struct other_gpu *other = other_gpu_find(v, r->device.name);
    if (request_recall_all(&all, v, r, &err) || briefing_make(&b, v, &r->device, all, other, &err))
        fail_msg("%s: %s", v->full_id, err.text);
    page_fits(&b, v, other);
    other_gpu_free(other);
    evidence_free(all);
}

static void every_shipped_variant_has_a_whole_page(void **state)
{
    struct catalog *c = NULL;
    struct err err = {0};
    int seen = 0;
    setenv("WARPDRILL_CONTENT", "content/packs", 1);
    assert_int_equal(catalog_open(&c, NULL, 0, &err), 0);
    for (int p = 0; p < c->n_packs; p++)
        for (int s = 0; s < c->packs[p]->n_stories; s++)
            for (int i = 0; i < c->packs[p]->stories[s].n_variants; i++) {
                const struct variant *v = c->packs[p]->stories[s].variants[i];
                struct recording **list = NULL;
                int n = 0;
                who = v->full_id;
                if (v->sealed || recordings_of(v, &list, &n, NULL))
                    continue;
                for (int r = 0; r < n; r++, seen++)
                    of_recording(v, list[r]);
                recordings_free(list, n);
            }
    assert_true(seen >= 4);
    catalog_free(c);
}

/* ---- one whose numbers are known ---- */

static void the_page_says_what_the_readings_say(void **state)
{
    struct toy *t = toy_new();
    struct briefing b;
    struct err err = {0};
    assert_int_equal(briefing_make(&b, &t->variant, &t->device, t->all, NULL, &err), 0);
    assert_string_equal(b.effect, "8.00 µs to 1.25 µs, 6.4 x");
    assert_non_null(strstr(b.cheapest, "m"));
    assert_int_equal(b.settles[0].probe, 'm');
    assert_int_equal(strncmp(b.settles[0].text,
                             "sectors per store request 32: settles uncoalesced access", 56),
                     0);
    assert_int_equal(b.misleads[0].probe, 'w');
    assert_int_equal(strncmp(b.misleads[0].text, "long_scoreboard 600 cycles: points to ", 38), 0);
    assert_int_equal(b.turns[0].hypothesis, TOY_LOADS);
    assert_non_null(strstr(b.turns[0].why, "w speaks for it"));
    toy_free(t);
}

static void without_evidence_there_is_no_page(void **state)
{
    struct toy *t = toy_new();
    struct briefing b;
    struct err err = {0};
    assert_int_equal(briefing_make(&b, &t->variant, &t->device, NULL, NULL, &err), ERR_MISSING);
    assert_non_null(strstr(err.text, "no recording"));
    t->variant.sealed = true;
    assert_int_equal(briefing_make(&b, &t->variant, &t->device, t->all, NULL, &err),
                     ERR_PERMISSION);
    t->variant.sealed = false;
    toy_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shipped_variant_has_a_whole_page),
        cmocka_unit_test(the_page_says_what_the_readings_say),
        cmocka_unit_test(without_evidence_there_is_no_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
