/* The good pack, field by field; the memory of places in formulas; content/FORMAT.md against the reader's tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence.h"
#include "scenarios/pack.h"
#include "scenarios/pack_keys.h"

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
    (void)state;
    struct pack *p = open_good();
    assert_string_equal(p->id, "example");
    assert_int_equal(p->n_stories, 1);
    const struct story *s = pack_story(p, "row-sums");
    assert_non_null(s);
    assert_null(pack_story(p, "row-sum"));
    assert_string_equal(s->full_id, "example/row-sums");
    assert_string_equal(s->title, "The sum of every row");
    assert_string_equal(s->text, "We add up the rows of a matrix of floats. It reads each element once, so it\n"
                                 "should run at about the speed of a copy's reading half.");
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
    assert_true(s->tolerance.kind == TOL_RELATIVE && s->tolerance.rel == 1e-4 && s->tolerance.abs == 1e-3);
    assert_int_equal(s->n_hypotheses, 5);
    assert_string_equal(s->hypotheses[4]->id, "none.at-limit");
    assert_string_equal(s->remedies[0].id, "warps");
    assert_int_equal(s->experiments[0].n_steps, 3);
    assert_int_equal(s->experiments[0].vary, 0);
    assert_string_equal(s->estimates[1].before, "memory");
    assert_true(dim_equal(s->estimates[0].dim, DIM_SECOND));
    pack_free(p);
}

static void reads_the_sealed_half(void **state)
{
    (void)state;
    struct pack *p = open_good();
    const struct story *s = pack_story(p, "row-sums");
    assert_int_equal(s->n_variants, 2);
    const struct variant *a = story_variant(s, "a"), *b = story_variant(s, "b");
    assert_string_equal(a->full_id, "example/row-sums/a");
    assert_int_equal(a->pair, PAIR_REGRESSION);
    assert_string_equal(s->hypotheses[a->cause]->id, "mem.uncoalesced");
    assert_int_equal(a->contributing, 1u << 3);
    assert_int_equal(a->location_line, 8);
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
    assert_int_equal(a->n_truths, 2);
    assert_ptr_equal(a->truths[0].estimate, &s->estimates[0]);
    assert_true(a->truths[1].within == 1.5);
    assert_string_equal(a->incidents[0], "gabrieldemarmiesse/torch-mojo-backend#393");
    assert_int_equal(a->n_shapes, 4);
    assert_true(a->shapes[3].n_sizes == 1 && a->shapes[3].sizes[0].param == 0);
    assert_string_equal(formula_text(a->shapes[3].sizes[0].value.f), "n / 2 + 1");
    assert_int_equal(b->pair, PAIR_HEALTHY);
    assert_int_equal(b->location_line, 0);
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
    (void)state;
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
    (void)state;
    assert_true(word_weight(WORD_SETTLES) == 50 && word_weight(WORD_FOR) == 4);
    assert_true(word_weight(WORD_AGAINST) == 0.25 && word_weight(WORD_RULES_OUT) == 0.02);
}

static void names_fit_their_columns(void **state)
{
    (void)state;
    size_t n;
    const struct hypothesis *t = taxonomy(&n);
    assert_int_equal(n, 37);
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

/* ---- content/FORMAT.md ---- */

static char *slurp(const char *path)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    char *text = mem_new(1 << 20, 1);
    assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

/* The rows "| `key` | kind | default |" below "### what"; returns how many. */
static int rows_below(const char *doc, const char *what, char keys[32][40], bool needed[32])
{
    char *head = text_format("\n### %s\n", what);
    const char *at = strstr(doc, head);
    int n = 0;
    if (!at)
        fail_msg("FORMAT.md has no heading '%s'", what);
    assert_null(strstr(at + 1, head));
    at += strlen(head);
    free(head);
    const char *end = strstr(at, "\n#");
    while (at && at < end && n < 32) {
        if (!strncmp(at, "| `", 3)) {
            const char *name = at + 3, *kind = strchr(name, '|'), *fallback = strchr(kind + 1, '|');
            snprintf(keys[n], 40, "%.*s", (int)strcspn(name, "`"), name);
            needed[n++] = !strncmp(fallback, "| needed |", 10);
        }
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return n;
}

static void the_description_names_every_key_and_no_other(void **state)
{
    (void)state;
    char *doc = slurp("content/FORMAT.md");
    char keys[32][40];
    bool needed[32];
    int n, headings = 0;
    const struct yaml_shape *const *shapes = pack_shapes(&n);
    for (int i = 0; i < n; i++) {
        const struct yaml_shape *s = shapes[i];
        int rows = rows_below(doc, s->what, keys, needed);
        if (rows != s->n)
            fail_msg("FORMAT.md describes %d keys of %s; the reader knows %d", rows, s->what, s->n);
        for (int k = 0; k < rows; k++) {
            assert_string_equal(keys[k], s->key[k].name);
            bool depends = s == &answer_shape ? k == ANSWER_K_LOCATION : s == &reading_shape && k == READING_K_EXPECT;
            if (needed[k] != s->key[k].needed && !depends)
                fail_msg("FORMAT.md and the reader do not agree whether %s needs '%s'", s->what, keys[k]);
        }
    }
    for (const char *at = doc; (at = strstr(at, "\n### ")); at++)
        headings++;
    assert_int_equal(headings, n);
    free(doc);
}

static void the_examples_are_what_the_tests_load(void **state)
{
    (void)state;
    static const char *const shown[] = {"pack.yaml", "row-sums/scenario.yaml", "row-sums/a/sealed/answer.yaml"};
    char *doc = slurp("content/FORMAT.md");
    struct pack *p = open_good();
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        char *block = text_format("`%s`\n\n```yaml\n%s```\n", shown[i], files_find(p->files, shown[i])->text);
        if (!strstr(doc, block))
            fail_msg("FORMAT.md does not show tests/packs/good/%s as it is", shown[i]);
        free(block);
    }
    pack_free(p);
    free(doc);
}

static void a_pipeline_has_labels_streams_and_dependencies(void **state)
{
    (void)state;
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
    (void)state;
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
    (void)state;
    struct pack *p;
    struct err err = {0};
    if (pack_open(&p, "content/packs/first-principles", &err))
        fail_msg("%s", err.text);
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
        cmocka_unit_test(the_description_names_every_key_and_no_other),
        cmocka_unit_test(the_examples_are_what_the_tests_load),
        cmocka_unit_test(a_pipeline_has_labels_streams_and_dependencies),
        cmocka_unit_test(variants_share_the_storys_sealed_files),
        cmocka_unit_test(shipped_packs_load),
    };
    return cmocka_run_group_tests_name("pack", tests, NULL, NULL);
}
