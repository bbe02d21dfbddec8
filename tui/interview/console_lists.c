/* Lists that stand in the place of the panes: evidence to give or keep back, drills, parts, the
 * clock, lines in full, notes, how to join. */
#include "tui/interview/console_lists.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/library/library.h"
#include "kernels/wire/text.h"
#include "scenarios/interview/interview_life.h"
#include "scenarios/interview/interview_says.h"
#include "scenarios/interview/interview_verbs.h"
#include "scenarios/pack/probe.h"
#include "tui/app/app_data.h"
#include "tui/interview/candidate.h"
#include "tui/interview/console_after.h"
#include "tui/interview/console_begin.h"
#include "tui/interview/console_clock.h"
#include "tui/interview/console_link.h"
#include "tui/interview/console_says.h"
#include "tui/interview/console_send.h"
#include "tui/interview/console_share.h"
#include "tui/interview/console_text.h"

enum { ROWS_MOST = 96 };

/* One row: what Enter acts on, and how it reads. */
struct list_row { char id[96], name[96], note[96], letter; bool dim; };

static int add_row(struct list_row *out, int n, const char *id, char letter, const char *name,
                   const char *note, bool dim)
{
    if (n >= ROWS_MOST)
        return n;
    out[n] = (struct list_row){ .letter = letter, .dim = dim };
    snprintf(out[n].id, sizeof out->id, "%s", id);
    snprintf(out[n].name, sizeof out->name, "%s", name);
    snprintf(out[n].note, sizeof out->note, "%s", note);
    return n + 1;
}

/* ---- what each list holds ---- */

static const char *evidence_note(const struct console *c, const char *probe)
{
    const struct session *s = interview_session(c->live);
    struct attempt *a = interview_attempt(c->live);
    const struct session_state *p = &s->parts[s->part];
    for (int k = 0; k < p->n_handed; k++)
        if (strcmp(p->handed[k], probe) == 0)
            return "given";
    if (a && investigation_has(attempt_state(a), probe) && console_bought_before(c, probe))
        return "bought";
    return session_is_withheld(s, probe) ? "kept back" : "";
}

static int evidence_rows(const struct console *c, struct list_row *out)
{
    const struct story *story = c->variant ? c->variant->story : NULL;
    const struct session_part *part = console_part(c);
    size_t probes;
    const struct probe *table = probe_table(&probes);
    int n = 0;
    if (!story || !part || part->kind != PART_SCENARIO)
        return 0;
    for (size_t k = 0; k < probes; k++) {
        bool list =
            table[k].id == SHOP_ASK || table[k].id == SHOP_EXPERIMENT || table[k].id == SHOP_VERIFY;
        if (!list && !story_is_case(story))
            n = add_row(out, n, table[k].name, table[k].letter, table[k].title,
                        evidence_note(c, table[k].name), false);
    }
    for (int k = 0; k < story->n_experiments; k++) {
        const struct experiment *x = &story->experiments[k];
        n = add_row(out, n, x->id, x->shop == SHOP_VERIFY ? 'v' : 'x', x->title,
                    evidence_note(c, x->id), false);
    }
    for (int k = 0; k < n; k++)
        out[k].dim = !strcmp(out[k].note, "given") || !strcmp(out[k].note, "bought");
    return n;
}

static int drill_rows(const struct console *c, struct list_row *out)
{
    const struct session *s = interview_session(c->live);
    int n = 0;
    for (int turn = 0; turn < s->plan.n_parts; turn++) {
        int p =
            (turn + (s->part > 0 ? s->part : 0)) %
            s->plan.n_parts; /* the running part's first: their digits are those of the console */
        for (int k = 0; k < s->plan.parts[p].n_drills; k++) {
            bool asked = false, listed = false;
            for (int q = 0; q < s->plan.n_parts; q++)
                for (int d = 0; d < s->parts[q].n_drills; d++)
                    asked |= strcmp(s->parts[q].drills[d].drill, s->plan.parts[p].drills[k]) == 0;
            for (int r = 0; r < n; r++)
                listed |= strcmp(out[r].id, s->plan.parts[p].drills[k]) == 0;
            const struct drill *drill =
                library_drill(app_library(c->app), s->plan.parts[p].drills[k]);
            if (!listed)
                n = add_row(out, n, s->plan.parts[p].drills[k], 0,
                            drill ? drill->title : s->plan.parts[p].drills[k], asked ? "asked" : "",
                            asked);
        }
    }
    return n;
}

