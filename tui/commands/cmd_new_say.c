/* warpdrill new: what was written, what is left to its author, whether it compiles. */
#include "tui/commands/cmd_new.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/pack/pack.h"
#include "tui/commands/cmd_check_compile.h"

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

/* A command of the pack, or of its scenario, and behind the longest what it does. */
static void say_next(const struct scaffold *s, const char *command, bool of_scenario,
                     const char *does)
{
    enum { BEGIN = sizeof "  warpdrill " - 1, OF_PACK = sizeof "check --live " - 1 };
    enum { OF_SCENARIO = sizeof "preview /" - 1 };
    size_t of_pack = OF_PACK, of_id = OF_SCENARIO + strlen(s->id);
    int width = BEGIN + (int)(strlen(s->pack) + (of_pack > of_id ? of_pack : of_id));
    int n = printf("  warpdrill %s %s%s%s", command, s->pack, of_scenario ? "/" : "",
                   of_scenario ? s->id : "");
    printf("%*s  %s\n", width - n, "", does);
}

void new_say_then(const struct scaffold *s, enum new_then then)
{
    puts("Then");
    say_next(s, "check", false, "says what is missing or bad, at file:line:col");
    say_next(s, "preview", true, "shows it as a candidate will meet it");
    if (then >= NEW_RECORDS)
        say_next(s, "record", false, "measures the evidence; --runner COMMAND for a GPU elsewhere");
    if (then == NEW_PROVES)
        say_next(s, "check --live", false, "holds the answer against a GPU");
}

static void say_yours(const struct scaffold *s, bool had_pack)
{
    const char *pack = s->pack, *id = s->id;
    printf("\nIt loads. What is yours to do is marked %s:\n  1. %s/%s/scenario.yaml: the story, "
           "and sizes and launch as far as they were guessed\n  2. %s/%s/a/sealed/answer.yaml: the "
           "readings, and debrief.md beside it\n",
           SCAFFOLD_MARK, pack, id, pack, id);
    say_guessed(s);
    printf("  3. %s/%s/a/sealed/fix.cu: the kernel without the fault%s\n"
           "  4. %s/%s/a/sealed/reference.cu: the truth in float64\n",
           pack, id, s->fix ? ", from the commit: what was tried, above it" : "", pack, id);
    if (!had_pack)
        printf("  5. %s/pack.yaml: title and licence of the pack (MIT was taken), which bear no "
               "mark\n",
               pack);
    new_say_then(s, NEW_PROVES);
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
    if (s->kernel->launch) {
        char *where = source_where(s->source, s->kernel->launch_line);
        printf("  your code, %s: %s\n", where, s->kernel->launch);
        free(where);
    }
    printf("Then\n"
           "  warpdrill check %s %s%*s  says what is missing, and who is told apart by what\n"
           "  warpdrill record %s %s/%s  measures the evidence\n",
           s->pack, s->id, (int)strlen("record/") - (int)strlen("check") + (int)strlen(s->variant),
           "", s->pack, s->id, s->variant);
}

void new_say_files(const struct scaffold *s, const char *const *made, int n, bool had_pack)
{
    for (int i = 0; i < n; i++)
        printf("%s/%s%s\n", s->pack, made[i],
               !i && had_pack && !s->variant ? "    (one id more)" : "");
}

void new_say_undo(const struct scaffold *s, bool had_pack)
{
    if (s->variant)
        printf("To undo: delete the folder %s/%s/%s.\n", s->pack, s->id, s->variant);
    else if (had_pack)
        printf("To undo: delete the folder %s/%s and its id in %s/pack.yaml.\n", s->pack, s->id,
               s->pack);
    else
        printf("To undo: delete the folder %s.\n", s->pack);
}

void new_say_notes(const struct scaffold *s)
{
    for (int i = 0; i < s->source->n_notes; i++) {
        const struct note *note = &s->source->notes[i];
        const char *path;
        int line = source_origin(&path, s->source, note->line);
        note->line ? fprintf(stderr, "%s:%d: %s\n", path, line, note->text)
                   : fprintf(stderr, "%s: %s\n", path, note->text);
    }
}

void new_say_made(const struct scaffold *s, const char *const *made, int n, bool had_pack)
{
    new_say_notes(s);
    new_say_files(s, made, n, had_pack);
    s->variant ? say_yours_of_variant(s) : say_yours(s, had_pack);
    new_say_undo(s, had_pack);
}

/* A draft that does not compile is a draft; what is to be mended is said. */
void new_say_images(const struct cmd *c, const struct scaffold *s)
{
    struct pack *p = NULL;
    struct err err = {0};
    struct findings found = {0};
    struct kernel_check *kernels = kernel_check_new(c, NULL, NULL);
    const char *variant = s->variant ? s->variant : "a";
    bool open = pack_open_whole(&p, s->pack, &err) == 0;
    const struct story *story = open ? pack_story(p, s->id) : NULL;
    if (story && story_variant(story, variant))
        kernel_check_variant(kernels, &found, story_variant(story, variant));
    findings_sort(&found);
    for (int i = 0; i < found.n; i++)
        fprintf(stderr, "%s/%s:%d:%d: %s\n%s%s", s->pack, found.all[i].file, found.all[i].line,
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
