/* The files of a scenario that is a step of several launches. */
#include "scenarios/new/scaffold_step.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

const char *step_cause(const struct step *p, const char **because)
{
    for (int i = 0; i < p->n; i++)
        if (p->items[i].host) {
            bool copies = !strncmp(p->items[i].host, "copy", 4) &&
                          strstr(p->items[i].host, "memory: pageable");
            *because = copies ? "because of a copy" : "because the host waits";
            return copies ? "host.pageable-copy" : "host.blocking-call";
        }
    *because = "as the commonest of a step";
    return "pipe.extra-pass";
}

static const char *role_of(const struct step_buffer *b)
{
    static const char *const names[] = {"input", "output", "inout", "workspace"};
    return names[b->role];
}

static bool is_output(const struct step_buffer *b)
{
    return b->role == ROLE_OUTPUT || b->role == ROLE_INOUT;
}

static bool is_filled(const struct step_buffer *b)
{
    return b->role == ROLE_INPUT || b->role == ROLE_INOUT;
}

static int bytes_each(const struct step_buffer *b)
{
    return elem_size(b->as->elem) * b->as->width;
}

/* Bytes for each element that the buffers take. */
static int bytes_of(const struct step *p)
{
    int n = 0;
    for (int i = 0; i < p->n_buffers; i++)
        n += bytes_each(&p->buffers[i]) * (is_output(&p->buffers[i]) ? 3 : 1);
    return n;
}

/* And what the task compels of them. */
static void task_bytes(FILE *f, const struct step *p)
{
    int each[2 * STEP_BUFFERS] = {0};
    for (int i = 0; i < p->n_buffers; i++) {
        each[2 * i] = is_filled(&p->buffers[i]) ? bytes_each(&p->buffers[i]) : 0;
        each[2 * i + 1] = is_output(&p->buffers[i]) ? bytes_each(&p->buffers[i]) : 0;
    }
    draft_bytes(f, each, 2 * p->n_buffers);
}

/* ---- scenario.yaml ---- */

static void head(FILE *f, const struct scaffold *s)
{
    fprintf(f,
            "# Public half: everything in this file may be shown to the person being tested. What "
            "this draft cannot know is\n# marked in capitals; content/FORMAT.md has every "
            "key.\nformat: 2\nid: %s    # the folder's name; it stays, since progress is kept "
            "under it\ntitle: ",
            s->id);
    draft_quote(f, s->title);
    fprintf(f,
            "\nkind: pipeline\nlevel: %d                  # 0 warm-up, 1 one counter settles it, 3 "
            "several readings, 5 experts differ; sets par and patience\nstory: |\n  %s: what the "
            "step is for, what was expected of it, what was seen. As the interviewer would tell "
            "it,\n  in three or four lines, without the reason. End with the question.\n",
            s->level, SCAFFOLD_MARK);
}

static void sizes(FILE *f, const struct step *p)
{
    fprintf(f,
            "\nneeds:                    # the least GPU to run it on; others play it on recorded "
            "evidence\n  compute: 7.5\n  memory: %d * %s + 2 * gpu.l2_bytes\n",
            bytes_of(p) + 8, p->elements);
    if (!p->n_sizes)
        return;
    fputs("\nparams:                   # sizes; formulas over gpu.* and those above\n", f);
    for (int i = 0; i < p->n_sizes; i++)
        fprintf(f, "  %s: %s    # %s%s\n", p->sizes[i].name, p->sizes[i].formula,
                p->sizes[i].guessed ? DRAFT_GUESSED : "", p->sizes[i].why);
    fputs("\nsizes:                    # what the opening tells of them; behind each name the "
          "words of a user\n",
          f);
    for (int i = 0; i < p->n_sizes; i++)
        fprintf(f, "  %s: %s\n", p->sizes[i].name, p->sizes[i].name);
}

static void buffers(FILE *f, const struct step *p)
{
    fputs("\nbuffers:                  # one for each pointer, by the host's name; fill: zeros, "
          "constant(a), uniform(a, b), normal(a, b), permutation\n",
          f);
    for (int i = 0; i < p->n_buffers; i++) {
        const struct step_buffer *b = &p->buffers[i];
        bool whole = b->as->elem >= T_I64;
        fprintf(f, "  %s: {type: %s, count: ", b->name, elem_name(b->as->elem));
        fprintf(f, b->as->width > 1 ? "%d * %s" : "%.0d%s", b->as->width > 1 ? b->as->width : 0,
                b->count ? b->count : p->elements);
        if (b->role != ROLE_INPUT)
            fprintf(f, ", role: %s", role_of(b));
        if (is_filled(b))
            fprintf(f, ", fill: %s", b->atomic ? "zeros"
                                     : b->as->elem == T_I8 || b->as->elem == T_U8
                                         ? "\"uniform(0, 100)\""
                                     : whole ? "permutation"
                                             : "\"uniform(-1, 1)\"");
        fputs("}\n", f);
    }
}

