/* What an interviewer reads before a scenario: the answer, five numbers, what settles, what
 * misleads, wrong turns, the story, what to say. */
#include "tui/interview/brief_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/recordings.h"
#include "scenarios/report/session_briefing.h"
#include "tui/app/app_runner.h"
#include "tui/kit/layout.h"
#include "tui/app/frame.h"

static const struct screen_ops brief_screen;

enum {
    PIECES = 80,
    NARROW = 96 /* columns below which numbers stand one below the other */,
    LABEL = 13,
    HALF_LABEL = 24 /* at least */
};

/* One paragraph, or a rule with a title. */
struct piece {
    bool rule;
    char label[64], text[2008];
    enum style style;
    int half; /* 1, 2: the halves of a row; 3: all of it, with a wide label */
    int wide; /* columns of that label, and what stands behind it */
    bool cut; /* one row, whatever is lost */
};

struct brief_page {
    struct briefing b;
    const struct variant *v;
    char title[96], gpu[96], trouble[300];
    int minutes, page;
};

/* ---- reading ---- */

/* A recording of the GPU that is here, else the first. */
static const struct recording *choose(struct recording **list, int n, const struct msg_device *here)
{
    for (int i = 0; here && i < n; i++)
        if (!strcmp(list[i]->device.slug, here->slug))
            return list[i];
    return n > 0 ? list[0] : NULL;
}

static int make_page(struct brief_page *p, const struct msg_device *device,
                     const struct evidence *all, struct err *err)
{
    struct other_gpu *other = other_gpu_find(p->v, device->name);
    int rc = briefing_make(&p->b, p->v, device, all, other, err);
    other_gpu_free(other);
    return rc;
}

static int read_brief(struct brief_page *p, const struct msg_device *here, struct err *err)
{
    struct recording **list = NULL;
    struct evidence *all = NULL;
    int n = 0, rc = recordings_of(p->v, &list, &n, err);
    if (rc)
        return rc;
    const struct recording *r = choose(list, n, here);
    rc = r ? request_recall_all(&all, p->v, r, err)
           : err_set(err, ERR_MISSING, "%s has no recording to be briefed from", p->v->full_id);
    if (rc == 0) {
        snprintf(p->gpu, sizeof p->gpu, "%s", r->device.name);
        rc = make_page(p, &r->device, all, err);
    }
    evidence_free(all);
    recordings_free(list, n);
    return rc;
}

void brief_open(struct app *app, const struct session_part *part, const struct variant *variant)
{
    struct brief_page *p = mem_new(1, sizeof *p);
    struct err err = { 0 };
    p->v = variant;
    p->minutes = part->minutes;
    snprintf(p->title, sizeof p->title, "%s", part->title);
    if (read_brief(p, app_device(app), &err))
        snprintf(p->trouble, sizeof p->trouble, "%.299s", err.text);
    app_push(app, &brief_screen, p);
}

/* ---- the page as a list ---- */

struct pieces { struct piece *at; int n; };

static struct piece *add(struct pieces *l, const char *label, enum style s, const char *text)
{
    struct piece *p = &l->at[l->n < PIECES - 1 ? l->n++ : PIECES - 1];
    *p = (struct piece){ .style = s };
    snprintf(p->label, sizeof p->label, "%s", label);
    snprintf(p->text, sizeof p->text, "%s", text);
    return p;
}

static void rule(struct pieces *l, const char *title)
{
    add(l, title, STYLE_PLAIN, "")->rule = true;
}

/* What the shop says beside its letter, since the letter alone means nothing to who does not buy
 * every day: "p pipes", "x experiment", "exhibit". */
static void shop_name(char *out, size_t size, const struct story *s, char letter, const char *name)
{
    const struct experiment *x = name[0] ? story_experiment(s, name) : NULL;
    const struct probe *p = probe_by_letter(letter);
    if (x && x->exhibit)
        snprintf(out, size, "exhibit");
    else if (letter == 'x')
        snprintf(out, size, "x experiment");
    else
        snprintf(out, size, "%c %s", letter, p ? p->brief : "");
}

/* "w stalls + x Without its outer layers, 6 min": the path with names, and what the console says
 * behind it. */
