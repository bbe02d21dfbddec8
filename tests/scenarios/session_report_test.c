/* Reports: a made interview with hostile texts, each form parsed back, and what a candidate must not read searched for. */
#include "scenarios/session_report.h"

#include <csv.h>

#include "tests/scenarios/made_interview.h"

enum { COLUMNS = 12 };
#define EVIL "<script>alert(1)</script> | `x` =1 \"q\" 'a' & [l](http://e.org) \\ *b*"
#define FORMULA "=HYPERLINK(\"http://e.org\";\"x\")"
#define PRIVATE "PRIVATE-OPINION"

static int begin_all(void **state)
{
    (void)state;
    return interviews_begin("report", 7000);
}

static struct live *create(bool withhold)
{
    struct session_plan p = {.title = "Kernels " EVIL, .candidate = FORMULA, .level = 1, .tier = "recorded", .withhold = withhold, .n_parts = 3};
    p.parts[0] = (struct session_part){.kind = PART_TALK, .minutes = 5, .title = "How you work", .ask = EVIL};
    p.parts[1] = (struct session_part){.kind = PART_SCENARIO, .minutes = 25, .title = "Sums | " FORMULA, .id = "small/sums/a"};
    p.parts[2] = (struct session_part){.kind = PART_DRILLS, .minutes = 10, .title = "Numbers", .drills = {"memory/bytes"}, .n_drills = 1};
    struct live *l = interview_new(p, NULL);
    set_clock(verb_ms);
    return l;
}

static void move(struct live *l, struct move m)
{
    DO(attempt_move(live_attempt(l), &m, os_monotonic_ms(), &err));
    live_changed(l);
    DO(live_settle(l, &err));
}

static void investigate(struct live *l)
{
    press_belief(l, 1, BELIEF_MORE);
    move(l, (struct move){.kind = MOVE_ESTIMATED, .item = "fixed-time", .answer = "30 us"});
    move(l, (struct move){.kind = MOVE_BOUGHT, .probe = "timing", .evidence = recorded(l, "timing")});
    DO(live_withhold(l, "stalls", false, &err));
    DO(live_hand(l, "memory", recorded(l, "memory"), &err));
    press_belief(l, 0, BELIEF_MORE);
    press_belief(l, 0, BELIEF_MORE);
    DO(live_hint(l, 1, "What does one warp touch?\n" EVIL, &err));
    DO(live_inject(l, FORMULA, &err));
    DO(live_said(l, 0, "SAID-ALOUD " EVIL, &err));
    DO(live_note(l, PRIVATE " " EVIL, false, &err));
    DO(live_note(l, "shared: asks for bytes\nfirst " EVIL, true, &err));
    DO(live_rate(l, "space", 3, &err));
    move(l, (struct move){.kind = MOVE_NOTED, .answer = EVIL});
}

static void commit(struct live *l)
{
    move(l, (struct move){.kind = MOVE_COMMITTED, .line = 8, .remedy = "warps"});
    DO(live_push(l, 0, &err));
    struct move answer = {.kind = MOVE_RESPONDED};
    memcpy(answer.points, attempt_state(live_attempt(l))->points, sizeof answer.points);
    move(l, answer);
}

/* All of an interview but the reveal and the release. */
static struct live *held(bool withhold)
{
    struct session_party p = {.uid = "party-1", .role = "candidate", .name = "Ann <script>alert(1)</script> | `x`", .wall = "confined"};
    struct live *l = create(withhold);
    DO(live_opened(l, "confined", &err));
    DO(live_joined(l, &p, &err));
    DO(live_begin(l, 0, &err));
    DO(live_spoke(l, "first the time\n# then bytes\n" EVIL, &err));
    DO(live_begin(l, 1, &err));
    DO(live_attempt_begin(l, attempt_new(l), &err));
    investigate(l);
    commit(l);
    return l;
}

static void finish(struct live *l)
{
    DO(live_pause(l, true, &err));
    set_clock(60000);
    DO(live_pause(l, false, &err));
    DO(live_begin(l, 2, &err));
    DO(live_drill(l, "memory/bytes", "Bytes of a copy " EVIL, 4, &err));
    DO(live_answer(l, "-1+1 | " EVIL, 41, "right", 1, "DRILL-GRADING", &err));
    DO(live_close(l, &err));
}

