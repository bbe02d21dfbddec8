/* The program's entry: which command runs. */
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drills/library/library.h"
#include "kernels/wire/text.h"
#include "tui/commands/cmd_place.h"
#include "tui/commands/commands.h"
#include "tui/commands/options.h"

static int help(const struct cmd *c), play(const struct cmd *c);

static const struct command {
    const char *name, *usage, *does;
    int (*run)(const struct cmd *c);
    int least, most; /* arguments */
} commands[] = {
    {"list", "list [--json]",
     "scenarios: id, title, kind, level, tiers of evidence; never the cause", cmd_list, 0, 0},
    {"play", "play ID", "one scenario in the terminal interface", play, 1, 1},
    {"probe", "probe ID [PROBE] [--tier recorded|live] [--gpu NAME] [--json]",
     "one piece of evidence, or what there is with its prices", cmd_probe, 1, 2},
    {"grade", "grade ID --script FILE [--gpu NAME] [--json]", "scores a scripted investigation",
     cmd_grade, 1, 1},
    {"mend",
     "mend [--json] | mend ID [--once | --sanitize] [--json] [--folder DIR] [--arch sm_90] | "
     "mend ID --list [--json] | "
     "mend ID --diff N[:M] [--folder DIR] | mend ID --back N [--folder DIR]",
     "your own text in the place of a suspect that you diagnosed: judged at each save, and raced "
     "against suspect, fix and roof; exit 0 when it is right and as fast as the fix; without ID "
     "what can be mended, by level",
     cmd_mend, 0, 1},
    {"write",
     "write [--json] | write ID [--once | --sanitize] [--json] [--folder DIR] [--arch sm_90] | "
     "write ID --list [--json] | write ID --diff N[:M] [--folder DIR] | "
     "write ID --back N [--folder DIR] | write ID hint | write ID best | write ID give-up",
     "a kernel from nothing: what there is to write, or an empty one with its contract, judged at "
     "each save and raced against our best, which is shown at the end; exit 0 when all walls are "
     "behind it",
     cmd_write, 0, 2},
    {"pack", "pack add FOLDER|URL[@TAG] | pack list [--json] | pack update ID[@TAG] | pack "
             "remove ID",
     "packs from elsewhere: copies a folder or has git clone a repository into your own folder of "
     "packs, without running anything of it; lists those, brings one anew, or takes one away",
     cmd_pack_shelf, 1, 2},
    {"new",
     "new PACK/SCENARIO[/VARIANT] --from kernel.cu [--kernel NAME] [--title TEXT] [--cause ID] "
     "[--outputs A,B] [--level N] [--block N,N] [--grid FORMULA,...] "
     "[--good COMMIT [--bad COMMIT]] [--no-compile] [--yes] | "
     "new PACK/SCENARIO --kind pipeline --from steps.cu [--title TEXT] [--cause ID] [--level N] | "
     "new PACK/SCENARIO --kind pipeline|harness|case [--title TEXT] [--cause ID] [--level N]",
     "a scenario that loads, made of your kernel, with comments that teach the format; or one more "
     "variant of a scenario that is there; or a small whole one of another kind, to be changed",
     cmd_new, 1, 1},
    {"record",
     "record PACK [ID...] [--again] [--replace] [--dry-run] | record PACK [ID...] --from DIR | "
     "record PACK [ID...] --suggest | "
     "record drills [--seeds A..B] [--again] [--replace]",
     "measures what a pack's evidence lacks on the runner's GPU and keeps it; or takes it out of "
     "another copy of the pack",
     cmd_record, 1, 64},
    {"check",
     "check PACK [ID...] [PACK...] [--live] [--strict] [--compile | --no-compile] [--no-evidence] "
     "[--for GPU,...] [--json | --format sarif|junit] | "
     "check --library PACK... [--strict] [--json]",
     "says what is wrong with packs, before anybody plays them", cmd_check, 1, 64},
    {"preview", "preview PACK/SCENARIO[/VARIANT] | preview FOLDER [--for GPU]",
     "a scenario of your own in the order in which a candidate meets it, with its answer, before "
     "anything is recorded; nothing is kept",
     cmd_preview, 1, 1},
    {"seal", "seal PACK [--out DIR]", "a copy whose answers only a passphrase opens, to hand out",
     cmd_seal, 1, 1},
    {"unseal", "unseal PACK [--out DIR]", "a copy of a sealed pack with its answers in clear",
     cmd_unseal, 1, 1},
    {"drill",
     "drill [ID] [--seed N | --seeds A..B] [--answer TEXT] [--tier recorded|live] [--gpu NAME] "
     "[--json]",
     "the drills, one instance, its grading, or a run of instances", cmd_drill, 0, 1},
    {"cards",
     "cards [SET] [--json] | cards import FILE.csv [--set NAME] [--keep-good] | cards export SET",
     "the sets of cards, or the cards of one; your own in and out", cmd_cards, 0, 2},
    {"figure",
     "figure [ID] [--width N] [--ascii] [--fill SEED [--answer TEXT] | --place TEXT [--seed N]] "
     "[--json]",
     "the figures there are, or one, drawn: to look at, with blanks to fill, or to be placed",
     cmd_figure, 0, 1},
    {"sheet", "sheet [TABLE | cards SET | drills TOPIC] [--format text|md] [--seed N]",
     "to print: a number table, cards to fold, ten drills with answers", cmd_sheet, 0, 2},
    {"export", "export [--format json|csv] [--out FILE|DIR]",
     "all progress: json to move it (import reads it), csv (a folder) for spreadsheets", cmd_export,
     0, 0},
    {"import", "import FILE [--dry-run] [--json]",
     "progress from an export: adds what is not there yet, or nothing at all", cmd_import, 1, 1},
    {"backup", "backup [FILE]",
     "a verified copy of the progress, in the folder backups beside it or as FILE", cmd_backup, 0,
     1},
    {"restore", "restore latest | restore FILE | restore --list [--json]",
     "puts a backup in its place; what was there is kept beside it", cmd_restore, 0, 1},
    {"host",
     "host [--share] [--level N] [--minutes N] [--rubric FILE] [--for USER] [--key FILE] "
     "[--no-wall] [--start] [--like ID] | host --resume [ID] | host --list [--json] | host "
     "--delete ID [--yes] | host --key-line CODE [--key FILE]",
     "an interview: its plan, then the interviewer's console; or the interviews there are",
     cmd_host, 0, 1},
    {"join", "join [CODE] [--name NAME] [--curtain]",
     "the candidate's or an observer's terminal of an interview that runs on this machine",
     cmd_join, 0, 1},
    {"report",
     "report [ID] [--for candidate|interviewer] [--truth] [--format md|html|csv|json] [--out FILE] "
     "| report --list [--json]",
     "an interview on paper: what was done, believed and said, and what it was worth; without ID "
     "the newest",
     cmd_report, 0, 1},
    {"replay", "replay [ID] [--speed N] [--at TIME] [--truth]",
     "an interview that was, on the interviewer's console, at any speed", cmd_replay, 0, 1},
    {"links", "links [N] [--again] [--json]",
     "what the links between the runner's first two GPUs, or N, reach: copies of each pair, to and "
     "from the host, and all-reduces with alpha and beta",
     cmd_links, 0, 1},
    {"doctor", "doctor [--json]", "what works here, and what would make the rest work", cmd_doctor,
     0, 0},
    {"help", "help [COMMAND]", "what a command does, with its options", help, 0, 1},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *f)
{
    fputs("warpdrill trains people to find out why a GPU kernel is slow or wrong.\n\n"
          "  warpdrill                                  the terminal interface\n", f);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(f, "  warpdrill %s\n%44s%s\n", commands[i].usage, "", commands[i].does);
    fputs("\nOptions of all commands:\n", f);
    options_print_common(f);
    fputs("\nID is a scenario such as first-principles/transposed-copy, or one of its variants "
          "(.../a).\nPROBE is timing, resources, memory, ..., the id of an experiment, or "
          "symptom.\nData goes to standard output, messages to standard error. Exit status: 0, 1 "
          "failure, 2 usage.\n",
          f);
}

