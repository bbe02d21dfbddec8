/* Common head and tail first, then the classic table over what is left; texts are a page or two. */
#include "scenarios/text/diff.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

#define TABLE_MAX (2000L * 2000L)

struct lines { struct diff_line *line; int n; };

static bool starts(const char *s, const char *with) { return strncmp(s, with, strlen(with)) == 0; }

static size_t line_length(const char *s)
{
    return strcspn(s, "\n");
}

static bool blank(const char *s, size_t n)
{
    return strspn(s, " \t\r") >= n;
}

size_t diff_body(const char *text, int *line)
{
    const char *s = text;
    bool inside = false;
    *line = 1;
    while (*s) {
        size_t n = line_length(s);
        const char *word = s + strspn(s, " \t");
        bool opens = !inside && starts(word, "/*");
        if (!inside && !opens && !starts(word, "//") && !blank(s, n))
            break;
        if (opens || inside) {
            const char *from = opens ? word + 2 : s;
            inside = !memmem(from, (size_t)(s + n - from), "*/", 2);
        }
        s += n + (s[n] == '\n');
        ++*line;
    }
    if (*s)
        return (size_t)(s - text);
    *line = 1;
    return 0;
}

static struct lines split(const char *text)
{
    struct lines out = { NULL, 0 };
    int number = 1;
    const char *s = text + diff_body(text, &number);
    for (int cap = 0; *s; number++) {
        size_t n = line_length(s), shown = n;
        while (shown && strchr(" \t\r", s[shown - 1]))
            shown--;
        if (out.n == cap)
            out.line = mem_grow(out.line, (size_t)(cap = cap ? 2 * cap : 64), sizeof *out.line);
        out.line[out.n++] =
            (struct diff_line){.old_line = number, .new_line = number, .text = s, .len = shown};
        s += n + (s[n] == '\n');
    }
    return out;
}

static bool same(const struct diff_line *a, const struct diff_line *b)
{
    return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

static void put(struct diff *d, enum diff_kind kind, const struct diff_line *a,
                const struct diff_line *b)
{
    struct diff_line l = a ? *a : *b;
    l.kind = kind;
    l.old_line = a ? a->old_line : 0;
    l.new_line = b ? b->new_line : 0;
    d->line[d->n++] = l;
    d->out += kind == DIFF_OUT;
    d->in += kind == DIFF_IN;
}

/* ---- numbers for lines, so that two are compared at once ---- */

struct numbered { const struct diff_line *line; int at; };

static int by_text(const void *a, const void *b)
{
    const struct diff_line *x = ((const struct numbered *)a)->line;
    const struct diff_line *y = ((const struct numbered *)b)->line;
    int rc = memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);
    return rc ? rc : (x->len > y->len) - (x->len < y->len);
}

/* n numbers of a, then m of b; equal ones where lines are equal. */
static int *numbers_of(const struct diff_line *a, int n, const struct diff_line *b, int m)
{
    struct numbered *all = mem_new((size_t)(n + m) + 1, sizeof *all);
    int *number = mem_new((size_t)(n + m) + 1, sizeof *number);
    for (int k = 0; k < n + m; k++)
        all[k] = (struct numbered){ k < n ? &a[k] : &b[k - n], k };
    qsort(all, (size_t)(n + m), sizeof *all, by_text);
    for (int k = 0, next = 0; k < n + m; k++)
        number[all[k].at] = next += k > 0 && !same(all[k].line, all[k - 1].line);
    free(all);
    return number;
}

/* table[i][j]: length of the common subsequence of a[i..] and b[j..]. */
static int *lcs_table(const int *a, int n, const int *b, int m)
{
    int *table = mem_new((size_t)(n + 1) * (size_t)(m + 1), sizeof *table);
    for (int i = n - 1; i >= 0; i--)
        for (int j = m - 1; j >= 0; j--) {
            int *at = table + (size_t)i * (size_t)(m + 1) + j;
            int down = at[m + 1], right = at[1];
            *at = a[i] == b[j] ? at[m + 2] + 1 : down > right ? down : right;
        }
    return table;
}

/* Texts too long for the table have all their lines changed. */
static void put_middle(struct diff *d, const struct diff_line *a, int n, const struct diff_line *b,
                       int m)
{
    int i = 0, j = 0;
    if ((long)n * m <= TABLE_MAX) {
        int *number = numbers_of(a, n, b, m), *table = lcs_table(number, n, number + n, m);
        while (i < n && j < m) {
            const int *at = table + (size_t)i * (size_t)(m + 1) + j;
            if (number[i] == number[n + j])
                put(d, DIFF_SAME, &a[i], &b[j]), i++, j++;
            else if (at[m + 1] >= at[1])
                put(d, DIFF_OUT, &a[i++], NULL);
            else
                put(d, DIFF_IN, NULL, &b[j++]);
        }
        free(table);
        free(number);
    }
    while (i < n)
        put(d, DIFF_OUT, &a[i++], NULL);
    while (j < m)
        put(d, DIFF_IN, NULL, &b[j++]);
}

void diff_make(struct diff *out, const char *old_text, const char *new_text)
{
    struct lines a = split(old_text), b = split(new_text);
    int head = 0, tail = 0;
    *out = (struct diff){ .line = mem_new((size_t)(a.n + b.n) + 1, sizeof *out->line) };
    while (head < a.n && head < b.n && same(&a.line[head], &b.line[head]))
        head++;
    while (tail < a.n - head && tail < b.n - head &&
           same(&a.line[a.n - 1 - tail], &b.line[b.n - 1 - tail]))
        tail++;
    for (int i = 0; i < head; i++)
        put(out, DIFF_SAME, &a.line[i], &b.line[i]);
    put_middle(out, a.line + head, a.n - head - tail, b.line + head, b.n - head - tail);
    for (int i = tail; i > 0; i--)
        put(out, DIFF_SAME, &a.line[a.n - i], &b.line[b.n - i]);
    free(a.line);
    free(b.line);
}

void diff_free(struct diff *d)
{
    if (!d)
        return;
    free(d->line);
    *d = (struct diff){ 0 };
}

bool diff_near(const struct diff *d, int k, int context)
{
    for (int i = k - context; i <= k + context; i++)
        if (i >= 0 && i < d->n && d->line[i].kind != DIFF_SAME)
            return true;
    return false;
}
