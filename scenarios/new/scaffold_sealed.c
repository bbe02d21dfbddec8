/* The sealed half of a new scenario: answer.yaml, the sources beside the suspect, the debrief. */
#include "scenarios/new/scaffold_draft.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

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
    const char *pair = cause_pair(d);
    fprintf(f,
            "# Sealed half: read by the program that scores, never by the one that asks.\nformat: "
            "1\npair: %s          # regression: slower than the fix; wrong: fast or slow, its "
            "result is wrong; healthy: nothing is wrong\ncause: %s",
            pair, d->id);
    if (*p->of->guessed)
        fprintf(f, "    # guessed %s; " SCAFFOLD_MARK ": what it was", p->of->guessed);
    putc('\n', f);
    if (!cause_is_healthy(d)) {
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
    const char *pair = cause_pair(d);
    fprintf(f,
            "\neffect: %s         # suspect.time / fix.time; wide enough for other GPUs, narrow "
            "enough to mean something\n",
            cause_is_healthy(d)            ? "[0.8, 1.25]"
            : !strcmp(pair, "wrong") ? "[0.2, 5]"
                                     : "[1.2, 50]");
    fprintf(f, "%s\n",
            cause_is_healthy(d) || !strcmp(pair, "wrong")
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
    struct cause_row rows[CAUSE_ROWS];
    FILE *f = open_memstream(&text, &size);
    verdict(f, p);
    fix(f, p->of->cause->remedy, "");
    reference_launch(f, p);
    effect(f, p);
    draft_readings(f, rows, cause_rows(p->of->cause, rows));
    draft_pushbacks(f, p->of->cause);
    draft_estimates(f, p->of->cause);
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
    struct cause_row rows[CAUSE_ROWS];
    const struct cause *d = p->of->cause;
    bool offered = offers_remedy(with->story, d->remedy);
    FILE *f = open_memstream(&text, &size);
    verdict(f, p);
    fix(f, offered ? d->remedy : with->story->remedies[0].id,
        offered ? "" : "; guessed, " SCAFFOLD_MARK ": the one that mends this");
    copy_block(f, with->answer, "reference", "");
    copy_block(f, with->answer, "shapes", "");
    effect(f, p);
    draft_readings(f, rows, cause_rows_joined(d, with->story, rows));
    draft_pushbacks(f, d);
    copy_block(f, with->answer, "estimates", shared);
    rest(f);
    fclose(f);
    return text;
}

/* ---- sources ---- */

char *draft_fix(const struct draft *p)
{
    if (p->of->fix)
        return text_format("// %s: say here what was tried, why this one won, and the arithmetic "
                           "behind the expected time.\n%s",
                           SCAFFOLD_MARK, p->of->fix);
    const char *what = cause_is_healthy(p->of->cause)
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
                       cause_is_healthy(p->of->cause)
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