static int print_command_help(const char *name)
{
    const struct command *k = NULL;
    for (int i = 0; i < COMMANDS; i++)
        k = strcmp(commands[i].name, name) ? k : &commands[i];
    if (!k)
        return cmd_misuse("there is no command '%s'; try: warpdrill --help", name);
    printf("warpdrill %s\n  %s\n%s", k->usage, k->does, strstr(k->usage, "--") ? "\n" : "");
    options_print_of(stdout, k->usage);
    puts("\nAnd what all commands take, such as --pack DIR, --runner COMMAND and --trust: "
         "warpdrill --help");
    return CMD_OK;
}

static int help(const struct cmd *c)
{
    if (c->n_args)
        return print_command_help(c->args[0]);
    print_help(stdout);
    return CMD_OK;
}

#define ONE_DRILL "drill:"

/* The interface says what of it is not there. */
static bool is_practice(const char *what)
{
    return !strcmp(what, "drills") || !strcmp(what, "cards") ||
           !strncmp(what, "drills:", strlen("drills:")) ||
           !strncmp(what, "figure:", strlen("figure:"));
}

static int play_drill(const struct cmd *c, const char *id)
{
    struct library l;
    library_open(&l);
    bool there = library_drill(&l, id) != NULL;
    library_free(&l);
    return there ? cmd_tui(c, c->args[0], NULL) : cmd_no_drill(id);
}

