/* One line of typed text: UTF-8 stays whole, pastes stay on the line, nothing overflows. */
#include <curses.h>

#include "kernels/wire/text.h"
#include "tests/unit.h"
#include "tui/kit/keys.h"
#include "tui/kit/textfield.h"

static void type(struct textfield *f, const char *ascii)
{
    for (; *ascii; ascii++)
        textfield_key(f, *ascii);
}

static void typing_and_moving(void **state)
{
    struct textfield f;
    textfield_init(&f, NULL);
    type(&f, "0.3 ms");
    textfield_key(&f, KEY_HOME);
    textfield_key(&f, KEY_DC);
    textfield_key(&f, '1');
    textfield_key(&f, KEY_END);
    textfield_key(&f, KEY_LEFT);
    textfield_key(&f, KEY_BACKSPACE);
    textfield_key(&f, 'u');
    assert_string_equal(textfield_text(&f), "1.3 us");
    textfield_key(&f, 'w' & 0x1F);
    assert_string_equal(textfield_text(&f), "1.3 s");
    textfield_key(&f, 'u' & 0x1F);
    assert_string_equal(textfield_text(&f), "s");
    assert_int_equal(textfield_key(&f, '\r'), TEXTFIELD_DONE);
    assert_int_equal(textfield_key(&f, 27), TEXTFIELD_CANCELLED);
}

static void characters_stay_whole(void **state)
{
    struct textfield f;
    textfield_init(&f, "a\303\274b");
    textfield_key(&f, KEY_LEFT);
    textfield_key(&f, KEY_BACKSPACE);
    assert_string_equal(textfield_text(&f), "ab");
    textfield_key(&f, 0xB5);             /* micro sign */
    textfield_key(&f, KEY_CHAR(0x101));  /* a with macron, not KEY_BREAK */
    textfield_key(&f, KEY_CHAR(0x1F600));
    assert_string_equal(textfield_text(&f), "a\302\265\304\201\360\237\230\200b");
    textfield_key(&f, KEY_LEFT);
    textfield_key(&f, KEY_LEFT);
    textfield_key(&f, KEY_DC);
    assert_string_equal(textfield_text(&f), "a\302\265\360\237\230\200b");
    textfield_key(&f, KEY_CHAR(0x202E)); /* a direction override never gets in */
    assert_string_equal(textfield_text(&f), "a\302\265\360\237\230\200b");
}

static void a_paste_stays_on_the_line(void **state)
{
    struct textfield f;
    textfield_init(&f, NULL);
    textfield_key(&f, KEY_PASTE_BEGIN);
    type(&f, "ssh box\r");
    assert_int_equal(textfield_key(&f, 27), TEXTFIELD_IGNORED);
    type(&f, "runner\n");
    textfield_key(&f, KEY_PASTE_END);
    textfield_trim(&f);
    assert_string_equal(textfield_text(&f), "ssh box runner");
    assert_int_equal(textfield_key(&f, '\r'), TEXTFIELD_DONE);
}

static void foreign_text_is_cleaned(void **state)
{
    struct textfield f;
    textfield_init(&f, "a\033[31m\nb\377");
    assert_string_equal(textfield_text(&f), "a?[31m b?");
    char big[2 * TEXTFIELD_BYTES];
    memset(big, 0xC3, sizeof big);
    for (size_t i = 1; i < sizeof big; i += 2)
        big[i] = (char)0xBC;
    big[sizeof big - 1] = '\0';
    textfield_init(&f, big);
    assert_int_equal(text_first_bad(f.bytes, f.len), f.len);
}

/* Whatever keys come, the text stays clean and inside its bytes, and the cursor between characters.
 */
static void any_keys(void **state)
{
    static const int some[] = {'a',
                               ' ',
                               0xE9,
                               KEY_CHAR(0x4E2D),
                               KEY_CHAR(0x1F600),
                               KEY_LEFT,
                               KEY_RIGHT,
                               KEY_HOME,
                               KEY_END,
                               KEY_BACKSPACE,
                               KEY_DC,
                               'w' & 0x1F,
                               KEY_PASTE_BEGIN,
                               KEY_PASTE_END,
                               '\r',
                               27,
                               0,
                               -1,
                               KEY_UP,
                               KEY_CHAR(0x10FFFF),
                               KEY_CHAR(0xD800)};
    struct textfield f;
    textfield_init(&f, NULL);
    unsigned seed = 7;
    for (int i = 0; i < 200000; i++) {
        seed = seed * 1103515245u + 12345u;
        unsigned k = seed >> 16;
        textfield_key(&f, some[k % 5 == 0 ? k / 5 % (sizeof some / sizeof some[0]) : k % 5]);
        assert_true(f.len < TEXTFIELD_BYTES && f.at <= f.len && f.bytes[f.len] == '\0' &&
                    strlen(f.bytes) == f.len);
        assert_true(!text_is_tail(f.bytes[f.at]));
    }
    assert_int_equal(text_first_bad(f.bytes, f.len), f.len);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(typing_and_moving),
        cmocka_unit_test(characters_stay_whole),
        cmocka_unit_test(a_paste_stays_on_the_line),
        cmocka_unit_test(foreign_text_is_cleaned),
        cmocka_unit_test(any_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
