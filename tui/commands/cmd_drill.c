/* warpdrill drill: the drills there are, one instance, or its grading. Nothing is kept: practice
 * that counts happens in the interface. */
#include "tui/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/library/library.h"
#include "drills/question/answer.h"
#include "kernels/wire/text.h"
#include "tui/commands/cmd_measure.h"

static const char *const hows[] = {
    [DRILL_SKIPPED] = "skipped",       [DRILL_UNREADABLE] = "unreadable",
    [DRILL_WRONG_UNIT] = "wrong-unit", [DRILL_RIGHT] = "right",
    [DRILL_CLOSE] = "close",           [DRILL_SLIP] = "slip",
    [DRILL_WRONG] = "wrong",
};

static int list_drills(const struct cmd *c, const struct library *l)
{
    json_t *all = json_array();
    for (int k = 0; k < library_drills(l); k++) {
        const struct drill *d = library_drill_at(l, k);
        json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:i, s:b}", "id", d->full_id, "title",
                                             d->title, "topic", d->topic, "level", d->level,
                                             "needs_gpu", (int)d->needs_gpu));
        if (!c->json)
            printf("%-36s %-12s level %d  %s%s\n", d->full_id, d->topic, d->level, d->title,
                   d->needs_gpu ? " (on a GPU)" : "");
    }
    if (c->json)
        cmd_print_json(json_pack("{s:O}", "drills", all));
    json_decref(all);
    return CMD_OK;
}

static json_t *instance_json(const struct drill_instance *i, bool solved)
{
    json_t *o = json_pack("{s:s, s:s, s:I, s:s, s:s, s:i}", "id", i->drill->full_id, "title",
                          i->drill->title, "seed", (json_int_t)i->seed, "ask", i->ask, "unit",
                          i->drill->unit, "seconds", i->drill->seconds);
    json_t *choices = json_array(), *mistakes = json_array();
    for (int k = 0; k < i->drill->n_choices; k++)
        json_array_append_new(choices, json_string(i->choices[k]));
    for (int k = 0; k < i->n_wrongs; k++)
        json_array_append_new(mistakes, json_pack("{s:f, s:s}", "value", i->wrongs[k].value, "says",
                                                  i->wrongs[k].says));
    if (i->drill->n_choices)
        json_object_set(o, "choices", choices);
    if (solved) {
        json_object_set_new(o, "answer", json_real(i->answer));
        json_object_set_new(o, "solution", json_string(i->solution));
        json_object_set(o, "mistakes", mistakes);
    }
    json_decref(choices);
    json_decref(mistakes);
    return o;
}

static void print_instance(const struct drill_instance *i)
{
    printf("%s\n%s\n", i->drill->title, i->ask);
    for (int k = 0; k < i->drill->n_choices; k++)
        printf("  %d  %s\n", k + 1, i->choices[k]);
    printf("\nunit %s, %d s, seed %llu; --answer TEXT grades\n",
           strcmp(i->drill->unit, "1") ? i->drill->unit : "none", i->drill->seconds,
           (unsigned long long)i->seed);
}

static void print_graded(const struct drill_instance *i, const struct drill_graded *g)
{
    char truth[480] = "";
    if (i->measured)
        drill_show_truth(truth, sizeof truth, i);
    printf("%s\n\n%s\n\n%s  %.2f of 1\n%s\n%s%s\n%s\n", i->drill->title, i->ask, hows[g->how],
           g->points, g->say, truth, *truth ? "\n" : "", i->solution);
}

/* The numbers of an instance that is measured here, or was. */
static json_t *truth_json(const struct drill_instance *i)
{
    const struct drill_truth *t = &i->truth;
    return json_pack("{s:f, s:f, s:f, s:i, s:s, s:s, s:s, s:f}", "value", t->value, "low", t->low,
                     "high", t->high, "n", t->n, "tier", t->tier, "gpu", t->gpu, "recorded",
                     t->recorded, "on_paper", i->on_paper);
}

