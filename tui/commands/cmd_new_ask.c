/* warpdrill new: title, kernel, outputs, level and launch, each an option too. */
#include "tui/commands/cmd_new.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

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
    return new_ask(a, &(struct prompt){"title", given, text, take_title});
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

static int fail_instance(const struct source *s, const char *text, const struct kernel *k,
                         struct err *err)
{
    char *list = source_template_list(s, k);
    int rc = list ? err_set(err, ERR_BAD_REQUEST,
                            "'%s' is no instance of %s; a type or a number for each of %s was "
                            "expected",
                            text, k->name, list)
                  : err_set(err, ERR_BAD_REQUEST, "'%s': %s is no template; its name alone was "
                                                  "expected",
                            text, k->name);
    free(list);
    return rc;
}

/* A name, or the number that ask_kernel shows; of a template with the arguments of an instance. */
static int take_kernel(struct asking *a, const char *text, struct err *err)
{
    struct source *s = a->s.source;
    int k = atoi(text);
    const char *list = strchr(text, '<');
    char *name = text_ndup(text, list ? (size_t)(list - text) : strlen(text));
    struct kernel *found =
        k >= 1 && k <= s->n_kernels ? &s->kernels[k - 1] : source_kernel(s, name);
    free(name);
    if (!found)
        return fail_kernel(s, text, err);
    if (list && !source_instance_as(s, found, list))
        return fail_instance(s, text, found, err);
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
    for (int i = 0; a->ask && !given && i < s->n_kernels; i++) {
        char *where = source_where(s, s->kernels[i].line);
        fprintf(stderr, "  %4d  %s (%s)\n", i + 1, s->kernels[i].name, where);
        free(where);
    }
    snprintf(text, sizeof text, "Which kernel is the suspect? [%s]", a->s.kernel->name);
    return new_ask(a, &(struct prompt){"kernel", given, text, take_kernel});
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
    return new_ask(a, &(struct prompt){"outputs", given, text, take_outputs});
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
    return new_ask(a, &(struct prompt){"level", given, text, take_level});
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
    int status = new_ask(a, &(struct prompt){"block", a->c->draft.block, text, take_block});
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
    int status = new_ask(a, &(struct prompt){"grid", a->c->draft.grid, text, take_grid});
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
        new_ask(a, &(struct prompt){.text = text, .take = take_number});
    }
    return CMD_OK;
}

static void say_launch(const struct scaffold *s)
{
    const struct kernel *k = s->kernel;
    char *where = source_where(s->source, k->launch_line);
    fprintf(stderr, "  %s: %s%s\n", where, k->name, k->launch);
    free(where);
}

static int ask_launch(struct asking *a)
{
    const struct kernel *k = a->s.kernel;
    if (a->ask && k->launch && (!a->c->draft.block || !a->c->draft.grid))
        say_launch(&a->s);
    int status = ask_block(a);
    if (status == CMD_OK)
        status = ask_grid(a);
    return status == CMD_OK ? ask_numbers(a) : status;
}

/* ---- all of it ---- */

/* What the story does not have already. */
static int ask_variant(struct asking *a, struct err *err)
{
    if (a->c->draft.grid || a->c->draft.block)
        return cmd_misuse("--grid and --block are of a new scenario; a variant is launched as its "
                          "story says, or as a launches.yaml beside its suspect.cu does");
    if (scaffold_check_story(&a->s, err))
        return cmd_fail(err);
    int status = new_ask_cause(a);
    if (status == CMD_OK && scaffold_join(&a->s, err))
        status = cmd_fail(err);
    return status;
}

int new_ask_all(struct asking *a, struct err *err)
{
    int status = ask_kernel(a);
    if (status == CMD_OK && source_params(a->s.source, (struct kernel *)a->s.kernel, err))
        return cmd_fail(err);
    if (status != CMD_OK)
        return status;
    scaffold_guess(&a->s);
    if (a->s.variant)
        return ask_variant(a, err);
    if ((status = ask_title(a)) != CMD_OK || (status = new_ask_cause(a)) != CMD_OK ||
        (status = ask_outputs(a)) != CMD_OK)
        return status;
    status = ask_level(a);
    return status == CMD_OK ? ask_launch(a) : status;
}
