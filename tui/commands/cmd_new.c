/* warpdrill new: a scenario that loads, made of a kernel that somebody has. On a terminal it asks; each answer is also an option. */
#include "tui/commands/commands.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "scenarios/new/scaffold.h"

struct asking { const struct cmd *c; struct scaffold s; bool ask, over; };   /* over: no more input, defaults from here on */

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

static int title_fault(const char *title)
{
    return !*title || strlen(title) > 60 || text_first_bad(title, strlen(title)) < strlen(title) || strchr(title, '\n') ? 1 : 0;
}

static int ask_title(struct asking *a)
{
    char line[200];
    if (a->c->draft.title) {
        if (title_fault(a->c->draft.title))
            return cmd_misuse("--title needs one line of 1 to 60 bytes");
        free(a->s.title);
        a->s.title = text_dup(a->c->draft.title);
    }
    a->s.title_guessed = !a->c->draft.title && !a->ask;
    while (a->ask && !a->c->draft.title && !a->over) {
        fprintf(stderr, "Title, which says nothing about the cause [%s]: ", a->s.title);
        read_line(a, line);
        if (!*line)
            break;
        if (!title_fault(line)) {
            free(a->s.title);
            a->s.title = text_dup(line);
            break;
        }
        fprintf(stderr, "  at most 60 bytes\n");
    }
    return CMD_OK;
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
        if (!draft_find(t[i].id) || (*part && !holds_word(t[i].id, part) && !holds_word(t[i].label, part) && !holds_word(t[i].explain, part)))
            continue;
        if (strcmp(group, t[i].group))
            fprintf(stderr, "  %s\n", group = t[i].group);
        fprintf(stderr, "  %4zu  %-24s %s\n", i + 1, t[i].id, t[i].label);
        shown++;
    }
    return shown;
}

/* An id, or the number that list_causes shows. NULL if neither. */
static const struct draft *cause_of(const char *text)
{
    size_t n;
    const struct hypothesis *t = taxonomy(&n);
    char *end;
    unsigned long k = strtoul(text, &end, 10);
    return draft_find(*text && !*end && k >= 1 && k <= n ? t[k - 1].id : text);
}

