/* warpdrill figure: the figures there are, or one, printed: to look at, with blanks, or as a
 * schedule that is placed, a collective that is made, workloads on a roofline. */
#include "tui/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/library/library.h"
#include "kernels/wire/text.h"
#include "tui/practice/figure_draw.h"

enum { WIDTH = 80, NARROWEST = 60, WIDEST = 400 };

static const char *const verdicts[] = {"open", "right", "wrong"};

static json_t *head_json(const struct figure_data *f)
{
    return json_pack("{s:s, s:s, s:s, s:i, s:s, s:s, s:s}", "id", f->full_id, "title", f->title,
                     "topic", f->topic, "level", f->level, "form", figure_forms[f->form],
                     "teaches", f->teaches, "source", f->source);
}

static int list_figures(const struct cmd *c, const struct library *l)
{
    json_t *all = json_array();
    for (int k = 0; k < library_figures(l); k++) {
        const struct figure_data *f = library_figure_at(l, k);
        json_array_append_new(all, head_json(f));
        if (!c->json)
            printf("%-36s %-12s %-7s %s\n", f->full_id, f->topic, figure_forms[f->form],
                   f->title);
    }
    if (c->json)
        cmd_print_json(json_pack("{s:O}", "figures", all));
    json_decref(all);
    return CMD_OK;
}

static json_t *blanks_json(const struct figure_fill *fill)
{
    json_t *all = json_array();
    for (int b = 0; b < fill->n; b++) {
        const struct figure_slot *s = &fill->figure->slot[fill->blank[b].slot];
        json_t *choices = json_array();
        for (int i = 0; i < fill->blank[b].n_choices; i++)
            json_array_append_new(choices, json_string(fill->blank[b].choice[i]));
        json_array_append_new(
            all, json_pack("{s:i, s:s, s:s, s:o, s:s, s:s}", "blank", b + 1, "answer", s->text,
                           "unit", s->number ? s->unit : "", "choices", choices, "given",
                           fill->blank[b].typed, "verdict", verdicts[fill->blank[b].verdict]));
    }
    return all;
}

static void print_json(const struct figure_data *f, const struct figure_fill *fill,
                       const char *text)
{
    json_t *o = head_json(f);
    json_object_set_new(o, "picture", json_string(text));
    json_object_set_new(o, "note", json_string(f->note));
    if (fill)
        json_object_set_new(o, "blanks", blanks_json(fill));
    cmd_print_json(o);
}

static void print_graded(const struct figure_fill *fill)
{
    for (int b = 0; b < fill->n; b++)
        printf("%d  %-5s  %s\n", b + 1, verdicts[fill->blank[b].verdict],
               fill->figure->slot[fill->blank[b].slot].text);
    printf("%d of %d right\n", figure_fill_right(fill), fill->n);
}

static void print_blanks(const struct figure_fill *fill)
{
    for (int b = 0; b < fill->n; b++) {
        const struct figure_blank *at = &fill->blank[b];
        const struct figure_slot *s = &fill->figure->slot[at->slot];
        printf("%d ", b + 1);
        if (s->number)
            printf(" a number%s%s\n", strcmp(s->unit, "1") ? " in " : "",
                   strcmp(s->unit, "1") ? s->unit : "");
        for (int i = 0; i < at->n_choices; i++)
            printf("%s %s%s", i ? "," : "", at->choice[i], i + 1 < at->n_choices ? "" : "\n");
    }
}

static void print_figure(const struct figure_data *f, const struct figure_fill *fill,
                         const char *text)
{
    printf("%s\n\n%s\n", f->title, text);
    if (fill && figure_fill_open(fill) == 0)
        print_graded(fill);
    else if (fill)
        print_blanks(fill);
    else
        printf("%s\nSource: %s\n", f->note, f->source);
}

static int read_width(const struct cmd *c, int *width)
{
    char *end = NULL;
    long n = c->width ? strtol(c->width, &end, 10) : WIDTH;
    if (c->width && (end == c->width || *end || n < NARROWEST || n > WIDEST))
        return cmd_misuse("--width needs %d to %d, not '%s'", NARROWEST, WIDEST, c->width);
    *width = (int)n;
    return CMD_OK;
}

