/* Sealed packs: round trips, every way in which a sealed file can be wrong and what is said of it, and what a sealed pack still allows. Keys are
 * derived with the least that the library takes, for speed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ftw.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "scenarios/attempt.h"
#include "scenarios/sealing.h"
#include "scenarios/sealing_inside.h"
#include "tests/scenarios/small_pack.h"

static char folder[64];
static struct secret *right;
static const struct sealing_cost cheap = {crypto_pwhash_OPSLIMIT_MIN, crypto_pwhash_MEMLIMIT_MIN};
static const char good[] = "tests/packs/good";

static void set_secret(struct secret *s, const char *text)
{
    s->len = strlen(text);
    memcpy(s->text, text, s->len + 1);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
    (void)st, (void)type, (void)where;
    return remove(path);
}

static int setup(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/warpdrill-sealing-XXXXXX");
    right = secret_new();
    set_secret(right, "correct horse battery");
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    secret_free(right);
    return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- bytes ---- */

struct sealed { unsigned char *bytes; size_t len; };

static struct sealed seal(const char *content, size_t n)
{
    struct sealed s;
    assert_int_equal(sealing_seal(&s.bytes, &s.len, content, n, right, cheap, NULL), 0);
    return s;
}

/* The code with which it is refused; 0 when it opens to `content`. */
static int opens(const unsigned char *bytes, size_t len, const struct secret *with, const char *content, size_t n)
{
    struct err err = {0};
    char *text;
    size_t got;
    int rc = sealing_open(&text, &got, bytes, len, with, &err);
    if (rc) {
        assert_null(text);
        assert_int_equal(rc, err.code);
        assert_true(*err.text);
        return rc;
    }
    assert_int_equal(got, n);
    assert_memory_equal(text, content, n);
    sealing_forget(text, got);
    return 0;
}

static void sign_header(struct sealed *s)
{
    crypto_hash_sha256(s->bytes + 96, s->bytes, 96);
}

static void test_round_trip_of_sizes(void **state)
{
    static const size_t sizes[] = {0, 1, 100, SEALED_CHUNK - 1, SEALED_CHUNK, SEALED_CHUNK + 1, 3 * SEALED_CHUNK};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *content = mem_new(sizes[i] + 1, 1);
        for (size_t k = 0; k < sizes[i]; k++)
            content[k] = (char)(k * 7 + k / 1000);
        struct sealed s = seal(content, sizes[i]);
        assert_int_equal(opens(s.bytes, s.len, right, content, sizes[i]), 0);
        free(s.bytes);
        free(content);
    }
}

static void test_two_seals_differ(void **state)
{
    (void)state;
    struct sealed a = seal("same", 4), b = seal("same", 4);
    assert_int_equal(a.len, b.len);
    assert_memory_not_equal(a.bytes + 40, b.bytes + 40, 56);    /* salt, check value, stream */
    free(a.bytes);
    free(b.bytes);
}

static int wanted_of_flip(size_t at)
{
    return at < 16 ? ERR_BAD_REQUEST : at < 20 ? ERR_VERSION : ERR_IO;
}

static void test_every_byte_counts(void **state)
{
    static const char content[] = "{\"hidden\":{},\"public\":{}}";
    static const unsigned char masks[] = {0x01, 0x80, 0xFF};
    (void)state;
    struct sealed s = seal(content, sizeof content);
    for (size_t at = 0; at < s.len; at++)
        for (size_t m = 0; m < sizeof masks; m++) {
            s.bytes[at] ^= masks[m];
            int rc = opens(s.bytes, s.len, right, content, sizeof content);
            /* format 1 with its lowest bit gone is format 0, which never was */
            assert_int_equal(rc, at == 16 && masks[m] == 1 ? ERR_IO : wanted_of_flip(at));
            s.bytes[at] ^= masks[m];
        }
    assert_int_equal(opens(s.bytes, s.len, right, content, sizeof content), 0);
    free(s.bytes);
}

