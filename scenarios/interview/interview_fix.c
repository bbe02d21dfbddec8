/* A fix is asked for, handed in and judged. */
#include "scenarios/interview/interview_fix.h"

#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/interview/interview_inside.h"
#include "scenarios/interview/session_mend.h"
#include "scenarios/mend/mend.h"

int interview_mending(struct interview *l, int part, bool over, struct err *err)
{
    return interview_append(l, &EVENT(SESSION_MENDING, .part = part, .flag = over), err);
}

int interview_tried(struct interview *l, const char *text, struct err *err)
{
    struct session_event e = EVENT(SESSION_TRIED, .part = session_mending(l->session));
    size_t n = strlen(text);
    if (e.part < 0)
        return err_set(err, ERR_BAD_REQUEST, "no fix is asked for");
    if (n > SESSION_TRY)
        return err_set(err, ERR_TOO_LARGE, "a text has at most %d KiB", SESSION_TRY / 1024);
    int rc = mend_text_check(SESSION_TRY_NAME, text, n, err);
    if (rc)
        return rc;
    e.text = text_dup(text);
    rc = interview_append(l, &e, err);
    session_event_free(&e);
    return rc;
}

int interview_helped(struct interview *l, int step, struct err *err)
{
    int part = session_mending(l->session);
    if (part < 0)
        return err_set(err, ERR_BAD_REQUEST, "no fix is asked for");
    return interview_append(l, &EVENT(SESSION_HELPED, .part = part, .number = step), err);
}

int interview_judged(struct interview *l, const struct mend_verdict *verdict, struct err *err)
{
    struct session_event e = EVENT(SESSION_JUDGED);
    if (!session_try_open(l->session, &e.part, &e.number))
        return err_set(err, ERR_BAD_REQUEST, "no text waits for its verdict");
    e.verdict = mend_encode(verdict);
    if (!e.verdict) /* JSON has no word for what is no number */
        e.verdict = mend_encode(&(struct mend_verdict){.is = MEND_NOT_JUDGED,
                                                       .why = "A figure of it is no number."});
    int rc = interview_append(l, &e, err);
    session_event_free(&e);
    return rc;
}
