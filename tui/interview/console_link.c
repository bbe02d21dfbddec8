/* The candidate's side of the console: the guest's screens, keys that come in, pictures that go
 * out. */
#include "tui/interview/console_link.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "scenarios/interview/interview_moves.h"
#include "scenarios/interview/interview_verbs.h"
#include "scenarios/interview/session_code.h"
#include "scenarios/interview/authorized_key.h"
#include "tui/app/guest.h"
#include "tui/interview/console_clock.h"

/* ---- the server ---- */

static int admit(void *self, const char *code, bool *observer, struct err *err)
{
    const struct console *c = self;
    const struct session *s = interview_session(c->live);
    bool candidate = session_code_matches(code, s->secret_sha256);
    *observer = !candidate && session_code_matches(code, s->observer_sha256);
    if (!candidate && !*observer)
        return err_set(err, ERR_PERMISSION,
                       "This code does not let anybody in: compare it with what the interviewer "
                       "told you.");
    if (s->expires_ms > 0 && interview_now(c->live) > s->expires_ms)
        return err_set(err, ERR_TIMEOUT,
                       "This code has expired: ask the interviewer for a new one.");
    return 0;
}

static int guest_user(const char *name, uid_t *uid, struct err *err)
{
    const struct passwd *p = getpwnam(name);
    if (!p)
        return err_set(err, ERR_MISSING, "there is no user %s here", name);
    *uid = p->pw_uid;
    return 0;
}

const char *console_guest(const struct console *c)
{
    const struct session *s = interview_session(c->live);
    return c->options.guest ? c->options.guest : s->guest[0] ? s->guest : NULL;
}

int link_open(struct console *c, struct err *err)
{
    const struct session *s = interview_session(c->live);
    struct server_rules rules = { .code_id = s->code_id, .allow_unconfined = c->options.no_wall };
    c->n_unheard = 0;
    c->veiled_s = 0;
    const char *guest = console_guest(c);
    if (guest && guest_user(guest, &rules.guest, err) != 0)
        return err->code;
    rules.has_guest = guest != NULL;
    int rc = session_server_open(&c->server, &rules, admit, c, err);
    if (rc)
        c->server = NULL;
    return rc;
}

void link_close(struct console *c, const char *say)
{
    const struct session *s = interview_session(c->live);
    struct err err;
    json_t *last = c->server && s->phase == SESSION_OVER ? canvas_encode(c->sent, NULL) : NULL;
    for (int k = 0; c->server && k < s->n_parties; k++)
        if (s->parties[k].here)
            session_server_dismiss(c->server, s->parties[k].uid, say, last);
    json_decref(last);
    for (int k = 0; c->server && k < s->n_parties && s->phase != SESSION_OVER; k++)
        if (s->parties[k].here)
            interview_left(c->live, s->parties[k].uid, "sent away", &err);
    session_server_free(c->server);
    c->server = NULL;
    c->scribe_of[0] = '\0';
}

void link_reopen(struct console *c)
{
    struct err err;
    link_close(c, "There is a new code: ask the interviewer for it.");
    c->trouble[0] = '\0';
    if (link_open(c, &err) != 0)
        snprintf(c->trouble, sizeof c->trouble, "Nobody can join: %.290s", err.text);
    c->sent_refused = !c->refused;           /* the picture is sent again */
}

/* ---- what came in ---- */

static void unheard_add(struct console *c, const char *party, long n)
{
    int k = 0;
    while (k < c->n_unheard && strcmp(c->unheard[k], party) != 0)
        k++;
    if (k == PARTIES_MOST)
        return;
    if (k == c->n_unheard)
        snprintf(c->unheard[c->n_unheard++], sizeof c->unheard[0], "%s", party);
    c->unheard_n[k] = n;
}

static void take_joined(struct console *c, const struct server_event *e)
{
    struct session_party party = { .here = true };
    struct err err;
    snprintf(party.uid, sizeof party.uid, "%s", e->party);
    snprintf(party.role, sizeof party.role, "%s", e->observer ? "observer" : "candidate");
    snprintf(party.name, sizeof party.name, "%s", e->name);
    snprintf(party.wall, sizeof party.wall, "%s", wall_name(e->wall));
    if (interview_joined(c->live, &party, &err) != 0)
        app_say(c->app, "%s", err.text);
    if (e->observer)
        return;
    c->alone = false;
    app_guest_hush(c->guest);
    c->notice[0] = '\0';
    snprintf(c->scribe_of, sizeof c->scribe_of, "%s", e->party);
    if (e->rows > 0)
        app_guest_resize(c->guest, e->rows, e->columns);
}

static void take_left(struct console *c, const struct server_event *e)
{
    struct err err;
    if (interview_left(c->live, e->party, e->say, &err) != 0)
        app_say(c->app, "%s", err.text);
    if (strcmp(c->scribe_of, e->party) == 0)
        c->scribe_of[0] = '\0';
}

static void take_key(struct console *c, const struct server_event *e)
{
    if (e->observer)
        return;
    interview_scribe(c->live, false);
    app_guest_key(c->guest, e->key);
    unheard_add(c, e->party, e->n);
    if (!app_guest_wants_out(c->guest))
        return;
    link_settle(c);
    session_server_dismiss(c->server, e->party,
                           interview_session(c->live)->phase == SESSION_OVER
                               ? CONSOLE_BYE
                               : "You have left; everything is kept. The same code lets you in "
                                 "again.",
                           NULL);
}

/* What they were told is written for them. */
static void take_refused(struct console *c, const struct server_event *e)
{
    if (!strcmp(e->reason, "code"))
        app_say(c->app, "Somebody was not let in: their code is wrong or too old; c shows it.");
    else if (!strcmp(e->reason, "taken"))
        app_say(c->app, "Somebody was not let in: the candidate is here, and is not called %s.",
                e->name);
    else
        app_say(c->app, "Somebody was not let in: %s", e->say);
}