static int part_rows(const struct console *c, struct list_row *out)
{
    const struct session *s = interview_session(c->live);
    int n = 0;
    for (int k = 0; k < s->plan.n_parts; k++) {
        char id[16], note[96];
        bool runs = k == s->part && s->phase != SESSION_BETWEEN;
        snprintf(id, sizeof id, "%d", k);
        snprintf(note, sizeof note, "%d min%s", s->plan.parts[k].minutes,
                 s->parts[k].finished ? ", done"
                 : runs               ? ", runs"
                                      : "");
        n = add_row(out, n, id, 0, s->plan.parts[k].title, note, s->parts[k].finished);
    }
    return n;
}

static int clock_rows(const struct console *c, struct list_row *out)
{
    const struct session *s = interview_session(c->live);
    bool runs = s->phase == SESSION_RUNNING || s->phase == SESSION_ON_PAUSE;
    int n = 0;
    if (runs)
        n = add_row(out, n, "end", 0, "end this part", "", false);
    bool last = s->part + 1 >= s->plan.n_parts; /* the row stays, so that the digits below it do */
    n = add_row(out, n, "next", 0, "begin the next part",
                last ? "this is the last" : s->plan.parts[s->part + 1].title, last);
    if (runs) {
        n = add_row(out, n, "5", 0, "five more minutes", "", false);
        n = add_row(out, n, "10", 0, "ten more minutes", "", false);
        n = add_row(out, n, "-5", 0, "five minutes less", "", false);
    }
    return n;
}

static int say_rows(const struct console *c, struct list_row *out)
{
    struct console_view v;
    struct say_row say[SAYS_MOST];
    console_view(c, &v);
    int n = console_says(say, &v, true);
    for (int k = 0; k < n; k++)
        add_row(out, k, "", 0, say[k].label, "", say[k].said);
    return n;
}

static int note_rows(const struct console *c, struct list_row *out)
{
    struct console_view v;
    struct console_note notes[ROWS_MOST];
    console_view(c, &v);
    int n = console_notes(notes, ROWS_MOST, &v);
    for (int k = 0; k < n; k++)
        add_row(out, k, "", 0, "", "", false);
    return n;
}

static int rows_of(const struct console *c, struct list_row *out)
{
    switch (c->list) {
    case LIST_EVIDENCE: return evidence_rows(c, out);
    case LIST_DRILLS: return drill_rows(c, out);
    case LIST_PARTS: return part_rows(c, out);
    case LIST_CLOCK: return clock_rows(c, out);
    case LIST_LINES: return say_rows(c, out);
    case LIST_NOTES: return note_rows(c, out);
    default: return 0;
    }
}

void lists_open(struct console *c, enum console_list list)
{
    static const char *const nothing[] = {"There is evidence to give only while a scenario runs.",
                                          "The plan has no drills.",
                                          "",
                                          "Nothing runs.",
                                          "There are no lines for this part, or the truth is out.",
                                          "There are no notes yet: n writes one, N one that the "
                                          "candidate's report may show."};
    struct list_row *rows = mem_new(ROWS_MOST, sizeof *rows);
    c->list = list;
    c->at = 0;
    int n = rows_of(c, rows);
    if (list == LIST_PARTS)                  /* the next one; after the last that one, which runs */
        c->at =
            interview_session(c->live)->part + 1 < n ? interview_session(c->live)->part + 1 : n - 1;
    if (list == LIST_NOTES)
        c->at = n - 1;
    free(rows);
    if (n == 0 && list != LIST_CODE)
        app_say(c->app, "%s", nothing[list]);
    else
        c->mode = CONSOLE_LIST;
}

