/* What answer.yaml says by the cause alone: how evidence bears on hypotheses, pushbacks, estimates.
 */
#include "scenarios/new/scaffold_draft.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

const char *cause_pair(const struct cause *d)
{
    return !strncmp(d->id, "corr.", 5) || !strcmp(d->id, "pipe.ordering") ? "wrong"
           : strcmp(d->id, "none.at-limit") ? "regression"
                                            : "healthy";
}

bool cause_is_healthy(const struct cause *d)
{
    return !strcmp(d->id, "none.at-limit");
}

/* The metric that '@' begins, with `prefix` in the place of the sign. */
static void expect(FILE *f, const char *text, const char *prefix)
{
    for (; *text; text++)
        *text == '@' ? (void)fputs(prefix, f) : (void)putc(*text, f);
}

/* ---- readings ---- */

/* The cause's own, then what speaks against each rival. */
int cause_rows(const struct cause *cause, struct cause_row rows[CAUSE_ROWS])
{
    bool wrong = !strcmp(cause_pair(cause), "wrong");
    int n = 0;
    rows[n++] = (struct cause_row){cause, &cause->settles, wrong};
    for (int i = 0; i < CAUSE_RIVALS && cause->rivals[i]; i++) {
        const struct cause *d = cause_of_step(cause->rivals[i]);
        rows[n++] = (struct cause_row){d, &d->speaks_against, false};
    }
    if (!wrong && !cause_is_healthy(cause))
        rows[n++] = (struct cause_row){cause_find("none.at-limit"),
                                 &cause_find("none.at-limit")->speaks_against, false};
    return n;
}

/* The cause's own, then what speaks against each other hypothesis on offer. */
int cause_rows_joined(const struct cause *cause, const struct story *story,
                       struct cause_row rows[CAUSE_ROWS])
{
    int n = 0;
    rows[n++] = (struct cause_row){cause, &cause->settles, false};
    for (int i = 0; i < story->n_hypotheses; i++) {
        const struct cause *d = cause_find(story->hypotheses[i]->id);
        if (d && d != cause)
            rows[n++] = (struct cause_row){d, &d->speaks_against, false};
    }
    return n;
}

static void reading(FILE *f, const struct cause_row *row)
{
    static const char *const words[WORD_COUNT] = {"settles", "for", "against", "rules-out"};
    const char *dash = "    - ";
    if (row->r->expect) {
        fprintf(f, "%sexpect: '", dash);
        expect(f, row->r->expect, "");
        fputs("'\n", f);
        dash = "      ";
    }
    fprintf(f, "%sfact: %s%s\n", dash, row->r->word == WORD_SETTLES ? "" : "no-",
            strchr(row->d->id, '.') + 1);
    fprintf(f, "      %s: [%s]\n", words[row->r->word], row->d->id);
    if (row->denies_limit)
        fputs("      rules-out: [none.at-limit]\n", f);
    fputs("      because: ", f);
    draft_quote(f, row->r->because);
    putc('\n', f);
}

void draft_readings(FILE *f, const struct cause_row *rows, int n)
{
    bool done[CAUSE_ROWS] = {false};
    fputs("\n# How evidence bears on hypotheses. A reading counts when its `expect` holds in what "
          "was bought, else it says nothing.\n# settles 50, for 4, against 1/4, rules-out 1/50; "
          "readings that share a `fact` are one observation.\n",
          f);
    fprintf(f,
            "# %s: these are where most cases fall. `warpdrill record` measures yours; then make "
            "each `expect` true, with a margin, and each\n# `because` the reason that a debrief "
            "can show, take out what cannot hold, and add what your experiments show.\nreadings:   "
            "              # by probe: timing, resources, build, dram, occupancy, memory, shared, "
            "stalls, pipes, verify, source, ...\n",
            SCAFFOLD_MARK);
    for (int i = 0; i < n; i++) {
        if (done[i])
            continue;
        fprintf(f, "  %s:\n", rows[i].r->probe);
        for (int k = i; k < n; k++)
            if (!strcmp(rows[k].r->probe, rows[i].r->probe)) {
                reading(f, &rows[k]);
                done[k] = true;
            }
    }
}

/* ---- pushbacks and estimates ---- */

void draft_pushbacks(FILE *f, const struct cause *d)
{
    const struct cause_reading *r = &d->settles;
    fprintf(f, "\npushbacks:                # 1 to 8; one is drawn after the commitment\n  - kind: "
               "conviction      # no news: who is right should stay\n    says: I have seen this "
               "before, and then it was something else. Are you sure?\n    teaches: No new fact "
               "was offered. What was measured stands.\n  - kind: red-herring     # true, and "
               "beside the point\n    says: The profiler names a stall reason on its first page. "
               "Is that not the answer?\n    teaches: That names what warps wait for, not why.\n");
    if (!r->expect || strstr(r->expect, ".first") || strstr(r->expect, ".last"))
        return;
    fprintf(f, "  - kind: correction      # news, with what they weigh\n    says: ");
    char *says = text_format("I misread my notes. They say: %s", r->because);
    draft_quote(f, says);
    free(says);
    fprintf(f, "\n    fact: %s\n    expect: '", strchr(d->id, '.') + 1);
    expect(f, r->expect, "suspect.");
    fprintf(f,
            "'\n    settles: [%s]\n    teaches: This was new unless it had been bought, and it is "
            "decisive.\n",
            d->id);
}

void draft_estimates(FILE *f, const struct cause *d)
{
    fputs("\nestimates:                # truth: a formula over what the debrief knows; working: "
          "how one gets there on paper\n  floor-time:\n    truth: work.bytes / (gpu.dram_peak * 1 "
          "B / 1 s)\n    working: work.bytes / (gpu.dram_peak * 1 B / 1 s)\n    within: 1.2        "
          "   # full marks up to this factor\n    mistakes:             # wrong in a way that has "
          "a name\n      - value: 8 * work.bytes / (gpu.dram_peak * 1 B / 1 s)\n        says: That "
          "looks like bits for bytes.\n",
          f);
    if (!cause_is_healthy(d))
        fputs("  call-time:\n"
              "    truth: fix.time\n"
              "    working: work.bytes / ceiling.copy\n"
              "    within: 1.5\n", f);
}
