/* The investigation's screen, shared by the files investigation_*.c: what they know, and who does what.
 *
 *   investigation_screen.c  life: opening, ticking, saving, leaving; the table of functions
 *   investigation_act.c     keys while the shop is open
 *   investigation_naming.c  the question which causes are possible
 *   investigation_buy.c     purchases: call, measuring, arrival; the symptom; the reveal
 *   investigation_estimate.c  estimates: question, field, what is taken of it
 *   investigation_draw.c    the frame: title, story, symptom, beliefs, the last rows
 *   investigation_known.c   the right pane: notebook, charts, source, explanations
 *   investigation_list.c    the lists of questions, experiments and checks
 *   investigation_shop.c    the shop
 *   investigation_steps.c   the timeline of a step of several launches
 *   investigation_commit.c  stakes, line, remedy, pushback
 *   investigation_standin.c  of an interview: recorded evidence in the place of live evidence that does not come
 *   hooks.c                 what else an interview changes, asked of it
 */
#ifndef WD_TUI_INVESTIGATION_SCREEN_H
#define WD_TUI_INVESTIGATION_SCREEN_H

#include "scenarios/play/attempt.h"
#include "scenarios/pack/probe.h"
#include "tui/app/app.h"
#include "tui/play/hooks.h"
#include "tui/play/layout_investigation.h"
#include "tui/play/notebook.h"
#include "tui/kit/editor.h"
#include "tui/kit/textfield.h"

enum ui { UI_OPEN, UI_NAMING /* the space of causes, before it is seen */, UI_QUESTIONS, UI_EXPERIMENTS, UI_NOTE, UI_STAKES, UI_LINE, UI_REMEDY, UI_NUMBERS /* estimates not asked yet */, UI_WAIT /* for the interviewer */, UI_PUSHBACK, UI_REVEAL };
enum view { VIEW_NOTES, VIEW_ROOF, VIEW_STEPS, VIEW_SWEEP, VIEW_EXHIBIT, VIEW_SOURCE, VIEW_LISTING, VIEW_STORY, VIEW_BELIEFS, VIEW_SHOP, VIEW_COUNT };
enum wanted { WANTED_NOTHING, WANTED_SYMPTOM, WANTED_PROBE, WANTED_DEBRIEF, WANTED_HANDED /* by the interviewer */ };

struct buying {
    bool active;
    char probe[48], title[64], letter;
    const struct estimate *asking;       /* text field open for it */
    const struct probe *call;            /* headline to be called; NULL: none, or done */
    int called;                          /* option; -1: no call */
    bool scribe;                         /* pressed by the interviewer for the candidate */
    struct evidence *arrived;            /* waits for estimate and call */
};

/* Of an interview: where live evidence does not come, the recording of the same probe steps in. */
struct standin {
    struct supply *supply;               /* recorded; NULL: not needed yet */
    bool asked, nothing_recorded;        /* asked: what is wanted now is asked of it */
    int64_t asked_ms, failed_ms;         /* monotonic: when live evidence was asked for; when the GPU last went away, 0: never */
};