static char *written(struct live *l, bool candidate, enum report_format format)
{
    json_t *report = report_make(l, candidate);
    char *text = report_write(report, format);
    json_decref(report);
    return text;
}

/* ---- forms ---- */

static const char *const always[] = {"html", "head", "body", "title", "style", "h1", "h2", "h3", "h4", "p", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "th",
                                     "td", "section", "blockquote", "svg", "text", "span"};
static const char *const alone[] = {"!DOCTYPE", "meta", "path", "polyline"};

static bool among(const char *const *list, size_t n, const char *name)
{
    for (size_t k = 0; k < n; k++)
        if (!strcmp(list[k], name))
            return true;
    return false;
}

/* Every tag is one of ours, closed in order; a < that is none fails. */
static void tags_balance(const char *html)
{
    char open[64][16], name[16];
    int depth = 0;
    for (const char *at = strchr(html, '<'); at; at = strchr(at + 1, '<')) {
        bool closing = at[1] == '/';
        size_t n = strcspn(at + 1 + closing, " >/\n");
        assert_true(n < sizeof name);
        snprintf(name, sizeof name, "%.*s", (int)n, at + 1 + closing);
        const char *stop = strchr(at, '>');
        assert_non_null(stop);
        if (among(alone, sizeof alone / sizeof *alone, name))
            continue;
        if (!among(always, sizeof always / sizeof *always, name))
            fail_msg("a tag from elsewhere: <%s", name);
        if (!closing) {
            assert_true(depth < 64);
            strcpy(open[depth++], name);
        } else if (depth == 0 || strcmp(open[--depth], name)) {
            fail_msg("</%s> closes nothing at %.60s", name, at);
        }
    }
    assert_int_equal(depth, 0);
}

static void html_is_whole_and_escaped(void **state)
{
    (void)state;
    struct live *l = held(true);
    finish(l);
    for (int candidate = 0; candidate < 2; candidate++) {
        char *html = written(l, candidate, REPORT_HTML);
        static const char *const never[] = {"<script", "src=", "href", "url(", "@import", " onload", "javascript:"};
        tags_balance(html);
        for (size_t k = 0; k < sizeof never / sizeof *never; k++)
            if (strstr(html, never[k]))
                fail_msg("%s in the HTML", never[k]);
        assert_non_null(strstr(html, "&lt;script&gt;alert(1)&lt;/script&gt; | `x`"));
        assert_non_null(strstr(html, "<svg viewBox"));
        assert_non_null(strstr(html, "prefers-color-scheme:dark"));
        free(html);
    }
    interview_end(l);
}

static int pipes(const char *line, size_t n)
{
    int count = 0;
    for (size_t k = 0; k < n; k++)
        if (line[k] == '\\')
            k++;
        else
            count += line[k] == '|';
    return count;
}

static void markdown_tables_have_equal_columns(void **state)
{
    (void)state;
    struct live *l = held(true);
    finish(l);
    char *text = written(l, false, REPORT_MARKDOWN);
    int columns = 0, tables = 0;
    for (const char *at = text; *at;) {
        size_t n = strcspn(at, "\n");
        bool row = *at == '|';
        if (row && columns == 0)
            tables++;
        if (row && columns && pipes(at, n) != columns)
            fail_msg("%d columns where %d were: %.*s", pipes(at, n), columns, (int)n, at);
        columns = row ? pipes(at, n) : 0;
        if (!row && memmem(at, n, " | ", 3) && pipes(at, n))
            fail_msg("a bar that is not escaped: %.*s", (int)n, at);
        at += n + (at[n] == '\n');
    }
    assert_true(tables >= 7);
    static const char *const never[] = {"<", "](", "`x`", "*b*", "\n# then"};
    for (size_t k = 0; k < sizeof never / sizeof *never; k++)
        for (const char *at = strstr(text, never[k]); at; at = strstr(at + 1, never[k]))
            if (at == text || at[-1] != '\\')
                fail_msg("%s as it is: %.60s", never[k], at);
    free(text);
    interview_end(l);
}

