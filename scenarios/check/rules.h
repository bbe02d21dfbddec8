/* The table of rules: what each finds, how grave that is, what it needs, and how an author mends
 * it. */
#ifndef WD_SCENARIOS_RULES_H
#define WD_SCENARIOS_RULES_H

#include <stddef.h>

enum grade { GRADE_ERROR, GRADE_WARNING };
/* What a rule looks at beside the pack's files, its recordings among them. NEEDS_LIBRARY: other
 * packs (library_report.h). */
enum needs { NEEDS_NOTHING, NEEDS_COMPILER, NEEDS_GPU, NEEDS_LIBRARY };

/* One row for each rule; content/FORMAT.md lists the same, and a test compares them. */
struct rule {
    const char *id;
    enum grade grade;
    enum needs needs;
    const char *means, *mend; /* how it is mended */
};
const struct rule *rule_table(size_t *n);
const struct rule *rule_find(const char *id);      /* NULL if unknown */
const char *grade_name(enum grade g);              /* "error", "warning" */

#endif
