#include "drills/question/card.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drills/question/choice.h"
#include "drills/question/fill.h"
#include "drills/question/template.h"
#include "kernels/wire/text.h"

enum { FRONT = 240, BACK = 480, ID = 60 };
static const char *const kinds[] = {"cloze", "number", "choice", "recall"};
static const char *const columns[] = {"id",        "topic",   "kind",   "front",   "back", "unit",
                                      "tolerance", "choices", "source", "teaches", "note"};
enum column {
    C_ID,
    C_TOPIC,
    C_KIND,
    C_FRONT,
    C_BACK,
    C_UNIT,
    C_TOLERANCE,
    C_CHOICES,
    C_SOURCE,
    C_TEACHES,
    C_NOTE,
    COLUMNS
};

const char *card_kind_name(enum card_kind kind)
{
    return kinds[kind];
}

/* Where one row is read from: its cells by our columns. */
struct source { const struct rows *rows; const struct row *row; struct err *err; };

static const char *cell(const struct source *s, enum column c)
{
    return row_cell(s->row, rows_column(s->rows, columns[c]));
}

static int refuse(const struct source *s, enum column c, const char *what)
{
    return rows_fail(s->rows, s->row, rows_column(s->rows, columns[c]), ERR_BAD_REQUEST, s->err,
                     "%s", what);
}

static bool id_ok(const char *id)
{
    size_t n = strlen(id);
    return n >= 1 && n <= ID && strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-.") == n;
}

static int index_of(const char *const *names, int n, const char *text)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(names[i], text))
            return i;
    return -1;
}

static bool topic_ok(const char *topic)
{
    for (int i = 0; drill_topics[i]; i++)
        if (!strcmp(drill_topics[i], topic))
            return true;
    return false;
}

/* ---- kinds ---- */

static int read_gaps(struct card *c, const struct source *s)
{
    for (const char *at = c->front; (at = strstr(at, "{{")); ) {
        const char *end = strstr(at, "}}");
        if (!end || end == at + 2 || memchr(at + 2, '{', (size_t)(end - at - 2)))
            return refuse(s, C_FRONT,
                          "a gap that does not close, or is empty; {{words}} was expected");
        if (c->n_gaps == CARD_GAPS)
            return refuse(s, C_FRONT, "more than four gaps; fewer were expected");
        c->gaps[c->n_gaps++] = text_ndup(at + 2, (size_t)(end - at - 2));
        at = end + 2;
    }
    return c->n_gaps ? 0 : refuse(s, C_FRONT, "a cloze without a gap; {{words}} was expected");
}

static int read_number(struct card *c, const struct source *s)
{
    char say[160];
    struct quantity q;
    struct dim dim;
    double factor;
    const char *tolerance = cell(s, C_TOLERANCE);
    c->unit = text_dup(*cell(s, C_UNIT) ? cell(s, C_UNIT) : "1");
    if (!unit_parse(c->unit, strlen(c->unit), &dim, &factor))
        return refuse(s, C_UNIT, "an unknown unit; one such as B, GB/s, s, % or 1 was expected");
    if (quantity_read(c->back, c->unit, &q, say, sizeof say) != QUANTITY_OK)
        return refuse(s, C_BACK, say);
    c->value = q.value;
    if (!tolerance_read(*tolerance ? tolerance : "exact", &c->tolerance))
        return refuse(s, C_TOLERANCE, "not a tolerance; exact, 5%, x1.5 or +-1 was expected");
    return 0;
}

static int read_choices(struct card *c, const struct source *s)
{
    const char *at = cell(s, C_CHOICES);
    c->right = -1;
    while (*at) {
        const char *bar = strstr(at, " | ");
        size_t n = bar ? (size_t)(bar - at) : strlen(at);
        if (c->n_choices == CARD_CHOICES)
            return refuse(s, C_CHOICES, "more than six choices; fewer were expected");
        c->choices[c->n_choices] = text_ndup(at, n);
        if (choice_is_place(c->choices[c->n_choices++]))
            return refuse(s, C_CHOICES,
                          "a choice that is a number from 1 to 9, which would be taken for a place "
                          "in the list; one with words was expected");
        if (!strcmp(c->choices[c->n_choices - 1], c->back))
            c->right = c->n_choices - 1;
        at += n + (bar ? 3 : 0);
    }
    if (c->n_choices < 2)
        return refuse(s, C_CHOICES,
                      "fewer than two choices; some, separated by ' | ', were expected");
    return c->right < 0
               ? refuse(s, C_CHOICES, "the back is none of them; it was expected among the choices")
               : 0;
}

