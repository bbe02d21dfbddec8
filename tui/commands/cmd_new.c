/* warpdrill new: a scenario that loads, made of a kernel that somebody has. On a terminal it asks;
 * each answer is also an option. */
#include "tui/commands/commands.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "scenarios/new/scaffold.h"
#include "scenarios/pack/pack.h"
#include "scenarios/text/source_kind.h"
#include "tui/commands/cmd_check_compile.h"

/* over: no more input, defaults from here on; number: the parameter that is asked for. */
struct asking { const struct cmd *c; struct scaffold s; bool ask, over; int number; };

/* ---- questions ---- */

/* One line without blanks around it; empty at the end of input. */
static void read_line(struct asking *a, char out[200])
{
    *out = '\0';
    if (!a->over && !fgets(out, 200, stdin))
        a->over = true;
    size_t n = strlen(out);
    while (n && isspace((unsigned char)out[n - 1]))
        out[--n] = '\0';
    memmove(out, out + strspn(out, " \t"), strlen(out + strspn(out, " \t")) + 1);
    text_clean(out, strlen(out));
}

/* Takes an answer, or says in err what was expected instead. */
typedef int answer(struct asking *a, const char *text, struct err *err);
struct prompt { const char *option, *given, *text; answer *take; };

/* An option counts instead; Enter leaves what is there. */
static int ask(struct asking *a, const struct prompt *q)
{
    struct err err = {0};
    char line[200];
    if (q->given)
        return q->take(a, q->given, &err) ? cmd_misuse("--%s: %s", q->option, err.text) : CMD_OK;
    while (a->ask && !a->over) {
        fprintf(stderr, "%s: ", q->text);
        read_line(a, line);
        if (!*line || !q->take(a, line, &err))
            break;
        fprintf(stderr, "  %s\n", err.text);
    }
    return CMD_OK;
}

static int take_title(struct asking *a, const char *text, struct err *err)
{
    size_t n = strlen(text);
    if (!n || n > 60 || text_first_bad(text, n) < n || strchr(text, '\n'))
        return err_set(err, ERR_BAD_REQUEST, "one line of 1 to 60 bytes was expected");
    free(a->s.title);
    a->s.title = text_dup(text);
    return 0;
}

static int ask_title(struct asking *a)
{
    char text[200];
    const char *given = a->c->draft.title;
    snprintf(text, sizeof text, "Title, which says nothing about the cause [%s]", a->s.title);
    a->s.title_guessed = !given && !a->ask;
    return ask(a, &(struct prompt){"title", given, text, take_title});
}

/* ---- the cause ---- */

static bool holds_word(const char *text, const char *part)
{
    return strcasestr(text, part) != NULL;
}

static int list_causes(const char *part)
{
    size_t n;
    int shown = 0;
    const struct hypothesis *t = taxonomy(&n);
    const char *group = "";
    for (size_t i = 0; i < n; i++) {
        if (!cause_find(t[i].id) ||
            (*part && !holds_word(t[i].id, part) && !holds_word(t[i].label, part) &&
             !holds_word(t[i].explain, part)))
            continue;
        if (strcmp(group, t[i].group))
            fprintf(stderr, "  %s\n", group = t[i].group);
        fprintf(stderr, "  %4zu  %-24s %s\n", i + 1, t[i].id, t[i].label);
        shown++;
    }
    return shown;
}

/* An id, or the number that list_causes shows. NULL if neither. */
static const struct cause *cause_of(const char *text)
{
    size_t n;
    const struct hypothesis *t = taxonomy(&n);
    char *end;
    unsigned long k = strtoul(text, &end, 10);
    return cause_find(*text && !*end && k >= 1 && k <= n ? t[k - 1].id : text);
}

/* Where a cause can be true that no kernel by itself can have. */
static const char *elsewhere(const struct hypothesis *h)
{
    if (!strcmp(h->group, "measurement"))
        return "`kind: harness` in content/FORMAT.md says how a benchmark that misleads is written";
    if (!strcmp(h->group, "host and pipeline"))
        return "`kind: pipeline` in content/FORMAT.md says how a step of several is written";
    return "content/FORMAT-CASES.md says how a system of many GPUs is written";
}

