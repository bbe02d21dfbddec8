/* libyaml's events to a tree. yaml_where.c knows where its nodes stand, yaml_get.c has the getters.
 */
#include "scenarios/text/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "kernels/wire/text.h"
#include "scenarios/text/yaml_inside.h"

struct build {
    struct yaml_doc *doc;
    yaml_parser_t parser;
    struct err *err;
    int flow;                /* how many [ or { are open */
    size_t quote_from,
        quote_to; /* lines, from 1, of the last quoted text of several lines; 0: none */
};

const struct yaml *yaml_doc_root(const struct yaml_doc *d)
{
    return d->root;
}

void yaml_doc_free(struct yaml_doc *d)
{
    if (!d)
        return;
    arena_free(&d->arena);
    free(d);
}

/* ---- messages ---- */

static int fail_mark(struct build *b, yaml_mark_t m, int code, const char *what)
{
    return files_fail(b->doc->files, b->doc->file, (int)m.line + 1, (int)m.column + 1, code, b->err,
                      "%s", what);
}

/* The parser's own words are short, and for some of them the common reason is known. */
static const char *common_reason(const struct build *b, char at)
{
    const char *p = b->parser.problem;
    if (strstr(p, "expected ':'"))
        return "; a colon and a blank were expected behind this key, or quotes around a text of "
               "several lines";
    if (strstr(p, "mapping values are not allowed"))
        return "; quote the text if a colon and a blank belong to it, or indent this line like its "
               "neighbours";
    if (at == '\t')
        return "; a tab cannot indent, blanks were expected";
    if (at && strchr("%@`", at))
        return "; quote the text if it is meant to begin with this character";
    if (strstr(p, "comment or line break") || strstr(p, "alphabetic or numeric"))
        return "; a value that begins with > | & or * is not a formula or text to YAML: quote it";
    if (strstr(p, "flow") || (b->parser.context && strstr(b->parser.context, "flow")))
        return "; a , or a closing bracket was expected, and brackets inside a value need quotes";
    return "; other YAML was expected here";
}

static int fail_parse(struct build *b)
{
    const yaml_parser_t *p = &b->parser;
    /* A key that lacks its colon is only missed behind it. */
    bool key = p->problem && p->context && strstr(p->problem, "expected ':'") &&
               strstr(p->context, "simple key");
    const yaml_mark_t *mark = key ? &p->context_mark : &p->problem_mark;
    int line = (int)mark->line + 1, col = (int)mark->column + 1;
    if (p->error == YAML_MEMORY_ERROR)
        return err_set(b->err, ERR_TOO_LARGE, "%s: out of memory; a smaller file was expected",
                       b->doc->file->path);
    if (p->error == YAML_READER_ERROR)
        file_place(b->doc->file, p->problem_offset, &line, &col);
    size_t n;
    const char *text = file_line(b->doc->file, line, &n);
    char at = text && (size_t)col <= n ? text[col - 1] : '\0';
    char context[128] = "", quote[80] = "";
    if (b->quote_to == (size_t)line)
        snprintf(quote, sizeof quote,
                 " (the quoted text that begins in line %zu ends in this line)", b->quote_from);
    if (!key && p->context && p->context_mark.line != p->problem_mark.line)
        snprintf(context, sizeof context, " %s that begins in line %zu", p->context,
                 p->context_mark.line + 1);
    return files_fail(b->doc->files, b->doc->file, line, col, ERR_BAD_REQUEST, b->err, "%s%s%s%s",
                      p->problem ? p->problem : "not YAML", context,
                      p->problem ? common_reason(b, at) : "; YAML was expected", quote);
}

/* ---- tree ---- */

static struct yaml *new_node(struct build *b, enum yaml_kind kind, yaml_mark_t at)
{
    struct yaml *y = arena_new(&b->doc->arena, 1, sizeof *y);
    y->kind = kind;
    y->flow = b->flow > 0;
    y->line = (int)at.line + 1;
    y->col = (int)at.column + 1;
    y->doc = b->doc;
    return y;
}

static int next_event(struct build *b, yaml_event_t *e)
{
    return yaml_parser_parse(&b->parser, e) ? 0 : fail_parse(b);
}

