/* The good pack, field by field; the memory of places in formulas. */
#include "kernels/wire/text.h"
#include "scenarios/evidence/evidence.h"
#include "scenarios/pack/pack.h"
#include "tests/unit.h"

static const char good[] = "tests/packs/good";

static struct pack *open_good(void)
{
    struct pack *p;
    struct err err = {0};
    if (pack_open(&p, good, &err))
        fail_msg("%s", err.text);
    return p;
}

static void reads_the_public_half(void **state)
{
    struct pack *p = open_good();
    assert_string_equal(p->id, "example");
    assert_int_equal(p->n_stories, 1);
    const struct story *s = pack_story(p, "row-sums");
    assert_non_null(s);
    assert_null(pack_story(p, "row-sum"));
    assert_string_equal(s->full_id, "example/row-sums");
    assert_string_equal(s->title, "The sum of every row");
    assert_string_equal(s->text,
                        "We add up the rows of a matrix of floats. It reads each element once, so "
                        "it\nshould run at about the speed of a copy's reading half.");
    assert_int_equal(s->level, 2);
    assert_true(s->counted);
    assert_int_equal(s->n_params, 2);
    assert_string_equal(s->params[1].name, "matrix");
    assert_string_equal(formula_text(s->params[1].value.f), "4 * n * n");
    assert_int_equal(s->n_buffers, 2);
    assert_int_equal(s->buffers[0].type, T_F32);
    assert_int_equal(s->buffers[0].fill.kind, FILL_UNIFORM);
    assert_true(s->buffers[0].fill.a == -1 && s->buffers[0].fill.b == 1);
    assert_int_equal(s->buffers[1].role, ROLE_OUTPUT);
    const struct launch *l = &s->launches[0];
    assert_string_equal(l->kernel, "sums");
    assert_int_equal(l->n_grid, 1);
    assert_int_equal(l->n_args, 4);
    assert_true(l->args[0].kind == ARG_BUFFER && l->args[0].index == 1);
    assert_true(l->args[2].kind == ARG_I32 && l->args[2].index == 0 && !l->args[2].value.f);
    assert_true(l->args[3].kind == ARG_I64 && l->args[3].value.f);
    assert_true(s->tolerance.kind == TOL_RELATIVE && s->tolerance.rel == 1e-4 &&
                s->tolerance.abs == 1e-3);
    assert_int_equal(s->n_hypotheses, 5);
    assert_string_equal(s->hypotheses[4]->id, "none.at-limit");
    assert_string_equal(s->remedies[0].id, "warps");
    assert_int_equal(s->experiments[0].n_steps, 3);
    assert_int_equal(s->experiments[0].vary, 0);
    assert_string_equal(s->estimates[1].before, "memory");
    assert_true(dim_equal(s->estimates[0].dim, DIM_SECOND));
    assert_true(s->estimates[2].across && !s->estimates[1].across && story_asks_across(s));
    pack_free(p);
}