/* ---- keys ---- */

static int clock_choose(struct console *c, const char *id, struct err *err)
{
    if (!strcmp(id, "end"))
        return interview_finish(c->live, err);
    const struct session *s = interview_session(c->live);
    if (!strcmp(id, "next") && s->part + 1 >= s->plan.n_parts)
        return err_set(err, ERR_MISSING, "No part follows; a plan's parts are listed by p.");
    if (!strcmp(id, "next"))
        return console_begin(c, s->part + 1, err);
    return console_minutes(c, s->part, s->plan.parts[s->part].minutes + atoi(id), err);
}

int console_new_codes(struct console *c, struct err *err)
{
    enum { LASTING_MS = 24 * 3600 * 1000 };
    int rc = interview_invite(c->live, &c->codes, LASTING_MS, err);
    if (rc)
        return rc;
    c->has_codes = true;
    c->notice[0] = '\0';
    link_reopen(c);
    if (c->options.share)
        link_share(c);
    return 0;
}

static bool begins_part(const struct console *c, const struct list_row *r)
{
    return c->list == LIST_PARTS || (c->list == LIST_CLOCK && !strcmp(r->id, "next"));
}

/* Enter on a row. The list closes; the code's stays, and one that asks once more. */
static int choose(struct console *c, const struct list_row *r, struct err *err)
{
    enum action before = c->sure;
    if (begins_part(c, r)) {
        c->sure = ACT_NONE;
        if (!console_may_begin(c,
                               c->list == LIST_PARTS ? atoi(r->id)
                                                     : interview_session(c->live)->part + 1,
                               before))
            return 0;
    }
    if (c->list == LIST_CLOCK && !strcmp(r->id, "end")) {
        c->sure = ACT_NONE;
        if (!console_may_end(c, before))
            return 0;
    }
    if (c->list != LIST_CODE)
        c->mode = CONSOLE_PANES;
    switch (c->list) {
    case LIST_EVIDENCE: return candidate_hand(c->guest, r->id, err);
    case LIST_DRILLS: return console_ask_drill(c, r->id, err);
    case LIST_PARTS: return console_begin(c, atoi(r->id), err);
    case LIST_CLOCK: return clock_choose(c, r->id, err);
    case LIST_LINES:
        console_say_line(c, c->at + 1, true, true);
        return 0;
    case LIST_NOTES: return 0;
    default:
        if (c->sure != ACT_ENTER) {
            c->sure = ACT_ENTER;
            app_say(c->app, "Enter once more: new codes, and whoever is in must join again.");
            return 0;
        }
        c->sure = ACT_NONE;
        return console_new_codes(c, err);
    }
}

static int withhold(struct console *c, const struct list_row *r, struct err *err)
{
    if (c->list != LIST_EVIDENCE)
        return 0;
    struct attempt *a = interview_attempt(c->live);
    if (a && investigation_has(attempt_state(a), r->id)) {
        app_say(c->app, "They have it already.");
        return 0;
    }
    return interview_withhold(c->live, r->id,
                              session_is_withheld(interview_session(c->live), r->id), err);
}

