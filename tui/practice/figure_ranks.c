/* Collectives: for each step a panel of ranks by chunks, what is sent and what is held after it;
 * panels stand side by side where there is room. Trees are drawn above them. */
#include "tui/practice/figure_paint.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 5, GAP = 2, TREE = 24 };
struct ranks {
    struct painting *p;
    const struct collective *c;
    int columns;              /* of cells; all-to-all: what goes to each rank, what is from each */
    int lead[2];              /* columns in front of the cells of each half */
    int sends, cell, width;   /* of a panel */
};

static bool exchanges(const struct ranks *g)
{
    return g->c->rules.kind == COLLECTIVE_ALL_TO_ALL;
}

/* What goes to a rank stands in the first half. */
static bool is_block(const struct ranks *g, int column)
{
    return exchanges(g) && column < g->c->rules.ranks;
}

static int slot_of(const struct ranks *g, int column)
{
    return exchanges(g) ? column % g->c->rules.ranks : column;
}

/* ---- texts; `at` is a step from 1, 0 before the first ---- */

static bool is_sent(const struct ranks *g, int at, int rank, int to)
{
    for (int i = 0; i < g->c->n; i++)
        if (g->c->send[i].step < at && g->c->send[i].from == rank && g->c->send[i].to == to)
            return true;
    return rank == to;
}

/* "" for an empty cell. A slot of the figure's own picture goes to *slot, else -1. */
static const char *cell_text(const struct ranks *g, int at, int rank, int column, int *slot,
                             char out[160])
{
    const struct collective_rules *r = &g->c->rules;
    struct collective_state now;
    int k = slot_of(g, column);
    *slot = -1;
    out[0] = '\0';
    if (is_block(g, column))
        return is_sent(g, at, rank, k) ? out : collective_chunk_words(r, rank, k, out);
    if (!g->p->view->made) {
        *slot = g->p->figure->collective.step[at].held[rank][k];
        return *slot < 0 ? out : paint_slot_text(g->p, *slot, out);
    }
    collective_held(&now, g->c, at);
    if (now.held[rank][k] && exchanges(g))
        return collective_chunk_words(r, k, rank, out);
    if (now.held[rank][k] && r->kind == COLLECTIVE_ALL_GATHER)
        return collective_chunk_words(r, rank, k, out);
    return collective_mask_words(r, now.held[rank][k], out);
}

static const char *sends_text(const struct ranks *g, int at, int rank, int *slot, char out[160])
{
    const struct figure_step *step = g->p->figure->collective.step;
    *slot = -1;
    out[0] = '\0';
    if (g->p->view->made)
        collective_sends_words(g->c, at - 1, rank, out, 160);
    else if ((*slot = step[at].sends[rank]) >= 0)
        return paint_slot_text(g->p, *slot, out);
    return out;
}

/* What came in the step: "+" where it was added, "=" where it was copied, else "". */
static const char *mark(const struct ranks *g, int at, int rank, int k)
{
    const struct collective_rules *r = &g->c->rules;
    struct collective_state before;
    collective_held(&before, g->c, at - 1);
    for (int i = 0; i < g->c->n; i++) {
        const struct collective_send *s = &g->c->send[i];
        if (s->step != at - 1 || s->to != rank || collective_slot(r, s) != k)
            continue;
        uint16_t has = before.held[rank][k],
                 comes = exchanges(g) ? 0 : before.held[s->from][k];
        return has && !(has & comes) ? "+" : "=";
    }
    return "";
}

/* ---- where things stand ---- */

static int title_width(const struct ranks *g, int at)
{
    const struct figure_step *s = &g->p->figure->collective.step[at];
    char text[160];
    if (g->p->view->made || s->bytes < 0)
        return 26;
    int bytes = draw_columns(paint_slot_text(g->p, s->bytes, text));
    return 8 + bytes + 2 + draw_columns(paint_slot_text(g->p, s->time, text));
}

