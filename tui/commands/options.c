#include "tui/commands/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

enum option_kind { OPTION_TEXT, OPTION_FLAG, OPTION_PACK, OPTION_SEED, OPTION_VERSION };

/* value: of those that all commands take, the word for it in --help, "" for a flag; NULL: a
 * command's own. */
struct row {
    const char *name;
    enum option_kind kind;
    size_t at;
    const char *value, *does;
};

#define AT(member) offsetof(struct cmd, member)
static const struct row rows[] = {
    {"db", OPTION_TEXT, AT(db), "FILE",
     "progress, instead of $XDG_DATA_HOME/warpdrill/progress.db"},
    {"pack", OPTION_PACK, 0, "DIR", "a pack, or a folder of packs; may be repeated"},
    {"runner", OPTION_TEXT, AT(runner), "COMMAND",
     "warpdrill-runner, \"ssh gpubox warpdrill-runner\", \"srun --unbuffered ...\"; else "
     "$WARPDRILL_RUNNER"},
    {"seed", OPTION_SEED, 0, "N", "makes what is drawn by lot repeatable"},
    {"passphrase-file", OPTION_TEXT, AT(passphrase_file), "FILE",
     "opens or seals a pack with its first line; else $WARPDRILL_PASSPHRASE_FILE, else it "
     "is asked for"},
    {"trust", OPTION_FLAG, AT(trust), "",
     "runs GPU code of packs that did not come with warpdrill without asking"},
    {"help", OPTION_FLAG, AT(help), "", ""},
    {"version", OPTION_VERSION, 0, "", ""},
    {"tier", OPTION_TEXT, AT(tier), NULL,
     "where evidence comes from: recorded (the default) or live, on the runner's GPU"},
    {"gpu", OPTION_TEXT, AT(gpu), NULL,
     "which recording, by the name of its file, such as nvidia-h200"},
    {"script", OPTION_TEXT, AT(script), NULL,
     "the moves, one a line, each {\"kind\": ..., \"body\": {...}}"},
    {"answer", OPTION_TEXT, AT(answer), NULL, "grades this answer"},
    {"json", OPTION_FLAG, AT(json), NULL, "data as JSON"},
    {"seeds", OPTION_TEXT, AT(seeds), NULL, "a run of instances"},
    {"format", OPTION_TEXT, AT(format), NULL,
     "text or md; json or csv; a report is md, html, csv or json; check: sarif or junit"},
    {"out", OPTION_TEXT, AT(out), NULL, "where to, instead of the usual place"},
    {"set", OPTION_TEXT, AT(set), NULL, "the name of the set"},
    {"dry-run", OPTION_FLAG, AT(dry_run), NULL,
     "only says what would happen; record asks the runner which GPU is there, runs "
     "nothing and needs no --trust"},
    {"keep-good", OPTION_FLAG, AT(keep_good), NULL,
     "takes the good rows of a file that has bad ones"},
    {"from", OPTION_TEXT, AT(from), NULL,
     "new: the CUDA source; record: another copy of the pack, whose evidence is taken "
     "where it is newer and belongs"},
    {"again", OPTION_FLAG, AT(again), NULL, "measures everything, also what is up to date"},
    {"suggest", OPTION_FLAG, AT(suggest), NULL,
     "measures nothing; prints readings with thresholds that the recordings there bear out"},
    {"replace", OPTION_FLAG, AT(replace), NULL, "also over newer evidence of another machine"},
    {"kind", OPTION_TEXT, AT(draft.kind), NULL, "kernel (the default), pipeline, harness or case"},
    {"good", OPTION_TEXT, AT(good), NULL,
     "new: the commit of --from's repository in which nothing was wrong; the fix is taken from it"},
    {"bad", OPTION_TEXT, AT(bad), NULL,
     "new: the commit that has the fault; else the file as it is"},
    {"kernel", OPTION_TEXT, AT(draft.kernel), NULL,
     "which kernel of the source; of a template 'NAME<float, 256>'"},
    {"title", OPTION_TEXT, AT(draft.title), NULL, "of the scenario; says nothing about the cause"},
    {"cause", OPTION_TEXT, AT(draft.cause), NULL, "a hypothesis, such as mem.uncoalesced"},
    {"outputs", OPTION_TEXT, AT(draft.outputs), NULL, "the parameters that the kernel writes"},
    {"level", OPTION_TEXT, AT(draft.level), NULL,
     "host: of the plan, 0 to 4; new: of the scenario, 0 to 5"},
    {"grid", OPTION_TEXT, AT(draft.grid), NULL,
     "the blocks of the launch: \"ceildiv(n, 256)\", up to three formulas between commas"},
    {"block", OPTION_TEXT, AT(draft.block), NULL, "the threads of a block: 256, or 32,8"},
    {"yes", OPTION_FLAG, AT(draft.yes), NULL,
     "new: takes what is proposed instead of asking; host: deletes without asking"},
    {"list", OPTION_FLAG, AT(list), NULL, "the backups, the interviews or the tries there are"},
    {"strict", OPTION_FLAG, AT(strict), NULL, "warnings make the exit status 1 too"},
    {"live", OPTION_FLAG, AT(live), NULL,
     "measures on the runner's GPU what recordings cannot show"},
    {"compile", OPTION_FLAG, AT(compile), NULL, "fails where nothing can be compiled"},
    {"no-compile", OPTION_FLAG, AT(no_compile), NULL, "leaves out the compiler"},
    {"no-evidence", OPTION_FLAG, AT(no_evidence), NULL,
     "evidence that is missing or older than the code is no fault"},
    {"library", OPTION_FLAG, AT(library), NULL,
     "judges all packs together: what rules of thumb earn that read no evidence"},
    {"name", OPTION_TEXT, AT(name), NULL,
     "how you are called on the other screens; else it is asked once the code lets in"},
    {"share", OPTION_FLAG, AT(share), NULL,
     "makes a terminal for the candidate on this machine, to be shared"},
    {"like", OPTION_TEXT, AT(like), NULL,
     "takes the plan of an interview that was: the same parts and numbers for another candidate"},
    {"minutes", OPTION_TEXT, AT(minutes), NULL, "how long the interview is, 20 to 180"},
    {"rubric", OPTION_TEXT, AT(rubric), NULL, "a team's own signals and anchors, from a YAML file"},
    {"for", OPTION_TEXT, AT(guest), NULL,
     "host: the candidate is this Unix user of this machine; report: what its reader may "
     "know; check, preview: GPUs that need not be there (h200, a100-40, ...; check: or all)"},
    {"key", OPTION_TEXT, AT(key), NULL,
     "the candidate's public key, for the line of authorized_keys"},
    {"key-line", OPTION_TEXT, AT(key_line), NULL,
     "prints the line for authorized_keys, to be copied in one piece; CODE as the "
     "console's c shows it"},
    {"no-wall", OPTION_FLAG, AT(no_wall), NULL, "lets in a terminal that cannot be confined"},
    {"start", OPTION_FLAG, AT(start), NULL, "takes the plan as it is proposed"},
    {"curtain", OPTION_FLAG, AT(curtain), NULL,
     "for a terminal that is shared: a plain page before and after, and nothing else"},
    {"truth", OPTION_FLAG, AT(truth), NULL,
     "also while the interview is open; report --for candidate: with causes, fixes and anchors"},
    {"resume", OPTION_FLAG, AT(resume), NULL,
     "goes on with an interview; without ID the newest that is not over"},
    {"delete", OPTION_TEXT, AT(delete), NULL, "deletes an interview for good, after a question"},
    {"speed", OPTION_TEXT, AT(speed), NULL,
     "times as fast as it was: 0.5, 1, 2, 4 and so on to 64"},
    {"once", OPTION_FLAG, AT(once), NULL, "judges the file as it is, once, and ends"},
    {"sanitize", OPTION_FLAG, AT(sanitize), NULL,
     "runs the file under compute-sanitizer, once, and tells what that finds"},
    {"folder", OPTION_TEXT, AT(folder), NULL,
     "where your text lies, instead of $XDG_DATA_HOME/warpdrill/mend/PACK/STORY/VARIANT"},
    {"back", OPTION_TEXT, AT(back), NULL,
     "puts the text of this try (a number of --list) into the file; what stood there is kept"},
    {"diff", OPTION_TEXT, AT(diff), NULL,
     "what the file has otherwise than this try, or one try otherwise than another (1:3)"},
    {"arch", OPTION_TEXT, AT(arch), NULL, "without a GPU: only compiles, for such a one (sm_90)"},
    {"at", OPTION_TEXT, AT(at), NULL, "where to begin, as 12:04 of the interview's clock"},
    {"width", OPTION_TEXT, AT(width), NULL, "columns of the figure, 60 to 400; else 80"},
    {"ascii", OPTION_FLAG, AT(ascii), NULL, "draws with ASCII alone"},
    {"fill", OPTION_TEXT, AT(fill), NULL, "leaves blanks, drawn by this seed"},
    {"place", OPTION_TEXT, AT(place), NULL,
     "grades a schedule, a list of blocks for each stage: \"f0 f1 b0@7 b1; f0 b0 f1 b1\"; or a "
     "collective, the sends of each step: \"0a1 1b2; 1a2\"; or the workloads of a roofline, by "
     "their flop a byte: \"a 1, b 8\""},
};
enum { ROWS = sizeof rows / sizeof *rows, FIRST = 256 /* what getopt calls the first; not '?' */ };
_Static_assert((int)ROWS <= (int)OPTIONS_MOST, "each has a place among those that were given");