static void launch(FILE *f, const struct step_item *item)
{
    const int *b = item->launch.block;
    fprintf(f, "  - {kernel: %s, label: %s, grid: [%s], block: [", item->kernel->name, item->label,
            item->grid);
    fprintf(f, b[2] > 1 ? "%d, %d, %d" : b[1] > 1 ? "%d, %d%.0d" : "%d%.0d%.0d",
            b[0] ? b[0] : 256, b[1] > 1 || b[2] > 1 ? b[1] : 0, b[2] > 1 ? b[2] : 0);
    fputs("]", f);
    if (item->launch.shared)
        fprintf(f, ", shared: %d", item->launch.shared);
    fprintf(f, ", args: [%s]}", item->args);
    if (item->grid_guessed || !b[0] || *item->unsaid)
        fprintf(f, "    # " DRAFT_GUESSED "%s%s%s%s",
                item->grid_guessed || !b[0] ? "grid, block" : "",
                *item->unsaid && (item->grid_guessed || !b[0]) ? "; " : "",
                *item->unsaid ? "the numbers for " : "", item->unsaid);
    putc('\n', f);
}

static void items(FILE *f, const struct step *p, bool with_host)
{
    for (int i = 0; i < p->n; i++) {
        const struct step_item *item = &p->items[i];
        if (item->kernel)
            launch(f, item);
        else if (with_host)
            fprintf(f, "  - {%s, label: %s}\n", item->host, item->label);
    }
}

static void task(FILE *f, const struct step *p)
{
    bool whole = true;
    for (int i = 0; i < p->n_buffers; i++)
        whole = whole && (!is_output(&p->buffers[i]) || p->buffers[i].as->elem >= T_I64);
    fputs("\nwork:                     # what the task compels, whoever does it: each input read "
          "once, each output written once\n  bytes: ",
          f);
    task_bytes(f, p);
    fprintf(f, " * %s    # " DRAFT_GUESSED "what of it could stay on the chip\n", p->elements);
    fputs(whole ? "tolerance: exact\n" : "tolerance: {relative: 1e-4, absolute: 1e-5}\n", f);
    fputs(
        "\nquestions:                # what a candidate may ask for nothing; replies are true and "
        "keep the secret\n  - ask: Did the driver or the clocks change?\n    answer: No. Same "
        "driver, same clocks, same node.\n",
        f);
}

char *step_scenario(const struct step *p, const struct scaffold *s)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    head(f, s);
    sizes(f, p);
    buffers(f, p);
    fputs("\nlaunches:                 # as your host has them, by line. Steps of the host, such "
          "as {read: BUFFER}, stand among them\n",
          f);
    items(f, p, true);
    task(f, p);
    draft_choices(f, s->cause);
    draft_asked(f, s->cause);
    fclose(f);
    return text;
}

/* ---- the sealed half ---- */

/* How often a word of the cause's marks stands in the kernel's body. */
static int liking(const struct step *p, const struct kernel *k, const char *marks)
{
    int n = 0;
    char word[40];
    for (int len; sscanf(marks, "%39s%n", word, &len) == 1; marks += len) {
        const char *at = p->source->code + k->body, *end = p->source->code + k->end;
        while ((at = memmem(at, (size_t)(end - at), word, strlen(word)))) {
            at += strlen(word);
            n++;
        }
    }
    return n;
}

/* A wait or a copy where the host is the cause, else the launch whose kernel has most of what such
 * a fault is made of. */
static const struct step_item *place_of(const struct step *p, const struct scaffold *s)
{
    const struct step_item *best = NULL;
    int most = -1;
    for (int i = 0; i < p->n; i++) {
        const struct step_item *item = &p->items[i];
        if (item->host && !strncmp(s->cause->id, "host.", 5))
            return item;
        int score = item->kernel ? liking(p, item->kernel, s->cause->marks) : -1;
        best = score > most ? item : best;
        most = score > most ? score : most;
    }
    return best;
}

