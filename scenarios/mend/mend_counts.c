#include "scenarios/mend/mend_counts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

/* Behind blanks, a brace and a predicate ("@%p1", "@!%p1"). */
static const char *instruction(const char *line)
{
    line += strspn(line, " \t{");
    if (*line == '@')
        line += strcspn(line, " \t\n");
    return line + strspn(line, " \t");
}

/* Labels, directives, comments and what ends with no semicolon are none. */
static size_t name_length(const char *at)
{
    size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789._:");
    size_t line = strcspn(at, "\n");
    bool ends = memchr(at, ';', line) != NULL;
    if (*at < 'a' || *at > 'z' || !ends || (at[n] != ' ' && at[n] != '\t' && at[n] != ';'))
        return 0;
    return n;
}

static void count(struct mend_counts *out, int side, const char *name, size_t n)
{
    struct mend_count *r = out->row, *end = out->row + out->n_rows;
    out->all[side]++;
    if (n >= MEND_COUNTS_NAME)
        n = MEND_COUNTS_NAME - 1;
    while (r < end && (strlen(r->name) != n || strncmp(r->name, name, n) != 0))
        r++;
    if (r == end && out->n_rows == MEND_COUNTS_ROWS)
        return;
    if (r == end) {
        memcpy(r->name, name, n);
        out->n_rows++;
    }
    r->n[side]++;
}

void mend_count_ptx(struct mend_counts *out, int side, const char *ptx)
{
    for (const char *line = ptx; *line; line = text_next_line(line)) {
        const char *at = instruction(line);
        size_t n = name_length(at);
        if (n)
            count(out, side, at, n);
    }
}

/* ---- machine code ---- */

/* Behind the address; NULL where the line has none: encodings, labels, directives. */
static const char *behind_address(const char *line)
{
    line += strspn(line, " \t");
    if (strncmp(line, "/*", 2) != 0)
        return NULL;
    size_t digits = strspn(line + 2, "0123456789abcdef");
    const char *end = line + 2 + digits;
    return digits && digits <= 8 && !strncmp(end, "*/", 2) ? instruction(end + 2) : NULL;
}

/* Empty instructions fill the code up to its alignment. */
void mend_count_sass(struct mend_counts *out, int side, const char *listing)
{
    for (const char *line = listing; *line; line = text_next_line(line)) {
        const char *at = behind_address(line);
        size_t n = at ? strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._") : 0;
        if (n && !(n == 3 && !strncmp(at, "NOP", 3)))
            count(out, side, at, n);
    }
}

/* ---- order ---- */

static int difference(const struct mend_count *r)
{
    return abs(r->n[0] - r->n[1]);
}

/* What moves data, waits, or is the arithmetic of floats; the rest is bookkeeping. */
static bool is_work(const char *name)
{
    static const char *const begins[] = {
        "ld",  "st",  "atom",  "red",   "cp",  "mma", "wmma", "wgmma", "bar", "mbarrier", "shfl",
        "fma", "ex2", "rcp",   "LD",    "ST",  "ATOM", "RED", "HMMA",  "IMMA", "GMMA",    "HGMMA",
        "QGMMA", "IGMMA", "UTMA", "BAR", "SYNCS", "SHFL", "F", "HFMA", "MUFU", "D"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (!strncmp(name, begins[i], strlen(begins[i])))
            return true;
    return strstr(name, ".f32") || strstr(name, ".f64") || strstr(name, ".f16");
}

static int rank(const struct mend_count *r)
{
    return !difference(r) ? 2 : !is_work(r->name);
}

static int by_difference(const void *a, const void *b)
{
    const struct mend_count *x = a, *y = b;
    int first = rank(x) - rank(y), more = difference(y) - difference(x);
    return first ? first : more ? more : strcmp(x->name, y->name);
}

int mend_counts_order(struct mend_counts *p)
{
    int n = 0;
    qsort(p->row, (size_t)p->n_rows, sizeof *p->row, by_difference);
    while (n < p->n_rows && difference(&p->row[n]))
        n++;
    return n;
}