struct table { int rows, timeline, cells; bool runs, is_timeline; char third[64]; };

static void on_cell(void *cell, size_t n, void *ctx)
{
    struct table *t = ctx;
    t->cells++;
    t->is_timeline = t->cells == 1 ? n == 8 && !memcmp(cell, "timeline", n) : t->is_timeline;
    t->runs |= n && strchr("=+-@\t\r", *(const char *)cell) != NULL;
    if (t->rows == 1 && t->cells == 3)
        snprintf(t->third, sizeof t->third, "%.*s", (int)n, (const char *)cell);
}

static void on_row(int c, void *ctx)
{
    struct table *t = ctx;
    (void)c;
    assert_int_equal(t->cells, COLUMNS);
    t->cells = 0;
    t->timeline += t->is_timeline;
    t->rows++;
}

static void csv_can_be_opened_safely(void **state)
{
    (void)state;
    struct live *l = held(true);
    finish(l);
    json_t *report = report_make(l, false);
    char *text = report_write(report, REPORT_CSV);
    struct csv_parser p;
    struct table t = {0};
    assert_int_equal(csv_init(&p, CSV_STRICT | CSV_STRICT_FINI), 0);
    assert_int_equal(csv_parse(&p, text, strlen(text), on_cell, on_row, &t), strlen(text));
    assert_int_equal(csv_fini(&p, on_cell, on_row, &t), 0);
    csv_free(&p);
    assert_int_equal(t.timeline, json_array_size(json_object_get(report, "timeline")));
    assert_string_equal(t.third, "'" FORMULA);
    assert_false(t.runs);
    static const char *const tables[] = {"summary", "score", "estimate", "belief", "drill", "timeline"};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        char *begins = text_format("\r\n%s,", tables[k]);
        if (!strstr(text, begins))
            fail_msg("no table %s", tables[k]);
        free(begins);
    }
    free(text);
    json_decref(report);
    interview_end(l);
}

static void json_has_the_documented_shape(void **state)
{
    (void)state;
    struct live *l = held(true);
    finish(l);
    char *text = written(l, false, REPORT_JSON);
    json_t *report = json_loads(text, 0, NULL), *part, *scenario, *evidence;
    assert_non_null(report);
    assert_string_equal(json_string_value(json_object_get(report, "format")), "warpdrill-report");
    assert_string_equal(json_string_value(json_object_get(report, "candidate")), FORMULA);
    assert_int_equal(json_integer_value(json_object_get(report, "paused_ms")), 67000);
    part = json_array_get(json_object_get(report, "parts"), 1);
    scenario = json_object_get(part, "scenario");
    assert_string_equal(json_string_value(json_object_get(scenario, "id")), "small/sums/a");
    assert_int_equal(json_integer_value(json_object_get(scenario, "cause")), 0);
    evidence = json_object_get(scenario, "evidence");
    assert_int_equal(json_array_size(evidence), 3);
    static const char *const how[] = {"bought", "withheld", "handed out"};
    for (size_t k = 0; k < 3; k++)
        assert_string_equal(json_string_value(json_object_get(json_array_get(evidence, k), "how")), how[k]);
    assert_int_equal(json_array_size(json_object_get(scenario, "steps")), 5);
    assert_true(json_array_size(json_object_get(scenario, "track")) >= 4);
    json_t *estimate = json_array_get(json_object_get(scenario, "estimates"), 0), *score = json_object_get(scenario, "score");
    assert_true(json_number_value(json_object_get(estimate, "factor")) >= 1);
    assert_int_equal(json_array_size(json_object_get(score, "lines")), 6);
    assert_int_equal(json_array_size(json_object_get(report, "notes")), 2);
    assert_int_equal(json_array_size(json_object_get(report, "lines")), 3);
    json_decref(report);
    free(text);
    interview_end(l);
}

static void in_order(const char *text, const char *const *words)
{
    const char *at = text;
    for (int k = 0; words[k]; k++) {
        const char *found = strstr(at, words[k]);
        if (!found)
            fail_msg("no %s at its place in %s", words[k], text);
        at = found + strlen(words[k]);
    }
}

