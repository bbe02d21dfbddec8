/* An investigation as its screen has it: what the parts know, the questions they ask of it, and
 * what makes a move. */
#ifndef WD_TUI_INVESTIGATION_STATE_H
#define WD_TUI_INVESTIGATION_STATE_H

#include "scenarios/play/attempt.h"
#include "scenarios/pack/probe.h"
#include "tui/app/app.h"
#include "tui/play/hooks.h"
#include "tui/play/layout_investigation.h"
#include "tui/play/notebook.h"
#include "tui/play/play.h"
#include "tui/kit/editor.h"
#include "tui/kit/textfield.h"

enum ui {
    UI_OPEN,
    UI_NAMING /* the space of causes, before it is seen */,
    UI_QUESTIONS,
    UI_EXPERIMENTS,
    UI_NOTE,
    UI_STAKES,
    UI_LINE,
    UI_REMEDY,
    UI_THEN /* what is left once the first fault is mended */,
    UI_NUMBERS /* estimates not asked yet */,
    UI_WAIT /* for the interviewer */,
    UI_PUSHBACK,
    UI_REVEAL
};
enum view {
    VIEW_NOTES,
    VIEW_ROOF,
    VIEW_STEPS,
    VIEW_SWEEP,
    VIEW_SAMPLES /* of a benchmark */,
    VIEW_EXHIBIT,
    VIEW_SOURCE,
    VIEW_LISTING,
    VIEW_STORY,
    VIEW_BELIEFS,
    VIEW_SHOP
};
enum wanted {
    WANTED_NOTHING,
    WANTED_SYMPTOM,
    WANTED_PROBE,
    WANTED_DEBRIEF,
    WANTED_HANDED /* by the interviewer */
};

struct buying {
    bool active;
    char probe[48], title[64], letter;
    const struct estimate *asking;       /* text field open for it */
    const struct probe *call;            /* headline to be called; NULL: none, or done */
    int called;                          /* option; -1: no call */
    bool scribe;                         /* pressed by the interviewer for the candidate */
    struct evidence *arrived;            /* waits for estimate and call */
};

struct mode;

struct investigation_screen {
    const struct mode *modes;            /* what each mode does, one of each enum ui */
    play_begin *begin;                   /* the story anew; NULL: in an interview */
    const struct variant *variant;
    const struct story *story;
    struct attempt *attempt;
    struct supply *supply;               /* NULL: evidence cannot be had now, no_supply says why */
    char no_supply[256];
    const char *missing[SHOP_COUNT];     /* why each cannot be had here; NULL: it can */
    enum wanted wanted;
    char warned[48];                     /* probe whose price was told to pass patience */
    bool reveal_due;                     /* the next tick asks for what the debrief needs */
    struct evidence *symptom;
    double time, bytes, flops, copy;     /* s, B, flop, B/s; 0: unknown */
    char printed[64]; /* in the place of a time: the rate that a benchmark prints, or that the suspect
                         fails; "": neither */
    double yield; /* how many of the story's rate a run makes; 0: it has none */
    char *code;                          /* the suspect's listing */
    char *told;                          /* the story in paragraphs */
    char sizes[240];                     /* "Sizes: rows = 4096." or "" */
    enum ui ui;
    enum shop list;                      /* whose offers are listed in UI_EXPERIMENTS */
    int marked;                          /* entry of the list that is open; -1: none yet */
    enum view view;
    struct buying buy;
    struct textfield field;
    struct editor notes;                 /* in UI_NOTE */
    int chosen;                          /* hypothesis */
    int digits, percent;                 /* behind %: digits still to be typed, and those typed */
    struct notebook book;
    int text_columns;                    /* of the book's texts, as its pane was last */
    int note, row;                       /* selected in the book */
    int kernel;                          /* selected in the timeline */
    bool explaining;
    bool
        row_last; /* e explains the row of the book or the kernel chosen last, not the hypothesis */
    bool naming_again;                   /* in UI_NAMING: it was asked whether that key is meant */
    bool locking; /* Enter was pressed once on beliefs that may not be meant */
    bool leaving;                        /* X was pressed once */
    bool homing;                         /* Esc was pressed once where it leaves */
    bool skipping;                       /* Enter was pressed once on an empty estimate */
    /* Enter was pressed once on an estimate without its unit: it was said what it is taken for */
    bool guessing;
    int scroll;                          /* of source, listing and story */
    bool whole;                          /* code has the whole screen, once it is turned to */
    int shift;                           /* columns of the code that are out of sight at the left */
    int zoom;                            /* of a timeline among the exhibits */
    int line;                            /* cursor while picking, 1-based; 0: nowhere */
    int number;                          /* of a line, as typed so far; 0: none is */
    int line_before;                     /* the cursor before that number */
    int remedy;                          /* -1: none yet */
    int then;                            /* hypothesis that is left; -1: none chosen yet */
    bool pushed_now; /* of an interview: no key was pressed since the pushback came */
    int64_t opened_ms, before_ms;        /* monotonic; elapsed before this sitting */
    int64_t ticked_s;                    /* second of the clock that was drawn last */
    int unsaved;
    char trouble[256];                   /* why moves cannot be stored, "" if they can */
    char arrived[48];                    /* letter and words of what came last */
    char taken[96]; /* "0.130 ms taken, 1 of 3": of the estimate before, until the next key that is
                       none of an answer */
    struct interviewed in;               /* the attempt is the session's then, and outlives s */
    char handing[48];                    /* probe that is asked for on the interviewer's behalf */
    int told_moves;                      /* of the attempt, as the session was told last */
    int64_t key_ms;                      /* when the last key came */
    bool news;                           /* the newest that came is what the interviewer said */
};