static void test_every_length_is_told_as_cut_off(void **state)
{
    static const char content[] = "{\"hidden\":{},\"public\":{}}";
    (void)state;
    struct sealed s = seal(content, sizeof content);
    for (size_t n = 0; n < s.len; n++) {
        unsigned char *part = mem_new(n + 1, 1);   /* of its own, so that a read too far is found */
        memcpy(part, s.bytes, n);
        assert_int_equal(opens(part, n, right, content, sizeof content), ERR_LOST);
        free(part);
    }
    s.bytes = mem_grow(s.bytes, s.len + 1, 1);
    s.bytes[s.len] = 0;
    assert_int_equal(opens(s.bytes, s.len + 1, right, content, sizeof content), ERR_IO);
    free(s.bytes);
}

static void test_a_wrong_passphrase_is_told(void **state)
{
    static const char *const others[] = {"", "correct horse batter", "correct horse battery ", "Correct horse battery"};
    struct secret *wrong = secret_new();
    (void)state;
    struct sealed s = seal("x", 1);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        set_secret(wrong, others[i]);
        assert_int_equal(opens(s.bytes, s.len, wrong, "x", 1), ERR_PERMISSION);
    }
    secret_free(wrong);
    free(s.bytes);
}

static void test_not_a_sealed_file(void **state)
{
    (void)state;
    assert_int_equal(opens((const unsigned char *)"format: 1\n", 10, right, "", 0), ERR_BAD_REQUEST);
    assert_int_equal(opens((const unsigned char *)"warpdrill seal", 14, right, "", 0), ERR_LOST);
    assert_int_equal(opens((const unsigned char *)"warpdrill sealeD", 16, right, "", 0), ERR_BAD_REQUEST);
}

/* Chunks of one file, in another order or of another file: each of them whole. */
static void test_chunks_stay_in_their_order(void **state)
{
    enum { CHUNK = SEALED_CHUNK + 17, LEN = 3 * SEALED_CHUNK };
    unsigned char kept[CHUNK];
    char *content = mem_new(LEN, 1);
    (void)state;
    struct sealed s = seal(content, LEN), other = seal(content, LEN);
    unsigned char *first = s.bytes + SEALED_HEADER;
    memcpy(kept, first, CHUNK);
    memcpy(first, first + CHUNK, CHUNK);
    memcpy(first + CHUNK, kept, CHUNK);
    assert_int_equal(opens(s.bytes, s.len, right, content, LEN), ERR_IO);
    memcpy(first + CHUNK, first, CHUNK);
    memcpy(first, kept, CHUNK);
    assert_int_equal(opens(s.bytes, s.len, right, content, LEN), 0);
    memcpy(first + CHUNK, other.bytes + SEALED_HEADER + CHUNK, CHUNK);
    assert_int_equal(opens(s.bytes, s.len, right, content, LEN), ERR_IO);
    free(s.bytes);
    free(other.bytes);
    free(content);
}

/* Somebody who rewrites the header, its checksum with it, to hide that the end is gone. */
static void test_a_cut_that_is_covered_up(void **state)
{
    enum { LEN = 3 * SEALED_CHUNK };
    char *content = mem_new(LEN, 1);
    (void)state;
    struct sealed s = seal(content, LEN);
    s.bytes[34] = 2;      /* 0x30000 bytes become 0x20000: two chunks */
    sign_header(&s);
    assert_int_equal(opens(s.bytes, s.len - SEALED_CHUNK - 17, right, content, LEN), ERR_IO);
    free(s.bytes);
    free(content);
}

static void put(unsigned char *at, int bytes, uint64_t n)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (unsigned char)(n >> 8 * i);
}

static void test_what_a_header_may_ask_for(void **state)
{
    static const struct { uint64_t passes, memory, content; int code; } cases[] = {
        {5, 8192, 1, ERR_TOO_LARGE},          {0xFFFFFFFF, 8192, 1, ERR_TOO_LARGE},
        {1, ((uint64_t)1 << 30) + 1, 1, ERR_TOO_LARGE}, {1, UINT64_MAX, 1, ERR_TOO_LARGE}, {1, (uint64_t)1 << 40, 1, ERR_TOO_LARGE},
        {0, 8192, 1, ERR_IO},                 {1, 0, 1, ERR_IO},
        {1, 8192, UINT64_MAX, ERR_TOO_LARGE}, {1, 8192, (uint64_t)1 << 40, ERR_TOO_LARGE}, {1, 8192, 2, ERR_LOST}, {1, 8192, 0, ERR_IO},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sealed s = seal("x", 1);
        put(s.bytes + 20, 4, cases[i].passes);
        put(s.bytes + 24, 8, cases[i].memory);
        put(s.bytes + 32, 8, cases[i].content);
        sign_header(&s);
        assert_int_equal(opens(s.bytes, s.len, right, "x", 1), cases[i].code);
        free(s.bytes);
    }
}