static void take(struct console *c, const struct server_event *e)
{
    switch (e->kind) {
    case SERVER_JOINED: take_joined(c, e); break;
    case SERVER_LEFT: take_left(c, e); break;
    case SERVER_KEY: take_key(c, e); break;
    case SERVER_SIZE:
        if (strcmp(c->scribe_of, e->party) == 0)
            app_guest_resize(c->guest, e->rows, e->columns);
        break;
    case SERVER_REFUSED: take_refused(c, e); break;
    }
}

bool link_take(struct console *c)
{
    struct server_event e;
    bool any = false;
    if (!c->server)
        return false;
    session_server_step(c->server);
    while (session_server_event(c->server, &e)) {
        take(c, &e);
        any = true;
    }
    return any;
}

/* ---- storing and showing ---- */

/* What the system says stands last in the store's sentence, behind the file's name, for which a row
 * has no room. */
static const char *reason_of(const char *text)
{
    const char *reason = text;
    for (const char *at = text; (at = strstr(at, ": ")); at += 2)
        reason = at + 2;
    return reason;
}

void link_settle(struct console *c)
{
    struct err err = { 0 };
    if (interview_settle(c->live, &err) != 0) {
        c->refused = true;
        snprintf(c->trouble, sizeof c->trouble, "NOT STORED, tried again every second: %.200s",
                 reason_of(err.text));
        return;
    }
    if (c->refused) {
        c->trouble[0] = '\0';
        app_say(c->app, "Everything is stored again.");
        app_guest_refresh(c->guest);
    }
    c->refused = false;
    for (int k = 0; c->server && k < c->n_unheard; k++)
        session_server_heard(c->server, c->unheard[k], c->unheard_n[k]);
    c->n_unheard = 0;
}

/* With a sentence of ours on the row above the keys; NULL: as it is. */
static json_t *picture_of(const struct canvas *picture, const char *say)
{
    if (!say)
        return canvas_encode(picture, NULL);
    struct canvas *copy = canvas_new(1, 1);
    canvas_copy(copy, picture);
    int rows = canvas_rows(copy), columns = canvas_columns(copy), y = rows > 1 ? rows - 2 : 0;
    draw_onto(copy);
    draw_textf(y, 0, columns, STYLE_PLAIN, "%*s", columns, "");
    draw_text(y, 1, columns - 2, STYLE_BAD, say);
    draw_onto(NULL);
    json_t *whole = canvas_encode(copy, NULL);
    canvas_free(copy);
    return whole;
}

static void send_picture(struct console *c, const char *say)
{
    json_t *whole = picture_of(c->sent, say);
    session_server_show(c->server, whole);
    json_decref(whole);
}

/* Observers see in quiet time that it is quiet, and how long yet. */
static void veil(struct console *c)
{
    int64_t left = console_quiet_second(c);
    int rows = canvas_rows(c->sent), columns = canvas_columns(c->sent);
    if (!c->server || left == c->veiled_s)
        return;
    c->veiled_s = left;
    if (left == 0) {
        session_server_veil(c->server, NULL);
        return;
    }
    struct canvas *page = canvas_new(rows, columns);
    draw_onto(page);
    console_quiet_draw(c, (struct rect){ 0, 0, rows, columns }, true);
    draw_onto(NULL);
    json_t *whole = canvas_encode(page, NULL);
    session_server_veil(c->server, whole);
    json_decref(whole);
    canvas_free(page);
}

void link_show(struct console *c)
{
    bool changed;
    veil(c);
    const struct canvas *picture = app_guest_picture(c->guest, &changed);
    if (canvas_equal(picture, c->sent) && c->refused == c->sent_refused)
        return;
    canvas_copy(c->sent, picture);
    c->sent_refused = c->refused;
    if (c->server)
        send_picture(c, c->refused ? "The interviewer's disk is full: what you do now is kept once "
                                     "it works again."
                                   : NULL);
}

void link_leave(struct console *c)
{
    if (c->server)
        send_picture(c,
                     "The interviewer has left and may come back; it goes on from here by itself.");
    session_server_vanish(c->server);
    c->server = NULL;
}

/* Where nobody's terminal says otherwise the guest has the usual size; under the scribe's hands the
 * size that can be seen. */
void link_size(struct console *c)
{
    int rows = GUEST_ROWS, columns = GUEST_COLUMNS;
    if (c->scribe_of[0])
        return;
    if (c->mode == CONSOLE_SCRIBE || c->mode == CONSOLE_THEIRS) {
        rows = app_rows(c->app) - 1;
        columns = app_columns(c->app);
    }
    if (canvas_rows(c->sent) != rows || canvas_columns(c->sent) != columns)
        app_guest_resize(c->guest, rows, columns);
}

void link_key(struct console *c, int key)
{
    interview_scribe(c->live, true);
    app_guest_key(c->guest, key);
    if (app_guest_wants_out(c->guest))
        app_say(c->app, "That key would leave; Ctrl-] comes back to the console.");
}

/* ---- how to join ---- */

void link_join_line(const struct console *c, char *out, size_t size)
{
    snprintf(out, size, "warpdrill join %s", c->has_codes ? c->codes.candidate : "CODE");
}

char *link_authorized(const struct console *c)
{
    struct err err = { 0 };
    char *program = os_program_path(), *line = NULL;
    if (!c->has_codes)
        line = text_dup("The code is not kept here; Enter makes new ones.");
    else if (authorized_key_line(&line, program ? program : "/usr/bin/warpdrill",
                                 c->codes.candidate, c->options.key, &err) != 0)
        line = text_dup(err.text);
    free(program);
    return line;
}
