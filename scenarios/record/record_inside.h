/* The insides of a recording, shared by record.c (measuring) and record_plan.c (what has to be). */
#ifndef WD_SCENARIOS_RECORD_INSIDE_H
#define WD_SCENARIOS_RECORD_INSIDE_H

#include "scenarios/record/record.h"

enum record_todo {
    TODO_NOTHING,  /* the file has it and keeps it, or an earlier item has the same key */
    TODO_NOTE,     /* this GPU cannot measure it: recorded as missing, with the reason */
    TODO_MEASURE,
    TODO_DONE,
};

struct record {
    struct client *client;
    const struct variant *v;
    const struct record_options *options;
    struct msg_measure request;
    char (*keys)[65];
    enum record_todo *todo;
    char **why;                  /* of an item that failed */
    struct recording out; /* what will be written; what is kept stands in it from the plan on */
    struct evidence_file file;
    char reason[240];
    int items, measured, done;
    int first;                   /* item that item 0 of the open request stands for */
    bool again;                  /* the link was made anew already */
};

/* Why this GPU cannot measure such an item, or only computes it; NULL: it can. */
const struct msg_tier *record_tier_missing(const struct msg_device *d, enum wire_probe probe);

#endif
