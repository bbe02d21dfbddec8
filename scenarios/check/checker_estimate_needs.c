/* Estimates that nobody can work out: what the working needs must be on the screen when it is
 * asked. A parameter is told under `sizes`, or follows from such; a number stands in the story, in
 * a free answer or in the question itself. Bytes and flops of the task are worked out of these.
 * Attributes of the GPU go with its name. A question across GPUs shows the bytes and the time here,
 * and of the other GPU its sizes and some attributes. Where two faults may be ranked, the time that
 * the story begins with is what a gain is taken of. */
#include "scenarios/check/checks.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/other_gpu.h"
#include "scenarios/formula/formula.h"
#include "scenarios/pack/names.h"

enum { SMALL = 16, LANES = 32, HUNDRED = 100 };

enum telling { NOT_ASKED, TOLD, UNTOLD };
struct said {
    const struct story *s;
    const struct estimate *estimate;
    enum telling *param; /* of each: formulas name one often, and the work must not double */
    char missing[64]; /* what nothing tells */
};

/* ---- numbers in sentences ---- */

/* Its digits, whatever the power of ten: "650 ns" tells 650e-9. */
static double digits_of(double value)
{
    return value > 0 ? value / pow(10, floor(log10(value) + 1e-12)) : 0;
}

/* The number at *at, commas between its digits left out; *at moves behind it. */
static double take_number(const char **at)
{
    char plain[64];
    size_t n = 0;
    const char *p = *at;
    for (; (isdigit((unsigned char)*p) || *p == '.' || *p == ',') && n + 1 < sizeof plain; p++)
        if (*p != ',')
            plain[n++] = *p;
    plain[n] = '\0';
    if ((*p == 'e' || *p == 'E') && (isdigit((unsigned char)p[1]) || strchr("+-", p[1])))
        p += strspn(p + 1, "+-0123456789") + 1;
    *at = p;
    return strtod(plain, NULL);
}

static bool text_says(const char *text, double digits)
{
    for (const char *at = text; *at;)
        if (!isdigit((unsigned char)*at))
            at++;
        else if (fabs(digits_of(take_number(&at)) - digits) < 1e-9)
            return true;
    return false;
}

static bool is_said(const struct said *s, double value)
{
    double digits = digits_of(value);
    bool common = (value <= SMALL && value == floor(value)) || value == LANES || value == HUNDRED;
    bool said = common || text_says(s->s->text, digits) || text_says(s->estimate->ask, digits);
    for (int i = 0; !said && i < s->s->n_questions; i++)
        said = text_says(s->s->questions[i].answer, digits) ||
               text_says(s->s->questions[i].ask, digits);
    for (int i = 0; !said && i < s->s->n_params; i++)
        said = s->s->params[i].label && text_says(s->s->params[i].label, digits);
    return said;
}

/* 1024 is told by "1 KiB" too. */
static bool is_told(const struct said *s, double value)
{
    while (!is_said(s, value)) {
        if (value < 1024 || value != floor(value) || fmod(value, 1024) != 0)
            return false;
        value /= 1024;
    }
    return true;
}

static void look_at_numbers(struct said *s, const char *formula)
{
    for (const char *at = formula; *at && !s->missing[0];) {
        bool inside = at > formula && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
        const char *from = at;
        if (!isdigit((unsigned char)*at) || inside) {
            at++;
            continue;
        }
        if (!is_told(s, take_number(&at)))
            snprintf(s->missing, sizeof s->missing, "%.*s", (int)(at - from), from);
    }
}

/* ---- names ---- */

static int look_at_name(void *ctx, const char *name);

static bool follows(struct said *s, const struct expr *e)
{
    return e->f && formula_names(e->f, look_at_name, s, NULL) == 0;
}

/* Do its names follow, and are its numbers told? */
static bool is_worked_out(struct said *s, const struct expr *e)
{
    if (follows(s, e))
        look_at_numbers(s, formula_text(e->f));
    return e->f && !s->missing[0];
}