static int refuse_cause(const char *text)
{
    const struct hypothesis *known = taxonomy_find(text);
    if (known)
        return cmd_misuse("%s cannot be the cause in one kernel; %s", text, elsewhere(known));
    fprintf(stderr, "warpdrill: '%s' is not in the taxonomy; one of these was expected:\n", text);
    list_causes("");
    return CMD_USAGE;
}

static int ask_cause(struct asking *a)
{
    char line[200];
    if (a->c->draft.cause || a->ask)
        *a->s.guessed = '\0';
    if (a->c->draft.cause) {
        a->s.cause = cause_of(a->c->draft.cause);
        return a->s.cause ? CMD_OK : refuse_cause(a->c->draft.cause);
    }
    if (a->ask)
        list_causes("");
    while (a->ask && !a->over) {
        fprintf(stderr,
                "What was it? A number, an id, or a word to search for [%s]: ", a->s.cause->id);
        read_line(a, line);
        const struct cause *d = cause_of(line);
        if (d)
            a->s.cause = d;
        if (d || !*line)
            break;
        if (!list_causes(line))
            fprintf(stderr, "  nothing has that word\n");
    }
    return CMD_OK;
}

/* ---- kernel, outputs, level ---- */

static int fail_kernel(const struct source *s, const char *text, struct err *err)
{
    char names[300] = "";
    for (int i = 0; i < s->n_kernels; i++) {
        size_t n = strlen(names);
        snprintf(names + n, sizeof names - n, "%s%s", i ? ", " : "", s->kernels[i].name);
    }
    return err_set(err, ERR_MISSING, "there is no kernel '%s'; one of these was expected: %s", text,
                   names);
}

/* A name, or the number that ask_kernel shows. */
static int take_kernel(struct asking *a, const char *text, struct err *err)
{
    struct source *s = a->s.source;
    int k = atoi(text);
    bool numbered = k >= 1 && k <= s->n_kernels;
    const struct kernel *found = numbered ? &s->kernels[k - 1] : source_kernel(s, text);
    if (!found)
        return fail_kernel(s, text, err);
    a->s.kernel = found;
    return 0;
}

/* The first that a draft can be made of; where none can, source_params says why at its place. */
static const struct kernel *usual_kernel(const struct source *s)
{
    for (int i = 0; i < s->n_kernels; i++)
        if (!s->kernels[i].is_template)
            return &s->kernels[i];
    return &s->kernels[0];
}

static int ask_kernel(struct asking *a)
{
    const struct source *s = a->s.source;
    const char *given = a->c->draft.kernel;
    char text[200];
    a->s.kernel = usual_kernel(s);
    if (!given && s->n_kernels == 1)
        return CMD_OK;
    for (int i = 0; a->ask && !given && i < s->n_kernels; i++)
        fprintf(stderr, "  %4d  %s (line %d)\n", i + 1, s->kernels[i].name, s->kernels[i].line);
    snprintf(text, sizeof text, "Which kernel is the suspect? [%s]", a->s.kernel->name);
    return ask(a, &(struct prompt){"kernel", given, text, take_kernel});
}

/* The parameter of these n bytes that is a buffer and can be written; -1: none. */
static int output_of(const struct kernel *k, const char *name, size_t n)
{
    for (int i = 0; i < k->n_params; i++) {
        const struct kernel_param *p = &k->params[i];
        bool same = strlen(p->name) == n && !strncmp(p->name, name, n);
        if (same && p->kind == KP_BUFFER && !p->is_const)
            return i;
    }
    return -1;
}

/* Names between commas or blanks. */
static int take_outputs(struct asking *a, const char *text, struct err *err)
{
    bool output[CAP_ARGS] = {false}, any = false;
    for (size_t n; *(text += strspn(text, ", ")); text += n) {
        n = strcspn(text, ", ");
        int found = output_of(a->s.kernel, text, n);
        if (found < 0)
            return err_set(err, ERR_BAD_REQUEST,
                           "'%.*s' is no parameter of %s that is a pointer and not const", (int)n,
                           text, a->s.kernel->name);
        output[found] = any = true;
    }
    if (!any)
        return err_set(err, ERR_BAD_REQUEST, "at least one pointer was expected");
    memcpy(a->s.output, output, sizeof output);
    return 0;
}

