/* warpdrill preview: a scenario of one's own as a candidate will meet it, in that order, for its
 * author alone: nothing is measured, asked, scored or kept. What only a recording can say is a gap
 * with a name. */
#include "tui/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/gpus.h"
#include "scenarios/evidence/listing.h"
#include "scenarios/evidence/request.h"
#include "scenarios/pack/failing.h"
#include "scenarios/pack/recordings.h"
#include "scenarios/text/diff.h"
#include "tui/commands/cmd_place.h"
#include "tui/commands/cmd_probe.h"
#include "tui/kit/passphrase.h"

enum { COLUMNS = 78, INDENT = 2, DEEPER = 6 };
#define GAP "[not recorded]"

/* What is looked at: the variants of one story that were named, all with the GPU of the sizes. */
struct preview {
    const struct story *story;
    const struct variant **all; int n;
    struct msg_device gpu;
};

/* ---- text ---- */

/* A paragraph, wrapped at words. */
static void say(int indent, const char *text)
{
    int column = 0;
    for (size_t n; *(text += strspn(text, " \n")); text += n) {
        n = strcspn(text, " \n");
        if (column && column + 1 + (int)n > COLUMNS) {
            putchar('\n');
            column = 0;
        }
        column += printf("%*s%.*s", column ? 1 : indent, "", (int)n, text);
    }
    putchar('\n');
}

static void say_both(int indent, const char *first, const char *second)
{
    char *text = text_format("%s%s", first, second);
    say(indent, text);
    free(text);
}

static void head(const char *what, const char *more)
{
    printf("\n%s%s%s\n", what, *more ? ", " : "", more);
}

/* A line of markdown that the one before goes on with. */
static bool is_running(const char *line)
{
    size_t digits = strspn(line, "0123456789");
    bool is_numbered = digits && line[digits] == '.' && line[digits + 1] == ' ';
    return *line && !is_numbered && !strchr("\n #|-*>`", *line);
}

static const char *behind_paragraph(const char *text)
{
    bool is_heading = *text == '#';
    text = text_next_line(text);
    while (!is_heading && is_running(text))
        text = text_next_line(text);
    return text;
}

/* Paragraphs of markdown are wrapped; tables and code keep their form. */
static void say_markdown(const char *text)
{
    bool in_code = false;
    for (const char *end; *text; text = end) {
        bool fence = !strncmp(text, "```", 3);
        bool as_is = in_code || fence || strchr("\n |", *text);
        end = as_is ? text_next_line(text) : behind_paragraph(text);
        char *part = text_ndup(text, (size_t)(end - text));
        if (as_is)
            printf("%*s%s", *text == '\n' ? 0 : INDENT, "", part);
        else
            say(INDENT, part);
        in_code ^= fence;
        free(part);
    }
}

static void say_numbered(const char *text)
{
    for (int line = 1; *text; text = text_next_line(text), line++)
        printf("%4d  %.*s\n", line, (int)strcspn(text, "\n"), text);
}

static const char *formula_of(const struct expr *e)
{
    return e->f ? formula_text(e->f) : "";
}

/* ---- what is recorded ---- */

static bool is_recorded(const struct variant *v, const char *probe)
{
    struct recording **list = NULL;
    int n = 0;
    bool found = false;
    struct err err = {0};
    if (recordings_of(v, &list, &n, &err))
        return false;
    for (int i = 0; i < n && !found; i++) {
        struct evidence *e = NULL;
        found = request_recall(&e, v, list[i], probe, &err) == 0;
        evidence_free(e);
    }
    recordings_free(list, n);
    return found;
}

/* A suspect that fails has no answer to what takes a whole run. */
static bool can_answer(const struct variant *v, const char *probe)
{
    return v->sealed || !strcmp(probe, "symptom") || variant_answers(v, probe);
}

