/* Getters and known keys. */
#include "scenarios/text/yaml.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/text/near.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t';
}

/* ---- known keys ---- */

static void list_keys(char *out, size_t size, const struct yaml_shape *shape)
{
    size_t len = 0;
    for (int k = 0; k < shape->n && len < size; k++)
        len += (size_t)snprintf(out + len, size - len, "%s%s", k ? ", " : "", shape->key[k].name);
}

static int fail_key(const struct yaml *key, const struct yaml_shape *shape, struct err *err)
{
    struct near near = {.word = key->text};
    char hint[96], known[400];
    list_keys(known, sizeof known, shape);
    for (int k = 0; k < shape->n; k++)
        near_try(&near, shape->key[k].name);
    return yaml_fail(key, ERR_BAD_REQUEST, err, "unknown key '%s'%s; %s has: %s", key->text,
                     near_hint(&near, hint, sizeof hint), shape->what, known);
}

static int fail_kind(const struct yaml *y, const struct yaml_shape *shape, struct err *err)
{
    char known[400];
    list_keys(known, sizeof known, shape);
    return yaml_fail(y, ERR_BAD_REQUEST, err, "%s; %s was expected, with: %s",
                     y->kind == YAML_LIST ? "a list" : "a single value", shape->what, known);
}

int yaml_keys(const struct yaml *y, const struct yaml_shape *shape, const struct yaml **value,
              struct err *err)
{
    for (int k = 0; k < shape->n; k++)
        value[k] = NULL;
    if (y->kind != YAML_MAP)
        return fail_kind(y, shape, err);
    for (const struct yaml *v = y->first; v; v = v->next) {
        int k = 0;
        while (k < shape->n && strcmp(shape->key[k].name, v->key->text))
            k++;
        if (k == shape->n)
            return fail_key(v->key, shape, err);
        value[k] = v;
    }
    for (int k = 0; k < shape->n; k++)
        if (!value[k] && shape->key[k].needed)
            return yaml_fail(y, ERR_BAD_REQUEST, err, "no '%s'; %s was expected to have it",
                             shape->key[k].name, shape->what);
    return 0;
}

/* ---- types ---- */

static const char *const kind_names[] = {"a single value", "a list", "a map"};

static const char *shown_kind(const struct yaml *y)
{
    return y->kind == YAML_SCALAR && !y->len ? "nothing" : kind_names[y->kind];
}

/* An empty value has its place behind the line end; its key is the better one to point at. */
static const struct yaml *visible(const struct yaml *y)
{
    return y->kind == YAML_SCALAR && !y->len && y->style == YAML_PLAIN && y->key ? y->key : y;
}

static int wrong(const struct yaml *y, const char *what, struct err *err)
{
    if (y->kind == YAML_SCALAR && y->len)
        return yaml_fail(y, ERR_BAD_REQUEST, err, "'%.60s'; %s was expected%s", y->text, what,
                         yaml_cut_by_comment(y) ? " (a blank and # begin a comment: quote the "
                                                  "value if # belongs to it)"
                                                : "");
    return yaml_fail(visible(y), ERR_BAD_REQUEST, err, "%s; %s was expected", shown_kind(y), what);
}

static int counted(const struct yaml *y, int min, int max, const char *what, struct err *err)
{
    if (y->n < min || y->n > max)
        return yaml_fail(y, y->n > max ? ERR_TOO_LARGE : ERR_BAD_REQUEST, err,
                         "%d %s; %s was expected, with %d to %d entries", y->n,
                         y->n == 1 ? "entry" : "entries", what, min, max);
    return 0;
}

int yaml_is_map(const struct yaml *y, int min, int max, const char *what, struct err *err)
{
    return y->kind == YAML_MAP ? counted(y, min, max, what, err) : wrong(y, what, err);
}

int yaml_is_list(const struct yaml *y, int min, int max, const char *what, struct err *err)
{
    return y->kind == YAML_LIST ? counted(y, min, max, what, err) : wrong(y, what, err);
}

int yaml_is_scalar(const struct yaml *y, const char *what, struct err *err)
{
    return y->kind == YAML_SCALAR && y->len ? 0 : wrong(y, what, err);
}

int yaml_number(const struct yaml *y, const char *what, double *out, struct err *err)
{
    int rc = yaml_is_scalar(y, what, err);
    if (rc)
        return rc;
    char *end;
    *out = strtod(y->text, &end);
    if (y->len > 32 || *end || strspn(y->text, "0123456789+-.eE") != y->len || !isfinite(*out))
        return wrong(y, what, err);
    return 0;
}

int yaml_whole(const struct yaml *y, int low, int high, const char *what, int *out, struct err *err)
{
    int rc = yaml_is_scalar(y, what, err);
    if (rc)
        return rc;
    char *end;
    errno = 0;
    long v = strtol(y->text, &end, 10);
    if (y->len > 12 || *end || is_blank(*y->text) || errno || v < low || v > high)
        return wrong(y, what, err);
    *out = (int)v;
    return 0;
}

int yaml_bool(const struct yaml *y, const char *what, bool *out, struct err *err)
{
    int rc = yaml_is_scalar(y, what, err);
    if (rc)
        return rc;
    *out = !strcmp(y->text, "true");
    return *out || !strcmp(y->text, "false") ? 0 : wrong(y, what, err);
}

int yaml_choice(const struct yaml *y, const char *const *names, int n, const char *what, int *out,
                struct err *err)
{
    int rc = yaml_is_scalar(y, what, err);
    if (rc)
        return rc;
    for (*out = 0; *out < n; ++*out)
        if (!strcmp(names[*out], y->text))
            return 0;
    char known[300], hint[96];
    size_t len = 0;
    struct near near = {.word = y->text};
    for (int k = 0; k < n; k++)
        near_try(&near, names[k]);
    for (int k = 0; k < n && len < sizeof known; k++)
        len += (size_t)snprintf(known + len, sizeof known - len, "%s%s",
                                k ? k == n - 1 ? " or " : ", " : "", names[k]);
    return yaml_fail(y, ERR_BAD_REQUEST, err, "'%.60s'%s; %s was expected: %s", y->text,
                     near_hint(&near, hint, sizeof hint), what, known);
}

int yaml_string(const struct yaml *y, size_t max, bool lines, const char *what, struct err *err)
{
    if (y->kind == YAML_MAP)
        return yaml_fail(y, ERR_BAD_REQUEST, err,
                         "a map, since a colon and a blank, or a {, begin one; %s was expected, "
                         "quoted if it has them",
                         what);
    int rc = yaml_is_scalar(y, what, err);
    if (rc)
        return rc;
    size_t len = y->len;
    while (len && is_blank(y->text[len - 1]))
        len--;
    if (!len)
        return yaml_fail(y, ERR_BAD_REQUEST, err, "blanks alone; %s was expected", what);
    if (len > max)
        return yaml_fail(y, ERR_TOO_LARGE, err, "%zu bytes; %s of at most %zu was expected", len,
                         what, max);
    const char *stop = lines ? NULL : memchr(y->text, '\n', len);
    if (stop)
        return yaml_fail(y, ERR_BAD_REQUEST, err, "several lines; %s in one line was expected",
                         what);
    return 0;
}
