#include "tui/play/hooks.h"

struct interviewed hook_open(const struct play_hooks *hooks, struct app *app)
{
    return (struct interviewed){ hooks, hooks ? hooks->open(app) : NULL };
}

void hook_close(struct interviewed *in)
{
    if (in->hooks)
        in->hooks->close(in->part);
    *in = (struct interviewed){ 0 };
}

int hook_spoken(const struct interviewed *in, const struct spoken **out)
{
    *out = NULL;
    return in->hooks ? in->hooks->spoken(in->part, out) : 0;
}

const char *hook_withheld(const struct interviewed *in, const char *probe)
{
    return in->hooks ? in->hooks->withheld(in->part, probe) : NULL;
}

bool hook_revealed(const struct interviewed *in)
{
    return !in->hooks || in->hooks->revealed(in->part);
}

bool hook_scores_open(const struct interviewed *in)
{
    return !in->hooks || in->hooks->scores_open(in->part);
}

void hook_moved(const struct interviewed *in)
{
    if (in->hooks)
        in->hooks->moved(in->part);
}

void hook_fault(const struct interviewed *in, const char *what, const char *why)
{
    if (in->hooks)
        in->hooks->fault(in->part, what, why);
}

int hook_hand(const struct interviewed *in, const char *probe, struct evidence *e, struct err *err)
{
    if (in->hooks)
        return in->hooks->hand(in->part, probe, e, err);
    evidence_free(e);
    return err_set(err, ERR_BAD_REQUEST, "nobody hands out %s", probe);
}

void hook_look(const struct interviewed *in, struct app *app, struct investigation_screen *s)
{
    if (in->hooks)
        in->hooks->look(in->part, app, s);
}

void hook_clock(const struct interviewed *in, char *out, size_t size)
{
    out[0] = '\0';
    if (in->hooks)
        in->hooks->clock(in->part, out, size);
}

void hook_news(const struct interviewed *in, char *out, size_t size, int64_t key_ms)
{
    out[0] = '\0';
    if (in->hooks)
        in->hooks->news(in->part, out, size, key_ms);
}

void hook_say_news(const struct interviewed *in)
{
    if (in->hooks)
        in->hooks->say_news(in->part);
}
