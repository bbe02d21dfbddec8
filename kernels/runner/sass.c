#include "kernels/runner/sass.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/disassembler.h"
#include "kernels/wire/text.h"

enum { LISTED = CAP_NUMBERS, TEXT_BYTES = 400, MOST_FILES = 16 };

/* ---- the listing under construction ---- */

struct listing {
    struct msg_part *part;
    const char *file;          /* the source whose lines are told */
    double *lines;             /* of each line of the part */
    int left_out, instructions, padding;  /* padding: empty instructions at the end so far */
};

static void add_line(struct listing *l, int source_line, const char *fmt, const char *a,
                     const char *b, const char *c)
{
    if (l->part->n_lines >= LISTED) {
        l->left_out++;
        return;
    }
    l->lines[l->part->n_lines] = source_line;
    part_line(l->part, fmt, a, b, c);
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

/* Length without the blanks at the end. */
static size_t trimmed(const char *at, size_t len)
{
    while (len > 0 && strchr(" \t\r", at[len - 1]))
        len--;
    return len;
}

static bool names_file(const char *path, size_t len, const char *file)
{
    size_t n = strlen(file);
    return len >= n && !strncmp(path + len - n, file, n) && (len == n || path[len - n - 1] == '/');
}

/* ---- SASS: what nvdisasm prints ---- */

struct sass {
    struct listing *listing;
    const struct msg_run *run;
    const char *source;
    bool wanted;
    int line;
};

static bool is_kernel(const struct sass *s, const char *name, size_t len)
{
    for (int i = 0; i < s->run->n_launches; i++) {
        const struct msg_launch *m = &s->run->launches[i];
        if (!strcmp(m->source, s->source) && strlen(m->kernel) == len &&
            !strncmp(m->kernel, name, len))
            return true;
    }
    return false;
}

/* //## File "/folder/suspect.cu", line 12 */
static void read_place(struct sass *s, const char *at)
{
    const char *path = strchr(at, '"'), *end = path ? strchr(path + 1, '"') : NULL,
               *line = end ? strstr(end, "line ") : NULL;
    s->line = line && names_file(path + 1, (size_t)(end - path - 1), s->listing->file)
                  ? atoi(line + 5)
                  : 0;
}

/* The instruction without the quotes and brackets around a label, its predicate in a column of its
 * own. */
static void add_instruction(struct sass *s, const char *address, const char *text, size_t len)
{
    char plain[TEXT_BYTES], predicate[16] = "";
    size_t n = 0, take = *text == '@' ? strcspn(text, " \t") : 0;
    if (take > 0 && take < sizeof predicate && take < len) {
        snprintf(predicate, sizeof predicate, "%.*s", (int)take, text);
        const char *rest = skip_blanks(text + take);
        len -= (size_t)(rest - text);
        text = rest;
    }
    bool quoted = memchr(text, '`', len) != NULL;
    for (size_t i = 0; i < len && n + 1 < sizeof plain; i++)
        if (!quoted || !strchr("`()", text[i]))
            plain[n++] = text[i];
    plain[n] = '\0';
    struct listing *l = s->listing;
    l->padding = strcmp(plain, "NOP") ? 0 : l->padding + 1;
    l->instructions++;
    add_line(l, s->line, "%s %-5s %s", address, predicate, plain);
}

/*    / * 0150 * /     @P0 EXIT ;    and, for encodings, / * 0x000... * / alone, which go. */
static void read_instruction(struct sass *s, const char *at, const char *end)
{
    char address[20];
    size_t digits = strspn(at + 2, "0123456789abcdef");
    const char *text = at + 2 + digits;
    if (digits == 0 || digits >= sizeof address || strncmp(text, "*/", 2) != 0)
        return;
    snprintf(address, sizeof address, "%.*s", (int)digits, at + 2);
    text = skip_blanks(text + 2);
    const char *stop = memchr(text, ';', (size_t)(end - text));
    if (stop)
        add_instruction(s, address, text, trimmed(text, (size_t)(stop - text)));
}

static void read_sass_line(struct sass *s, const char *at, const char *end)
{
    size_t len = trimmed(at, (size_t)(end - at));
    char label[128];
    if (len > 7 && !strncmp(at, ".text.", 6) && at[len - 1] == ':') {
        s->wanted = is_kernel(s, at + 6, len - 7);
        s->line = 0;
        snprintf(label, sizeof label, "%.*s", (int)(len - 6), at + 6);
        if (s->wanted)
            add_line(s->listing, 0, "%s%s%s", label, "", "");
    } else if (!s->wanted) {
        return;
    } else if (len > 3 && !strncmp(at, ".L_", 3) && at[len - 1] == ':') {
        snprintf(label, sizeof label, "%.*s", (int)len, at);
        add_line(s->listing, 0, "%s%s%s", label, "", "");
    } else if (!strncmp(skip_blanks(at), "//## File", 9)) {
        read_place(s, at);
    } else if (!strncmp(skip_blanks(at), "/*", 2)) {
        read_instruction(s, skip_blanks(at), end);
    } else if (!strncmp(skip_blanks(at), ".section", 8)) {
        s->wanted = false;
    }
}

/* Empty instructions fill the code up to its alignment; behind them stands at most the label of the
 * end. */
static void drop_padding(struct listing *l, int first)
{
    struct msg_part *p = l->part;
    while (p->n_lines > first && l->left_out == 0 &&
           (l->padding > 0 || p->lines[p->n_lines - 1][0] == '.')) {
        l->padding -= p->lines[p->n_lines - 1][0] != '.';
        l->instructions -= p->lines[p->n_lines - 1][0] != '.';
        free(p->lines[--p->n_lines]);
    }
    l->padding = 0;
}

static void list_sass(struct listing *l, const struct msg_run *run, const char *source,
                      const char *text)
{
    struct sass s = {.listing = l, .run = run, .source = source};
    int first = l->part->n_lines;
    for (const char *at = text; *at;) {
        const char *end = at + strcspn(at, "\n");
        bool section = !strncmp(at, ".text.", 6);
        if (section)
            drop_padding(l, first);
        read_sass_line(&s, at, end);
        at = end + (*end == '\n');
    }
    drop_padding(l, first);
}

/* ---- PTX ---- */

/* Numbers of the table of files that mean our source; it stands at the end of the text. */
static unsigned find_files(const char *ptx, const char *file)
{
    unsigned files = 0;
    for (const char *at = ptx; (at = strstr(at, ".file")) != NULL; at += 5) {
        int number = 0;
        const char *path = NULL, *end = NULL;
        if (sscanf(at, ".file %d", &number) == 1 && number >= 0 && number < MOST_FILES &&
            (path = strchr(at, '"')) && (end = strchr(path + 1, '"')) &&
            names_file(path + 1, (size_t)(end - path - 1), file))
            files |= 1u << number;
    }
    return files;
}

static bool read_loc(const char *at, unsigned files, int *line)
{
    int file = 0, number = 0;
    if (!strncmp(at, ".file", 5))
        return true;
    if (strncmp(at, ".loc", 4) != 0)
        return false;
    if (sscanf(at, ".loc %d %d", &file, &number) == 2)
        *line = file >= 0 && file < MOST_FILES && files >> file & 1 ? number : 0;
    return true;
}

/* Tabs are of no use in a pane: two columns where the line begins, one inside it. */
static void plain_blanks(char out[TEXT_BYTES + 1], const char *at, size_t len)
{
    size_t n = 0;
    for (size_t i = 0; i < len && n + 2 < TEXT_BYTES; i++) {
        bool blank = at[i] == ' ' || at[i] == '\t',
             again = blank && i > 0 && (at[i - 1] == ' ' || at[i - 1] == '\t');
        if (!again)
            out[n++] = blank ? ' ' : at[i];
        if (blank && i == 0)
            out[n++] = ' ';
    }
    out[n] = '\0';
}

/* Comments and line tables out: they tell of the compiler's build, not of the kernel. No string in
 * PTX that we show holds two slashes. */
static void list_ptx(struct listing *l, const char *ptx)
{
    unsigned files = find_files(ptx, l->file);
    int line = 0;
    for (const char *at = ptx; *at;) {
        size_t len = strcspn(at, "\n"), keep = 0;
        while (keep < len && !(at[keep] == '/' && at[keep + 1] == '/'))
            keep++;
        keep = trimmed(at, keep);
        if (keep > 0 && !read_loc(skip_blanks(at), files, &line)) {
            char text[TEXT_BYTES + 1];
            plain_blanks(text, at, keep);
            line = text[0] == '}' ? 0 : line;
            add_line(l, line, "%s%s%s", text, "", "");
        }
        at += len + (at[len] == '\n');
    }
}

/* ---- the part ---- */

/* What is no kernel has no code. */
static bool is_first(const struct msg_run *r, int at, bool by_kernel)
{
    if (r->launches[at].transfer.kind)
        return false;
    for (int i = 0; i < at; i++)
        if (!strcmp(r->launches[i].source, r->launches[at].source) &&
            (!by_kernel || !strcmp(r->launches[i].kernel, r->launches[at].kernel)))
            return false;
    return true;
}

/* Instructions of the run's kernels, each once; 0 when a kernel's code is not to be had. */
static size_t count_instructions(const struct task *t, const struct msg_run *r, int variant)
{
    size_t all = 0;
    for (int i = 0; i < r->n_launches; i++) {
        if (!is_first(r, i, true))
            continue;
        const struct image *image = images_find(t->images, r->launches[i].source, variant);
        size_t n = image ? image_instructions(image, r->launches[i].kernel) : 0;
        if (n == 0)
            return 0;
        all += n;
    }
    return all;
}

/* Lists every source of the run, as SASS; what is missing is in err. */
static int list_all_sass(struct listing *l, struct task *t, const struct msg_run *r, int variant,
                         struct err *err)
{
    char *program = disassembler_find();
    int rc = program ? 0
                     : err_set(err, ERR_UNSUPPORTED,
                               "no nvdisasm was found; the CUDA toolkit's cuda-nvdisasm package "
                               "has it (on PATH, or name the toolkit's folder in CUDA_HOME)");
    for (int i = 0; i < r->n_launches && !rc; i++) {
        const struct image *image = images_find(t->images, r->launches[i].source, variant);
        char *text = NULL;
        if (!is_first(r, i, false))
            continue;
        if (!image || !image->cubin)
            rc = err_set(err, ERR_UNSUPPORTED,
                         "NVRTC does not know this GPU, so the driver made the machine code");
        else if (!(rc = disassembler_run(&text, image->bytes, image->len, t, err)))
            list_sass(l, r, image->source, text);
        free(text);
    }
    if (!rc && l->instructions == 0)
        rc = err_set(err, ERR_UNSUPPORTED, "nvdisasm listed no instruction");
    free(program);
    return rc;
}

static void list_all_ptx(struct listing *l, const struct task *t, const struct msg_run *r,
                         int variant)
{
    for (int i = 0; i < r->n_launches; i++) {
        const struct image *image = images_find(t->images, r->launches[i].source, variant);
        if (is_first(r, i, false) && image && image->ptx)
            list_ptx(l, image->ptx);
    }
}

static void clear_listing(struct listing *l)
{
    while (l->part->n_lines > 0)
        free(l->part->lines[--l->part->n_lines]);
    l->left_out = l->instructions = l->padding = 0;
}

static void add_series(struct listing *l)
{
    struct msg_part *p = l->part;
    p->series = mem_grow(p->series, (size_t)p->n_series + 1, sizeof *p->series);
    p->series[p->n_series++] =
        (struct msg_series){.name = "line", .values = l->lines, .n = p->n_lines};
}

static int fill(struct listing *l, struct task *t, const struct msg_run *r, int variant,
                struct err *err)
{
    struct err why = {.code = 0};
    size_t counted = count_instructions(t, r, variant);
    int rc = list_all_sass(l, t, r, variant, &why);
    if (rc && rc != ERR_UNSUPPORTED)
        return err_copy(err, &why);
    if (rc) {
        clear_listing(l);
        list_all_ptx(l, t, r, variant);
    }
    if (counted > 0 || l->instructions > 0)
        part_value(l->part, "machine_instructions",
                   counted > 0 ? (double)counted : l->instructions);
    else
        part_missing(l->part, "machine_instructions",
                     "unsupported: the driver compiled this kernel from PTX");
    part_note(l->part, "listing: %s", rc ? "PTX" : "SASS");
    if (rc)
        part_note(l->part, "PTX: %.900s", why.text);
    if (l->left_out)
        part_note(l->part, "cut: %d of %d lines are shown", l->part->n_lines,
                  l->part->n_lines + l->left_out);
    return 0;
}

int sass_measure(struct task *t, const struct msg_item *item, const char *run, struct err *err)
{
    const struct msg_run *r = msg_run_find(msg_shape_of(t->measure, item->variant), run);
    if (!r)
        return err_set(err, ERR_BAD_REQUEST, "there is no run %s", run);
    struct listing l = {.part = task_part_new(t, PROBE_SASS, run, item->variant),
                        .lines = mem_new(LISTED, sizeof *l.lines)};
    l.file = msg_source_find(t->measure, msg_run_first(r)->source)->name;
    int rc = fill(&l, t, r, item->variant, err);
    add_series(&l);
    if (rc) {
        task_part_free(l.part);
        return rc;
    }
    return task_part_send(t, l.part, err);
}