static int refuse_cause(const char *text)
{
    if (taxonomy_find(text))
        return cmd_misuse("%s cannot be the cause in one kernel; `kind: pipeline` in content/FORMAT.md says how a step of several is written", text);
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
        fprintf(stderr, "What was it? A number, an id, or a word to search for [%s]: ", a->s.cause->id);
        read_line(a, line);
        const struct draft *d = cause_of(line);
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

static int ask_kernel(struct asking *a)
{
    struct source *s = a->s.source;
    const char *wanted = a->c->draft.kernel;
    char line[200];
    a->s.kernel = &s->kernels[0];
    for (int i = 0; a->ask && !wanted && s->n_kernels > 1 && i < s->n_kernels; i++)
        fprintf(stderr, "  %4d  %s (line %d)\n", i + 1, s->kernels[i].name, s->kernels[i].line);
    while (a->ask && !wanted && s->n_kernels > 1 && !a->over) {
        fprintf(stderr, "Which kernel is the suspect? [%s]: ", s->kernels[0].name);
        read_line(a, line);
        int k = atoi(line);
        const struct kernel *found = k >= 1 && k <= s->n_kernels ? &s->kernels[k - 1] : source_kernel(s, line);
        if (found)
            a->s.kernel = found;
        if (found || !*line)
            break;
        fprintf(stderr, "  there is no kernel '%s'; a number from 1 to %d or a name was expected\n", line, s->n_kernels);
    }
    if (wanted && !(a->s.kernel = source_kernel(s, wanted))) {
        fprintf(stderr, "warpdrill: %s has no kernel '%s'; one of these was expected:", a->c->from, wanted);
        for (int i = 0; i < s->n_kernels; i++)
            fprintf(stderr, "%s %s", i ? "," : "", s->kernels[i].name);
        fputc('\n', stderr);
        return CMD_USAGE;
    }
    return CMD_OK;
}

/* Names between commas or blanks; the first that is no buffer that can be written is returned in *bad. */
static bool take_outputs(struct scaffold *s, const char *text, char bad[64])
{
    bool output[CAP_ARGS] = {false}, any = false;
    for (size_t n; *(text += strspn(text, ", ")); text += n) {
        n = strcspn(text, ", ");
        int found = -1;
        for (int i = 0; i < s->kernel->n_params; i++) {
            const struct kernel_param *p = &s->kernel->params[i];
            if (p->kind == KP_BUFFER && !p->is_const && strlen(p->name) == n && !strncmp(p->name, text, n))
                found = i;
        }
        snprintf(bad, 64, "%.*s", (int)n, text);
        if (found < 0)
            return false;
        output[found] = any = true;
    }
    memcpy(s->output, output, sizeof output);
    snprintf(bad, 64, "nothing");
    return any;
}

static int ask_outputs(struct asking *a)
{
    char line[200], bad[64];
    const struct kernel *k = a->s.kernel;
    a->s.output_guessed = !a->c->draft.outputs && !a->ask;
    if (a->c->draft.outputs)
        return take_outputs(&a->s, a->c->draft.outputs, bad)
                   ? CMD_OK
                   : cmd_misuse("--outputs: '%s' is no parameter of %s that is a pointer and not const", bad, k->name);
    while (a->ask && !a->over) {
        fprintf(stderr, "Which pointers does it write its results to? [");
        for (int i = 0, n = 0; i < k->n_params; i++)
            if (a->s.output[i])
                fprintf(stderr, "%s%s", n++ ? ", " : "", k->params[i].name);
        fprintf(stderr, "]: ");
        read_line(a, line);
        if (!*line || take_outputs(&a->s, line, bad))
            break;
        fprintf(stderr, "  '%s' is no pointer that is not const\n", bad);
    }
    return CMD_OK;
}

static int ask_level(struct asking *a)
{
    char line[200];
    const char *given = a->c->draft.level;
    a->s.level = 2;
    if (given && (strlen(given) != 1 || *given < '0' || *given > '5'))
        return cmd_misuse("--level needs a number from 0 to 5, not '%s'", given);
    while (!given && a->ask && !a->over) {
        fprintf(stderr, "Level: 0 warm-up, 1 one counter settles it, 2, 3 several readings, 4, 5 experts differ [2]: ");
        read_line(a, line);
        if (!*line)
            break;
        if (strlen(line) == 1 && *line >= '0' && *line <= '5') {
            a->s.level = *line - '0';
            break;
        }
        fprintf(stderr, "  '%s' is no level; a number from 0 to 5 was expected\n", line);
    }
    a->s.level_guessed = !given && !a->ask;
    a->s.level = given ? *given - '0' : a->s.level;
    return CMD_OK;
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
        printf("     %s%s%s\n", s->title_guessed ? "title: made of the id" : "", s->title_guessed && s->level_guessed ? "; " : "", s->level_guessed ? "level: 2" : "");
}

static void say_yours(const struct scaffold *s, bool had_pack)
{
    const char *pack = s->pack, *id = s->id;
    printf("\nIt loads. What is yours to do is marked %s:\n"
           "  1. %s/%s/scenario.yaml: the story, and sizes and launch as far as they were guessed\n"
           "  2. %s/%s/a/sealed/answer.yaml: the readings, and debrief.md beside it\n", SCAFFOLD_MARK, pack, id, pack, id);
    say_guessed(s);
    printf("  3. %s/%s/a/sealed/fix.cu: the kernel without the fault\n"
           "  4. %s/%s/a/sealed/reference.cu: the truth in float64\n", pack, id, pack, id);
    if (!had_pack)
        printf("  5. %s/pack.yaml: title and licence of the pack (MIT was taken), which bear no mark\n", pack);
    printf("Then\n"
           "  warpdrill check %s             says what is missing or bad, at file:line:col\n"
           "  warpdrill record %s            measures the evidence; --runner COMMAND for a GPU elsewhere\n"
           "  warpdrill check --live %s      holds the answer against a GPU\n", pack, pack, pack);
}

static void say_made(const struct scaffold *s, const char *const *made, int n, bool had_pack)
{
    for (int i = 0; i < s->source->n_notes; i++) {
        const struct note *note = &s->source->notes[i];
        note->line ? fprintf(stderr, "%s:%d: %s\n", s->source->file.path, note->line, note->text)
                   : fprintf(stderr, "%s: %s\n", s->source->file.path, note->text);
    }
    for (int i = 0; i < n; i++)
        printf("%s/%s%s\n", s->pack, made[i], !i && had_pack ? "    (one id more)" : "");
    say_yours(s, had_pack);
    if (had_pack)
        printf("To undo: delete the folder %s/%s and its id in %s/pack.yaml.\n", s->pack, s->id, s->pack);
    else
        printf("To undo: delete the folder %s.\n", s->pack);
}

static int ask_all(struct asking *a, struct err *err)
{
    int status = ask_kernel(a);
    if (status == CMD_OK && source_params(a->s.source, (struct kernel *)a->s.kernel, err))
        return cmd_fail(err);
    if (status != CMD_OK)
        return status;
    scaffold_guess(&a->s);
    if ((status = ask_title(a)) != CMD_OK || (status = ask_cause(a)) != CMD_OK || (status = ask_outputs(a)) != CMD_OK)
        return status;
    return ask_level(a);
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
    if (!rc)
        say_made(&a->s, made, n, had_pack);
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
        fprintf(stderr, "warpdrill: the id '%s' is shown to everybody and cannot be changed later, and %s%s\n", a->s.id, tells,
                a->ask ? "; Ctrl-C takes it back, nothing was written yet" : "; an id that says what the code does was expected");
}

int cmd_new(const struct cmd *c)
{
    struct asking a = {.c = c, .ask = !c->draft.yes && isatty(STDIN_FILENO) && isatty(STDERR_FILENO)};
    struct err err = {0};
    int status = CMD_OK;
    if (!c->from)
        return cmd_misuse("usage: warpdrill new PACK/SCENARIO --from kernel.cu");
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