static void cheapest(char *out, size_t size, const struct brief_page *p)
{
    const struct path *path = &p->b.path;
    const char *tail = strchr(p->b.cheapest, ',');
    size_t n = 0;
    if (!path->n || !tail) {
        snprintf(out, size, "%s", p->b.cheapest);
        return;
    }
    for (int k = 0; k < path->n && n < size; k++) {
        const struct experiment *x = story_experiment(p->v->story, path->probe[k]);
        const struct probe *probe = x ? NULL : probe_by_name(path->probe[k]);
        n += (size_t)snprintf(out + n, size - n, "%s%s%s%s", k ? " + " : "",
                              !x || x->exhibit         ? ""
                              : x->shop == SHOP_VERIFY ? "v "
                                                       : "x ",
                              probe ? (char[3]){probe->letter, ' '} : "",
                              probe ? probe->brief : x ? x->title : path->probe[k]);
    }
    if (n < size)
        snprintf(out + n, size - n, "%s", tail);
}

static void answer(struct pieces *l, const struct brief_page *p)
{
    const struct briefing *b = &p->b;
    char fix[420], path[400];
    rule(l, "TRUTH");
    add(l, "cause", STYLE_BOLD, b->truth);
    snprintf(fix, sizeof fix, "%s.  %s", b->fix, b->effect);
    add(l, "fix", STYLE_PLAIN, fix);
    cheapest(path, sizeof path, p);
    add(l, "cheapest", STYLE_PLAIN, path);
}

/* Columns of the labels of the first `n` numbers, and what stands behind them. */
static int label_columns(const struct briefing *b, int n)
{
    int wide = HALF_LABEL;
    for (int k = 0; k < n; k++)
        wide = draw_columns(b->numbers[k].label) + 2 > wide ? draw_columns(b->numbers[k].label) + 2
                                                            : wide;
    return wide;
}

static void numbers(struct pieces *l, const struct briefing *b, int w)
{
    bool narrow = w < NARROW;
    int pairs = b->n_numbers / 2 * 2, wide = label_columns(b, pairs);
    for (int n = 0; n < pairs; n++)
        narrow |= draw_columns(b->numbers[n].value) > w / 2 - wide - 3; /* whole, if in more rows */
    rule(l, b->n_numbers == 5 ? "FIVE NUMBERS" : "NUMBERS");
    for (int n = 0; n < b->n_numbers; n++) {
        struct piece *p = add(l, b->numbers[n].label, STYLE_PLAIN, b->numbers[n].value);
        p->half = narrow || n >= pairs ? 3 : 1 + n % 2;
        p->wide = p->half == 3 ? label_columns(b, b->n_numbers) : wide;
    }
}

/* An experiment's name has any length: it stands in the text, and only a short one of an exhibit is
 * the label. */
static void lines(struct pieces *l, const struct brief_page *p, const char *title,
                  const struct briefing_line *line, int n)
{
    rule(l, title);
    for (int i = 0; i < n; i++) {
        char label[64], text[300];
        shop_name(label, sizeof label, p->v->story, line[i].probe, line[i].name);
        bool own = !strcmp(label, "exhibit") && draw_columns(line[i].name) < LABEL;
        if (own)
            snprintf(label, sizeof label, "%s", line[i].name);
        snprintf(text, sizeof text, "%s%s%s", own ? "" : line[i].name,
                 own || !line[i].name[0] ? "" : ": ", line[i].text);
        add(l, label, STYLE_PLAIN, text);
    }
}

/* The letters that the turns name, with what they are called in the shop; "" where they name none,
 * as in a case. */
static void letters_used(char *out, size_t size, const struct brief_page *p)
{
    bool used[128] = { false };
    size_t n = 0, shop;
    const struct probe *table = probe_table(&shop);
    for (int t = 0; t < p->b.n_turns; t++) {
        const char *why = p->b.turns[t].why,
                   *end = strstr(why, " ends it"); /* figures follow, whose units are letters too */
        for (const char *at = why; *at && (!end || at < end); at++)
            if (*at >= 'b' && *at <= 'z' && (at == why || at[-1] == ' ') &&
                !strchr("abcdefghijklmnopqrstuvwxyz-", at[1] ? at[1] : 'a'))
                used[(unsigned char)*at] = true;
    }
    out[0] = '\0';
    for (size_t k = 0; k < shop && n < size; k++) {
        char name[32];
        shop_name(name, sizeof name, p->v->story, table[k].letter, "");
        if (used[(unsigned char)table[k].letter])
            n += (size_t)snprintf(out + n, size - n, "%s%s", n ? ", " : "", name);
    }
}

