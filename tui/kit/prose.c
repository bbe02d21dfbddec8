#include "tui/kit/prose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/kit/draw.h"
#include "tui/kit/markdown.h"

struct maker { struct prose *out; int cap, width; };

static void add_line(struct maker *m, enum style style, char *text)
{
    struct prose *p = m->out;
    if (p->n == m->cap)
        p->line = mem_grow(p->line, (size_t)(m->cap = m->cap ? 2 * m->cap : 32), sizeof *p->line);
    p->line[p->n++] = (struct prose_line){ style, text };
}

static void add_gap(struct maker *m)
{
    if (m->out->n && m->out->line[m->out->n - 1].text[0])
        add_line(m, STYLE_PLAIN, text_dup(""));
}

/* One blank between two words, none at the ends. */
static char *words_of(const char *text)
{
    char *words = mem_new(strlen(text) + 1, 1), *to = words;
    for (const char *s = text; *(s += strspn(s, " \t\n"));) {
        size_t n = strcspn(s, " \t\n");
        if (to > words)
            *to++ = ' ';
        memcpy(to, s, n);
        to += n;
        s += n;
    }
    return words;
}

/* `first` stands before the first line ("- "), its width in blanks before the others. */
static void wrap(struct maker *m, enum style style, const char *first, const char *text)
{
    enum { ROOM_LEAST = 4 };
    int indent = (int)strlen(first), room = m->width - indent;
    char *words = words_of(text);
    for (const char *s = words; *s; s += strspn(s, " ")) {
        size_t n = draw_line_bytes(s, room > ROOM_LEAST ? room : ROOM_LEAST);
        const char *before = s == words ? first : "";
        add_line(m, style, text_format("%-*s%.*s", indent, before, (int)n, s));
        s += n;
    }
    free(words);
}

static void add_code(struct maker *m, const char *s)
{
    for (size_t n; *s; s += n + 1) {
        n = strcspn(s, "\n");
        add_line(m, STYLE_ACCENT, text_format("  %.*s", (int)n, s));
    }
}

static void add_block(void *user, const struct markdown_block *b)
{
    struct maker *m = user;
    char first[2 * MARKDOWN_DEPTH + 16];
    if (b->kind != MARKDOWN_ITEM || (b->begins_list && b->depth == 1))
        add_gap(m);
    if (b->kind == MARKDOWN_CODE) {
        add_code(m, b->text);
        return;
    }
    int pad = 2 * (b->depth - 1);
    if (b->depth == 0)
        first[0] = '\0';
    else if (b->number)
        snprintf(first, sizeof first, "%*s%d. ", pad, "", b->number);
    else
        snprintf(first, sizeof first, "%*s%s", pad, "", b->kind == MARKDOWN_ITEM ? "- " : "  ");
    wrap(m, b->kind == MARKDOWN_HEADING ? STYLE_BOLD : STYLE_PLAIN, first, b->text);
}

void prose_make(struct prose *out, const char *markdown, int width)
{
    struct maker m = { .out = out, .width = width };
    *out = (struct prose){ .width = width };
    markdown_read(markdown, add_block, &m);
    while (out->n && !out->line[out->n - 1].text[0])
        free(out->line[--out->n].text);
}

const struct prose *prose_at(struct prose *kept, const char *markdown, int width)
{
    if (kept->line && kept->width == width)
        return kept;
    prose_free(kept);
    prose_make(kept, markdown, width);
    return kept;
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
