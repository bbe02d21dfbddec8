/* The tree, its places, the getters, and hostile input that must be refused quickly. */
#include <time.h>

#include "kernels/wire/text.h"
#include "scenarios/text/yaml.h"
#include "tests/unit.h"

static struct files *files;
static struct yaml_doc *doc;
static struct err err;

static int read_text(const char *text)
{
    files = files_new("");
    files_add(files, "t.yaml", text, strlen(text));
    err = (struct err){0};
    return yaml_doc_read(&doc, files, &files->file[0], &err);
}

static const struct yaml *tree(const char *text)
{
    if (read_text(text))
        fail_msg("%s", err.text);
    return yaml_doc_root(doc);
}

static void done(void)
{
    yaml_doc_free(doc);
    files_free(files);
    doc = NULL;
    files = NULL;
}

static void refuses(const char *text, const char *what)
{
    if (!read_text(text))
        fail_msg("taken: %s", text);
    assert_null(doc);
    if (!strstr(err.text, what))
        fail_msg("expected: %s\nsaid: %s", what, err.text);
    done();
}

static void builds_a_tree_with_places(void **state)
{
    const struct yaml *y =
        tree("# comment\na: one\nb:\n  - x\n  - {k: 'it''s'}\nc: |\n  two\n  lines\n");
    assert_int_equal(y->kind, YAML_MAP);
    assert_int_equal(y->n, 3);
    const struct yaml *a = y->first, *b = a->next, *c = b->next;
    assert_string_equal(a->key->text, "a");
    assert_string_equal(a->text, "one");
    assert_true(a->line == 2 && a->col == 4 && a->key->col == 1 && !a->flow &&
                a->style == YAML_PLAIN);
    assert_int_equal(b->n, 2);
    const struct yaml *k = b->first->next->first;
    assert_true(k->line == 5 && k->col == 9 && k->flow && k->style == YAML_QUOTED);
    assert_string_equal(k->text, "it's");
    assert_string_equal(c->text, "two\nlines\n");
    assert_int_equal(c->style, YAML_BLOCK);
    assert_null(c->next);
    done();
}

static void guesses_no_types(void **state)
{
    const struct yaml *y = tree("[no, 1e3, null, ~, 0x10, 2001-01-01]");
    static const char *const texts[] = {"no", "1e3", "null", "~", "0x10", "2001-01-01"};
    int i = 0;
    for (const struct yaml *v = y->first; v; v = v->next)
        assert_string_equal(v->text, texts[i++]);
    assert_int_equal(i, 6);
    done();
}

static void refuses_what_is_hostile(void **state)
{
    refuses("", "t.yaml:1:1: an empty file; keys and values were expected");
    refuses("# nothing\n", "an empty file");
    refuses("a: &x 1\n", "t.yaml:1:4: an anchor");
    refuses("a: *x\n", "t.yaml:1:4: an alias");
    refuses("a: &x [1]\n", "t.yaml:1:4: an anchor");
    refuses("&x a: 1\n", "t.yaml:1:1: an anchor");
    refuses("a: !!int 1\n", "t.yaml:1:4: a tag");
    refuses("a: !mine {b: 1}\n", "t.yaml:1:4: a tag");
    refuses("! a: 1\n", "a tag");
    refuses("%TAG ! tag:x,2000:\n---\na: 1\n", "t.yaml:1:1: a directive");
    refuses("a: 1\n---\nb: 1\n", "t.yaml:2:1: a second document");
    refuses("a: 1\n...\n--- x\n", "a second document");
    refuses("a: 1\na: 2\n", "t.yaml:2:1: duplicate key 'a'; it stands in line 1 already");
    refuses("{a: 1, 'a': 2}\n", "t.yaml:1:8: duplicate key 'a'");
    refuses("? [a, b]\n: 1\n", "a list or map as a key; a name was expected");
    refuses("'': 1\n", "a key of 0 bytes; a name of 1 to 64 was expected");
    refuses("a: \"\\x1b[31m\"\n", "an escape that makes a control character");
    refuses("\"\\u202e\": 1\n", "an escape that makes a control character");
    refuses("a: \x01\n", "a control character, or bytes that are not UTF-8");
    refuses("a: [1\nb: 2\n", "t.yaml:2:");
    refuses("a: \"x\n", "that begins in line 1");
}