static bool takes_value(const struct row *r)
{
    return r->kind == OPTION_TEXT || r->kind == OPTION_PACK || r->kind == OPTION_SEED;
}

/* ---- reading ---- */

static int take_seed(struct cmd *c, const char *text)
{
    char *end;
    errno = 0;
    c->seed = strtoull(text, &end, 0);
    c->seeded = true;
    if (*text && *text != '-' && !*end && errno == 0)
        return CMD_OK;
    return cmd_misuse("--seed needs a number from 0 to 2^64 - 1, not '%s'", text);
}

static int take(struct cmd *c, const struct row *r, const char *value)
{
    char *field = (char *)c + r->at;
    switch (r->kind) {
    case OPTION_TEXT:
        *(const char **)(void *)field = value;
        return CMD_OK;
    case OPTION_FLAG:
        *(bool *)field = true;
        return CMD_OK;
    case OPTION_PACK:
        c->packs[c->n_packs++] = value;
        return CMD_OK;
    case OPTION_SEED:
        return take_seed(c, value);
    default:
        puts("warpdrill " WARPDRILL_VERSION);
        return -1;
    }
}

int options_read(struct cmd *c, int argc, char **argv, struct options_given *given)
{
    struct option list[ROWS + 1] = {{0}};
    int status = CMD_OK, id;
    for (int i = 0; i < ROWS; i++)
        list[i] = (struct option){rows[i].name, takes_value(&rows[i]), NULL, FIRST + i};
    *given = (struct options_given){{false}};
    while (status == CMD_OK && (id = getopt_long(argc, argv, "", list, NULL)) != -1) {
        if (id < FIRST)
            return cmd_misuse("try: warpdrill --help");
        given->row[id - FIRST] = true;
        status = take(c, &rows[id - FIRST], optarg);
    }
    c->args = (const char **)argv + optind;
    c->n_args = argc - optind;
    return status;
}

