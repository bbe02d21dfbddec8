/* Entries of the log in words: pure, for the console and for replay. */
#include "tui/interview/console_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/play/headline.h"
#include "scenarios/play/ranking.h"
#include "scenarios/play/scoring.h"
#include "tui/interview/console_answer.h"
#include "tui/kit/draw.h"
#include "tui/play/investigation_screen.h"
#include "tui/play/notebook.h"

void console_clock(char *out, size_t size, int64_t ms)
{
    long s = (long)((ms < 0 ? 0 : ms) / 1000);
    snprintf(out, size, "%ld:%02ld", s / 60, s % 60);
}

static void put(char *out, size_t size, const char *what, const char *text)
{
    snprintf(out, size, "%-*s%s", MOVE_WHAT, what, text ? text : "");
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

static struct note_frame frame_of(const struct console_view *v, const struct interview_entry *e)
{
    return (struct note_frame){
        .variant = e->of->variant, .device = v->device, .tier = e->of->tier
    };
}

/* "stores 32, loads 4": the two figures that decide. */
static void evidence_text(char *out, size_t size, const struct console_view *v,
                          const struct interview_entry *e)
{
    struct headline two[2];
    int n = headlines_of(two, 2, e->of->variant, e->move->probe, e->move->evidence, v->device);
    if (n == 0)
        snprintf(out, size, "%s", brief_of(e->of->story, e->move->probe));
    else
        snprintf(out, size, n > 1 ? "%s %s, %s %s" : "%s %s", two[0].brief, two[0].value,
                 two[1].brief, two[1].value);
}

static void bought_text(char *out, size_t size, const struct console_view *v,
                        const struct interview_entry *e, bool handed)
{
    char what[16], text[256];
    evidence_text(text, sizeof text, v, e);
    snprintf(what, sizeof what, handed ? "%c given" : "%c",
             letter_of(e->of->story, e->move->probe));
    put(out, size, what, text);
}

/* "low: right" once the number is there, as the notebook judges it. */
static void called_text(char *out, size_t size, const struct console_view *v,
                        const struct interview_entry *e)
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
                verdict = strstr(n.row[i].label, ", right")   ? ": right"
                          : strstr(n.row[i].label, ", wrong") ? ": wrong"
                                                              : "";
        note_free(&n);
    }
    char text[192];
    snprintf(text, sizeof text, "%c, %s%s", letter_of(e->of->story, e->move->probe),
             e->move->answer, verdict);
    put(out, size, "call", text);
}

static bool has_points(const struct move *m)
{
    return m->kind == MOVE_BELIEVED || m->kind == MOVE_RESPONDED;
}

/* Beliefs before a move of the same investigation, as they were shown. */
static void percent_before(int *percent, const struct interview_entry *e)
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
        belief_show(percent, i->moves[at].odds, i->moves[at].points, i->story->n_hypotheses);
    else
        belief_show_even(percent, i->story->n_hypotheses);
}

/* "6       14 to 30 too few loads": the belief that moved most, by its digit; its name last, where
 * a short row cuts it. */
static void believed_text(char *out, size_t size, const struct interview_entry *e)
{
    const struct story *story = e->of->story;
    int before[MAX_HYPOTHESES], after[MAX_HYPOTHESES], most = 0;
    char what[16], text[64];
    percent_before(before, e);
    belief_show(after, e->move->odds, e->move->points, story->n_hypotheses);
    for (int h = 1; h < story->n_hypotheses; h++)
        if (abs(after[h] - before[h]) > abs(after[most] - before[most]))
            most = h;
    if (after[most] == before[most]) {
        put(out, size, e->move->kind == MOVE_RESPONDED ? "holds" : "beliefs", "unchanged");
        return;
    }
    snprintf(what, sizeof what, "%d", investigation_digit(story, most));
    snprintf(text, sizeof text, "%2d to %2d%s %s", before[most], after[most],
             e->move->kind == MOVE_RESPONDED ? ", last word" : "", story->hypotheses[most]->brief);
    put(out, size, what, text);
}

static void asked_text(char *out, size_t size, const struct interview_entry *e)
{
    const struct story *s = e->of->story;
    char text[320] = "";
    if (e->move->question >= 0 && e->move->question < s->n_questions)
        snprintf(text, sizeof text, "%.150s %.150s", s->questions[e->move->question].ask,
                 s->questions[e->move->question].answer);
    put(out, size, "asked", text);
}