static int read_kind(struct card *c, const struct source *s)
{
    if (c->kind != CARD_CLOZE && !*c->back)
        return refuse(s, C_BACK, "empty; the answer was expected");
    switch (c->kind) {
    case CARD_CLOZE: return read_gaps(c, s);
    case CARD_NUMBER: return read_number(c, s);
    case CARD_CHOICE: return read_choices(c, s);
    default: return 0;
    }
}

static int read_card(struct card *c, const char *set, const struct source *s)
{
    int kind = index_of(kinds, 4, cell(s, C_KIND));
    if (!id_ok(cell(s, C_ID)))
        return refuse(s, C_ID, "not an id; 1 to 60 characters a-z 0-9 - . were expected");
    if (!topic_ok(cell(s, C_TOPIC)))
        return refuse(s, C_TOPIC,
                      "not a topic; one such as silicon, kernels, memory or inference was "
                      "expected");
    if (kind < 0)
        return refuse(s, C_KIND, "not a kind; cloze, number, choice or recall was expected");
    if (!*cell(s, C_FRONT) || strlen(cell(s, C_FRONT)) > FRONT)
        return refuse(s, C_FRONT, "empty, or more than 240 bytes; a question was expected");
    if (strlen(cell(s, C_BACK)) > BACK)
        return refuse(s, C_BACK, "more than 480 bytes; a shorter answer was expected");
    *c = (struct card){.set = set,
                       .kind = (enum card_kind)kind,
                       .line = s->row->line,
                       .id = text_dup(cell(s, C_ID)),
                       .full_id = text_format("%s/%s", set, cell(s, C_ID)),
                       .topic = text_dup(cell(s, C_TOPIC)),
                       .front = text_dup(cell(s, C_FRONT)),
                       .back = text_dup(cell(s, C_BACK)),
                       .source = text_dup(cell(s, C_SOURCE)),
                       .note = text_dup(cell(s, C_NOTE)),
                       .teaches = text_dup(cell(s, C_TEACHES)),
                       .opinion = strstr(cell(s, C_NOTE), "opinion") != NULL};
    return read_kind(c, s);
}

int card_make(struct card *out, const char *set, const struct rows *rows, const struct row *row,
              struct err *err)
{
    struct source s = {rows, row, err};
    *out = (struct card){.set = set};
    int rc = read_card(out, set, &s);
    if (rc)
        card_free(out);
    return rc;
}

void card_free(struct card *c)
{
    char *texts[] = {c->id,     c->full_id, c->topic,   c->front, c->back,
                     c->source, c->note,    c->teaches, c->unit};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    for (int i = 0; i < c->n_gaps; i++)
        free(c->gaps[i]);
    for (int i = 0; i < c->n_choices; i++)
        free(c->choices[i]);
    *c = (struct card){.set = NULL};
}

static int check_columns(const struct rows *rows, struct err *err)
{
    for (int c = C_ID; c <= C_BACK; c++)
        if (rows_column(rows, columns[c]) < 0)
            return rows_fail(rows, &rows->head, -1, ERR_BAD_REQUEST, err,
                             "no column '%s'; id, topic, kind, front, back (and unit, tolerance, "
                             "choices, source, teaches, note) were expected",
                             columns[c]);
    for (int i = 0; i < rows->head.n; i++)
        if (index_of(columns, COLUMNS, rows->head.cell[i]) < 0)
            return rows_fail(rows, &rows->head, i, ERR_BAD_REQUEST, err,
                             "an unknown column; id, topic, kind, front, back, unit, tolerance, "
                             "choices, source, teaches, note are known");
    return 0;
}