static void reference_launch(FILE *f, const struct step *p)
{
    fprintf(f, "reference:                # the same buffers; outputs are f64; as many "
               "launches as it takes\n  source: "
               "reference.cu\n  launches:\n    - kernel: reference\n      label: truth\n      "
               "grid: [\"ceildiv(%s, 256)\"]\n      block: [256]\n      args: [",
            p->elements);
    for (int i = 0; i < p->n_buffers; i++)
        if (p->buffers[i].role != ROLE_WORKSPACE)
            fprintf(f, "%s, ", p->buffers[i].name);
    for (int i = 0; i < p->n_sizes; i++)
        fprintf(f, "%s, ", p->sizes[i].name);
    fprintf(f, "{i64: %s}]\n# shapes: [{%s: 1000}]    # other sizes at which the fix must be "
               "right; `warpdrill check --live` measures them\n",
            p->elements, p->n_sizes ? p->sizes[0].name : "NAME");
}

/* Where the host is at fault the draft's fix is the same launches without what it does. */
static void fix(FILE *f, const struct step *p, const struct scaffold *s)
{
    bool host = !strncmp(s->cause->id, "host.", 5) && place_of(p, s)->host;
    fprintf(f, "remedies: [%s]\n\nfix:                      # `launches:` too where it is launched "
               "in another way\n  source: fix.cu\n",
            s->cause->remedy);
    if (!host)
        return;
    fputs("  launches:    # " SCAFFOLD_MARK ": the step as it should be; here without what the "
          "host does between\n",
          f);
    items(f, p, false);
}

char *step_answer(const struct step *p, const struct scaffold *s)
{
    char *text = NULL;
    size_t size;
    struct cause_row rows[CAUSE_ROWS];
    const char *pair = cause_pair(s->cause);
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "# Sealed half: read by the program that scores, never by the one that asks.\n"
               "format: 2\npair: %s\ncause: %s",
            pair, s->cause->id);
    if (*s->guessed)
        fprintf(f, "    # guessed %s; " SCAFFOLD_MARK ": what it was", s->guessed);
    putc('\n', f);
    if (!cause_is_healthy(s->cause))
        fprintf(f, "location: {launch: %s}    # " SCAFFOLD_MARK ": the launch or step at fault; or "
                   "{file: suspect.cu, text: ...}\n",
                place_of(p, s)->label);
    fix(f, p, s);
    reference_launch(f, p);
    fprintf(f, "\neffect: %s         # suspect.time / fix.time; wide enough for other GPUs, narrow "
               "enough to mean something\n",
            cause_is_healthy(s->cause) ? "[0.8, 1.25]"
            : !strcmp(pair, "wrong")   ? "[0.2, 5]"
                                       : "[1.05, 50]");
    draft_readings(f, rows, cause_rows(s->cause, rows));
    draft_pushbacks(f, s->cause);
    draft_estimates(f, s->cause);
    fputs("\ndebrief: debrief.md\n", f);
    fclose(f);
    return text;
}

static void reference_parameter(FILE *f, const struct step_buffer *b)
{
    static const char *const names[T_COUNT] =
        {[T_F64] = "double",         [T_F32] = "float",      [T_F16] = "__half",
         [T_BF16] = "__nv_bfloat16", [T_I64] = "long long",  [T_I32] = "int",
         [T_U32] = "unsigned",       [T_I8] = "signed char", [T_U8] = "unsigned char"};
    const char *type = b->as->is_short ? "unsigned short" : names[b->as->elem];
    fprintf(f,
            b->role == ROLE_OUTPUT  ? "double *%.0s%s, "
            : b->role == ROLE_INPUT ? "const %s *%s, "
                                    : "%s *%s, ",
            type, b->name);
}

char *step_reference(const struct step *p, const char *prelude)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f,
            "// The truth of the whole step in float64, in the plainest way. Outputs are double, "
            "but inout keeps its type. One thread for each element.\n%sextern \"C\" __global__ "
            "void reference(",
            prelude);
    for (int i = 0; i < p->n_buffers; i++)
        if (p->buffers[i].role != ROLE_WORKSPACE)
            reference_parameter(f, &p->buffers[i]);
    for (int i = 0; i < p->n_sizes; i++)
        fprintf(f, "int %s, ", p->sizes[i].name);
    fprintf(f,
            "long long elements)\n{\n    long long i = (long long)blockIdx.x * blockDim.x + "
            "threadIdx.x;\n    if (i >= elements)\n        return;\n    double value = 0;    // "
            "%s: element i of each output, from the inputs\n",
            SCAFFOLD_MARK);
    for (int i = 0; i < p->n_buffers; i++)
        if (is_output(&p->buffers[i])) {
            if (p->buffers[i].count)
                fprintf(f, "    if (i < %s)\n    ", p->buffers[i].count);
            fprintf(f, "    %s[i] = value;\n", p->buffers[i].name);
        }
    fputs("}\n", f);
    fclose(f);
    return text;
}