static void test_a_newer_format_is_told(void **state)
{
    struct err err = {0};
    char *text;
    size_t n;
    (void)state;
    struct sealed s = seal("x", 1);
    put(s.bytes + 16, 4, 2);
    sign_header(&s);
    assert_int_equal(sealing_open(&text, &n, s.bytes, s.len, right, &err), ERR_VERSION);
    assert_non_null(strstr(err.text, "format 2"));
    assert_int_equal(sealing_open(&text, &n, s.bytes, 20, right, &err), ERR_VERSION);   /* whose header may be of another length */
    free(s.bytes);
}

/* ---- passphrases ---- */

static void test_weak_passphrases(void **state)
{
    static const struct { const char *text; int code; } cases[] = {
        {"", ERR_BAD_REQUEST}, {"elevenchars", ERR_BAD_REQUEST}, {"aaaaaaaaaaaaaaaaaaaa", ERR_BAD_REQUEST}, {"abcabcabcabcabc", ERR_BAD_REQUEST},
        {"\xC3\xA9\xC3\xA8\xC3\xAA\xC3\xAB\xC3\xA0\xC3\xA2", ERR_BAD_REQUEST},    /* six characters in twelve bytes */
        {"twelve chars", 0}, {"correct horse battery", 0},
    };
    struct secret *s = secret_new();
    struct err err;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_secret(s, cases[i].text);
        assert_int_equal(secret_fit(s, &err), cases[i].code);
    }
    secret_free(s);
}

static void test_generated_ones(void **state)
{
    struct secret *a = secret_new(), *b = secret_new();
    (void)state;
    secret_generate(a);
    secret_generate(b);
    assert_int_equal(a->len, 23);
    assert_string_not_equal(a->text, b->text);
    assert_int_equal(secret_fit(a, NULL), 0);
    for (size_t i = 0; i < a->len; i++)
        assert_true(i % 6 == 5 ? a->text[i] == '-' : strchr("abcdefghjkmnpqrstuvwxyz023456789", a->text[i]) != NULL);
    secret_free(a);
    secret_free(b);
}

static int read_of(const char *bytes, size_t n, char *out)
{
    struct secret *s = secret_new();
    char *path = text_format("%s/passphrase", folder);
    FILE *f = fopen(path, "w");
    fwrite(bytes, 1, n, f);
    fclose(f);
    int rc = secret_read(s, path, NULL);
    snprintf(out, 64, "%.60s", rc ? "" : s->text);
    secret_free(s);
    free(path);
    return rc;
}

static void test_a_file_with_a_passphrase(void **state)
{
    char text[64], *large = mem_new(5000, 1);
    (void)state;
    assert_int_equal(read_of("correct horse\nnot this\n", 23, text), 0);
    assert_string_equal(text, "correct horse");
    assert_int_equal(read_of("correct horse\r\n", 15, text), 0);
    assert_string_equal(text, "correct horse");
    assert_int_equal(read_of(" no end", 7, text), 0);
    assert_string_equal(text, " no end");
    assert_int_equal(read_of("\nsecond", 7, text), ERR_BAD_REQUEST);
    assert_int_equal(read_of("", 0, text), ERR_BAD_REQUEST);
    memset(large, 'x', 5000);
    assert_int_equal(read_of(large, 5000, text), ERR_TOO_LARGE);
    struct secret *s = secret_new();
    assert_int_equal(secret_read(s, "/nowhere/at/all", NULL), ERR_IO);
    secret_free(s);
    free(large);
}

/* ---- packs ---- */

