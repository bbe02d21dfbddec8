#include "tui/interview/fix_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/interview/interview_fix.h"
#include "scenarios/interview/session_mend.h"
#include "scenarios/mend/mend.h"
#include "scenarios/mend/mend_hint.h"
#include "scenarios/mend/mend_launches.h"
#include "scenarios/text/diff.h"
#include "scenarios/text/files.h"
#include "tui/app/app_runner.h"
#include "tui/app/guest.h"
#include "tui/interview/candidate_draw.h"
#include "tui/kit/editor.h"
#include "tui/mend/mend_show.h"

_Static_assert((int)EDITOR_BYTES <= (int)SESSION_TRY, "what fits in the field can be handed in");

struct fix {
    int part, said;        /* said: lines of the interviewer that were told */
    const struct variant *v;
    bool types;
    int at, known;         /* the try that is shown, from 0; how many there were */
    char progress[200];
    char *hint;            /* the step of help that is shown; NULL: none */
    bool comparing;        /* the try that is shown beside the one before it */
    struct mend_place draft; /* what is typed and not handed in, beside the log */
    int64_t draft_ms;      /* when it is written; 0: it is */
    struct editor editor;
};

enum { WHY = 12 /* rows */, DRAFT_MS = 300 /* after the last key */, NEAR = 2 /* lines */ };

static const struct session_state *state_of(const struct app *guest, const struct fix *f)
{
    return &candidate_session(guest)->parts[f->part];
}

/* ---- keys in words ---- */

static const struct binding verdict_rows[] = {
    {ACT_ENTER, "Enter w", "write", "on with your text, at the line that the verdict names"},
    {ACT_HINT, "h", "help", "the next step of help, which is noted: cause, line, remedy, lines"},
    {ACT_LINES, "d", "diff", "what the try that is shown changed in the one before it, and back"},
    {ACT_UP, "Up k", "Down other tries", "the try before"},
    {ACT_DOWN, "Down j", NULL, "the next try"},
    {ACT_BACK, "Esc", NULL, NULL},
};
static const struct binding typing_rows[] = {
    {ACT_NONE, "Tab", "hand in", "hands in the text as it stands; the host judges it"},
    {ACT_NONE, "Esc", "verdicts", "what came of the tries; what is typed stays"},
};
static const char *const how[] = {
    "The interviewer asks for the fix. Your text takes the suspect's place: the host compiles it, "
    "compares what comes out, at this size and others, with poisoned memory and moved buffers, and "
    "times it by turns with suspect, fix and best.",
    "Every text that you hand in is kept with its verdict. Lines of the leading comment change how "
    "it is launched.",
    NULL,
};
static const struct key_list verdict_keys = {KEY_ROWS(verdict_rows), .how = how};
static const struct key_list typing_keys = {KEY_ROWS(typing_rows), .how = how, .words = true,
                                            .only_listed = true};

static const struct key_list *keys_here(struct app *guest, const void *self)
{
    (void)guest;
    return ((const struct fix *)self)->types ? &typing_keys : &verdict_keys;
}

/* ---- drawing ---- */

static struct rect text_rect(const struct app *guest)
{
    return (struct rect){3, 2, app_rows(guest) - 6, app_columns(guest) - 4};
}

static int line_of(const struct editor *e)
{
    int line = 1;
    for (size_t i = 0; i < e->buffer.at; i++)
        line += e->buffer.bytes[i] == '\n';
    return line;
}

static void typing_draw(const struct app *guest, const struct fix *f, struct rect r)
{
    char right[80];
    snprintf(right, sizeof right, "line %d   %d of %d handed in", line_of(&f->editor),
             state_of(guest, f)->n_tries, SESSION_TRIES);
    draw_rule(r.y, 0, r.w, "YOUR TEXT, " SESSION_TRY_NAME, right);
    editor_draw(&f->editor, text_rect(guest), STYLE_PLAIN);
}

static void moved_draw(const struct session_state *p, int at, int y, int w, int end)
{
    struct mend_moved moved[MEND_MOVED_MOST];
    int since, n = session_try_moved(moved, p, at, &since);
    if (n && y + 2 < end)
        mend_show_moved(moved, n, -1, since, NULL, y, w, end);
}

static void diff_draw(const struct session_state *p, int at, struct rect r)
{
    char *from = mend_listing(p->tries[at - 1].text), *to = mend_listing(p->tries[at].text);
    struct diff d = {0};
    int y = r.y;
    diff_make(&d, from, to);
    for (int i = 0; i < d.n && y < r.y + r.h; i++)
        if (diff_near(&d, i, NEAR))
            draw_textf(y++, 2, r.w - 4,
                       d.line[i].kind == DIFF_IN    ? STYLE_GOOD
                       : d.line[i].kind == DIFF_OUT ? STYLE_BAD
                                                    : STYLE_PLAIN,
                       "%c %.*s", " -+"[d.line[i].kind], (int)d.line[i].len, d.line[i].text);
    if (!d.in && !d.out)
        draw_text(y, 2, r.w - 4, STYLE_DIM, "The same code.");
    diff_free(&d);
    free(from);
    free(to);
}