struct investigation_screen {
    const struct variant *variant;
    const struct story *story;
    struct attempt *attempt;
    struct supply *supply;               /* NULL: evidence cannot be had now, no_supply says why */
    char no_supply[256];
    const char *missing[SHOP_COUNT];     /* why each cannot be had here; NULL: it can */
    enum wanted wanted;
    bool reveal_due;                     /* the next tick asks for what the debrief needs */
    struct evidence *symptom;
    double time, bytes, flops, copy;     /* s, B, flop, B/s; 0: unknown */
    double yield;                        /* how many of the story's rate a run makes; 0: it has none */
    char *told;                          /* the story in paragraphs */
    char facts[160];                     /* "blocks of 32 x 8 threads, 537 MB moved" */
    enum ui ui;
    enum shop list;                      /* whose offers are listed in UI_EXPERIMENTS */
    int marked;                          /* entry of the list that is open; -1: none yet */
    enum view view;
    struct buying buy;
    struct textfield field;
    struct editor notes;                 /* in UI_NOTE */
    int chosen;                          /* hypothesis */
    struct notebook book;
    int note, row;                       /* selected in the book */
    int kernel;                          /* selected in the timeline */
    bool explaining;
    bool row_last;                       /* e explains the row of the book or the kernel chosen last, not the hypothesis */
    bool naming_again;                   /* in UI_NAMING: it was asked whether that key is meant */
    bool locking;                        /* Enter was pressed once on beliefs that may not be meant */
    bool leaving;                        /* X was pressed once */
    bool homing;                         /* Esc was pressed once where it leaves */
    bool skipping;                       /* Enter was pressed once on an empty estimate */
    /* Enter was pressed once on an estimate without its unit: it was said what it is taken for */
    bool guessing;
    int scroll;                          /* of source, listing and story */
    bool whole;                          /* code has the whole screen, once it is turned to */
    int shift;                           /* columns of the code that are out of sight at the left */
    int line;                            /* cursor while picking, 1-based; 0: nowhere */
    int remedy;                          /* -1: none yet */
    bool pushed_now;                     /* of an interview: no key was pressed since the pushback came */
    int64_t opened_ms, before_ms;        /* monotonic; elapsed before this sitting */
    int64_t ticked_s;                    /* second of the clock that was drawn last */
    int unsaved;
    char trouble[256];                   /* why moves cannot be stored, "" if they can */
    char arrived[48];                    /* letter and words of what came last */
    char taken[96];                      /* "0.130 ms taken, 1 of 3": of the estimate before, until the next key that is none of an answer */
    struct interviewed in;               /* attempt: the session's then, and it outlives the screen */
    struct standin standin;
    char handing[48];                    /* probe that is asked for on the interviewer's behalf */
    int told_moves;                      /* of the attempt, as the session was told last */
    int64_t key_ms;                      /* when the last key came */
    bool news;                           /* the newest that came is what the interviewer said */
};

static inline const struct investigation *state_of(const struct investigation_screen *s) { return attempt_state(s->attempt); }

/* ---- moves and helpers (investigation_screen.c) ---- */
/* Applies a move; a refusal is said on the screen. Returns 0 or a code. On success the book is fresh. */
int investigation_do(struct app *app, struct investigation_screen *s, struct move *m);
void investigation_flush(struct app *app, struct attempt *a);    /* what waits for the store, before an attempt is freed */
void investigation_book(struct investigation_screen *s);
/* Opens the screen; takes the supply over, and without hooks the attempt. no_supply: why there is none, else "". */
void investigation_push(struct app *app, struct attempt *a, struct supply *supply,
                        const char *no_supply, const struct play_hooks *hooks);
void investigation_told(struct investigation_screen *s);         /* a move may have been made */
/* In an interview: says so, and true. */
bool investigation_refuses(struct app *app, const struct investigation_screen *s, const char *say);
bool investigation_can_be_live(struct app *app, const struct variant *v);        /* is a GPU here that suits it? */
/* A supply of the tier that an attempt was begun with. */
int investigation_same_supply(struct app *app, const struct attempt *a, struct supply **out, struct err *err);
int investigation_digit(const struct story *s, int hypothesis);                /* 0 for "nothing", 1.. for the others */
int investigation_of_digit(const struct story *s, int digit);                  /* -1: no such */
int64_t investigation_clock(const struct investigation_screen *s, int64_t now_ms);
void investigation_layout(struct app *app, const struct investigation_screen *s, struct layout *out);
bool investigation_whole(const struct investigation_screen *s);                /* is code shown on the whole screen now? */
/* A text of several lines is open in the shop's place. */
static inline bool listing(const struct investigation_screen *s) { return s->ui == UI_QUESTIONS || s->ui == UI_EXPERIMENTS; }
static inline bool writing(const struct investigation_screen *s) { return s->ui == UI_NOTE || s->ui == UI_NAMING; }
static inline bool shows_code(const struct investigation_screen *s) { return s->view == VIEW_SOURCE || s->view == VIEW_LISTING || s->view == VIEW_EXHIBIT; }
const char *investigation_subject(const struct investigation_screen *s);       /* "this kernel", "this step" */
const char *investigation_tier(const struct investigation_screen *s);
const struct msg_device *investigation_device(const struct investigation_screen *s);
void investigation_text(struct app *app, struct investigation_screen *s, const char *start);  /* opens the text field */
/* Where a resumed or freshly locked investigation stands. */
void investigation_enter_phase(struct app *app, struct investigation_screen *s);

