#include "drills/library/sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "drills/question/fill.h"
#include "drills/question/instance.h"
#include "kernels/wire/text.h"

enum { PAGE = 80, GAP = 2, WIDEST = 30, QUESTION = 38, ANSWER = 37, TEN = 10 };

/* ---- words in columns ---- */

/* Columns of a terminal; combining marks take none, East Asian wide characters two. */
static int width_of(const char *text, size_t n)
{
    int width = 0;
    for (size_t at = 0; at < n;) {
        utf8proc_int32_t c;
        utf8proc_ssize_t took =
            utf8proc_iterate((const utf8proc_uint8_t *)text + at, (utf8proc_ssize_t)(n - at), &c);
        width += took > 0 ? utf8proc_charwidth(c) : 1;
        at += took > 0 ? (size_t)took : 1;
    }
    return width;
}

/* Bytes of the next line of at most `columns`, broken at a blank where there is one. *next: where
 * the one after it begins. */
static size_t line_of(const char *text, int columns, size_t *next)
{
    size_t end = strcspn(text, "\n"), at = 0, blank = 0;
    while (at < end) {
        size_t n = 1;
        while (at + n < end && text_is_tail(text[at + n]))
            n++;
        if (width_of(text, at + n) > columns)
            break;
        if (text[at] == ' ')
            blank = at;
        at += n;
    }
    if (at < end && text[at] == ' ')
        blank = at;
    size_t take = at == end ? end : blank ? blank : at ? at : end;
    *next = take + (text[take] == ' ' || text[take] == '\n');
    return take;
}

static void pad(FILE *f, int n)
{
    for (; n > 0; n--)
        fputc(' ', f);
}

/* A paragraph; the first line after `first`, the others after as many blanks. */
static void paragraph(FILE *f, const char *first, const char *text)
{
    int indent = width_of(first, strlen(first));
    fputs(first, f);
    for (size_t next; *text; text += next) {
        size_t n = line_of(text, PAGE - indent, &next);
        fprintf(f, "%.*s\n", (int)n, text);
        if (text[next])
            pad(f, indent);
    }
}

/* A cell of a Markdown table: one line, nothing that ends the cell or begins markup. */
static void markdown(FILE *f, const char *text)
{
    for (; *text; text++) {
        if (*text == '\n')
            fputs("<br>", f);
        else if (strchr("|\\`*_[]<>#", *text))
            fprintf(f, "\\%c", *text);
        else
            fputc(*text, f);
    }
}

/* ---- number tables ---- */

/* What is printed: row 0 holds the names of the columns, the last column the marks of the
 * footnotes. */
struct grid {
    const struct rows *rows;
    char **cell;
    int n_columns, n_shown /* without marks where they stand beside the names */,
        columns[ROWS_CELLS] /* of the table; -1: marks */, widths[ROWS_CELLS];
    bool numeric[ROWS_CELLS];
    char **notes; int n_notes;
};

static char *bare_name(const char *head)
{
    char *name = text_ndup(head, strcspn(head, "["));
    for (size_t n = strlen(name); n > 0 && name[n - 1] == ' '; n--)
        name[n - 1] = '\0';
    for (char *at = name; *at; at++)
        if (*at == '_')
            *at = ' ';
    return name;
}

/* Sizes that are whole in powers of two are told so: 233,472 B are 228 KiB. */
static void show_value(char *out, size_t size, struct quantity q)
{
    bool binary = dim_equal(q.dim, DIM_BYTE) && q.value >= 1024 && fmod(q.value, 1024) == 0 &&
                  fmod(q.value, 1000) != 0;
    fill_value(out, size, q, !binary ? NULL : fmod(q.value, 1 << 20) == 0 ? "MiB" : "KiB");
}

static char *shown(const struct table *t, int row, int column)
{
    const char *cell = row_cell(&t->rows->row[row], column);
    struct quantity q;
    char text[64],
        *name = text_ndup(t->rows->head.cell[column], strcspn(t->rows->head.cell[column], " ["));
    bool number = column > 1 && *cell && table_value(t, row, name, &q, NULL) == 0;
    free(name);
    if (!number)
        return text_dup(cell);
    /* Small plain numbers stand as they were written. */
    if (dim_equal(q.dim, DIM_NONE) && q.value < 1e5 && q.value >= 0.001)
        return text_dup(cell);
    show_value(text, sizeof text, q);
    return text_dup(text);
}

