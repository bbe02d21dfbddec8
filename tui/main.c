/* The program's entry: options, and which command runs. */
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drills/library.h"
#include "kernels/wire/text.h"
#include "tui/app.h"
#include "tui/cmd.h"
#include "tui/passphrase.h"

static int help(const struct cmd *c);

static const struct command {
    const char *name, *usage, *does;
    int (*run)(const struct cmd *c);
    int least, most; /* arguments */
} commands[] = {
    {"list", "list [--json]", "scenarios: id, title, kind, level, tiers of evidence; never the cause", cmd_list, 0, 0},
    {"play", "play ID", "one scenario in the terminal interface", cmd_play, 1, 1},
    {"probe", "probe ID [PROBE] [--tier recorded|live] [--gpu NAME] [--json]", "one piece of evidence, or what there is with its prices", cmd_probe, 1, 2},
    {"grade", "grade ID --script FILE [--gpu NAME] [--json]", "scores a scripted investigation", cmd_grade, 1, 1},
    {"new", "new PACK/SCENARIO --from kernel.cu [--kernel NAME] [--title TEXT] [--cause ID] [--outputs A,B] [--level N] [--yes]",
     "a scenario that loads, made of your kernel, with comments that teach the format", cmd_new, 1, 1},
    {"record", "record PACK [ID...] [--again] [--replace] [--dry-run] | record PACK [ID...] --from DIR | record drills [--seeds A..B] [--again] [--replace]", "measures what a pack's evidence lacks on the runner's GPU and keeps it; or takes it out of another copy of the pack",
     cmd_record, 1, 64},
    {"check", "check PACK [ID...] [PACK...] [--live] [--strict] [--compile | --no-compile] [--json]", "says what is wrong with packs, before anybody plays them", cmd_check, 1, 64},
    {"seal", "seal PACK [--out DIR]", "a copy whose answers only a passphrase opens, to hand out", cmd_seal, 1, 1},
    {"unseal", "unseal PACK [--out DIR]", "a copy of a sealed pack with its answers in clear", cmd_unseal, 1, 1},
    {"drill", "drill [ID] [--seed N | --seeds A..B] [--answer TEXT] [--tier recorded|live] [--gpu NAME] [--json]", "the drills, one instance, its grading, or a run of instances", cmd_drill, 0, 1},
    {"cards", "cards [SET] [--json] | cards import FILE.csv [--set NAME] [--keep-good] | cards export SET", "the sets of cards, or the cards of one; your own in and out", cmd_cards, 0, 2},
    {"sheet", "sheet [TABLE | cards SET | drills TOPIC] [--format text|md] [--seed N]", "to print: a number table, cards to fold, ten drills with answers", cmd_sheet, 0, 2},
    {"export", "export [--format json|csv] [--out FILE|DIR]", "all progress: json to move it, csv (a folder) for spreadsheets; both can be imported", cmd_export, 0, 0},
    {"import", "import FILE|DIR [--dry-run] [--json]", "progress from an export: adds what is not there yet, or nothing at all", cmd_import, 1, 1},
    {"backup", "backup [FILE]", "a verified copy of the progress, in the folder backups beside it or as FILE", cmd_backup, 0, 1},
    {"restore", "restore latest | restore FILE | restore --list [--json]", "puts a backup in its place; what was there is kept beside it", cmd_restore, 0, 1},
    {"host", "host [--share] [--level N] [--minutes N] [--rubric FILE] [--for USER] [--key FILE] [--no-wall] [--start] | host --resume [ID] | host --list [--json] | host --delete ID [--yes] | host --key-line CODE [--key FILE]",
     "an interview: its plan, then the interviewer's console; or the interviews there are", cmd_host, 0, 1},
    {"join", "join [CODE] [--name NAME] [--curtain]", "the candidate's or an observer's terminal of an interview that runs on this machine", cmd_join, 0, 1},
    {"report", "report [ID] [--for candidate|interviewer] [--truth] [--format md|html|csv|json] [--out FILE] | report --list [--json]",
     "an interview on paper: what was done, believed and said, and what it was worth; without ID the newest", cmd_report, 0, 1},
    {"replay", "replay [ID] [--speed N] [--at TIME] [--truth]", "an interview that was, on the interviewer's console, at any speed", cmd_replay, 0, 1},
    {"doctor", "doctor [--json]", "what works here, and what would make the rest work", cmd_doctor, 0, 0},
    {"help", "help [COMMAND]", "what a command does, with its options", help, 0, 1},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *f)
{
    fputs("warpdrill trains people to find out why a GPU kernel is slow or wrong.\n\n"
          "  warpdrill                                  the terminal interface\n", f);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(f, "  warpdrill %s\n%44s%s\n", commands[i].usage, "", commands[i].does);
    fputs("\nOptions of all commands:\n"
          "  --db FILE         progress, instead of $XDG_DATA_HOME/warpdrill/progress.db\n"
          "  --pack DIR        a pack, or a folder of packs; may be repeated\n"
          "  --runner COMMAND  warpdrill-runner, \"ssh gpubox warpdrill-runner\", \"srun --unbuffered ...\"; else $WARPDRILL_RUNNER\n"
          "  --seed N          makes what is drawn by lot repeatable\n"
          "  --passphrase-file FILE  opens or seals a pack with its first line; else $WARPDRILL_PASSPHRASE_FILE, else it is asked for\n"
          "  --trust           runs GPU code of packs that did not come with warpdrill without asking\n"
          "  --help, --version\n\n"
          "ID is a scenario such as first-principles/transposed-copy, or one of its variants (.../a).\n"
          "PROBE is timing, resources, memory, ..., the id of an experiment, or symptom.\n"
          "Data goes to standard output, messages to standard error. Exit status: 0, 1 failure, 2 usage.\n", f);
}

