/* warpdrill check: every rule of scenarios/check/rules.h on packs; findings as file:line:col, as
 * JSON or as SARIF. With --library packs are only gathered (cmd_check_library.h). */
#include "tui/commands/commands.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/check/checker.h"
#include "scenarios/check/findings_junit.h"
#include "scenarios/check/findings_sarif.h"
#include "tui/commands/cmd_check_for.h"
#include "tui/commands/cmd_check_library.h"
#include "tui/commands/cmd_check_live.h"
#include "tui/commands/cmd_check_say.h"
#include "tui/commands/cmd_check_compile.h"
#include "tui/commands/cmd_place.h"
#include "tui/kit/passphrase.h"

/* One pack of the command line, with the scenarios named behind it (none: all), and what was found.
 */
struct job {
    char *folder;
    const char **ids;
    int n_ids;
    struct findings found;
    char *name, *matrix;
    int n_stories;
    bool sealed;
    struct lived_list lived;
    json_t *sizes; /* with --for, else NULL */
};
struct run {
    const struct cmd *cmd;
    struct catalog *catalog;   /* opened when a name is no folder */
    struct job *jobs; int n;
    struct interview_session *live; /* with --live */
    struct kernel_check *kernels; /* NULL with --no-compile */
    char *above;                  /* what a story's folder that was named is called in its pack */
    struct openings library;      /* with --library */
    struct for_gpus gpus;         /* with --for */
    struct timespec began;
    bool shows_progress;
    char doing[160];
};

/* ---- arguments ---- */

static bool is_folder(const char *name)
{
    struct stat st;
    return stat(name, &st) == 0 && S_ISDIR(st.st_mode);
}

static void add_job(struct run *r, char *folder)
{
    r->jobs = mem_grow(r->jobs, (size_t)r->n + 1, sizeof *r->jobs);
    r->jobs[r->n++] = (struct job){.folder = folder, .name = text_dup(folder)};
}

static int visible(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

/* The packs one level below; how many. */
static int add_packs_of(struct run *r, const char *folder)
{
    struct dirent **entries;
    int found = 0, n = scandir(folder, &entries, visible, alphasort);
    for (int i = 0; i < n; i++) {
        char *below;
        path_below(&below, folder, PATH_NAMES(entries[i]->d_name), NULL);
        free(entries[i]);
        if (below && cmd_holds_manifest(below)) {
            add_job(r, below);
            found++;
        } else {
            free(below);
        }
    }
    if (n >= 0)
        free(entries);
    return found;
}

static const struct pack *find_pack(struct run *r, const char *id)
{
    struct err err;
    if (!r->catalog && catalog_open(&r->catalog, r->cmd->packs, r->cmd->n_packs, &err))
        return NULL;
    for (int i = 0; i < r->catalog->n_packs; i++)
        if (!strcmp(r->catalog->packs[i]->id, id))
            return r->catalog->packs[i];
    return NULL;
}

static void add_id(struct job *j, const char *id)
{
    j->ids = mem_grow(j->ids, (size_t)j->n_ids + 1, sizeof *j->ids);
    j->ids[j->n_ids++] = id;
}

/* PACK/STORY or PACK/STORY/VARIANT, PACK being a folder or an id: that pack, and what is named of
 * it. */
static bool add_scenario(struct run *r, const char *name)
{
    size_t end = strlen(name);
    for (int parts = 0; parts < 2; parts++) {
        while (end > 0 && name[end - 1] != '/')
            end--;
        if (end < 2)
            return false;
        char *pack = text_ndup(name, --end);
        const struct pack *known = cmd_holds_manifest(pack) ? NULL : find_pack(r, pack);
        bool there = known || cmd_holds_manifest(pack);
        if (there) {
            add_job(r, text_dup(known ? known->files->root : pack));
            add_id(&r->jobs[r->n - 1], name + end + 1);
        }
        free(pack);
        if (there)
            return true;
    }
    return false;
}

/* The folder of a story or of a variant: the pack above it, and what is named of it. */
static bool add_above(struct run *r, const char *name)
{
    char *pack;
    if (!cmd_pack_above(&pack, &r->above, name))
        return false;
    add_job(r, pack);
    add_id(&r->jobs[r->n - 1], r->above);
    return true;
}

/* A folder with a pack.yaml, a folder of such, the id of a pack, a scenario with its pack in front,
 * or the folder of one; what follows and is none of them names scenarios of the pack before. */
static int take_argument(struct run *r, int at)
{
    const char *name = r->cmd->args[at];
    const struct pack *known;
    bool is_scenario = at > 0 && strchr(name, '/'); /* the id of no pack */
    if (cmd_holds_manifest(name)) {
        add_job(r, text_dup(name));
    } else if (!is_scenario && (known = find_pack(r, name))) {
        add_job(r, text_dup(known->files->root));
    } else if (is_folder(name) && add_packs_of(r, name)) {
        return CMD_OK;
    } else if (at > 0) {
        add_id(&r->jobs[r->n - 1], name);
    } else if (!add_scenario(r, name) && !add_above(r, name)) {
        if (!is_folder(name))
            return cmd_misuse("%s is neither a folder nor the id of a pack", name);
        add_job(r, text_dup(name)); /* the reader says what is missing */
    }
    return CMD_OK;
}

/* ---- checking ---- */

static double seconds_since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) * 1e-9;
}

