/* Text cases: tests/packs/bad/NAME.case is an edit of tests/packs/good (pack_case.h has the
 * language) and what the reader must say of it:
 *
 *   expect TEXT    stands in the message; may be said several times
 *
 * Beside that, every message with a place must show the line of that place, and the caret below its
 * column. */
#include "scenarios/pack/pack.h"
#include "tests/scenarios/pack_case.h"
#include "tests/unit.h"

static void check_place(const struct files *f, const char *message)
{
    char path[256];
    int line, col;
    if (sscanf(message, "good/%255[^:]:%d:%d:", path, &line, &col) != 3)
        return;
    const char *shown = strchr(message, '\n');
    case_check_place(f, path, line, col, shown ? shown + 1 : NULL);
}

static int load(struct files *f, struct err *err)
{
    struct pack *p = NULL;
    struct files *copy = files_new(f->root);
    for (int i = 0; i < f->n; i++)
        files_add(copy, f->file[i].path, f->file[i].text, f->file[i].len);
    int rc = pack_load(&p, copy, err);
    pack_free(p);
    return rc;
}

static void run_case(void **state)
{
    struct pack_case c = case_read(*state, "good");
    struct err err = {0};
    assert_true(c.n_said > 0);
    if (!load(c.files, &err))
        fail_msg("the reader took it; expected: %s", c.said[0]);
    for (int i = 0; i < c.n_said; i++) {
        assert_memory_equal(c.said[i], "expect ", 7);
        if (!strstr(err.text, c.said[i] + 7))
            fail_msg("expected: %s\nthe reader said: %s", c.said[i] + 7, err.text);
    }
    check_place(c.files, err.text);
    case_free(&c);
}

int main(void)
{
    return case_run_folder("tests/packs/bad", "bad packs", run_case, 45, NULL, 0);
}