static void committed_text(char *out, size_t size, const struct interview_entry *e)
{
    const struct story *s = e->of->story;
    char text[320], spot[160];
    const char *remedy = "";
    for (int r = 0; r < s->n_remedies; r++)
        if (strcmp(s->remedies[r].id, e->move->remedy) == 0)
            remedy = s->remedies[r].text;
    story_spot(spot, sizeof spot, s, e->move->line);
    if (!e->move->remedy[0])
        snprintf(text, sizeof text, "beliefs as they stand"); /* by whomever: a reveal does too */
    else
        snprintf(text, sizeof text, "%s; %s", spot, remedy);
    int left = story_hypothesis(s, e->move->then);
    if (left >= 0 && strlen(text) < sizeof text)
        snprintf(text + strlen(text), sizeof text - strlen(text), "; left then: %s",
                 ranking_label(s, left));
    put(out, size, e->move->remedy[0] ? "commits" : "locks", text);
}

static const char *push_name(enum push_kind k)
{
    return k == PUSH_CONVICTION   ? "conviction"
           : k == PUSH_CORRECTION ? "correction"
                                  : "red herring";
}

static void pushed_text(char *out, size_t size, const struct interview_entry *e)
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
static const char *note_news(const struct interview_entry *e)
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

static void noted_text(char *out, size_t size, const struct interview_entry *e)
{
    char text[320];
    const char *news = note_news(e);
    snprintf(text, sizeof text, draw_utf8() ? "\u201c%.300s\u201d" : "\"%.300s\"", news);
    put(out, size, "wrote", *news ? text : "nothing new: words were taken out");
}

/* "right", "2.2 x too low": held against what SAY NEXT says of that question; "" where nothing is
 * known. */
static void verdict_text(char *out, size_t size, const struct briefing_say *say,
                         const struct estimate *estimate, const char *typed)
{
    struct graded g = { .estimate = estimate };
    out[0] = '\0';
    if (!say || say->truth <= 0)
        return;
    estimate_grade(&g, typed, estimate->unit, say->truth, say->within, NULL, 0, 1);
    if (g.how == GRADED_RIGHT)
        snprintf(out, size, "right");
    else if (g.how == GRADED_UNREADABLE || g.how == GRADED_WRONG_DIM)
        snprintf(out, size, g.how == GRADED_WRONG_DIM ? "in another unit" : "no number");
    else if (g.factor > 0)
        snprintf(out, size, g.factor < 10 ? "%.1f x too %s" : "%.0f x too %s", g.factor,
                 g.given < g.truth ? "low" : "high");
}

/* "floor time 0.24 ms, 2.2 x too high" */
static void estimated_text(char *out, size_t size, const struct console_view *v,
                           const struct interview_entry *e)
{
    const struct story *s = e->of->story;
    const struct estimate *estimate = NULL;
    const struct briefing_say *say = NULL;
    char name[48], text[256], verdict[32] = "";
    snprintf(name, sizeof name, "%s", e->move->item);
    for (char *at = name; *at; at++)
        *at = *at == '-' || *at == '_' ? ' ' : *at;
    for (int k = 0; k < s->n_estimates; k++)
        estimate = strcmp(s->estimates[k].id, e->move->item) == 0 ? &s->estimates[k] : estimate;
    for (int k = 0; v->briefing && estimate && k < v->briefing->n_says; k++)
        if (v->briefing->says[k].kind == SAY_NUMBER &&
            v->briefing->says[k].index == (int)(estimate - s->estimates))
            say = &v->briefing->says[k];
    if (estimate && e->move->answer[0] && v->variant &&
        v->variant->story->n_estimates == s->n_estimates)
        verdict_text(verdict, sizeof verdict, say, estimate, e->move->answer);
    if (e->move->answer[0])
        snprintf(text, sizeof text, "%s %s%s%s", name, e->move->answer, verdict[0] ? ", " : "",
                 verdict);
    else
        snprintf(text, sizeof text, "%s: %s", name,
                 e->move->left == LEFT_CUT ? "cut off by the reveal" : "skipped");
    put(out, size, "says", text);
}