/* The number of a footnote, from 1; the same text is one note. */
static int note_of(struct grid *g, const char *text)
{
    for (int i = 0; i < g->n_notes; i++)
        if (!strcmp(g->notes[i], text))
            return i + 1;
    g->notes = mem_grow(g->notes, (size_t)g->n_notes + 1, sizeof *g->notes);
    g->notes[g->n_notes++] = text_dup(text);
    return g->n_notes;
}

/* "[3,7]" for a row's source and note. */
static char *marks_of(struct grid *g, const struct row *row, int source, int note)
{
    const char *s = row_cell(row, source), *n = row_cell(row, note);
    int a = *s ? note_of(g, s) : 0, b = *n ? note_of(g, n) : 0;
    return a && b   ? text_format("[%d,%d]", a, b)
           : a || b ? text_format("[%d]", a + b)
                    : text_dup("");
}

static char **cell_at(struct grid *g, int row, int k)
{
    return &g->cell[row * g->n_columns + k]; /* row 0: names */
}

static void measure(struct grid *g)
{
    for (int k = 0; k < g->n_columns; k++) {
        g->numeric[k] = k > 0;
        for (int r = 0; r <= g->rows->n; r++) {
            const char *text = *cell_at(g, r, k);
            int width = width_of(text, strlen(text));
            if (r && *text && !strchr("0123456789.-", *text))
                g->numeric[k] = false;
            if (width > g->widths[k])
                g->widths[k] = width < WIDEST ? width : WIDEST;
        }
    }
}

/* Column 0 is the row's name, the last one its footnotes; id, source and note are no columns of the
 * sheet. */
static void grid_make(struct grid *g, const struct table *t)
{
    int source = rows_column(t->rows, "source"), note = rows_column(t->rows, "note");
    *g = (struct grid){.rows = t->rows};
    for (int c = 1; c < t->rows->head.n; c++)
        if (c != source && c != note)
            g->columns[g->n_columns++] = c;
    g->columns[g->n_columns++] = -1;
    g->n_shown = g->n_columns;
    g->cell = mem_new((size_t)(t->rows->n + 1) * (size_t)g->n_columns, sizeof *g->cell);
    for (int r = 0; r <= t->rows->n; r++)
        for (int k = 0; k < g->n_columns; k++) {
            int c = g->columns[k];
            *cell_at(g, r, k) = r == 0 ? (c < 0 ? text_dup("") : bare_name(t->rows->head.cell[c]))
                                : c < 0 ? marks_of(g, &t->rows->row[r - 1], source, note)
                                        : shown(t, r - 1, c);
        }
    measure(g);
}

static void grid_free(struct grid *g)
{
    for (int i = 0; i < (g->rows->n + 1) * g->n_columns; i++)
        free(g->cell[i]);
    for (int i = 0; i < g->n_notes; i++)
        free(g->notes[i]);
    free(g->cell);
    free(g->notes);
}

/* One row of the columns listed, in as many lines as its longest cell needs. */
static void text_row(FILE *f, struct grid *g, int row, const int *list, int n)
{
    const char *at[ROWS_CELLS];
    bool more = true;
    for (int i = 0; i < n; i++)
        at[i] = *cell_at(g, row, list[i]);
    while (more) {
        int owed = 0;
        more = false;
        for (int i = 0; i < n; i++) {
            size_t next = 0, len = line_of(at[i], g->widths[list[i]], &next);
            int width = width_of(at[i], len), room = g->widths[list[i]] - width;
            bool right = g->numeric[list[i]];
            if (width) { /* no blanks at the end of a line */
                pad(f, owed + (right ? room : 0));
                fprintf(f, "%.*s", (int)len, at[i]);
                owed = right ? 0 : room;
            } else {
                owed += room;
            }
            owed += GAP;
            at[i] += next;
            more = more || *at[i];
        }
        fputc('\n', f);
    }
}

/* As many columns as the page takes, the name before them. Returns the next column. */
static int pick(const struct grid *g, int from, int *list, int *n)
{
    int used = g->widths[0], k = from;
    list[0] = 0;
    *n = 1;
    for (; k < g->n_shown && (used + GAP + g->widths[k] <= PAGE || *n == 1); k++) {
        used += GAP + g->widths[k];
        list[(*n)++] = k;
    }
    return k;
}

