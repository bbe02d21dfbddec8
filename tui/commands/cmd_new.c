/* warpdrill new: a scenario that loads, made of a kernel that somebody has. On a terminal it asks;
 * each answer is also an option. */
#include "tui/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "scenarios/new/scaffold_whole.h"
#include "scenarios/text/source_kind.h"
#include "tui/commands/cmd_new.h"

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
        new_say_made(&a->s, made, n, had_pack);
        new_say_images(a->c, &a->s);
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

static int take_fix(struct asking *a, struct err *err)
{
    struct source *good = NULL;
    int rc = source_open_at(&good, a->c->from, a->c->good, err);
    if (!rc)
        rc = scaffold_set_fix(&a->s, good, err);
    source_free(good);
    return rc;
}

static int ask_and_make(struct asking *a, struct err *err)
{
    int status = new_ask_all(a, err);
    if (status == CMD_OK && a->c->good && take_fix(a, err))
        status = cmd_fail(err);
    return status == CMD_OK ? make(a, err) : status;
}

static bool is_step(const struct cmd *c)
{
    return c->draft.kind && !strcmp(c->draft.kind, "pipeline");
}

/* A harness and a case begin with what they need. */
static int check_kind(const struct cmd *c)
{
    const char *kind = c->draft.kind;
    if (!kind || !strcmp(kind, "kernel") || is_step(c))
        return CMD_OK;
    if (scaffold_whole_kind(kind))
        return cmd_misuse(
            "--from goes with the kinds kernel and pipeline; new PACK/SCENARIO --kind "
            "%s makes one whole, whose %s you change then",
            kind, strcmp(kind, "case") ? "kernel" : "model");
    return cmd_misuse("--kind '%s' is none; kernel, pipeline, harness or case was expected", kind);
}

int cmd_new(const struct cmd *c)
{
    struct asking a = {.c = c,
                       .ask = !c->draft.yes && isatty(STDIN_FILENO) && isatty(STDERR_FILENO)};
    struct err err = {0};
    int status = CMD_OK;
    if (new_is_whole(c))
        return new_whole(c);
    if (!c->from)
        return cmd_misuse("usage: warpdrill new PACK/SCENARIO --from kernel.cu, or --kind "
                          "pipeline, harness or case without one, or PACK/SCENARIO/VARIANT --from "
                          "kernel.cu where the scenario is there already");
    if ((status = check_kind(c)) != CMD_OK)
        return status;
    if ((c->bad && !c->good) || (c->good && is_step(c)))
        return cmd_misuse(is_step(c) ? "--good and --bad are of one kernel; a step begins with the "
                                       "file as it is"
                                     : "--bad needs --good, the commit that the fix is taken from");
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
    if (scaffold_place(&a.s, c->args[0], &err) ||
        source_open_at(&a.s.source, c->from, c->bad, &err))
        status = cmd_fail(&err);
    if (status == CMD_OK) {
        warn_id(&a);
        status = is_step(c) ? new_step(&a) : ask_and_make(&a, &err);
    }
    scaffold_free(&a.s);
    return status;
}
