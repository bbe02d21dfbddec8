/* Sealed packs: into one and back, what is refused, and what a sealed pack still allows. */
#include "tests/scenarios/sealing_secret.h"

#include <sys/stat.h>

#include "scenarios/pack/recordings.h"
#include "scenarios/play/attempt.h"
#include "scenarios/library/sealing_inside.h"
#include "tests/scenarios/small_pack.h"

static const char good[] = "tests/packs/good";

/* ---- there and back ---- */

static struct pack *open_pack(const char *where)
{
    struct pack *p;
    struct err err;
    if (pack_open_whole(&p, where, &err))
        fail_msg("%s", err.text);
    return p;
}

/* Seals the good pack to FOLDER/NAME. malloc'd path. */
static char *sealed_copy(const char *name)
{
    struct err err;
    struct pack *p = open_pack(good);
    char *out = text_format("%s/%s", folder, name);
    if (sealing_write(p, out, right, cheap, &err))
        fail_msg("%s", err.text);
    pack_free(p);
    return out;
}

static void assert_same_files(const struct files *a, const struct files *b)
{
    assert_int_equal(a->n, b->n);
    for (int i = 0; i < a->n; i++) {
        const struct file *f = files_find(b, a->file[i].path);
        assert_non_null(f);
        assert_int_equal(f->len, a->file[i].len);
        assert_memory_equal(f->text, a->file[i].text, f->len);
    }
}

static void test_a_pack_and_back(void **state)
{
    char *out = sealed_copy("there"), *back = text_format("%s/back", folder), *changed;
    struct pack *first = open_pack(good), *sealed = open_pack(out), *opened, *again;
    struct stat st;
    assert_int_equal(sealed->seal, SEAL_SHUT);
    assert_false(files_any_sealed(sealed->files));
    assert_int_equal(sealing_unseal(&opened, &changed, sealed, right, NULL), 0);
    assert_null(changed);
    assert_int_equal(opened->seal, SEAL_OPEN);
    assert_same_files(first->files, opened->files);
    assert_int_equal(sealing_write_open(opened, back, NULL), 0);
    assert_int_equal(stat(back, &st), 0);
    assert_int_equal(st.st_mode & 077, 0);
    again = open_pack(back);
    assert_int_equal(again->seal, SEAL_NONE);
    assert_same_files(first->files, again->files);
    pack_free(first);
    pack_free(sealed);
    pack_free(opened);
    pack_free(again);
    free(out);
    free(back);
}

static void test_nothing_is_overwritten(void **state)
{
    struct err err;
    char *out = sealed_copy("once"), *lost = text_format("%s/no/such/place", folder), *changed;
    struct pack *p = open_pack(good), *sealed = open_pack(out), *opened;
    assert_int_equal(sealing_write(p, out, right, cheap, &err), ERR_BAD_REQUEST);
    assert_int_equal(sealing_write(p, lost, right, cheap, &err), ERR_IO);
    assert_int_equal(sealing_write(sealed, folder, right, cheap, &err),
                     ERR_BAD_REQUEST); /* sealed already */
    assert_int_equal(sealing_unseal(&opened, &changed, p, right, &err),
                     ERR_BAD_REQUEST); /* not sealed */
    assert_int_equal(sealing_unseal(&opened, &changed, sealed, right, &err), 0);
    assert_int_equal(sealing_write_open(opened, out, &err), ERR_BAD_REQUEST);
    assert_int_equal(sealing_write_open(opened, folder, &err), ERR_BAD_REQUEST);
    pack_free(p);
    pack_free(sealed);
    pack_free(opened);
    free(out);
    free(lost);
}

static void append_to(const char *where, const char *path, const char *text)
{
    char *full = text_format("%s/%s", where, path);
    FILE *f = fopen(full, "a");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    free(full);
}

static void test_a_changed_public_half_is_named(void **state)
{
    char *out = sealed_copy("changed"), *changed;
    append_to(out, "row-sums/a/suspect.cu", "// now it is another\n");
    append_to(out, "row-sums/note.md", "more\n");
    struct pack *sealed = open_pack(out), *opened;
    assert_int_equal(sealing_unseal(&opened, &changed, sealed, right, NULL), 0);
    assert_non_null(changed);
    assert_non_null(strstr(changed, "row-sums/a/suspect.cu was changed"));
    assert_non_null(strstr(changed, "row-sums/note.md was added"));
    assert_null(strstr(changed, "scenario.yaml"));
    free(changed);
    pack_free(sealed);
    pack_free(opened);
    free(out);
}

