/* `warpdrill mend ID --sanitize`: the file under compute-sanitizer, once. */
#include "tui/commands/cmd_mend.h"

#include <stdio.h>
#include <stdlib.h>

#include "scenarios/mend/mend_sanitize.h"

static void on_event(void *ctx, const struct client_event *e)
{
    mend_sanitizer_event(ctx, e);
}

static json_t *encode(const struct mend_sanitizer *s)
{
    const struct mend_tool *t = mend_sanitizer_tools(s);
    json_t *out = json_object();
    for (int i = 0; i < MEND_TOOLS; i++)
        if (t[i].told)
            json_object_set_new(out, t[i].name,
                                json_pack("{s:o, s:s}", "found",
                                          t[i].there ? json_integer(t[i].found) : json_null(),
                                          "line", t[i].line));
    return out;
}

static void print(const struct mending *m, const struct mend_sanitizer *s)
{
    const struct mend_tool *t = mend_sanitizer_tools(s);
    char line[400];
    if (m->c->json) {
        mend_print_json(json_pack("{s:s, s:b, s:o, s:s}", "scenario", m->v->full_id, "clean",
                                  mend_sanitizer_clean(s), "tools", encode(s), "why",
                                  mend_sanitizer_why(s)));
        return;
    }
    for (int i = 0; i < MEND_TOOLS; i++)
        if (t[i].told) {
            mend_tool_words(line, sizeof line, &t[i]);
            puts(line);
        }
    if (*mend_sanitizer_why(s))
        printf("not all of it: %s\n", mend_sanitizer_why(s));
}

int mend_sanitize(struct mending *m)
{
    struct err err = {0};
    char *text = NULL;
    if (mend_read(&text, &m->place, &err))
        return cmd_fail(&err);
    if (!m->c->json)
        fputs("under compute-sanitizer, which takes its time ...\n", stderr);
    struct mend_sanitizer *s =
        mend_sanitizer_new(m->v, &m->device, m->client, m->place.name, text);
    free(text);
    int rc = 0;
    while (rc == 0 && !mend_sanitizer_over(s))
        rc = client_wait_any(m->client, on_event, s, &err);
    print(m, s);
    bool clean = mend_sanitizer_clean(s);
    mend_sanitizer_free(s);
    return clean ? CMD_OK : CMD_FAILED;
}
