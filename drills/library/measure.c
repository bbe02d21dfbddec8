#include "drills/library/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

enum { SEEDS_TRIED = 400 };
#define WHOLE_BELOW 0x1p53

/* ---- asking ---- */

static int whole_of(const struct drill_instance *i, const char *name, double value, int64_t *out,
                    struct err *err)
{
    double whole = round(value);
    if (fabs(value - whole) > 1e-9 * fmax(1, fabs(value)) || whole < 0 || whole >= WHOLE_BELOW)
        return err_set(err, ERR_BAD_REQUEST, "%s: %s is %.9g; its measurement needs a whole number",
                       i->drill->full_id, name, value);
    *out = (int64_t)whole;
    return 0;
}

/* In the order of drill_numbers. */
static int values_of(int64_t *out, const struct drill_instance *i, struct err *err)
{
    const struct drill *d = i->drill;
    int n = 0, rc = 0;
    for (int v = 0; !rc && v < d->n_vars; v++)
        if (d->vars[v].draw != DRAW_ROW && trial_uses(d->trial, n++))
            rc = whole_of(i, d->vars[v].name, i->vars[v].value, &out[n - 1], err);
    for (int l = 0; !rc && l < d->n_lets; l++)
        if (trial_uses(d->trial, n++))
            rc = whole_of(i, d->lets[l].name, i->lets[l].value, &out[n - 1], err);
    return rc;
}

int drill_request(struct msg_measure *out, const struct drill_instance *i, struct err *err)
{
    int64_t values[DRILL_MAX_VARS + DRILL_MAX_LETS] = {0};
    struct err here = {0};
    *out = (struct msg_measure){0};
    if (!i->drill->trial)
        return err_set(err, ERR_BAD_REQUEST, "%s is worked out, not measured", i->drill->full_id);
    int rc = values_of(values, i, &here);
    if (!rc)
        rc = trial_request(out, i->drill->trial, i->device, values, &here);
    return rc ? err_set(err, rc, "%s", here.text) : 0;
}

int drill_measure(struct supply *s, const struct drill_instance *i, struct err *err)
{
    struct msg_measure m;
    int rc = drill_request(&m, i, err);
    return rc ? rc : supply_send(s, i->drill->full_id, &m, err);
}

/* ---- what came ---- */

static int truth_of(struct drill_truth *out, const struct drill *d, const struct msg_part *p,
                    struct err *err)
{
    const char *metric = trial_metric(d->trial)->name;
    const struct msg_value *v = p ? msg_part_value(p, metric) : NULL;
    *out = (struct drill_truth){0};
    if (!v)
        return err_set(err, ERR_MISSING, "%s was not measured", metric);
    if (!v->present)
        return err_set(err, ERR_MISSING, "%s could not be measured: %s", metric,
                       v->missing ? v->missing : "no reason given");
    *out = (struct drill_truth){.value = v->value, .low = v->low, .high = v->high, .n = v->n};
    snprintf(out->tier, sizeof out->tier, "%s", p->tier);
    return 0;
}

int drill_measured(struct drill_truth *out, const struct drill_instance *i,
                   const struct evidence *e, struct err *err)
{
    const struct msg_part *found = NULL;
    for (int k = 0; k < e->n_parts; k++)
        if (!strcmp(e->parts[k].run, trial_run(i->drill->trial)))
            found = &e->parts[k];
    int rc = truth_of(out, i->drill, found, err);
    snprintf(out->gpu, sizeof out->gpu, "%s", e->gpu);
    return rc;
}

/* ---- recorded ---- */

static bool is_recording(const char *path)
{
    static const char folder[] = "measured/evidence/", end[] = ".json";
    size_t n = strlen(path);
    return !strncmp(path, folder, sizeof folder - 1) && n > sizeof end &&
           !strcmp(path + n - (sizeof end - 1), end);
}

bool drill_is_recorded(const struct drill_set *s)
{
    for (int k = 0; k < s->files->n; k++)
        if (is_recording(s->files->file[k].path))
            return true;
    return false;
}

