/* The investigation's rectangles: inside the screen, apart from each other, as wide as the
 * wireframes say. */
#include "tui/play/layout_investigation.h"

#include "tests/unit.h"

static bool inside(struct rect r, int rows, int columns)
{
    return r.h >= 0 && r.w >= 0 && r.y >= 0 && r.x >= 0 && r.y + r.h <= rows &&
           r.x + r.w <= columns;
}

static bool apart(struct rect a, struct rect b)
{
    if (!a.h || !b.h || !a.w || !b.w)
        return true;
    return a.y + a.h <= b.y || b.y + b.h <= a.y || a.x + a.w <= b.x || b.x + b.w <= a.x;
}

/* Is everything inside the screen and apart from everything else? */
static bool layout_is_sound(const struct layout *l, int rows, int columns)
{
    const struct rect all[] = {
        l->title,
        l->story,
        l->symptom,
        {l->facts, 0, l->facts >= 0, columns},
        l->beliefs,
        l->known,
        l->shop,
        {l->main_rule, 0, 1, columns},
        {l->shop_rule, 0, l->shop_rule >= 0, columns},
        {l->status_rule, 0, 1, columns},
        {l->status, 0, 1, columns},
        {l->todo, 0, 1, columns},
        {l->key_rule, 0, l->key_rule >= 0, columns},
        {l->keys, 0, 1, columns},
    };
    int n = (int)(sizeof all / sizeof *all);
    for (int i = 0; i < n; i++) {
        if (all[i].h && !inside(all[i], rows, columns))
            return false;
        for (int j = 0; j < i; j++)
            if (!apart(all[i], all[j]))
                return false;
    }
    return inside(l->whole, rows, columns) && l->whole.y > l->main_rule &&
           l->whole.y + l->whole.h <= l->status_rule;
}

static void every_size_is_sound(void **state)
{
    for (int rows = 20; rows <= 60; rows++)
        for (int columns = 60; columns <= 200; columns += 3)
            for (int k = 2; k <= 10; k++)
                for (int pane = 0; pane < PANE_COUNT; pane++) {
                    struct layout l;
                    layout_investigation(&l, rows, columns, 3, k, (enum layout_pane)pane);
                    if (!layout_is_sound(&l, rows, columns))
                        fail_msg("%d x %d, %d hypotheses, pane %d", columns, rows, k, pane);
                    if (l.beliefs.w) {
                        assert_true(l.beliefs.h >= k);
                        assert_true(l.bar + l.bar_w <= l.value_end - 2);
                    }
                    layout_widen_known(&l);
                    assert_true(layout_is_sound(&l, rows, columns));
                    assert_int_equal(l.known.w, columns);
                    assert_int_equal(l.known.h, l.status_rule - 2);
                }
}

/* A question of four lines, with every hypothesis still to be seen. */
static void the_status_may_grow(void **state)
{
    for (int rows = 20; rows <= 60; rows++)
        for (int columns = 60; columns <= 200; columns += 5)
            for (int pane = 0; pane < PANE_COUNT; pane++)
                for (int more = 0; more <= 3; more++) {
                    struct layout l, before;
                    layout_investigation(&before, rows, columns, 3, 10, (enum layout_pane)pane);
                    l = before;
                    layout_raise_status(&l, more);
                    if (!layout_is_sound(&l, rows, columns))
                        fail_msg("%d x %d, pane %d, %d more", columns, rows, pane, more);
                    assert_int_equal(l.todo - l.status, before.todo - before.status + more);
                    assert_true(l.beliefs.w == 0 || l.beliefs.h >= 10);
                    assert_true(l.shop_rule < 0 || l.shop.h >= 2);
                }
}

static void the_wireframe_of_100_by_30(void **state)
{
    struct layout l;
    layout_investigation(&l, 30, 100, 2, 10, PANE_STORY);
    assert_int_equal(l.shape, LAYOUT_WIDE);
    assert_int_equal(l.main_rule, 6);
    assert_int_equal(l.beliefs.y, 7);
    assert_int_equal(l.divide, 47);
    assert_int_equal(l.shop_rule, 19);
    assert_int_equal(l.shop.h, 5);
    assert_int_equal(l.status, 26);
    assert_int_equal(l.todo, 27);
    assert_int_equal(l.keys, 29);
}

static void the_wireframe_of_80_by_24(void **state)
{
    struct layout l;
    layout_investigation(&l, 24, 80, 5, 10, PANE_STORY);
    assert_int_equal(l.shape, LAYOUT_NARROW);
    assert_int_equal(l.facts, 2);
    assert_int_equal(l.beliefs.y, 4);
    assert_int_equal(l.divide, 36);
    assert_int_equal(l.shop_rule, 16);
    assert_int_equal(l.status, 21);
    assert_int_equal(l.keys, 23);
    assert_int_equal(l.story.h, 0);
}

static void one_pane_below(void **state)
{
    struct layout l;
    layout_investigation(&l, 20, 60, 5, 10, PANE_SHOP);
    assert_int_equal(l.shape, LAYOUT_PANE);
    assert_int_equal(l.shop.h, 14);
    assert_int_equal(l.beliefs.w, 0);
    assert_int_equal(l.known.w, 0);
    layout_investigation(&l, 23, 100, 5, 10, PANE_KNOWN);
    assert_int_equal(l.shape, LAYOUT_PANE);
}

static void a_long_story_leaves_room_for_the_beliefs(void **state)
{
    struct layout l;
    layout_investigation(&l, 30, 100, 40, 10, PANE_STORY);
    assert_int_equal(l.beliefs.h, 10);
    assert_true(layout_is_sound(&l, 30, 100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_is_sound),
        cmocka_unit_test(the_status_may_grow),
        cmocka_unit_test(the_wireframe_of_100_by_30),
        cmocka_unit_test(the_wireframe_of_80_by_24),
        cmocka_unit_test(one_pane_below),
        cmocka_unit_test(a_long_story_leaves_room_for_the_beliefs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
