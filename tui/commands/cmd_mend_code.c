/* What was made of a text, beside the fix: machine code where it can be read here, else PTX. */
#include "tui/commands/cmd_mend.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/mend/mend_counts.h"
#include "scenarios/mend/mend_sass.h"

enum { ROWS = 12 };

/* ---- machine code ---- */

struct pair { char *mine, *other; };

static void free_pair(struct pair *p)
{
    free(p->mine);
    free(p->other);
}

static int list_both(struct pair *p, const struct mend_code *c, struct err *err)
{
    *p = (struct pair){0};
    if (!c->mine->cubin || !c->other->cubin)
        return err_set(err, ERR_MISSING, "the runner sent no machine code");
    int rc = mend_sass_list(&p->mine, c->mine->cubin, err);
    return rc ? rc : mend_sass_list(&p->other, c->other->cubin, err);
}

/* Beside the text, as "fix.sass". Malloc'd path, NULL where it cannot be written. */
static char *lay(const struct mend_place *place, const char *word, const char *text)
{
    char *name = text_format("%s.sass", word);
    struct mend_place at = {.folder = place->folder, .name = name};
    int rc = path_below(&at.file, at.folder, PATH_NAMES(name), NULL);
    if (!rc)
        rc = mend_put(&at, text, NULL);
    free(name);
    if (rc == 0)
        return at.file;
    free(at.file);
    return NULL;
}

static struct pair lay_both(const struct mend_code *c, const struct pair *p)
{
    return (struct pair){lay(c->place, "mine", p->mine), lay(c->place, c->word, p->other)};
}

/* ---- counts ---- */

static bool can_compare(const struct mend_code *c)
{
    return c->mine && c->other && c->mine->ptx && c->other->ptx;
}

static void count_ptx(struct mend_counts *out, const struct mend_code *c)
{
    mend_count_ptx(out, 0, c->mine->ptx);
    mend_count_ptx(out, 1, c->other->ptx);
}

static void count_sass(struct mend_counts *out, const struct pair *p)
{
    mend_count_sass(out, 0, p->mine);
    mend_count_sass(out, 1, p->other);
}

static void print_counts(struct mend_counts *p, const char *what, const char *word)
{
    int n = mend_counts_order(p);
    printf("  instructions in %-14s%8s %8s\n", what, "yours", word);
    for (int i = 0; i < n && i < ROWS; i++)
        printf("    %-24.24s%8d %8d\n", p->row[i].name, p->row[i].n[0], p->row[i].n[1]);
    if (n > ROWS)
        printf("    %d more that differ; --json has all\n", n - ROWS);
    printf("    %-24s%8d %8d\n", "all", p->all[0], p->all[1]);
}

void mend_code_print(const struct mend_code *c)
{
    struct mend_counts *counts = mem_new(1, sizeof *counts);
    struct pair p = {0};
    struct err err = {0};
    if (can_compare(c) && list_both(&p, c, &err) == 0) {
        struct pair at = lay_both(c, &p);
        count_sass(counts, &p);
        print_counts(counts, "SASS", c->word);
        if (at.mine && at.other)
            printf("  the listings: %s, %s\n", at.mine, at.other);
        free_pair(&at);
    } else if (can_compare(c)) {
        count_ptx(counts, c);
        print_counts(counts, "PTX", c->word);
        printf("  no SASS: %s\n", err.text);
    }
    free_pair(&p);
    free(counts);
}

static json_t *encode(const struct mend_counts *p)
{
    json_t *out = json_object();
    for (int i = 0; i < p->n_rows; i++)
        json_object_set_new(out, p->row[i].name,
                            json_pack("[i, i]", p->row[i].n[0], p->row[i].n[1]));
    return out;
}

void mend_code_json(json_t *into, const struct mend_code *c)
{
    struct mend_counts *ptx = mem_new(1, sizeof *ptx), *sass = mem_new(1, sizeof *sass);
    struct pair p = {0}, at = {0};
    struct err err = {0};
    bool compared = can_compare(c), listed = compared && list_both(&p, c, &err) == 0;
    if (compared)
        count_ptx(ptx, c);
    if (listed) {
        count_sass(sass, &p);
        at = lay_both(c, &p);
    }
    json_object_set_new(into, "ptx", compared ? encode(ptx) : json_null());
    json_object_set_new(into, "sass", listed ? encode(sass) : json_null());
    if (compared && !listed)
        json_object_set_new(into, "sass_missing", json_string(err.text));
    if (at.mine && at.other)
        json_object_set_new(into, "listings", json_pack("[s, s]", at.mine, at.other));
    free_pair(&p);
    free_pair(&at);
    free(ptx);
    free(sass);
}