/* What the interviewer sent and the pauses are one list in order of time; who joined has a time; what was taken back is named, without its text. */
static void everything_has_its_time(void **state)
{
    (void)state;
    struct session_party back = {.uid = "party-1", .role = "candidate", .name = "Ann", .wall = "confined"};
    struct live *l = held(true);
    DO(live_left(l, "party-1", "has left", &err));
    DO(live_pause(l, true, &err));
    DO(live_pause(l, false, &err));
    DO(live_joined(l, &back, &err));
    DO(live_inject(l, "AFTER-THE-PAUSE", &err));
    DO(live_note(l, "TAKEN-BACK", false, &err));
    DO(live_take_back(l, &err));
    json_t *report = report_make(l, false), *people = json_object_get(report, "people"), *first = json_array_get(people, 0);
    assert_int_equal(json_array_size(people), 2);
    const char *utc = json_string_value(json_object_get(first, "utc"));
    assert_int_equal(strncmp(utc, "2026-11-21T12:", 14), 0);
    assert_true(json_integer_value(json_object_get(first, "left_ms")) > 0);
    assert_null(json_object_get(json_array_get(people, 1), "left_ms"));
    for (int f = REPORT_MARKDOWN; f <= REPORT_HTML; f++) {
        char *text = report_write(report, (enum report_format)f);
        in_order(text, (const char *const[]){"Hints, curveballs, pauses", "curveball", "said", "pause", "0:07", "AFTER-THE-PAUSE", "Who joined", utc, "Ann", "Timeline",
                                             "took back", "a note", NULL});
        assert_null(strstr(text, "TAKEN-BACK"));
        free(text);
    }
    json_decref(report);
    interview_end(l);
}

static const char *at_key(const json_t *list, size_t k, const char *key)
{
    return json_string_value(json_object_get(json_array_get(list, k), key));
}

/* The figures that decide stand first, in the list of evidence and in the timeline alike. */
static void evidence_says_what_decides(void **state)
{
    (void)state;
    struct live *l = held(true);
    json_t *report = report_make(l, false), *scenario = json_object_get(json_array_get(json_object_get(report, "parts"), 1), "scenario");
    const char *timing = at_key(json_object_get(scenario, "evidence"), 0, "said"), *memory = at_key(json_object_get(scenario, "evidence"), 2, "said");
    assert_int_equal(strncmp(timing, "time ", 5), 0);
    assert_non_null(strstr(timing, "; share of the copy rate "));
    assert_int_equal(strncmp(memory, "sectors per ", 12), 0);
    char *text = report_write(report, REPORT_CSV), *line = text_format("timing in detail: %s", timing);
    assert_non_null(strstr(text, line));
    free(line);
    free(text);
    json_decref(report);
    interview_end(l);
}

/* Revealed before anybody pushed back: the pushback that the seed would have given is not told as one, and an estimate that never came is not asked. */
static void what_never_came_is_not_told(void **state)
{
    (void)state;
    struct live *l = create(false);
    DO(live_begin(l, 1, &err));
    DO(live_attempt_begin(l, attempt_new(l), &err));
    press_belief(l, 1, BELIEF_MORE);
    move(l, (struct move){.kind = MOVE_COMMITTED});
    for (const struct estimate *e; (e = investigation_left(attempt_state(live_attempt(l))));) {
        struct move unasked = {.kind = MOVE_ESTIMATED, .left = LEFT_UNASKED};
        snprintf(unasked.item, sizeof unasked.item, "%s", e->id);
        move(l, unasked);
    }
    struct move answer = {.kind = MOVE_RESPONDED};
    memcpy(answer.points, attempt_state(live_attempt(l))->points, sizeof answer.points);
    move(l, answer);
    DO(live_revealed(l, &err));
    DO(live_close(l, &err));
    json_t *report = report_make(l, false), *scenario = json_object_get(json_array_get(json_object_get(report, "parts"), 1), "scenario");
    json_t *steps = json_object_get(scenario, "steps"), *lines = json_object_get(json_object_get(scenario, "score"), "lines");
    assert_true(attempt_variant(live_attempt_of(l, 1, NULL))->n_pushbacks > 0);
    assert_null(json_object_get(scenario, "pushback"));
    assert_string_equal(json_string_value(json_object_get(json_object_get(scenario, "lessons"), "pushback")), "");
    assert_string_equal(at_key(steps, 2, "after"), "the end");
    assert_true(json_integer_value(json_object_get(json_array_get(steps, 2), "at_ms")) > 0);
    assert_string_equal(at_key(json_object_get(scenario, "estimates"), 0, "given"), "not asked");
    assert_non_null(strstr(at_key(lines, 2, "why"), "nothing is lost"));
    assert_float_equal(json_number_value(json_object_get(json_array_get(lines, 2), "points")), 20, 1e-9);
    json_object_set_new(json_array_get(lines, 0), "points", json_real(-0.2));
    char *text = report_write(report, REPORT_MARKDOWN);
    assert_non_null(strstr(text, "| cause | 0 | 40 |"));
    free(text);
    json_decref(report);
    interview_end(l);
}