/* Returns the row below. */
static int hint_draw(const struct fix *f, int y, int w, int end)
{
    if (!f->hint || y + 1 >= end)
        return y;
    draw_rule(y, 0, w, "HELP", NULL);
    return y + 1 + draw_wrapped((struct rect){y + 1, 2, end - y - 1, w - 4}, 0, STYLE_PLAIN,
                                f->hint);
}

static void verdict_draw(const struct app *guest, const struct fix *f, struct rect r)
{
    const struct session_state *p = state_of(guest, f);
    const struct session_try *t = p->n_tries ? &p->tries[f->at] : NULL;
    char title[48], line[240], where[120] = "";
    if (t && t->verdict)
        mend_show_where(where, sizeof where, t->verdict);
    snprintf(title, sizeof title, t ? "TRY %d OF %d" : "NOTHING HANDED IN YET", f->at + 1,
             p->n_tries);
    draw_rule(r.y, 0, r.w, title, where);
    int y = r.y + 1, end = r.y + r.h;
    y = hint_draw(f, y, r.w, end);
    if (f->comparing && f->at > 0) {
        diff_draw(p, f->at, (struct rect){y, r.x, end - y, r.w});
    } else if (!t) {
        draw_text(y, 2, r.w - 4, STYLE_DIM, "Enter goes on with your text; Tab there hands it in.");
    } else if (!t->verdict) {
        draw_text(y, 2, r.w - 4, STYLE_ACCENT,
                  *f->progress ? f->progress : "It is kept, and waits for its verdict.");
    } else {
        mend_headline(line, sizeof line, t->verdict);
        y = mend_show_words(t->verdict, line, y, r.w, WHY);
        y = mend_show_bars(t->verdict, y, r.w);
        moved_draw(p, f->at, y + 1, r.w, end);
    }
}

static void draw(struct app *guest, const void *self)
{
    const struct fix *f = self;
    char keys[160];
    key_line(keys, sizeof keys, keys_here(guest, self), app_columns(guest) - 2);
    struct rect r = candidate_frame(guest, candidate_session(guest)->plan.parts[f->part].title,
                                    keys);
    if (f->types)
        typing_draw(guest, f, r);
    else
        verdict_draw(guest, f, r);
}

/* ---- keys ---- */

static void say_error(struct app *guest, const struct err *err)
{
    app_say(guest, "Not handed in: %.*s", (int)strcspn(err->text, "\n"), err->text);
}

static void type_on(struct app *guest, struct fix *f, bool on)
{
    f->types = on;
    app_text_input(guest, on);
}

/* To the line that this says of our text, "mine.cu(3): ..." or "mine.cu:3:1: ...", if it does. */
static void go_to_line(struct fix *f, const char *say)
{
    struct editor_buffer *b = &f->editor.buffer;
    const char *at = strstr(say, SESSION_TRY_NAME);
    at = at ? at + strlen(SESSION_TRY_NAME) : "";
    int line = *at == '(' || *at == ':' ? atoi(at + 1) : 0;
    if (line < 1)
        return;
    b->at = 0;
    for (size_t i = 0; i < b->len && line > 1; i++)
        if (b->bytes[i] == '\n') {
            b->at = i + 1;
            line--;
        }
}

/* The newest verdict's line, while the field has the text that it is of. */
static void write_on(struct app *guest, struct fix *f)
{
    const struct session_state *p = state_of(guest, f);
    const struct session_try *t = p->n_tries ? &p->tries[p->n_tries - 1] : NULL;
    if (t && t->verdict && !strcmp(t->text, editor_text(&f->editor)))
        go_to_line(f, t->verdict->why);
    type_on(guest, f, true);
}

/* ---- what is typed outlives the host's process ---- */

static void write_draft(struct app *guest, struct fix *f)
{
    struct err err = {0};
    f->draft_ms = 0;
    if (mend_put(&f->draft, editor_text(&f->editor), &err)) /* its path is none of theirs */
        app_say(guest, "What is typed cannot be kept on the host's disk; Tab hands it in.");
}

static void drop_draft(struct fix *f)
{
    f->draft_ms = 0;
    unlink(f->draft.file);
}

static void find_draft(struct app *guest, struct fix *f)
{
    const char *folder = interview_folder(app_live(guest));
    f->draft.folder = text_dup(folder);
    f->draft.name = text_format("part-%d.draft", f->part + 1);
    path_below(&f->draft.file, folder, PATH_NAMES(f->draft.name), NULL);
}

static int tick(struct app *guest, void *self, int64_t now_ms)
{
    struct fix *f = self;
    if (f->draft_ms && now_ms >= f->draft_ms)
        write_draft(guest, f);
    return candidate_tick(guest, self, now_ms);
}

