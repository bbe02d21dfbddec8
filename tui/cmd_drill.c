/* warpdrill drill: the drills there are, one instance, or its grading. Nothing is kept: practice that counts happens in the interface. */
#include "tui/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/answer.h"
#include "drills/fill.h"
#include "drills/library.h"
#include "kernels/wire/text.h"

static const char *const hows[] = {
    [DRILL_SKIPPED] = "skipped", [DRILL_UNREADABLE] = "unreadable", [DRILL_WRONG_UNIT] = "wrong-unit", [DRILL_RIGHT] = "right",
    [DRILL_CLOSE] = "close",     [DRILL_SLIP] = "slip",             [DRILL_WRONG] = "wrong",
};

static int list_drills(const struct cmd *c, const struct library *l)
{
    json_t *all = json_array();
    for (int k = 0; k < library_drills(l); k++) {
        const struct drill *d = library_drill_at(l, k);
        json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:i, s:b}", "id", d->full_id, "title", d->title, "topic", d->topic, "level", d->level,
                                             "needs_gpu", (int)d->needs_gpu));
        if (!c->json)
            printf("%-36s %-12s level %d  %s%s\n", d->full_id, d->topic, d->level, d->title, d->needs_gpu ? " (on a GPU)" : "");
    }
    if (c->json)
        cmd_print_json(json_pack("{s:O}", "drills", all));
    json_decref(all);
    return CMD_OK;
}

static void show_answer(char *out, size_t size, const struct drill_instance *i, double value)
{
    fill_value(out, size, (struct quantity){value, i->drill->dim}, NULL);
}

static json_t *instance_json(const struct drill_instance *i, bool solved)
{
    json_t *o = json_pack("{s:s, s:s, s:I, s:s, s:s, s:i}", "id", i->drill->full_id, "title", i->drill->title, "seed", (json_int_t)i->seed, "ask", i->ask,
                          "unit", i->drill->unit, "seconds", i->drill->seconds);
    json_t *choices = json_array(), *mistakes = json_array();
    for (int k = 0; k < i->drill->n_choices; k++)
        json_array_append_new(choices, json_string(i->choices[k]));
    for (int k = 0; k < i->n_wrongs; k++)
        json_array_append_new(mistakes, json_pack("{s:f, s:s}", "value", i->wrongs[k].value, "says", i->wrongs[k].says));
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
    printf("\nunit %s, %d s, seed %llu; --answer TEXT grades\n", strcmp(i->drill->unit, "1") ? i->drill->unit : "none", i->drill->seconds,
           (unsigned long long)i->seed);
}

static void print_graded(const struct drill_instance *i, const struct drill_graded *g)
{
    char right[64];
    show_answer(right, sizeof right, i, i->answer);
    printf("%s\n\n%s\n\n%s  %.2f of 1\n%s\n\n%s\n", i->drill->title, i->ask, hows[g->how], g->points, g->say, i->solution);
}

static int grade(const struct cmd *c, const struct drill_instance *i)
{
    struct drill_graded g;
    drill_grade(&g, i, c->answer, false, 0);
    if (c->json) {
        json_t *o = instance_json(i, true), *graded = json_pack("{s:s, s:f, s:f, s:f, s:s, s:s}", "how", hows[g.how], "points", g.points, "value", g.value,
                                                                "log_error", g.log_error, "slip", g.slip, "say", g.say);
        json_object_set_new(o, "given", json_string(c->answer));
        json_object_set_new(o, "graded", graded);
        cmd_print_json(o);
    } else {
        print_graded(i, &g);
    }
    return CMD_OK;
}

static int one_drill(const struct cmd *c, const struct drill *d)
{
    struct drill_instance *i = NULL;
    struct err err = {0};
    if (drill_instance_make(&i, d, c->seeded ? c->seed : 0, NULL, &err))
        return cmd_fail(&err);
    if (c->answer) {
        grade(c, i);
    } else if (c->json) {
        cmd_print_json(instance_json(i, false));
    } else {
        print_instance(i);
    }
    drill_instance_free(i);
    return CMD_OK;
}

int cmd_drill(const struct cmd *c)
{
    struct library l;
    int status;
    library_open(&l);
    for (int i = 0; i < l.n_problems; i++)
        fprintf(stderr, "warpdrill: %s\n", l.problems[i].text);
    const struct drill *d = c->n_args ? library_drill(&l, c->args[0]) : NULL;
    if (c->n_args == 0)
        status = list_drills(c, &l);
    else if (d)
        status = one_drill(c, d);
    else {
        struct err err = {0};
        err_set(&err, ERR_MISSING, "there is no drill '%s'; `warpdrill drill` lists them", c->args[0]);
        status = cmd_fail(&err);
    }
    library_free(&l);
    return status;
}