/* What the usage of a command names, and what it does. */
static const struct { const char *name, *does; } explained[] = {
    {"--json", "data as JSON"}, {"--tier", "where evidence comes from: recorded (the default) or live, on the runner's GPU"},
    {"--gpu", "which recording, by the name of its file, such as nvidia-h200"}, {"--script", "the moves, one a line"},
    {"--from", "new: the CUDA source; record: another copy of the pack, whose evidence is taken where it is newer and belongs"},
    {"--kernel", "which kernel of the source"}, {"--title", "of the scenario; says nothing about the cause"}, {"--cause", "a hypothesis, such as mem.uncoalesced"},
    {"--outputs", "the parameters that the kernel writes"}, {"--level", "host: of the plan, 0 to 4; new: of the scenario, 0 to 5"}, {"--yes", "new: takes what is proposed instead of asking; host: deletes without asking"},
    {"--again", "measures everything, also what is up to date"}, {"--replace", "also over newer evidence of another machine"},
    {"--dry-run", "only says what would happen; record asks the runner which GPU is there, runs nothing and needs no --trust"},
    {"--seeds", "a run of instances"}, {"--live", "measures on the runner's GPU what recordings cannot show"}, {"--strict", "warnings make the exit status 1 too"},
    {"--compile", "fails where nothing can be compiled"}, {"--no-compile", "leaves out the compiler"}, {"--out", "where to, instead of the usual place"},
    {"--answer", "grades this answer"}, {"--set", "the name of the set"}, {"--keep-good", "takes the good rows of a file that has bad ones"},
    {"--format", "text or md; json or csv; a report is md, html, csv or json"}, {"--list", "the backups, or the interviews, there are"},
    {"--share", "makes a terminal for the candidate on this machine, to be shared"},
    {"--curtain", "for a terminal that is shared: a plain page before and after, and nothing else"},
    {"--truth", "also while the interview is open; report --for candidate: with causes, fixes and anchors"}, {"--minutes", "how long the interview is, 20 to 180"},
    {"--rubric", "a team's own signals and anchors, from a YAML file"}, {"--for", "host: the candidate is this Unix user of this machine; report: what its reader may know"},
    {"--key", "the candidate's public key, for the line of authorized_keys"}, {"--key-line", "prints the line for authorized_keys, to be copied in one piece; CODE as the console's c shows it"}, {"--no-wall", "lets in a terminal that cannot be confined"},
    {"--start", "takes the plan as it is proposed"}, {"--resume", "goes on with an interview; without ID the newest that is not over"},
    {"--delete", "deletes an interview for good, after a question"}, {"--speed", "times as fast as it was: 0.5, 1, 2, 4 and so on to 64"}, {"--at", "where to begin, as 12:04 of the interview's clock"}, {"--name", "how you are called on the other screens; else it is asked once the code lets in"}, {"--seed", "which instance, or what is drawn by lot"},
};

