/* Rules of the checker, by text cases: tests/packs/poor/NAME.case is an edit of a good pack
 * (pack_case.h has the language) and what is found:
 *
 *   finds RULE PLACE TEXT    PLACE is FILE:LINE:COL, FILE, or - ; TEXT is the whole of it
 *   also RULE                may come with it
 *
 * No other error may be found. Each rule that needs neither compiler nor GPU has a case. */
#include "scenarios/check/checker.h"
#include "scenarios/check/checks.h"
#include "tests/scenarios/pack_case.h"
#include "tests/unit.h"

static const char folder[] = "tests/packs/poor";

static void check_pack(struct findings *f, struct files *files)
{
    struct pack *p = NULL;
    struct err err = {0};
    struct files *copy = files_new(files->root);
    for (int i = 0; i < files->n; i++)
        files_add(copy, files->file[i].path, files->file[i].text, files->file[i].len);
    if (pack_load(&p, copy, &err)) {
        findings_refused(f, files->root, files->root, &err);
        return;
    }
    check_stray(f, p);
    for (int s = 0; s < p->n_stories; s++)
        check_story(f, &p->stories[s], NULL, NULL);
    findings_sort(f);
    pack_free(p);
}

/* ---- cases ---- */

static char *say(const struct finding *x)
{
    char place[32] = "";
    if (x->line)
        snprintf(place, sizeof place, ":%d:%d", x->line, x->col);
    return text_format("finds %s %s%s %s", x->rule->id, x->file ? x->file : "-", place, x->text);
}

static bool is_allowed(const struct pack_case *c, const struct finding *x)
{
    char *said = say(x), *also = text_format("also %s", x->rule->id);
    bool allowed = false;
    for (int i = 0; i < c->n_said; i++)
        allowed = allowed || !strcmp(c->said[i], said) || !strcmp(c->said[i], also);
    free(said);
    free(also);
    return allowed;
}

static bool was_found(const struct findings *f, const char *line)
{
    bool found = false;
    for (int i = 0; i < f->n && !found; i++) {
        char *said = say(&f->all[i]);
        found = !strcmp(said, line);
        free(said);
    }
    return found;
}

static void print_all(const struct findings *f)
{
    for (int i = 0; i < f->n; i++) {
        char *said = say(&f->all[i]);
        print_message("# %s\n", said);
        free(said);
    }
}

static void run_case(void **state)
{
    struct pack_case c = case_read(*state, "poor");
    struct findings f = {0};
    bool well = c.n_said > 0;
    check_pack(&f, c.files);
    for (int i = 0; i < c.n_said; i++)
        if (strncmp(c.said[i], "also ", 5) && !was_found(&f, c.said[i])) {
            print_message("# not found: %s\n", c.said[i]);
            well = false;
        }
    for (int i = 0; i < f.n; i++) {
        const struct finding *x = &f.all[i];
        well = well && (x->rule->grade == GRADE_WARNING || is_allowed(&c, x));
        if (x->line)
            case_check_place(c.files, x->file, x->line, x->col, x->shown);
    }
    if (!well) {
        print_all(&f);
        fail_msg("this is what was found");
    }
    findings_free(&f);
    case_free(&c);
}

/* ---- the corpus, the shipped packs and the documentation ---- */

static bool has_case(const struct rule *r)
{
    struct dirent **entries;
    char *wanted = text_format("finds %s ", r->id);
    int n = scandir(folder, &entries, case_is_case, alphasort);
    bool found = false;
    for (int i = 0; i < n; i++) {
        char *path = text_format("%s/%s", folder, entries[i]->d_name), line[2048];
        FILE *in = fopen(path, "r");
        assert_non_null(in);
        while (fgets(line, sizeof line, in))
            found = found || !strncmp(line, wanted, strlen(wanted));
        fclose(in);
        free(path);
        free(entries[i]);
    }
    free(entries);
    free(wanted);
    return found;
}

static void every_rule_has_a_case(void **state)
{
    size_t n;
    const struct rule *rules = rule_table(&n);
    int without = 0;
    for (size_t i = 0; i < n; i++)
        if (rules[i].needs == NEEDS_NOTHING && !has_case(&rules[i])) {
            print_message("# no case finds %s\n", rules[i].id);
            without++;
        }
    assert_int_equal(without, 0);
}

