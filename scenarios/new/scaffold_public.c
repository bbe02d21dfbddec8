/* scenario.yaml of a new scenario. */
#include "scenarios/new/scaffold_draft.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

/* ---- the order of hypotheses ---- */

static int by_rank(const void *a, const void *b)
{
    return taxonomy_rank(*(const struct hypothesis *const *)a) -
           taxonomy_rank(*(const struct hypothesis *const *)b);
}

static int offered(const struct cause *cause, const struct hypothesis *out[CAUSE_RIVALS + 2])
{
    int n = 0;
    out[n++] = taxonomy_find(cause->id);
    for (int i = 0; i < CAUSE_RIVALS && cause->rivals[i]; i++)
        out[n++] = taxonomy_find(cause->rivals[i]);
    if (strcmp(cause->id, "none.at-limit"))
        out[n++] = taxonomy_find("none.at-limit");
    qsort(out, (size_t)n, sizeof *out, by_rank);
    return n;
}

/* ---- parts ---- */

static void head(FILE *f, const struct draft *p)
{
    fprintf(f,
            "# Public half: everything in this file may be shown to the person being tested. What "
            "this draft cannot know is\n# marked in capitals; content/FORMAT.md has every "
            "key.\nformat: 1\nid: %s    # the folder's name; it stays, since progress is kept "
            "under it\ntitle: ",
            p->of->id);
    draft_quote(f, p->of->title);
    fprintf(f,
            "\nkind: kernel              # pipeline: a step of several launches\nlevel: %d         "
            "         # 0 warm-up, 1 one counter settles it, 3 several readings, 5 experts differ; "
            "sets par and patience\nstory: |\n  %s: what the code is for, what was expected of it, "
            "what was seen. As the interviewer would tell it,\n  in three or four lines, without "
            "the reason. End with the question.\n",
            p->of->level, SCAFFOLD_MARK);
}

static void params(FILE *f, const struct draft *p)
{
    fprintf(f,
            "\nneeds:                    # the least GPU to run it on; others play it on recorded "
            "evidence\n  compute: 7.5            # 8.0 for cp.async, 9.0 for wgmma and clusters\n  "
            "memory: %.0f * %s      # bytes: buffers, and the float64 outputs of the "
            "reference\n\nparams:                   # sizes, in this order; formulas over gpu.* "
            "and the ones above, so that other GPUs show it too\n",
            p->in_bytes + p->out_bytes + 32, p->elements);
    for (int i = 0; i < p->n_sizes; i++)
        fprintf(f, "  %s: %s    # %s%s\n", p->sizes[i].name, p->sizes[i].formula,
                p->sizes[i].guessed ? DRAFT_GUESSED : "", p->sizes[i].why);
    fputs("\nsizes:                    # what the opening tells of them; behind each name the "
          "words of a user\n",
          f);
    for (int i = 0; i < p->n_sizes; i++)
        fprintf(f, "  %s: %.32s\n", p->sizes[i].name, p->sizes[i].name);
    fputs("\n# define: {TILE: n}       # compiled with -DTILE=..., for what the compiler must know "
          "and an experiment may vary\n",
          f);
}

static const char *fill_of(const struct draft *p, int i)
{
    const struct kernel_param *q = &p->k->params[i];
    if (p->roles[i] == ROLE_INOUT && q->atomic)
        return "zeros";
    if (q->elem == T_I8 || q->elem == T_U8)
        return "\"uniform(0, 100)\"";
    return !elem_is_real(q->elem) ? "permutation" : "\"uniform(-1, 1)\"";
}

static void buffers(FILE *f, const struct draft *p)
{
    static const char *const role_names[] = {"input", "output", "inout", "workspace"};
    fputs("\nbuffers:                  # one for each pointer; fill: zeros, constant(a), ramp(a, "
          "b), uniform(a, b), normal(a, b),\n                          # and for indices "
          "permutation, hot(a, b), zipf(a, b)\n",
          f);
    for (int i = 0; i < p->k->n_params; i++) {
        const struct kernel_param *q = &p->k->params[i];
        if (q->kind != KP_BUFFER)
            continue;
        fprintf(f, "  %s: {type: %s, count: ", p->names[i], elem_name(q->elem));
        fprintf(f, q->width > 1 ? "%d * %s" : "%.0d%s", q->width > 1 ? q->width : 0, p->elements);
        if (p->roles[i] != ROLE_INPUT)
            fprintf(f, ", role: %s", role_names[p->roles[i]]);
        if (p->roles[i] == ROLE_INPUT || p->roles[i] == ROLE_INOUT)
            fprintf(f, ", fill: %s", fill_of(p, i));
        fprintf(f, "}%s\n",
                q->is_short    ? "    # 16 bits taken for f16; bf16 if they are that"
                : q->width > 1 ? "    # counted in numbers, not in vectors"
                               : "");
    }
}

