/* Entries of the log and lines to say in words: pure, for the console and for replay. */
#include "tui/console_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/headline.h"
#include "scenarios/ideal.h"
#include "scenarios/scoring.h"
#include "tui/investigation_screen.h"
#include "tui/notebook.h"

enum { WHAT_COLUMNS = 8 };

void console_clock(char *out, size_t size, int64_t ms)
{
    long s = (long)((ms < 0 ? 0 : ms) / 1000);
    snprintf(out, size, "%ld:%02ld", s / 60, s % 60);
}

bool console_candidate_here(const struct session *s)
{
    for (int k = 0; k < s->n_parties; k++)
        if (s->parties[k].here && !strcmp(s->parties[k].role, "candidate"))
            return true;
    return false;
}

static void put(char *out, size_t size, const char *what, const char *text)
{
    snprintf(out, size, "%-*s%s", WHAT_COLUMNS, what, text ? text : "");
}

/* ---- what was bought, called, believed ---- */

static char letter_of(const struct story *story, const char *probe)
{
    const struct probe *p = probe_by_name(probe);
    const struct experiment *x = p ? NULL : story_experiment(story, probe);
    return p ? p->letter : x && x->shop == SHOP_VERIFY ? 'v' : 'x';
}

static const char *brief_of(const struct story *story, const char *probe)
{
    const struct probe *p = probe_by_name(probe);
    const struct experiment *x = p ? NULL : story_experiment(story, probe);
    return p ? p->brief : x ? x->title : probe;
}

static struct note_frame frame_of(const struct console_view *v, const struct live_entry *e)
{
    return (struct note_frame){ .story = e->of->story, .device = v->device, .tier = e->of->tier };
}

/* "stores 32, loads 4": the two figures that decide. */
static void evidence_text(char *out, size_t size, const struct console_view *v, const struct live_entry *e)
{
    struct headline two[2];
    int n = headlines_of(two, 2, e->of->story, e->move->probe, e->move->evidence, v->device);
    if (n == 0)
        snprintf(out, size, "%s", brief_of(e->of->story, e->move->probe));
    else
        snprintf(out, size, n > 1 ? "%s %s, %s %s" : "%s %s", two[0].brief, two[0].value, two[1].brief, two[1].value);
}

static void bought_text(char *out, size_t size, const struct console_view *v, const struct live_entry *e, bool handed)
{
    char what[16], text[256];
    evidence_text(text, sizeof text, v, e);
    snprintf(what, sizeof what, handed ? "%c given" : "%c", letter_of(e->of->story, e->move->probe));
    put(out, size, what, text);
}

/* "low: right" once the number is there, as the notebook judges it. */
static void called_text(char *out, size_t size, const struct console_view *v, const struct live_entry *e)
{
    struct note_frame frame = frame_of(v, e);
    const char *verdict = "";
    for (int b = 0; b < e->of->n_bought; b++) {
        struct note n;
        struct purchase p = e->of->bought[b];
        if (strcmp(p.probe, e->move->probe) != 0)
            continue;
        snprintf(p.call, sizeof p.call, "%.23s", e->move->answer);
        note_make(&n, &p, &frame);
        for (int i = 0; i < n.n; i++)
            if (strstr(n.row[i].label, "your call"))
                verdict = strstr(n.row[i].label, ", right") ? ": right" : strstr(n.row[i].label, ", wrong") ? ": wrong" : "";
        note_free(&n);
    }
    char text[192];
    snprintf(text, sizeof text, "%c, %s%s", letter_of(e->of->story, e->move->probe), e->move->answer, verdict);
    put(out, size, "call", text);
}

static bool has_points(const struct move *m)
{
    return m->kind == MOVE_BELIEVED || m->kind == MOVE_RESPONDED;
}

/* Beliefs before a move of the same investigation. */
static void points_before(int *points, const struct live_entry *e)
{
    const struct investigation *i = e->of;
    int at = i->n_moves - 1;             /* what is shown is new, mostly */
    while (at >= 0 && strcmp(i->moves[at].uid, e->move->uid) != 0)
        at--;
    at = at < 0 ? i->n_moves : at;
    do
        at--;
    while (at >= 0 && !has_points(&i->moves[at]));
    if (at >= 0)
        memcpy(points, i->moves[at].points, sizeof i->moves[at].points);
    else
        belief_even(points, i->story->n_hypotheses);
}

