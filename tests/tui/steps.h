/* What every test of a screen does: a key and what follows it, and leaving by q. */
#ifndef WD_TESTS_TUI_STEPS_H
#define WD_TESTS_TUI_STEPS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/tui/screen.h"

static inline void press(struct screen *s, const char *keys, const char *then)
{
    screen_send(s, keys);
    screen_expect(s, then);
}

/* The program ends well and leaves the terminal as it was. */
static inline void leave(struct screen *s)
{
    screen_send(s, "q");
    assert_int_equal(screen_wait_exit(s), 0);
    assert_true(screen_same_modes(s));
    screen_free(s);
}

#endif
