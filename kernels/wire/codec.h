/* A message as a table: one row for each field of its struct says how the field is read from JSON,
 * written, freed and copied. To add a field: a member of the struct and its row.
 *
 * A strict table refuses unknown keys and wrong types, by name; a lenient one passes unknown keys
 * over, takes text of another type for none, and cleans text both ways. What a kind cannot say is
 * said by the functions of a ROW_OWN or ROW_MAP.
 */
#ifndef WD_WIRE_CODEC_H
#define WD_WIRE_CODEC_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/wire/err.h"
#include "kernels/wire/fields.h"

enum row_kind {
    ROW_WHOLE,  /* an integer or enum of 4 or 8 bytes, from low to high */
    ROW_NUMBER, /* a finite double */
    ROW_BOOL,
    ROW_CHOICE, /* an enum, by its name among the `high` names */
    ROW_NAME,   /* char[]: letters, digits, underscores */
    ROW_TEXT,   /* char[] */
    ROW_OWNED,  /* char *; at most `high` bytes where the table is strict */
    ROW_TEXTS,  /* char **, counted, of at most `high` */
    ROW_MAP,    /* an object of at most `high` named structs, each read and written by `own` */
    ROW_OBJECT, /* a struct of the table `of`; an object of at most `high` keys */
    ROW_OWN,    /* read and written by `own` */
    ROW_HELD,   /* counted plain memory that functions fill: only freed and copied */
};

/* ROW_WRITTEN may be absent and is always written. ROW_OPTIONAL is left out when it equals what an
 * absent one reads as: `absent`, false, "" or NULL, an object without its first field. Text that is
 * ROW_NEEDED in a lenient table reads as "" when it is absent, never as NULL. */
enum row_presence { ROW_NEEDED, ROW_WRITTEN, ROW_OPTIONAL };

/* ROW_OWN: `slot` is the member, `key` the row's, `value` its value (NULL after a failure).
 * ROW_MAP: `slot` is one zeroed element, `f` the map, `key` and `value` the entry; false leaves the
 * entry out. */
struct row_own {
    /* NULL: read by whoever takes the struct */
    bool (*read)(void *slot, const struct fields *f, const char *key, json_t *value);
    json_t *(*write)(const void *slot);     /* a new reference, NULL: left out; may be NULL */
    const char *(*name)(const void *slot);  /* of a map's element; NULL: it begins with its name */
};

struct row {
    const char *key; /* NULL: a map of what else stands in the object itself */
    enum row_kind kind;
    enum row_presence is;
    size_t at, size; /* the member */
    size_t n, each;  /* where its elements are counted (int), and the size of one */
    int64_t low, high, absent; /* bounds or a cap, and what an absent one reads as */
    unsigned cases;  /* bits of the values of the first row with which this one is there; 0: all */
    bool cut;        /* what is over the cap, or of another type, is left out instead of refused */
    const char *const *names;
    const struct codec *of;
    const struct row_own *own;
};

struct codec {
    const struct row *rows;
    int n_rows;
    size_t size;      /* of the struct */
    const char *type; /* of a whole message, else NULL */
    bool strict;
    bool tagged;      /* the first row is an enum that says which others are there */
    void (*check)(const void *whole, const struct fields *f); /* after all rows; may be NULL */
};

#define MEMBER(type, m) .at = offsetof(type, m), .size = sizeof(((type *)NULL)->m)
#define COUNTED(type, m, count) \
    .at = offsetof(type, m), .n = offsetof(type, count), .each = sizeof *((type *)NULL)->m
#define CODEC(type, table) \
    .rows = (table), .n_rows = (int)(sizeof(table) / sizeof *(table)), .size = sizeof(type)

/* Reads a whole message into *out, which is zeroed and needs no _free after a failure. */
int codec_read(void *out, const struct codec *c, const json_t *msg, struct err *err);
/* Reads a part of one; what it took stands in `whole` also after a failure. */
void codec_take(void *whole, const struct codec *c, const struct fields *f);
json_t *codec_write(const void *whole, const struct codec *c); /* new reference */
/* Frees what it holds and zeroes it; NULL: nothing. */
void codec_free(void *whole, const struct codec *c);
/* A copy that owns all of its own; `to` is overwritten. */
void codec_copy(void *to, const void *from, const struct codec *c);

/* ---- for the functions of rows ---- */

/* The string at `key`, "" where there is none. */
const char *codec_text_of(const json_t *object, const char *key);
json_t *codec_write_text(const void *slot); /* a char[], cleaned; NULL: it is empty */

#endif
