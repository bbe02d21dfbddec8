/* The sealed half of a new scenario: answer.yaml, the sources beside the suspect, the debrief. */
#include "scenarios/new/scaffold_draft.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

static const char *pair_of(const struct cause *d)
{
    return !strncmp(d->id, "corr.", 5)      ? "wrong"
           : strcmp(d->id, "none.at-limit") ? "regression"
                                            : "healthy";
}

static bool is_healthy(const struct cause *d)
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

enum { ROWS_MOST = MAX_HYPOTHESES + CAUSE_RIVALS + 2 };
struct row { const struct cause *d; const struct cause_reading *r; bool denies_limit; };

/* The cause's own, then what speaks against each rival. */
static int rows_of(const struct cause *cause, struct row rows[ROWS_MOST])
{
    bool wrong = !strcmp(pair_of(cause), "wrong");
    int n = 0;
    rows[n++] = (struct row){cause, &cause->settles, wrong};
    for (int i = 0; i < CAUSE_RIVALS && cause->rivals[i]; i++) {
        const struct cause *d = cause_find(cause->rivals[i]);
        rows[n++] = (struct row){d, &d->speaks_against, false};
    }
    if (!wrong && !is_healthy(cause))
        rows[n++] = (struct row){cause_find("none.at-limit"),
                                 &cause_find("none.at-limit")->speaks_against, false};
    return n;
}

/* The cause's own, then what speaks against each other hypothesis on offer. */
static int rows_joined(const struct cause *cause, const struct story *story,
                       struct row rows[ROWS_MOST])
{
    int n = 0;
    rows[n++] = (struct row){cause, &cause->settles, false};
    for (int i = 0; i < story->n_hypotheses; i++) {
        const struct cause *d = cause_find(story->hypotheses[i]->id);
        if (d && d != cause)
            rows[n++] = (struct row){d, &d->speaks_against, false};
    }
    return n;
}

static void reading(FILE *f, const struct row *row)
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

