#include "scenarios/mend/mend_sanitize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/mend/mend_state.h"

enum { SEED = 7 };

struct mend_sanitizer {
    struct client *client;
    char *name, *text;
    struct mend_launches launches;
    struct msg_measure request;
    int64_t id; /* 0: over */
    struct mend_tool tool[MEND_TOOLS];
    char why[1200];
};

static void end(struct mend_sanitizer *s, const char *why)
{
    s->id = 0;
    if (why)
        snprintf(s->why, sizeof s->why, "%.1199s", why);
}

static void begin(struct mend_sanitizer *s, const struct mend_task *task, struct err *err)
{
    int rc = mend_launches_read(&s->launches, task->v, s->name, s->text, err);
    if (rc == 0)
        rc = mend_state_check(s->name, s->text, err);
    if (rc == 0)
        rc = mend_request(&s->request, task, MEND_SANITIZE, SEED, err);
    if (rc == 0)
        s->id = client_measure(s->client, &s->request, err);
    for (int i = 0; rc == 0 && i < MEND_TOOLS; i++)
        s->tool[i].name = s->request.items[i].tool;
    if (rc || s->id <= 0)
        end(s, err->text);
}

struct mend_sanitizer *mend_sanitizer_new(const struct variant *v, const struct msg_device *device,
                                          struct client *client, const char *name, const char *text)
{
    struct mend_sanitizer *s = mem_new(1, sizeof *s);
    struct err err = {0};
    *s = (struct mend_sanitizer){.client = client, .name = text_dup(name),
                                 .text = text_dup(text)};
    for (int i = 0; i < MEND_TOOLS; i++)
        s->tool[i].name = "";
    begin(s, &(struct mend_task){v, device, s->name, s->text, &s->launches}, &err);
    return s;
}

void mend_sanitizer_free(struct mend_sanitizer *s)
{
    if (!s)
        return;
    if (s->id)
        client_cancel(s->client, s->id);
    msg_measure_free(&s->request);
    mend_launches_free(&s->launches);
    free(s->name);
    free(s->text);
    free(s);
}

/* ---- what comes ---- */

static void take_part(struct mend_sanitizer *s, const struct msg_part *p)
{
    struct mend_tool *t = p->item >= 0 && p->item < MEND_TOOLS ? &s->tool[p->item] : NULL;
    if (!t || p->probe != PROBE_SANITIZE || p->n_metrics < 1)
        return;
    const struct msg_value *v = &p->metrics[0];
    t->told = true;
    t->there = v->present;
    t->found = v->present ? (int)v->value : 0;
    if (!v->present)
        snprintf(t->line, sizeof t->line, "%s", v->missing ? v->missing : "");
    else if (p->n_lines)
        snprintf(t->line, sizeof t->line, "%s", p->lines[0]);
}

static void take_done(struct mend_sanitizer *s, const struct msg_done *d)
{
    bool told = true;
    for (int i = 0; i < MEND_TOOLS; i++)
        told = told && s->tool[i].told;
    end(s, told ? NULL : d->text ? d->text : "the runner gave no reason");
}

bool mend_sanitizer_event(struct mend_sanitizer *s, const struct client_event *e)
{
    if (!s || !s->id || (e->id != s->id && e->kind != CLIENT_LOST))
        return false;
    switch (e->kind) {
    case CLIENT_PART: take_part(s, e->part); break;
    case CLIENT_DONE: take_done(s, e->done); break;
    case CLIENT_LOST: end(s, e->say); break;
    default: return false;
    }
    return true;
}

/* ---- what is known ---- */

bool mend_sanitizer_over(const struct mend_sanitizer *s)
{
    return s->id == 0;
}

const struct mend_tool *mend_sanitizer_tools(const struct mend_sanitizer *s)
{
    return s->tool;
}

const char *mend_sanitizer_why(const struct mend_sanitizer *s)
{
    return s->why;
}

bool mend_sanitizer_clean(const struct mend_sanitizer *s)
{
    for (int i = 0; i < MEND_TOOLS; i++)
        if (!s->tool[i].there || s->tool[i].found)
            return false;
    return !*s->why;
}

void mend_tool_words(char *out, size_t size, const struct mend_tool *t)
{
    if (!t->told)
        snprintf(out, size, "%s: ...", t->name);
    else if (!t->there)
        snprintf(out, size, "%s: no figure; %s", t->name, t->line);
    else if (!t->found)
        snprintf(out, size, "%s: nothing found", t->name);
    else
        snprintf(out, size, "%s: %d found; %s", t->name, t->found, t->line);
}