static void turns(struct pieces *l, const struct brief_page *p)
{
    char letters[200];
    rule(l, "LIKELY WRONG TURNS, AND WHAT EXPOSES THEM");
    letters_used(letters, sizeof letters, p);
    if (letters[0])
        add(l, "letters", STYLE_DIM, letters);
    for (int t = 0; t < p->b.n_turns; t++) {
        const struct briefing_turn *turn = &p->b.turns[t];
        char why[300];
        int h = turn->hypothesis;
        snprintf(why, sizeof why, "%s: %s", p->v->story->hypotheses[h]->label, turn->why);
        char label[8];
        snprintf(label, sizeof label, "%d", (h + 1) % 10);
        add(l, label, STYLE_PLAIN, why);
        add(l, "ask", STYLE_SECOND, turn->question);
    }
}

static void says(struct pieces *l, const struct briefing *b)
{
    static const char *const names[] = {[SAY_CONVICTION] = "conviction",
                                        [SAY_CORRECTION] = "correction",
                                        [SAY_HERRING] = "red herring",
                                        [SAY_NUMBER] = "number",
                                        [SAY_HINT] = "hint"};
    rule(l, "WHAT TO SAY, AND WHAT IT IS FOR");
    for (int s = 0; s < b->n_says; s++) {
        const struct briefing_say *say = &b->says[s];
        char label[24];
        snprintf(label, sizeof label, say->kind == SAY_HINT ? "%s %d" : "%s", names[say->kind],
                 say->index + 1);
        add(l, label, STYLE_PLAIN, say->text);
        if (say->expects[0])
            add(l, "", STYLE_DIM, say->expects);
        if (say->note[0])
            add(l, "", STYLE_DIM, say->note);
    }
}

/* What the candidate reads, a piece a paragraph: its lines are those of the pack's file, not of
 * this screen. */
static void story(struct pieces *l, const struct story *s)
{
    rule(l, "THE STORY");
    for (const char *at = s->text; *at;) {
        const char *gap = strstr(at, "\n\n");
        size_t n = gap ? (size_t)(gap - at) : strlen(at);
        struct piece *p = add(l, "", STYLE_PLAIN, "");
        snprintf(p->text, sizeof p->text, "%.*s", (int)n, at);
        for (char *c = p->text; *c; c++)
            *c = *c == '\n' ? ' ' : *c;
        at += n + strspn(at + n, "\n");
    }
}

/* ---- drawing ---- */

static int label_width(const struct piece *p) { return p->half ? p->wide : LABEL; }

static struct rect text_rect(const struct piece *p, int y, int h, int w)
{
    int left = p->half == 2 ? w / 2 : 0, wide = p->half == 1 || p->half == 2 ? w / 2 : w,
        x = 2 + label_width(p);
    return (struct rect){ y, left + x, h, wide - x - 1 };
}

static int height(const struct piece *p, int w)
{
    if (p->rule || p->half || p->cut)
        return 1;
    int n = draw_wrapped(text_rect(p, 0, 0, w), 0, p->style, p->text);
    return n ? n : 1;
}

static void piece_draw(const struct piece *p, int y, int h, int w, const char *right)
{
    struct rect r = text_rect(p, y, h, w);
    if (p->rule) {
        draw_rule(y, 0, w, p->label, right);
        return;
    }
    draw_text(y, r.x - label_width(p), label_width(p) - 1, STYLE_DIM, p->label);
    if (p->half || p->cut)
        draw_text(y, r.x, r.w, p->style, p->text);
    else
        draw_wrapped(r, 0, p->style, p->text);
}

/* Does the next piece belong to this one, so that no page ends between them? */
static bool clings(const struct pieces *l, int i)
{
    const struct piece *p = &l->at[i], *next = i + 1 < l->n ? p + 1 : NULL;
    if (!next)
        return false;
    return p->rule || !strcmp(p->label, "letters") ||
           (!next->rule && (!strcmp(next->label, "ask") || !*next->label));
}

/* Draws page `wanted` (none: -1) and returns how many there are. A rule never stands alone at the
 * end of a page. */
static int pages_draw(const struct pieces *l, const struct rect *body, int wanted,
                      const char *right)
{
    int page = 0, y = body->y, end = body->y + body->h;
    for (int i = 0; i < l->n; i++) {
        const struct piece *p = &l->at[i];
        int h = height(p, body->w), need = h;
        for (int k = i; clings(l, k); k++)
            need += height(&l->at[k + 1], body->w);
        if (p->half == 2)
            y--;
        else if (y + need > end && y > body->y) {
            page++;
            y = body->y;
        }
        if (page == wanted)
            piece_draw(p, y, h, body->w, p->rule && y == body->y ? right : NULL);
        y += h;
    }
    return page + 1;
}

