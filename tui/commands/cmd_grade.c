/* warpdrill grade: scores a scripted investigation on recorded evidence. The script's lines are the
 * event log's moves. */
#include "tui/commands/commands.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/frame.h"
#include "kernels/wire/line.h"
#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/play/attempt.h"

struct grading {
    const struct cmd *c;
    const struct variant *v;
    struct supply *supply;
    struct attempt *attempt;
    int line;
    bool abandoned;
};

/* ---- moves ---- */

static int fetch(struct evidence **out, struct supply *s, const char *probe, struct err *err)
{
    int rc = supply_ask(s, probe, err);
    if (rc == 0 && supply_poll(s) == SUPPLY_READY)
        *out = supply_take(s);
    return rc;
}

static int make_move(struct grading *g, struct move *m, struct err *err)
{
    int rc = 0;
    if ((m->kind == MOVE_BOUGHT || m->kind == MOVE_HANDED) && !m->evidence)
        rc = fetch(&m->evidence, g->supply, m->probe, err);
    if (rc == 0)
        rc = attempt_move(g->attempt, m, 0, err);
    if (rc)
        move_clear(m);
    return rc;
}

/* The interviewer pushes back once, after the commitment, by the seed. */
static int push_back(struct grading *g, struct err *err)
{
    const struct investigation *i = attempt_state(g->attempt);
    struct move m = {.kind = MOVE_PUSHED};
    if (i->phase != PHASE_COMMITTED)
        return 0;
    m.pushback = investigation_pushback(i);
    return make_move(g, &m, err);
}

static int respond(struct grading *g, struct err *err)
{
    const struct investigation *i = attempt_state(g->attempt);
    struct move m = {.kind = MOVE_RESPONDED};
    if (i->phase != PHASE_PUSHED)
        return 0;
    memcpy(m.points, i->points, sizeof m.points);
    return make_move(g, &m, err);
}

static int play_line(struct grading *g, const char *text, size_t len, struct err *err)
{
    json_t *obj = NULL;
    struct move m = {0};
    int rc = frame_parse(&obj, text, len, err);
    const char *kind = rc ? NULL : json_string_value(json_object_get(obj, "kind"));
    const json_t *body = json_object_get(obj, "body");
    if (rc == 0 && !kind)
        rc = err_set(err, ERR_BAD_REQUEST, "a move needs a `kind`");
    if (rc == 0 && json_object_get(body, "left"))
        rc = err_set(err, ERR_BAD_REQUEST,
                     "'left' is of interviews: in a script an estimate is answered, skipped or "
                     "left out");
    bool ours = kind && (!strcmp(kind, "started") ||
                         !strcmp(kind, "revealed")); /* both come by themselves */
    if (rc == 0 && !ours) {
        json_t *empty = json_object();
        rc = move_decode(&m, kind, body ? body : empty, g->v->story, err);
        json_decref(empty);
    }
    if (rc == 0 && !ours && m.kind == MOVE_RESPONDED)
        rc = push_back(g, err);
    if (rc == 0 && !ours)
        rc = make_move(g, &m, err);
    g->abandoned = g->abandoned || (rc == 0 && !ours && m.kind == MOVE_ABANDONED);
    json_decref(obj);
    return rc;
}

static bool is_blank(const char *s, size_t n)
{
    return strspn(s, " \t\r\n") >= n;
}

/* 1: a line was played, 0: there is no more. */
static int play_next(struct grading *g, struct file_line *l, FILE *f, struct err *err)
{
    struct err why = {0};
    int rc = line_read(l, f, FRAME_MAX);
    g->line++;
    if (rc == ERR_TOO_LARGE)
        return err_set(err, rc, "%s:%d: more than %u MiB without the end of a line", g->c->script,
                       g->line, FRAME_MAX >> 20);
    if (rc < 0)
        return err_set(err, rc, "cannot read %s: %s", g->c->script, strerror(errno));
    if (rc == 0 || is_blank(l->text, l->len))
        return rc;
    rc = play_line(g, l->text, l->len, &why);
    return rc ? err_set(err, rc, "%s:%d: %s", g->c->script, g->line, why.text) : 1;
}

static int play_script(struct grading *g, FILE *f, struct err *err)
{
    struct file_line line = {0};
    int rc = 1;
    while (rc > 0)
        rc = play_next(g, &line, f, err);
    free(line.text);
    return rc;
}

static int finish(struct grading *g, struct err *err)
{
    struct evidence *all = NULL;
    if (g->abandoned)
        return err_set(err, ERR_CANCELLED,
                       "%s: the investigation was abandoned; there is nothing to grade",
                       g->c->script);
    if (attempt_state(g->attempt)->phase == PHASE_OPEN)
        return err_set(err, ERR_MISSING, "%s: the script ends without a `committed`", g->c->script);
    int rc = push_back(g, err);
    if (rc == 0)
        rc = respond(g, err);
    if (rc == 0)
        rc = fetch(&all, g->supply, "debrief", err);
    return rc ? rc : attempt_reveal(g->attempt, supply_device(g->supply), all, 0, err);
}

/* ---- what it is worth ---- */