/* "6       14 to 30 too few loads": the belief that moved most, by its digit; its name last, where a short row cuts it. */
static void believed_text(char *out, size_t size, const struct live_entry *e)
{
    const struct story *story = e->of->story;
    int before[MAX_HYPOTHESES], most = 0;
    char what[16], text[64];
    points_before(before, e);
    for (int h = 1; h < story->n_hypotheses; h++)
        if (abs(e->move->points[h] - before[h]) > abs(e->move->points[most] - before[most]))
            most = h;
    if (e->move->points[most] == before[most]) {
        put(out, size, e->move->kind == MOVE_RESPONDED ? "holds" : "beliefs", "unchanged");
        return;
    }
    snprintf(what, sizeof what, "%d", investigation_digit(story, most));
    snprintf(text, sizeof text, "%2d to %2d%s %s", before[most], e->move->points[most], e->move->kind == MOVE_RESPONDED ? ", last word" : "",
             story->hypotheses[most]->brief);
    put(out, size, what, text);
}

static void asked_text(char *out, size_t size, const struct live_entry *e)
{
    const struct story *s = e->of->story;
    char text[320] = "";
    if (e->move->question >= 0 && e->move->question < s->n_questions)
        snprintf(text, sizeof text, "%.150s %.150s", s->questions[e->move->question].ask, s->questions[e->move->question].answer);
    put(out, size, "asked", text);
}

static void committed_text(char *out, size_t size, const struct live_entry *e)
{
    const struct story *s = e->of->story;
    char text[320], spot[160];
    const char *remedy = "";
    for (int r = 0; r < s->n_remedies; r++)
        if (strcmp(s->remedies[r].id, e->move->remedy) == 0)
            remedy = s->remedies[r].text;
    story_spot(spot, sizeof spot, s, e->move->line);
    if (!e->move->remedy[0])
        snprintf(text, sizeof text, "beliefs are locked");
    else
        snprintf(text, sizeof text, "%s; %s", spot, remedy);
    put(out, size, "commits", text);
}

static const char *push_name(enum push_kind k)
{
    return k == PUSH_CONVICTION ? "conviction" : k == PUSH_CORRECTION ? "correction" : "red herring";
}

static void pushed_text(char *out, size_t size, const struct live_entry *e)
{
    const struct variant *v = e->of->variant;
    bool known = v && e->move->pushback >= 0 && e->move->pushback < v->n_pushbacks;
    put(out, size, "pushed", known ? push_name(v->pushbacks[e->move->pushback].kind) : "");
}

static const char *note_of(const struct move *m)
{
    return m->text ? m->text : m->answer;
}

/* What a note says beyond the one before it: each is the whole notebook. */
static const char *note_news(const struct live_entry *e)
{
    const struct investigation *i = e->of;
    const char *before = "", *now = note_of(e->move), *line = now;
    for (int k = 0; k < i->n_moves && strcmp(i->moves[k].uid, e->move->uid) != 0; k++)
        if (i->moves[k].kind == MOVE_NOTED)
            before = note_of(&i->moves[k]);
    for (; *now && *now == *before; now++, before++)
        if (*now == '\n')
            line = now + 1;
    if (!*before && *now == '\n')
        line = now;
    return *now ? line + strspn(line, "\n") : now;
}

static void noted_text(char *out, size_t size, const struct live_entry *e)
{
    char text[320];
    const char *news = note_news(e);
    snprintf(text, sizeof text, draw_utf8() ? "\u201c%.300s\u201d" : "\"%.300s\"", news);
    put(out, size, "wrote", *news ? text : "nothing new: words were taken out");
}

