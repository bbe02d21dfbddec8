/* What expressions of the author's code stand for; shared by scaffold_values.c, scaffold_launch.c,
 * scaffold_step.c and scaffold_template.c alone. Places are those of the masked code. */
#ifndef WD_SCENARIOS_SCAFFOLD_VALUES_H
#define WD_SCENARIOS_SCAFFOLD_VALUES_H

#include "scenarios/new/scaffold_source.h"

struct extent {
    size_t at, end;
};

/* The next comma outside brackets, or end. */
size_t values_part_end(const char *code, size_t at, size_t end);
/* Without blanks around it. */
struct extent values_trimmed(const char *code, size_t at, size_t end);
/* The word at `at` with the members behind it: `a.rows`, `args->rows`; empty where no word begins. */
struct extent values_members(const char *code, size_t at, size_t end);
/* Where the last member of it begins; `at` where it is a word alone. */
size_t values_last_member(const char *code, struct extent name);
/* A name that is given a value in one place of the file: that value, and so on; else the same. A
 * member of a structure of the file may have it where it is declared, too. */
struct extent values_resolved(const struct source *s, size_t at, size_t end);
/* What stands for a whole number above 0; 0 for anything else. */
int values_number(const struct source *s, size_t at, size_t end);
/* The list of "256", "dim3(32, 8)", "{32, 8}", or of a name for one of these. */
struct extent values_list(const struct source *s, size_t at, size_t end);
/* Up to three numbers of it; those that are absent are 1. False where one is no plain number. */
bool values_dimensions(const struct source *s, size_t at, size_t end, int out[3]);

#endif