static void reads_the_sealed_half(void **state)
{
    struct pack *p = open_good();
    const struct story *s = pack_story(p, "row-sums");
    assert_int_equal(s->n_variants, 2);
    const struct variant *a = story_variant(s, "a"), *b = story_variant(s, "b");
    assert_string_equal(a->full_id, "example/row-sums/a");
    assert_int_equal(a->pair, PAIR_REGRESSION);
    assert_string_equal(s->hypotheses[a->cause]->id, "mem.uncoalesced");
    assert_int_equal(a->contributing, 1u << 3);
    assert_int_equal(a->location_line, 8);
    assert_true(variant_is_at(a, 8));
    assert_false(variant_is_at(a, 7) || variant_is_at(a, 9) || variant_is_at(a, 0));
    assert_int_equal(a->remedies, 1);
    assert_string_equal(a->fix_file->path, "row-sums/a/sealed/fix.cu");
    assert_int_equal(a->fix.n_launches, 1);
    assert_true(a->effect_low == 2 && a->effect_high == 20);
    assert_int_equal(a->n_readings, 4);
    assert_string_equal(a->readings[2].probe, "other-sizes");
    assert_int_equal(a->readings[2].says[WORD_FOR], 1u << 0 | 1u << 2);
    assert_int_equal(a->readings[2].says[WORD_AGAINST], 1u << 3);
    assert_null(a->readings[3].expect.f);
    assert_int_equal(a->pushbacks[1].kind, PUSH_CORRECTION);
    assert_int_equal(a->pushbacks[1].bears[WORD_SETTLES], 1);
    assert_int_equal(a->n_truths, 3);
    assert_null(a->truths[1].because);
    assert_non_null(strstr(a->truths[2].because, "look-ups"));
    assert_ptr_equal(a->truths[0].estimate, &s->estimates[0]);
    assert_true(a->truths[1].within == 1.5);
    assert_string_equal(a->incidents[0], "gabrieldemarmiesse/torch-mojo-backend#393");
    assert_int_equal(a->n_shapes, 4);
    assert_true(a->shapes[3].n_sizes == 1 && a->shapes[3].sizes[0].param == 0);
    assert_string_equal(formula_text(a->shapes[3].sizes[0].value.f), "n / 2 + 1");
    assert_int_equal(b->pair, PAIR_HEALTHY);
    assert_int_equal(b->location_line, 0);
    assert_true(variant_is_at(b, 0));
    assert_false(variant_is_at(b, 1));
    assert_null(b->best_file);
    assert_null(b->fix.launches);
    pack_free(p);
}

static int no_value(void *ctx, const char *name, struct quantity *out, struct err *err)
{
    (void)ctx, (void)out;
    return err_set(err, ERR_MISSING, "%s was not measured", name);
}

static void shows_where_an_evaluation_failed(void **state)
{
    struct pack *p = open_good();
    const struct expr *e = &pack_story(p, "row-sums")->params[1].value;
    struct quantity q;
    struct err err = {0};
    int column = 0;
    assert_int_equal(formula_eval(e->f, no_value, NULL, &q, &column, &err), ERR_MISSING);
    assert_int_equal(expr_fail(e, column, p, &err), ERR_MISSING);
    assert_non_null(strstr(err.text, "tests/packs/good/row-sums/scenario.yaml:18:15: "));
    assert_non_null(strstr(err.text, "\n  matrix: 4 * n * n\n              ^"));
    pack_free(p);
}

static void words_weigh(void **state)
{
    assert_true(word_weight(WORD_SETTLES) == 50 && word_weight(WORD_FOR) == 4);
    assert_true(word_weight(WORD_AGAINST) == 0.25 && word_weight(WORD_RULES_OUT) == 0.02);
}

static void names_fit_their_columns(void **state)
{
    size_t n;
    const struct hypothesis *t = taxonomy(&n);
    assert_int_equal(n, 51);
    for (size_t i = 0; i < n; i++) {
        assert_true(strlen(t[i].label) <= 24);
        assert_true(strlen(t[i].brief) <= 18);
        assert_true(strlen(t[i].explain) > 40);
        assert_ptr_equal(taxonomy_find(t[i].id), &t[i]);
        assert_int_equal(taxonomy_rank(&t[i]), i);
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(t[i].label, t[k].label);
            assert_string_not_equal(t[i].brief, t[k].brief);
        }
    }
    assert_null(taxonomy_find("mem.slow"));
}

static void a_pipeline_has_labels_streams_and_dependencies(void **state)
{
    struct pack *p;
    struct err err = {0};
    if (pack_open(&p, "tests/packs/steps", &err))
        fail_msg("%s", err.text);
    const struct story *s = pack_story(p, "two-streams");
    const struct launch *l = s->launches;
    assert_true(story_is_pipeline(s));
    assert_int_equal(s->n_launches, 3);
    assert_string_equal(l[2].label, "sum");
    assert_true(l[0].stream == 0 && l[1].stream == 1 && l[2].stream == 0);
    assert_true(l[0].after == 0 && l[1].after == 0 && l[2].after == 1u << 1);
    assert_true(l[0].bytes.f && l[0].flops.f && !l[1].flops.f);
    assert_int_equal(s->variants[0]->fix.n_launches, 1);
    assert_string_equal(s->variants[0]->fix.launches[0].label, "both at once");
    pack_free(p);
}