static void move_text(char *out, size_t size, const struct console_view *v, const struct live_entry *e)
{
    const struct move *m = e->move;
    switch (m->kind) {
    case MOVE_ASKED: asked_text(out, size, e); break;
    case MOVE_CALLED: called_text(out, size, v, e); break;
    case MOVE_BELIEVED:
    case MOVE_RESPONDED: believed_text(out, size, e); break;
    case MOVE_ESTIMATED: put(out, size, "says", m->answer[0] ? m->answer : "skipped the estimate"); break;
    case MOVE_BOUGHT: bought_text(out, size, v, e, false); break;
    case MOVE_COMMITTED: committed_text(out, size, e); break;
    case MOVE_PUSHED: pushed_text(out, size, e); break;
    case MOVE_ABANDONED: put(out, size, "gave up", ""); break;
    case MOVE_NAMED: put(out, size, "named", m->text ? m->text : m->answer[0] ? m->answer : "no causes: left out"); break;
    case MOVE_NOTED: noted_text(out, size, e); break;
    case MOVE_UNDONE: put(out, size, "undid", "their last belief or estimate"); break;
    default: bought_text(out, size, v, e, true); break;      /* what was handed out */
    }
}

/* ---- what the interviewer did ---- */

static const char *part_title(const struct session *s, int part)
{
    return part >= 0 && part < s->plan.n_parts ? s->plan.parts[part].title : "";
}

static void answered_text(char *out, size_t size, const struct session *s, const struct session_event *e)
{
    char text[320];
    console_answer_words(text, sizeof text, s, &(struct console_answer){ e->answer ? e->answer : "", e->role, e->text ? e->text : "", e->points });
    put(out, size, "answer", text);
}

static const char *signal_title(const struct session *s, const char *id)
{
    for (int k = 0; k < s->plan.n_signals; k++)
        if (!strcmp(s->plan.signals[k].id, id))
            return s->plan.signals[k].title;
    return id;
}

/* Who comes and goes, and the clock; false: something else. */
static bool running_text(char *out, size_t size, const struct console_view *v, const struct session_event *e)
{
    char words[256];
    switch (e->kind) {
    case SESSION_BEGAN: put(out, size, "begins", part_title(v->session, e->part)); return true;
    case SESSION_FINISHED: put(out, size, "ends", part_title(v->session, e->part)); return true;
    case SESSION_OPENED: put(out, size, "host", "the interviewer is here"); return true;
    case SESSION_JOINED:
        snprintf(words, sizeof words, "%s%s", e->who, strcmp(e->role, "observer") ? "" : ", observing");
        put(out, size, "joins", words);
        return true;
    case SESSION_LEFT: put(out, size, "leaves", e->text); return true;
    case SESSION_PAUSED: put(out, size, "pause", ""); return true;
    case SESSION_RESUMED: put(out, size, "goes on", ""); return true;
    case SESSION_EXTENDED:
        snprintf(words, sizeof words, "this part lasts %d min", e->number);
        put(out, size, "time", words);
        return true;
    case SESSION_QUIET: put(out, size, "quiet", e->number ? "begins" : "over"); return true;
    case SESSION_CLOSED: put(out, size, "closed", "the interview is over"); return true;
    default: return false;
    }
}

static void session_text(char *out, size_t size, const struct console_view *v, const struct session_event *e)
{
    const struct story *story = v->variant ? v->variant->story : NULL;
    char words[256];
    if (running_text(out, size, v, e))
        return;
    switch (e->kind) {
    case SESSION_WITHHELD:
        snprintf(words, sizeof words, "%s%s", story ? brief_of(story, e->name) : e->name, e->flag ? ", to be had again" : ", kept back");
        put(out, size, "evid.", words);
        break;
    case SESSION_HINTED: put(out, size, "hint", e->text); break;
    case SESSION_SAID: put(out, size, "said", e->text); break;
    case SESSION_INJECTED: put(out, size, "curveball ", e->text); break;
    case SESSION_DRILLED: put(out, size, "drill", e->name); break;
    case SESSION_ANSWERED: answered_text(out, size, v->session, e); break;
    case SESSION_RATED:
        snprintf(words, sizeof words, e->number ? "%.180s: %d" : "%.180s: none", signal_title(v->session, e->name), e->number);
        put(out, size, "grade", words);
        break;
    case SESSION_REVEALED: put(out, size, "reveal", "the truth is on their screen"); break;
    case SESSION_RELEASED: put(out, size, "release", "scores may be seen"); break;
    case SESSION_UNDONE: put(out, size, "undo", "you took something back"); break;
    default: put(out, size, session_kind_name(e->kind), e->text); break;
    }
}