static int read_seed(const struct cmd *c, uint64_t *seed)
{
    char *end = NULL;
    *seed = c->fill ? strtoull(c->fill, &end, 10) : 0;
    if (c->fill && (end == c->fill || *end || *c->fill == '-'))
        return cmd_misuse("--fill needs a seed, a number from 0 on, not '%s'", c->fill);
    return CMD_OK;
}

/* Answers from the first blank on, between semicolons; those that are missing are wrong. */
static int put_answers(const struct cmd *c, struct figure_fill *fill)
{
    const char *at = c->answer;
    for (int b = 0; b < fill->n; b++) {
        char say[200], typed[FIGURE_TYPED];
        size_t n = strcspn(at, ";"), skip = strspn(at, " ");
        snprintf(typed, sizeof typed, "%.*s", (int)(n > skip ? n - skip : 0), at + skip);
        if (!figure_fill_put(fill, b, typed, say, sizeof say))
            return cmd_misuse("blank %d: %s", b + 1, say);
        at += n + (at[n] == ';');
    }
    return CMD_OK;
}

static void start_drawing(const struct cmd *c)
{
    if (c->ascii)
        draw_ascii();
    else
        draw_start();
}

/* ---- a schedule that is placed ---- */

static json_t *numbers_json(const int *numbers, int n)
{
    json_t *all = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(all, json_integer(numbers[i]));
    return all;
}

static json_t *rules_json(const struct schedule_rules *r)
{
    return json_pack("{s:s, s:i, s:i, s:i, s:o, s:o}", "kind", schedule_kinds[r->kind], "stages",
                     r->stages, "microbatches", r->microbatches, "chunks", r->chunks, "times",
                     numbers_json(r->time, PART_KINDS - !r->split), "caps",
                     numbers_json(r->cap, r->stages));
}

static void print_placed_json(const struct figure_data *f, const struct schedule *s,
                              const struct schedule_grade *g, const char *refused,
                              const char *why, const char *picture)
{
    json_t *o = head_json(f);
    json_object_update_new(o, rules_json(&s->rules));
    json_object_update_new(
        o, json_pack("{s:s, s:s, s:i, s:i, s:b, s:i, s:i, s:f, s:o}", "refused", refused, "why",
                     why, "blocks", schedule_blocks(&s->rules), "placed", s->n, "whole",
                     g->sum.whole, "time", g->sum.time, "idle", g->sum.idle, "bubble",
                     g->sum.bubble, "held", numbers_json(g->sum.held, s->rules.stages)));
    json_object_update_new(o, json_pack("{s:[i, i], s:f, s:b, s:s}", "optimum", g->optimum.least,
                                        g->optimum.most, "share", g->share, "best", g->best,
                                        "picture", picture));
    cmd_print_json(o);
}

static void print_placed(const struct figure_data *f, const struct schedule *s,
                         const struct schedule_grade *g, const char *why, const char *picture)
{
    char words[240];
    schedule_words(&s->rules, words, sizeof words);
    printf("%s\n%s\n\n%s\n", f->title, words, picture);
    if (*why)
        printf("refused: %s\n", why);
    printf("%d of %d blocks, time %d, idle %d, bubble %.1f %%\n", s->n,
           schedule_blocks(&s->rules), g->sum.time, g->sum.idle, 100 * g->sum.bubble);
    printf("%s is %d; %.0f %% of it reached\n",
           g->optimum.least == g->optimum.most ? "the optimum" : "the shortest known",
           g->optimum.most, 100 * g->share);
}

