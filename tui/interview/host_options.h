/* What `warpdrill host` and `warpdrill replay` were asked for. */
#ifndef WD_TUI_HOST_OPTIONS_H
#define WD_TUI_HOST_OPTIONS_H

#include <stdbool.h>

struct replay_options;
struct host_options {
    const char *resume; /* session id to go on with, or of one that is over to grade; NULL: plan a
                           new one */
    const char *like; /* session id whose plan is proposed again; NULL: a new one */
    int level, minutes;                  /* of the plan proposed; -1: 1, 0: 60 */
    const char *rubric;                  /* a team's file; NULL: built in */
    const char *guest;                   /* --for USER; NULL */
    const char
        *key; /* a candidate's public key file, for the authorized_keys line; NULL: a placeholder */
    bool share;                          /* open a candidate's window on this machine */
    bool no_wall;                        /* let in who cannot be confined */
    bool start;                          /* begin at once with the plan as proposed (scripts) */
    const struct replay_options
        *replay; /* look at one that was, instead of all this (replay_screen.h); NULL */
};

#endif