enum option_id { OPT_DB = 1, OPT_PACK, OPT_RUNNER, OPT_SEED, OPT_TIER, OPT_GPU, OPT_SCRIPT, OPT_ANSWER, OPT_SEEDS, OPT_FORMAT, OPT_OUT, OPT_SET, OPT_FROM, OPT_KERNEL, OPT_TITLE, OPT_CAUSE, OPT_OUTPUTS, OPT_LEVEL, OPT_YES, OPT_AGAIN, OPT_REPLACE, OPT_DRY_RUN, OPT_KEEP_GOOD, OPT_LIST, OPT_STRICT, OPT_LIVE, OPT_COMPILE, OPT_NO_COMPILE, OPT_TRUST, OPT_PASSPHRASE_FILE, OPT_NAME, OPT_SHARE, OPT_MINUTES, OPT_RUBRIC, OPT_FOR, OPT_KEY, OPT_KEY_LINE, OPT_NO_WALL, OPT_START, OPT_RESUME, OPT_DELETE, OPT_SPEED, OPT_AT, OPT_JSON, OPT_HELP, OPT_CURTAIN, OPT_TRUTH, OPT_VERSION };
_Static_assert(OPT_VERSION < '?', "each has a bit, and so has '?'");
static const struct option options[] = {
    {"db", required_argument, NULL, OPT_DB},         {"pack", required_argument, NULL, OPT_PACK},
    {"runner", required_argument, NULL, OPT_RUNNER}, {"seed", required_argument, NULL, OPT_SEED},
    {"tier", required_argument, NULL, OPT_TIER},     {"gpu", required_argument, NULL, OPT_GPU},
    {"script", required_argument, NULL, OPT_SCRIPT}, {"answer", required_argument, NULL, OPT_ANSWER}, {"json", no_argument, NULL, OPT_JSON},
    {"seeds", required_argument, NULL, OPT_SEEDS},   {"format", required_argument, NULL, OPT_FORMAT},
    {"out", required_argument, NULL, OPT_OUT},       {"set", required_argument, NULL, OPT_SET},
    {"dry-run", no_argument, NULL, OPT_DRY_RUN},     {"keep-good", no_argument, NULL, OPT_KEEP_GOOD},
    {"from", required_argument, NULL, OPT_FROM},     {"again", no_argument, NULL, OPT_AGAIN},
    {"replace", no_argument, NULL, OPT_REPLACE},
    {"kernel", required_argument, NULL, OPT_KERNEL}, {"title", required_argument, NULL, OPT_TITLE},
    {"cause", required_argument, NULL, OPT_CAUSE},   {"outputs", required_argument, NULL, OPT_OUTPUTS},
    {"level", required_argument, NULL, OPT_LEVEL},   {"yes", no_argument, NULL, OPT_YES},
    {"list", no_argument, NULL, OPT_LIST},           {"strict", no_argument, NULL, OPT_STRICT},
    {"live", no_argument, NULL, OPT_LIVE},
    {"compile", no_argument, NULL, OPT_COMPILE},     {"no-compile", no_argument, NULL, OPT_NO_COMPILE},
    {"trust", no_argument, NULL, OPT_TRUST},         {"passphrase-file", required_argument, NULL, OPT_PASSPHRASE_FILE},
    {"name", required_argument, NULL, OPT_NAME},
    {"share", no_argument, NULL, OPT_SHARE},         {"minutes", required_argument, NULL, OPT_MINUTES},
    {"rubric", required_argument, NULL, OPT_RUBRIC}, {"for", required_argument, NULL, OPT_FOR},
    {"key", required_argument, NULL, OPT_KEY},       {"key-line", required_argument, NULL, OPT_KEY_LINE}, {"no-wall", no_argument, NULL, OPT_NO_WALL},
    {"start", no_argument, NULL, OPT_START},         {"resume", no_argument, NULL, OPT_RESUME},
    {"delete", required_argument, NULL, OPT_DELETE}, {"speed", required_argument, NULL, OPT_SPEED},
    {"at", required_argument, NULL, OPT_AT},         {"curtain", no_argument, NULL, OPT_CURTAIN},
    {"truth", no_argument, NULL, OPT_TRUTH},
    {"help", no_argument, NULL, OPT_HELP},           {"version", no_argument, NULL, OPT_VERSION},
    {NULL, 0, NULL, 0},
};

