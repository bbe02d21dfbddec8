/* Rules about recorded evidence: is it there, does it belong to what the pack says now, and does it
 * show what the answer claims. */
#include "scenarios/check/checks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/check/checker_estimate_shown.h"
#include "scenarios/evidence/request.h"
#include "scenarios/pack/failing.h"
#include "scenarios/pack/harness.h"
#include "scenarios/pack/image.h"
#include "scenarios/pack/recordings.h"

static const double ENOUGH = 0.90;

/* One variant on one recording. */
struct checking {
    struct findings *f;
    const struct variant *v;
    const struct pack *pack;
    const struct recording *r;
    bool live;
    struct scope scope;        /* everything bought */
    const struct evidence *all;
};

/* A key of the variant's answer. */
static struct place answer_place(const struct variant *v, const char *key)
{
    char *path = text_format("%s/%s/sealed/answer.yaml", v->story->id, v->id);
    struct place at = place_key(v->story->pack, path, key, NULL);
    free(path);
    return at;
}

static struct place story_place(const struct variant *v, const char *key)
{
    char *path = text_format("%s/scenario.yaml", v->story->id);
    struct place at = place_key(v->story->pack, path, key, NULL);
    free(path);
    return at;
}

static void find(struct checking *k, const char *rule, struct place at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

static void find(struct checking *k, const char *rule, struct place at, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char text[2048];
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    findings_add(k->f, rule, k->pack, k->v->full_id, k->r->device.slug, at, "%s", text);
}

/* ---- what must hold ---- */

static void check_effect(struct checking *k)
{
    struct quantity ratio;
    struct err err = {0};
    struct place at = answer_place(k->v, "effect");
    if (scope_lookup(&k->scope, "ratio", &ratio, &err))
        find(k, "effect", at, "%s; a measured pair was expected", err.text);
    else if (ratio.value < k->v->effect_low || ratio.value > k->v->effect_high)
        find(k, "effect", at, "suspect.%s / fix.%s is %.3g; between %.3g and %.3g was expected",
             story_clock(k->v->story), story_clock(k->v->story),
             ratio.value, k->v->effect_low, k->v->effect_high);
}

static bool shows_outcome(struct checking *k, const char *outcome)
{
    struct quantity q = {0};
    char name[32];
    snprintf(name, sizeof name, "suspect.%s", outcome);
    return !scope_lookup(&k->scope, name, &q, NULL) && q.value > 0;
}

/* A suspect that fails does so in the way that the answer says. */
static void check_outcome(struct checking *k)
{
    static const char *const ways[] = {"refused", "faulted", "unfinished"};
    const char *said = variant_failure(k->v), *is = NULL;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        is = shows_outcome(k, ways[i]) ? ways[i] : is;
    if (!is)
        find(k, "outcome", answer_place(k->v, "pair"),
             "%s comes to an end; one that is %s was expected", k->v->kind->suspect, said);
    else if (strcmp(is, said) != 0)
        find(k, "outcome", answer_place(k->v, "pair"), "%s is %s; %s was expected",
             k->v->kind->suspect, is, said);
}

/* Units that do not go together were found without any recording (check_formulas). */
static bool is_sound(const struct story *s, const struct expr *e)
{
    struct dim dim;
    return !e->f || name_dim(s, e->f, &dim, NULL, NULL) != ERR_BAD_REQUEST;
}

static void check_proves(struct checking *k)
{
    struct err err = {0};
    for (int i = 0; i < k->v->n_proves; i++) {
        const struct formula *f = k->v->proves[i].f;
        int holds = formula_holds(f, scope_lookup, &k->scope, NULL, &err);
        if (holds <= 0 && is_sound(k->v->story, &k->v->proves[i]))
            find(k, "proves", place_of(k->pack, &k->v->proves[i]),
                 "does not hold: %s%s%s; what the pair shows on every GPU was expected",
                 formula_text(f), holds < 0 ? ": " : "", holds < 0 ? err.text : "");
    }
}

/* A formula of an estimate: it must have a value here, above zero. `what` is "truth", "working" or
 * "value of a mistake". */
static bool check_value(struct checking *k, const struct truth *t, const struct expr *e,
                        const char *what, double *value)
{
    struct quantity q;
    struct err err = {0};
    struct place at = place_of(k->pack, e);
    if (!is_sound(k->v->story, e))
        return false;
    if (formula_eval(e->f, scope_lookup, &k->scope, &q, NULL, &err)) {
        find(k, "truth", at, "the %s of estimate %s cannot be computed: %s", what, t->estimate->id,
             err.text);
        return false;
    }
    *value = q.value;
    if (q.value <= 0)
        find(k, "truth", at, "the %s of estimate %s is %g; a number above zero was expected", what,
             t->estimate->id, q.value);
    return q.value > 0;
}

static void check_truths(struct checking *k)
{
    for (int i = 0; i < k->v->n_truths; i++) {
        const struct truth *t = &k->v->truths[i];
        double truth;
        if (t->estimate->across && !k->scope.other)
            return; /* nobody is asked, and they stand last */
        check_value(k, t, &t->truth, "truth", &truth);
        for (int m = 0; m < t->n_mistakes; m++)
            check_value(k, t, &t->mistakes[m].value, "value of a mistake", &truth);
    }
}

/* Of which step of one of the story's own sweeps is this part? Sizes that the story offers are
 * sizes at which its kernels must be right. */
static const struct experiment *own_sweep(const struct checking *k, const struct msg_part *p,
                                          int *step)
{
    const struct experiment *x = request_step_of(k->v->story, p->variant, step);
    return x && x->kind == EXPERIMENT_SWEEP && !x->standard ? x : NULL;
}

/* Contents of buffers that the story offers to verify: what a wrong suspect may fail on alone. */
static bool own_contents(const struct checking *k, const struct msg_part *p)
{
    int step;
    const struct experiment *x = request_step_of(k->v->story, p->variant, &step);
    return x && x->kind == EXPERIMENT_FILL && p->probe == PROBE_CHECK;
}

/* Compared with the reference, plainly and after poison. Steps of other experiments change what is
 * computed. */
static bool is_verdict(const struct checking *k, const struct msg_part *p)
{
    int step;
    return (p->probe == PROBE_CHECK && (p->variant < 0 || own_sweep(k, p, &step))) ||
           p->probe == PROBE_POISON;
}

/* The reference against itself, with zeros or nothing where its result belongs: what is not found
 * wrong would pass. */
static void check_tolerance(struct checking *k)
{
    static const struct {
        const char *metric, *what;
    } cheats[] = {{"zeros_wrong", "zeros"}, {"poison_wrong", "memory that nobody wrote"}};
    for (size_t c = 0; c < sizeof cheats / sizeof *cheats; c++)
        for (int i = 0; i < k->r->n_items; i++) {
            const struct msg_part *p = &k->r->items[i].part;
            const struct msg_value *v =
                p->probe == PROBE_CHECK ? msg_part_value(p, cheats[c].metric) : NULL;
            if (!v || !v->present || v->value > 0)
                continue;
            find(k, "tolerance-zeros", story_place(k->v, "tolerance"),
                 "%s would pass for the right result; a tolerance below the size of the results "
                 "was expected, and inputs that make them differ from zero",
                 cheats[c].what);
            break;
        }
}

static bool shows(const struct msg_part *p, const char *metric, double above)
{
    const struct msg_value *v = msg_part_value(p, metric);
    return v && v->present && v->value > above;
}

/* Behind its buffers nothing is mapped, and it went there: a buffer or a workspace is too small. */
static bool left_its_buffers(const struct checking *k, const struct msg_part *p)
{
    int step;
    const struct experiment *x = request_step_of(k->v->story, p->variant, &step);
    return x && x->standard && !strcmp(x->id, "fence") && msg_part_note(p, "verdict: wrong") &&
           shows(p, "faults", 0);
}

/* A race may compute the right result most of the time. */
static bool is_race(const struct msg_part *p)
{
    const struct msg_value *n = msg_part_value(p, "repeats"),
                           *same = msg_part_value(p, "identical_repeats");
    return shows(p, "race_hazards", 0) ||
           (n && same && n->present && same->present && same->value < n->value);
}

static void find_verdict(struct checking *k, const struct msg_part *p, const char *name)
{
    char when[96] = "";
    int step;
    const struct experiment *x = own_sweep(k, p, &step);
    if (x) {
        memcpy(when, " at ", 5);
        request_step_label(when + 4, sizeof when - 4, k->v->story, &k->r->device, x, step);
    } else if (p->probe == PROBE_POISON) {
        snprintf(when, sizeof when, " when memory is poisoned");
    }
    find(k, "verdict", answer_place(k->v, "pair"), "%s computes a wrong result%s; %s was expected",
         name, when, p->run[0] == 'a' ? "the right one, or `pair: wrong`" : "the right one");
}

/* Of the pair only the suspect may compute a wrong result, and something must show it where that is
 * the story. */
static void check_verdicts(struct checking *k)
{
    bool shown = false;
    for (int i = 0; i < k->all->n_parts; i++) {
        const struct msg_part *p = &k->all->parts[i];
        int run = p->run[0] - 'a';
        if (run < 0 || run > 4)
            continue;
        bool wanted = run == 0 && k->v->pair == PAIR_WRONG,
             is_wrong = is_verdict(k, p) && msg_part_note(p, "verdict: wrong");
        if (is_wrong && !wanted)
            find_verdict(k, p, source_name(k->v->kind, p->run));
        if (run == 0 && (k->v->pair == PAIR_REGRESSION || k->v->pair == PAIR_HEALTHY) &&
            left_its_buffers(k, p))
            find(k, "verdict", answer_place(k->v, "pair"),
                 "%s faults behind one of its buffers; larger ones, or `pair: wrong`, were "
                 "expected",
                 k->v->kind->suspect);
        bool elsewhere = own_contents(k, p) && msg_part_note(p, "verdict: wrong");
        shown = shown || (run == 0 && (is_wrong || elsewhere || is_race(p)));
    }
    if (k->v->pair == PAIR_WRONG && !shown)
        find(k, "verdict", answer_place(k->v, "pair"),
             "nothing shows that %s is wrong; a comparison (of a sweep or of other contents, too), "
             "poison, repetition or racecheck that does was expected",
             k->v->kind->suspect);
}

static void check_path(struct checking *k)
{
    struct path path;
    struct quantity ratio = {0};
    bool reached = ideal_cheapest(k->v, &k->scope, ENOUGH, &path) == 0;
    scope_lookup(&k->scope, "ratio", &ratio, NULL);
    if (!k->live)
        findings_measured(k->f, k->v, k->r->device.slug, ratio.value, &path, reached);
    if (!reached)
        find(k, "ideal", answer_place(k->v, "readings"),
             "the best purchases take an even reader to %.0f %% belief in the cause; 90 %% was "
             "expected",
             path.belief * 100);
    else if (path.price > level_par(k->v->story->level))
        find(k, "path-dear", story_place(k->v, "level"),
             "the cheapest way to the cause takes %d minutes; at most %d, the par of level %d, was "
             "expected",
             path.price, level_par(k->v->story->level), k->v->story->level);
}

/* ---- a variant ---- */

static void hold_claims(struct checking *k, const struct bought *b)
{
    k->scope = b->scope;
    k->all = b->all;
    check_proves(k);
    check_truths(k);
    if (!story_is_case(k->v->story)) {      /* nothing is run there */
        if (variant_fails(k->v))
            check_outcome(k);
        else
            check_effect(k);
        check_ranking(k->f, k->v, k->r->device.slug, &k->scope);
        check_walls(k->f, k->v, k->r->device.slug, &k->scope);
        check_verdicts(k);
        check_tolerance(k);
    }
    check_estimate_shown(k->f, b);
    check_path(k);
}

int check_claims(struct findings *f, const struct variant *v, const struct recording *live,
                 bool *flags, check_also *also, void *ctx, struct err *err)
{
    struct checking k = {.f = f, .v = v, .pack = v->story->pack, .r = live, .live = true};
    struct bought b;
    int rc = bought_open(&b, v, live, false, err);
    if (rc)
        return rc;
    hold_claims(&k, &b);
    memcpy(flags, b.holds, (size_t)v->n_readings * sizeof *flags);
    if (also)
        also(ctx, &b.scope);
    bought_close(&b);
    return 0;
}

static bool has_key(const struct recording *r, const char *key)
{
    for (int i = 0; i < r->n_items; i++)
        if (!strcmp(r->items[i].key, key))
            return true;
    return false;
}

/* What of "all" is not there under its key. */
static void find_stale(struct checking *k, struct place at)
{
    struct msg_measure m;
    struct err err = {0};
    char first[160] = "", key[65];
    int absent = 0;
    if (k->r->method < METHOD_OLDEST || k->r->method > METHOD_VERSION) {
        find(k, "evidence-stale", at, "measured by method %d; one from %d to %d was expected",
             k->r->method, METHOD_OLDEST, METHOD_VERSION);
        return;
    }
    if (request_build(&m, k->v, &k->r->device, "all", 0, &err)) {
        findings_failed(k->f, "sizes", k->pack, k->v->full_id, k->r->device.slug, "", &err);
        return;
    }
    for (int i = 0; i < m.n_items; i++)
        if ((msg_item_key(key, &m, i, &err) || !has_key(k->r, key)) && !absent++)
            request_describe_item(first, sizeof first, k->v, &m, i);
    find(k, "evidence-stale", at,
         "%d of %d measurements are absent, or of other code or sizes; the first is %s; warpdrill "
         "record brings them",
         absent, m.n_items, first);
    msg_measure_free(&m);
}

/* held[i]: on how many recordings reading i held. Returns whether the recording is fresh. */
static bool check_recording(struct findings *f, const struct variant *v, const struct recording *r,
                            struct place at, int *held)
{
    struct bought own = {0};
    struct checking k = {.f = f, .v = v, .pack = v->story->pack, .r = r};
    struct err err = {0};
    const struct bought *b = shelf_find(f->shelf, v, r->device.slug);
    if (!b && bought_open(&own, v, r, true, &err)) {
        find_stale(&k, at);
        return false;
    }
    if (!b)
        b = &own;
    hold_claims(&k, b);
    for (int i = 0; i < v->n_readings; i++)
        held[i] += b->holds[i];
    if (b == &own)
        bought_close(&own);
    return true;
}

static void check_readings(struct findings *f, const struct variant *v, const int *held, int n)
{
    for (int i = 0; i < v->n_readings; i++) {
        const struct reading *r = &v->readings[i];
        const char *what = r->expect.f ? formula_text(r->expect.f) : r->fact;
        struct place at = place_of(v->story->pack, &r->expect);
        if (!held[i] && is_sound(v->story, &r->expect))
            findings_add(f, "reading-idle", v->story->pack, v->full_id, NULL, at,
                         "this reading of %s holds on no recorded GPU: %s; one was expected",
                         r->probe, what);
        else if (held[i] && held[i] < n)
            findings_add(f, "reading-some", v->story->pack, v->full_id, NULL, at,
                         "this reading of %s holds on %d of %d recorded GPUs: %s; all were "
                         "expected",
                         r->probe, held[i], n, what);
    }
}

/* One file below sealed/evidence. */
static bool check_file(struct findings *f, const struct variant *v, const struct file *file,
                       int *held)
{
    struct recording *r;
    struct err err = {0};
    struct place at = {.file = file};
    const struct pack *p = v->story->pack;
    if (recording_of_file(&r, p->files, file, &err)) {
        size_t skip = strlen(file->path);
        bool named = !strncmp(err.text, file->path, skip) && !strncmp(err.text + skip, ": ", 2);
        findings_add(f, "evidence-unreadable", p, v->full_id, NULL, at, "%s",
                     err.text + (named ? skip + 2 : 0));
        return false;
    }
    const char *name = strrchr(file->path, '/') + 1;
    size_t n = strlen(r->device.slug);
    if (strncmp(name, r->device.slug, n) || strcmp(name + n, ".json"))
        findings_add(f, "evidence-stray", p, v->full_id, NULL, at,
                     "this was recorded on %s; the name %s.json was expected", r->device.slug,
                     r->device.slug);
    bool fresh = check_recording(f, v, r, at, held);
    recording_free(r);
    return fresh;
}

int check_exhibits(struct findings *f, const struct variant *v, struct err *err)
{
    struct recording **all = NULL;
    int *held = mem_new((size_t)v->n_readings, sizeof *held);
    int n = 0, rc = recordings_of(v, &all, &n, err);
    if (!rc && n && check_recording(f, v, all[0], answer_place(v, "readings"), held))
        check_readings(f, v, held, 1);
    recordings_free(all, n);
    free(held);
    return rc;
}

void check_evidence(struct findings *f, const struct variant *v)
{
    const struct pack *p = v->story->pack;
    char *folder = text_format("%s/%s/sealed/evidence/", v->story->id, v->id);
    int *held = mem_new((size_t)v->n_readings, sizeof *held);
    int n = 0, fresh = 0;
    for (int i = 0; i < p->files->n; i++)
        if (!strncmp(p->files->file[i].path, folder, strlen(folder))) {
            fresh += check_file(f, v, &p->files->file[i], held);
            n++;
        }
    if (story_is_case(v->story))
        check_exhibits(f, v, NULL);
    else if (n == 0)
        findings_add(f, "evidence-missing", p, v->full_id, NULL, answer_place(v, "readings"),
                     "there is no recorded evidence of %s; warpdrill record brings it", v->full_id);
    if (fresh)
        check_readings(f, v, held, fresh);
    free(held);
    free(folder);
}

/* ---- files of nobody ---- */

static bool is_exhibit(const struct file *f, const struct variant *v)
{
    bool found = false;
    for (int x = 0; !found && story_is_case(v->story) && x < v->story->n_experiments; x++) {
        char *path = text_format("%s/%s/sealed/exhibits/%s.json", v->story->id, v->id,
                                 v->story->experiments[x].id);
        found = !strcmp(f->path, path);
        free(path);
    }
    return found;
}

static bool is_below(const struct file *f, const struct variant *v)
{
    if (story_is_case(v->story))
        return is_exhibit(f, v);
    char *folder = text_format("%s/%s/sealed/evidence/", v->story->id, v->id);
    size_t n = strlen(folder);
    bool below = !strncmp(f->path, folder, n) && !strchr(f->path + n, '/');
    free(folder);
    return below;
}

/* A scenario that nobody meets: its folder was copied in, or taken off the list and left. */
static bool is_unlisted(const struct pack *p, const struct file *file)
{
    const char *slash = strchr(file->path, '/');
    bool listed = !slash || strcmp(slash, "/scenario.yaml");
    for (int s = 0; s < p->n_stories && !listed; s++) {
        size_t n = strlen(p->stories[s].id);
        listed = n == (size_t)(slash - file->path) && !strncmp(p->stories[s].id, file->path, n);
    }
    return !listed;
}

void check_stray(struct findings *f, const struct pack *p)
{
    for (int i = 0; i < p->files->n; i++) {
        const struct file *file = &p->files->file[i];
        size_t n = strlen(file->path);
        bool shut = path_is_sealed(file->path),
             known = !shut || n < 5 || strcmp(file->path + n - 5, ".json");
        if (!shut && !path_is_shown(file->path))
            findings_add(f, "public-stray", p, p->id, NULL, (struct place){.file = file},
                         "this file has no place in the half that everybody sees, and would be "
                         "handed out in clear; %s was expected",
                         path_stray_wants(file->path));
        if (is_unlisted(p, file))
            findings_add(f, "story-unlisted", p, p->id, NULL, (struct place){.file = file},
                         "`scenarios` of pack.yaml does not have this scenario, so nobody meets "
                         "it; its folder's name there, or no such folder, was expected");
        if (path_is_of_image(file->path) && !image_text(p->files, file))
            findings_add(f, "image-stray", p, p->id, NULL, (struct place){.file = file},
                         "nothing runs this image: no text of its name lies beside it; NAME.py or "
                         "NAME.cu, with NAME.ptx and NAME.image.yaml, was expected");
        for (int s = 0; s < p->n_stories && !known; s++)
            for (int v = 0; v < p->stories[s].n_variants; v++)
                known = known || is_below(file, p->stories[s].variants[v]);
        if (!known)
            findings_add(f, "evidence-stray", p, p->id, NULL, (struct place){.file = file},
                         "this recording belongs to no variant; "
                         "STORY/VARIANT/sealed/evidence/GPU.json was expected");
    }
}