enum { WIDEST = 70 };
static const double QUIET_SECONDS = 0.5;

static void show_progress(struct run *r, const char *doing)
{
    if (!r->shows_progress || (!r->doing[0] && seconds_since(&r->began) < QUIET_SECONDS))
        return;
    snprintf(r->doing, sizeof r->doing, "checking %.*s", WIDEST, doing);
    fprintf(stderr, "\r\033[K%s", r->doing);
    fflush(stderr);
}

static void end_progress(struct run *r)
{
    if (r->doing[0])
        fputs("\r\033[K", stderr);
    r->doing[0] = '\0';
}

struct wanting { struct run *run; struct job *job; const struct story *last; };

static bool is_wanted(void *ctx, const struct variant *v)
{
    struct wanting *w = ctx;
    bool any = w->job->n_ids == 0;
    for (int i = 0; i < w->job->n_ids; i++)
        any = any || cmd_is_named(v, w->job->ids[i]);
    if (any)
        show_progress(w->run, v->full_id);
    w->job->n_stories += any && v->story != w->last;
    w->last = any ? v->story : w->last;
    return any;
}

static void show_compiling(void *ctx, const struct variant *v, const char *say)
{
    char doing[160];
    snprintf(doing, sizeof doing, "%s: %s", v->full_id, say);
    show_progress(ctx, doing);
}

static void compile_story(struct wanting *w, struct findings *f, const struct story *s)
{
    for (int i = 0; i < s->n_variants; i++)
        if (is_wanted(w, s->variants[i]))
            kernel_check_variant(w->run->kernels, f, s->variants[i]);
}

static bool is_task_wanted(const struct job *j, const struct story *s)
{
    bool any = j->n_ids == 0;
    for (int i = 0; i < j->n_ids; i++)
        any = any || cmd_is_named(s->task->variant, j->ids[i]);
    return any;
}

/* Kernels to be written, of stories and alone. */
static void compile_tasks(struct wanting *w, struct findings *f, const struct pack *p)
{
    const struct story *s;
    for (int i = 0; (s = pack_written(p, i)); i++)
        if (is_task_wanted(w->job, s))
            kernel_check_variant(w->run->kernels, f, s->task->variant);
}

static void size_story(struct wanting *w, const struct story *s)
{
    struct job *j = w->job;
    if (!j->sizes)
        j->sizes = json_array();
    for (int i = 0; i < s->n_variants; i++)
        if (!s->variants[i]->sealed && is_wanted(w, s->variants[i]))
            for_gpus_check(&w->run->gpus, &j->found, s->variants[i], j->sizes);
}

/* Evidence that is missing or older than the code is no fault where a machine without a GPU
 * checks. */
static void forgive_evidence(struct findings *f)
{
    findings_drop(f, "evidence-missing");
    findings_drop(f, "evidence-stale");
}

static bool is_there(const struct pack *p, const char *id)
{
    const struct story *s;
    for (int i = 0; (s = pack_written(p, i)); i++)
        if (cmd_is_named(s->task->variant, id))
            return true;
    return cmd_names_something(p, id);
}

/* The one story that was named, or NULL. */
static const struct story *only_story(const struct job *j, const struct pack *p)
{
    const struct story *only = NULL;
    for (int s = 0; j->n_ids == 1 && s < p->n_stories; s++)
        if (!strcmp(j->ids[0], p->stories[s].id) || !strcmp(j->ids[0], p->stories[s].full_id))
            only = &p->stories[s];
    return only;
}