/* "recorded", the gap, or of which variants it is. malloc'd. */
static char *recorded_text(const struct preview *p, const char *probe)
{
    char *letters = text_dup("");
    int n = 0, can = 0;
    for (int i = 0; i < p->n; i++) {
        can += can_answer(p->all[i], probe);
        if (p->all[i]->sealed || !is_recorded(p->all[i], probe))
            continue;
        char *more = text_format("%s%s%s", letters, n++ ? ", " : "", p->all[i]->id);
        free(letters);
        letters = more;
    }
    char *text = !can       ? text_dup("no run has it")
                 : !n       ? text_dup(GAP)
                 : n == can ? text_dup("recorded")
                            : text_format("of %s alone", letters);
    free(letters);
    return text;
}

/* ---- what everybody sees ---- */

static void opening(const struct preview *p)
{
    const struct story *s = p->story;
    char sizes[1024], patience[64];
    char *time = recorded_text(p, "symptom");
    snprintf(patience, sizeof patience, "level %d, full marks up to %d minutes of patience",
             s->level, level_par(s->level));
    head("THE OPENING", patience);
    say(INDENT, s->title);
    say(INDENT, s->text);
    request_sizes(sizes, sizeof sizes, s, &p->gpu);
    if (*sizes)
        say_both(INDENT, "Sizes: ", sizes);
    for (int i = 0; i < s->n_symptoms; i++)
        printf("%*s%s: %s\n", INDENT, "", s->symptoms[i].label, formula_of(&s->symptoms[i].value));
    if (!story_is_case(s))
        say_both(INDENT, story_is_harness(s) ? "What it prints: " : "Its time: ", time);
    for (int i = 0; i < p->n; i++)
        if (!p->all[i]->sealed && variant_fails(p->all[i]))
            printf("%*sOf %s in its place: there is no result\n", INDENT, "", p->all[i]->id);
    free(time);
}

static void causes(const struct story *s)
{
    head("THE CAUSES ON OFFER", "once the candidate has named some without help");
    for (int i = 0; i < s->n_hypotheses; i++)
        printf("%*s%-22s %s\n", INDENT, "", s->hypotheses[i]->id, s->hypotheses[i]->label);
}

static void questions(const struct story *s)
{
    head("QUESTIONS", s->n_questions ? "free at first" : "of which there are none");
    for (int i = 0; i < s->n_questions; i++) {
        say(INDENT, s->questions[i].ask);
        say(DEEPER, s->questions[i].answer);
    }
}

static void numbers(const struct story *s)
{
    head("NUMBERS THAT ARE ASKED FOR", s->n_estimates ? "" : "of which there are none");
    for (int i = 0; i < s->n_estimates; i++) {
        const struct estimate *e = &s->estimates[i];
        char *text = e->across ? text_format("at the end, in %s: %s", e->unit, e->ask)
                               : text_format("before %s, in %s: %s", e->before, e->unit, e->ask);
        say(INDENT, text);
        free(text);
    }
}

static void offer(const struct preview *p, const char *id, const char *title, const char *there)
{
    char *text = there ? text_dup(there) : recorded_text(p, id);
    printf("%*s%-20s %2d  %-14s  %s\n", INDENT, "", id, story_price(p->story, id), text, title);
    free(text);
}

static void shop(const struct preview *p)
{
    const struct story *s = p->story;
    size_t n;
    const struct probe *table = probe_table(&n);
    head("WHAT CAN BE BOUGHT", "in minutes of patience");
    for (size_t i = 0; i < n; i++)
        if (table[i].id != SHOP_ASK && probe_is_sold(s, &table[i]))
            offer(p, table[i].name, table[i].title, table[i].wire < 0 ? "in the pack" : NULL);
    for (int i = 0; i < s->n_experiments; i++)
        offer(p, s->experiments[i].id, s->experiments[i].title,
              s->experiments[i].exhibit ? "in the pack" : NULL);
}