static int due_ms(const struct app *guest, const void *self, int64_t now_ms)
{
    const struct fix *f = self;
    int due = candidate_due_ms(guest, self, now_ms);
    int rest = f->draft_ms > now_ms ? (int)(f->draft_ms - now_ms) : 0;
    return f->draft_ms && (due < 0 || rest < due) ? rest : due;
}

/* ---- acts ---- */

static void help(struct app *guest, struct fix *f)
{
    struct err err = {0};
    int shown = state_of(guest, f)->helped, most = mend_hints(f->v);
    int step = (f->hint || !shown) && shown < most ? shown + 1 : shown;
    if (step > shown && interview_helped(app_live(guest), step, &err)) {
        app_say(guest, "%.*s", (int)strcspn(err.text, "\n"), err.text);
        return;
    }
    if (f->hint && step == shown)
        app_say(guest, "There is no more help.");
    free(f->hint);
    f->hint = mend_hint(f->v, step);
}

static void compare(struct app *guest, struct fix *f)
{
    if (f->at < 1)
        app_say(guest, "There is no try before this one.");
    else
        f->comparing = !f->comparing;
}

static void hand_in(struct app *guest, struct fix *f)
{
    struct err err = {0};
    if (interview_tried(app_live(guest), editor_text(&f->editor), &err)) {
        say_error(guest, &err);
        go_to_line(f, err.text);
    } else {
        drop_draft(f);
        type_on(guest, f, false);
    }
}

static int typed(struct app *guest, void *self, int key)
{
    struct fix *f = self;
    struct rect r = text_rect(guest);
    switch (editor_key(&f->editor, key, r.w, r.h)) {
    case EDITOR_DONE: hand_in(guest, f); break;
    case EDITOR_CANCELLED: type_on(guest, f, false); break;
    case EDITOR_OUTSIDE: app_say(guest, "There is this field alone."); break;
    case EDITOR_FULL: app_say(guest, "%s", editor_full_words()); /* fall through */
    case EDITOR_CHANGED: f->draft_ms = app_now(guest) + DRAFT_MS; break;
    case EDITOR_IGNORED: return DO_NOTHING;
    }
    return DO_REDRAW;
}

static int act(struct app *guest, void *self, enum action action, int arg)
{
    struct fix *f = self;
    (void)arg;
    switch (action) {
    case ACT_ENTER: write_on(guest, f); break;
    case ACT_HINT: help(guest, f); break;
    case ACT_LINES: compare(guest, f); break;
    case ACT_UP: f->at -= f->at > 0; break;
    case ACT_DOWN: f->at += f->at + 1 < state_of(guest, f)->n_tries; break;
    case ACT_BACK: app_say(guest, "The interviewer goes on; q leaves."); break;
    default: return DO_NOTHING;
    }
    return DO_REDRAW;
}

/* ---- living ---- */

/* The newest try is shown as it comes. */
static void shown(struct app *guest, void *self)
{
    struct fix *f = self;
    int n = state_of(guest, f)->n_tries;
    if (n != f->known)
        f->at = n - 1;
    f->known = n;
    candidate_lines_say(guest, &f->said);
}

static int enter(struct app *guest, void *self, struct err *err)
{
    struct fix *f = self;
    const struct session_state *p = state_of(guest, f), *running = candidate_state(guest);
    size_t n;
    find_draft(guest, f);
    char *text = file_read_plain(f->draft.file, EDITOR_BYTES, &n);
    (void)err;
    if (!text)
        text = p->n_tries ? text_dup(p->tries[p->n_tries - 1].text)
                          : mend_contract(f->v, app_device(guest), SESSION_TRY_NAME);
    editor_init(&f->editor, text);
    f->editor.buffer.at = 0;
    free(text);
    f->known = p->n_tries;
    f->at = p->n_tries ? p->n_tries - 1 : 0;
    f->said = running ? running->n_lines : 0;
    type_on(guest, f, true);
    return 0;
}

static void leave(struct app *guest, void *self)
{
    struct fix *f = self;
    if (f->draft_ms)
        write_draft(guest, f);
    editor_free(&f->editor);
    mend_place_free(&f->draft);
    free(f->hint);
    free(f);
}

void fix_open(struct app *guest, int part, const struct variant *v)
{
    struct fix *f = mem_new(1, sizeof *f);
    f->part = part;
    f->v = v;
    app_push(guest, &fix_screen, f);
}

int fix_part(const void *self)
{
    return ((const struct fix *)self)->part;
}

bool fix_types(const void *self)
{
    return ((const struct fix *)self)->types;
}

bool fix_progress(void *self, const char *say)
{
    struct fix *f = self;
    bool other = strncmp(f->progress, say, sizeof f->progress - 1) != 0;
    snprintf(f->progress, sizeof f->progress, "%s", say);
    return other;
}

const struct screen_ops fix_screen = {
    .name = "fix of an interview",
    .keys = keys_here,
    .enter = enter,
    .draw = draw,
    .act = act,
    .text = typed,
    .tick = tick,
    .due_ms = due_ms,
    .shown = shown,
    .leave = leave,
};