static void measure(struct ranks *g, int first, int last, int w)
{
    int most = 1, title = 0;
    char text[160];
    for (int at = first; at <= last; at++) {
        int slot, n = title_width(g, at);
        title = n > title ? n : title;
        for (int rank = 0; rank < g->c->rules.ranks; rank++) {
            n = draw_columns(sends_text(g, at, rank, &slot, text)) + 1;
            g->sends = n > g->sends ? n : g->sends;
            for (int k = 0; k < g->columns; k++) {
                n = draw_columns(cell_text(g, at, rank, k, &slot, text));
                most = n > most ? n : most;
            }
        }
    }
    g->sends = g->sends < 6 ? 6 : g->sends < w / 4 ? g->sends : w / 4;
    int room = (w - NAME - g->sends - g->lead[0] - g->lead[1]) / g->columns;
    g->cell = most + 2 < room ? most + 2 : room;
    g->width = NAME + g->sends + g->lead[0] + g->lead[1] + g->columns * g->cell;
    g->width = g->width < title ? title : g->width;
    g->width = g->width < w ? g->width : w;
}

static int column_x(const struct ranks *g, int column)
{
    bool second = exchanges(g) && !is_block(g, column);
    return NAME + g->sends + column * g->cell + g->lead[0] + (second ? g->lead[1] : 0);
}

/* ---- painting ---- */

static void paint_head(const struct ranks *g, int y, int x)
{
    const struct collective_rules *r = &g->c->rules;
    paint_text(g->p, y, x, NAME, STYLE_DIM, "rank");
    paint_text(g->p, y, x + NAME, g->sends, STYLE_DIM, "sends");
    for (int k = 0; k < g->columns; k++) {
        char name[24];
        int at = x + column_x(g, k);
        if (exchanges(g))
            snprintf(name, sizeof name, "%d", slot_of(g, k));
        else
            collective_chunk_words(r, 0, k, name);
        if (exchanges(g) && slot_of(g, k) == 0)
            paint_text(g->p, y, at - (k ? 4 : 2), 5, STYLE_DIM, k ? "from" : "to");
        paint_text(g->p, y, at + 1, g->cell - 1, STYLE_DIM, name);
    }
}

static void paint_cell(const struct ranks *g, int y, int x, int at, int rank, int column)
{
    char text[160];
    int slot, w = g->cell - 1;
    const struct figure_view *v = g->p->view;
    const char *shown = cell_text(g, at, rank, column, &slot, text);
    bool fresh = at > 0 && !is_block(g, column) && *mark(g, at, rank, slot_of(g, column)),
         chosen = v->made && v->rank == rank && v->chunk == column;
    enum style style = chosen ? STYLE_SELECTED : fresh ? STYLE_ACCENT : STYLE_PLAIN;
    if (fresh)
        paint_text(g->p, y, x, 1, STYLE_DIM, mark(g, at, rank, slot_of(g, column)));
    if (slot >= 0)
        paint_slot(g->p, y, x + 1, w, style, slot);
    else
        paint_text(g->p, y, x + 1, w, *shown || chosen ? style : STYLE_DIM,
                   *shown ? shown : glyph("·", "."));
    if (chosen)
        g->p->out->blank_line = y;
}

static void paint_rank(const struct ranks *g, int y, int x, int at, int held, int rank)
{
    char text[160], name[16];
    int slot;
    const char *sends = sends_text(g, at, rank, &slot, text);
    snprintf(name, sizeof name, "%d", rank);
    if (g->p->view->made)
        paint_text(g->p, y, x, NAME, STYLE_PLAIN, name);
    else
        paint_slot(g->p, y, x, NAME, STYLE_PLAIN, g->p->figure->collective.row[rank]);
    if (slot >= 0)
        paint_slot(g->p, y, x + NAME, g->sends - 1, STYLE_BOLD, slot);
    else
        paint_text(g->p, y, x + NAME, g->sends - 1, STYLE_BOLD, sends);
    for (int k = 0; k < g->columns; k++)
        paint_cell(g, y, x + column_x(g, k), held, rank, k);
}

