#ifndef WD_TUI_MEND_SCREEN_H
#define WD_TUI_MEND_SCREEN_H

#include "scenarios/mend/mend.h"
#include "scenarios/mend/mend_build.h"
#include "scenarios/mend/mend_judge.h"
#include "scenarios/mend/mend_kept.h"
#include "scenarios/mend/mend_moved.h"
#include "scenarios/mend/mend_sanitize.h"
#include "scenarios/text/diff.h"
#include "tui/kit/editor.h"
#include "tui/mend/mend.h"

enum mend_view { MEND_VERDICT, MEND_TRIES, MEND_DIFF, MEND_TYPING };

struct mend_screen {
    const struct variant *v;
    struct mend_place place;
    struct mend_stamp seen, judged;   /* at the last look, and when it was judged */
    bool looked, told;
    int64_t look_ms;                  /* when the file is looked at next */
    bool asking, may_run;             /* about one's own code: asked now; was yes */
    struct mend_judge *judge;         /* NULL: nothing was judged yet */
    struct mend_build *build;         /* what a compiler says without a GPU; NULL: not asked */
    bool unkept;                      /* its verdict is not in the store yet */
    char uid[MEND_UID];               /* under which it will be */
    int64_t keep_ms;                  /* when that is tried next */
    struct mend_sanitizer *sanitizer; /* of the text that lies there; NULL: not asked */
    char trouble[2100];               /* why the file, or the GPU, cannot be used; "" */
    struct mend_tries tries;
    struct mend_moved moved[MEND_MOVED_MOST];
    int n_moved, since;               /* since: the number of the try before */
    enum mend_view view;
    int row, scroll;                  /* of moved, of tries */
    bool explaining;
    char *hint;                       /* the newest step shown; NULL: none */
    struct diff diff;
    char *diff_old, *diff_new;
    int from;                         /* number of the try that is compared from; 0: none */
    int diff_try, diff_with;          /* numbers; diff_with 0: the file */
    struct editor editor;             /* while MEND_TYPING */
    struct mend_place draft;          /* what is typed and not saved yet lies there */
    int64_t draft_ms;                 /* when it is written next; 0: nothing was typed since */
};

bool mend_has_gpu(struct app *app);
/* Why the key does nothing now, a sentence; NULL: it does. */
const char *mend_no_sanitizing(struct app *app, const struct mend_screen *s);
const char *mend_no_explaining(const struct mend_screen *s);

const struct key_list *mend_keys(struct app *app, const void *self);
void mend_draw(struct app *app, const void *self);

/* ---- the tries (mend_tries.c) ---- */
void mend_say_error(struct app *app, const struct err *err); /* its first line */
void mend_tries_load(struct app *app, struct mend_screen *s);
/* The judge's verdict into the store, or the text alone where there is none yet; false: not now, and
 * why is said. */
bool mend_screen_keep(struct app *app, struct mend_screen *s);
/* The same of one that is known, though metrics of it may still come. */
void mend_keep_known(struct app *app, struct mend_screen *s);
/* mend_replace of the screen's file; the tries are read anew. `text` is none of theirs. */
int mend_screen_replace(struct app *app, struct mend_screen *s, const char *text, struct err *err);
/* The chosen one: into the file; compared with the marked one, else with the file; marked, or no
 * longer. */
void mend_go_back_to(struct app *app, struct mend_screen *s);
void mend_show_diff(struct app *app, struct mend_screen *s);
void mend_mark(struct mend_screen *s);
void mend_drop_diff(struct mend_screen *s);

/* ---- writing (mend_write.c) ---- */
void mend_edit_outside(struct app *app, struct mend_screen *s);
void mend_type_here(struct app *app, struct mend_screen *s);
int mend_typed(struct app *app, void *self, int key);
/* What is typed, to the disk. */
void mend_write_draft(struct app *app, struct mend_screen *s);

#endif