static void ids_are_unique_words(void **state)
{
    size_t n;
    const struct rule *rules = rule_table(&n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(strspn(rules[i].id, "abcdefghijklmnopqrstuvwxyz-"), strlen(rules[i].id));
        assert_ptr_equal(rule_find(rules[i].id), &rules[i]);
    }
    assert_null(rule_find("no-such-rule"));
}

static void good_packs_have_no_errors(void **state)
{
    static const char *const packs[] = {"tests/packs/good", "content/packs/first-principles",
                                        "content/packs/hidden-depths"};
    size_t n = ONE_OF > 1 ? 2 : sizeof packs / sizeof *packs;
    for (size_t i = 0; i < n; i++) {
        struct findings f = {0};
        struct files *files;
        struct err err = {0};
        assert_int_equal(files_read(&files, packs[i], &err), 0);
        check_pack(&f, files);
        if (f.n_errors)
            print_all(&f);
        assert_int_equal(f.n_errors, 0);
        assert_true(f.n_measured > 0);
        findings_free(&f);
        files_free(files);
    }
}

/* In packs of others a figure that nothing shows is a warning; in ours it is an error. */
static void shipped_prose_agrees_with_recordings(void **state)
{
    static const char *const packs[] = {"attention", "decode-step", "first-principles",
                                        "hidden-depths", "inside-the-sm"};
    int wrong = 0, n = 0;
    for (size_t i = 0; i < sizeof packs / sizeof *packs; i++) {
        char *path = text_format("content/packs/%s", packs[i]);
        struct findings f = {0};
        struct pack *p;
        struct err err = {0};
        assert_int_equal(pack_open(&p, path, &err), 0);
        for (int s = 0; s < p->n_stories; s++)
            for (int v = 0; v < p->stories[s].n_variants; v++)
                if (n++ % ONE_OF == 0)
                    check_prose(&f, p->stories[s].variants[v]);
        for (int k = 0; k < f.n; k++)
            print_message("# %s:%d: %s\n", f.all[k].file, f.all[k].line, f.all[k].text);
        wrong += f.n;
        findings_free(&f);
        pack_free(p);
        free(path);
    }
    assert_int_equal(wrong, 0);
}

static char *slurp(const char *path)
{
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    char *text = mem_new(1 << 20, 1);
    text[fread(text, 1, (1 << 20) - 1, in)] = '\0';
    fclose(in);
    return text;
}

/* "| `id` | error | meaning | mend |", in the table's order. */
static void the_format_lists_every_rule(void **state)
{
    size_t n;
    const struct rule *rules = rule_table(&n);
    char *doc = slurp("content/FORMAT.md");
    const char *at = strstr(doc, "\n## What `warpdrill check` finds\n");
    assert_non_null(at);
    bool missing = false;
    for (size_t i = 0; i < n; i++) {
        char *row = text_format("\n| `%s` | %s | %s | %s |\n", rules[i].id,
                                grade_name(rules[i].grade), rules[i].means, rules[i].mend);
        const char *found = strstr(at, row);
        if (!found)
            print_message("#%s", row);
        missing = missing || !found;
        at = found ? found + strlen(row) - 1 : at;
        free(row);
    }
    assert_false(missing);
    size_t rows = 0;
    const char *end = strstr(at, "\n## ");
    for (at = strstr(doc, "\n## What `warpdrill check` finds\n");
         (at = strstr(at + 1, "\n| `")) && (!end || at < end);)
        rows++;
    assert_int_equal(rows, n);
    free(doc);
}

/* ---- findings ---- */

static const struct pack *no_pack;

static void shared_places_are_said_once_and_sorted(void **state)
{
    struct files *files = files_new("p");
    files_add(files, "b.yaml", "one\ntwo\n", 8);
    files_add(files, "a.yaml", "one\n", 4);
    const struct file *b = files_find(files, "b.yaml"), *a = files_find(files, "a.yaml");
    struct findings f = {0};
    findings_add(&f, "effect", no_pack, "p/s/b", "gpu", (struct place){b, 2, 1}, "x");
    findings_add(&f, "effect", no_pack, "p/s/a", "gpu", (struct place){b, 2, 1}, "x");
    findings_add(&f, "path-dear", no_pack, "p/s/a", NULL, (struct place){b, 1, 2}, "y");
    findings_add(&f, "effect", no_pack, "p/s/a", "gpu", (struct place){0}, "z");
    findings_add(&f, "effect", no_pack, "p/s/b", "gpu", (struct place){0}, "z");
    findings_add(&f, "effect", no_pack, "p/s/b", "other", (struct place){a, 0, 0}, "a\033[31m%s",
                 "!");
    assert_int_equal(f.n_errors, 5);
    findings_sort(&f);
    assert_int_equal(f.n, 5);
    assert_int_equal(f.n_errors, 4);
    assert_int_equal(f.n_warnings, 1);
    assert_string_equal(f.all[0].text, "a?[31m!");
    assert_int_equal(f.all[0].line, 0);
    assert_null(f.all[0].shown);
    assert_string_equal(f.all[1].shown, "one\n ^");
    assert_string_equal(f.all[2].scenario, "p/s/a");
    assert_null(f.all[3].file);
    assert_string_equal(f.all[4].scenario, "p/s/b");
    findings_free(&f);
    files_free(files);
}