static void source(const struct preview *p, const struct variant *v)
{
    char *text = listing_text(v, "a", &p->gpu);
    if (story_is_case(p->story))
        head("THE PLACES", "where the fault may be");
    else
        head("THE SOURCE", v->id);
    say_numbered(text ? text : "");
    free(text);
}

static void remedies(const struct story *s)
{
    head("THE REMEDIES ON OFFER", "with the cause and the line");
    for (int i = 0; i < s->n_remedies; i++)
        say(INDENT, s->remedies[i].text);
}

/* ---- what the debrief shows ---- */

static void pushbacks(const struct variant *v)
{
    static const char *const kinds[] = {[PUSH_CONVICTION] = "no news: ",
                                        [PUSH_CORRECTION] = "news: ",
                                        [PUSH_RED_HERRING] = "beside the point: "};
    head("THE PUSHBACK", v->n_pushbacks == 1 ? "" : "one of these");
    for (int i = 0; i < v->n_pushbacks; i++) {
        say_both(INDENT, kinds[v->pushbacks[i].kind], v->pushbacks[i].says);
        say(DEEPER, v->pushbacks[i].teaches);
    }
}

static void answer(const struct variant *v)
{
    const struct story *s = v->story;
    char spot[64];
    story_spot(spot, sizeof spot, s, v->location_line);
    printf("%*sCause: %s (%s), %s\n", INDENT, "", s->hypotheses[v->cause]->id,
           s->hypotheses[v->cause]->label, spot);
    for (int i = 0; i < s->n_remedies; i++)
        if (v->remedies >> i & 1)
            say_both(INDENT, "Remedy: ", s->remedies[i].text);
    for (int i = 0; i < v->n_truths; i++) {
        const struct truth *t = &v->truths[i];
        char *text = text_format("%s = %s%s%s", t->estimate->id, formula_of(&t->truth),
                                 t->working.f ? ", worked out as " : "", formula_of(&t->working));
        say_both(INDENT, "Number: ", text);
        free(text);
    }
}

/* "pipes: fp64_busy >= 0.2; settles inst.wrong-pipe" */
static void write_reading(FILE *out, const struct story *s, const struct reading *r)
{
    static const char *const words[WORD_COUNT] = {"settles", "for", "against", "rules out"};
    fprintf(out, "%s: %s", r->probe, r->expect.f ? formula_of(&r->expect) : "always");
    for (int w = 0; w < WORD_COUNT; w++) {
        if (r->says[w])
            fprintf(out, "; %s", words[w]);
        for (int h = 0, n = 0; h < s->n_hypotheses; h++)
            if (r->says[w] >> h & 1)
                fprintf(out, "%s%s", n++ ? ", " : " ", s->hypotheses[h]->id);
    }
}

static void readings(const struct variant *v)
{
    head("HOW EVIDENCE BEARS ON IT", v->n_readings ? "" : "of which nothing is said");
    for (int i = 0; i < v->n_readings; i++) {
        char *text;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        write_reading(out, v->story, &v->readings[i]);
        fclose(out);
        say(INDENT, text);
        say(DEEPER, v->readings[i].because);
        free(text);
    }
}

static void fix(const struct variant *v)
{
    enum { CONTEXT = 2 };
    struct diff d;
    if (!v->fix_file)
        return;
    head("THE FIX", v->fix_file->path);
    diff_make(&d, v->suspect->text, v->fix_file->text);
    for (int i = 0; i < d.n; i++)
        if (diff_near(&d, i, CONTEXT))
            printf("  %c %.*s\n", " -+"[d.line[i].kind], (int)d.line[i].len, d.line[i].text);
    if (!d.in && !d.out)
        printf("%*s[the same as the suspect]\n", INDENT, "");
    diff_free(&d);
}

static void debrief(const struct variant *v)
{
    head("THE DEBRIEF", v->id);
    answer(v);
    readings(v);
    fix(v);
    head("ITS TEXT", v->n_told ? "{{...}} is filled in from what is recorded" : "");
    say_markdown(v->debrief ? v->debrief->text : "");
}