static void test_clear_files_beside_sealed_ones_are_refused(void **state)
{
    struct pack *p;
    struct err err = {0};
    char *out = sealed_copy("both"), *dir = text_format("%s/row-sums/a/sealed", out);
    mkdir(dir, 0700);
    append_to(dir, "answer.yaml", "format: 1\n");
    assert_int_equal(pack_open(&p, out, &err), ERR_BAD_REQUEST);
    assert_non_null(strstr(err.text, "pack.sealed"));
    free(dir);
    free(out);
}

static void test_a_pack_without_answers_is_refused_still(void **state)
{
    struct pack *p;
    struct err err = {0};
    char *out = sealed_copy("bare"), *path = text_format("%s/pack.sealed", out);
    unlink(path);
    assert_int_equal(pack_open(&p, out, &err), ERR_MISSING);
    assert_non_null(strstr(err.text, "answer.yaml"));
    free(path);
    free(out);
}

/* What lies inside is the author's word alone: it may bring no public file, and leave no folder. */
static void test_content_is_judged(void **state)
{
    static const char *const bad[] = {
        "",
        "[]",
        "{}",
        "{\"hidden\":{}}",
        "{\"hidden\":[],\"public\":{}}",
        "{\"hidden\":{\"a/suspect.cu\":\"x\"},\"public\":{}}",
        "{\"hidden\":{\"../sealed/a.cu\":\"x\"},\"public\":{}}",
        "{\"hidden\":{\"/sealed/a.cu\":\"x\"},\"public\":{}}",
        "{\"hidden\":{\"a/sealed/b.cu\":1},\"public\":{}}",
        "{\"hidden\":{},\"public\":{\"a\":\"short\"}}",
        "{\"hidden\":{},\"public\":{\"../a\":\"x\"}}",
        "{\"hidden\":{\"a/sealed/b.cu\":\"\\u001b[2J\"},\"public\":{}}",
        "{\"hidden\":{},\"public\":{},\"public\":{}}",
        "{\"hidden\":{\"sealed/a.cu\":\"x\"},\"public\":{}}",
        "{\"hidden\":{\"a/b/c/sealed/d.cu\":\"x\"},\"public\":{}}",
        "{\"hidden\":{\"a/sealed/run.sh\":\"x\"},\"public\":{}}",
        "{\"hidden\":{\"a/sealed/evidence/x.cu\":\"x\"},\"public\":{}}",
        "{\"hidden\":{\"A/sealed/a.cu\":\"x\"},\"public\":{}}",
        "{\"hidden\":{\"a/Sealed/a.cu\":\"x\"},\"public\":{}}",
        "{\"hidden\":{\"a/sealed/.cu\":\"x\"},\"public\":{}}",
        "{\"hidden\":{\"a/sealed/b\\n.cu\":\"x\"},\"public\":{}}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct files *hidden;
        json_t *hashes;
        struct err err = {0};
        assert_true(sealed_content_read(&hidden, &hashes, bad[i], strlen(bad[i]), &err) < 0);
        assert_null(hidden);
        assert_null(hashes);
        assert_true(*err.text);
    }
}

/* As many files as a pack may have, and not one more: what compares them never meets more. */
static void test_hashes_are_counted(void **state)
{
    for (int n = FILES_MAX; n <= FILES_MAX + 1; n++) {
        struct err err = {0};
        struct files *hidden;
        json_t *hashes, *root = json_pack("{s:{}, s:{}}", "hidden", "public"),
                        *list = json_object_get(root, "public");
        for (int i = 0; i < n; i++) {
            char *path = text_format("a%d.cu", i);
            json_object_set_new(list, path,
                                json_string("0123456789abcdef0123456789abcdef0123456789abcdef012345"
                                            "6789abcdef"));
            free(path);
        }
        char *text = json_dumps(root, 0);
        assert_int_equal(sealed_content_read(&hidden, &hashes, text, strlen(text), &err),
                         n > FILES_MAX ? ERR_TOO_LARGE : 0);
        free(text);
        json_decref(root);
        json_decref(hashes);
        files_free(hidden);
    }
}

/* An id that makes public files look sealed. */
static void test_a_pack_that_cannot_be_sealed(void **state)
{
    struct err err = {0};
    struct files *f;
    struct pack *p;
    assert_int_equal(files_read(&f, good, NULL), 0);
    struct files *other = files_new("other");
    for (int i = 0; i < f->n; i++) {
        const char *path = f->file[i].path;
        char *text = text_dup(f->file[i].text), *at;
        while ((at = strstr(text, "row-sums")))
            memcpy(at, "sealed  ", 8);
        bool inside = !strncmp(path, "row-sums/", 9);
        char *renamed = inside ? text_format("sealed/%s", path + 9) : text_dup(path);
        small_add(other, renamed, text);
        free(renamed);
        free(text);
    }
    files_free(f);
    char *out = text_format("%s/impossible", folder);
    assert_int_equal(pack_load(&p, other, &err), 0);
    assert_int_equal(sealing_write(p, out, right, cheap, &err), ERR_BAD_REQUEST);
    assert_non_null(strstr(err.text, "\nsealed/scenario.yaml has no place in a pack"));
    assert_int_equal(access(out, F_OK), -1);
    pack_free(p);
    free(out);
}