static int grade(const struct cmd *c, const struct drill_instance *i)
{
    struct drill_graded g;
    drill_grade(&g, i, c->answer, false, 0);
    if (c->json) {
        json_t *o = instance_json(i, true),
               *graded = json_pack("{s:s, s:f, s:f, s:f, s:s, s:s}", "how", hows[g.how], "points",
                                   g.points, "value", g.value, "log_error", g.log_error, "slip",
                                   g.slip, "say", g.say);
        json_object_set_new(o, "given", json_string(c->answer));
        json_object_set_new(o, "graded", graded);
        if (i->measured)
            json_object_set_new(o, "measured", truth_json(i));
        cmd_print_json(o);
    } else {
        print_graded(i, &g);
    }
    return CMD_OK;
}

/* The GPU that a drill needs. */
static int connect(const struct cmd *c, struct client **client, struct msg_device *device)
{
    struct err err = {0};
    return cmd_connect(client, device, c, "cached", &err) ? cmd_fail(&err) : CMD_OK;
}

static int grade_there(const struct cmd *c, const struct drill_place *p, struct drill_instance *i)
{
    struct err err = {0};
    return i->drill->trial && drill_place_reveal(p, i, &err) ? cmd_fail(&err) : grade(c, i);
}

/* Seeds are free where nothing was recorded; else the first that was. */
static int seed_of(const struct cmd *c, const struct drill_place *p, const struct drill *d,
                   uint64_t *seed, struct err *err)
{
    *seed = c->seeded ? c->seed : 0;
    return p->recording && d->trial && !c->seeded
               ? drill_recorded_seed(d, p->recording, 0, seed, err)
               : 0;
}

static int one_drill(const struct cmd *c, const struct drill *d)
{
    struct drill_instance *i = NULL;
    struct drill_place p;
    struct err err = {0};
    char where[160];
    uint64_t seed;
    int status = drill_place_open(&p, c, d);
    if (status == CMD_OK &&
        (seed_of(c, &p, d, &seed, &err) || drill_instance_make(&i, d, seed, p.device, &err)))
        status = cmd_fail(&err);
    drill_place_name(where, sizeof where, &p, d);
    if (status == CMD_OK && !c->json && *where)
        printf("%s\n", where);
    if (status == CMD_OK && c->answer)
        status = grade_there(c, &p, i);
    else if (status == CMD_OK && c->json)
        cmd_print_json(instance_json(i, false));
    else if (status == CMD_OK)
        print_instance(i);
    drill_instance_free(i);
    drill_place_close(&p);
    return status;
}

/* ---- a run of instances, for whoever writes or proves them ---- */

/* What was drawn: numbers in SI base units; of a row its id and its cells that are numbers. */
static json_t *drawn_json(const struct drill_instance *i)
{
    json_t *all = json_object();
    for (int v = 0; v < i->drill->n_vars; v++) {
        const struct drill_var *var = &i->drill->vars[v];
        if (var->draw != DRAW_ROW) {
            json_object_set_new(all, var->name, json_real(i->vars[v].value));
            continue;
        }
        const struct rows *rows = var->table->rows;
        json_t *row = json_pack("{s:s, s:s}", "id", row_cell(&rows->row[i->rows[v]], 0), "name",
                                table_name(var->table, i->rows[v]));
        for (int c = 1; c < rows->head.n; c++) {
            struct quantity q;
            char column[64];
            snprintf(column, sizeof column, "%.*s", (int)strcspn(rows->head.cell[c], " ["),
                     rows->head.cell[c]);
            if (!table_value(var->table, i->rows[v], column, &q, NULL))
                json_object_set_new(row, column, json_real(q.value));
        }
        json_object_set_new(all, var->name, row);
    }
    return all;
}

/* How an answer typed in full is graded. */
static json_t *typed_json(const struct drill_instance *i, double value)
{
    char typed[96], unit[64];
    struct drill_graded g;
    dim_unit(unit, sizeof unit, i->drill->dim);
    if (i->drill->n_choices)
        snprintf(typed, sizeof typed, "%.0f", value);
    else
        snprintf(typed, sizeof typed, "%.17g %s", value, strcmp(unit, "1") ? unit : "x");
    drill_grade(&g, i, typed, false, 0);
    return json_pack("{s:f, s:s, s:s, s:s}", "value", value, "how", hows[g.how], "slip", g.slip,
                     "say", g.say);
}

