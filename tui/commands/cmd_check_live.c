#include "tui/commands/cmd_check_live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/text.h"

struct interview_session {
    struct client *client;
    struct msg_device device;
    struct batch *batch;      /* of the pack that is checked */
    bool tty, lost;
};

static void say(void *ctx, const char *text)
{
    const struct interview_session *s = ctx;
    if (s->tty)
        fprintf(stderr, "\r\033[K%.78s", text);
    else
        fprintf(stderr, "%s\n", text);
    fflush(stderr);
}

static void end_line(const struct interview_session *s)
{
    if (s->tty)
        fputs("\r\033[K", stderr);
}

static int open_session(struct interview_session **out, const struct cmd *c)
{
    struct err err = {0};
    struct interview_session *s = mem_new(1, sizeof *s);
    s->tty = isatty(STDERR_FILENO);
    if (cmd_connect(&s->client, &s->device, c, "measure", &err)) {
        free(s);
        return cmd_fail(&err);
    }
    *out = s;
    return CMD_OK;
}

void live_session_free(struct interview_session *s)
{
    if (!s)
        return;
    client_free(s->client);
    msg_device_free(&s->device);
    free(s);
}

bool live_session_lost(const struct interview_session *s)
{
    return s && s->lost;
}

static void check_one(struct interview_session *s, const struct variant *v, struct findings *f,
                      struct lived_list *out)
{
    struct err err = {0};
    out->all = mem_grow(out->all, (size_t)out->n + 1, sizeof *out->all);
    struct lived *l = &out->all[out->n++];
    int rc = check_live(f, s->batch, &s->device, v, l, &err);
    end_line(s);
    fprintf(stderr,
            "%s: %.0f s: everything bought %.0f s, is the fix right %.0f s, is the comparison %.0f "
            "s",
            v->full_id, l->bought_s + l->sizes_s + l->spoilt_s, l->bought_s, l->sizes_s,
            l->spoilt_s);
    if (l->not_again)
        fprintf(stderr,
                "; not tried again, since it did not end when it was recorded on this GPU: %d "
                "run%s of compute-sanitizer",
                l->not_again, l->not_again == 1 ? "" : "s");
    fputc('\n', stderr);
    if (rc)
        cmd_fail(&err);
    s->lost = rc != 0;
}

int cmd_check_live(struct interview_session **session, const struct cmd *c, const struct pack *p,
                   check_wanted *wanted, void *ctx, struct findings *f, struct lived_list *out)
{
    int status = cmd_trust(c, p);
    if (status == CMD_OK && !*session)
        status = open_session(session, c);
    if (status != CMD_OK)
        return status;
    struct interview_session *s = *session;
    s->batch = batch_new(s->client, &s->device, say, s);
    for (int i = 0; i < p->n_stories; i++)
        for (int k = 0; k < p->stories[i].n_variants && !s->lost; k++) {
            const struct variant *v = p->stories[i].variants[k];
            if (wanted(ctx, v) && !story_is_case(v->story) && variant_needs_answer(v, NULL) == 0)
                check_one(s, v, f, out);
        }
    batch_free(s->batch);
    s->batch = NULL;
    return CMD_OK;
}

void lived_print(const struct lived_list *list)
{
    for (int i = 0; i < list->n; i++) {
        const struct lived *l = &list->all[i];
        printf("%s  %s live  ", l->scenario, l->gpu);
        if (l->timed)
            printf("effect %.3g (%.3g to %.3g)", l->ratio, l->low, l->high);
        else
            printf(l->fails ? "no effect, since it fails" : "effect not timed");
        printf(", sizes right %d/%d, spoilt results refused %d/%d, readings %d of %d\n",
               l->sizes_right, l->sizes, l->refused, l->spoilt, l->held, l->readings);
    }
}

json_t *lived_list_encode(const struct lived_list *list)
{
    json_t *all = json_array();
    for (int i = 0; i < list->n; i++)
        json_array_append_new(all, lived_encode(&list->all[i]));
    return all;
}