static char *repeated(const char *unit, size_t n)
{
    size_t k = strlen(unit);
    char *s = mem_new(n * k + 1, 1);
    for (size_t i = 0; i < n; i++)
        memcpy(s + i * k, unit, k);
    return s;
}

static void refuses_quickly(const char *unit, size_t n, const char *what)
{
    struct timespec from, to;
    char *s = repeated(unit, n);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    refuses(s, what);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    assert_true(to.tv_sec - from.tv_sec < 5);
    free(s);
}

static void refuses_quickly_what_is_large(void **state)
{
    refuses_quickly("[", 200000, "nested too deeply; at most 64 levels were expected");
    refuses_quickly("{a: ", 200000, "nested too deeply");
    refuses_quickly("- ", 200000, "nested too deeply");
    refuses_quickly("? ", 200000, "t.yaml:1:");
    refuses_quickly("- a\n", 5000, "too many entries; at most 4096 were expected in a list");
    refuses_quickly("a: 1\nb: 1\n", 100000, "duplicate key 'a'");
    refuses_quickly("a", FILE_BYTES_MAX + 1,
                    "t.yaml: 1048577 bytes; at most 1048576 were expected");
    char *s = mem_new(1 << 16, 1);
    size_t len = 0;
    for (int i = 0; i < 300; i++)
        len += (size_t)sprintf(s + len, "k%d: 1\n", i);
    refuses(s, "t.yaml:257:1: too many entries; at most 256 were expected in a map");
    free(s);
}

static void depth_of_64_is_taken(void **state)
{
    char *open = repeated("[", 64), *close = repeated("]", 64),
         *all = text_format("%s%s", open, close);
    tree(all);
    done();
    free(open);
    free(close);
    free(all);
}

static const struct yaml_key known[] = {{"id", true}, {"cost", false}};
static const struct yaml_shape shape = {"a probe", known, 2};

static void keys_are_known(void **state)
{
    const struct yaml *v[2];
    assert_int_equal(yaml_keys(tree("cost: 1\nid: a\n"), &shape, v, &err), 0);
    assert_string_equal(v[0]->text, "a");
    assert_string_equal(v[1]->text, "1");
    done();
    assert_int_equal(yaml_keys(tree("id: a\n"), &shape, v, &err), 0);
    assert_null(v[1]);
    done();
    assert_int_equal(yaml_keys(tree("id: a\ncosst: 2\n"), &shape, v, &err), ERR_BAD_REQUEST);
    assert_string_equal(err.text, "t.yaml:2:1: unknown key 'cosst' (did you mean cost?); a probe "
                                  "has: id, cost\ncosst: 2\n^");
    done();
    assert_int_equal(yaml_keys(tree("cost: 1\n"), &shape, v, &err), ERR_BAD_REQUEST);
    assert_non_null(strstr(err.text, "no 'id'; a probe was expected to have it"));
    done();
    assert_int_equal(yaml_keys(tree("- id\n"), &shape, v, &err), ERR_BAD_REQUEST);
    assert_non_null(strstr(err.text, "a list; a probe was expected, with: id, cost"));
    done();
}