int lists_act(struct console *c, enum action action, int arg)
{
    struct list_row *rows = mem_new(ROWS_MOST, sizeof *rows);
    struct err err = { 0 };
    int n = rows_of(c, rows), rc = 0, digit = (arg + 9) % 10;
    if (c->at >= n)
        c->at = n > 0 ? n - 1 : 0;
    if (action != ACT_ENTER && !(action == ACT_DIGIT && c->list == LIST_CLOCK && digit == c->at))
        c->sure = ACT_NONE;
    if (action == ACT_UP && c->at > 0)
        c->at--;
    else if (action == ACT_DOWN && c->at + 1 < n)
        c->at++;
    else if (action == ACT_BACK || action == ACT_TAB)
        c->mode = CONSOLE_PANES;
    else if (action == ACT_WITHHOLD && n)
        rc = withhold(c, &rows[c->at], &err);
    else if (action == ACT_DIGIT && c->list != LIST_EVIDENCE && c->list != LIST_NOTES &&
             digit < n) {
        c->at = digit;
        if (c->list == LIST_CLOCK)           /* the others' come to the candidate's screen: Enter */
            rc = choose(c, &rows[digit], &err);
    } else if (action == ACT_ENTER && (n || c->list == LIST_CODE))
        rc = choose(c, &rows[c->at], &err);
    else if (action == ACT_DIGIT && digit >= n)
        app_say(c->app, n ? "There is no row %d here." : "Nothing is here that %d could choose.",
                (digit + 1) % 10);
    else if ((action == ACT_MORE || action == ACT_LESS) && c->list == LIST_PARTS)
        rc = console_minutes_step(c, c->at, action == ACT_MORE ? 1 : -1, &err);
    free(rows);
    console_after(c, rc, &err);
    return DO_REDRAW;
}

/* ---- drawing ---- */

static void draw_rows_of(const struct console *c, struct rect r)
{
    struct list_row *rows = mem_new(ROWS_MOST, sizeof *rows);
    int n = rows_of(c, rows), from = c->at >= r.h ? c->at - r.h + 1 : 0,
        digits = c->list != LIST_EVIDENCE;
    for (int k = from; k < n && k - from < r.h; k++) {
        int y = r.y + k - from, x = r.x + 2;
        enum style style = k == c->at ? STYLE_BOLD : rows[k].dim ? STYLE_DIM : STYLE_PLAIN;
        draw_text(y, r.x, 1, STYLE_ACCENT, k == c->at ? glyph("▸", ">") : " ");
        if (digits && k < 10)
            draw_textf(y, x, 2, style, "%d", (k + 1) % 10);
        else if (rows[k].letter)
            draw_textf(y, x, 2, style, "%c", rows[k].letter);
        draw_text(y, x + 3, r.w / 2 - 6, style, rows[k].name);
        draw_text(y, r.x + r.w / 2, r.w / 2 - 1, style, rows[k].note);
    }
    free(rows);
}

/* The first of rows of these heights from which the chosen one is seen whole. */
static int first_shown(const int *heights, int at, int h)
{
    int from = at, used = heights[at];
    while (from > 0 && used + heights[from - 1] <= h)
        used += heights[--from];
    return from;
}

static int text_rows(int w, const char *text)
{
    return text && text[0] ? draw_wrapped((struct rect){ 0, 0, 0, w }, 0, STYLE_PLAIN, text) : 0;
}

/* For the interviewer alone: dim, behind its mark. Returns the rows it takes. */
static int draw_private(int y, int end, struct rect text, const char *words)
{
    if (!words || !words[0] || y >= end)
        return 0;
    draw_text(y, text.x - 2, 1, STYLE_DIM, glyph("└", "-"));
    return draw_wrapped((struct rect){ y, text.x, end - y, text.w }, 0, STYLE_DIM, words);
}

