/* The plan that is edited and the marked row: shared by the screen, what draws it (plan_draw.h) and
 * what changes it (plan_edit.h); nobody else includes this. */
#ifndef WD_TUI_PLAN_PAGE_H
#define WD_TUI_PLAN_PAGE_H

#include "scenarios/library/recorded_gpus.h"
#include "tui/interview/host_options.h"
#include "tui/interview/plan_parts.h"
#include "tui/kit/textfield.h"

enum plan_row {
    ROW_LEVEL,
    ROW_MINUTES,
    ROW_EVIDENCE,
    ROW_CANDIDATE,
    ROW_WITHHOLD,
    ROW_RUBRIC,
    ROW_PARTS
};

/* What u takes back. */
struct plan_state { struct session_plan plan; int minutes; bool edited; };

struct plan_page {
    struct host_options options;
    struct plan_stock stock;
    struct plan_state now;               /* minutes: wanted; edited: parts were changed by hand */
    struct plan_state *undo; int n_undo;
    struct recorded_gpus recorded;
    char rubric[300];                    /* its file; "" built in */
    int at, top;                         /* row chosen; first part shown */
    enum session_part_kind added;        /* by the key before, where that was `a` */
    bool adding, typing, start;
    bool sure; /* Enter was pressed on a plan that is too long: again begins it */
    bool leaving; /* q was pressed on a plan that was changed: again leaves it */
    struct textfield field;
    char trouble[700];                   /* no plan could be made */
};

#endif