/* Where notes are written: in the shop's place. */
static inline struct rect note_rect(const struct layout *l) { return (struct rect){ l->shop.y, l->shop.x + 2, l->shop.h, l->shop.w - 4 }; }

/* ---- keys (investigation_act.c, investigation_commit.c) ---- */
int investigation_act(struct app *app, void *self, enum action action, int arg);
void begin_naming(struct app *app, struct investigation_screen *s);               /* asks for the space of causes (investigation_naming.c) */
int naming_typed(struct app *app, struct investigation_screen *s, int key);
int investigation_typed(struct app *app, void *self, int key);
int commit_act(struct app *app, struct investigation_screen *s, enum action action, int arg);
bool investigation_press(struct app *app, struct investigation_screen *s, enum action action, int arg);  /* belief keys and digits */
bool investigation_look(struct app *app, struct investigation_screen *s, enum action action);  /* Tab, arrows, e; false: none of them */
void investigation_show_beliefs(struct app *app, struct investigation_screen *s);              /* where one pane fits only */
int investigation_keep(struct app *app, struct investigation_screen *s, enum move_kind kind, const char *text);   /* as noted or named */
void investigation_keep_writing(struct app *app, struct investigation_screen *s); /* what is written in UI_NOTE and UI_NAMING */
int investigation_home(struct app *app, struct investigation_screen *s);          /* DO_POP when asked twice */
void investigation_shift(struct investigation_screen *s, enum action action);   /* code sideways */
void investigation_select_newest(struct investigation_screen *s);
int source_lines(const struct investigation_screen *s);

/* ---- evidence that steps in (investigation_standin.c): of an interview alone ---- */
/* Of the attempt's own text: of its copy, else of the pack while that is still the same. */
int standin_recorded(struct app *app, const struct variant *v, struct supply **out, struct err *err);
struct supply *standin_asked(const struct investigation_screen *s);               /* where what is wanted now was asked for */
void standin_asking(struct app *app, struct investigation_screen *s);             /* before asking: decides where */
/* Live evidence failed, or is slow: the recording is asked in its place. True when it was. */
bool standin_steps_in(struct app *app, struct investigation_screen *s, const char *why);
bool standin_is_slow(const struct app *app, const struct investigation_screen *s);
void standin_prepare(struct app *app, struct investigation_screen *s);            /* before the shop is looked at */
const char *standin_lacks(const struct investigation_screen *s, const char *probe);  /* supply_missing, unless a recording can step in */

/* ---- purchases (investigation_buy.c) ---- */
void buy_letter(struct app *app, struct investigation_screen *s, int letter);
void buy_probe(struct app *app, struct investigation_screen *s, const char *probe, char letter, const char *title);
void buy_cancel(struct app *app, struct investigation_screen *s);
void buy_call(struct app *app, struct investigation_screen *s, int digit);       /* 0: no call */
void buy_go_on(struct app *app, struct investigation_screen *s);                  /* an estimate was given: the next, or what was bought */
void supply_want(struct app *app, struct investigation_screen *s, enum wanted wanted);
void supply_step(struct app *app, struct investigation_screen *s);               /* takes what has arrived */
const char *supply_wanted(const struct investigation_screen *s, enum wanted wanted);  /* the name it is asked by */
void buy_learn(struct investigation_screen *s);                                  /* asked once: it is not cheap */
const char *buy_missing(const struct investigation_screen *s, const struct probe *p);  /* reason, or NULL */
const char *buy_withheld(const struct investigation_screen *s, const char *probe);     /* the same, the interviewer's */
/* "the symptom", or the title of what is measured now. */
const char *wanted_words(const struct investigation_screen *s);