static int read_scalar(struct build *b, const yaml_event_t *e, struct yaml **out)
{
    const char *text = (const char *)e->data.scalar.value;
    size_t len = e->data.scalar.length;
    struct yaml *y = *out = new_node(b, YAML_SCALAR, e->start_mark);
    if (text_first_bad(text, len) < len || memchr(text, '\0', len))
        return fail_mark(b, e->start_mark, ERR_BAD_REQUEST,
                         "an escape that makes a control character; plain text was expected");
    y->text = arena_text(&b->doc->arena, text, len);
    y->len = len;
    yaml_scalar_style_t s = e->data.scalar.style;
    y->style = s == YAML_PLAIN_SCALAR_STYLE                                      ? YAML_PLAIN
               : s == YAML_LITERAL_SCALAR_STYLE || s == YAML_FOLDED_SCALAR_STYLE ? YAML_BLOCK
                                                                                 : YAML_QUOTED;
    if (y->style == YAML_QUOTED && e->end_mark.line > e->start_mark.line) {
        b->quote_from = e->start_mark.line + 1;
        b->quote_to = e->end_mark.line + 1;
    }
    return 0;
}

static int check_key(struct build *b, const struct yaml *map, const struct yaml *key)
{
    if (key->kind != YAML_SCALAR)
        return yaml_fail(key, ERR_BAD_REQUEST, b->err,
                         "a list or map as a key; a name was expected");
    if (!key->len || key->len > 64)
        return yaml_fail(key, ERR_BAD_REQUEST, b->err,
                         "a key of %zu bytes; a name of 1 to 64 was expected", key->len);
    for (const struct yaml *y = map->first; y; y = y->next)
        if (!strcmp(y->key->text, key->text))
            return yaml_fail(key, ERR_BAD_REQUEST, b->err,
                             "duplicate key '%s'; it stands in line %d already", key->text,
                             y->key->line);
    return 0;
}

static int read_node(struct build *b, yaml_event_t *e, int depth, struct yaml **out);

static int read_children(struct build *b, struct yaml *parent, int depth)
{
    bool map = parent->kind == YAML_MAP;
    yaml_event_type_t end = map ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT;
    const struct yaml **link = &parent->first;
    for (;;) {
        yaml_event_t e;
        struct yaml *key = NULL, *value = NULL;
        int rc = next_event(b, &e);
        if (rc)
            return rc;
        bool over = e.type == end;
        if (!over && parent->n == (map ? YAML_MAP_MAX : YAML_LIST_MAX))
            rc = fail_mark(b, e.start_mark, ERR_TOO_LARGE,
                           map ? "too many entries; at most 256 were expected in a map"
                               : "too many entries; at most 4096 were expected in a list");
        if (!rc && !over)
            rc = read_node(b, &e, depth, map ? &key : &value);
        yaml_event_delete(&e);
        if (rc || over)
            return rc;
        if (map) {
            if ((rc = check_key(b, parent, key)) || (rc = next_event(b, &e)))
                return rc;
            rc = read_node(b, &e, depth, &value);
            yaml_event_delete(&e);
            if (rc)
                return rc;
            value->key = key;
        }
        *link = value;
        link = &value->next;
        parent->n++;
    }
}

static int read_branch(struct build *b, const yaml_event_t *e, enum yaml_kind kind, bool flow,
                       int depth, struct yaml **out)
{
    if (depth == YAML_DEPTH)
        return fail_mark(b, e->start_mark, ERR_TOO_LARGE,
                         "nested too deeply; at most 64 levels were expected");
    b->flow += flow;
    *out = new_node(b, kind, e->start_mark);
    int rc = read_children(b, *out, depth + 1);
    b->flow -= flow;
    return rc;
}

static const char anchor_refused[] =
    "an anchor (&name); a value was expected, quoted if it is meant to begin with &";
static const char tag_refused[] =
    "a tag (!name); a value was expected, quoted if it is meant to begin with !";