static void show(const struct preview *p)
{
    printf("%s  preview\n", p->story->full_id);
    say(0, "For its author: nothing is measured, asked or scored here, and no try is kept.");
    if (!story_is_case(p->story))
        printf("Sizes are those of %s. " GAP " stands where a recording would speak.\n",
               p->gpu.name);
    opening(p);
    causes(p->story);
    questions(p->story);
    numbers(p->story);
    shop(p);
    for (int i = 0; i < (story_is_case(p->story) ? 1 : p->n); i++)
        source(p, p->all[i]);
    remedies(p->story);
    for (int i = 0; i < p->n; i++) {
        if (p->all[i]->sealed) {
            printf("\n%s is sealed: --passphrase-file FILE opens the rest\n", p->all[i]->full_id);
            continue;
        }
        pushbacks(p->all[i]);
        debrief(p->all[i]);
    }
}

/* ---- which ---- */

static void add(struct preview *p, const struct variant *v)
{
    p->all = mem_grow(p->all, (size_t)p->n + 1, sizeof *p->all);
    p->all[p->n++] = v;
    p->story = v->story;
}

/* Those that `id` names; without one those of the only story. */
static int choose(struct preview *out, const struct pack *p, const char *id)
{
    if (!*id && p->n_stories != 1)
        return cmd_misuse("%s has %d stories; name one, such as %s", p->id, p->n_stories,
                          p->n_stories ? p->stories[0].full_id : "PACK/STORY");
    for (int s = 0; s < p->n_stories; s++)
        for (int i = 0; i < p->stories[s].n_variants; i++)
            if (!*id || cmd_is_named(p->stories[s].variants[i], id))
                add(out, p->stories[s].variants[i]);
    return out->n ? CMD_OK : cmd_misuse("%s has no scenario '%s'", p->id, id);
}

static int show_of(const struct cmd *c, const struct pack *p, const char *id)
{
    struct preview view = {0};
    struct err err = {0};
    const struct gpu *gpu = gpu_find(c->guest ? c->guest : "h200", &err);
    if (!gpu)
        return cmd_misuse("--for: %s", err.text);
    int status = choose(&view, p, id);
    if (status == CMD_OK) {
        gpu_attributes(&view.gpu, gpu);
        show(&view);
        msg_device_free(&view.gpu);
    }
    free(view.all);
    return status;
}

/* A folder is taken as it is; an id is looked for among all packs. */
static int place_of(char **folder, char **id, const struct cmd *c)
{
    const char *name = c->args[0];
    if (cmd_pack_above(folder, id, name))
        return CMD_OK;
    struct catalog *catalog = NULL;
    const struct story *story = NULL;
    const struct variant *v = NULL;
    struct err err = {0};
    int status = cmd_catalog_for(&catalog, c, name);
    if (status == CMD_OK && catalog_find(catalog, name, &story, &v, &err))
        status = cmd_fail(&err);
    if (status == CMD_OK) {
        *folder = text_dup(story->pack->files->root);
        *id = text_dup(v ? v->full_id : story->full_id);
    }
    catalog_free(catalog);
    return status;
}

int cmd_preview(const struct cmd *c)
{
    char *folder = NULL, *id = NULL;
    struct pack *p = NULL, *opened = NULL;
    struct err err = {0};
    int status = place_of(&folder, &id, c);
    if (status == CMD_OK && pack_open_whole(&p, folder, &err))
        status = cmd_fail(&err);
    if (status == CMD_OK && p->seal == SEAL_SHUT && passphrase_file(c->passphrase_file))
        status = cmd_open_sealed(&opened, p, c);
    if (status == CMD_OK)
        status = show_of(c, opened ? opened : p, id);
    pack_free(opened);
    pack_free(p);
    free(folder);
    free(id);
    return status;
}
