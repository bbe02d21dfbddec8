/* The client for commands, which have nothing else to do than wait. */
#include "scenarios/supply/client.h"

static int done_code(const struct msg_done *d, struct err *err)
{
    if (d->status == DONE_OK || d->status == DONE_PARTIAL)
        return 0;
    int code = d->code ? d->code : d->status == DONE_CANCELLED ? ERR_CANCELLED : ERR_INTERNAL;
    const char *text = d->text                       ? d->text
                       : d->status == DONE_CANCELLED ? "cancelled"
                                                     : "the runner gave no reason";
    return err_set(err, code, "%s%s%s%s%s%s%s", *d->where ? d->where : "", *d->where ? ": " : "",
                   *d->call ? d->call : "", *d->call ? ": " : "", text, d->remedy ? ". " : "",
                   d->remedy ? d->remedy : "");
}

static int wait_step(struct client *c, struct err *err)
{
    struct pollfd fds[3];
    if (!client_alive(c))
        return err_set(err, ERR_LOST, "%s", client_lost(c));
    int n = client_fds(c, fds, 3);
    poll(fds, (nfds_t)n, client_timeout_ms(c));
    client_step(c);
    return 0;
}

int client_wait_any(struct client *c, void (*on)(void *ctx, const struct client_event *e),
                    void *ctx, struct err *err)
{
    struct client_event e;
    bool any = false;
    int rc = 0;
    while (rc == 0 && client_event(c, &e)) {
        any = true;
        on(ctx, &e);
        if (e.kind == CLIENT_LOST && !client_alive(c)) /* else it was made anew since */
            rc = err_set(err, ERR_LOST, "%s", client_lost(c));
    }
    return any ? rc : wait_step(c, err);
}

int client_wait(struct client *c, int64_t id, void (*on)(void *ctx, const struct client_event *e),
                void *ctx, struct err *err)
{
    return client_wait_unless(c, id, on, NULL, ctx, NULL, err);
}

int client_wait_unless(struct client *c, int64_t id,
                       void (*on)(void *ctx, const struct client_event *e), bool (*stop)(void *ctx),
                       void *ctx, void *stop_ctx, struct err *err)
{
    for (;;) {
        if (stop && stop(stop_ctx))
            return err_set(err, ERR_CANCELLED, "stopped");
        struct client_event e;
        while (client_event(c, &e)) {
            if (on)
                on(ctx, &e);
            if (e.kind == CLIENT_LOST && id < e.id)
                return err_set(err, ERR_LOST, "%s", e.say);
            if (e.kind == CLIENT_DONE && e.id == id)
                return done_code(e.done, err);
        }
        int rc = wait_step(c, err);
        if (rc)
            return rc;
    }
}