/* Those that --help lists for all commands. */
static bool is_common(int id)
{
    return id == OPT_DB || id == OPT_PACK || id == OPT_RUNNER || id == OPT_SEED || id == OPT_PASSPHRASE_FILE || id == OPT_TRUST || id == OPT_HELP || id == OPT_VERSION;
}

/* Does the usage have the option, and not a longer one that begins so? */
static bool has_option(const char *usage, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = usage; (at = strstr(at, name)); at++)
        if (!at[n] || !strchr("abcdefghijklmnopqrstuvwxyz-", at[n]))
            return true;
    return false;
}

static int print_command_help(const char *name)
{
    const struct command *k = NULL;
    for (int i = 0; i < COMMANDS; i++)
        k = strcmp(commands[i].name, name) ? k : &commands[i];
    if (!k)
        return cmd_misuse("there is no command '%s'; try: warpdrill --help", name);
    printf("warpdrill %s\n  %s\n%s", k->usage, k->does, strstr(k->usage, "--") ? "\n" : "");
    for (size_t i = 0; i < sizeof explained / sizeof *explained; i++)
        if (has_option(k->usage, explained[i].name))
            printf("  %-18s%s\n", explained[i].name, explained[i].does);
    puts("\nAnd what all commands take, such as --pack DIR, --runner COMMAND and --trust: warpdrill --help");
    return CMD_OK;
}

static int help(const struct cmd *c)
{
    if (c->n_args)
        return print_command_help(c->args[0]);
    print_help(stdout);
    return CMD_OK;
}

static int parse_seed(struct cmd *c, const char *text)
{
    char *end;
    errno = 0;
    c->seed = strtoull(text, &end, 0);
    c->seeded = true;
    return *text && *text != '-' && !*end && errno == 0 ? CMD_OK : cmd_misuse("--seed needs a number from 0 to 2^64 - 1, not '%s'", text);
}

/* Returns CMD_OK to go on, CMD_USAGE, or -1 when the option said it all. */
static int take_option(struct cmd *c, int id, const char *value)
{
    bool *flag = id == OPT_JSON        ? &c->json
                 : id == OPT_DRY_RUN   ? &c->dry_run
                 : id == OPT_KEEP_GOOD ? &c->keep_good
                 : id == OPT_AGAIN     ? &c->again
                 : id == OPT_REPLACE   ? &c->replace
                 : id == OPT_LIST      ? &c->list
                 : id == OPT_YES       ? &c->draft.yes
                 : id == OPT_STRICT    ? &c->strict
                 : id == OPT_LIVE      ? &c->live
                 : id == OPT_COMPILE   ? &c->compile
                 : id == OPT_NO_COMPILE ? &c->no_compile
                 : id == OPT_TRUST     ? &c->trust
                 : id == OPT_SHARE     ? &c->share
                 : id == OPT_NO_WALL   ? &c->no_wall
                 : id == OPT_START     ? &c->start
                 : id == OPT_RESUME    ? &c->resume
                 : id == OPT_CURTAIN   ? &c->curtain
                 : id == OPT_TRUTH     ? &c->truth
                 : id == OPT_HELP      ? &c->help
                                       : NULL;
    const char **text = id == OPT_DB       ? &c->db
                        : id == OPT_RUNNER ? &c->runner
                        : id == OPT_TIER   ? &c->tier
                        : id == OPT_GPU    ? &c->gpu
                        : id == OPT_SCRIPT ? &c->script
                        : id == OPT_ANSWER ? &c->answer
                        : id == OPT_SEEDS  ? &c->seeds
                        : id == OPT_FORMAT ? &c->format
                        : id == OPT_OUT    ? &c->out
                        : id == OPT_SET    ? &c->set
                        : id == OPT_FROM   ? &c->from
                        : id == OPT_KERNEL ? &c->draft.kernel
                        : id == OPT_TITLE  ? &c->draft.title
                        : id == OPT_CAUSE  ? &c->draft.cause
                        : id == OPT_OUTPUTS ? &c->draft.outputs
                        : id == OPT_LEVEL  ? &c->draft.level
                        : id == OPT_NAME   ? &c->name
                        : id == OPT_MINUTES ? &c->minutes
                        : id == OPT_RUBRIC ? &c->rubric
                        : id == OPT_FOR    ? &c->guest
                        : id == OPT_KEY    ? &c->key
                        : id == OPT_KEY_LINE ? &c->key_line
                        : id == OPT_DELETE ? &c->delete
                        : id == OPT_SPEED  ? &c->speed
                        : id == OPT_AT     ? &c->at
                        : id == OPT_PASSPHRASE_FILE ? &c->passphrase_file
                                           : NULL;
    if (text)
        *text = value;
    else if (id == OPT_PACK)
        c->packs[c->n_packs++] = value;
    else if (flag)
        *flag = true;
    else if (id == OPT_SEED)
        return parse_seed(c, value);
    else if (id == OPT_VERSION)
        puts("warpdrill " WARPDRILL_VERSION);
    else
        return cmd_misuse("try: warpdrill --help");
    return id == OPT_VERSION ? -1 : CMD_OK;
}

