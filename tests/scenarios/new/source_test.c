/* A kernel's file without a terminal: what of it is taken, left out and said, what is refused and
 * where, and what is cut short or strange. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/scenarios/new/made_scaffold.h"

static void leaves_out_what_is_the_hosts(void **state)
{
    static const char *const host[] = {"main",          "softmax_cpu", "CHECK",
                                       "vector",        "verbose",     "#include",
                                       "compared with", "\r",          "static __global__"};
    struct files *f;
    struct err err = {0};
    assert_int_equal(make(&f, "host-code.cu", NULL, NULL, &err), 0);
    for (size_t i = 0; i < sizeof host / sizeof *host; i++)
        lacks(f, SUSPECT, host[i]);
    files_free(f);
    assert_int_equal(make(&f, "several.cu", "histogram", NULL, &err), 0);
    lacks(f, SUSPECT, "scale");
    lacks(f, SUSPECT, "First");
    lacks(f, SUSPECT, "extern \"C\" {");
    files_free(f);
}

/* What was left out or changed is said, each at its line. */
static const struct { const char *file; int line; const char *says;
} noted[] = {
    {"left-out.cu", 1, "#include <cstdio> left out: device code of a pack stands alone"},
    {"left-out.cu", 2, "#include <cuda_fp16.h> left out; in its place: half comes as 16 bits"},
    {"left-out.cu", 3,
     "#include <cuda_pipeline.h> left out; in its place: write PTX: asm volatile(\"cp.async.cg"},
    {"left-out.cu", 4,
     "#include <cooperative_groups.h> left out; in its place: blocks: __syncthreads(); warps: "
     "__syncwarp()"},
    {"left-out.cu", 7, "Config was left out: nothing that stays uses it"},
    {"left-out.cu", 8, "Inner was left out: nothing that stays uses it"},
    {"left-out.cu", 9, "Outer was left out: nothing that stays uses it"},
    {"left-out.cu", 29,
     "cudaMemcpyToSymbol() to `taps` was left out, and so `taps` holds zeros: give it its values "
     "where it is declared"},
    {"quotes.cu", 2, "0xff'ffu became 0xffffu: numbers of a pack have no quotes"},
    {"quotes.cu", 3, "3.141'592'6 became 3.1415926: numbers of a pack have no quotes"},
    {"quotes.cu", 8, "1'000'000 became 1000000: numbers of a pack have no quotes"},
    {"quotes.cu", 10, "1'0.5f became 10.5f: numbers of a pack have no quotes"},
};

static bool has_note(const struct source *s, int line, const char *says)
{
    for (int n = 0; n < s->n_notes; n++)
        if (s->notes[n].line == line && !strncmp(s->notes[n].text, says, strlen(says)))
            return true;
    return false;
}

static struct source *take(char **out, const char *file)
{
    struct source *s;
    struct err err = {0};
    char *path = text_format("tests/new/%s", file);
    assert_int_equal(source_open_at(&s, path, NULL, &err), 0);
    assert_int_equal(source_params(s, &s->kernels[0], &err), 0);
    if (source_take(out, NULL, s, &(const struct kernel *){&s->kernels[0]}, 1, &err))
        fail_msg("%s", err.text);
    free(path);
    return s;
}

static void says_what_was_left_out(void **state)
{
    for (size_t i = 0; i < sizeof noted / sizeof *noted; i++) {
        char *out;
        struct source *s = take(&out, noted[i].file);
        if (!has_note(s, noted[i].line, noted[i].says))
            fail_msg("line %d: %s", noted[i].line, noted[i].says);
        free(out);
        source_free(s);
    }
}

static void structures_that_nothing_uses_go(void **state)
{
    char *out;
    struct source *s = take(&out, "left-out.cu");
    assert_null(strstr(out, "Config"));
    assert_null(strstr(out, "Inner"));
    assert_non_null(strstr(out, "struct Used"));
    free(out);
    source_free(s);
}

/* Comments, characters and what is the host's keep theirs, and bring no note. */
static void quotes_go_from_numbers(void **state)
{
    static const char *const held[] = {"'1'000' in a comment", "#define MASK 0xffffu\n",
                                       "PI = 3.1415926;",      "{'a', u8'1', '2'}",
                                       "most = 1000000;\n",    "+ 10.5f;\n"};
    char *out;
    struct source *s = take(&out, "quotes.cu");
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        if (!strstr(out, held[i]))
            fail_msg("%s: %s", held[i], out);
    assert_false(has_note(s, 15, "4'096"));
    assert_int_equal(s->kernels[0].block[0], 128);
    assert_int_equal(s->kernels[0].grid[0], 4096);
    free(out);
    source_free(s);
}