static int ask_outputs(struct asking *a)
{
    const char *given = a->c->draft.outputs, *between = "";
    char text[2000] = "Which pointers does it write its results to? [";
    size_t n = strlen(text);
    for (int i = 0; i < a->s.kernel->n_params; i++) {
        if (!a->s.output[i] || n >= sizeof text)
            continue;
        const char *name = a->s.kernel->params[i].name;
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", between, name);
        between = ", ";
    }
    if (n < sizeof text)
        snprintf(text + n, sizeof text - n, "]");
    a->s.output_guessed = !given && !a->ask;
    return ask(a, &(struct prompt){"outputs", given, text, take_outputs});
}

static int take_level(struct asking *a, const char *text, struct err *err)
{
    if (strlen(text) != 1 || *text < '0' || *text > '5')
        return err_set(err, ERR_BAD_REQUEST, 
                       "'%s' is no level; a number from 0 to 5 was expected", text);
    a->s.level = *text - '0';
    return 0;
}

static int ask_level(struct asking *a)
{
    static const char text[] = "Level: 0 warm-up, 1 one counter settles it, 2, 3 several readings, "
                               "4, 5 experts differ [2]";
    const char *given = a->c->draft.level;
    a->s.level = 2;
    a->s.level_guessed = !given && !a->ask;
    return ask(a, &(struct prompt){"level", given, text, take_level});
}

/* ---- the launch ---- */

static int take_block(struct asking *a, const char *text, struct err *err)
{
    return scaffold_set_block(&a->s, text, err);
}

static int take_grid(struct asking *a, const char *text, struct err *err)
{
    return scaffold_set_grid(&a->s, text, err);
}

/* Whoever was asked and pressed Enter has said what was proposed. */
static int ask_block(struct asking *a)
{
    char text[200];
    struct proposal now;
    scaffold_propose(&now, &a->s);
    snprintf(text, sizeof text, "Threads of a block [%s]", now.block);
    int status = ask(a, &(struct prompt){"block", a->c->draft.block, text, take_block});
    if (a->ask && !a->s.block[0])
        take_block(a, now.block, NULL);
    return status;
}

static int ask_grid(struct asking *a)
{
    char text[500];
    struct proposal now;
    scaffold_propose(&now, &a->s);
    const char *such_as = strcmp(now.grid, now.cover) ? ", or for these sizes " : "";
    snprintf(text, sizeof text, "Blocks of the grid, a formula for each side%s%s [%s]", such_as,
             *such_as ? now.cover : "", now.grid);
    int status = ask(a, &(struct prompt){"grid", a->c->draft.grid, text, take_grid});
    if (a->ask && !a->s.grid)
        take_grid(a, now.grid, NULL);
    return status;
}

static int take_number(struct asking *a, const char *text, struct err *err)
{
    return scaffold_set_number(&a->s, a->number, text, err);
}

/* Where they are few. The others bear a mark in what is written. */
static int ask_numbers(struct asking *a)
{
    enum { FEW = 4 };
    const struct kernel *k = a->s.kernel;
    char text[300];
    struct proposal now;
    scaffold_propose(&now, &a->s);
    for (int i = 0; now.n_lacks <= FEW && i < k->n_params; i++) {
        if (!now.lacks[i])
            continue;
        a->number = i;
        snprintf(text, sizeof text, "What did your case pass as %s, %s? [fill in later]",
                 k->params[i].name, k->params[i].type);
        ask(a, &(struct prompt){.text = text, .take = take_number});
    }
    return CMD_OK;
}

static int ask_launch(struct asking *a)
{
    const struct kernel *k = a->s.kernel;
    if (a->ask && k->launch && (!a->c->draft.block || !a->c->draft.grid))
        fprintf(stderr, "  line %d: %s%s\n", k->launch_line, k->name, k->launch);
    int status = ask_block(a);
    if (status == CMD_OK)
        status = ask_grid(a);
    return status == CMD_OK ? ask_numbers(a) : status;
}

/* ---- all of it ---- */