static int check_pack(struct run *r, struct job *j, const struct pack *p)
{
    struct wanting w = {r, j, NULL};
    const struct story *only;
    for (int i = 0; i < j->n_ids; i++)
        if (!is_there(p, j->ids[i]))
            return cmd_no_scenario(p, j->ids[i]);
    free(j->name);
    j->name = text_dup(p->id);
    if (!j->n_ids)
        check_stray(&j->found, p);
    for (int s = 0; s < p->n_stories; s++) {
        check_story(&j->found, &p->stories[s], is_wanted, &w);
        compile_story(&w, &j->found, &p->stories[s]);
        if (r->gpus.n)
            size_story(&w, &p->stories[s]);
    }
    compile_tasks(&w, &j->found, p);
    int status = r->cmd->live
                     ? cmd_check_live(&r->live, r->cmd, p, is_wanted, &w, &j->found, &j->lived)
                     : CMD_OK;
    findings_sort(&j->found);
    if (r->cmd->no_evidence)
        forgive_evidence(&j->found);
    if (!r->cmd->json && (only = only_story(j, p)))
        j->matrix = apart_table(only);
    return status;
}

/* A pack that is gathered twice would be its own evidence: what is hidden as one story is known as
 * the other. */
static int gather(struct run *r, struct job *j, const struct pack *p)
{
    for (const struct job *before = r->jobs; before < j; before++)
        if (!strcmp(before->name, p->id))
            return cmd_misuse("%s and %s are both the pack %s; each pack once was expected",
                              before->folder, j->folder, p->id);
    free(j->name);
    j->name = text_dup(p->id);
    openings_pack(&r->library, p);
    return CMD_OK;
}

static int do_job(struct run *r, struct job *j)
{
    struct pack *p;
    struct err err = {0};
    int status = CMD_OK;
    if (pack_open_whole(&p, j->folder, &err)) {
        findings_refused(&j->found, j->name, j->folder, &err);
        return CMD_OK;
    }
    if (p->seal == SEAL_SHUT && passphrase_file(r->cmd->passphrase_file)) {
        struct pack *opened = NULL;
        status = cmd_open_sealed(&opened, p, r->cmd);
        pack_free(p);
        p = opened;
    }
    if (status == CMD_OK) {
        j->sealed = p->seal == SEAL_SHUT;
        status = r->cmd->library ? gather(r, j, p) : check_pack(r, j, p);
    }
    pack_free(p);
    return status;
}

/* ---- what is said ---- */

static void print_measured(const struct measured *m)
{
    printf("%s  %s", m->scenario, m->gpu);
    if (m->effect > 0)
        printf("  effect %.3g", m->effect);
    printf("  cheapest");
    for (int i = 0; i < m->path.n; i++)
        printf("%s %s", i ? "," : "", m->path.probe[i]);
    printf(": %d min (par %d), %.0f %%%s\n", m->path.price, m->par, m->path.belief * 100,
           m->reached ? "" : ", not enough");
}

static void print_job(const struct job *j)
{
    const struct findings *f = &j->found;
    check_say_findings(f, j->folder);
    for (int i = 0; i < f->n_measured; i++)
        print_measured(&f->measured[i]);
    lived_print(&j->lived);
    for_gpus_print(j->sizes);
    if (j->sealed)
        printf("%s: sealed, so its public half alone was checked; --passphrase-file FILE opens the "
               "rest\n",
               j->name);
    printf("%s: %d %s, %d %s; %d %s, %d %s\n", j->name, j->n_stories,
           j->n_stories == 1 ? "story" : "stories", f->n_measured,
           f->n_measured == 1 ? "recording" : "recordings", f->n_errors,
           f->n_errors == 1 ? "error" : "errors", f->n_warnings,
           f->n_warnings == 1 ? "warning" : "warnings");
    if (j->matrix)
        printf("\n%s", j->matrix);
}

static void print_as_json(const struct run *r, int errors, int warnings)
{
    json_t *packs = json_array();
    for (int i = 0; i < r->n; i++) {
        const struct job *j = &r->jobs[i];
        json_t *pack =
            json_pack("{s:s, s:s, s:b, s:i, s:o, s:o}", "pack", j->name, "folder", j->folder,
                      "sealed", (int)j->sealed, "stories", j->n_stories, "recordings",
                      findings_encode_measured(&j->found), "findings", findings_encode(&j->found));
        if (r->cmd->live)
            json_object_set_new(pack, "live", lived_list_encode(&j->lived));
        if (j->sizes)
            json_object_set(pack, "sizes", j->sizes);
        json_array_append_new(packs, pack);
    }
    cmd_print_json(json_pack("{s:i, s:o, s:o, s:i, s:i}", "format", 1, "packs", packs, "compiled",
                             kernel_check_encode(r->kernels), "errors", errors, "warnings",
                             warnings));
}

