/* Names of a case's figures in formulas: "wait.max" is a figure of an exhibit, reduced to one
 * number. */
#ifndef WD_SCENARIOS_EXHIBIT_NAMES_H
#define WD_SCENARIOS_EXHIBIT_NAMES_H

#include "scenarios/pack/story.h"

enum exhibit_reduce {
    EXHIBIT_MIN,
    EXHIBIT_MAX,
    EXHIBIT_MEDIAN,
    EXHIBIT_MEAN,
    EXHIBIT_FIRST,
    EXHIBIT_LAST,
    EXHIBIT_AT_MIN,
    EXHIBIT_AT_MAX,
    EXHIBIT_REDUCES
};
/* The exhibit, its figure and the reduction of "wait.max"; false when the story has none such. */
bool exhibits_figure(const struct story *s, const char *name, const struct experiment **x,
                     int *figure, enum exhibit_reduce *how);
bool exhibits_know(const struct story *s, const char *name);
/* Of a name that they know: the exhibit, and the dimension. */
const struct experiment *exhibits_of(const struct story *s, const char *name);
struct dim exhibits_dim(const struct story *s, const char *name);

#endif
