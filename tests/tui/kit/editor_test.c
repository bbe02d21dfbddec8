/* Text of many lines: the buffer against a naive model, graphemes, pastes, rows, and a person's own
 * editor. */
#include <curses.h>
#include <locale.h>

#include "kernels/wire/text.h"
#include "tests/unit.h"
#include "tui/kit/draw.h"
#include "tui/kit/editor.h"
#include "tui/kit/keys.h"

enum { W = 20, H = 5 };

static void keys(struct editor *e, const char *text)
{
    for (; *text; text++)
        editor_key(e, (unsigned char)*text, W, H);
}

/* ---- the buffer and a model that keeps every state ---- */

static uint64_t seed;

static unsigned draw_number(unsigned below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % below;
}

static const char *const bits[] = {"a",
                                   "word ",
                                   "\n",
                                   "  ",
                                   "é",
                                   "e\xCC\x81",
                                   "漢",
                                   "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x9A\x80",
                                   "\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA",
                                   "a long paste, with\nlines ",
                                   "\t"};

struct model { char *state[4096]; size_t at[4096]; int n, now; };

static void model_put(struct model *m, const char *text, size_t at)
{
    while (m->n > m->now + 1)
        free(m->state[--m->n]);
    m->state[m->n] = text_dup(text);
    m->at[m->n] = at;
    m->now = m->n++;
}

static void one_change(struct editor_buffer *b, struct model *m)
{
    char *text = text_dup(b->bytes);
    size_t at = b->at, len = b->len;
    editor_buffer_close(b);
    if (draw_number(3) > 0) {
        const char *bit = bits[draw_number(sizeof bits / sizeof *bits)];
        assert_true(editor_buffer_insert(b, bit, strlen(bit)));
        char *now = text_format("%.*s%s%s", (int)at, text, bit, text + at);
        assert_string_equal(b->bytes, now);
        assert_int_equal(b->at, at + strlen(bit));
        free(now);
        model_put(m, b->bytes, b->at);
    } else {
        size_t to = draw_number(2) ? editor_buffer_word_left(b, at) : editor_buffer_previous(b, at);
        editor_buffer_delete(b, to, at);
        char *now = text_format("%.*s%s", (int)to, text, text + at);
        assert_string_equal(b->bytes, now);
        free(now);
        if (b->len != len)
            model_put(m, b->bytes, b->at);
    }
    free(text);
}

static void step_back_and_forth(struct editor_buffer *b, struct model *m)
{
    bool back = draw_number(2);
    int now = m->now + (back ? -1 : 1);
    bool can = now >= 0 && now < m->n;
    assert_int_equal(back ? editor_buffer_undo(b) : editor_buffer_redo(b), can);
    if (can)
        m->now = now;
    assert_string_equal(b->bytes, m->state[m->now]);
}

static void wander(struct editor_buffer *b)
{
    switch (draw_number(5)) {
    case 0: b->at = editor_buffer_previous(b, b->at); break;
    case 1: b->at = editor_buffer_next(b, b->at); break;
    case 2: b->at = editor_buffer_word_left(b, b->at); break;
    case 3: b->at = editor_buffer_word_right(b, b->at); break;
    default: b->at = b->len; break;
    }
}

static void it_agrees_with_a_model_that_keeps_everything(void **state)
{
    for (uint64_t run = 1; run <= 40; run++) {
        struct editor_buffer b;
        struct model *m = calloc(1, sizeof *m);
        seed = run;
        editor_buffer_init(&b, NULL);
        model_put(m, "", 0);
        for (int k = 0; k < 400; k++) {
            unsigned kind = draw_number(10);
            if (kind < 5)
                one_change(&b, m);
            else if (kind < 8)
                wander(&b);
            else
                step_back_and_forth(&b, m);
            assert_true(b.at <= b.len && strlen(b.bytes) == b.len);
            assert_int_equal(text_first_bad(b.bytes, b.len), b.len);
        }
        while (m->n > 0)
            free(m->state[--m->n]);
        free(m);
        editor_buffer_free(&b);
    }
}

static void the_cursor_goes_to_a_line(void **state)
{
    static const struct { int line; const char *becomes; } cases[] = {
        {1, "xa\nb\n"}, {2, "a\nxb\n"}, {3, "a\nb\nx"}, {9, "a\nb\nx"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct editor e;
        editor_init(&e, "a\nb\n");
        editor_go(&e, cases[i].line);
        editor_key(&e, 'x', W, H);
        assert_string_equal(editor_text(&e), cases[i].becomes);
        editor_free(&e);
    }
}

/* However typing was joined into steps: all the way back is where it began, all the way forth where
 * it was. */
static void all_the_way_back_and_forth(void **state)
{
    for (uint64_t run = 1; run <= 20; run++) {
        struct editor e;
        editor_init(&e, "from here\non");
        seed = run;
        for (int k = 0; k < 300; k++) {
            static const int pressed[] = {'x',           'y',           ' ',
                                          '\r',          KEY_BACKSPACE, KEY_LEFT,
                                          KEY_UP,        KEY_DC,        KEY_END,
                                          KEY_WORD_LEFT, 'w' & 0x1F,    KEY_CHAR(0x6F22)};
            editor_key(&e, pressed[draw_number(sizeof pressed / sizeof *pressed)], W, H);
        }
        char *end = text_dup(editor_text(&e));
        while (editor_buffer_undo(&e.buffer))
            ;
        assert_string_equal(editor_text(&e), "from here\non");
        while (editor_buffer_redo(&e.buffer))
            ;
        assert_string_equal(editor_text(&e), end);
        free(end);
        editor_free(&e);
    }
}

/* ---- single properties ---- */

static void a_grapheme_is_one_step(void **state)
{
    static const char *const one[] = {"e\xCC\x81", "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x9A\x80",
                                      "\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA", "漢", "\n"};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        struct editor e;
        char text[64];
        snprintf(text, sizeof text, "a%sb", one[i]);
        editor_init(&e, text);
        editor_key(&e, KEY_LEFT, W, H);
        editor_key(&e, KEY_LEFT, W, H);
        assert_int_equal(e.buffer.at, 1);
        editor_key(&e, KEY_RIGHT, W, H);
        editor_key(&e, KEY_BACKSPACE, W, H);
        assert_string_equal(editor_text(&e), "ab");
        editor_key(&e, 0x1F, W, H);
        assert_string_equal(editor_text(&e), text);
        editor_free(&e);
    }
}