/* ---- what a candidate may read ---- */

static const char *const truths[] = {"mem.uncoalesced", "small/sums/a", "\"cause\"", "\"truth\"", "\"ideal\"", "\"headline\"", "teaches", "\"factor\"", "\"kind\": \"conviction\"",
                                     "right_place", "lessons", "\"score\"", "ideal reader"};

static void no_form_holds(struct live *l, const char *const *what, size_t n)
{
    for (int f = 0; f < 4; f++) {
        char *text = written(l, true, (enum report_format)f);
        for (size_t k = 0; k < n; k++)
            if (strstr(text, what[k]))
                fail_msg("form %d holds %s", f, what[k]);
        free(text);
    }
}

static bool holds(struct live *l, bool candidate, const char *what)
{
    char *text = written(l, candidate, REPORT_JSON);
    bool found = strstr(text, what) != NULL;
    free(text);
    return found;
}

/* ---- tables and timeline are one ---- */

static const json_t *scenario_of(const json_t *report)
{
    return json_object_get(json_array_get(json_object_get(report, "parts"), 1), "scenario");
}

/* What the timeline says at that moment of the hypothesis `label` ends in the same figure as the table. */
static void told_alike(const json_t *report, const json_t *step, const char *label, long long percent)
{
    long long at = json_integer_value(json_object_get(step, "at_ms"));
    size_t k;
    json_t *row;
    char *ends = text_format(" to %lld %%", percent);
    bool found = false;
    json_array_foreach(json_object_get(report, "timeline"), k, row) {
        const char *text = json_string_value(json_object_get(row, "text")), *named = strstr(text, label);
        bool same = json_integer_value(json_object_get(row, "at_ms")) == at, moved = !strcmp(json_string_value(json_object_get(row, "what")), "moved beliefs");
        found |= same;
        if (same && moved && named && !strstr(named, ends))
            fail_msg("%lld in the table, and in the timeline %s", percent, text);
    }
    free(ends);
    if (!found)
        fail_msg("nothing in the timeline at %lld ms", at);
}

/* The first row is the even start, and every row stands at a moment of the timeline with the same figures. */
static void beliefs_stand_at_the_moments_of_the_timeline(void **state)
{
    (void)state;
    struct live *l = held(true);
    json_t *report = report_make(l, false);
    const json_t *scenario = scenario_of(report), *steps = json_object_get(scenario, "steps"), *labels = json_object_get(scenario, "hypotheses");
    int even[MAX_HYPOTHESES];
    size_t k, h;
    json_t *step, *theirs;
    belief_even(even, (int)json_array_size(labels));
    for (size_t i = 0; i < json_array_size(labels); i++)
        assert_int_equal(json_integer_value(json_array_get(json_object_get(json_array_get(steps, 0), "theirs"), i)), even[i]);
    json_array_foreach(steps, k, step)
        if (k > 0)
            json_array_foreach(json_object_get(step, "theirs"), h, theirs)
                told_alike(report, step, json_string_value(json_array_get(labels, h)), json_integer_value(theirs));
    assert_string_equal(at_key(steps, 1, "after"), "the story alone");
    assert_string_equal(at_key(steps, 4, "after"), "the answer to the pushback");
    json_decref(report);
    interview_end(l);
}

