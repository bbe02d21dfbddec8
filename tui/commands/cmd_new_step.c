/* warpdrill new --kind pipeline --from: a step of the launches that a CUDA file has. */
#include "tui/commands/cmd_new.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "scenarios/new/scaffold_pipeline.h"

static int check_options(struct asking *a)
{
    const struct cmd *c = a->c;
    if (a->s.variant)
        return cmd_misuse(
            "%s/%s is there already: a further variant of a step is made by a copy of "
            "its folder a",
            a->s.pack, a->s.id);
    if (c->draft.kernel || c->draft.outputs || c->draft.grid || c->draft.block)
        return cmd_misuse("--kernel, --outputs, --grid and --block are of one kernel; a step takes "
                          "all launches of the file as they stand there");
    a->s.cause = c->draft.cause ? cause_of_step(c->draft.cause) : NULL;
    if (c->draft.cause && !a->s.cause)
        return cmd_misuse("'%s' is no cause that a step can have; host.launch-bound, "
                          "host.blocking-call, host.pageable-copy, pipe.extra-pass, pipe.ordering, "
                          "or one of a kernel was expected",
                          c->draft.cause);
    if (!new_take_title(&a->s, c->draft.title) || !new_take_level(&a->s, c->draft.level))
        return CMD_USAGE;
    return CMD_OK;
}

static void say_yours(const struct scaffold *s, bool had_pack)
{
    printf("\nIt loads. What is yours to do is marked %s:\n"
           "  1. %s/%s/scenario.yaml: the story, sizes, and of the launches what was guessed\n"
           "  2. %s/%s/a/sealed/answer.yaml: place and readings, and debrief.md beside it\n",
           SCAFFOLD_MARK, s->pack, s->id, s->pack, s->id);
    if (*s->guessed)
        printf("     cause: guessed, %s, %s\n", s->cause->id, s->guessed);
    printf("  3. %s/%s/a/sealed/fix.cu: the step without the fault\n"
           "  4. %s/%s/a/sealed/reference.cu: the truth of the whole step in float64\n",
           s->pack, s->id, s->pack, s->id);
    if (!had_pack)
        printf("  5. %s/pack.yaml: title and licence of the pack (MIT was taken), which bear no "
               "mark\n",
               s->pack);
    new_say_then(s, NEW_RECORDS);
}

int new_step(struct asking *a)
{
    struct err err = {0};
    struct files *files = NULL;
    const char **made = NULL;
    int n = 0, status = check_options(a);
    if (status != CMD_OK)
        return status;
    char *manifest = text_format("%s/pack.yaml", a->s.pack);
    bool had_pack = access(manifest, F_OK) == 0;
    int rc = scaffold_pipeline(&files, &made, &n, &a->s, &err);
    if (!rc)
        rc = scaffold_write(&a->s, files, made, n, &err);
    if (!rc) {
        new_say_notes(&a->s);
        new_say_files(&a->s, made, n, had_pack);
        say_yours(&a->s, had_pack);
        new_say_undo(&a->s, had_pack);
        new_say_images(a->c, &a->s);
    }
    free(manifest);
    free(made);
    files_free(files);
    return rc ? cmd_fail(&err) : CMD_OK;
}