/* ---- which belong to a command ---- */

/* Does the usage have the option, and not a longer one that begins so? */
static bool has_option(const char *usage, const char *name)
{
    char wanted[32];
    size_t n = (size_t)snprintf(wanted, sizeof wanted, "--%s", name);
    for (const char *at = usage; (at = strstr(at, wanted)); at++)
        if (!at[n] || !strchr("abcdefghijklmnopqrstuvwxyz-", at[n]))
            return true;
    return false;
}

int options_check(const char *who, const char *usage, const struct options_given *given)
{
    for (int i = 0; i < ROWS; i++) {
        if (!given->row[i] || rows[i].value || has_option(usage, rows[i].name))
            continue;
        if (*usage)
            return cmd_misuse("%s takes no --%s; usage: warpdrill %s", who, rows[i].name, usage);
        return cmd_misuse("%s takes no --%s; try: warpdrill --help", who, rows[i].name);
    }
    return CMD_OK;
}

/* ---- help ---- */

void options_print_common(FILE *f)
{
    for (int i = 0; i < ROWS; i++) {
        char left[40];
        snprintf(left, sizeof left, "--%s %s", rows[i].name, rows[i].value ? rows[i].value : "");
        if (rows[i].value && *rows[i].does)
            fprintf(f, "  %-24s%s\n", left, rows[i].does);
    }
    fputs("  --help, --version\n", f);
}

void options_print_of(FILE *f, const char *usage)
{
    for (int i = 0; i < ROWS; i++)
        if (has_option(usage, rows[i].name))
            fprintf(f, "  --%-16s%s\n", rows[i].name, rows[i].does);
}