int cmd_tui(const struct cmd *c, const char *play, const struct host_options *host)
{
    char *db = cmd_db(c->db);
    const char *from_environment = getenv("WARPDRILL_RUNNER");
    struct tui_options tui = {.db = db, .runner = c->runner ? c->runner : from_environment, .play = play, .packs = c->packs, .n_packs = c->n_packs,
                              .seeded = c->seeded, .trust = c->trust, .seed = c->seed, .passphrase_file = passphrase_file(c->passphrase_file), .host = host};
    int status = tui_run(&tui);
    free(db);
    return status;
}

#define ONE_DRILL "drill:"

/* The interface says what of it is not there. */
static bool is_practice(const char *what)
{
    return !strcmp(what, "drills") || !strcmp(what, "cards") || !strncmp(what, "drills:", strlen("drills:"));
}

static int play_drill(const struct cmd *c, const char *id)
{
    struct library l;
    library_open(&l);
    bool there = library_drill(&l, id) != NULL;
    library_free(&l);
    return there ? cmd_tui(c, c->args[0], NULL) : cmd_no_drill(id);
}

int cmd_play(const struct cmd *c)
{
    struct catalog *catalog = NULL;
    const struct story *story;
    const struct variant *variant;
    struct err err = {0};
    if (is_practice(c->args[0]))
        return cmd_tui(c, c->args[0], NULL);
    if (!strncmp(c->args[0], ONE_DRILL, strlen(ONE_DRILL)))
        return play_drill(c, c->args[0] + strlen(ONE_DRILL));
    int status = cmd_catalog(&catalog, c);
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

/* An option that would be passed over is refused: somebody relies on it. given: bit ID for each. */
static int check_options(const char *who, const char *usage, uint64_t given)
{
    for (const struct option *o = options; o->name; o++) {
        char name[32];
        snprintf(name, sizeof name, "--%s", o->name);
        if ((given >> o->val & 1) && !is_common(o->val) && !has_option(usage, name))
            return *usage ? cmd_misuse("%s takes no %s; usage: warpdrill %s", who, name, usage) : cmd_misuse("%s takes no %s; try: warpdrill --help", who, name);
    }
    return CMD_OK;
}

static int run_command(struct cmd *c, const char *name, uint64_t given)
{
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name))
            continue;
        if (check_options(name, commands[i].usage, given) != CMD_OK)
            return CMD_USAGE;
        if (c->n_args < commands[i].least || c->n_args > commands[i].most)
            return cmd_misuse("usage: warpdrill %s", commands[i].usage);
        return commands[i].run(c);
    }
    return cmd_misuse("there is no command '%s'; try: warpdrill --help", name);
}

int main(int argc, char **argv)
{
    struct cmd c = {.packs = mem_new((size_t)argc, sizeof(char *))};
    int status = CMD_OK, id;
    uint64_t given = 0;
    setlocale(LC_CTYPE, "");
    signal(SIGPIPE, SIG_IGN);
    while (status == CMD_OK && (id = getopt_long(argc, argv, "", options, NULL)) != -1) {
        given |= 1ull << id;        /* what is unknown is '?', 63 */
        status = take_option(&c, id, optarg);
    }
    c.args = (const char **)argv + optind + 1;
    c.n_args = argc - optind - 1;
    if (status == CMD_OK && c.help) {
        status = optind < argc ? print_command_help(argv[optind]) : (print_help(stdout), -1);
    } else if (status == CMD_OK && optind < argc) {
        status = run_command(&c, argv[optind], given);
    } else if (status == CMD_OK) {
        status = check_options("the interface", "", given);
        status = status == CMD_OK ? cmd_tui(&c, NULL, NULL) : status;
    }
    free(c.packs);
    return end_output(status < 0 ? CMD_OK : status);
}
