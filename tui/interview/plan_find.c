#include "tui/interview/plan_find.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/interview/plan_draw.h"
#include "tui/interview/plan_edit.h"

/* -1: the plan has no scenario. */
static int searched_part(const struct plan_page *p)
{
    int marked = p->at - ROW_PARTS;
    if (marked >= 0 && p->now.plan.parts[marked].kind == PART_SCENARIO)
        return marked;
    for (int k = 0; k < p->now.plan.n_parts; k++)
        if (p->now.plan.parts[k].kind == PART_SCENARIO)
            return k;
    return -1;
}

/* As the list of scenarios has it, and the cause, which this screen shows. */
static char *row_text(const struct plan_page *p, const struct variant *v)
{
    const struct story *s = v->story;
    const char *cause = v->sealed ? "sealed" : s->hypotheses[v->cause]->label;
    const char *seen = plan_was_seen(&p->stock, v->full_id) ? "shown before" : "not shown before";
    return text_format("%s %s level %d %s %s %s; %s", s->title, story_sort(s), s->level, cause,
                       seen, v->full_id, s->pack->title);
}

/* The next part behind `after` that is a scenario which is here, and not part k; -1: none. */
static int other_part(const struct plan_page *p, int k, int after)
{
    for (int o = after + 1; o < p->now.plan.n_parts; o++)
        if (o != k && plan_variant(&p->stock, &p->now.plan.parts[o]))
            return o;
    return -1;
}

static void add_row(struct find_rows *out, const struct plan_page *p, const struct variant *v)
{
    char *text = row_text(p, v);
    find_add(out, text);
    free(text);
}

/* What fits, then what stands in other parts, which is gone to. */
void plan_find_rows(struct app *app, const struct plan_page *p, struct find_rows *out)
{
    int k = searched_part(p), n = 0;
    const struct variant **list = k < 0 ? NULL : plan_choices(&p->now.plan, &p->stock, k, &n);
    for (int i = 0; i < n; i++) {
        add_row(out, p, list[i]);
        if (!strcmp(list[i]->full_id, p->now.plan.parts[k].id))
            out->at = i;
    }
    free(list);
    for (int o = other_part(p, k, -1); k >= 0 && o >= 0; o = other_part(p, k, o))
        add_row(out, p, plan_variant(&p->stock, &p->now.plan.parts[o]));
    out->where = plan_parts_rect(app);
}

void plan_find_go(struct plan_page *p, int row)
{
    int k = searched_part(p), n = 0;
    const struct variant **list = k < 0 ? NULL : plan_choices(&p->now.plan, &p->stock, k, &n);
    if (row < n)
        plan_page_take(p, k, list[row]);
    for (int o = other_part(p, k, -1); row >= n && o >= 0; o = other_part(p, k, o), row--)
        p->at = ROW_PARTS + o;
    free(list);
}