static inline const struct investigation *state_of(const struct investigation_screen *s)
{
    return attempt_state(s->attempt);
}

/* The rate of a plain copy once it may be shown, B/s; 0: not yet, or not known. */
static inline double yardstick_of(const struct investigation_screen *s)
{
    return investigation_has_yardstick(state_of(s)) ? s->copy : 0;
}

/* The time that the symptom tells, s. Beside a rate that was printed it would tell what the rate
 * was made of, so it waits for the yardstick. 0: not yet, or not known. */
static inline double time_told(const struct investigation_screen *s)
{
    return *s->printed && yardstick_of(s) <= 0 ? 0 : s->time;
}

/* ---- questions ---- */
static inline bool shows_code(const struct investigation_screen *s)
{
    return s->view == VIEW_SOURCE || s->view == VIEW_LISTING || s->view == VIEW_EXHIBIT;
}
int investigation_digit(const struct story *s,
                        int hypothesis); /* 0 for "nothing", 1.. for the others */
int investigation_of_digit(const struct story *s, int digit);                  /* -1: no such */
int64_t investigation_clock(const struct investigation_screen *s, int64_t now_ms);
const char *investigation_subject(
    const struct investigation_screen *s); /* "this kernel", "this step" */
const char *investigation_tier(const struct investigation_screen *s);
const struct msg_device *investigation_device(const struct investigation_screen *s);
bool investigation_whole(
    const struct investigation_screen *s); /* is code shown on the whole screen now? */
const struct key_list *investigation_keys(struct app *app, const void *self); /* of the mode */
int source_lines(const struct investigation_screen *s);

/* ---- what was bought ---- */
/* First part of what a probe brought; NULL: not bought, or empty. */
const struct msg_part *first_part(const struct investigation_screen *s, const char *probe);
/* The samples of a benchmark, as it is, once timing was bought; NULL: none. */
const struct msg_series *samples_of(const struct investigation_screen *s);
const struct msg_part *listing_of(
    const struct investigation_screen *s); /* of the machine code; NULL: not bought, or empty */
const struct experiment *sweep_of(
    const struct investigation_screen *s); /* newest sweep bought, or NULL */
/* Of a case the exhibit that is chosen in the notebook, else the newest, with its evidence; NULL:
 * none was bought. */
const struct experiment *exhibit_of(const struct investigation_screen *s,
                                    const struct msg_part **part);
/* The timeline among the exhibits that is in the pane; false: none is. */
struct exhibit_timeline;
bool timeline_of(const struct investigation_screen *s, struct exhibit_timeline *out);

/* ---- moves ---- */
/* Applies a move; a refusal is said on the screen. Returns 0 or a code. On success the book is
 * fresh. */
int investigation_do(struct app *app, struct investigation_screen *s, struct move *m);
int investigation_keep(struct app *app, struct investigation_screen *s, enum move_kind kind,
                       const char *text); /* as noted or named */
void investigation_keep_writing(
    struct app *app, struct investigation_screen *s); /* what is written in UI_NOTE and UI_NAMING */
void investigation_told(struct investigation_screen *s);         /* a move may have been made */
void investigation_flush(
    struct app *app, struct attempt *a); /* what waits for the store, before an attempt is freed */
void investigation_book(struct investigation_screen *s);
void investigation_select_newest(struct investigation_screen *s);
void investigation_text(struct app *app, struct investigation_screen *s,
                        const char *start); /* opens the text field */
void list_open(struct investigation_screen *s,
               enum shop list); /* SHOP_ASK, SHOP_EXPERIMENT or SHOP_VERIFY */
/* In an interview: says so, and true. */
bool investigation_refuses(struct app *app, const struct investigation_screen *s, const char *say);
/* First line of an error, as one line of a screen. */
void say_error(struct app *app, const struct err *err);

#endif