/* ---- what is refused ---- */

static const struct { const char *file, *says;
} refused[] = {
    {"template.cu",
     "tests/new/template.cu:2:17: kernel 'add' is a template, and the file names no instance of "
     "it"},
    {"no-kernel.cu", "there is no kernel in it"},
    {"latin1.cu", "tests/new/latin1.cu:1:6: bytes that are not UTF-8"},
    {"struct-arg.cu", "tests/new/struct-arg.cu:2:22: a parameter of type `Particle *`"},
    {"pointers.cu", "tests/new/pointers.cu:1:36: a parameter of type `float **`"},
    {"read-only.cu", "kernel 'nothing' has no output"},
    {"braces.cu", "tests/new/braces.cu:2:60: brackets that do not match"},
    {"not-there.cu", "cannot read tests/new/not-there.cu"},
};

static void refuses_with_a_place(void **state)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct files *f;
        struct err err = {0};
        assert_int_not_equal(make(&f, refused[i].file, NULL, NULL, &err), 0);
        assert_null(f);
        if (!strstr(err.text, refused[i].says))
            fail_msg("%s: %s", refused[i].file, err.text);
    }
}

/* ---- what was cut short ---- */

static void any_beginning_of_a_file_is_read_or_refused(void **state)
{
    static const char *const names[] = {"host-code.cu", "many-args.cu", "several.cu",
                                        "matmul.cu",    "braces.cu",    "half.cu",
                                        "left-out.cu",  "launches.cu",  "quotes.cu"};
    int made = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = text_format("tests/new/%s", names[i]), text[8192];
        FILE *f = fopen(path, "r");
        size_t len = fread(text, 1, sizeof text, f);
        fclose(f);
        for (size_t n = 1; n < len; n++) {
            struct source *s;
            struct err err = {0};
            char *out = NULL;
            if (source_read(&s, path, text, n, &err))
                continue;
            if (!source_params(s, &s->kernels[0], &err) &&
                !source_take(&out, NULL, s, &(const struct kernel *){&s->kernels[0]}, 1, &err))
                made++;
            free(out);
            source_free(s);
        }
        free(path);
    }
    assert_true(made > 3);
}

/* What is looked up is what a search from the first byte would find. */
static void places_and_brackets_need_no_search(void **state)
{
    struct source *s;
    assert_int_equal(source_open_at(&s, "tests/new/host-code.cu", NULL, NULL), 0);
    for (size_t i = 0; i <= s->file.len; i++) {
        int line, col, line_found, col_found;
        file_place(&s->file, i, &line, &col);
        source_place(s, i, &line_found, &col_found);
        assert_int_equal(line_found, line);
        assert_int_equal(col_found, col);
        if (i < s->file.len && s->code[i] && strchr("([{<", s->code[i]))
            assert_int_equal(s->close[i], code_close(s->code, i, s->file.len));
    }
    source_free(s);
}

static void blocks_lie_as_deep_as_they_like(void **state)
{
    enum { DEEP = 50000 };
    static const char kernel[] = "__global__ void k(float *a) { a[0] = 1; }\n";
    char *text = malloc(DEEP * 14 + sizeof kernel), *at = text;
    for (int i = 0; i < DEEP; i++)
        at += sprintf(at, "namespace a{\n");
    at += sprintf(at, "%s", kernel);
    memset(at, '}', DEEP);
    struct source *s;
    assert_int_equal(source_read(&s, "deep.cu", text, (size_t)(at + DEEP - text), NULL), 0);
    assert_int_equal(s->n_kernels, 1);
    assert_int_equal(s->kernels[0].line, DEEP + 1);
    source_free(s);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_out_what_is_the_hosts),
        cmocka_unit_test(says_what_was_left_out),
        cmocka_unit_test(structures_that_nothing_uses_go),
        cmocka_unit_test(quotes_go_from_numbers),
        cmocka_unit_test(refuses_with_a_place),
        cmocka_unit_test(any_beginning_of_a_file_is_read_or_refused),
        cmocka_unit_test(places_and_brackets_need_no_search),
        cmocka_unit_test(blocks_lie_as_deep_as_they_like),
    };
    return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