static int place_schedule(const struct cmd *c, const struct figure_data *f, int width)
{
    struct schedule s;
    struct schedule_rules rules;
    struct schedule_grade grade;
    struct figure_picture picture;
    enum schedule_fault fault;
    struct err err = {0};
    rules = f->schedule.known->rules;
    if (c->seeded)
        schedule_draw_size(&rules, &f->schedule.known->rules, c->seed);
    if (schedule_read(&s, &rules, c->place, &fault, &err) && !fault)
        return cmd_misuse("--place: %s", err.text);
    schedule_grade(&grade, &s);
    figure_picture_make(&picture, f, &(struct figure_view){.width = width, .part = -1, .blank = -1,
                                                           .placed = &s, .stage = -1});
    char *text = figure_picture_text(&picture);
    if (c->json)
        print_placed_json(f, &s, &grade, fault ? schedule_faults[fault] : "", err.text, text);
    else
        print_placed(f, &s, &grade, err.text, text);
    free(text);
    figure_picture_free(&picture);
    return CMD_OK;
}

/* ---- a collective that is made ---- */

static json_t *sum_json(const struct collective_sum *s)
{
    return json_pack("{s:i, s:f, s:f, s:f}", "steps", s->steps, "sent", s->bytes, "outer", s->outer,
                     "time", s->time);
}

static void print_made_json(const struct figure_data *f, const struct collective *made,
                            enum collective_fault fault, const char *why, const char *picture)
{
    const struct collective_rules *r = &made->rules;
    struct collective_grade g;
    collective_grade(&g, made);
    json_t *o = head_json(f);
    json_object_update_new(
        o, json_pack("{s:s, s:i, s:i, s:i, s:f, s:s, s:s, s:i}", "kind", collective_kinds[r->kind],
                     "ranks", r->ranks, "nodes", r->nodes, "chunks", r->chunks, "bytes", r->bytes,
                     "refused", collective_faults[fault], "why", why, "sends", made->n));
    json_object_update_new(o, json_pack("{s:b, s:b, s:o, s:o, s:s}", "whole", g.whole, "best",
                                        g.best, "sum", sum_json(&g.sum), "known",
                                        sum_json(&g.least), "picture", picture));
    cmd_print_json(o);
}

static void print_made(const struct figure_data *f, const struct collective *made,
                       enum collective_fault fault, const char *why, const char *picture)
{
    struct collective_grade g;
    char words[300], sent[48], least[48];
    collective_grade(&g, made);
    collective_words(&made->rules, words, sizeof words);
    quantity_show(sent, sizeof sent, g.sum.bytes, "B");
    quantity_show(least, sizeof least, g.least.bytes, "B");
    printf("%s\n%s\n\n%s\n", f->title, words, picture);
    if (*why)
        printf("%s: %s\n", fault == SEND_ENDS ? "too early" : "refused", why);
    printf("%s, %d steps of %d, a rank sends %s of %s\n", g.whole ? "whole" : "not whole",
           g.sum.steps, g.least.steps, sent, least);
}

static int make_collective(const struct cmd *c, const struct figure_data *f, int width)
{
    struct collective made;
    struct collective_rules rules = f->collective.known->rules;
    struct figure_picture picture;
    enum collective_fault fault;
    struct err err = {0};
    if (c->seeded)
        collective_draw_size(&rules, &f->collective.known->rules, c->seed);
    if (collective_read(&made, &rules, c->place, &fault, &err) && !fault)
        return cmd_misuse("--place: %s", err.text);
    figure_picture_make(&picture, f, &(struct figure_view){.width = width, .part = -1, .blank = -1,
                                                           .made = &made, .rank = -1});
    char *text = figure_picture_text(&picture);
    if (c->json)
        print_made_json(f, &made, fault, err.text, text);
    else
        print_made(f, &made, fault, err.text, text);
    free(text);
    figure_picture_free(&picture);
    return CMD_OK;
}

/* ---- workloads on a roofline ---- */