/* An answer that lies in the public half, as a fix beside its suspect, would be handed out. */
static void test_answers_in_clear_are_named(void **state)
{
    struct err err = {0};
    struct files *f;
    struct pack *p;
    assert_int_equal(files_read(&f, good, NULL), 0);
    small_add(f, "row-sums/a/fix.cu", "// the fix");
    small_add(f, "row-sums/notes.md", "what is wrong");
    small_add(f, "row-sums/a/sealed/todo.csv", "what is left");
    char *out = text_format("%s/leaking", folder);
    assert_int_equal(pack_load(&p, f, &err), 0);
    assert_int_equal(sealing_write(p, out, right, cheap, &err), ERR_BAD_REQUEST);
    assert_non_null(strstr(err.text, "\nrow-sums/a/fix.cu would be handed out in clear"));
    assert_non_null(strstr(err.text, "\nrow-sums/notes.md would be handed out in clear"));
    assert_non_null(strstr(err.text, "\nrow-sums/a/sealed/todo.csv has no place in a pack"));
    assert_null(strstr(err.text, "suspect.cu"));
    assert_int_equal(access(out, F_OK), -1);
    pack_free(p);
    free(out);
}

/* ---- what a sealed pack allows ---- */

static void test_the_suspect_alone_can_be_measured(void **state)
{
    static const char *const allowed[] = {"symptom", "timing", "resources", "memory"},
                             *const refused[] = {"all", "pair", "verify", "debrief"};
    struct err err = {0};
    char *out = sealed_copy("asked");
    struct pack *sealed = open_pack(out);
    const struct variant *v = sealed->stories[0].variants[0];
    assert_true(v->sealed);
    for (size_t i = 0; i < 4; i++) {
        struct msg_measure m;
        if (request_build(&m, v, &small_device, allowed[i], 1, &err))
            fail_msg("%s: %s", allowed[i], err.text);
        msg_measure_free(&m);
        assert_int_equal(request_build(&m, v, &small_device, refused[i], 1, &err), ERR_PERMISSION);
        assert_non_null(strstr(err.text, "passphrase"));
    }
    pack_free(sealed);
    free(out);
}

static void test_everything_else_asks_for_the_passphrase(void **state)
{
    struct supply *supply = NULL;
    struct attempt *attempt = NULL;
    struct recording **list;
    int n;
    char *out = sealed_copy("played");
    struct pack *sealed = open_pack(out);
    for (int k = 0; k < sealed->stories[0].n_variants; k++) {
        const struct variant *v = sealed->stories[0].variants[k];
        assert_int_equal(recordings_of(v, &list, &n, NULL), ERR_PERMISSION);
        assert_int_equal(supply_recorded(&supply, v, NULL, NULL), ERR_PERMISSION);
        assert_int_equal(attempt_start(&attempt, NULL, v, supply, 1, 0, NULL), ERR_PERMISSION);
        assert_int_equal(variant_needs_answer(v, NULL), ERR_PERMISSION);
    }
    pack_free(sealed);
    free(out);
}

static void test_hidden_files_stay_behind(void **state)
{
    struct files *f;
    char *out = sealed_copy("more");
    assert_int_equal(files_read(&f, out, NULL), 0);
    assert_int_equal(f->n_passed, 0);
    files_free(f);
    append_to(out, ".hidden", "x");
    append_to(out, "LICENSE", "x");
    assert_int_equal(files_read(&f, out, NULL), 0);
    assert_int_equal(f->n_passed, 2);
    files_free(f);
    free(out);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pack_and_back),
        cmocka_unit_test(test_nothing_is_overwritten),
        cmocka_unit_test(test_a_changed_public_half_is_named),
        cmocka_unit_test(test_clear_files_beside_sealed_ones_are_refused),
        cmocka_unit_test(test_a_pack_without_answers_is_refused_still),
        cmocka_unit_test(test_content_is_judged),
        cmocka_unit_test(test_hashes_are_counted),
        cmocka_unit_test(test_a_pack_that_cannot_be_sealed),
        cmocka_unit_test(test_answers_in_clear_are_named),
        cmocka_unit_test(test_the_suspect_alone_can_be_measured),
        cmocka_unit_test(test_everything_else_asks_for_the_passphrase),
        cmocka_unit_test(test_hidden_files_stay_behind),
    };
    return cmocka_run_group_tests_name("sealing_pack", tests, setup, teardown);
}