static int read_node(struct build *b, yaml_event_t *e, int depth, struct yaml **out)
{
    switch (e->type) {
    case YAML_ALIAS_EVENT:
        return fail_mark(b, e->start_mark, ERR_BAD_REQUEST,
                         "an alias (*name); a value was expected, quoted if it is meant to begin "
                         "with *");
    case YAML_SCALAR_EVENT:
        if (e->data.scalar.anchor || e->data.scalar.tag)
            return fail_mark(b, e->start_mark, ERR_BAD_REQUEST,
                             e->data.scalar.anchor ? anchor_refused : tag_refused);
        return read_scalar(b, e, out);
    case YAML_SEQUENCE_START_EVENT:
        if (e->data.sequence_start.anchor || e->data.sequence_start.tag)
            return fail_mark(b, e->start_mark, ERR_BAD_REQUEST,
                             e->data.sequence_start.anchor ? anchor_refused : tag_refused);
        return read_branch(b, e, YAML_LIST,
                           e->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE, depth, out);
    case YAML_MAPPING_START_EVENT:
        if (e->data.mapping_start.anchor || e->data.mapping_start.tag)
            return fail_mark(b, e->start_mark, ERR_BAD_REQUEST,
                             e->data.mapping_start.anchor ? anchor_refused : tag_refused);
        return read_branch(b, e, YAML_MAP, e->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE,
                           depth, out);
    default:
        return fail_mark(b, e->start_mark, ERR_BAD_REQUEST,
                         "not YAML that content uses; a value was expected");
    }
}

static int read_document(struct build *b, yaml_event_t *e)
{
    if (e->type == YAML_STREAM_START_EVENT) {
        yaml_event_delete(e);
        int rc = next_event(b, e);
        if (rc)
            return rc;
    }
    if (e->type != YAML_DOCUMENT_START_EVENT)
        return fail_mark(b, e->start_mark, ERR_BAD_REQUEST,
                         "an empty file; keys and values were expected");
    if (e->data.document_start.version_directive ||
        e->data.document_start.tag_directives.start != e->data.document_start.tag_directives.end)
        return fail_mark(b, e->start_mark, ERR_BAD_REQUEST,
                         "a directive (%); plain YAML was expected");
    yaml_event_delete(e);
    int rc = next_event(b, e);
    if (!rc)
        rc = read_node(b, e, 0, &b->doc->root);
    if (rc)
        return rc;
    yaml_event_delete(e);
    if ((rc = next_event(b, e)))     /* the document's end */
        return rc;
    yaml_event_delete(e);
    if ((rc = next_event(b, e)))
        return rc;
    if (e->type != YAML_STREAM_END_EVENT)
        return fail_mark(b, e->start_mark, ERR_BAD_REQUEST,
                         "a second document (---); one was expected in a file");
    return 0;
}

int yaml_doc_read(struct yaml_doc **out, const struct files *files, const struct file *file,
                  struct err *err)
{
    *out = NULL;
    if (file->len > FILE_BYTES_MAX)
        return err_set(err, ERR_TOO_LARGE, "%s: %zu bytes; at most %zu were expected", file->path,
                       file->len, FILE_BYTES_MAX);
    size_t bad = text_first_bad(file->text, file->len);
    if (bad < file->len) {
        int line, col;
        file_place(file, bad, &line, &col);
        return files_fail(files, file, line, col, ERR_BAD_REQUEST, err,
                          "a control character, or bytes that are not UTF-8; plain text was "
                          "expected");
    }
    struct build b = {.doc = mem_new(1, sizeof *b.doc), .err = err};
    b.doc->files = files;
    b.doc->file = file;
    if (!yaml_parser_initialize(&b.parser)) {
        yaml_doc_free(b.doc);
        return err_set(err, ERR_IO, "the YAML parser does not start");
    }
    yaml_parser_set_encoding(&b.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b.parser, (const unsigned char *)file->text, file->len);
    yaml_event_t e;
    memset(&e, 0, sizeof e);
    int rc = next_event(&b, &e);
    if (!rc)
        rc = read_document(&b, &e);
    yaml_event_delete(&e);
    yaml_parser_delete(&b.parser);
    if (rc)
        yaml_doc_free(b.doc);
    else
        *out = b.doc;
    return rc;
}