static void move_text(char *out, size_t size, const struct console_view *v,
                      const struct interview_entry *e)
{
    const struct move *m = e->move;
    switch (m->kind) {
    case MOVE_ASKED: asked_text(out, size, e); break;
    case MOVE_CALLED: called_text(out, size, v, e); break;
    case MOVE_BELIEVED:
    case MOVE_RESPONDED: believed_text(out, size, e); break;
    case MOVE_ESTIMATED: estimated_text(out, size, v, e); break;
    case MOVE_BOUGHT: bought_text(out, size, v, e, false); break;
    case MOVE_COMMITTED: committed_text(out, size, e); break;
    case MOVE_PUSHED: pushed_text(out, size, e); break;
    case MOVE_ABANDONED: put(out, size, "gave up", ""); break;
    case MOVE_NAMED:
        put(out, size, "named",
            m->text        ? m->text
            : m->answer[0] ? m->answer
                           : "no causes: left out");
        break;
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

static void answered_text(char *out, size_t size, const struct session *s,
                          const struct session_event *e)
{
    char text[320];
    console_answer_words(text, sizeof text, s,
                         &(struct console_answer){e->answer ? e->answer : "", e->role,
                                                  e->text ? e->text : "", e->points});
    put(out, size, "answer", text);
}

/* Who comes and goes, and the clock; false: something else. */
static bool running_text(char *out, size_t size, const struct console_view *v,
                         const struct session_event *e)
{
    char words[256];
    switch (e->kind) {
    case SESSION_BEGAN: put(out, size, "begins", part_title(v->session, e->part)); return true;
    case SESSION_FINISHED: put(out, size, "ends", part_title(v->session, e->part)); return true;
    case SESSION_OPENED: put(out, size, "host", "the interviewer is here"); return true;
    case SESSION_JOINED:
        snprintf(words, sizeof words, "%s%s", e->who,
                 strcmp(e->role, "observer") ? "" : ", observing");
        put(out, size, "joins", words);
        return true;
    case SESSION_LEFT: put(out, size, "leaves", e->text); return true;
    case SESSION_PAUSED: put(out, size, "pause", ""); return true;
    case SESSION_RESUMED: put(out, size, "goes on", ""); return true;
    case SESSION_EXTENDED:
        snprintf(words, sizeof words, "part %d lasts %d min",
                 (e->part < 0 ? e->in_part : e->part) + 1, e->number);
        put(out, size, "time", words);
        return true;
    case SESSION_QUIET: put(out, size, "quiet", e->number ? "begins" : "over"); return true;
    case SESSION_CLOSED: put(out, size, "closed", "the interview is over"); return true;
    default: return false;
    }
}

static void session_text(char *out, size_t size, const struct console_view *v,
                         const struct session_event *e);

/* "hint: What does one warp touch?": what an entry says without its column. */
static void spoken(char *out, size_t size, const char *text)
{
    size_t what = strcspn(text, " "), words = what + strspn(text + what, " ");
    snprintf(out, size, text[words] ? "%.*s: %s" : "%.*s", (int)what, text, text + words);
}

void console_event_words(char *out, size_t size, const struct console_view *v,
                         const struct session_event *e)
{
    char text[512];
    session_text(text, sizeof text, v, e);
    spoken(out, size, text);
}

/* What was taken back, by its own words: it stands nowhere else any more. */
static void undone_text(char *out, size_t size, const struct console_view *v,
                        const struct session_event *e)
{
    char words[400] = "";
    for (int k = 0; k < v->session->events; k++)
        if (strcmp(v->session->log[k]->uid, e->name) == 0)
            console_event_words(words, sizeof words, v, v->session->log[k]);
    put(out, size, "undo", words);
}

static void revealed_text(char *out, size_t size, const struct console_view *v,
                          const struct session_event *e)
{
    char words[200];
    bool own = e->part == e->in_part;
    snprintf(words, sizeof words,
             own ? "the truth is on their screen" : "the truth of part %d is on their screen: %s",
             e->part + 1, part_title(v->session, e->part));
    put(out, size, "reveal", words);
}

static int lines_in(const char *text)
{
    int n = 0;
    for (const char *at = text; at && *at; at++)
        n += *at == '\n' || !at[1];
    return n;
}

/* "try 2: right, 3.2 times as fast as the suspect", of what is not right its first line of why. */
static void judged_text(char *out, size_t size, const struct session_event *e)
{
    struct mend_verdict v;
    char line[240], words[400];
    mend_decode(&v, e->verdict);
    mend_headline(line, sizeof line, &v);
    snprintf(words, sizeof words, "try %d %s%s%.*s", e->number, line, *v.why ? ": " : "",
             (int)(strcspn(v.why, "\n") < 120 ? strcspn(v.why, "\n") : 120), v.why);
    put(out, size, "verdict", words);
}

static void session_text(char *out, size_t size, const struct console_view *v,
                         const struct session_event *e)
{
    const struct story *story = v->variant ? v->variant->story : NULL;
    char words[256];
    if (running_text(out, size, v, e))
        return;
    switch (e->kind) {
    case SESSION_WITHHELD:
        snprintf(words, sizeof words, "%s%s", story ? brief_of(story, e->name) : e->name,
                 e->flag ? ", to be had again" : ", kept back");
        put(out, size, "evid.", words);
        break;
    case SESSION_HINTED: put(out, size, "hint", e->text); break;
    case SESSION_SAID: put(out, size, "said", e->text); break;
    case SESSION_INJECTED: put(out, size, "sent", e->text); break;
    case SESSION_QUEUED:
        put(out, size, e->number < 0 ? "undo" : "waits",
            e->number < 0 ? "the pushback that waited" : "a pushback, until they have answered");
        break;
    case SESSION_DRILLED: put(out, size, "drill", e->text && *e->text ? e->text : e->name); break;
    case SESSION_ANSWERED: answered_text(out, size, v->session, e); break;
    case SESSION_RATED:
        snprintf(words, sizeof words, e->number ? "%.180s: %d" : "%.180s: none",
                 session_signal_title(v->session, e->name), e->number);
        put(out, size, "grade", words);
        break;
    case SESSION_REVEALED: revealed_text(out, size, v, e); break;
    case SESSION_MENDING:
        put(out, size, "fix", e->flag ? "no longer asked for" : "is asked for");
        break;
    case SESSION_TRIED:
        snprintf(words, sizeof words, "handed in, %d lines", lines_in(e->text));
        put(out, size, "try", words);
        break;
    case SESSION_JUDGED: judged_text(out, size, e); break;
    case SESSION_HELPED:
        snprintf(words, sizeof words, "step %d of help was asked for", e->number);
        put(out, size, "help", words);
        break;
    case SESSION_RELEASED: put(out, size, "release", "scores may be seen"); break;
    case SESSION_UNDONE: undone_text(out, size, v, e); break;
    case SESSION_NOTED: put(out, size, "note", e->text); break;
    default: put(out, size, session_kind_name(e->kind), e->text); break;
    }
}

static bool by_scribe(const struct interview_entry *e)
{
    return e->move ? e->move->scribe : e->event && e->event->scribe;
}

/* Before the words, since a short row cuts their end. */
static void add_scribe(char *out, size_t size)
{
    static const char says[] = "scribe: ";
    size_t what = strcspn(out, " "), n = strlen(out);
    what += strspn(out + what, " ");
    if (n + sizeof says > size)
        n = size - sizeof says;
    memmove(out + what + sizeof says - 1, out + what, n > what ? n - what : 0);
    memcpy(out + what, says, sizeof says - 1);
    out[(n > what ? n : what) + sizeof says - 1] = '\0';
}

void console_entry_text(char *out, size_t size, const struct console_view *v, int entry)
{
    const struct interview_entry *e = &v->entries[entry];
    out[0] = '\0';
    if (e->move && e->of)
        move_text(out, size, v, e);
    else if (e->event)
        session_text(out, size, v, e->event);
    if (by_scribe(e))
        add_scribe(out, size);
    text_clean(out, strlen(out));
    for (char *at = out; *at; at++)
        if (*at == '\n' || *at == '\t')
            *at = ' ';
}

/* What the candidate wrote: a note, or the causes in their own words; NULL: this entry is neither.
 */
static const char *written(const struct interview_entry *e)
{
    if (!e->move || !e->of)
        return NULL;
    const char *text = e->move->kind == MOVE_NOTED   ? note_news(e)
                       : e->move->kind == MOVE_NAMED ? note_of(e->move)
                                                     : "";
    return *text ? text : NULL;
}

/* The shared notes of a part of talk, whole, where they were kept there last; NULL: this entry is
 * none, or a later one takes its place. */
static const char *spoke(const struct console_view *v, int entry, int until)
{
    const struct interview_entry *e = &v->entries[entry];
    if (!e->event || e->event->kind != SESSION_SPOKE || !e->event->text || !e->event->text[0])
        return NULL;
    for (int k = entry + 1; k < until; k++)
        if (v->entries[k].event && v->entries[k].event->kind == SESSION_SPOKE &&
            v->entries[k].part == e->part)
            return NULL;
    return e->event->text;
}

int console_notes(struct console_note *out, int most, const struct console_view *v)
{
    int quiet = console_quiet_from(v), n = 0;
    for (int k = 0; k < v->n_entries; k++) {
        const struct interview_entry *e = &v->entries[k];
        const char *theirs = k < quiet ? written(e) : NULL;
        theirs = !theirs && k < quiet ? spoke(v, k, quiet) : theirs;
        bool own = e->event && e->event->kind == SESSION_NOTED && !e->event->undone;
        if (!theirs && !own)
            continue;
        if (n == most)
            memmove(out, out + 1, (size_t)--n * sizeof *out);
        out[n++] = (struct console_note){e->elapsed_ms,
                                         theirs           ? "theirs"
                                         : e->event->flag ? "shared"
                                                          : "",
                                         theirs ? theirs : e->event->text};
    }
    return n;
}
