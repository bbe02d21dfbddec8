/* Sealed bytes: round trips, and every way in which a sealed file can be wrong and what is said of
 * it; passphrases. */
#include "tests/scenarios/sealing_secret.h"

#include "scenarios/library/sealing_inside.h"

/* ---- bytes ---- */

struct sealed { unsigned char *bytes; size_t len; };

static struct sealed seal(const char *content, size_t n)
{
    struct sealed s;
    assert_int_equal(sealing_seal(&s.bytes, &s.len, content, n, right, cheap, NULL), 0);
    return s;
}

/* The code with which it is refused; 0 when it opens to `content`. */
static int opens(const unsigned char *bytes, size_t len, const struct secret *with,
                 const char *content, size_t n)
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
    static const size_t sizes[] =
        {0, 1, 100, SEALED_CHUNK - 1, SEALED_CHUNK, SEALED_CHUNK + 1, 3 * SEALED_CHUNK};
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
    static const char *const others[] = {"", "correct horse batter", "correct horse battery ",
                                         "Correct horse battery"};
    struct secret *wrong = secret_new();
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
    assert_int_equal(opens((const unsigned char *)"format: 1\n", 10, right, "", 0),
                     ERR_BAD_REQUEST);
    assert_int_equal(opens((const unsigned char *)"warpdrill seal", 14, right, "", 0), ERR_LOST);
    assert_int_equal(opens((const unsigned char *)"warpdrill sealeD", 16, right, "", 0),
                     ERR_BAD_REQUEST);
}

/* Chunks of one file, in another order or of another file: each of them whole. */
static void test_chunks_stay_in_their_order(void **state)
{
    enum { CHUNK = SEALED_CHUNK + 17, LEN = 3 * SEALED_CHUNK };
    unsigned char kept[CHUNK];
    char *content = mem_new(LEN, 1);
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
    static const struct { uint64_t passes, memory, content; int code;
    } cases[] = {
        {5, 8192, 1, ERR_TOO_LARGE},
        {0xFFFFFFFF, 8192, 1, ERR_TOO_LARGE},
        {1, ((uint64_t)1 << 30) + 1, 1, ERR_TOO_LARGE},
        {1, UINT64_MAX, 1, ERR_TOO_LARGE},
        {1, (uint64_t)1 << 40, 1, ERR_TOO_LARGE},
        {0, 8192, 1, ERR_IO},
        {1, 0, 1, ERR_IO},
        {1, 8192, UINT64_MAX, ERR_TOO_LARGE},
        {1, 8192, (uint64_t)1 << 40, ERR_TOO_LARGE},
        {1, 8192, 2, ERR_LOST},
        {1, 8192, 0, ERR_IO},
    };
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
    struct sealed s = seal("x", 1);
    put(s.bytes + 16, 4, 2);
    sign_header(&s);
    assert_int_equal(sealing_open(&text, &n, s.bytes, s.len, right, &err), ERR_VERSION);
    assert_non_null(strstr(err.text, "format 2"));
    assert_int_equal(sealing_open(&text, &n, s.bytes, 20, right, &err),
                     ERR_VERSION); /* whose header may be of another length */
    free(s.bytes);
}

/* ---- passphrases ---- */

static void test_weak_passphrases(void **state)
{
    static const struct { const char *text; int code;
    } cases[] = {
        {"", ERR_BAD_REQUEST},
        {"elevenchars", ERR_BAD_REQUEST},
        {"aaaaaaaaaaaaaaaaaaaa", ERR_BAD_REQUEST},
        {"abcabcabcabcabc", ERR_BAD_REQUEST},
        {"\xC3\xA9\xC3\xA8\xC3\xAA\xC3\xAB\xC3\xA0\xC3\xA2",
         ERR_BAD_REQUEST}, /* six characters in twelve bytes */
        {"twelve chars", 0},
        {"correct horse battery", 0},
    };
    struct secret *s = secret_new();
    struct err err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_secret(s, cases[i].text);
        assert_int_equal(secret_fit(s, &err), cases[i].code);
    }
    secret_free(s);
}

static void test_generated_ones(void **state)
{
    struct secret *a = secret_new(), *b = secret_new();
    secret_generate(a);
    secret_generate(b);
    assert_int_equal(a->len, 23);
    assert_string_not_equal(a->text, b->text);
    assert_int_equal(secret_fit(a, NULL), 0);
    for (size_t i = 0; i < a->len; i++)
        assert_true(i % 6 == 5 ? a->text[i] == '-'
                               : strchr("abcdefghjkmnpqrstuvwxyz023456789", a->text[i]) != NULL);
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
    };
    return cmocka_run_group_tests_name("sealing", tests, setup, teardown);
}