static void json_has_what_is_known(void **state)
{
    struct files *files = files_new("p");
    files_add(files, "b.yaml", "one\ntwo\n", 8);
    struct findings f = {0};
    findings_add(&f, "effect", no_pack, "p/s/b", "gpu",
                 (struct place){files_find(files, "b.yaml"), 2, 1}, "x");
    findings_add(&f, "path-dear", no_pack, "p/s/a", NULL, (struct place){0}, "y");
    json_t *list = findings_encode(&f);
    char *text = json_dumps(list, JSON_SORT_KEYS | JSON_COMPACT);
    assert_string_equal(text, "[{\"col\":1,\"file\":\"b.yaml\",\"gpu\":\"gpu\",\"grade\":\"error\","
                              "\"line\":2,\"rule\":\"effect\",\"scenario\":\"p/s/"
                              "b\",\"shown\":\"two\\n^\",\"text\":\"x\"},{\"grade\":\"warning\","
                              "\"rule\":\"path-dear\",\"scenario\":\"p/s/a\",\"text\":\"y\"}]");
    free(text);
    json_decref(list);
    findings_free(&f);
    files_free(files);
}

static void a_refusal_keeps_its_place(void **state)
{
    struct findings f = {0};
    struct err err = {0};
    err_set(&err, ERR_BAD_REQUEST, "some/where/p/s.yaml:3:4: bad key\n   x: 1\n   ^");
    findings_refused(&f, "p", "some/where/p/", &err);
    err_set(&err, ERR_IO, "cannot read it");
    findings_refused(&f, "p", "elsewhere", &err);
    assert_string_equal(f.all[0].file, "s.yaml");
    assert_int_equal(f.all[0].line, 3);
    assert_int_equal(f.all[0].col, 4);
    assert_string_equal(f.all[0].text, "bad key");
    assert_string_equal(f.all[0].shown, "   x: 1\n   ^");
    assert_null(f.all[1].file);
    assert_string_equal(f.all[1].text, "cannot read it");
    assert_int_equal(f.n_errors, 2);
    findings_free(&f);
}

static void the_matrix_names_the_cheapest(void **state)
{
    struct pack *p;
    struct err err = {0};
    assert_int_equal(pack_open(&p, "tests/packs/good", &err), 0);
    char *table = apart_table(&p->stories[0]);
    assert_string_equal(table, "example/row-sums: the cheapest purchase that tells two hypotheses "
                               "apart\n\n                                1  2  3  4  5\n 1 * "
                               "mem.uncoalesced            .  m  m  m  t\n 2   mem.cache-locality  "
                               "       m  .  x  x  t\n 3   lat.low-mlp                m  x  .  x  "
                               "t\n 4   occ.grid-underfill         m  x  x  .  t\n 5 * "
                               "none.at-limit              t  t  t  t  .\n\n* the cause of a "
                               "variant, - nothing does; t timing, m memory, x experim.\n");
    free(table);
    pack_free(p);
}

int main(void)
{
    const struct CMUnitTest more[] = {
        cmocka_unit_test(every_rule_has_a_case),
        cmocka_unit_test(ids_are_unique_words),
        cmocka_unit_test(good_packs_have_no_errors),
        cmocka_unit_test(shipped_prose_agrees_with_recordings),
        cmocka_unit_test(the_format_lists_every_rule),
        cmocka_unit_test(shared_places_are_said_once_and_sorted),
        cmocka_unit_test(json_has_what_is_known),
        cmocka_unit_test(a_refusal_keeps_its_place),
        cmocka_unit_test(the_matrix_names_the_cheapest),
    };
    return case_run_folder(folder, "poor packs", run_case, 1, more, sizeof more / sizeof *more);
}
