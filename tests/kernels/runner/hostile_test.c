/* Kernels that mean harm, on the fake driver: each ends within its deadline as an error of its own
 * request or is called wrong, what it prints is harmless, and the next request is answered rightly.
 * tests/gpu/hostile.sh does the same on a GPU. */
#include "tests/kernels/runner/talk.h"

#include "kernels/wire/message.h"
#include "tests/unit.h"

#define CHECK "{\"probe\":\"check\",\"runs\":[\"a\"],\"against\":\"r\"}"
#define FENCE "{\"probe\":\"check\",\"runs\":[\"a\"],\"against\":\"r\",\"fence\":true}"
enum { DEADLINE_MS = 1500, SLACK_MS = 10000 };

static bool is_printable(const char *text)
{
    for (; *text; text++)
        if (((unsigned char)*text < ' ' && *text != '\n' && *text != '\t') ||
            (unsigned char)*text == 0x7f || !strncmp(text, "\302\233", 2) ||
            !strncmp(text, "\342\200\256", 3))
            return false;
    return true;
}

static void expect_end(struct talk *t, const char *behaviour, const char *code)
{
    json_t *done = talk_wait(t, "done");
    assert_non_null(done);
    const char *is = talk_text(json_object_get(done, "error"), "code");
    if (strcmp(is, code) != 0)
        fail_msg("%s: ended with '%s', not with '%s'", behaviour, is, code);
    assert_true(strlen(talk_text(done, "log")) <= CAP_LOG_BYTES);
    assert_true(is_printable(talk_text(done, "log")));
    json_decref(done);
}

static bool notes_say(const json_t *part, const char *text)
{
    json_t *notes = json_object_get(part, "notes"), *note;
    size_t i;
    json_array_foreach(notes, i, note)
        if (!strcmp(json_string_value(note), text))
            return true;
    return false;
}

static void expect_works(struct talk *t, int id)
{
    talk_measure(t, id, "move", 20000, CHECK);
    json_t *part = talk_part(t, "a");
    assert_non_null(part);
    assert_true(notes_say(part, "verdict: right"));
    json_decref(part);
    expect_end(t, "move", "");
}

static void each_ends_as_an_error_of_its_own_request(void **state)
{
    static const struct { const char *how, *code; int deadline_ms;
    } cases[] = {
        {"endless", "timeout", DEADLINE_MS},
        {"shouts", "timeout", DEADLINE_MS},
        {"fault", "fault", 20000},
        {"prints", "", 20000},
    };
    struct talk t;
    talk_open(&t);
    expect_works(&t, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t from = os_monotonic_ms();
        talk_measure(&t, 10 + 2 * (int)i, cases[i].how, cases[i].deadline_ms, CHECK);
        expect_end(&t, cases[i].how, cases[i].code);
        assert_true(os_monotonic_ms() - from < cases[i].deadline_ms + SLACK_MS);
        expect_works(&t, 11 + 2 * (int)i);
    }
    assert_int_equal(talk_close(&t), 0);
}

static void what_is_wrong_is_called_wrong(void **state)
{
    static const struct { const char *how, *item;
    } cases[] = {
        {"canary", CHECK}, {"writes", CHECK}, {"stale", CHECK},  {"nothing", CHECK},
        {"off", CHECK},    {"tail", CHECK},   {"beyond", FENCE},
    };
    struct talk t;
    talk_open(&t);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        talk_measure(&t, 10 + 2 * (int)i, cases[i].how, 20000, cases[i].item);
        json_t *part = talk_part(&t, "a");
        assert_non_null(part);
        if (!notes_say(part, "verdict: wrong"))
            fail_msg("%s is not called wrong", cases[i].how);
        json_decref(part);
        expect_end(&t, cases[i].how, "");
        expect_works(&t, 11 + 2 * (int)i);
    }
    assert_int_equal(talk_close(&t), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_ends_as_an_error_of_its_own_request),
        cmocka_unit_test(what_is_wrong_is_called_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