/* Nobody said these. */
static void say_guessed(const struct scaffold *s)
{
    if (*s->guessed)
        printf("     cause: guessed, %s, %s\n", s->cause->id, s->guessed);
    if (s->output_guessed) {
        printf("     results: guessed, written to");
        for (int i = 0; i < s->kernel->n_params; i++)
            if (s->output[i])
                printf(" %s", s->kernel->params[i].name);
        putchar('\n');
    }
    if (s->title_guessed || s->level_guessed)
        printf("     %s%s%s\n", s->title_guessed ? "title: made of the id" : "",
               s->title_guessed && s->level_guessed ? "; " : "",
               s->level_guessed ? "level: 2" : "");
}

static void say_yours(const struct scaffold *s, bool had_pack)
{
    const char *pack = s->pack, *id = s->id;
    printf("\nIt loads. What is yours to do is marked %s:\n  1. %s/%s/scenario.yaml: the story, "
           "and sizes and launch as far as they were guessed\n  2. %s/%s/a/sealed/answer.yaml: the "
           "readings, and debrief.md beside it\n",
           SCAFFOLD_MARK, pack, id, pack, id);
    say_guessed(s);
    printf("  3. %s/%s/a/sealed/fix.cu: the kernel without the fault\n"
           "  4. %s/%s/a/sealed/reference.cu: the truth in float64\n", pack, id, pack, id);
    if (!had_pack)
        printf("  5. %s/pack.yaml: title and licence of the pack (MIT was taken), which bear no "
               "mark\n",
               pack);
    printf("Then\n  warpdrill check %s             says what is missing or bad, at file:line:col\n "
           " warpdrill record %s            measures the evidence; --runner COMMAND for a GPU "
           "elsewhere\n  warpdrill check --live %s      holds the answer against a GPU\n",
           pack, pack, pack);
}

static void say_yours_of_variant(const struct scaffold *s)
{
    printf("\nIt loads. What is yours to do is marked %s in %s/%s/%s/sealed:\n"
           "  1. answer.yaml: the cause, its line, its remedy, and readings that tell it from the "
           "other variants\n",
           SCAFFOLD_MARK, s->pack, s->id, s->variant);
    if (*s->guessed)
        printf("     cause: guessed, %s, %s\n", s->cause->id, s->guessed);
    printf("  2. fix.cu: the kernel without the fault\n  3. debrief.md\n"
           "It is launched as its story says; launches.yaml beside suspect.cu (format 2) says it "
           "of this one alone.\n");
    if (s->kernel->launch)
        printf("  your code, line %d: %s\n", s->kernel->launch_line, s->kernel->launch);
    printf("Then\n"
           "  warpdrill check %s %s    says what is missing, and who is told apart by what\n"
           "  warpdrill record %s %s/%s   "
           "measures the evidence\n",
           s->pack, s->id, s->pack, s->id, s->variant);
}

static void say_made(const struct scaffold *s, const char *const *made, int n, bool had_pack)
{
    for (int i = 0; i < s->source->n_notes; i++) {
        const struct note *note = &s->source->notes[i];
        note->line ? fprintf(stderr, "%s:%d: %s\n", s->source->file.path, note->line, note->text)
                   : fprintf(stderr, "%s: %s\n", s->source->file.path, note->text);
    }
    for (int i = 0; i < n; i++)
        printf("%s/%s%s\n", s->pack, made[i],
               !i && had_pack && !s->variant ? "    (one id more)" : "");
    s->variant ? say_yours_of_variant(s) : say_yours(s, had_pack);
    if (s->variant)
        printf("To undo: delete the folder %s/%s/%s.\n", s->pack, s->id, s->variant);
    else if (had_pack)
        printf("To undo: delete the folder %s/%s and its id in %s/pack.yaml.\n", s->pack, s->id,
               s->pack);
    else
        printf("To undo: delete the folder %s.\n", s->pack);
}

/* What the story does not have already. */
static int ask_variant(struct asking *a, struct err *err)
{
    if (a->c->draft.grid || a->c->draft.block)
        return cmd_misuse("--grid and --block are of a new scenario; a variant is launched as its "
                          "story says, or as a launches.yaml beside its suspect.cu does");
    int status = ask_cause(a);
    if (status == CMD_OK && scaffold_join(&a->s, err))
        status = cmd_fail(err);
    return status;
}