/* The bytes stand on the screen in a warm-up, and with a question across GPUs. Before any other
 * they would tell the rate that the free time is. */
static bool shows_bytes(const struct said *s)
{
    return s->estimate->across || s->s->level == 0;
}

static int nothing_but_numbers(void *ctx, const char *name)
{
    (void)ctx;
    (void)name;
    return 1;
}

static int nothing_but_gpu(void *ctx, const char *name)
{
    (void)ctx;
    return strncmp(name, "gpu.", 4) != 0;
}

static int no_value(void *ctx, const char *name, struct quantity *out, struct err *err)
{
    (void)ctx;
    (void)out;
    return err_set(err, ERR_MISSING, "%s", name);
}

static bool find_told(struct said *s, const struct param *p)
{
    struct quantity q;
    if (p->label)
        return true;
    if (formula_names(p->value.f, nothing_but_numbers, NULL, NULL) == 0)
        return formula_eval(p->value.f, no_value, NULL, &q, NULL, NULL) == 0 &&
               is_told(s, q.value);
    return formula_names(p->value.f, nothing_but_gpu, NULL, NULL) != 0 && follows(s, &p->value);
}

static bool param_is_told(struct said *s, int i)
{
    if (s->param[i] == NOT_ASKED)
        s->param[i] = find_told(s, &s->s->params[i]) ? TOLD : UNTOLD;
    return s->param[i] == TOLD;
}

static int miss(struct said *s, const char *name)
{
    if (!s->missing[0])
        snprintf(s->missing, sizeof s->missing, "%.60s", name);
    return 1;
}

/* Of an estimate across GPUs. Its sizes stand below the question, those of this GPU beside them. */
static int look_across(struct said *s, const char *name)
{
    const char *rest = name_other(name), *attribute = rest ? name_after(rest, "gpu.") : NULL;
    bool time = name_other_time(name) || (attribute && !other_gpu_tells(attribute));
    return time ? miss(s, name) : attribute ? 0 : look_at_name(s, rest);
}

/* Returns 1 at a name that nothing tells. */
static int look_at_name(void *ctx, const char *name)
{
    struct said *s = ctx;
    if (s->estimate->across && name_other(name))
        return look_across(s, name);
    bool from_symptom = s->estimate->across || story_asks_left(s->s);
    if (from_symptom && !strcmp(name, "suspect.time"))
        return 0;
    if (!strncmp(name, "gpu.", 4) || !strncmp(name, "ceiling.", 8))
        return 0;
    if (!strcmp(name, "work.bytes") && (shows_bytes(s) || is_worked_out(s, &s->s->work_bytes)))
        return 0;
    if (!strcmp(name, "work.flops") && is_worked_out(s, &s->s->work_flops))
        return 0;
    int param = name_param(s->s, name);
    if (param >= 0 && param_is_told(s, param))
        return 0;
    return miss(s, name);
}

static void check_working(struct findings *f, const struct variant *v, const struct truth *t,
                          const char *path)
{
    struct said s = {.s = v->story, .estimate = t->estimate};
    s.param = mem_new((size_t)v->story->n_params, sizeof *s.param);
    formula_names(t->working.f, look_at_name, &s, NULL);
    if (!s.missing[0])
        look_at_numbers(&s, formula_text(t->working.f));
    if (s.missing[0])
        findings_add(f, "estimate-unsaid", v->story->pack, v->full_id, NULL,
                     place_key(v->story->pack, path, "estimates", s.estimate->id),
                     "the working of estimate %s needs %s, which nothing tells before it is "
                     "asked; a line under sizes, or the number in the story, in an answer or "
                     "in the question was expected",
                     s.estimate->id, s.missing);
    free(s.param);
}

void check_estimate_needs(struct findings *f, const struct variant *v)
{
    char *path = text_format("%s/scenario.yaml", v->story->id);
    for (int i = 0; i < v->n_truths; i++)
        check_working(f, v, &v->truths[i], path);
    free(path);
}