/* Every line in full: what is said, and what is for the interviewer alone. */
static void draw_lines_of(const struct console *c, struct rect r)
{
    struct console_view v;
    struct say_row say[SAYS_MOST];
    int heights[SAYS_MOST], w = r.w - 20;
    console_view(c, &v);
    int n = console_says(say, &v, true), y = r.y, end = r.y + r.h, at = c->at < n ? c->at : n - 1;
    for (int k = 0; k < n; k++)
        heights[k] =
            text_rows(w, say[k].text) + text_rows(w, say[k].expects) + text_rows(w, say[k].note);
    for (int k = n ? first_shown(heights, at, r.h) : 0; k < n && y < end; k++) {
        enum style style = k == at ? STYLE_BOLD : say[k].said ? STYLE_DIM : STYLE_PLAIN;
        struct rect text = { y, r.x + 18, end - y, w };
        draw_text(y, r.x, 1, STYLE_ACCENT, k == at ? glyph("▸", ">") : " ");
        if (say[k].number <= 10)
            draw_textf(y, r.x + 2, 1, style, "%d", say[k].number % 10);
        draw_text(y, r.x + 4, 13, style, say[k].label);
        y += draw_wrapped(text, 0, style, say[k].text);
        y += draw_private(y, end, text, say[k].expects);
        y += draw_private(y, end, text, say[k].note);
    }
}

/* Every note, the oldest first. */
static void draw_notes_of(const struct console *c, struct rect r)
{
    struct console_view v;
    struct console_note notes[ROWS_MOST];
    int heights[ROWS_MOST], y = r.y, end = r.y + r.h, w = r.w - 20;
    console_view(c, &v);
    int n = console_notes(notes, ROWS_MOST, &v), at = c->at < n ? c->at : n - 1;
    for (int k = 0; k < n; k++)
        heights[k] = text_rows(w, notes[k].text);
    for (int k = n ? first_shown(heights, at, r.h) : 0; k < n && y < end; k++) {
        char time[16];
        console_clock(time, sizeof time, notes[k].elapsed_ms);
        draw_text(y, r.x, 1, STYLE_ACCENT, k == at ? glyph("▸", ">") : " ");
        draw_right(y, r.x + 9, 7, STYLE_DIM, time);
        draw_text(y, r.x + 11, 6, STYLE_DIM, notes[k].whose);
        y += draw_wrapped((struct rect){ y, r.x + 18, end - y, w }, 0, STYLE_PLAIN, notes[k].text);
    }
}

static int fact(struct rect *r, const char *name, enum style style, const char *text)
{
    int end = r->y + r->h;
    if (r->h <= 0)
        return 0;
    draw_text(r->y, r->x + 2, 13, STYLE_DIM, name);
    int n = draw_wrapped((struct rect){ r->y, r->x + 16, r->h, r->w - 18 }, 0, style, text);
    r->y += n + 1;
    r->h = end - r->y;
    return n;
}

static void expiry_text(char *out, size_t size, const struct session *s, int64_t now)
{
    long minutes = (long)((s->expires_ms - now) / 60000);
    if (s->expires_ms <= 0)
        snprintf(out, size, "the codes do not expire");
    else if (minutes <= 0)
        snprintf(out, size, "the codes have expired");
    else
        snprintf(out, size, "the codes expire in %ld:%02ld hours", minutes / 60, minutes % 60);
}

/* The plan's packs whose answers that other user could read as they lie on the disk. Returns how
 * many. */
static int open_packs(const struct console *c, const struct pack *out[SESSION_MAX_PARTS])
{
    const struct session_plan *plan = &interview_session(c->live)->plan;
    int n = 0;
    for (int k = 0; k < plan->n_parts; k++) {
        const struct story *story;
        const struct variant *variant;
        struct err err;
        bool found =
                 plan->parts[k].kind == PART_SCENARIO &&
                 catalog_find(app_catalog(c->app), plan->parts[k].id, &story, &variant, &err) == 0,
             named = false;
        for (int p = 0; found && p < n; p++)
            named = named || out[p] == story->pack;
        if (found && !named && files_sealed_open_to_all(story->pack->files))
            out[n++] = story->pack;
    }
    return n;
}