static struct pack *open_pack(const char *where)
{
    struct pack *p;
    struct err err;
    if (pack_open(&p, where, &err))
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
    (void)state;
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
    (void)state;
    char *out = sealed_copy("once"), *lost = text_format("%s/no/such/place", folder), *changed;
    struct pack *p = open_pack(good), *sealed = open_pack(out), *opened;
    assert_int_equal(sealing_write(p, out, right, cheap, &err), ERR_BAD_REQUEST);
    assert_int_equal(sealing_write(p, lost, right, cheap, &err), ERR_IO);
    assert_int_equal(sealing_write(sealed, folder, right, cheap, &err), ERR_BAD_REQUEST);    /* sealed already */
    assert_int_equal(sealing_unseal(&opened, &changed, p, right, &err), ERR_BAD_REQUEST);    /* not sealed */
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
        "", "[]", "{}", "{\"hidden\":{}}", "{\"hidden\":[],\"public\":{}}", "{\"hidden\":{\"a/suspect.cu\":\"x\"},\"public\":{}}",
        "{\"hidden\":{\"../sealed/a.cu\":\"x\"},\"public\":{}}", "{\"hidden\":{\"/sealed/a.cu\":\"x\"},\"public\":{}}",
        "{\"hidden\":{\"a/sealed/b.cu\":1},\"public\":{}}", "{\"hidden\":{},\"public\":{\"a\":\"short\"}}", "{\"hidden\":{},\"public\":{\"../a\":\"x\"}}",
        "{\"hidden\":{\"a/sealed/b.cu\":\"\\u001b[2J\"},\"public\":{}}", "{\"hidden\":{},\"public\":{},\"public\":{}}",
    };
    (void)state;
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

/* An id that makes public files look sealed. */
static void test_a_pack_that_cannot_be_sealed(void **state)
{
    struct err err = {0};
    struct files *f;
    struct pack *p;
    (void)state;
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
    assert_int_equal(sealing_write(p, out, right, cheap, &err), ERR_MISSING);
    assert_non_null(strstr(err.text, "the public half would be no pack"));
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
    (void)state;
    assert_int_equal(files_read(&f, good, NULL), 0);
    small_add(f, "row-sums/a/fix.cu", "// the fix");
    small_add(f, "row-sums/notes.md", "what is wrong");
    char *out = text_format("%s/leaking", folder);
    assert_int_equal(pack_load(&p, f, &err), 0);
    assert_int_equal(sealing_write(p, out, right, cheap, &err), ERR_BAD_REQUEST);
    assert_non_null(strstr(err.text, "\nrow-sums/a/fix.cu would be handed out in clear"));
    assert_non_null(strstr(err.text, "\nrow-sums/notes.md would be handed out in clear"));
    assert_null(strstr(err.text, "suspect.cu"));
    assert_int_equal(access(out, F_OK), -1);
    pack_free(p);
    free(out);
}

/* ---- what a sealed pack allows ---- */

static void test_the_suspect_alone_can_be_measured(void **state)
{
    static const char *const allowed[] = {"symptom", "timing", "resources", "memory"}, *const refused[] = {"all", "pair", "verify", "debrief"};
    struct err err = {0};
    (void)state;
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
    (void)state;
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
    (void)state;
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
        cmocka_unit_test(test_round_trip_of_sizes),
        cmocka_unit_test(test_two_seals_differ),
        cmocka_unit_test(test_every_byte_counts),
        cmocka_unit_test(test_every_length_is_told_as_cut_off),
        cmocka_unit_test(test_a_wrong_passphrase_is_told),
        cmocka_unit_test(test_not_a_sealed_file),
        cmocka_unit_test(test_chunks_stay_in_their_order),
        cmocka_unit_test(test_a_cut_that_is_covered_up),
        cmocka_unit_test(test_what_a_header_may_ask_for),
        cmocka_unit_test(test_a_newer_format_is_told),
        cmocka_unit_test(test_weak_passphrases),
        cmocka_unit_test(test_generated_ones),
        cmocka_unit_test(test_a_file_with_a_passphrase),
        cmocka_unit_test(test_a_pack_and_back),
        cmocka_unit_test(test_nothing_is_overwritten),
        cmocka_unit_test(test_a_changed_public_half_is_named),
        cmocka_unit_test(test_clear_files_beside_sealed_ones_are_refused),
        cmocka_unit_test(test_a_pack_without_answers_is_refused_still),
        cmocka_unit_test(test_content_is_judged),
        cmocka_unit_test(test_a_pack_that_cannot_be_sealed),
        cmocka_unit_test(test_answers_in_clear_are_named),
        cmocka_unit_test(test_the_suspect_alone_can_be_measured),
        cmocka_unit_test(test_everything_else_asks_for_the_passphrase),
        cmocka_unit_test(test_hidden_files_stay_behind),
    };
    return cmocka_run_group_tests_name("sealing", tests, setup, teardown);
}