int card_set_make(struct card_set *out, const char *id, const struct rows *rows, struct err *err)
{
    struct rows_index ids;
    int rc = check_columns(rows, err), column = rows_column(rows, "id");
    *out = (struct card_set){text_dup(id), mem_new((size_t)rows->n, sizeof *out->cards), 0};
    rows_index_make(&ids, rows, column);
    for (int i = 0; !rc && i < rows->n; i++) {
        const struct row *row = &rows->row[i];
        int first = rows_find(&ids, row_cell(row, column), NULL);
        if (first < i)
            rc = rows_fail(rows, row, column, ERR_BAD_REQUEST, err,
                           "the same id stands in line %d; each id once was expected",
                           rows->row[first].line);
        else
            rc = card_make(&out->cards[out->n], out->id, rows, row, err);
        out->n += !rc;
    }
    rows_index_free(&ids);
    if (rc)
        card_set_free(out);
    return rc;
}

void card_set_free(struct card_set *s)
{
    for (int i = 0; i < s->n; i++)
        card_free(&s->cards[i]);
    free(s->cards);
    free(s->id);
    *s = (struct card_set){NULL, NULL, 0};
}

/* ---- showing ---- */

/* The front with each gap as `gap`, or filled when gap is NULL. */
static char *with_gaps(const struct card *c, const char *gap)
{
    char *out = text_dup("");
    const char *at = c->front;
    for (int g = 0; g < c->n_gaps; g++) {
        const char *open = strstr(at, "{{");
        char *longer = text_format("%s%.*s%s", out, (int)(open - at), at, gap ? gap : c->gaps[g]);
        free(out);
        out = longer;
        at = strstr(open, "}}") + 2;
    }
    char *whole = text_format("%s%s", out, at);
    free(out);
    return whole;
}

char *card_front(const struct card *c)
{
    return with_gaps(c, "____");
}

char *card_answer(const struct card *c)
{
    return c->kind == CARD_CLOZE ? with_gaps(c, NULL) : text_dup(c->back);
}

void card_shuffle(const struct card *c, unsigned long long seed, int out[CARD_CHOICES])
{
    for (int i = 0; i < c->n_choices; i++)
        out[i] = i;
    for (int i = c->n_choices - 1; i > 0; i--) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        int k = (int)((seed >> 33) % (unsigned)(i + 1)), kept = out[i];
        out[i] = out[k];
        out[k] = kept;
    }
}

/* ---- grading ---- */

static enum card_verdict grade_cloze(const struct card *c, const char *typed, char *say,
                                     size_t size)
{
    char given[160], right[160];
    for (int g = 0; g < c->n_gaps; g++) {
        size_t n = c->n_gaps > 1 ? strcspn(typed, ",;") : strlen(typed);
        choice_plain(given, sizeof given, typed, n);
        choice_plain(right, sizeof right, c->gaps[g], strlen(c->gaps[g]));
        if (strcmp(given, right)) {
            snprintf(say, size, "\"%.80s\" was missing.", c->gaps[g]);
            return CARD_WRONG;
        }
        typed += n + (typed[n] != '\0');
    }
    return CARD_RIGHT;
}

static enum card_verdict grade_number(const struct card *c, const char *typed, char *say,
                                      size_t size)
{
    struct quantity q;
    if (quantity_read(typed, c->unit, &q, say, size) != QUANTITY_OK)
        return CARD_UNREADABLE;
    if (tolerance_holds(c->tolerance, q.value, c->value))
        return CARD_RIGHT;
    char off[32];
    if (q.value * c->value > 0) {
        tolerance_off_by(off, sizeof off, q.value, c->value);
        snprintf(say, size, "%c%s.", toupper((unsigned char)off[0]), off + 1);
    }
    return CARD_WRONG;
}

static enum card_verdict grade_choice(const struct card *c, const int *order, const char *typed,
                                      char *say, size_t size)
{
    int place = choice_by_place(typed, c->n_choices);
    int picked = place ? order[place - 1] : choice_by_words(c->choices, c->n_choices, typed);
    if (picked >= 0)
        return picked == c->right ? CARD_RIGHT : CARD_WRONG;
    snprintf(say, size, "Give the number of a choice, 1 to %d.", c->n_choices);
    return CARD_UNREADABLE;
}

enum card_verdict card_grade(const struct card *c, const int *order, const char *typed, char *say,
                             size_t size)
{
    if (size)
        say[0] = '\0';
    if (c->kind == CARD_CLOZE)
        return grade_cloze(c, typed, say, size);
    return c->kind == CARD_NUMBER ? grade_number(c, typed, say, size)
                                  : grade_choice(c, order, typed, say, size);
}