/* "pack a, pack b: chmod ...": NULL when nobody else can read any. malloc'd. */
static char *open_packs_text(const struct console *c)
{
    const struct pack *open[SESSION_MAX_PARTS];
    int n = open_packs(c, open);
    char *ids = text_dup(""), *roots = text_dup("");
    for (int k = 0; k < n; k++) {
        char *more_ids = text_format("%s%s%s", ids,
                                     k == 0      ? ""
                                     : k + 1 < n ? ", "
                                                 : " and ",
                                     open[k]->id);
        char *more_roots = text_format("%s %s", roots, open[k]->files->root);
        free(ids);
        free(roots);
        ids = more_ids;
        roots = more_roots;
    }
    char *text = n == 0 ? NULL
                        : text_format("Every user of this machine can read the answers of pack%s "
                                      "%s where %s: chmod -R o-rwx%s, or seal %s.",
                                      n == 1 ? "" : "s", ids, n == 1 ? "it lies" : "they lie",
                                      roots, n == 1 ? "it" : "them");
    free(ids);
    free(roots);
    return text;
}

static void draw_code(const struct console *c, struct rect r)
{
    const struct session *s = interview_session(c->live);
    char join[96], text[512], *line = link_authorized(c);
    enum wall wall = c->server ? session_server_wall(c->server) : WALL_NONE;
    link_join_line(c, join, sizeof join);
    if (!c->has_codes)
        fact(&r, "the code", STYLE_PLAIN,
             "stands as you told it: only a hash of it is kept. Enter twice makes new ones, and "
             "the old ones end.");
    fact(&r, "candidate", STYLE_BOLD, join);
    snprintf(text, sizeof text, "warpdrill join %s   sees the same screen and can press nothing",
             c->has_codes ? c->codes.observer : "CODE");
    fact(&r, "observers", STYLE_PLAIN, text);
    expiry_text(text, sizeof text, s, interview_now(c->live));
    fact(&r, "until", STYLE_PLAIN, text);
    fact(&r, "over ssh", STYLE_PLAIN, line);
    snprintf(text, sizeof text,
             "%s's ~/.ssh/authorized_keys takes that line: the key can then do nothing but "
             "join.\nIn one piece: warpdrill host --key-line %s%s%s",
             console_guest(c) ? console_guest(c) : "a user",
             c->has_codes ? c->codes.candidate : "CODE", c->options.key ? " --key " : "",
             c->options.key ? c->options.key : "");
    fact(&r, "", STYLE_DIM, text);
    fact(&r, "the wall", STYLE_PLAIN, c->server ? wall_sentence(wall) : c->trouble);
    char *open = console_guest(c) ? open_packs_text(c) : NULL;
    if (open)
        fact(&r, "but", STYLE_BAD, open);
    free(open);
    snprintf(text, sizeof text, "%s   socket %s   log %s", interview_id(c->live),
             c->server ? session_server_path(c->server) : "none", interview_folder(c->live));
    fact(&r, "kept as", STYLE_DIM, text);
    free(line);
}

static const char *const titles[] = {"GIVE EVIDENCE", "DRILLS", "PARTS",        "THE CLOCK",
                                     "SAY NEXT",      "NOTES",  "HOW THEY JOIN"};
static const char *const does[] = {"Enter gives it for nothing, w keeps it back",
                                   "Enter asks",
                                   "Enter begins, what lies between is skipped; + - minutes",
                                   "Enter",
                                   "Enter says it",
                                   "the oldest first",
                                   "Enter twice: new codes"};

void lists_draw(struct app *app, const struct console *c)
{
    int rows = app_rows(app), columns = app_columns(app);
    struct rect r = { 2, 0, rows - 4, columns };
    for (int y = 1; y < rows - 1; y++)
        draw_textf(y, 0, columns, STYLE_PLAIN, "%*s", columns, "");
    draw_rule(1, 0, columns, titles[c->list], does[c->list]);
    if (c->list == LIST_CODE)
        draw_code(c, r);
    else if (c->list == LIST_LINES)
        draw_lines_of(c, r);
    else if (c->list == LIST_NOTES)
        draw_notes_of(c, r);
    else
        draw_rows_of(c, r);
}