static void paint_title(const struct ranks *g, int y, int x, int at)
{
    const struct figure_step *s = &g->p->figure->collective.step[at];
    char text[48];
    int n = 0;
    if (g->p->view->made) {
        snprintf(text, sizeof text, at ? "step %d" : "before", at);
        paint_text(g->p, y, x, g->width, STYLE_BOLD, text);
        return;
    }
    paint_slot(g->p, y, x, 8, STYLE_BOLD, s->name);
    if (s->bytes < 0)
        return;
    n = paint_slot(g->p, y, x + 8, g->width - 8, STYLE_PLAIN, s->bytes);
    paint_slot(g->p, y, x + 10 + n, g->width - 10 - n, STYLE_PLAIN, s->time);
}

/* A step with what is held after it; one that is open, with what it begins with. */
static void paint_panel(const struct ranks *g, int y, int x, int at, int held)
{
    paint_title(g, y, x, at);
    paint_head(g, y + 1, x);
    for (int rank = 0; rank < g->c->rules.ranks; rank++)
        paint_rank(g, y + 2 + rank, x, at, held, rank);
}

/* ---- trees ---- */

static int paint_branch(const struct ranks *g, int tree, int rank, int y, int x)
{
    const struct collective_rules *r = &g->c->rules;
    char name[8];
    int at = y + 1, last = -1;
    snprintf(name, sizeof name, "%d", rank);
    paint_text(g->p, y, x, 2, STYLE_PLAIN, name);
    for (int k = 0; k < r->ranks; k++)
        last = collective_parent(r, tree, k) == rank ? k : last;
    for (int k = 0; k < r->ranks; k++) {
        if (collective_parent(r, tree, k) != rank)
            continue;
        int begins = at;
        at = paint_branch(g, tree, k, at, x + 3);
        paint_text(g->p, begins, x, 2, STYLE_DIM, k < last ? glyph("├─", "+-") : glyph("└─", "`-"));
        for (int i = begins + 1; k < last && i < at; i++)
            paint_text(g->p, i, x, 1, STYLE_DIM, glyph("│", "|"));
    }
    return at;
}

static int paint_trees(const struct ranks *g, int y)
{
    const struct collective_rules *r = &g->c->rules;
    for (int tree = 0; tree < r->chunks; tree++) {
        char title[16];
        int root = 0;
        while (collective_parent(r, tree, root) >= 0)
            root = collective_parent(r, tree, root);
        snprintf(title, sizeof title, "tree %c", 'a' + tree);
        paint_text(g->p, y, tree * TREE, TREE, STYLE_BOLD, title);
        paint_branch(g, tree, root, y + 1, tree * TREE);
    }
    return y + r->ranks + 2;
}

static int paint_legend(const struct ranks *g, int y, int w)
{
    enum collective_kind kind = g->c->rules.kind;
    if (kind == COLLECTIVE_ALL_TO_ALL || kind == COLLECTIVE_ALL_GATHER)
        return y + paint_wrapped(g->p, y, 0, w, STYLE_DIM, "a->1: a to rank 1; = just came");
    return y + paint_wrapped(g->p, y, 0, w, STYLE_DIM,
                             "a->1: a to rank 1; 0+2: sum of ranks 0 and 2, 0-2: of 0 to 2; + just "
                             "added, = just copied");
}

int paint_collective(struct painting *p, int y, int w)
{
    const struct figure_collective *f = &p->figure->collective;
    struct ranks g = {.p = p, .c = p->view->made ? p->view->made : f->known};
    bool open = p->view->made && p->view->rank >= 0;
    int made = g.c->n ? g.c->send[g.c->n - 1].step + 1 : 0,
        first = open ? g.c->step + 1 : p->view->made ? 0 : f->first,
        last = open ? first : p->view->made ? made : f->last;
    g.columns = g.c->rules.chunks * (1 + exchanges(&g));
    g.lead[0] = exchanges(&g) ? 2 : 0;
    g.lead[1] = exchanges(&g) ? 5 : 0;
    measure(&g, first, last, w);
    int across = (w + GAP) / (g.width + GAP), rows = g.c->rules.ranks + 3;
    if (collective_is_tree(&g.c->rules))
        y = paint_trees(&g, y);
    for (int at = first; at <= last; at++) {
        int k = at - first;
        paint_panel(&g, y, k % across * (g.width + GAP), at, open ? at - 1 : at);
        y += k % across == across - 1 || at == last ? rows : 0;
    }
    return paint_legend(&g, y, w);
}