static int ask_all(struct asking *a, struct err *err)
{
    int status = ask_kernel(a);
    if (status == CMD_OK && source_params(a->s.source, (struct kernel *)a->s.kernel, err))
        return cmd_fail(err);
    if (status != CMD_OK)
        return status;
    scaffold_guess(&a->s);
    if (a->s.variant)
        return ask_variant(a, err);
    if ((status = ask_title(a)) != CMD_OK || (status = ask_cause(a)) != CMD_OK ||
        (status = ask_outputs(a)) != CMD_OK)
        return status;
    status = ask_level(a);
    return status == CMD_OK ? ask_launch(a) : status;
}

/* A draft that does not compile is a draft; what is to be mended is said. */
static void say_compiles(const struct asking *a)
{
    struct pack *p = NULL;
    struct err err = {0};
    struct findings found = {0};
    struct kernel_check *kernels = kernel_check_new(a->c, NULL, NULL);
    const char *variant = a->s.variant ? a->s.variant : "a";
    bool open = pack_open_whole(&p, a->s.pack, &err) == 0;
    const struct story *story = open ? pack_story(p, a->s.id) : NULL;
    if (story && story_variant(story, variant))
        kernel_check_variant(kernels, &found, story_variant(story, variant));
    findings_sort(&found);
    for (int i = 0; i < found.n; i++)
        fprintf(stderr, "%s/%s:%d:%d: %s\n%s%s", a->s.pack, found.all[i].file, found.all[i].line,
                found.all[i].col, found.all[i].text, found.all[i].shown ? found.all[i].shown : "",
                found.all[i].shown ? "\n" : "");
    kernel_check_say(kernels);
    if (found.n)
        printf("It does not compile yet: %d place%s, as said above.\n", found.n,
               found.n == 1 ? "" : "s");
    findings_free(&found);
    kernel_check_free(kernels);
    pack_free(p);
}

static int make(struct asking *a, struct err *err)
{
    struct files *files = NULL;
    const char **made = NULL;
    int n = 0;
    char *manifest = text_format("%s/pack.yaml", a->s.pack);
    bool had_pack = access(manifest, F_OK) == 0;
    int rc = scaffold_make(&files, &made, &n, &a->s, err);
    if (!rc)
        rc = scaffold_write(&a->s, files, made, n, err);
    if (!rc) {
        say_made(&a->s, made, n, had_pack);
        say_compiles(a);
    }
    free(manifest);
    free(made);
    files_free(files);
    return rc ? cmd_fail(err) : CMD_OK;
}

/* At once: ids are for ever. */
static void warn_id(const struct asking *a)
{
    char tells[200];
    if (scaffold_tells(tells, sizeof tells, a->s.id))
        fprintf(stderr,
                "warpdrill: the id '%s' is shown to everybody and cannot be changed later, and "
                "%s%s\n",
                a->s.id, tells,
                a->ask ? "; Ctrl-C takes it back, nothing was written yet"
                       : "; an id that says what the code does was expected");
}

int cmd_new(const struct cmd *c)
{
    struct asking a = {.c = c,
                       .ask = !c->draft.yes && isatty(STDIN_FILENO) && isatty(STDERR_FILENO)};
    struct err err = {0};
    int status = CMD_OK;
    if (!c->from)
        return cmd_misuse("usage: warpdrill new PACK/SCENARIO --from kernel.cu");
    const struct source_kind *kind = source_kind_of(c->from);
    if (kind && kind->image)
        return cmd_misuse("%s is not compiled here: from_triton.py (scenarios/new, or beside the "
                          "packs where warpdrill was installed) makes a variant of it and of its "
                          "folder in Triton's cache",
                          c->from);
    size_t length = strlen(c->from);
    if (length > 8 && !strcmp(c->from + length - 8, ".ncu-rep"))
        return cmd_misuse("%s tells what was measured of a run, and no buffers and sizes to run it "
                          "anew; the .cu that was profiled was expected",
                          c->from);
    if (scaffold_place(&a.s, c->args[0], &err) || source_open(&a.s.source, c->from, &err))
        status = cmd_fail(&err);
    if (status == CMD_OK) {
        warn_id(&a);
        status = ask_all(&a, &err);
    }
    if (status == CMD_OK)
        status = make(&a, &err);
    scaffold_free(&a.s);
    return status;
}