static void getters_say_what_they_expected(void **state)
{
    static const char *const names[] = {"red", "green"};
    double d;
    int i;
    bool b;
    assert_int_equal(yaml_number(tree("1.5e3"), "a number", &d, &err), 0);
    assert_true(d == 1500);
    done();
    static const char *const bad_numbers[] = {"nan",  "inf", "1e999", "0x10", "1 2",
                                              "'1 '", "one", "[1]",   "1,5"};
    for (size_t k = 0; k < sizeof bad_numbers / sizeof *bad_numbers; k++) {
        assert_int_equal(yaml_number(tree(bad_numbers[k]), "a number", &d, &err), ERR_BAD_REQUEST);
        assert_non_null(strstr(err.text, "a number was expected"));
        done();
    }
    assert_int_equal(yaml_whole(tree("-3"), -5, 5, "a whole", &i, &err), 0);
    assert_int_equal(i, -3);
    done();
    static const char *const bad_wholes[] = {"6",  "1.0", "' 1'", "99999999999999999999",
                                             "''", "1x"};
    for (size_t k = 0; k < sizeof bad_wholes / sizeof *bad_wholes; k++) {
        assert_int_equal(yaml_whole(tree(bad_wholes[k]), -5, 5, "a whole", &i, &err),
                         ERR_BAD_REQUEST);
        done();
    }
    assert_int_equal(yaml_bool(tree("true"), "true or false", &b, &err), 0);
    assert_true(b);
    done();
    assert_int_equal(yaml_bool(tree("yes"), "true or false", &b, &err), ERR_BAD_REQUEST);
    done();
    assert_int_equal(yaml_choice(tree("green"), names, 2, "a colour", &i, &err), 0);
    assert_int_equal(i, 1);
    done();
    assert_int_equal(yaml_choice(tree("blue"), names, 2, "a colour", &i, &err), ERR_BAD_REQUEST);
    assert_non_null(strstr(err.text, "'blue'; a colour was expected: red or green"));
    done();
    assert_int_equal(yaml_string(tree("|\n  a\n  b\n"), 10, false, "a title", &err),
                     ERR_BAD_REQUEST);
    assert_non_null(strstr(err.text, "several lines; a title in one line was expected"));
    done();
    assert_int_equal(yaml_string(tree("|\n  a\n"), 10, false, "a title", &err), 0);
    done();
    assert_int_equal(yaml_string(tree("abcdefghijk"), 10, false, "a title", &err), ERR_TOO_LARGE);
    done();
    assert_int_equal(yaml_string(tree("'  '"), 10, false, "a title", &err), ERR_BAD_REQUEST);
    done();
    assert_int_equal(yaml_is_list(tree("[1, 2, 3]"), 1, 2, "a pair", &err), ERR_TOO_LARGE);
    done();
    assert_int_equal(yaml_is_map(tree("[1]"), 1, 2, "a map of things", &err), ERR_BAD_REQUEST);
    assert_non_null(strstr(err.text, "a list; a map of things was expected"));
    done();
}

/* The byte of `mark` in the scalar's text must be found at `mark` in the file. */
static void maps_back(const char *text, char mark)
{
    const struct yaml *v = tree(text)->first;
    const char *at = strchr(v->text, mark), *there = strchr(text, mark);
    int line, col, want_line, want_col;
    assert_true(at && there);
    yaml_place(yaml_doc_file(doc), v->line, v->col, v->text, (int)(at - v->text) + 1, &line, &col);
    file_place(yaml_doc_file(doc), (size_t)(there - text), &want_line, &want_col);
    if (line != want_line || col != want_col)
        fail_msg("%s: %d:%d for %d:%d", text, line, col, want_line, want_col);
    done();
}

static void a_byte_of_a_scalar_is_found_in_the_file(void **state)
{
    maps_back("k: a + @\n", '@');
    maps_back("k:   '@'\n", '@');
    maps_back("k: 'it''s @'\n", '@');
    maps_back("k: '''''@'\n", '@');
    maps_back("k: \"a\\tb \\u00e4 \\x41 @\"\n", '@');
    maps_back("k: \"a \\\n    b @\"\n", '@');
    maps_back("k: a +\n   b + @\n", '@');
    maps_back("k: 'a +\n\n   b + @'\n", '@');
    maps_back("k: >\n  a\n  b @\n", '@');
    maps_back("k: |\n    a\n      b @\n", '@');
    maps_back("k: \xc3\xa4\xe5\xad\x97 @\n", '@');
    maps_back("[\"a, b @\"]\n", '@');
}

static void a_comment_that_cuts_is_noticed(void **state)
{
    assert_true(yaml_cut_by_comment(tree("k: a #b\n")->first));
    done();
    assert_false(yaml_cut_by_comment(tree("k: a#b\n")->first));
    done();
    assert_false(yaml_cut_by_comment(tree("k: a # b\n")->first));
    done();
    assert_false(yaml_cut_by_comment(tree("k: 'a' #b\n")->first));
    done();
    assert_false(yaml_cut_by_comment(tree("k: a\n#b\n")->first));
    done();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builds_a_tree_with_places),
        cmocka_unit_test(guesses_no_types),
        cmocka_unit_test(refuses_what_is_hostile),
        cmocka_unit_test(refuses_quickly_what_is_large),
        cmocka_unit_test(depth_of_64_is_taken),
        cmocka_unit_test(keys_are_known),
        cmocka_unit_test(getters_say_what_they_expected),
        cmocka_unit_test(a_byte_of_a_scalar_is_found_in_the_file),
        cmocka_unit_test(a_comment_that_cuts_is_noticed),
    };
    return cmocka_run_group_tests_name("yaml", tests, NULL, NULL);
}