void console_entry_text(char *out, size_t size, const struct console_view *v, int entry)
{
    const struct live_entry *e = &v->entries[entry];
    out[0] = '\0';
    if (e->move && e->of)
        move_text(out, size, v, e);
    else if (e->event)
        session_text(out, size, v, e->event);
    text_clean(out, strlen(out));
    for (char *at = out; *at; at++)
        if (*at == '\n' || *at == '\t')
            *at = ' ';
}

bool console_entry_shown(const struct live_entry *e)
{
    if (e->move)
        return e->move->kind != MOVE_STARTED && e->move->kind != MOVE_PAUSED &&
               e->move->kind != MOVE_REVEALED /* the session says it */;
    switch (e->event->kind) {
    case SESSION_PLANNED:
    case SESSION_INVITED:
    case SESSION_ATTEMPTED:
    case SESSION_TICKED:
    case SESSION_HANDED:         /* the attempt's own move says it */
    case SESSION_RATED:
    case SESSION_NOTED:
    case SESSION_SPOKE:
        return false;
    default:
        return !e->event->undone;
    }
}

int console_quiet_from(const struct console_view *v)
{
    if (v->session->quiet_until_ms <= v->now_ms)
        return v->n_entries;
    for (int k = v->n_entries - 1; k >= 0; k--)
        if (v->entries[k].event && v->entries[k].event->kind == SESSION_QUIET && v->entries[k].event->number > 0)
            return k;
    return v->n_entries;
}

/* What the candidate wrote: a note, or the causes in their own words; NULL: this entry is neither. */
static const char *written(const struct live_entry *e)
{
    if (!e->move || !e->of)
        return NULL;
    const char *text = e->move->kind == MOVE_NOTED ? note_news(e) : e->move->kind == MOVE_NAMED ? note_of(e->move) : "";
    return *text ? text : NULL;
}

int console_notes(struct console_note *out, int most, const struct console_view *v)
{
    int quiet = console_quiet_from(v), n = 0;
    for (int k = 0; k < v->n_entries; k++) {
        const struct live_entry *e = &v->entries[k];
        const char *theirs = k < quiet ? written(e) : NULL;
        bool own = e->event && e->event->kind == SESSION_NOTED && !e->event->undone;
        if (!theirs && !own)
            continue;
        if (n == most)
            memmove(out, out + 1, (size_t)--n * sizeof *out);
        out[n++] = (struct console_note){ e->elapsed_ms, theirs ? "theirs" : e->event->flag ? "shared" : "", theirs ? theirs : e->event->text };
    }
    return n;
}

/* ---- SAY NEXT ---- */

static const struct session_state *part_of(const struct session *s)
{
    return s->part >= 0 && s->part < s->plan.n_parts ? &s->parts[s->part] : NULL;
}

static bool line_was(const struct session_state *p, enum session_kind kind, int number)
{
    for (int k = 0; p && k < p->n_lines; k++)
        if (p->lines[k].kind == kind && p->lines[k].number == number)
            return true;
    return false;
}

static int drill_says(struct say_row *out, const struct session *s, const struct session_part *part)
{
    const struct session_state *p = part_of(s);
    int n = 0;
    for (int k = 0; k < part->n_drills && n < SAYS_MOST; k++) {
        struct say_row *r = &out[n++];
        *r = (struct say_row){ .what = SAY_DRILL, .index = k, .number = k + 1, .label = "drill", .text = part->drills[k], .note = "" };
        for (int d = 0; d < p->n_drills; d++)
            r->said |= strcmp(p->drills[d].drill, part->drills[k]) == 0;
    }
    return n;
}

static bool is_told(const struct briefing *b, const struct session_state *p, int line)
{
    return b->says[line].kind == SAY_HINT ? line_was(p, SESSION_HINTED, b->says[line].index) : line_was(p, SESSION_SAID, line);
}

