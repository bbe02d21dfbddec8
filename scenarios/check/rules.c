#include "scenarios/check/rules.h"

#include <string.h>

/* In the order of content/FORMAT.md. */
static const struct rule rules[] = {
    {"reader", GRADE_ERROR, NEEDS_NOTHING, "the pack does not load", "as the message says"},
    {"unfinished", GRADE_ERROR, NEEDS_NOTHING, "what `warpdrill new` left to the author is not done", "what the mark says, and the mark gone"},
    {"evidence-missing", GRADE_ERROR, NEEDS_NOTHING, "a variant has no recorded evidence", "warpdrill record PACK on a machine with a GPU"},
    {"evidence-unreadable", GRADE_ERROR, NEEDS_NOTHING, "an evidence file is no recording that this program reads", "record it again"},
    {"evidence-stale", GRADE_ERROR, NEEDS_NOTHING, "a source, size, launch or fill was edited after the evidence was recorded",
     "record the variant again, or take the edit back"},
    {"evidence-stray", GRADE_ERROR, NEEDS_NOTHING, "a recording that belongs to no variant, or that does not have its GPU's name", "delete or rename it"},
    {"public-stray", GRADE_ERROR, NEEDS_NOTHING, "a file outside of `sealed` that is no pack.yaml, STORY/scenario.yaml or STORY/VARIANT/suspect.cu",
     "put it into a folder `sealed`, or away"},
    {"effect", GRADE_ERROR, NEEDS_NOTHING, "suspect.time / fix.time is outside the band of `effect`", "a band that holds the recorded ratio, or a better pair"},
    {"proves", GRADE_ERROR, NEEDS_NOTHING, "a predicate of `proves` does not hold on a recording", "claim what the recordings show"},
    {"truth", GRADE_ERROR, NEEDS_NOTHING, "the truth of an estimate, or the value of a mistake, cannot be computed on a recording, or is not above zero",
     "name metrics that the recording has"},
    {"units", GRADE_ERROR, NEEDS_NOTHING, "a formula adds or compares what has different units, a predicate has one, or an estimate is asked in another",
     "a quotient, or a number with its unit: 1.5 ms"},
    {"verdict", GRADE_ERROR, NEEDS_NOTHING, "a source computes a wrong result where it must not, or nothing shows that the suspect of a wrong pair does",
     "a right fix and best; a suspect whose error a comparison at the story's own size or in its own sweep, poison, repetition or racecheck shows"},
    {"tolerance-zeros", GRADE_ERROR, NEEDS_NOTHING, "the recorded comparison would take zeros, or memory that nobody wrote, for the right result",
     "a tighter `tolerance`, inputs whose results are not near zero"},
    {"estimate-shown", GRADE_ERROR, NEEDS_NOTHING, "the truth of an estimate is on the screen before it is asked: by the symptom, the yardstick, another probe or an answer",
     "`before:` the first probe that shows it, or another truth"},
    {"estimate-twin", GRADE_WARNING, NEEDS_NOTHING, "in all recordings a metric of another probe is the computed truth of an estimate", "`before:` that probe"},
    {"ideal", GRADE_ERROR, NEEDS_NOTHING, "no purchases take an even reader to 90 % belief in the cause on a recording", "readings that settle the matter"},
    {"path-dear", GRADE_WARNING, NEEDS_NOTHING, "the cheapest purchases that suffice are dearer than the par of the level", "cheaper readings, or a higher level"},
    {"reading-idle", GRADE_ERROR, NEEDS_NOTHING, "a reading holds on no recorded GPU", "an `expect` that the evidence meets, or leave it out"},
    {"reading-some", GRADE_WARNING, NEEDS_NOTHING, "of several recorded GPUs a reading holds on some only",
     "an `expect` that names why (gpu.*), unless that is the point"},
    {"reading-foreign", GRADE_ERROR, NEEDS_NOTHING, "a reading names measurements, and its own probe brings none of them", "the probe that brings one; of an experiment's steps .first, .last, .min, .max"},
    {"apart-cause", GRADE_ERROR, NEEDS_NOTHING, "nothing that can be bought speaks for the cause against one of its rivals", "a reading that does, or another rival"},
    {"apart-pair", GRADE_ERROR, NEEDS_NOTHING, "two hypotheses on offer, neither ever the cause, that no reading of any variant tells apart",
     "a reading that weighs them differently, or one of them on offer"},
    {"leak-cause", GRADE_ERROR, NEEDS_NOTHING, "a name, comment or sentence of the public half names the cause",
     "a word that says what the code does, not what is wrong with it"},
    {"leak-hint", GRADE_WARNING, NEEDS_NOTHING, "a name or comment goes well with the cause, and not every variant has it",
     "another word, or the same one in every variant"},
    {"leak-rival", GRADE_WARNING, NEEDS_NOTHING, "a name or comment names a hypothesis on offer that is not the cause",
     "a word that says what the code does"},
    {"leak-word", GRADE_ERROR, NEEDS_NOTHING, "a name or comment says that something is wrong: naive, slow, bug, fix, ...",
     "what a colleague would have written on a bad day"},
    {"leak-tone", GRADE_WARNING, NEEDS_NOTHING, "a word may say how it stands: naive or bug in a sentence; fast, good, old, v2 in a name",
     "a word without a judgement"},
    {"leak-fix", GRADE_ERROR, NEEDS_NOTHING, "a line of the fix stands in scenario.yaml, or in a comment or string of a suspect", "leave it out"},
    {"variant-name", GRADE_WARNING, NEEDS_NOTHING, "a variant's folder is called other than by one letter", "a, b, c, d"},
    {"variant-cause", GRADE_WARNING, NEEDS_NOTHING, "two variants of a story have one cause", "another cause, or a story of its own"},
    {"variant-comment", GRADE_WARNING, NEEDS_NOTHING, "a comment that one variant alone has, beside code that others have too",
     "the same comments in every variant"},
    {"variant-extra", GRADE_WARNING, NEEDS_NOTHING, "a kernel or macro that one variant alone has", "the same kernels and macros in every variant"},
    {"truth-first", GRADE_WARNING, NEEDS_NOTHING, "in all variants of a pack the cause, or an accepted remedy, is the first on offer",
     "rivals that stand before it; another order of remedies"},
    {"remedy-longest", GRADE_WARNING, NEEDS_NOTHING, "the accepted remedy has the longest text by far", "texts of about one length"},
    {"fix-same", GRADE_ERROR, NEEDS_NOTHING, "fix.cu is suspect.cu but for comments, and has the same launches", "a source or launches that differ"},
    {"fix-large", GRADE_WARNING, NEEDS_NOTHING, "the fix changes more than 40 % of the lines, and more than 30", "a suspect that is nearer to its fix"},
    {"fix-elsewhere", GRADE_WARNING, NEEDS_NOTHING, "the fix changes no line near the one to be named", "the `location` at which the fix begins"},
    {"location-comment", GRADE_ERROR, NEEDS_NOTHING, "the line to be named has no code", "a text of a line that a compiler sees"},
    {"sizes", GRADE_ERROR, NEEDS_NOTHING, "a size, launch or fill that cannot be on a recorded GPU, or at a step of a sweep or one of `shapes`",
     "a formula that comes out whole, a grid and blocks within CUDA's limits, a type that holds the fill"},
    {"arguments", GRADE_ERROR, NEEDS_NOTHING, "a launch does not pass what its kernel takes: number, buffer or number, type, or an output that nothing can write",
     "the arguments of the signature that is shown"},
    {"remedies-all", GRADE_ERROR, NEEDS_NOTHING, "every remedy on offer is accepted", "remedies that do not help"},
    {"pushback-kinds", GRADE_WARNING, NEEDS_NOTHING, "every pushback is a correction", "a `conviction` or a `red-herring` too"},
    {"pushback-names", GRADE_WARNING, NEEDS_NOTHING, "a pushback that brings nothing new names the cause", "a doubt that does not name it"},
    {"debrief-cause", GRADE_WARNING, NEEDS_NOTHING, "the debrief does not name the cause", "the word by which it was on offer"},
    {"debrief-short", GRADE_WARNING, NEEDS_NOTHING, "the debrief has fewer than 40 words", "a few sentences with the arithmetic"},
    {"estimate-working", GRADE_ERROR, NEEDS_NOTHING, "the working of an estimate misses its truth by more than `within`",
     "a better working, or a wider `within`"},
    {"estimate-mistake", GRADE_ERROR, NEEDS_NOTHING, "a mistake of an estimate lies within `within` of its truth, so it is graded as right",
     "a tighter `within`, or leave it out"},
    {"score-win", GRADE_ERROR, NEEDS_NOTHING, "who buys the cheapest sufficient evidence and answers everything rightly gets less than 85 points",
     "cheaper readings; readings and pushbacks that do not speak against the cause"},
    {"score-wrong", GRADE_ERROR, NEEDS_NOTHING, "who ends certain of a rival gets nearly as much as who follows the evidence, or more",
     "readings that speak for the cause"},
    {"score-guess", GRADE_ERROR, NEEDS_NOTHING, "who buys nothing gets more than `updating`, \"nowhere\" and half of the estimates, or, by following the pushback alone, more than 60 on average",
     "estimates that the opening does not answer, a tighter `within`, a pushback that is no correction"},
    {"compiles", GRADE_ERROR, NEEDS_COMPILER, "a source does not compile for an architecture that the story claims",
     "mend the line, or claim less with `compute` under `needs`"},
    {"kernel-name", GRADE_ERROR, NEEDS_COMPILER, "a launch names a kernel that the compiled source does not have", "the name, or `extern \"C\"` before the kernel"},
    {"live-wrong", GRADE_ERROR, NEEDS_GPU, "the fix or the best computes a wrong result, or faults, in a check of correctness or at another size",
     "a source that is right at every size of `shapes` and of the story's sweeps"},
    {"live-shapes", GRADE_WARNING, NEEDS_GPU, "the fix is tried at the story's own size alone", "`shapes` in answer.yaml"},
    {"live-effect", GRADE_ERROR, NEEDS_GPU, "what is said to be slower cannot be told from what is as fast: the interval of the ratio holds 1",
     "a pair that differs by more than the noise"},
    {"live-blind", GRADE_ERROR, NEEDS_GPU, "no experiment whose reading names the cause shows that the suspect of a wrong pair is wrong",
     "an experiment that does, and a reading under it that settles or is for the cause"},
    {"live-sabotage", GRADE_ERROR, NEEDS_GPU, "the comparison accepts a result that was spoilt on purpose", "a tighter tolerance, inputs that make results differ"},
    {"live-strict", GRADE_ERROR, NEEDS_GPU, "the comparison refuses the fix's result changed by a quarter of the tolerance",
     "a wider tolerance, or a fix that does not use all of it"},
    {"live-idle", GRADE_ERROR, NEEDS_GPU, "a reading holds neither on this GPU nor on a recorded one", "an `expect` that the evidence meets, or leave it out"},
    {"live-reading", GRADE_WARNING, NEEDS_GPU, "a reading holds on a recorded GPU, but not on this one", "a threshold that leaves room for other GPUs"},
    {"live-margin", GRADE_WARNING, NEEDS_GPU, "a reading holds on this GPU by 2 % or less", "a threshold that leaves room for noise"},
    {"live-estimate", GRADE_ERROR, NEEDS_GPU, "the working of an estimate misses its truth on this GPU by more than `within`", "a better working, or a wider `within`"},
    {"live-gap", GRADE_WARNING, NEEDS_GPU, "something could not be measured on this GPU", "as the message says"},
};
enum { RULES = sizeof rules / sizeof *rules };

const struct rule *rule_table(size_t *n)
{
    *n = RULES;
    return rules;
}

const struct rule *rule_find(const char *id)
{
    for (int i = 0; i < RULES; i++)
        if (!strcmp(rules[i].id, id))
            return &rules[i];
    return NULL;
}

const char *grade_name(enum grade g)
{
    return g == GRADE_ERROR ? "error" : "warning";
}
