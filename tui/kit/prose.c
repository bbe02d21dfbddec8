/* libmd4c parses; here blocks become lines. Inline marks are dropped, since a terminal's bold says little inside a sentence. */
#include "tui/kit/prose.h"

#include <md4c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/kit/draw.h"

struct maker {
    struct prose *out;
    int cap, width;
    char *text; size_t len, size;      /* of the block that is open */
    int depth;                         /* of lists */
    int number[8];                     /* next number of an ordered list, 0: bullets */
    bool item_begins, heading;
};

static void add_line(struct maker *m, enum style style, const char *text, size_t len)
{
    if (m->out->n == m->cap)
        m->out->line = mem_grow(m->out->line, (size_t)(m->cap = m->cap ? 2 * m->cap : 32), sizeof *m->out->line);
    m->out->line[m->out->n++] = (struct prose_line){ style, text_ndup(text, len) };
}

static void add_gap(struct maker *m)
{
    if (m->out->n && m->out->line[m->out->n - 1].text[0])
        add_line(m, STYLE_PLAIN, "", 0);
}

static void collect(struct maker *m, const char *s, size_t n)
{
    if (m->len + n + 1 > m->size)
        m->text = mem_grow(m->text, m->size = 2 * (m->len + n + 1), 1);
    memcpy(m->text + m->len, s, n);
    m->text[m->len += n] = '\0';
}

static int columns_of(const char *s, size_t n)
{
    char *copy = text_ndup(s, n);
    int w = draw_columns(copy);
    free(copy);
    return w;
}

/* Bytes of the longest prefix that fits in `w` columns. */
static size_t fit(const char *s, size_t n, int w)
{
    size_t end = 0;
    while (end < n) {
        size_t next = end + 1;
        while (next < n && text_is_tail(s[next]))
            next++;
        if (columns_of(s, next) > w)
            break;
        end = next;
    }
    return end ? end : n;
}

static void flush_line(struct maker *m, enum style style, char *line, size_t *len, int indent)
{
    if (*len > (size_t)indent)
        add_line(m, style, line, *len);
    memset(line, ' ', (size_t)indent);
    *len = (size_t)indent;
}

/* `first` stands before the first line ("- "), its width in blanks before the others. */
static void wrap(struct maker *m, enum style style, const char *first, int indent)
{
    size_t first_len = strlen(first), used = first_len;
    char *line = mem_new(m->len + first_len + (size_t)indent + 8, 1);
    int room = m->width > indent + 4 ? m->width : indent + 4, column = indent;
    memcpy(line, first, first_len);
    bool empty = true;
    for (const char *s = m->text ? m->text : ""; *(s += strspn(s, " \n")); ) {
        size_t n = strcspn(s, " \n");
        if (columns_of(s, n) > room - indent)
            n = fit(s, n, room - indent);
        int w = columns_of(s, n);
        if (!empty && column + 1 + w > room) {
            flush_line(m, style, line, &used, indent);
            column = indent;
            empty = true;
        }
        if (!empty)
            line[used++] = ' ', column++;
        memcpy(line + used, s, n);
        used += n;
        column += w;
        empty = false;
        s += n;
    }
    if (!empty)
        add_line(m, style, line, used);
    free(line);
}

static void flush_text(struct maker *m)
{
    char first[32] = "";
    int indent = m->depth > 0 ? 2 * m->depth : 0;
    if (!m->len)
        return;
    if (m->depth > 0) {
        int *number = &m->number[(m->depth - 1) & 7], pad = 2 * (m->depth - 1);
        if (m->item_begins && *number)
            indent = snprintf(first, sizeof first, "%*s%d. ", pad, "", (*number)++);
        else
            snprintf(first, sizeof first, "%*s%s", pad, "", m->item_begins ? "- " : "  ");
        m->item_begins = false;
    }
    wrap(m, m->heading ? STYLE_BOLD : STYLE_PLAIN, first, indent);
    m->len = 0;
}

static void flush_code(struct maker *m)
{
    char *s = m->text ? m->text : "";
    for (size_t n; m->len && *s; s += n + (s[n] == '\n')) {
        n = strcspn(s, "\n");
        char *line = text_format("  %.*s", (int)n, s);
        add_line(m, STYLE_ACCENT, line, strlen(line));
        free(line);
    }
    m->len = 0;
}

static int on_enter(MD_BLOCKTYPE type, void *detail, void *ctx)
{
    struct maker *m = ctx;
    flush_text(m);
    if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) {
        if (m->depth == 0)
            add_gap(m);
        m->number[m->depth++ & 7] = type == MD_BLOCK_OL ? (int)((MD_BLOCK_OL_DETAIL *)detail)->start : 0;
    } else if (type == MD_BLOCK_LI) {
        m->item_begins = true;
    } else if (type == MD_BLOCK_H || type == MD_BLOCK_CODE || type == MD_BLOCK_HR || (type == MD_BLOCK_P && !m->item_begins)) {
        add_gap(m);
        m->heading = type == MD_BLOCK_H;
    }
    return 0;
}

static int on_leave(MD_BLOCKTYPE type, void *detail, void *ctx)
{
    struct maker *m = ctx;
    (void)detail;
    if (type == MD_BLOCK_CODE)
        flush_code(m);
    else
        flush_text(m);
    if (type == MD_BLOCK_UL || type == MD_BLOCK_OL)
        m->depth--;
    if (type == MD_BLOCK_H)
        m->heading = false;
    return 0;
}

static int on_span(MD_SPANTYPE type, void *detail, void *ctx)
{
    (void)type, (void)detail, (void)ctx;
    return 0;
}

static void collect_entity(struct maker *m, const char *s, size_t n)
{
    static const struct { const char *name, *text; } known[] = {
        { "&lt;", "<" }, { "&gt;", ">" }, { "&amp;", "&" }, { "&quot;", "\"" }, { "&nbsp;", " " },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == n && strncmp(s, known[i].name, n) == 0) {
            collect(m, known[i].text, 1);
            return;
        }
    collect(m, s, n);
}

static int on_text(MD_TEXTTYPE type, const MD_CHAR *s, MD_SIZE n, void *ctx)
{
    struct maker *m = ctx;
    if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR)
        collect(m, " ", 1);
    else if (type == MD_TEXT_ENTITY)
        collect_entity(m, s, n);
    else if (type != MD_TEXT_NULLCHAR)
        collect(m, s, n);
    return 0;
}

void prose_make(struct prose *out, const char *markdown, int width)
{
    struct maker m = { .out = out, .width = width };
    MD_PARSER parser = { .flags = MD_FLAG_NOHTML, .enter_block = on_enter, .leave_block = on_leave,
                         .enter_span = on_span, .leave_span = on_span, .text = on_text };
    *out = (struct prose){ 0 };
    md_parse(markdown, (MD_SIZE)strlen(markdown), &parser, &m);
    while (out->n && !out->line[out->n - 1].text[0])
        free(out->line[--out->n].text);
    free(m.text);
}

void prose_free(struct prose *p)
{
    if (!p)
        return;
    for (int i = 0; i < p->n; i++)
        free(p->line[i].text);
    free(p->line);
    *p = (struct prose){ 0 };
}
