/* Threads of several ranks without a driver: what all of them do, whose failure is told, and that one
 * which hangs is left at the deadline. */
#include "kernels/runner/hands.h"

#include <unistd.h>

#include "kernels/wire/os.h"
#include "tests/unit.h"

enum { RANKS = 3, PATIENT_MS = 20000 };

static cu_result no_driver(cu_context c)
{
    (void)c;
    return CU_OK;
}

/* Kept for good: what hangs still looks at it. */
static struct world *new_world(void)
{
    struct world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->n = RANKS;
    for (int i = 0; i < RANKS; i++) {
        w->gpu[i] = &w->further[i];
        w->gpu[i]->rank = i;
        w->gpu[i]->world = w;
        w->gpu[i]->cu.cuCtxSetCurrent = no_driver;
    }
    return w;
}

struct plan {
    int fails[RANKS]; /* an error code, 0: none, 1: it never ends */
    int done[RANKS];
};

static int do_part(void *arg, struct gpu *g, struct err *err)
{
    struct plan *p = arg;
    int code = p->fails[g->rank], rc = world_meet(g->world, err);
    while (code == 1)
        pause();
    p->done[g->rank]++;
    return rc         ? rc
           : code < 0 ? err_set(err, code, "rank %d says so", g->rank)
                      : world_meet(g->world, err);
}

static int go(struct world *w, struct plan *p, int ms, struct err *err)
{
    struct hands *h = NULL;
    int rc = hands_new(&h, w, err);
    rc = rc ? rc : hands_all(h, "run a", do_part, p, os_monotonic_ms() + ms, err);
    hands_free(h);
    return rc;
}

static void all_of_them_do_it(void **state)
{
    struct world *w = new_world();
    struct hands *h = NULL;
    struct plan p = {{0}, {0}};
    struct err err = {.code = 0};
    assert_int_equal(hands_new(&h, w, &err), 0);
    for (int i = 1; i <= 50; i++) {
        assert_int_equal(
            hands_all(h, "run a", do_part, &p, os_monotonic_ms() + PATIENT_MS, &err), 0);
        assert_true(p.done[0] == i && p.done[1] == i && p.done[2] == i);
    }
    assert_false(world_lost(w));
    hands_free(h);
    free(w);
}

/* The others give up since it did: they have nothing to say. */
static void who_fails_is_named(void **state)
{
    struct plan p = {.fails = {0, ERR_LAUNCH, 0}};
    struct err err = {.code = 0};
    struct world *w = new_world();
    assert_int_equal(go(w, &p, PATIENT_MS, &err), ERR_LAUNCH);
    assert_string_equal(err.text, "GPU 1: rank 1 says so");
    assert_true(world_lost(w));
}

/* A fault that the driver tells on two of them may be of either. */
static void a_fault_of_several_names_each(void **state)
{
    struct plan p = {.fails = {ERR_FAULT, 0, ERR_FAULT}};
    struct err err = {.code = 0};
    assert_int_equal(go(new_world(), &p, PATIENT_MS, &err), ERR_FAULT);
    if (strcmp(err.text, "GPU 0 or GPU 2: rank 0 says so") != 0 &&
        strcmp(err.text, "GPU 2 or GPU 0: rank 2 says so") != 0)
        fail_msg("%s", err.text);
}

/* Another failure beside it follows from it, or it from that: the first is told. */
static void other_failures_are_not_lumped(void **state)
{
    struct plan p = {.fails = {ERR_LAUNCH, ERR_LAUNCH, 0}};
    struct err err = {.code = 0};
    assert_int_equal(go(new_world(), &p, PATIENT_MS, &err), ERR_LAUNCH);
    assert_null(strstr(err.text, " or "));
}

static void what_hangs_is_left(void **state)
{
    enum { LIMIT_MS = 300 };
    struct plan *p = calloc(1, sizeof *p); /* its thread goes on with it */
    struct err err = {.code = 0};
    int64_t begun = os_monotonic_ms();
    assert_non_null(p);
    p->fails[2] = 1;
    assert_int_equal(go(new_world(), p, LIMIT_MS, &err), ERR_TIMEOUT);
    assert_true(os_monotonic_ms() - begun < LIMIT_MS + 10000);
    assert_non_null(strstr(err.text, "run a was still at work on "));
    assert_non_null(strstr(err.text, " of 3 GPUs at the deadline"));
    assert_non_null(err.remedy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_them_do_it),
        cmocka_unit_test(who_fails_is_named),
        cmocka_unit_test(a_fault_of_several_names_each),
        cmocka_unit_test(other_failures_are_not_lumped),
        cmocka_unit_test(what_hangs_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
