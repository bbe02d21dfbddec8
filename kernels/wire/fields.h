/* Reading JSON objects field by field, for the message codec.
 *
 * The first failure is kept in the shared state, with the path of the field that caused it; every
 * later call does nothing and returns zero, so that a decoder reads straight down and looks at the
 * code once at its end. Loops over elements need no guard: a failed call yields no elements.
 */
#ifndef WD_WIRE_FIELDS_H
#define WD_WIRE_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/wire/err.h"

#define FIELDS_WHOLE_MAX ((int64_t)1 << 53) /* whole numbers stay below it */

struct fields_state {
    struct err *err;
    int code;
};
struct fields {
    struct fields_state *state;
    json_t *object; /* borrowed; NULL after a failure */
    char path[96];  /* "runs.a[3]"; "" at the top */
};

struct fields fields_open(struct fields_state *state, const json_t *object);

/* The element `value` of `parent`, which must be an object; its path is the parent's and the name.
 */
struct fields fields_enter(const struct fields *parent, json_t *value, const char *name, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails with "what" said of this object (or of its field `key`, unless NULL). Returns the code. */
int fields_fail(const struct fields *f, const char *key, int code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Refuses, by name, a key that is not among the words of `allowed`. */
void fields_only(const struct fields *f, const char *allowed);

bool fields_has(const struct fields *f, const char *key);

/* Required fields. Numbers outside [low, high] and strings of `size` bytes or more are refused. */
int64_t fields_whole(const struct fields *f, const char *key, int64_t low, int64_t high);
bool fields_bool(const struct fields *f, const char *key);
double fields_number(const struct fields *f, const char *key);
const char *fields_string(const struct fields *f, const char *key); /* "" after a failure */
void fields_text(const struct fields *f, const char *key, char *out, size_t size);

/* A name: letters, digits and underscores, not beginning with a digit. */
void fields_name(const struct fields *f, const char *key, char *out, size_t size);
void fields_check_name(const struct fields *f, const char *name, size_t size);

/* A required array or object of at most `cap` elements; NULL after a failure. */
json_t *fields_array(const struct fields *f, const char *key, size_t cap);
json_t *fields_object(const struct fields *f, const char *key, size_t cap);

/* The index of the string among `names`. */
int fields_choice(const struct fields *f, const char *key, const char *const *names, int n);

#endif