static void print_as_sarif(const struct run *r)
{
    json_t *sarif = sarif_begin();
    for (int i = 0; i < r->n; i++)
        sarif_add(sarif, &r->jobs[i].found, r->jobs[i].folder);
    cmd_print_json(sarif);
}

static void print_as_junit(const struct run *r)
{
    junit_begin(stdout);
    for (int i = 0; i < r->n; i++)
        junit_add(stdout, &r->jobs[i].found, r->jobs[i].name, r->jobs[i].folder, r->cmd->strict);
    junit_end(stdout);
}

static int say_all(const struct run *r)
{
    int errors = 0, warnings = 0;
    bool lines = !r->cmd->json && !r->cmd->format;
    for (int i = 0; i < r->n; i++) {
        errors += r->jobs[i].found.n_errors;
        warnings += r->jobs[i].found.n_warnings;
        if (lines)
            print_job(&r->jobs[i]);
    }
    if (r->cmd->format && !strcmp(r->cmd->format, "junit"))
        print_as_junit(r);
    else if (r->cmd->format)
        print_as_sarif(r);
    else if (r->cmd->json)
        print_as_json(r, errors, warnings);
    int compiled = kernel_check_say(r->kernels);
    return errors || (r->cmd->strict && warnings) ? CMD_FAILED : compiled;
}

/* Packs that do not load are told first, and then nothing is judged without them. */
static int say_library(const struct run *r)
{
    for (int i = 0; i < r->n; i++)
        if (r->jobs[i].found.n)
            return say_all(r);
    return cmd_check_library(r->cmd, &r->library);
}

/* A library is judged by what whole packs have on file. */
static int check_usage(const struct run *r)
{
    const char *format = r->cmd->format;
    if (format && strcmp(format, "sarif") && strcmp(format, "junit"))
        return cmd_misuse("--format of check is sarif or junit, not '%s'", format);
    if (format && r->cmd->json)
        return cmd_misuse("--format %s and --json are two forms of one thing; give one", format);
    if (!r->cmd->library)
        return CMD_OK;
    if (r->cmd->live || r->cmd->compile || r->gpus.n || r->cmd->format)
        return cmd_misuse("--library neither measures nor compiles; leave out --live, --compile, "
                          "--for and --format");
    for (int i = 0; i < r->n; i++)
        if (r->jobs[i].n_ids)
            return cmd_misuse("--library judges whole packs, and '%s' is none",
                              r->jobs[i].ids[0]);
    return CMD_OK;
}

static void forget(struct run *r)
{
    openings_free(&r->library);
    for (int i = 0; i < r->n; i++) {
        findings_free(&r->jobs[i].found);
        free(r->jobs[i].folder);
        free(r->jobs[i].name);
        free(r->jobs[i].matrix);
        free(r->jobs[i].lived.all);
        free(r->jobs[i].ids);
        json_decref(r->jobs[i].sizes);
    }
    free(r->jobs);
    free(r->above);
    for_gpus_free(&r->gpus);
    live_session_free(r->live);
    kernel_check_free(r->kernels);
    catalog_free(r->catalog);
}

int cmd_check(const struct cmd *c)
{
    struct run r = {.cmd = c, .shows_progress = isatty(STDERR_FILENO)};
    int status = for_gpus_read(&r.gpus, c);
    clock_gettime(CLOCK_MONOTONIC, &r.began);
    r.kernels = c->library ? NULL : kernel_check_new(c, show_compiling, &r);
    for (int i = 0; status == CMD_OK && i < c->n_args; i++)
        status = take_argument(&r, i);
    if (status == CMD_OK)
        status = check_usage(&r);
    for (int i = 0; status == CMD_OK && i < r.n; i++)
        status = do_job(&r, &r.jobs[i]);
    end_progress(&r);
    if (status == CMD_OK)
        status = c->library ? say_library(&r) : say_all(&r);
    if (status == CMD_OK && live_session_lost(r.live))
        status = CMD_FAILED;
    forget(&r);
    return status;
}