static int play(const struct cmd *c)
{
    struct catalog *catalog = NULL;
    const struct story *story;
    const struct variant *variant;
    struct err err = {0};
    if (is_practice(c->args[0]))
        return cmd_tui(c, c->args[0], NULL);
    if (!strncmp(c->args[0], ONE_DRILL, strlen(ONE_DRILL)))
        return play_drill(c, c->args[0] + strlen(ONE_DRILL));
    int status = cmd_catalog_for(&catalog, c, c->args[0]);
    if (status == CMD_OK && catalog_find(catalog, c->args[0], &story, &variant, &err))
        status = cmd_fail(&err); /* said before the screen is taken */
    catalog_free(catalog);
    return status == CMD_OK ? cmd_tui(c, c->args[0], NULL) : status;
}

/* A reader that has seen enough, as head(1): no failure. */
static bool reader_left(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

/* The exit status of what ended so: data that nobody could write is a failure. */
static int end_output(int status)
{
    if ((fflush(stdout) == 0 && !ferror(stdout)) || reader_left())
        return status;
    cmd_misuse("standard output cannot be written");
    return CMD_FAILED;
}

/* Those that play one scenario, whose folder may stand in the place of its id. */
static bool takes_folder(const char *name)
{
    return !strcmp(name, "play") || !strcmp(name, "probe") || !strcmp(name, "grade");
}

static int run_with_folder(struct cmd *c, int (*run)(const struct cmd *c))
{
    char *pack, *id;
    int status = cmd_take_folder(c, &pack, &id);
    status = status == CMD_OK ? run(c) : status;
    free(pack);
    free(id);
    return status;
}

static int run_command(struct cmd *c, const char *name, const struct options_given *given)
{
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name))
            continue;
        if (options_check(name, commands[i].usage, given) != CMD_OK)
            return CMD_USAGE;
        if (c->n_args < commands[i].least || c->n_args > commands[i].most)
            return cmd_misuse("usage: warpdrill %s", commands[i].usage);
        return takes_folder(name) ? run_with_folder(c, commands[i].run) : commands[i].run(c);
    }
    return cmd_misuse("there is no command '%s'; try: warpdrill --help", name);
}

int main(int argc, char **argv)
{
    struct cmd c = {.packs = mem_new((size_t)argc, sizeof(char *))};
    struct options_given given;
    setlocale(LC_CTYPE, "");
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file at the account's limit is an error, not the end */
    int status = options_read(&c, argc, argv, &given);
    const char *name = c.n_args ? *c.args++ : NULL;
    c.n_args -= name != NULL;
    if (status == CMD_OK && c.help) {
        status = name ? print_command_help(name) : (print_help(stdout), CMD_OK);
    } else if (status == CMD_OK && name) {
        status = run_command(&c, name, &given);
    } else if (status == CMD_OK) {
        status = options_check("the interface", "", &given);
        status = status == CMD_OK ? cmd_tui(&c, NULL, NULL) : status;
    }
    free(c.packs);
    return end_output(status < 0 ? CMD_OK : status);
}