static void readings(FILE *f, const struct row *rows, int n)
{
    bool done[ROWS_MOST] = {false};
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

static void pushbacks(FILE *f, const struct cause *d)
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

static void estimates(FILE *f, const struct cause *d)
{
    fputs("\nestimates:                # truth: a formula over what the debrief knows; working: "
          "how one gets there on paper\n  floor-time:\n    truth: work.bytes / (gpu.dram_peak * 1 "
          "B / 1 s)\n    working: work.bytes / (gpu.dram_peak * 1 B / 1 s)\n    within: 1.2        "
          "   # full marks up to this factor\n    mistakes:             # wrong in a way that has "
          "a name\n      - value: 8 * work.bytes / (gpu.dram_peak * 1 B / 1 s)\n        says: That "
          "looks like bits for bytes.\n",
          f);
    if (!is_healthy(d))
        fputs("  call-time:\n"
              "    truth: fix.time\n"
              "    working: work.bytes / ceiling.copy\n"
              "    within: 1.5\n", f);
}

/* ---- answer.yaml ---- */

static void reference_launch(FILE *f, const struct draft *p)
{
    fprintf(f, "reference:                # the same buffers; outputs are f64\n"
               "  source: reference.cu\n"
               "  launches:\n"
               "    - kernel: reference\n"
               "      grid: [\"ceildiv(%s, 256)\"]\n"
               "      block: [256]\n"
               "      args: [", p->elements);
    for (int i = 0; i < p->k->n_params; i++) {
        draft_argument(f, p, i);
        fputs(", ", f);
    }
    fprintf(f, "{i64: %s}]", p->elements);
    draft_guessed_arguments(f, p);
    fprintf(f,
            "\n# shapes: [{%s: 1000}, {%s: 4097}]    # other sizes at which the fix must be right; "
            "`warpdrill check --live` measures them\n",
            p->sizes[0].name, p->sizes[0].name);
}

static void verdict(FILE *f, const struct draft *p)
{
    const struct cause *d = p->of->cause;
    const char *pair = pair_of(d);
    fprintf(f,
            "# Sealed half: read by the program that scores, never by the one that asks.\nformat: "
            "1\npair: %s          # regression: slower than the fix; wrong: fast or slow, its "
            "result is wrong; healthy: nothing is wrong\ncause: %s",
            pair, d->id);
    if (*p->of->guessed)
        fprintf(f, "    # guessed %s; " SCAFFOLD_MARK ": what it was", p->of->guessed);
    putc('\n', f);
    if (!is_healthy(d)) {
        fputs("location:                 # text of suspect.cu that occurs once; its first line is "
              "the one to be named\n  file: suspect.cu\n  text: '",
              f);
        for (size_t i = 0; i < p->location_len; i++)
            fprintf(f, "%s%c", p->suspect[p->location + i] == '\'' ? "'" : "",
                    p->suspect[p->location + i]);
        fputs("'\n", f);
    }
}

static void fix(FILE *f, const char *remedy, const char *mark)
{
    fprintf(f,
            "remedies: [%s]            # those of scenario.yaml that are accepted%s\n\nfix:        "
            "              # few lines changed; `launches:` too where it is launched in another "
            "way\n  source: fix.cu\n",
            remedy, mark);
}

static void effect(FILE *f, const struct draft *p)
{
    const struct cause *d = p->of->cause;
    const char *pair = pair_of(d);
    fprintf(f,
            "\neffect: %s         # suspect.time / fix.time; wide enough for other GPUs, narrow "
            "enough to mean something\n",
            is_healthy(d)            ? "[0.8, 1.25]"
            : !strcmp(pair, "wrong") ? "[0.2, 5]"
                                     : "[1.2, 50]");
    fprintf(f, "%s\n",
            is_healthy(d) || !strcmp(pair, "wrong")
                ? "# proves: [fix.copy_fraction >= 0.5]    # what must hold on every GPU on which "
                  "it is scored"
                : "proves:                   # what must hold on every GPU on which it is scored\n "
                  " - suspect.time > fix.time");
}

static void rest(FILE *f)
{
    fputs("\ndebrief: debrief.md\n"
          "# models: an-entry        # of the catalogue of real bugs\n"
          "# incidents: [owner/repository#123]      # where it was seen\n", f);
}

char *draft_answer(const struct draft *p)
{
    char *text = NULL;
    size_t size;
    struct row rows[ROWS_MOST];
    FILE *f = open_memstream(&text, &size);
    verdict(f, p);
    fix(f, p->of->cause->remedy, "");
    reference_launch(f, p);
    effect(f, p);
    readings(f, rows, rows_of(p->of->cause, rows));
    pushbacks(f, p->of->cause);
    estimates(f, p->of->cause);
    rest(f);
    fclose(f);
    return text;
}

/* ---- answer.yaml of a further variant ---- */

/* From the line of a key of the outermost map to the next such line; "" where there is none. */
static void copy_block(FILE *f, const char *text, const char *key, const char *before)
{
    size_t n = strlen(key);
    const char *at = text, *line;
    while (at && (strncmp(at, key, n) || at[n] != ':'))
        at = (line = strchr(at, '\n')) ? line + 1 : NULL;
    if (!at)
        return;
    fputs(before, f);
    for (bool first = true; *at && (first || isspace((unsigned char)*at) || *at == '#');
         first = false) {
        line = strchr(at, '\n');
        line = line ? line + 1 : at + strlen(at);
        if (first || *at != '#')
            fwrite(at, 1, (size_t)(line - at), f);
        at = line;
    }
}

static bool offers_remedy(const struct story *s, const char *id)
{
    for (int i = 0; i < s->n_remedies; i++)
        if (!strcmp(s->remedies[i].id, id))
            return true;
    return false;
}

char *draft_joined(const struct draft *p, const struct draft_story *with)
{
    static const char shared[] = "\n# As another variant of the story has it; " SCAFFOLD_MARK
                                 ": look whether it holds here too.\n";
    char *text = NULL;
    size_t size;
    struct row rows[ROWS_MOST];
    const struct cause *d = p->of->cause;
    bool offered = offers_remedy(with->story, d->remedy);
    FILE *f = open_memstream(&text, &size);
    verdict(f, p);
    fix(f, offered ? d->remedy : with->story->remedies[0].id,
        offered ? "" : "; guessed, " SCAFFOLD_MARK ": the one that mends this");
    copy_block(f, with->answer, "reference", "");
    copy_block(f, with->answer, "shapes", "");
    effect(f, p);
    readings(f, rows, rows_joined(d, with->story, rows));
    pushbacks(f, d);
    copy_block(f, with->answer, "estimates", shared);
    rest(f);
    fclose(f);
    return text;
}

/* ---- sources ---- */

char *draft_fix(const struct draft *p)
{
    const char *what = is_healthy(p->of->cause)
                           ? "the tempting change that gains nothing"
                           : "this copy of suspect.cu without the fault, in few lines";
    size_t line = p->location;
    while (line > 0 && p->suspect[line - 1] != '\n')
        line--;
    size_t indent = strspn(p->suspect + line, " \t");
    return text_format("// %s: %s. Say here what was tried, why this one won, and the arithmetic "
                       "behind the expected time.\n%.*s%.*s// %s: %s\n%s",
                       SCAFFOLD_MARK, what, (int)line, p->suspect, (int)indent, p->suspect + line,
                       SCAFFOLD_MARK,
                       is_healthy(p->of->cause)
                           ? "change something near here"
                           : "our guess at the line; answer.yaml says `location`",
                       p->suspect + line);
}

static const char *scalar_type(const struct kernel_param *q)
{
    static const char *const names[T_COUNT] =
        {[T_F64] = "double",         [T_F32] = "float",      [T_F16] = "__half",
         [T_BF16] = "__nv_bfloat16", [T_E4M3] = "unsigned char", [T_E5M2] = "unsigned char",
         [T_I64] = "long long",      [T_I32] = "int",        [T_U32] = "unsigned",
         [T_I8] = "signed char",     [T_U8] = "unsigned char"};
    if (q->kind == KP_F32 || q->kind == KP_F64)
        return q->kind == KP_F32 ? "float" : "double";
    if (q->kind != KP_BUFFER)
        return q->kind == KP_WHOLE64 ? "long long" : "int";
    return q->is_short ? "unsigned short" : names[q->elem];
}

static bool is_out(const struct draft *p, int i)
{
    return p->k->params[i].kind == KP_BUFFER &&
           (p->roles[i] == ROLE_OUTPUT || p->roles[i] == ROLE_INOUT);
}

/* "x" where the kernel names a parameter "i", which the loop uses. */
static void parameter(FILE *f, const struct draft *p, int i)
{
    static const char *const mine[] = {"i", "c", "k", "value", "elements", "reference"};
    const char *name = p->k->params[i].name, *end = "";
    for (size_t m = 0; m < sizeof mine / sizeof *mine; m++)
        end = strcmp(name, mine[m]) ? end : "_";
    fprintf(f, "%s%s", name, end);
}

static void signature(FILE *f, const struct draft *p)
{
    fputs("extern \"C\" __global__ void reference(", f);
    for (int i = 0; i < p->k->n_params; i++) {
        const struct kernel_param *q = &p->k->params[i];
        if (q->kind == KP_BUFFER)
            fprintf(f,
                    p->roles[i] == ROLE_OUTPUT  ? "double *"
                    : p->roles[i] == ROLE_INPUT ? "const %s *"
                                                : "%s *",
                    scalar_type(q));
        else
            fprintf(f, "%s ", scalar_type(q));
        parameter(f, p, i);
        fputs(", ", f);
    }
    fputs("long long elements)\n{\n", f);
}

char *draft_reference(const struct draft *p)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f,
            "// The truth in float64, in the plainest way: correctness of suspect and fix is "
            "judged against it. It takes the kernel's arguments and\n// the number of elements; "
            "outputs are double, whatever they are in the kernel, but inout keeps its type. One "
            "thread for each element of the outputs.\n%s",
            p->prelude);
    signature(f, p);
    fprintf(f,
            "    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= "
            "elements)\n        return;\n    double value = 0;\n    for (long long k = 0; k < 1; "
            "k++)\n        value += 0;    // %s: element i of each output, from the inputs\n",
            SCAFFOLD_MARK);
    for (int i = 0; i < p->k->n_params; i++) {
        if (!is_out(p, i))
            continue;
        int width = p->k->params[i].width;
        fprintf(f, width > 1 ? "    for (int c = 0; c < %d; c++)\n    " : "%.0d",
                width > 1 ? width : 0);
        fputs("    ", f);
        parameter(f, p, i);
        fprintf(f, width > 1 ? "[%d * i + c] = value;\n" : "[i%.0d] = value;\n",
                width > 1 ? width : 0);
    }
    fputs("}\n", f);
    fclose(f);
    return text;
}

char *draft_debrief(const struct draft *p)
{
    const struct hypothesis *h = taxonomy_find(p->of->cause->id);
    return text_format("## What it was\n\n%s: the mechanism, in two sentences that name lines of "
                       "the suspect. (%s: %s)\n\n## The arithmetic\n\nWhich numbers follow from "
                       "it, worked out on paper, and which were measured, on which GPU?\n\n## What "
                       "settled it\n\nWhich probe, which metric, which value; and what looked "
                       "guilty and was not?\n\n## The fix\n\nWhat changes, what it costs, when "
                       "would you not do it?\n\n## The rival\n\nWhich other cause shows the same "
                       "symptom, and what tells the two apart?\n",
                       SCAFFOLD_MARK, h->label, h->explain);
}
