#include "tui/kit/markdown.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

/* Of a list: where its marks stand, and the newest item's number or 0. */
struct level { size_t indent; int number; };

struct reader {
    markdown_take *take;
    void *user;
    char *text;                 /* of the block that is open */
    size_t len;
    bool open;
    struct markdown_block block;
    struct level level[MARKDOWN_DEPTH];
    int depth;
    size_t fence;               /* blanks before the fence of open code */
};

/* ---- inside a line ---- */

/* Marks of one kind: stars in a run of one or two, or a backtick. */
struct pairs {
    size_t close;               /* where the pair that is open ends; SIZE_MAX: none is open */
    bool none;                  /* no mark that closes follows any more */
};

static size_t stars(const char *s, size_t n, size_t at)
{
    size_t end = at;
    while (end < n && s[end] == '*')
        end++;
    return end - at;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static bool opens(const char *s, size_t n, size_t at, size_t run)
{
    return (at == 0 || !is_word(s[at - 1])) && at + run < n && !is_blank(s[at + run]);
}

static bool closes(const char *s, size_t n, size_t at, size_t run)
{
    return at > 0 && !is_blank(s[at - 1]) && (at + run >= n || !is_word(s[at + run]));
}

/* Where the run of so many stars closes that opens at `at`; SIZE_MAX: nowhere. */
static size_t close_of(const char *s, size_t n, size_t at, size_t run)
{
    for (size_t i = at + run, k; i < n; i += k ? k : 1)
        if ((k = stars(s, n, i)) == run && closes(s, n, i, run))
            return i;
    return SIZE_MAX;
}

/* Is this run a mark of stress? Each search goes on where the one before ended: one pass for all.
 */
static bool is_mark(struct pairs *p, const char *s, size_t n, size_t at, size_t run)
{
    if (p->close == at) {
        p->close = SIZE_MAX;
        return true;
    }
    if (p->none || p->close != SIZE_MAX || !opens(s, n, at, run))
        return false;
    p->close = close_of(s, n, at, run);
    p->none = p->close == SIZE_MAX;
    return !p->none;
}

/* Takes the marks out in place; returns the bytes that are left. */
static size_t without_marks(char *s, size_t n)
{
    struct pairs of[2] = { { SIZE_MAX, false }, { SIZE_MAX, false } };
    size_t out = 0;
    char *copy = text_ndup(s, n);
    bool no_code = false;
    for (size_t i = 0, run; i < n; i += run) {
        const char *end = copy[i] == '`' && !no_code ? memchr(copy + i + 1, '`', n - i - 1) : NULL;
        no_code |= copy[i] == '`' && !end;
        run = stars(copy, n, i);
        if (end) {
            run = (size_t)(end - copy) + 1 - i;
            memcpy(s + out, copy + i + 1, run - 2);
            out += run - 2;
            for (int k = 0; k < 2; k++)     /* stars in code are none */
                if (of[k].close < i + run)
                    of[k].close = SIZE_MAX;
        } else if (run == 0 || run > 2 || !is_mark(&of[run - 1], copy, n, i, run)) {
            run = run ? run : 1;
            memcpy(s + out, copy + i, run);
            out += run;
        }
    }
    free(copy);
    return out;
}

/* ---- blocks ---- */

static void end_block(struct reader *r)
{
    if (!r->open)
        return;
    if (r->block.kind != MARKDOWN_CODE)
        r->len = without_marks(r->text, r->len);
    r->text[r->len] = '\0';
    r->block.text = r->text;
    r->take(r->user, &r->block);
    r->open = false;
    r->len = 0;
}

static void begin_block(struct reader *r, enum markdown_kind kind)
{
    end_block(r);
    r->open = true;
    r->block = (struct markdown_block){ .kind = kind, .depth = r->depth };
}

/* The text is never longer than what was read of it. */
static void add(struct reader *r, const char *s, size_t n)
{
    memcpy(r->text + r->len, s, n);
    r->len += n;
}

/* Bytes of "- ", "* " or "12. " at the beginning of a line; *number is 0 for a bullet. */
static size_t item_mark(const char *s, size_t n, int *number)
{
    size_t digits = 0;
    *number = 0;
    if (n > 2 && (s[0] == '-' || s[0] == '*') && s[1] == ' ')
        return 2;
    while (digits < n && digits < 9 && isdigit((unsigned char)s[digits]))
        digits++;
    if (digits == 0 || digits + 2 >= n || s[digits] != '.' || s[digits + 1] != ' ')
        return 0;
    *number = atoi(s);
    return digits + 2;
}

/* A mark two columns further in begins a list inside the list. */
static void begin_item(struct reader *r, size_t indent, int number)
{
    while (r->depth > 1 && indent < r->level[r->depth - 1].indent)
        r->depth--;
    struct level *l = r->depth ? &r->level[r->depth - 1] : NULL;
    bool inside = !l || (indent >= l->indent + 2 && r->depth < MARKDOWN_DEPTH);
    if (inside)
        l = &r->level[r->depth++];
    bool follows = !inside && (l->number > 0) == (number > 0);
    *l = (struct level){ inside ? indent : l->indent, follows && number ? l->number + 1 : number };
    begin_block(r, MARKDOWN_ITEM);
    r->block.number = l->number;
    r->block.begins_list = inside;
}

static size_t heading_mark(const char *s, size_t n)
{
    size_t marks = 0;
    while (marks < n && s[marks] == '#')
        marks++;
    return marks > 0 && marks <= 6 && marks < n && s[marks] == ' ' ? marks + 1 : 0;
}

/* What is indented behind an item's mark belongs to the item. */
static void leave_lists(struct reader *r, size_t indent)
{
    while (r->depth > 0 && indent < r->level[r->depth - 1].indent + 2)
        r->depth--;
}

/* A line that goes on with what is open, or begins a paragraph. */
static void take_text(struct reader *r, size_t indent, const char *s, size_t n)
{
    if (!r->open) {
        leave_lists(r, indent);
        begin_block(r, MARKDOWN_PARAGRAPH);
    } else if (r->len) {
        add(r, "\n", 1);
    }
    add(r, s, n);
}

/* A number begins an item after an empty line or another item: sentences break before "2048. ". */
static void take_line(struct reader *r, size_t indent, const char *s, size_t n)
{
    int number;
    size_t mark = item_mark(s, n, &number);
    if (n == 0) {
        end_block(r);
    } else if (heading_mark(s, n)) {
        r->depth = 0;
        begin_block(r, MARKDOWN_HEADING);
        add(r, s + heading_mark(s, n), n - heading_mark(s, n));
        end_block(r);
    } else if (mark && !(number && r->open && r->block.kind == MARKDOWN_PARAGRAPH)) {
        begin_item(r, indent, number);
        add(r, s + mark, n - mark);
    } else {
        take_text(r, indent, s, n);
    }
}

static void take_code(struct reader *r, const char *line, size_t indent, size_t n)
{
    size_t cut = indent < r->fence ? indent : r->fence;
    add(r, line + cut, n - cut);
    add(r, "\n", 1);
}

static size_t without_end(const char *s, size_t n)
{
    while (n > 0 && (is_blank(s[n - 1]) || s[n - 1] == '\r'))
        n--;
    return n;
}

void markdown_read(const char *text, markdown_take *take, void *user)
{
    struct reader r = { .take = take, .user = user, .text = mem_new(strlen(text) + 2, 1) };
    for (const char *s = text; *s;) {
        size_t n = strcspn(s, "\n"), shown = without_end(s, n), indent = 0;
        while (indent < shown && is_blank(s[indent]))
            indent++;
        bool fence = shown - indent >= 3 && memcmp(s + indent, "```", 3) == 0;
        bool code = r.open && r.block.kind == MARKDOWN_CODE;
        if (fence && code) {
            end_block(&r);
        } else if (fence) {
            leave_lists(&r, indent);
            begin_block(&r, MARKDOWN_CODE);
            r.fence = indent;
        } else if (code) {
            take_code(&r, s, indent, shown);
        } else {
            take_line(&r, indent, s + indent, shown - indent);
        }
        s += n + (s[n] == '\n');
    }
    end_block(&r);
    free(r.text);
}