static int rows_of(const struct pieces *l, int w)
{
    int n = 0;
    for (int i = 0; i < l->n; i++)
        n += l->at[i].half == 2 ? 0 : height(&l->at[i], w);
    return n;
}

static const char sealed_off[] = "only on this screen";

/* All up to the wrong turns on one screen, where little is lost by it: what a reading says beyond
 * its fact is cut first. */
static void tighten(struct pieces *l, const struct rect *body, int first, int n)
{
    for (int i = first + n - 1; i >= first && rows_of(l, body->w) > body->h; i--)
        l->at[i].cut = !l->at[i].rule;
    for (int i = first; rows_of(l, body->w) > body->h && i < first + n; i++)
        l->at[i].cut = false;   /* it does not fit anyway: two pages, and nothing is lost */
}

static void page_make(struct pieces *l, const struct brief_page *p, const struct rect *body)
{
    answer(l, p);
    numbers(l, &p->b, body->w);
    int first = l->n;
    lines(l, p, "WHAT SETTLES", p->b.settles, p->b.n_settles);
    lines(l, p, "WHAT MISLEADS", p->b.misleads, p->b.n_misleads);
    int told = l->n - first;
    turns(l, p);
    tighten(l, body, first, told);
    story(l, p->v->story);
    says(l, &p->b);
}

static const struct binding brief_rows[] = {
    {ACT_TAB, "Tab PgDn Space", "turn", "the next page, where one screen does not hold it"},
    {ACT_LESS, "PgUp", NULL, "the page before"},
    {ACT_BACK, "Esc q", "back", "back; q does not end what runs below this page"},
};

static const char *const brief_how[] = {
    "All of it is computed from the readings and one recording: nothing here was written for this "
    "page but what is said aloud. A wrong turn is what an ideal reader with even beliefs takes "
    "for likely after the purchases of one minute; the question below it is meant to be asked.",
    NULL,
};

static const struct key_list brief_keys = {
    KEY_ROWS(brief_rows),
    .how = brief_how,
    .must = {ACT_TAB},
};

static const struct key_list *keys_here(struct app *app, const void *self)
{
    (void)app, (void)self;
    return &brief_keys;
}

static void brief_draw(struct app *app, const void *self)
{
    const struct brief_page *p = self;
    struct pieces l = { .at = mem_new(PIECES, sizeof *l.at) };
    struct frame f;
    char what[160];
    int n = 1;
    layout_frame(&f, app_rows(app), app_columns(app));
    if (!*p->trouble) {
        page_make(&l, p, &f.body);
        n = pages_draw(&l, &f.body, -1, NULL);
    }
    snprintf(what, sizeof what, "brief %d of %d   %s", p->page % n + 1, n, p->title);
    frame_draw(app, &f, what, &brief_keys);
    if (*p->trouble) {
        draw_rule(f.body.y, 0, f.body.w, "TRUTH", sealed_off);
        draw_wrapped((struct rect){f.body.y + 2, 2, f.body.h - 2, f.body.w - 4}, 0, STYLE_BAD,
                     p->trouble);
    } else
        pages_draw(&l, &f.body, p->page % n, sealed_off);
    free(l.at);
}

/* ---- keys ---- */

static int brief_act(struct app *app, void *self, enum action action, int arg)
{
    struct brief_page *p = self;
    (void)app, (void)arg;
    switch (action) {
    case ACT_BACK:
    case ACT_BRIEF: return DO_POP;
    case ACT_TAB:
    case ACT_DOWN:
    case ACT_RIGHT:
    case ACT_PAGE_DOWN: p->page++; return DO_REDRAW;
    case ACT_LESS:
    case ACT_UP:
    case ACT_LEFT:
    case ACT_PAGE_UP: p->page += p->page > 0 ? -1 : 0; return DO_REDRAW;
    default: return DO_NOTHING;
    }
}

static void brief_leave(struct app *app, void *self)
{
    (void)app;
    free(self);
}

static const struct screen_ops brief_screen = {
    .name = "brief",
    .keys = keys_here,
    .draw = brief_draw,
    .act = brief_act,
    .leave = brief_leave,
};