static void typing_is_undone_word_by_word(void **state)
{
    struct editor e;
    editor_init(&e, NULL);
    keys(&e, "one two three");
    editor_key(&e, 0x1F, W, H);
    assert_string_equal(editor_text(&e), "one two ");
    editor_key(&e, 0x1F, W, H);
    assert_string_equal(editor_text(&e), "one ");
    editor_key(&e, 'r' & 0x1F, W, H);
    assert_string_equal(editor_text(&e), "one two ");
    keys(&e, "x");
    editor_key(&e, 'r' & 0x1F, W, H); /* nothing to do again after a change */
    assert_string_equal(editor_text(&e), "one two x");
    editor_free(&e);
}

static void a_paste_is_one_step_and_acts_as_no_key(void **state)
{
    struct editor e;
    editor_init(&e, "before ");
    editor_key(&e, KEY_PASTE_BEGIN, W, H);
    keys(&e, "two\r\nlines\t\033[31m\004 more words");
    assert_string_equal(editor_text(&e), "before ");
    editor_key(&e, KEY_PASTE_END, W, H);
    assert_string_equal(editor_text(&e), "before two\nlines\t?[31m? more words");
    editor_key(&e, 0x1F, W, H);
    assert_string_equal(editor_text(&e), "before ");
    editor_free(&e);
}

static void what_is_hostile_is_not_kept(void **state)
{
    struct editor e;
    editor_init(&e, "a\033[2Jb\xFF\x80");
    assert_string_equal(editor_text(&e), "a?[2Jb??");
    editor_key(&e, KEY_CHAR(0x202E), W, H); /* turns the direction of what follows */
    editor_key(&e, KEY_CHAR(0x9B), W, H);
    editor_key(&e, KEY_CHAR(0xD800), W, H);
    assert_string_equal(editor_text(&e), "a?[2Jb??");
    editor_free(&e);
}

static void sixteen_kib_and_no_byte_more(void **state)
{
    struct editor e;
    char *long_text = malloc(EDITOR_BYTES + 1);
    memset(long_text, 'x', EDITOR_BYTES - 1);
    long_text[EDITOR_BYTES - 1] = '\0';
    editor_init(&e, long_text);
    assert_int_equal(editor_key(&e, KEY_CHAR(0x6F22), W, H), EDITOR_FULL);
    assert_int_equal(editor_key(&e, 'y', W, H), EDITOR_CHANGED);
    assert_int_equal(editor_key(&e, 'z', W, H), EDITOR_FULL);
    assert_int_equal(e.buffer.len, EDITOR_BYTES);
    editor_key(&e, 0x1F, W, H);
    free(long_text);
    editor_free(&e);
}

static void rows_are_walked_by_column(void **state)
{
    struct editor e;
    editor_init(&e, "0123456789 abcdefgh ijklmnop\nx\n漢字漢字漢字漢字");
    assert_int_equal(e.buffer.at, e.buffer.len);
    editor_key(&e, KEY_HOME, W, H);
    keys(&e, "");
    for (int k = 0; k < 4; k++)
        editor_key(&e, KEY_RIGHT, W, H);
    editor_key(&e, KEY_UP, W, H); /* column 8 */
    assert_int_equal(e.buffer.bytes[e.buffer.at - 1], 'x');
    editor_key(&e, KEY_UP, W, H);
    assert_string_equal(e.buffer.bytes + e.buffer.at, "\nx\n漢字漢字漢字漢字");
    editor_key(&e, KEY_UP, W, H);
    assert_memory_equal(e.buffer.bytes + e.buffer.at, "89 abc", 6);
    editor_key(&e, KEY_END, W, H);
    assert_memory_equal(e.buffer.bytes + e.buffer.at, " ijkl", 5);
    editor_key(&e, KEY_NPAGE, W, H);
    assert_int_equal(e.buffer.at, e.buffer.len);
    editor_free(&e);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    draw_start();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_agrees_with_a_model_that_keeps_everything),
        cmocka_unit_test(the_cursor_goes_to_a_line),
        cmocka_unit_test(all_the_way_back_and_forth),
        cmocka_unit_test(a_grapheme_is_one_step),
        cmocka_unit_test(typing_is_undone_word_by_word),
        cmocka_unit_test(a_paste_is_one_step_and_acts_as_no_key),
        cmocka_unit_test(what_is_hostile_is_not_kept),
        cmocka_unit_test(sixteen_kib_and_no_byte_more),
        cmocka_unit_test(rows_are_walked_by_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
