#include "tui/practice/drills_screen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drills/question/fill.h"

struct use { const char *var; char columns[12][32]; int n; };

static int note_use(void *ctx, const char *name)
{
    struct use *u = ctx;
    size_t n = strlen(u->var);
    if (strncmp(name, u->var, n) || name[n] != '.' || u->n == 12)
        return 0;
    for (int i = 0; i < u->n; i++)
        if (!strcmp(u->columns[i], name + n + 1))
            return 0;
    snprintf(u->columns[u->n++], sizeof u->columns[0], "%s", name + n + 1);
    return 0;
}

static void note_expr(struct use *u, const struct expr *e)
{
    if (e->f)
        formula_names(e->f, note_use, u, NULL);
}

/* Columns that the answer, a step towards it or a mistake needs: the list tells nothing of which is
 * which. */
static void uses_of(struct use *u, const struct drill *d, const char *var)
{
    *u = (struct use){.var = var};
    note_expr(u, &d->answer);
    for (int i = 0; i < d->n_lets; i++)
        note_expr(u, &d->lets[i].value);
    for (int i = 0; i < d->n_mistakes; i++)
        note_expr(u, &d->mistakes[i].value);
}

/* ---- what would tell the answer ---- */

struct need { const struct drill *drill; char names[24][64]; int n; };

static int note_need(void *ctx, const char *name)
{
    struct need *need = ctx;
    for (int i = 0; i < need->n; i++)
        if (!strcmp(need->names[i], name))
            return 0;
    if (need->n == 24)
        return 0;
    snprintf(need->names[need->n++], sizeof need->names[0], "%s", name);
    return 0;
}

/* Names that the answer is made of; a step towards it gives place to what it is made of. */
static void needs_of(struct need *need, const struct drill *d)
{
    *need = (struct need){.drill = d};
    if (d->answer.f)
        formula_names(d->answer.f, note_need, need, NULL);
    for (int at = 0; at < need->n; at++)
        for (int l = 0; l < d->n_lets; l++)
            if (d->lets[l].value.f && !strcmp(d->lets[l].name, need->names[at])) {
                formula_names(d->lets[l].value.f, note_need, need, NULL);
                need->names[at][0] = '\0';
                break;
            }
}

/* Is the answer this name and nothing else, be it through steps that only rename it? */
static bool is_answer(const struct drill *d, const char *name)
{
    const char *text = d->answer.f ? formula_text(d->answer.f) : "";
    for (int l = d->n_lets - 1; l >= 0; l--)
        if (d->lets[l].value.f && !strcmp(d->lets[l].name, text))
            text = formula_text(d->lets[l].value.f);
    return !strcmp(text, name);
}

/* A column that is the answer, or equals it without being one of several things that it is worked
 * out from. */
static bool tells(const struct drill_instance *i, const char *var, const char *column, double value)
{
    struct need need;
    char name[96];
    int others = 0;
    bool needed = false;
    snprintf(name, sizeof name, "%s.%s", var, column);
    if (is_answer(i->drill, name))
        return true;
    if (i->drill->n_choices || fabs(value - i->answer) > 1e-9 * fabs(i->answer))
        return false;
    needs_of(&need, i->drill);
    for (int k = 0; k < need.n; k++) {
        needed = needed || !strcmp(need.names[k], name);
        others += need.names[k][0] && strcmp(need.names[k], name) != 0;
    }
    return !needed || others == 0;
}

/* ---- the list ---- */

static bool is_by_heart(const struct table *t)
{
    static const char *const tables[] = {"chips", "links", "formats"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (!strcmp(t->id, tables[i]))
            return true;
    return false;
}

/* A column as people call it: "sms" is "SMs", "true_bits" "bits with scales"; others without their
 * underlines. */
static void column_words(char *out, size_t size, const char *column)
{
    static const struct { const char *column, *words;
    } table[] = {
        {"sms", "SMs"},
        {"l2", "L2"},
        {"smem", "shared memory of an SM"},
        {"smem_block", "shared memory of a block, at most"},
        {"fp32", "FP32 peak"},
        {"bf16", "BF16 peak"},
        {"fp8", "FP8 peak"},
        {"fp4", "FP4 peak"},
        {"int8", "INT8 peak"},
        {"link", "links, one direction"},
        {"kv_heads", "KV heads"},
        {"head_dim", "head dimension"},
        {"params", "parameters"},
        {"active", "active parameters"},
        {"hidden", "hidden width"},
        {"latent", "latent width"},
        {"rope", "rotary width"},
        {"top_k", "experts a token uses"},
        {"true_bits", "bits with scales"},
        {"rate", "one direction"},
        {"both", "both directions"},
        {"busbw_8", "bus factor of eight ranks"},
        {"eps", "machine epsilon"},
        {"warps", "warps an SM"},
        {"blocks", "blocks an SM"},
        {"threads", "threads an SM"},
    };
    snprintf(out, size, "%s", column);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].column, column))
            snprintf(out, size, "%s", table[i].words);
    for (char *c = out; *c; c++)
        *c = *c == '_' ? ' ' : *c;
}

/* "Llama-3-70B parameters 70.6 billion, layers 80" */
static int add_row(char *out, size_t size, int at, const struct drill_instance *i, int v)
{
    const struct drill_var *var = &i->drill->vars[v];
    struct use u;
    bool first = true;
    uses_of(&u, i->drill, var->name);
    for (int k = 0; k < u.n && (size_t)at < size; k++) {
        struct quantity q;
        char value[64], words[48];
        if (table_value(var->table, i->rows[v], u.columns[k], &q, NULL) != 0 ||
            tells(i, var->name, u.columns[k], q.value))
            continue;
        fill_value(value, sizeof value, q, NULL);
        column_words(words, sizeof words, u.columns[k]);
        const char *join = !first   ? ", "
                           : at > 0 ? ". "
                                    : "",
                   *name = first ? table_name(var->table, i->rows[v]) : "";
        at += snprintf(out + at, size - (size_t)at, "%s%s%s%s %s", join, name, first ? ": " : "",
                       words, value);
        first = false;
    }
    return (size_t)at < size ? at : (int)size - 1;
}

void drills_given(char *out, size_t size, const struct drill_instance *i, bool by_heart)
{
    int at = 0;
    out[0] = '\0';
    for (int v = 0; v < i->drill->n_vars; v++)
        if (i->drill->vars[v].draw == DRAW_ROW && is_by_heart(i->drill->vars[v].table) == by_heart)
            at = add_row(out, size, at, i, v);
}
