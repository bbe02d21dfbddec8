/* The fix in a report: every try with its text and its verdict, hostile texts among them, for the
 * interviewer, the candidate, and without the key. */
#include <math.h>

#include "kernels/wire/text.h"
#include "scenarios/interview/interview_fix.h"
#include "scenarios/interview/interview_life.h"
#include "tests/scenarios/report/reported_interview.h"

#define TEXT "// </pre><script>alert(1)</script>\n// ```\n__global__ void f(int *x)\n{\n    *x = 1;\n}\n"

static void has(const char *text, const char *what, bool there)
{
    if ((strstr(text, what) != NULL) != there)
        fail_msg("\"%s\" is %s:\n%s", what, there ? "not in" : "in", text);
}

static void done(struct interview *l)
{
    char *id = text_dup(interview_id(l));
    interview_free(l);
    DO(interview_delete(id, &err));
    free(id);
}

static struct mend_verdict verdict(enum mend_is is, const char *why, double seconds)
{
    struct mend_verdict v = {.is = is, .checks = 10, .n_metrics = 1, .gpu = "Fake GPU"};
    snprintf(v.why, sizeof v.why, "%s", why);
    snprintf(v.metric[0].name, sizeof v.metric[0].name, "registers");
    v.metric[0].present = true;
    v.metric[0].value = seconds * 1e6;
    v.time[MEND_MINE] = v.time[MEND_SUSPECT] = (struct mend_time){true, seconds, seconds, seconds};
    v.time[MEND_SUSPECT].value = 8e-6;
    v.has_share = is == MEND_RIGHT;
    v.share = 0.5;
    return v;
}

/* Three tries: refused, right, and one that the end of the interview overtook. */
static struct interview *mended(void)
{
    struct interview *l = held(false);
    struct err why = {0};
    assert_true(interview_mending(l, 1, false, &why) != 0);
    assert_true(interview_tried(l, TEXT, &why) != 0);
    DO(interview_revealed(l, interview_session(l)->part, &err));
    DO(interview_mending(l, 1, false, &err));
    struct mend_verdict no = verdict(MEND_REFUSED, "mine.cu(3): error \x1b[2J<b>", 40e-6);
    struct mend_verdict yes = verdict(MEND_RIGHT, "", 64e-6);
    no.reason = MEND_COMPILE;
    DO(interview_tried(l, TEXT, &err));
    DO(interview_judged(l, &no, &err));
    DO(interview_tried(l, "__global__ void g() {}\n", &err));
    DO(interview_judged(l, &yes, &err));
    DO(interview_tried(l, "__global__ void h() {}\n", &err));
    DO(interview_close(l, &err));
    return l;
}

static void every_form_has_the_tries(void **state)
{
    struct interview *l = mended();
    for (int candidate = 0; candidate < 2; candidate++) {
        char *md = written(l, candidate, REPORT_MARKDOWN);
        has(md, "#### The fix", true);
        has(md, "    // </pre><script>alert(1)</script>\n    // ```\n    __global__ void f", true);
        has(md, "\n// ```", false);
        has(md, "right, 0.125 times as fast as the suspect, 50 % of the gap closed", true);
        has(md, "64.0 \xc2\xb5s", true);
        has(md, "not judged before the end", true);
        has(md, "| Fake GPU |", true);
        has(md, "since try 1", true);
        has(md, "40 -\\> 64", true);
        has(md, "\x1b", false);
        free(md);
        char *html = written(l, candidate, REPORT_HTML);
        has(html, "<pre>// &lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;", true);
        has(html, "<script", false);
        has(html, "error ?[2J&lt;b&gt;", true);
        free(html);
        char *csv = written(l, candidate, REPORT_CSV);
        has(csv, "try 2,", true);
        has(csv, ",0.5,1\r\n", true);
        free(csv);
    }
    done(l);
}

static void a_copy_without_the_key_has_no_text_of_it(void **state)
{
    struct interview *l = mended();
    json_t *report = report_make(l, true);
    report_without_answers(report);
    char *md = report_write(report, REPORT_MARKDOWN);
    has(md, "refused: compile", true);
    has(md, "__global__", false);
    has(md, "mine.cu(3)", false);
    json_decref(report);
    free(md);
    done(l);
}

/* What no source may hold is refused before it is written; so is what is out of turn. */
static void bad_texts_never_reach_the_log(void **state)
{
    struct interview *l = held(false);
    struct err why = {0};
    char *huge = mem_new(SESSION_TRY + 2, 1);
    memset(huge, ' ', SESSION_TRY + 1);
    memcpy(huge, "int x;", 6);
    DO(interview_revealed(l, interview_session(l)->part, &err));
    DO(interview_mending(l, 1, false, &err));
    static const char *const bad[] = {"", " \n", "int \x1b[2J;", "int \xff;",
                                      "#include \"/etc/passwd\"\nint x;"};
    int events = interview_session(l)->events;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_true(interview_tried(l, bad[k], &why) != 0);
    assert_int_equal(interview_tried(l, huge, &why), ERR_TOO_LARGE);
    struct mend_verdict yes = verdict(MEND_RIGHT, "", 64e-6);
    assert_true(interview_judged(l, &yes, &why) != 0);
    assert_int_equal(interview_session(l)->events, events);
    DO(interview_tried(l, "int x;", &err));
    yes.error = NAN;                             /* JSON has no word for it */
    DO(interview_judged(l, &yes, &err));
    assert_int_equal(interview_session(l)->parts[1].tries[0].verdict->is, MEND_NOT_JUDGED);
    free(huge);
    done(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_has_the_tries),
        cmocka_unit_test(a_copy_without_the_key_has_no_text_of_it),
        cmocka_unit_test(bad_texts_never_reach_the_log),
    };
    return cmocka_run_group_tests_name("session_report_fix", tests, begin_all, interviews_end);
}
