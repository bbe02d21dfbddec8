/* A debrief whose figures come from evidence: on the GPU that its author told of, and on another.
 */
#include "scenarios/evidence/told.h"
#include "tests/unit.h"

static char prose[] = "It took {{a}}, {{b as %}}; then {{c}}.";

/* `gpu`: the device's name, NULL for none. */
static void expect(const char *gpu, const char *measured_on, const char *want)
{
    static const char *const formulas[] = {"1.5 ms", "0.574", "suspect.time"};
    static const char *const marks[] = {"{{a}}", "{{b as %}}", "{{c}}"};
    struct file debrief = {.text = prose, .len = strlen(prose)};
    char *kind = "kernel", *name = (char *)measured_on;
    struct story story = {.kind = kind};
    struct told_value told[3] = {{0}};
    struct msg_device device = {.id = 1};
    strncpy(device.name, gpu ? gpu : "", sizeof device.name - 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(formula_parse(&told[i].value.f, formulas[i], NULL, NULL), 0);
        told[i].at = (size_t)(strstr(prose, marks[i]) - prose);
        told[i].len = strlen(marks[i]);
        told[i].share = i == 1;
    }
    struct variant v = {
        .story = &story, .debrief = &debrief, .told = told, .n_told = 3, .measured_on = name};
    struct scope scope = {.story = &story, .device = gpu ? &device : NULL};
    char *text = told_debrief(&v, &scope);
    assert_string_equal(text, want);
    free(text);
    for (int i = 0; i < 3; i++)
        formula_free(told[i].value.f);
}

static void figures_are_filled_in(void **state)
{
    expect("GPU A", "GPU A", "It took 1.500 ms, 57 %; then (not measured here).");
    expect("GPU A", NULL, "It took 1.500 ms, 57 %; then (not measured here).");
}

static void another_gpu_is_said(void **state)
{
    expect("GPU B", "GPU A",
           "Figures in this text are of the GPU A, but for those in [ ], which are of the GPU that "
           "was played on.\n\nIt took [1.500 ms], [57 %]; then (not measured here).");
}

static void a_sealed_debrief_is_empty(void **state)
{
    struct variant v = {.sealed = true};
    struct scope scope = {.story = NULL};
    char *text = told_debrief(&v, &scope);
    assert_string_equal(text, "");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_filled_in),
        cmocka_unit_test(another_gpu_is_said),
        cmocka_unit_test(a_sealed_debrief_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
