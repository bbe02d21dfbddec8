/* The modes of the investigation's screen: one row of a table each. */
#ifndef WD_TUI_INVESTIGATION_MODES_H
#define WD_TUI_INVESTIGATION_MODES_H

#include "tui/play/investigation_state.h"

struct mode {
    const char *doing;                    /* in the interviewer's eyes */
    const struct key_list *keys, *asked;  /* asked: in an interview; NULL: the same */
    /* The key line; NULL: drawn from the keys. */
    void (*key_line)(const struct investigation_screen *s, char *out, size_t size, int columns);
    /* What can be done now, in a sentence: literal, or written into out. */
    const char *(*todo)(const struct investigation_screen *s, char *out, size_t size, bool brief);
    int (*act)(struct app *app, struct investigation_screen *s, enum action action, int arg);
    int (*typed)(struct app *app, struct investigation_screen *s, int key);
    /* In the shop's place, or of the whole screen where the mode covers it; NULL: the shop. */
    void (*draw)(const struct investigation_screen *s, const struct layout *l);
    const char *title, *right;            /* of the rule above that; right: NULL none */
    const char *of_harness;               /* the title there; NULL: the same */
    const char *way_on;                   /* beside code: "Enter commit"; NULL: code has no keys */
    enum layout_pane pane;                /* that is shown where one fits only, */
    bool has_pane;                        /* if the mode has one; else what was turned to */
    bool covers;                          /* the whole screen */
    bool turns;                           /* panes can be turned to, code on the whole screen */
    bool believes;                        /* digits, + and - move beliefs */
    bool lists, writes;                   /* a list, an editor is open */
    bool hides_causes;                    /* those on offer */
    bool final;                           /* beliefs move from what was locked */
};

/* By enum ui. */
extern const struct mode investigation_modes[];

static inline const struct mode *mode_of(const struct investigation_screen *s)
{
    return &s->modes[s->ui];
}

#endif