/* A table that goes on below itself has its marks beside the names, not in a block of their own. */
static void marks_to_names(struct grid *g)
{
    for (int r = 1; r <= g->rows->n; r++) {
        char **name = cell_at(g, r, 0),
             *marked = text_format("%s %s", *name, *cell_at(g, r, g->n_columns - 1));
        int width = width_of(marked, strlen(marked));
        if (width > g->widths[0])
            g->widths[0] = width < WIDEST ? width : WIDEST;
        free(*name);
        *name = marked;
    }
    g->n_shown--;
}

static void text_table(FILE *f, struct grid *g)
{
    int first[ROWS_CELLS], n_first;
    if (pick(g, 1, first, &n_first) < g->n_shown)
        marks_to_names(g);
    for (int k = 1; k < g->n_shown;) {
        int list[ROWS_CELLS], n, used = 0;
        k = pick(g, k, list, &n);
        text_row(f, g, 0, list, n);
        for (int i = 0; i < n; i++)
            used += g->widths[list[i]] + (i ? GAP : 0);
        for (int i = 0; i < used; i++)
            fputc('-', f);
        fputc('\n', f);
        for (int r = 1; r <= g->rows->n; r++)
            text_row(f, g, r, list, n);
        fputc('\n', f);
    }
    for (int i = 0; i < g->n_notes; i++) {
        char mark[16];
        snprintf(mark, sizeof mark, "%4d  ", i + 1);
        paragraph(f, mark, g->notes[i]);
    }
}

static void markdown_table(FILE *f, struct grid *g)
{
    for (int r = 0; r <= g->rows->n; r++) {
        for (int k = 0; k < g->n_columns; k++) {
            fputs(k ? " | " : "| ", f);
            markdown(f, *cell_at(g, r, k));
        }
        fputs(" |\n", f);
        for (int k = 0; r == 0 && k < g->n_columns; k++)
            fputs(g->numeric[k] ? "|---:" : "|---", f);
        if (r == 0)
            fputs("|\n", f);
    }
    fputc('\n', f);
    for (int i = 0; i < g->n_notes; i++) {
        fprintf(f, "%d. ", i + 1);
        markdown(f, g->notes[i]);
        fputc('\n', f);
    }
}

static void heading(FILE *f, const char *text, enum sheet_format format)
{
    if (format == SHEET_MARKDOWN) {
        fputs("# ", f);
        markdown(f, text);
        fputs("\n\n", f);
    } else {
        fprintf(f, "%s\n\n", text);
    }
}

void sheet_table(FILE *f, const struct table *t, enum sheet_format format)
{
    struct grid g;
    grid_make(&g, t);
    heading(f, t->id, format);
    if (format == SHEET_MARKDOWN)
        markdown_table(f, &g);
    else
        text_table(f, &g);
    grid_free(&g);
}

/* ---- cards ---- */

/* Left and right of the fold, line by line. */
static void two_columns(FILE *f, const char *left, const char *right)
{
    while (*left || *right) {
        size_t next_left = 0, next_right = 0, n = line_of(left, QUESTION, &next_left),
               m = line_of(right, ANSWER, &next_right);
        fprintf(f, "%.*s", (int)n, left);
        pad(f, QUESTION + 1 - width_of(left, n));
        fprintf(f, m ? "| %.*s\n" : "|\n", (int)m, right);
        left += next_left;
        right += next_right;
    }
}

static char *question_of(const struct card *c)
{
    char *out = card_front(c);
    for (int i = 0; i < c->n_choices; i++) {
        char *more = text_format("%s\n%c) %s", out, 'a' + i, c->choices[i]);
        free(out);
        out = more;
    }
    return out;
}