static json_t *put_json(const struct roofline *r)
{
    json_t *all = json_array();
    for (int i = 0; i < r->n; i++) {
        char why[160], letter[] = {(char)('a' + i), '\0'};
        enum roofline_fault fault = roofline_judge(r, i, why, sizeof why);
        const struct figure_point *p = &r->figure->plot.point[r->point[i]];
        json_array_append_new(all, json_pack("{s:s, s:s, s:f, s:s, s:s}", "letter", letter, "name",
                                             r->figure->slot[p->slot].text, "at", r->at[i],
                                             "fault", roofline_faults[fault], "why", why));
    }
    return all;
}

static void print_put(const struct roofline *r, const char *picture)
{
    printf("%s\n\n%s\n", r->figure->title, picture);
    for (int i = 0; i < r->n; i++) {
        char why[160];
        bool right = roofline_judge(r, i, why, sizeof why) == PLACED_RIGHT;
        printf("%s %s\n", right ? "right:" : "wrong:", why);
    }
    printf("%d of %d right\n", roofline_right(r), r->n);
}

static int put_workloads(const struct cmd *c, const struct figure_data *f, int width)
{
    struct roofline put;
    struct figure_picture picture;
    struct err err = {0};
    roofline_make(&put, f, c->seeded ? &c->seed : NULL);
    if (roofline_read(&put, c->place, &err))
        return cmd_misuse("--place: %s", err.text);
    figure_picture_make(&picture, f, &(struct figure_view){.width = width, .part = -1, .blank = -1,
                                                           .put = &put, .letter = -1});
    char *text = figure_picture_text(&picture);
    if (c->json) {
        json_t *o = head_json(f);
        json_object_update_new(o, json_pack("{s:o, s:i, s:s}", "placed", put_json(&put), "right",
                                            roofline_right(&put), "picture", text));
        cmd_print_json(o);
    } else {
        print_put(&put, text);
    }
    free(text);
    figure_picture_free(&picture);
    return CMD_OK;
}

static int place(const struct cmd *c, const struct figure_data *f, int width)
{
    if (f->form == FIGURE_PLOT && !c->fill)
        return put_workloads(c, f, width);
    if (f->form == FIGURE_COLLECTIVE && !c->fill)
        return make_collective(c, f, width);
    if (f->form == FIGURE_SCHEDULE && !c->fill)
        return place_schedule(c, f, width);
    return cmd_misuse("--place needs a schedule, a collective or a roofline, without --fill; '%s' "
                      "is of form %s", f->full_id, figure_forms[f->form]);
}

static int one_figure(const struct cmd *c, const struct figure_data *f)
{
    struct figure_view view = {.part = -1, .blank = -1};
    struct figure_fill fill;
    struct figure_picture picture;
    uint64_t seed;
    if (read_width(c, &view.width) != CMD_OK || read_seed(c, &seed) != CMD_OK)
        return CMD_USAGE;
    start_drawing(c);
    if (c->place)
        return place(c, f, view.width);
    figure_fill_make(&fill, f, seed);
    view.fill = c->fill ? &fill : NULL;
    if (c->answer && !c->fill)
        return cmd_misuse("--answer needs the blanks that it fills: --fill SEED --answer TEXT");
    if (c->answer && put_answers(c, &fill) != CMD_OK)
        return CMD_USAGE;
    figure_picture_make(&picture, f, &view);
    char *text = figure_picture_text(&picture);
    if (c->json)
        print_json(f, view.fill, text);
    else
        print_figure(f, view.fill, text);
    free(text);
    figure_picture_free(&picture);
    return CMD_OK;
}

int cmd_figure(const struct cmd *c)
{
    struct library l;
    struct err err = {0};
    library_open(&l);
    for (int i = 0; i < l.n_problems; i++)
        fprintf(stderr, "warpdrill: %s\n", l.problems[i].text);
    const struct figure_data *f = c->n_args ? library_figure(&l, c->args[0]) : NULL;
    int status;
    if (c->n_args == 0)
        status = list_figures(c, &l);
    else if (f)
        status = one_figure(c, f);
    else {
        err_set(&err, ERR_MISSING, "there is no figure '%s'; `warpdrill figure` lists them",
                c->args[0]);
        status = cmd_fail(&err);
    }
    library_free(&l);
    return status;
}