/* ---- words ---- */

static const char *line_of(const json_t *report, const char *name)
{
    size_t k;
    json_t *row;
    json_array_foreach(json_object_get(report, "summary"), k, row)
        if (!strcmp(json_string_value(json_object_get(row, "name")), name))
            return json_string_value(json_object_get(row, "text"));
    return "";
}

static void has(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("no \"%s\" in: %s", words, text);
}

/* Five lines on top; to the interviewer it is told of them, to the candidate of you. */
static void a_summary_stands_on_top(void **state)
{
    (void)state;
    struct live *l = held(true);
    DO(live_revealed(l, &err));
    finish(l);
    DO(live_release(l, &err));
    json_t *theirs = report_make(l, false), *yours = report_make(l, true);
    has(line_of(theirs, "candidate"), "level 1, ");
    has(line_of(theirs, "causes found"), "1 of 1: ");
    has(line_of(theirs, "scores"), " of 100 (cause ");
    has(line_of(theirs, "scores"), "drills 1.00 of 1");
    has(line_of(theirs, "grades"), "3 of 4, 1 of 8 signals graded: names the space before buying 3");
    has(line_of(theirs, "help"), "1 hint, 1 curveball, 1 result handed out, 1 result withheld");
    char *of_them = report_write(theirs, REPORT_MARKDOWN), *of_you = report_write(yours, REPORT_MARKDOWN);
    in_order(of_them, (const char *const[]){"**candidate**", "**causes found**", "**scores**", "**grades**", "**help**", "## The interview", "## Parts", "They had it at", NULL});
    has(of_you, "You had it at");
    has(of_you, "| yours |");
    assert_null(strstr(of_them, "You had it at"));
    assert_null(strstr(of_you, "They had it at"));
    has(of_them, "Bytes of a copy");
    has(of_them, "**cheapest way** m 3 = 3 min");       /* they paid less, and did not get there */
    assert_null(strstr(of_them, "**cheaper**"));
    free(of_them);
    free(of_you);
    json_decref(theirs);
    json_decref(yours);
    interview_end(l);
}

/* A curveball that was taken back is told to the interviewer with its text, to the candidate not; grades have their moment; no score says why. */
static void words_are_those_of_users(void **state)
{
    (void)state;
    static const char *const internal[] = {"undone", "rated", "injected", "hinted", "drilled", "responded"};
    struct live *l = create(true);
    DO(live_begin(l, 1, &err));
    DO(live_attempt_begin(l, attempt_new(l), &err));
    investigate(l);
    DO(live_inject(l, "CURVED " FORMULA, &err));
    DO(live_take_back(l, &err));
    DO(live_rate(l, "aloud", 2, &err));
    DO(live_quiet(l, 180, &err));
    DO(live_extend(l, -10, &err));
    DO(live_close(l, &err));
    json_t *report = report_make(l, false);
    for (int f = REPORT_MARKDOWN; f <= REPORT_CSV; f++) {
        char *text = report_write(report, (enum report_format)f);
        for (size_t k = 0; k < sizeof internal / sizeof *internal; k++)
            if (strstr(text, internal[k]))
                fail_msg("%s in the report", internal[k]);
        has(text, "CURVED");
        has(text, "can be followed: 2 of 4");
        has(text, "part 2 now lasts 15 min");
        has(text, "begins, 180 s at most");
        has(text, "there was no last word");
        free(text);
    }
    assert_true(holds(l, false, "taken_back_ms") && !holds(l, true, "CURVED"));
    json_decref(report);
    interview_end(l);
}

