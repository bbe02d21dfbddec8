/* Keys of the debrief: what is offered, and what only says why it does nothing here. */
#include "tui/app/app_data.h"
#include "tui/app/app_runner.h"
#include "tui/play/debrief_screen.h"

#include "tui/mend/mend.h"
#include "tui/play/investigation_keys.h"

static const struct binding end_rows[] = {
    {ACT_ENTER, "Enter", "next", "the next scenario"},
    {ACT_UP, "Up k", NULL, "up: the source's line, the notebook's block"},
    {ACT_DOWN, "Down j", NULL, "down"},
    KEYS_PAGES,
    KEYS_ENDS,
    KEYS_FIND,
    {ACT_BACK, "Esc", NULL, "stop the fix that runs, else back to the first page; there: leave"},
};

static const struct key_list end = {KEY_ROWS(end_rows)};

static const struct binding other_rows[] = {
    {ACT_OTHER_CAUSE, "v", "other cause", "the same story again with another cause"},
};

static const struct binding no_other_rows[] = {
    {ACT_OTHER_CAUSE, "v", NULL, "the same story again with another cause, where it has several"},
};

static const struct key_list other[] = {{KEY_ROWS(no_other_rows), .more = &end},
                                        {KEY_ROWS(other_rows), .more = &end}};

#define MEND \
    {ACT_MEND, "m", "mend", "mend it yourself: your own text, judged and raced at each save"}
#define NO_MEND {ACT_MEND, "m", NULL, NULL}
#define RUN_FIX(label) \
    {ACT_RUN_FIX, "f", label, "run the fix beside the suspect, where there is a GPU"}
static const struct binding neither_rows[] = {NO_MEND, RUN_FIX(NULL)};
static const struct binding live_rows[] = {NO_MEND, RUN_FIX("run fix live")};
static const struct binding mend_rows[] = {MEND, RUN_FIX(NULL)};
static const struct binding both_rows[] = {MEND, RUN_FIX("run fix live")};

#define FIX(rows) {{KEY_ROWS(rows), .more = &other[0]}, {KEY_ROWS(rows), .more = &other[1]}}
static const struct key_list fix[][2][2] = {{FIX(neither_rows), FIX(live_rows)},
                                            {FIX(mend_rows), FIX(both_rows)}};

static const struct binding code_rows[] = {
    {ACT_DIGIT, "1-4", NULL, "a page of the debrief"},
    {ACT_TAB, "Tab", NULL, "the next page"},
    {ACT_BELIEFS, "b", "beliefs", "your beliefs beside the ideal reader's, step by step"},
    {ACT_CODE, "c", "code", "why, and the lines that changed"},
    {ACT_EVIDENCE, "e", "evidence",
     "everything you bought, and what it meant; again: the chosen number explained"},
};
#define CODE(mend, live, again) \
    {KEY_ROWS(code_rows), .more = &fix[mend][live][again], .how = play_how}
#define CODES(mend) {{CODE(mend, 0, 0), CODE(mend, 0, 1)}, {CODE(mend, 1, 0), CODE(mend, 1, 1)}}
static const struct key_list code[][2][2] = {CODES(0), CODES(1)};

static const struct binding case_rows[] = {
    {ACT_DIGIT, "1-4", NULL, "a page of the debrief"},
    {ACT_TAB, "Tab", NULL, "the next page"},
    {ACT_BELIEFS, "b", "beliefs", "your beliefs beside the ideal reader's, step by step"},
    {ACT_CODE, "c", NULL, NULL},
    {ACT_EVIDENCE, "e", "evidence",
     "everything you bought, and what it meant; again: the chosen number explained"},
    {ACT_RUN_FIX, "f", NULL, NULL},
};

static const struct key_list cases[] = {{KEY_ROWS(case_rows), .more = &other[0], .how = play_how},
                                        {KEY_ROWS(case_rows), .more = &other[1], .how = play_how}};

/* In an interview the interviewer goes on. */
static const struct binding asked_end_rows[] = {
    {ACT_MEND, "m", NULL, NULL},
    {ACT_RUN_FIX, "f", NULL, NULL},
    {ACT_OTHER_CAUSE, "v", NULL, NULL},
    {ACT_ENTER, "Enter", NULL, NULL},
    {ACT_UP, "Up k", NULL, "up: the source's line, the notebook's block"},
    {ACT_DOWN, "Down j", NULL, "down"},
    KEYS_PAGES,
    KEYS_ENDS,
    KEYS_FIND,
    {ACT_BACK, "Esc", NULL, "back to the first page"},
};

static const struct key_list asked_end = {KEY_ROWS(asked_end_rows)};

static const struct binding asked_code_rows[] = {
    {ACT_DIGIT, "1-4", "Tab pages", "a page of the debrief"},
    {ACT_TAB, "Tab", NULL, "the next page"},
    {ACT_BELIEFS, "b", "beliefs", "your beliefs beside the ideal reader's, step by step"},
    {ACT_CODE, "c", "code", "why, and the lines that changed"},
    {ACT_EVIDENCE, "e", "evidence",
     "everything you bought, and what it meant; again: the chosen number explained"},
};

static const struct binding asked_case_rows[] = {
    {ACT_DIGIT, "1-4", "Tab pages", "a page of the debrief"},
    {ACT_TAB, "Tab", NULL, "the next page"},
    {ACT_BELIEFS, "b", "beliefs", "your beliefs beside the ideal reader's, step by step"},
    {ACT_CODE, "c", NULL, NULL},
    {ACT_EVIDENCE, "e", "evidence",
     "everything you bought, and what it meant; again: the chosen number explained"},
};

static const struct key_list asked[] = {
    {KEY_ROWS(asked_code_rows), .more = &asked_end, .how = play_how},
    {KEY_ROWS(asked_case_rows), .more = &asked_end, .how = play_how},
};

const char *debrief_no_live(struct app *app, const struct debrief_screen *s)
{
    if (story_is_case(s->variant->story))
        return "A case has nothing to run.";
    if (!app_client(app) || !client_alive(app_client(app)) || !app_device(app))
        return "There is no GPU here to run it on; g on the home screen connects one.";
    return NULL;
}

const struct story *debrief_story_now(struct app *app, const struct debrief_screen *s)
{
    const struct story *story = NULL;
    const struct variant *named = NULL;
    struct err err = { 0 };
    const char *id = s->variant->story->full_id;
    return catalog_find(app_catalog(app), id, &story, &named, &err) == 0 ? story : NULL;
}

const char *debrief_no_other(struct app *app, const struct debrief_screen *s)
{
    const struct story *story = debrief_story_now(app, s);
    if (!story)
        return "This story is no longer among the packs.";
    return story->n_variants < 2 ? "This story has one cause only." : NULL;
}

const struct key_list *debrief_keys(struct app *app, const void *self)
{
    const struct debrief_screen *s = self;
    bool live = !debrief_no_live(app, s), again = !debrief_no_other(app, s),
         is_case = story_is_case(s->variant->story), mend = !mend_useless(s->variant);
    if (s->in.hooks)
        return &asked[is_case];
    return is_case ? &cases[again] : &code[mend][live][again];
}