static json_t *proof_json(const struct drill_instance *i)
{
    const struct drill *d = i->drill;
    struct drill_graded canonical;
    json_t *o = instance_json(i, true), *mistakes = json_object_get(o, "mistakes"),
           *accepts = json_array(), *teaches = json_array();
    drill_grade(&canonical, i, d->canonical_answer ? d->canonical_answer : "", false, 0);
    for (int k = 0; k < i->n_wrongs; k++)
        json_object_set_new(json_array_get(mistakes, (size_t)k), "graded",
                            typed_json(i, i->wrongs[k].value));
    for (int k = 0; k < i->n_accepts; k++)
        json_array_append_new(accepts, typed_json(i, i->accepts[k]));
    for (int k = 0; k < d->n_teaches; k++)
        json_array_append_new(teaches, json_string(d->teaches[k]));
    json_object_set_new(o, "drawn", drawn_json(i));
    json_object_set_new(o, "graded", typed_json(i, i->answer));
    json_object_set_new(o, "canonical", json_string(hows[canonical.how]));
    json_object_set_new(o, "accepts", accepts);
    json_object_set_new(o, "teaches", teaches);
    json_object_set_new(o, "written_mistakes", json_integer(d->n_mistakes));
    json_object_set_new(o, "source", json_string(d->source));
    json_object_set_new(o, "hint", json_string(i->hint));
    json_object_set_new(o, "templates",
                        json_pack("{s:s, s:s}", "ask", d->ask, "solution", d->solution));
    json_object_set_new(o, "needs_gpu", json_boolean(d->needs_gpu));
    return o;
}

static int prove(const struct drill *d, uint64_t first, uint64_t last,
                 const struct msg_device *device)
{
    for (uint64_t seed = first; seed <= last && !ferror(stdout); seed++) {
        struct drill_instance *i = NULL;
        struct err err = {0};
        if (drill_instance_make(&i, d, seed, device, &err))
            return cmd_fail(&err);
        json_t *o = proof_json(i);
        json_dumpf(o, stdout, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
        putchar('\n');
        json_decref(o);
        drill_instance_free(i);
    }
    return CMD_OK;
}

/* One JSON object a line: every instance of the seeds, solved, of one drill or of all; those over a
 * GPU only where one is named. */
static int prove_all(const struct cmd *c, const struct library *l, const struct drill *only)
{
    unsigned long long first, last;
    int end = 0, status = CMD_OK;
    struct client *client = NULL;
    struct msg_device device = {0};
    if (sscanf(c->seeds, "%llu..%llu%n", &first, &last, &end) != 2 || c->seeds[end] ||
        first > last || last == UINT64_MAX)
        return cmd_misuse("--seeds needs FIRST..LAST, not '%s'", c->seeds);
    bool gpu = only ? only->needs_gpu : c->runner != NULL;
    if (gpu)
        status = connect(c, &client, &device);
    client_free(client);
    for (int k = 0; status == CMD_OK && k < library_drills(l); k++) {
        const struct drill *d = library_drill_at(l, k);
        if ((!only || d == only) && (gpu || !d->needs_gpu))
            status = prove(d, first, last, d->needs_gpu ? &device : NULL);
    }
    if (gpu && status == CMD_OK) {
        json_t *o = json_pack("{s:o}", "device", msg_device_encode(&device));
        json_dumpf(o, stdout, JSON_COMPACT | JSON_REAL_PRECISION(17));
        putchar('\n');
        json_decref(o);
    }
    msg_device_free(&device);
    return status;
}

int cmd_no_drill(const char *id)
{
    struct err err = {0};
    err_set(&err, ERR_MISSING, "there is no drill '%s'; `warpdrill drill` lists them", id);
    return cmd_fail(&err);
}

int cmd_drill(const struct cmd *c)
{
    struct library l;
    int status;
    if (c->answer && c->n_args == 0)
        return cmd_misuse(
            "--answer needs the drill that it answers: warpdrill drill ID --answer TEXT");
    library_open(&l);
    for (int i = 0; i < l.n_problems; i++)
        fprintf(stderr, "warpdrill: %s\n", l.problems[i].text);
    const struct drill *d = c->n_args ? library_drill(&l, c->args[0]) : NULL;
    if (c->seeds && (d || c->n_args == 0))
        status = prove_all(c, &l, d);
    else if (c->n_args == 0)
        status = list_drills(c, &l);
    else if (d)
        status = one_drill(c, d);
    else
        status = cmd_no_drill(c->args[0]);
    library_free(&l);
    return status;
}