/* Of hints, and of numbers, the next alone stands beside the pushbacks, so that the digits stay few and where they are. */
static bool is_next(const struct briefing *b, const struct session_state *p, int line)
{
    int kind = b->says[line].kind;
    for (int k = 0; k < line; k++)
        if ((int)b->says[k].kind == kind && !is_told(b, p, k))
            return false;
    for (int k = line + 1; k < b->n_says; k++)
        if ((int)b->says[k].kind == kind && is_told(b, p, line))
            return false;
    return true;
}

/* "hint 2 of 3", "number" where there is one alone. */
static void label_make(char *out, size_t size, const struct briefing *b, int line, const char *name)
{
    int at = 0, of = 0;
    for (int k = 0; k < b->n_says; k++)
        if (b->says[k].kind == b->says[line].kind) {
            of++;
            at += k <= line;
        }
    if (of > 1 && b->says[line].kind >= SAY_NUMBER)
        snprintf(out, size, "%s %d of %d", name, at % 100, of % 100);
    else
        snprintf(out, size, "%s", name);
}

int console_says(struct say_row out[SAYS_MOST], const struct session *s, const struct briefing *b, const struct investigation *i, bool whole)
{
    static const char *const labels[] = { "conviction", "correction", "red herring", "number", "hint" };
    const struct session_state *p = part_of(s);
    int n = 0;
    if (p && s->plan.parts[s->part].kind == PART_DRILLS)
        return drill_says(out, s, &s->plan.parts[s->part]);
    for (int k = 0; b && p && k < b->n_says && n < SAYS_MOST; k++) {
        const struct briefing_say *say = &b->says[k];
        if (!whole && say->kind >= SAY_NUMBER && !is_next(b, p, k))
            continue;
        struct say_row *r = &out[n++];
        *r = (struct say_row){ .what = say->kind == SAY_HINT ? SAY_HELP : say->kind == SAY_NUMBER ? SAY_FIGURE : SAY_PUSHBACK,
                               .index = say->kind == SAY_NUMBER ? k : say->index, .number = k + 1, .text = say->text, .note = say->note };
        label_make(r->label, sizeof r->label, b, k, labels[say->kind]);
        r->said = is_told(b, p, k);
        if (r->what == SAY_PUSHBACK && i && i->pushback == r->index)
            r->said = true;
    }
    return n;
}

/* ---- the ideal reader ---- */

void console_ideal(int *points, const struct variant *v, const struct investigation *i, int n_bought, const struct msg_device *device,
                   const struct evidence *all)
{
    int k = v->story->n_hypotheses;
    struct evidence *bought = mem_new((size_t)n_bought + 1, sizeof *bought), **list = mem_new((size_t)n_bought + 1, sizeof *list);
    bool *flags = mem_new((size_t)v->n_readings + 1, sizeof *flags);
    double likelihood[MAX_HYPOTHESES], push[MAX_HYPOTHESES], even[MAX_HYPOTHESES], after[MAX_HYPOTHESES];
    for (int b = 0; b < n_bought; b++) {
        if (i->bought[b].evidence)
            bought[b] = *i->bought[b].evidence;
        snprintf(bought[b].probe, sizeof bought[b].probe, "%s", i->bought[b].probe);
        list[b] = &bought[b];
    }
    struct scope scope = { .story = v->story, .device = device, .bought = list, .n_bought = n_bought };
    ideal_flags(v, &scope, flags);
    ideal_likelihood(v, flags, likelihood);
    scope.all = all;
    if (i->pushback >= 0 && i->pushback < v->n_pushbacks && n_bought == i->n_bought) {
        ideal_pushback(v, flags, &v->pushbacks[i->pushback], &scope, push);
        for (int h = 0; h < k; h++)
            likelihood[h] *= push[h];
    }
    for (int h = 0; h < k; h++)
        even[h] = 1.0 / k;
    score_posterior(after, even, likelihood, k);
    belief_round(points, after, k, 0);
    free(flags);
    free(list);
    free(bought);
}