static bool is_size(const struct draft *p, int i)
{
    for (int n = 0; n < p->n_sizes; n++)
        if (!strcmp(p->sizes[n].name, p->names[i]))
            return true;
    return false;
}

static bool is_float(const struct kernel_param *q)
{
    return q->kind == KP_F32 || q->kind == KP_F64;
}

void draft_argument(FILE *f, const struct draft *p, int i)
{
    static const char *const kinds[] = {
        [KP_WHOLE] = "i32", [KP_WHOLE64] = "i64", [KP_F32] = "f32", [KP_F64] = "f64"};
    const struct kernel_param *q = &p->k->params[i];
    const char *passed = p->of->passed[i], *usual = strcasestr(q->name, "eps") ? "1e-5" : "1";
    if (is_float(q))
        fprintf(f, "{%s: %s}", kinds[q->kind], passed ? passed : usual);
    else if (q->kind != KP_BUFFER && !is_size(p, i))
        fprintf(f, "{%s: %s}", kinds[q->kind], passed);
    else if (q->kind == KP_WHOLE64)
        fprintf(f, "{i64: %s}", p->names[i]);
    else
        fputs(p->names[i], f);
}

bool draft_lacks_number(const struct draft *p, int i)
{
    if (is_float(&p->k->params[i]))
        return !p->of->passed[i];
    for (int n = 0; n < p->n_sizes; n++)
        if (p->sizes[n].guessed && p->sizes[n].number_of == i)
            return true;
    return false;
}

void draft_guessed_arguments(FILE *f, const struct draft *p)
{
    const char *between = "    # " DRAFT_GUESSED "the numbers for ";
    for (int i = 0; i < p->k->n_params; i++) {
        if (!is_float(&p->k->params[i]) || p->of->passed[i])
            continue;
        fprintf(f, "%s%s", between, p->k->params[i].name);
        between = ", ";
    }
}

static void close_list(FILE *f, const char *to_fill_in)
{
    fprintf(f, "]%s%s\n", to_fill_in ? "    # " DRAFT_GUESSED : "", to_fill_in ? to_fill_in : "");
}

static void grid(FILE *f, const struct draft *p)
{
    fputs("    grid: [", f);
    for (int d = 0; d < p->n_grid; d++) {
        bool quoted = strchr(p->grid[d], ',') != NULL;
        fprintf(f, quoted ? "%s\"%s\"" : "%s%s", d ? ", " : "", p->grid[d]);
    }
    close_list(f, p->grid_why);
}

static void block(FILE *f, const struct draft *p)
{
    fputs("    block: [", f);
    for (int d = 0; d < p->n_block; d++)
        fprintf(f, "%s%d", d ? ", " : "", p->block[d]);
    close_list(f, p->block_why);
}

static void shared(FILE *f, const struct draft *p)
{
    const char *why = p->k->shared ? "dynamic shared memory, bytes; what your case had"
                                   : DRAFT_GUESSED "dynamic shared memory, bytes";
    if (p->k->uses_dynamic || p->k->shared)
        fprintf(f, "    shared: %d    # %s\n", p->k->shared ? p->k->shared : 4 * p->threads, why);
}

static void launches(FILE *f, const struct draft *p)
{
    fputs("\nlaunches:                 # inside [ ] a comma separates: quote a formula that has "
          "one\n",
          f);
    if (p->k->launch) {
        char *where = source_where(p->of->source, p->k->launch_line);
        fprintf(f, "  # your code, %s: ", where);
        free(where);
        for (const char *c = p->k->launch; *c; c++)
            putc(*c == '\n' ? ' ' : *c, f);
        putc('\n', f);
    }
    fprintf(f, "  - kernel: %s\n", p->k->name);
    grid(f, p);
    block(f, p);
    shared(f, p);
    fputs("    args: [", f);
    for (int i = 0; i < p->k->n_params; i++) {
        fputs(i ? ", " : "", f);
        draft_argument(f, p, i);
    }
    putc(']', f);
    draft_guessed_arguments(f, p);
    putc('\n', f);
}

