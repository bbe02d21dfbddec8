/* YAML as our content uses it: a tree of maps, lists and scalars with the place of every node.
 *
 * Refused: more than 1 MiB, depth over 64, anchors, aliases, tags, directives, several documents,
 * duplicate keys, maps of more than 256 entries, text that is not clean UTF-8 (also when an escape
 * makes it). No types are guessed: `no` is the text "no"; the getters below say what they expected.
 * Every message stands at file:line:col with the line and a caret. */
#ifndef WD_SCENARIOS_YAML_H
#define WD_SCENARIOS_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/wire/err.h"
#include "scenarios/text/files.h"

#define YAML_DEPTH 64
#define YAML_MAP_MAX 256
#define YAML_LIST_MAX 4096

enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP };
enum yaml_style { YAML_PLAIN, YAML_QUOTED, YAML_BLOCK };

struct yaml {
    enum yaml_kind kind;
    enum yaml_style style;          /* of a scalar */
    bool flow;                      /* is written with, or stands between, [ ] or { } */
    int line, col;                  /* from 1; col in characters */
    const char *text; size_t len;   /* of a scalar; NUL-terminated, no NUL inside */
    const struct yaml *key;         /* in a map: the key of this value */
    const struct yaml *first, *next;
    int n;                          /* entries of a list or map */
    const struct yaml_doc *doc;
};

/* `files` and the file must outlive the document. */
/* Named yaml_doc_*, since libyaml exports a yaml_free of its own. */
struct yaml_doc;
int yaml_doc_read(struct yaml_doc **out, const struct files *files, const struct file *file,
                  struct err *err);
void yaml_doc_free(struct yaml_doc *d);
const struct yaml *yaml_doc_root(const struct yaml_doc *d);
const struct file *yaml_doc_file(const struct yaml_doc *d);

/* An error at a node; `what` should read "what; what was expected". Returns code. */
int yaml_fail(const struct yaml *y, int code, struct err *err, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* At the 1-based byte `column` of a scalar's text. */
int yaml_fail_at(const struct yaml *y, int column, int code, struct err *err, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* The same without a tree: the scalar that begins at line:col of the file and has this text. */
void yaml_place(const struct file *f, int line, int col, const char *text, int column,
                int *out_line, int *out_col);
/* Is the plain scalar followed by a blank and '#' with no blank behind it, so that part of what its
 * author meant may have become a comment? */
bool yaml_cut_by_comment(const struct yaml *y);

/* ---- maps with known keys ---- */
struct yaml_key { const char *name; bool needed; };
struct yaml_shape {
    const char *what;   /* "a buffer": for messages, and the table's name in content/FORMAT*.md */
    const struct yaml_key *key; int n;
};
/* value[k] receives the value of shape->key[k], or NULL. Unknown and missing keys are errors that
 * list the known ones. */
int yaml_keys(const struct yaml *y, const struct yaml_shape *shape, const struct yaml **value,
              struct err *err);

/* ---- typed getters; `what` is what was expected, such as "a list of buffers" ---- */
int yaml_is_map(const struct yaml *y, int min, int max, const char *what, struct err *err);
int yaml_is_list(const struct yaml *y, int min, int max, const char *what, struct err *err);
int yaml_is_scalar(const struct yaml *y, const char *what, struct err *err);   /* and not empty */
int yaml_whole(const struct yaml *y, int low, int high, const char *what, int *out,
               struct err *err);
int yaml_number(const struct yaml *y, const char *what, double *out, struct err *err);  /* finite */
int yaml_bool(const struct yaml *y, const char *what, bool *out,
              struct err *err); /* true or false */
/* Index into names[n]. */
int yaml_choice(const struct yaml *y, const char *const *names, int n, const char *what, int *out,
                struct err *err);
/* One line (blanks and breaks at the end taken away) of at most max bytes; or, when `lines`,
 * several. */
int yaml_string(const struct yaml *y, size_t max, bool lines, const char *what, struct err *err);

#endif