static json_t *estimates_json(const struct debrief *d)
{
    json_t *list = json_array();
    for (int i = 0; i < d->n_graded; i++) {
        const struct graded *e = &d->graded[i];
        json_array_append_new(list,
                              json_pack("{s:s, s:f, s:f, s:f, s:s, s:s, s:s, s:s}", "id",
                                        e->estimate->id, "points", e->points, "possible",
                                        e->possible, "truth", e->truth, "say", e->say, "slip",
                                        e->slip, "worked", e->worked, "why", e->why));
    }
    return list;
}

static json_t *beliefs_json(const struct debrief *d)
{
    json_t *list = json_array();
    for (int i = 0; i < d->n_belief; i++)
        json_array_append_new(list, json_pack("{s:s, s:i, s:i}", "after", d->belief[i].after, "you",
                                              d->belief[i].you, "ideal", d->belief[i].ideal));
    return list;
}

static json_t *path_json(const struct path *p)
{
    json_t *probes = json_array();
    for (int i = 0; i < p->n; i++)
        json_array_append_new(probes, json_string(p->probe[i]));
    return json_pack("{s:o, s:i, s:f}", "probes", probes, "price", p->price, "belief", p->belief);
}

static void print_json(const struct grading *g, const struct debrief *d)
{
    const struct investigation *i = attempt_state(g->attempt);
    json_t *lines = json_array();
    for (int l = 0; l < LINE_COUNT; l++)
        json_array_append_new(lines, json_pack("{s:s, s:f, s:i, s:s}", "line",
                                               score_line_name((enum score_line_id)l), "points",
                                               d->score.line[l], "possible",
                                               d->score.possible[l], "why",
                                               d->why[l]));
    cmd_print_json(
        json_pack("{s:s, s:s, s:s, s:f, s:i, s:i, s:i, s:i, s:s, s:s, s:o, s:o, s:o, s:o}",
                  "scenario", g->v->full_id, "tier", i->tier, "gpu", i->gpu, "total",
                  d->score.total, "rule", SCORE_RULE, "price", i->price, "par", i->par, "patience",
                  i->patience, "headline", d->headline, "cause",
                  i->story->hypotheses[g->v->cause]->id, "lines", lines, "estimates",
                  estimates_json(d), "beliefs", beliefs_json(d), "cheapest",
                  path_json(&d->cheapest)));
}

static void print_estimate(const struct graded *e)
{
    printf("\n  %s: %s%s%s%s%s", e->estimate->id, e->say, e->worked[0] ? "\n    " : "", e->worked,
           e->why[0] ? "\n    " : "", e->why);
}

static void print_score(const struct grading *g, const struct debrief *d)
{
    const struct investigation *i = attempt_state(g->attempt);
    printf("%s  %s  %s\n%s\n\n", g->v->full_id, i->tier, i->gpu, d->headline);
    for (int l = 0; l < LINE_COUNT; l++)
        printf("  %-10s %6.1f of %3d   %s\n", score_line_name((enum score_line_id)l),
               fabs(d->score.line[l]) < 0.05 ? 0 : d->score.line[l],
               d->score.possible[l], d->why[l]);
    printf("  %-10s %6.1f of %3d", "total", d->score.sum, d->score.of);
    printf(d->score.of == 100 ? "\n" : "   %.0f of 100\n", d->score.total);
    for (int k = 0; k < d->n_graded; k++)
        print_estimate(&d->graded[k]);
    printf("%s  you / ideal reader, %% on the truth:", d->n_graded ? "\n\n" : "\n");
    for (int k = 0; k < d->n_belief; k++)
        printf("%s %s %d / %d", k ? "," : "", *d->belief[k].after ? d->belief[k].after : "start",
               d->belief[k].you, d->belief[k].ideal);
    putchar('\n');
}

static int grade(struct grading *g, FILE *script)
{
    struct err err = {0};
    int rc = supply_recorded(&g->supply, g->v, g->c->gpu, &err);
    if (rc == 0)
        rc = attempt_start(&g->attempt, NULL, g->v, g->supply, g->c->seed, 0, &err);
    if (rc == 0)
        rc = play_script(g, script, &err);
    if (rc == 0)
        rc = finish(g, &err);
    if (rc == 0 && g->c->json)
        print_json(g, attempt_debrief(g->attempt));
    else if (rc == 0)
        print_score(g, attempt_debrief(g->attempt));
    attempt_free(g->attempt);
    supply_free(g->supply);
    return rc ? cmd_fail(&err) : CMD_OK;
}

int cmd_grade(const struct cmd *c)
{
    struct catalog *catalog = NULL;
    struct grading g = {.c = c};
    struct pack *opened = NULL;
    if (!c->script)
        return cmd_misuse("grade needs --script FILE (- reads standard input)");
    int status = cmd_catalog_for(&catalog, c, c->args[0]);
    if (status == CMD_OK)
        status = cmd_variant(&g.v, catalog, c, c->args[0]);
    if (status == CMD_OK)
        status = cmd_open_variant(&g.v, &opened, c, true);
    if (status == CMD_OK) {
        bool input = !strcmp(c->script, "-");
        FILE *f = stdin;
        struct err err = {0};
        status = !input && path_open_stream(&f, c->script, &err) ? cmd_fail(&err) : grade(&g, f);
        if (f && !input)
            fclose(f);
    }
    pack_free(opened);
    catalog_free(catalog);
    return status;
}