int drill_recording(struct recording **out, const struct drill_set *s, const char *gpu,
                    struct err *err)
{
    *out = NULL;
    for (int k = 0; k < s->files->n; k++) {
        const struct file *f = &s->files->file[k];
        if (!is_recording(f->path))
            continue;
        int rc = recording_decode(out, f->text, f->len, f->path, err);
        if (rc)
            return rc;
        if (!gpu || !strcmp(gpu, (*out)->device.slug))
            return 0;
        recording_free(*out);
        *out = NULL;
    }
    return err_set(err, ERR_MISSING,
                   gpu ? "nothing was recorded for the drills of %s on GPU '%s'"
                       : "nothing was recorded for the drills of %s",
                   s->id, gpu);
}

int drill_recall(struct drill_truth *out, const struct drill_instance *i, const struct recording *r,
                 struct err *err)
{
    struct msg_measure m;
    struct err here = {0};
    char key[65];
    int rc = drill_request(&m, i, &here);
    if (!rc)
        rc = msg_item_key(key, &m, 0, &here);
    msg_measure_free(&m);
    const struct msg_part *p = rc ? NULL : recording_find(r, key, trial_run(i->drill->trial));
    if (!rc && (!p || r->method < METHOD_OLDEST))
        rc = err_set(&here, ERR_MISSING,
                     "%s with these numbers was not recorded on %s; `warpdrill record drills` "
                     "records",
                     i->drill->full_id, r->device.name);
    if (!rc)
        rc = truth_of(out, i->drill, p, &here);
    if (rc)
        return err_set(err, rc, "%s", here.text);
    snprintf(out->gpu, sizeof out->gpu, "%s", r->device.name);
    snprintf(out->recorded, sizeof out->recorded, "%s", r->recorded);
    return 0;
}

int drill_recorded_seed(const struct drill *d, const struct recording *r, uint64_t from,
                        uint64_t *seed, struct err *err)
{
    for (*seed = from; *seed - from < SEEDS_TRIED; ++*seed) {
        struct drill_instance *i = NULL;
        struct drill_truth t;
        int rc = drill_instance_make(&i, d, *seed, &r->device, err);
        if (rc)
            return rc;
        rc = drill_recall(&t, i, r, NULL);
        drill_instance_free(i);
        if (!rc)
            return 0;
    }
    return err_set(err, ERR_MISSING, "%s was not recorded on %s", d->full_id, r->device.name);
}

/* ---- revealing ---- */

void drill_reveal(struct drill_instance *i, const struct drill_truth *t)
{
    int kept = 0;
    i->on_paper = i->measured ? i->on_paper : i->answer;
    i->measured = true;
    i->truth = *t;
    i->answer = t->value;
    i->n_accepts = 0; /* other ways to work it out are no measurements */
    for (int k = 0; k < i->n_wrongs; k++) /* a mistake that the machine agrees with is none */
        if (drill_is_right(i, i->wrongs[k].value))
            free(i->wrongs[k].says);
        else
            i->wrongs[kept++] = i->wrongs[k];
    i->n_wrongs = kept;
}

void drill_show_truth(char *out, size_t size, const struct drill_instance *i)
{
    const struct drill_truth *t = &i->truth;
    char value[64], low[64], high[64], paper[64], interval[160] = "", share[48] = "";
    drill_show_value(value, sizeof value, i->drill, t->value);
    drill_show_value(low, sizeof low, i->drill, t->low);
    drill_show_value(high, sizeof high, i->drill, t->high);
    drill_show_value(paper, sizeof paper, i->drill, i->on_paper);
    if (t->n > 0)
        snprintf(interval, sizeof interval, " (%s to %s, n %d)", low, high, t->n);
    if (t->value > 0 && i->on_paper > 0)
        snprintf(share, sizeof share, ", %.2f of it", i->on_paper / t->value);
    snprintf(out, size, "Measured %s%s, %s, %s%s%s. On paper: %s%s.", value, interval, t->tier,
             t->gpu, *t->recorded ? ", " : "", t->recorded, paper, share);
}