static void a_candidate_reads_what_is_theirs(void **state)
{
    (void)state;
    static const char *const never[] = {PRIVATE, "SAID-ALOUD"}, *const later[] = {"DRILL-GRADING", "\"grade\"", "Rubric</h2>", "## Rubric"};
    struct live *l = held(true);
    no_form_holds(l, truths, sizeof truths / sizeof *truths);
    DO(live_revealed(l, &err));
    finish(l);
    assert_true(holds(l, true, "\"truth\"") && holds(l, true, "small/sums/a"));
    assert_false(holds(l, true, "\"score\"") || holds(l, true, "\"ideal\"") || holds(l, true, "\"headline\"") || holds(l, true, "\"factor\""));
    no_form_holds(l, later, sizeof later / sizeof *later);
    assert_true(holds(l, true, "withheld until the interviewer releases them"));
    no_form_holds(l, never, 2);
    DO(live_release(l, &err));
    assert_true(holds(l, true, "\"score\"") && holds(l, true, "DRILL-GRADING") && holds(l, true, "\"anchor\"") && holds(l, true, "\"ideal\""));
    no_form_holds(l, never, 2);
    assert_true(holds(l, true, "shared: asks"));
    assert_true(holds(l, false, PRIVATE) && holds(l, false, "SAID-ALOUD"));
    interview_end(l);
}

static void released_scores_tell_no_truth_that_was_not_revealed(void **state)
{
    (void)state;
    struct live *l = held(false);
    finish(l);
    DO(live_release(l, &err));
    no_form_holds(l, truths, sizeof truths / sizeof *truths);
    assert_true(holds(l, true, "DRILL-GRADING"));
    interview_end(l);
}

static void an_interviewers_score_waits_for_the_rubric(void **state)
{
    (void)state;
    struct live *l = held(true);
    assert_true(holds(l, false, "\"truth\"") && !holds(l, false, "\"score\"") && holds(l, false, "until every signal"));
    for (int k = 0; k < live_session(l)->plan.n_signals; k++)
        DO(live_rate(l, live_session(l)->plan.signals[k].id, 2, &err));
    assert_true(holds(l, false, "\"score\""));
    interview_end(l);
}

/* ---- odd ones ---- */

static void an_empty_interview_has_a_report(void **state)
{
    (void)state;
    struct live *l = create(true);
    for (int f = 0; f < 4; f++)
        for (int candidate = 0; candidate < 2; candidate++) {
            char *text = written(l, candidate, (enum report_format)f);
            assert_true(strlen(text) > 40);
            if (f == REPORT_HTML)
                tags_balance(text);
            free(text);
        }
    assert_true(holds(l, false, "\"state\": \"not begun\""));
    interview_end(l);
}

/* The host died in the middle of the investigation; somebody else reads what it left. */
static void one_that_was_killed_has_a_report(void **state)
{
    (void)state;
    struct live *l = create(true), *again = NULL;
    char id[64];
    DO(live_begin(l, 1, &err));
    DO(live_attempt_begin(l, attempt_new(l), &err));
    investigate(l);
    snprintf(id, sizeof id, "%s", live_id(l));
    live_free(l);
    DO(live_open(&again, id, true, &err));
    assert_true(holds(again, false, "\"state\": \"running\"") && holds(again, false, "handed out") && !holds(again, false, "\"commitment\""));
    char *html = written(again, false, REPORT_HTML);
    tags_balance(html);
    free(html);
    interview_end(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(html_is_whole_and_escaped),
        cmocka_unit_test(markdown_tables_have_equal_columns),
        cmocka_unit_test(csv_can_be_opened_safely),
        cmocka_unit_test(json_has_the_documented_shape),
        cmocka_unit_test(everything_has_its_time),
        cmocka_unit_test(evidence_says_what_decides),
        cmocka_unit_test(what_never_came_is_not_told),
        cmocka_unit_test(beliefs_stand_at_the_moments_of_the_timeline),
        cmocka_unit_test(a_summary_stands_on_top),
        cmocka_unit_test(words_are_those_of_users),
        cmocka_unit_test(a_candidate_reads_what_is_theirs),
        cmocka_unit_test(released_scores_tell_no_truth_that_was_not_revealed),
        cmocka_unit_test(an_interviewers_score_waits_for_the_rubric),
        cmocka_unit_test(an_empty_interview_has_a_report),
        cmocka_unit_test(one_that_was_killed_has_a_report),
    };
    return cmocka_run_group_tests_name("session_report", tests, begin_all, interviews_end);
}