static void variants_share_the_storys_sealed_files(void **state)
{
    struct files *f;
    struct pack *p;
    struct err err = {0};
    assert_int_equal(files_read(&f, good, &err), 0);
    struct file *reference = (struct file *)files_find(f, "row-sums/a/sealed/reference.cu");
    free(reference->path);
    reference->path = text_dup("row-sums/sealed/reference.cu");
    if (pack_load(&p, f, &err))
        fail_msg("%s", err.text);
    const struct story *s = pack_story(p, "row-sums");
    assert_int_equal(s->n_variants, 2);
    assert_string_equal(s->variants[0]->reference_file->path, "row-sums/sealed/reference.cu");
    assert_string_equal(s->variants[1]->reference_file->path, "row-sums/b/sealed/reference.cu");
    pack_free(p);
}

static void shipped_packs_load(void **state)
{
    struct pack *p;
    struct err err = {0};
    if (pack_open(&p, "content/packs/first-principles", &err))
        fail_msg("%s", err.text);
    pack_free(p);
}

static void a_variant_may_have_launches_of_its_own(void **state)
{
    struct pack *p;
    struct err err = {0};
    int n;
    if (pack_open(&p, "tests/packs/launches", &err))
        fail_msg("%s", err.text);
    const struct story *s = pack_story(p, "scaled-vector");
    const struct variant *a = s->variants[0], *b = s->variants[1], *c = s->variants[2];
    assert_int_equal(s->format, 2);
    assert_null(a->launches);
    assert_ptr_equal(variant_launches(a, "a", &n), s->launches);
    assert_string_equal(formula_text(variant_launches(b, "a", &n)->grid[0].f),
                        "8 * gpu.sm_count + 16");
    assert_string_equal(formula_text(variant_launches(c, "a", &n)->block[0].f), "32");
    assert_int_equal(n, 1);
    assert_ptr_equal(variant_launches(c, "b", &n), s->launches);     /* of the suspect alone */
    assert_string_equal(variant_launches(c, "r", &n)->kernel, "reference");
    assert_int_equal(source_line_count(b->suspect->text), 6);
    assert_int_equal(b->location_line, 8);                           /* below a blank line */
    assert_true(variant_is_at(b, 8) && !variant_is_at(b, 7) && !variant_is_at(b, 6));
    pack_free(p);
}

static int buffers_called(const struct story *s, const char *name, int *at)
{
    int n = 0;
    for (int i = 0; i < s->n_buffers; i++)
        if (!strcmp(s->buffers[i].name, name)) {
            *at = i;
            n++;
        }
    return n;
}

static void a_workspace_may_stand_beside_the_launches_that_need_it(void **state)
{
    struct err err = {0};
    struct pack *p;
    if (pack_open(&p, "content/packs/two-cards", &err))
        fail_msg("%s", err.text);
    const struct story *s = pack_story(p, "half-layers"); /* five answers declare the same one */
    int at = 0;
    assert_int_equal(buffers_called(s, "da", &at), 1);
    assert_int_equal(s->buffers[at].role, ROLE_WORKSPACE);
    assert_int_equal(s->buffers[at].type, T_F64);
    for (int i = 0; i < s->n_variants; i++)
        assert_int_equal(s->variants[i]->reference.launches[0].args[0].index, at);
    s = pack_story(p, "shared-gradients"); /* one launches.yaml has it */
    assert_int_equal(buffers_called(s, "wide", &at), 1);
    assert_int_equal(story_variant(s, "c")->launches[0].args[0].index, at);
    pack_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_public_half),
        cmocka_unit_test(reads_the_sealed_half),
        cmocka_unit_test(shows_where_an_evaluation_failed),
        cmocka_unit_test(words_weigh),
        cmocka_unit_test(names_fit_their_columns),
        cmocka_unit_test(a_pipeline_has_labels_streams_and_dependencies),
        cmocka_unit_test(variants_share_the_storys_sealed_files),
        cmocka_unit_test(a_variant_may_have_launches_of_its_own),
        cmocka_unit_test(a_workspace_may_stand_beside_the_launches_that_need_it),
        cmocka_unit_test(shipped_packs_load),
    };
    return cmocka_run_group_tests_name("pack", tests, NULL, NULL);
}