void sheet_cards(FILE *f, const struct card_set *set, enum sheet_format format)
{
    heading(f, set->id, format);
    if (format == SHEET_MARKDOWN)
        fputs("| question | answer | source |\n|---|---|---|\n", f);
    for (int i = 0; i < set->n; i++) {
        const struct card *c = &set->cards[i];
        char *question = question_of(c), *answer = card_answer(c);
        if (format == SHEET_MARKDOWN) {
            const char *cells[] = {question, answer, c->source};
            for (int k = 0; k < 3; k++) {
                fputs(k ? " | " : "| ", f);
                markdown(f, cells[k]);
            }
            fputs(c->opinion ? " (a rule of thumb) |\n" : " |\n", f);
        } else {
            char *right =
                text_format("%s%s\n(%s)", answer, c->opinion ? "\na rule of thumb" : "", c->source);
            two_columns(f, question, right);
            for (int k = 0; k < PAGE - 2; k++)
                fputc(k == QUESTION + 1 ? '+' : '-', f);
            fputc('\n', f);
            free(right);
        }
        free(question);
        free(answer);
    }
}

/* ---- drills ---- */

static void write_ask(FILE *f, int number, const struct drill_instance *i, enum sheet_format format)
{
    char mark[16];
    if (format == SHEET_MARKDOWN) {
        fprintf(f, "%d. ", number);
        markdown(f, i->ask);
        for (int k = 0; k < i->drill->n_choices; k++) {
            fprintf(f, "<br>%d) ", k + 1);
            markdown(f, i->choices[k]);
        }
        fputs("\n\n", f);
        return;
    }
    snprintf(mark, sizeof mark, "%3d.  ", number);
    paragraph(f, mark, i->ask);
    for (int k = 0; k < i->drill->n_choices; k++) {
        char choice[24];
        snprintf(choice, sizeof choice, "      %d) ", k + 1);
        paragraph(f, choice, i->choices[k]);
    }
    bool pure = !strcmp(i->drill->unit, "1"), choice = i->drill->n_choices > 0;
    fprintf(f, "\n      %s%s in %d s: ____________________\n\n",
            choice ? "one of them"
            : pure ? "a number"
                   : "in ",
            choice || pure ? "" : i->drill->unit, i->drill->seconds);
}

static void write_answer(FILE *f, int number, const struct drill_instance *i,
                         enum sheet_format format)
{
    char value[64], mark[16];
    drill_show_value(value, sizeof value, i->drill, i->answer);
    char *text = text_format("%s. %s", value, i->solution);
    if (format == SHEET_MARKDOWN) {
        fprintf(f, "%d. ", number);
        markdown(f, text);
        fputs("\n\n", f);
    } else {
        snprintf(mark, sizeof mark, "%3d.  ", number);
        paragraph(f, mark, text);
        fputc('\n', f);
    }
    free(text);
}

/* Drills of the topic, each once, from one that the seed picks. Returns how many could be made. */
static int make_ten(const struct library *l, const char *topic, uint64_t seed,
                    struct drill_instance *out[TEN])
{
    int n = 0, all = library_drills(l);
    for (int i = 0; i < all && n < TEN; i++) {
        const struct drill *d = library_drill_at(l, (int)((seed + (uint64_t)i) % (uint64_t)all));
        if (!strcmp(d->topic, topic) && !d->needs_gpu &&
            drill_instance_make(&out[n], d, seed, NULL, NULL) == 0)
            n++;
    }
    return n;
}

bool sheet_has_drills(const struct library *l, const char *topic)
{
    for (int i = 0; i < library_drills(l); i++)
        if (!strcmp(library_drill_at(l, i)->topic, topic) && !library_drill_at(l, i)->needs_gpu)
            return true;
    return false;
}

int sheet_drills(FILE *f, const struct library *l, const char *topic, uint64_t seed,
                 enum sheet_format format, struct err *err)
{
    struct drill_instance *ten[TEN];
    int n = make_ten(l, topic, seed, ten);
    if (n == 0)
        return err_set(err, ERR_MISSING, "no drill that works without a GPU has the topic '%s'",
                       topic);
    char *title = text_format("%s, seed %llu", topic, (unsigned long long)seed);
    heading(f, title, format);
    for (int i = 0; i < n; i++)
        write_ask(f, i + 1, ten[i], format);
    fputs(format == SHEET_MARKDOWN ? "\n---\n\n" : "\f", f);
    char *answers = text_format("%s: answers", title);
    heading(f, answers, format);
    for (int i = 0; i < n; i++) {
        write_answer(f, i + 1, ten[i], format);
        drill_instance_free(ten[i]);
    }
    free(answers);
    free(title);
    return 0;
}
