/* warpdrill new --kind pipeline, harness or case: a small whole scenario to be changed. */
#include "tui/commands/cmd_new.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "scenarios/new/scaffold_whole.h"
#include "scenarios/pack/pack.h"

bool new_is_whole(const struct cmd *c)
{
    return c->draft.kind && strcmp(c->draft.kind, "kernel") && !c->from;
}

/* Options that say something of a kernel of one's own. */
static int refuse_options(const struct cmd *c)
{
    if (!scaffold_whole_kind(c->draft.kind))
        return cmd_misuse("--kind '%s' is none; kernel, pipeline, harness or case was expected",
                          c->draft.kind);
    if (c->draft.kernel || c->draft.outputs || c->draft.grid || c->draft.block || c->good || c->bad)
        return cmd_misuse("--kernel, --outputs, --grid, --block, --good and --bad are of a kernel "
                          "of yours, which --from names; a %s begins with one of its own",
                          c->draft.kind);
    return CMD_OK;
}

bool new_take_level(struct scaffold *s, const char *text)
{
    s->level_guessed = !text;
    s->level = text ? *text - '0' : 2;
    if (!text || (strlen(text) == 1 && *text >= '0' && *text <= '5'))
        return true;
    cmd_misuse("--level: '%s' is no level; a number from 0 to 5 was expected", text);
    return false;
}

bool new_take_title(struct scaffold *s, const char *text)
{
    size_t n = text ? strlen(text) : 1;
    bool good = n && n <= 60 && (!text || (text_first_bad(text, n) >= n && !strchr(text, '\n')));
    if (!good)
        cmd_misuse("--title: one line of 1 to 60 bytes was expected");
    s->title = good && text ? text_dup(text) : NULL;
    return good;
}

static int check_place(struct scaffold *s, const char *place)
{
    struct err err = {0};
    if (scaffold_place(s, place, &err))
        return cmd_fail(&err);
    if (s->variant)
        return cmd_misuse("%s/%s is there already: a further variant of such a scenario is made by "
                          "a copy of its folder a",
                          s->pack, s->id);
    return CMD_OK;
}

/* What the draft says that is true as it stands, and what is the author's. */
static void say_yours(const struct scaffold *s, const char *kind, const char *cause, bool had_pack)
{
    bool is_case = !strcmp(kind, "case"), is_harness = !strcmp(kind, "harness");
    printf("\nIt loads, and is a whole %s: %s, %s. What is yours to do is marked %s; "
           "change one thing at a time:\n"
           "  1. %s/%s/scenario.yaml: story, sizes, %s\n"
           "  2. %s/%s/%s\n"
           "  3. %s/%s/a/sealed/answer.yaml: the readings, and debrief.md beside it\n",
           kind, cause, taxonomy_find(cause)->label, SCAFFOLD_MARK, s->pack, s->id,
           is_case ? "exhibits" : "buffers, launches", s->pack, s->id,
           is_case      ? "sealed/model.yaml: what the exhibits are drawn from"
           : is_harness ? "suspect.cu: the kernel, with sealed/reference.cu; a/benchmark.yaml: how "
                          "it is timed, with sealed/benchmark.yaml, the honest one"
                        : "a/suspect.cu: the kernels, with sealed/reference.cu; a/launches.yaml, "
                          "where there is one: how this one is launched",
           s->pack, s->id);
    if (!had_pack)
        printf("  4. %s/pack.yaml: title and licence of the pack (MIT was taken), which bear no "
               "mark\n",
               s->pack);
    new_say_then(s, is_case ? NEW_CHECKS : NEW_RECORDS);
}

static int make(const struct cmd *c, struct scaffold *s)
{
    struct err err = {0};
    struct files *files = NULL;
    const char **made = NULL, *cause = c->draft.cause;
    int n = 0;
    char *manifest = text_format("%s/pack.yaml", s->pack);
    bool had_pack = access(manifest, F_OK) == 0;
    int rc = scaffold_whole(&files, &made, &n, &cause, s, c->draft.kind, &err);
    if (!rc)
        rc = scaffold_write(s, files, made, n, &err);
    if (!rc) {
        new_say_files(s, made, n, had_pack);
        say_yours(s, c->draft.kind, cause, had_pack);
        new_say_undo(s, had_pack);
        new_say_images(c, s);
    }
    free(manifest);
    free(made);
    files_free(files);
    return rc ? cmd_fail(&err) : CMD_OK;
}

int new_whole(const struct cmd *c)
{
    struct scaffold s = {0};
    int status = refuse_options(c);
    if (status == CMD_OK)
        status = check_place(&s, c->args[0]);
    if (status == CMD_OK &&
        (!new_take_title(&s, c->draft.title) || !new_take_level(&s, c->draft.level)))
        status = CMD_USAGE;
    if (status == CMD_OK)
        status = make(c, &s);
    scaffold_free(&s);
    return status;
}
