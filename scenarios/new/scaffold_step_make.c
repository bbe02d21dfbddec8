/* A draft of a step: what was read of the author's file, as a scenario. */
#include "scenarios/new/scaffold_pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/new/scaffold_files.h"
#include "scenarios/new/scaffold_step.h"

static void take_cause(struct scaffold *s, const struct step *p)
{
    const char *because;
    if (s->cause)
        return;
    s->cause = cause_of_step(step_cause(p, &because));
    snprintf(s->guessed, sizeof s->guessed, "%s", because);
}

static char *fix_text(const struct scaffold *s, const char *suspect)
{
    return text_format("// %s: %s. Say here what was tried, why this one won, and the arithmetic "
                       "behind the expected time.\n%s",
                       SCAFFOLD_MARK,
                       cause_is_healthy(s->cause)
                           ? "the tempting change that gains nothing"
                           : "these kernels without the fault, in few lines; the same where it is "
                             "in how they are launched",
                       suspect);
}

static char *debrief_text(const struct scaffold *s)
{
    const struct hypothesis *h = taxonomy_find(s->cause->id);
    return text_format(
        "## What it was\n\n%s: the mechanism, in two sentences that name launches or "
        "steps. (%s: %s)\n\n## The arithmetic\n\nWhich numbers follow from it, worked "
        "out on paper, and which were measured, on which GPU?\n\n## What settled "
        "it\n\nWhich probe, which metric, which value; and what looked guilty and "
        "was not?\n\n## The fix\n\nWhat changes, what it costs, when would you not do "
        "it?\n\n## The rival\n\nWhich other cause shows the same symptom, and what "
        "tells the two apart?\n",
        SCAFFOLD_MARK, h->label, h->explain);
}

/* Texts, below the story's folder; takes the suspect. */
static void add_texts(struct files *f, const struct scaffold *s, const struct step *p,
                      char *suspect, const char *prelude)
{
    files_with_text(f, s, "scenario.yaml", step_scenario(p, s));
    files_with_text(f, s, "a/sealed/answer.yaml", step_answer(p, s));
    files_with_text(f, s, "a/sealed/fix.cu", fix_text(s, suspect));
    files_with_text(f, s, "a/sealed/reference.cu", step_reference(p, prelude));
    files_with_text(f, s, "a/sealed/debrief.md", debrief_text(s));
    files_with_text(f, s, "a/suspect.cu", suspect);
}

int scaffold_pipeline(struct files **out, const char ***made, int *n, struct scaffold *s,
                      struct err *err)
{
    struct step step;
    struct files *old = NULL, *f = files_new(s->pack);
    char *suspect = NULL, *prelude = NULL;
    *out = NULL;
    *n = 0;
    int rc = step_read(&step, s->source, err);
    if (!rc)
        rc = source_take(&suspect, &prelude, s->source, step.kernels, step.n_kernels, err);
    if (!rc && place_exists(s->pack))
        rc = files_read(&old, s->pack, err);
    if (!rc)
        rc = files_with_pack(f, old, s, err);
    if (!rc) {
        int first = f->n - 1;
        s->title_guessed = !s->title;
        s->title = s->title ? s->title : place_title(s->id);
        take_cause(s, &step);
        add_texts(f, s, &step, suspect, prelude);
        rc = files_made(out, made, n, f, first, err);
    } else {
        files_free(f);
        free(suspect);
    }
    free(prelude);
    files_free(old);
    step_free(&step);
    return rc;
}
