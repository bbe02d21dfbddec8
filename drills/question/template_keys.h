/* Every key of a file of drills, for the reader and for the test of its description. */
#ifndef WD_DRILLS_TEMPLATE_KEYS_H
#define WD_DRILLS_TEMPLATE_KEYS_H

#include "scenarios/text/yaml.h"

enum { SET_K_FORMAT, SET_K_ID, SET_K_TITLE, SET_K_DRILLS, SET_KEYS };
enum {
    DRILL_K_TITLE,
    DRILL_K_TOPIC,
    DRILL_K_LEVEL,
    DRILL_K_SECONDS,
    DRILL_K_TEACHES,
    DRILL_K_SOURCE,
    DRILL_K_NEEDS,
    DRILL_K_VARS,
    DRILL_K_LET,
    DRILL_K_EXCLUDE,
    DRILL_K_ASK,
    DRILL_K_UNIT,
    DRILL_K_ANSWER,
    DRILL_K_TOLERANCE,
    DRILL_K_ACCEPT,
    DRILL_K_CHOICES,
    DRILL_K_MISTAKES,
    DRILL_K_HINT,
    DRILL_K_SOLUTION,
    DRILL_K_CANONICAL,
    DRILL_K_MEASURE,
    DRILL_KEYS
};
enum {
    VAR_K_TABLE,
    VAR_K_ROWS,
    VAR_K_ONE_OF,
    VAR_K_LOG2,
    VAR_K_RANGE,
    VAR_K_STEP,
    VAR_K_DECADES,
    VAR_K_DIGITS,
    VAR_KEYS
};
enum { WRONG_K_VALUE, WRONG_K_SAYS, WRONG_KEYS };

extern const struct yaml_shape set_shape, drill_shape, var_shape, wrong_shape;

#endif