/* ---- estimates (investigation_estimate.c): while buy.asking ---- */
/* A key. What cannot be read as the quantity that was asked for is not taken: the text stays, and why is said. What is taken is said as it was understood. */
int estimate_typed(struct app *app, struct investigation_screen *s, int key);
int estimate_more_rows(const struct investigation_screen *s, int columns);        /* that its question needs beyond one; 0 without a question */
void estimate_draw_rule(const struct investigation_screen *s, const struct layout *l);   /* above the status: "ESTIMATE 2 OF 3", and what became of the one before */
void estimate_draw_question(const struct investigation_screen *s, const struct layout *l);
void estimate_draw_field(const struct investigation_screen *s, int y, int columns);
const char *estimate_keys(const struct investigation_screen *s, int columns);

/* ---- drawing ---- */
void investigation_draw(struct app *app, const void *self);
void known_draw(struct app *app, const struct investigation_screen *s, const struct layout *l);
/* Lines of the view that is scrolled, and the rows that show them; lines 0: the view is not scrolled. */
struct pane { int lines, rows; };
struct pane investigation_pane(const struct investigation_screen *s, const struct layout *l);
/* Does all of the story stand above the panes? Then no pane shows it again. */
bool story_stands_above(const struct investigation_screen *s, const struct layout *l);
enum view investigation_view(const struct investigation_screen *s, const struct layout *l);    /* what the right pane shows, if nothing covers it */
void source_draw(const struct investigation_screen *s, struct rect r, int cursor, int scroll);
const struct msg_part *listing_of(const struct investigation_screen *s);   /* of the machine code; NULL: not bought, or empty */
const struct experiment *sweep_of(const struct investigation_screen *s);   /* newest sweep bought, or NULL */
/* Of a case the exhibit that is chosen in the notebook, else the newest, with its evidence; NULL: none was bought. */
const struct experiment *exhibit_of(const struct investigation_screen *s, const struct msg_part **part);
/* The timeline (investigation_steps.c): false and nothing where none was bought. */
struct timeline;
bool steps_of(const struct investigation_screen *s, struct timeline *out);
void steps_rate(const struct investigation_screen *s, char *out, size_t size);     /* "4246 tokens/s", or "" */
bool steps_move(struct investigation_screen *s, int by);
void steps_draw(const struct investigation_screen *s, struct rect r);
void steps_explain(const struct investigation_screen *s, struct rect r);
/* The lists under a, x and v (investigation_list.c). */
void list_open(struct investigation_screen *s, enum shop list);          /* SHOP_ASK, SHOP_EXPERIMENT or SHOP_VERIFY */
bool list_act(struct app *app, struct investigation_screen *s, enum action action, int arg);   /* false: no key of a list */
void list_draw(const struct investigation_screen *s, struct rect r);
int list_rows(const struct investigation_screen *s, int columns);        /* that all of it needs */
void list_hidden(const struct investigation_screen *s, struct rect r, int *above, int *below);  /* entries out of sight in r */
const char *list_todo(const struct investigation_screen *s);
void list_keys(const struct investigation_screen *s, char *out, size_t size, bool brief);
/* What the list under x or v sells: its own probe first (v), then experiments. out[MAX_OFFERS]; returns how many. */
struct offer { const char *id, *title; int price; const char *beside; /* what is said behind the title, or "" */ };
enum { MAX_OFFERS = 9 };
int shop_offers(const struct investigation_screen *s, enum shop list, struct offer *out);
void shop_draw(const struct investigation_screen *s, const struct layout *l);
void stakes_draw(const struct investigation_screen *s, struct rect r);
void commit_draw(const struct investigation_screen *s, const struct layout *l);
const char *commit_todo(const struct investigation_screen *s, bool brief);

extern const struct screen_ops investigation_screen;

/* False when it could not be opened (said on the screen). */
bool investigation_begin(struct app *app, const struct story *story, const struct variant *variant);

#endif