/* Of a matrix one buffer may hold a row alone, which nothing here can tell. */
static bool may_differ(const struct draft *p)
{
    int n = 0;
    for (int i = 0; i < p->k->n_params; i++)
        n += p->k->params[i].kind == KP_BUFFER && p->roles[i] == ROLE_INPUT;
    return n > 1 && p->n_sizes > 2;
}

/* Each input read once, each output written once. */
static void task_bytes(FILE *f, const struct draft *p)
{
    int each[2 * CAP_ARGS] = {0};
    for (int i = 0; i < p->k->n_params; i++) {
        const struct kernel_param *q = &p->k->params[i];
        int bytes = q->kind == KP_BUFFER ? elem_size(q->elem) * q->width : 0;
        bool in = p->roles[i] == ROLE_INPUT || p->roles[i] == ROLE_INOUT;
        each[2 * i] = in ? bytes : 0;
        each[2 * i + 1] = p->of->output[i] ? bytes : 0;
    }
    draft_bytes(f, each, 2 * p->k->n_params);
}

static void task(FILE *f, const struct draft *p)
{
    fputs("\nwork:                     # what the task compels, whoever does it: each input read "
          "once, each output written once\n  bytes: ",
          f);
    task_bytes(f, p);
    fprintf(f,
            " * %s%s\n  flops: 0                # for "
            "a task that computes much; adds the roofline's other side\n",
            p->elements,
            may_differ(p) ? "    # " DRAFT_GUESSED "each buffer was taken for whole; mend the "
                            "`count` of one that has fewer or more, and this"
                          : "");
    if (p->whole_outputs)
        fputs("tolerance: exact          # or {relative: 1e-5, absolute: 1e-6}\n", f);
    else
        fprintf(f,
                "tolerance: {relative: %s, absolute: %s}    # |out - reference| <= absolute + "
                "relative * |reference|; or exact\n",
                p->short_outputs ? "1e-2" : "1e-4", p->short_outputs ? "1e-3" : "1e-5");
    fputs("\nquestions:                # what a candidate may ask for nothing; replies are true "
          "and keep the secret\n  - ask: Did the driver or the clocks change?\n    answer: No. "
          "Same driver, same clocks, same node.\n  - ask: Does anything run beside it?\n    "
          "answer: No, it has the GPU to itself.\n",
          f);
}

void draft_choices(FILE *f, const struct cause *d)
{
    const struct hypothesis *h[CAUSE_RIVALS + 2];
    int n = offered(d, h);
    fputs("\nhypotheses:               # 3 to 10 that a good engineer would think of, "
          "as the taxonomy lists them\n",
          f);
    for (int i = 0; i < n; i++)
        fprintf(f, "  - %s\n", h[i]->id);
    fputs("\nremedies:                 # 2 to 9 things that one could do about it, about equally "
          "long\n",
          f);
    for (int i = 0; i < n; i++)
        fprintf(f, "  %s: %s\n", cause_of_step(h[i]->id)->remedy,
                cause_of_step(h[i]->id)->remedy_text);
}

void draft_asked(FILE *f, const struct cause *d)
{
    fputs(
        "\nestimates:                # numbers asked for before a probe shows them; the truth is "
        "in the sealed half\n  floor-time:\n    ask: How long do the bytes that must move take at "
        "the very least, at the DRAM peak of this GPU?\n    unit: s               # s, B, B/s, "
        "flop/s, Hz, \"1\"\n    before: timing\n",
        f);
    if (!cause_is_healthy(d))
        fputs("  call-time:\n"
              "    ask: How long should one call take on this GPU, done well?\n"
              "    unit: s\n"
              "    before: timing\n", f);
}

static void tries(FILE *f, const struct draft *p)
{
    const char *n = p->sizes[0].name;
    fprintf(f,
            "\n# experiments:            # up to 4 of your own beside the standard ones; readings "
            "name them by id\n#   other-sizes: {kind: sweep, title: Time it at other sizes, vary: "
            "%s, over: [%s / 4, %s / 2, %s]}\n",
            n, n, n, n);
    draft_asked(f, p->of->cause);
}

char *draft_scenario(const struct draft *p)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    head(f, p);
    params(f, p);
    buffers(f, p);
    launches(f, p);
    task(f, p);
    draft_choices(f, p->of->cause);
    tries(f, p);
    fclose(f);
    return text;
}
