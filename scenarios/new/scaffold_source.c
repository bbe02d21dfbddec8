/* Reads the file, masks comments and literals, and splits it into items: which are kernels, which
 * device code, which the host's. */
#include "scenarios/new/scaffold_source.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"

/* ---- words of masked code ---- */

bool code_is_word(char c)
{
    return c == '_' || isalnum((unsigned char)c);
}

size_t code_find(const char *code, size_t from, size_t end, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = from; i + n <= end; i++)
        if (!memcmp(code + i, word, n) && (i == 0 || !code_is_word(code[i - 1])) &&
            !code_is_word(code[i + n]))
            return i;
    return end;
}

size_t code_close(const char *code, size_t at, size_t end)
{
    int depth = 0;
    char open = code[at], close = open == '(' ? ')' : open == '[' ? ']' : open == '<' ? '>' : '}';
    for (size_t i = at; i < end; i++) {
        depth += (code[i] == open) - (code[i] == close);
        if (depth == 0)
            return i + 1;
    }
    return 0;
}

size_t code_behind(const char *code, size_t at, size_t end)
{
    size_t close = code_close(code, at, end);
    return close ? close : end;
}

size_t code_skip(const char *code, size_t at, size_t end)
{
    while (at < end && isspace((unsigned char)code[at]))
        at++;
    return at;
}

size_t code_word(const char *code, size_t at, size_t end)
{
    while (at < end && code_is_word(code[at]))
        at++;
    return at;
}

void source_note(struct source *s, int line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char text[400];
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    s->notes = mem_grow(s->notes, (size_t)s->n_notes + 1, sizeof *s->notes);
    s->notes[s->n_notes++] = (struct note){line, text_dup(text)};
}

enum { MARK_EVERY = 256 /* bytes, the most that a place is looked for; a power of two */ };

void source_place(const struct source *s, size_t at, int *line, int *col)
{
    size_t mark = (at < s->file.len ? at : s->file.len) / MARK_EVERY;
    *line = s->marks[mark].line;
    *col = s->marks[mark].col;
    file_place_on(&s->file, mark * MARK_EVERY, at, line, col);
}

static void set_marks(struct source *s)
{
    struct source_mark now = {1, 1};
    s->marks = mem_new(s->file.len / MARK_EVERY + 1, sizeof *s->marks);
    for (size_t i = 0; i <= s->file.len; i++) {
        if (i % MARK_EVERY == 0)
            s->marks[i / MARK_EVERY] = now;
        now.col = s->file.text[i] == '\n' ? 1 : now.col + !text_is_tail(s->file.text[i]);
        now.line += s->file.text[i] == '\n';
    }
}

static int line_of(const struct source *s, size_t at)
{
    int line, col;
    source_place(s, at, &line, &col);
    return line;
}

static int fail_at(const struct source *s, size_t at, struct err *err, const char *what)
{
    int line, col;
    file_place(&s->file, at, &line, &col);
    return files_fail(NULL, &s->file, line, col, ERR_BAD_REQUEST, err, "%s", what);
}

/* ---- the text ---- */

static int slurp(struct file *f, struct err *err)
{
    FILE *in;
    int rc = path_open_stream(&in, f->path, err);
    if (rc)
        return rc;
    f->text = mem_new(CAP_SOURCE_BYTES + 2, 1);
    f->len = fread(f->text, 1, CAP_SOURCE_BYTES + 1, in);
    int bad = ferror(in);
    fclose(in);
    if (bad || !f->len)
        return err_set(err, ERR_IO, "%s %s; CUDA source was expected", f->path,
                       bad ? "cannot be read" : "is empty");
    if (f->len > CAP_SOURCE_BYTES)
        return err_set(err, ERR_TOO_LARGE,
                       "%s is larger than %d KiB; the kernel and what it needs was expected",
                       f->path, CAP_SOURCE_BYTES / 1024);
    return 0;
}

/* Lines of Windows and form feeds are mended and told; what is no UTF-8 cannot be. */
static int mend_text(struct source *s, struct err *err)
{
    struct file *f = &s->file;
    size_t from = f->len >= 3 && !memcmp(f->text, "\xEF\xBB\xBF", 3) ? 3 : 0, to = 0;
    bool returns = false;
    for (size_t i = from; i < f->len; i++) {
        bool ends = f->text[i] == '\r' && (i + 1 == f->len || f->text[i + 1] == '\n');
        returns = returns || ends;
        if (!ends)
            f->text[to++] = f->text[i] == '\f' ? ' ' : f->text[i];
    }
    if (to == 0 || f->text[to - 1] != '\n')
        f->text[to++] = '\n';
    f->text[f->len = to] = '\0';
    if (returns)
        source_note(s, 0,
                    "lines ended in carriage returns; in the pack they end in newlines alone");
    size_t bad = text_first_bad(f->text, f->len);
    if (bad < f->len)
        return fail_at(s, bad, err,
                       (unsigned char)f->text[bad] >= 0x80
                           ? "bytes that are not UTF-8; UTF-8 was expected (iconv -f latin1 -t "
                             "utf8 FILE)"
                           : "a control character; plain text was expected");
    return 0;
}

/* Behind the literal that begins at i; its inside becomes blanks in the mask. */
static size_t mask_literal(char *code, size_t i, size_t end)
{
    char quote = code[i++];
    while (i < end && code[i] != quote && code[i] != '\n') {
        if (code[i] == '\\' && i + 1 < end && code[i + 1] != '\n')
            code[i++] = ' ';
        code[i++] = ' ';
    }
    return i < end ? i + 1 : end;
}

static size_t mask_comment(char *code, size_t i, size_t end)
{
    bool block = code[i + 1] == '*';
    size_t stop = i + 2;
    while (stop < end && (block ? !(code[stop] == '*' && stop + 1 < end && code[stop + 1] == '/')
                                : code[stop] != '\n'))
        stop++;
    if (block && stop < end)
        stop += 2;
    for (; i < stop; i++)
        if (code[i] != '\n')
            code[i] = ' ';
    return stop;
}

/* Behind the number that begins at i; a quote between digits becomes part of the word. */
static size_t mask_number(struct source *s, size_t i)
{
    char *code = s->code;
    for (; code_is_word(code[i]) || code[i] == '.' || code[i] == '\''; i++) {
        if (code[i] != '\'')
            continue;
        if (!code_is_word(code[i + 1]))
            break;
        code[i] = '_';
        s->quotes = mem_grow(s->quotes, (size_t)s->n_quotes + 1, sizeof *s->quotes);
        s->quotes[s->n_quotes++] = i;
    }
    return i;
}

static void mask(struct source *s)
{
    size_t end = s->file.len;
    char *code = s->code = mem_new(end + 64, 1); /* words are looked for a little past the end */
    memcpy(code, s->file.text, end);
    for (size_t i = 0; i < end;) {
        if (code[i] == '/' && i + 1 < end && (code[i + 1] == '/' || code[i + 1] == '*'))
            i = mask_comment(code, i, end);
        else if (code[i] == '"' || code[i] == '\'')
            i = mask_literal(code, i, end);
        else if (isdigit((unsigned char)code[i]))
            i = mask_number(s, i);
        else if (code_is_word(code[i]))
            i = code_word(code, i, end);
        else
            i++;
    }
}

/* ---- brackets ---- */

/* Each kind by itself, as code_close counts them: a stack of the open ones in the places that they
 * will have. */
static void pair_brackets(struct source *s, char open, char close)
{
    unsigned last =
        0; /* the innermost open one, from 1; it holds the one around it until it is closed */
    for (size_t i = 0; i < s->file.len; i++) {
        if (s->code[i] == open) {
            s->close[i] = last;
            last = (unsigned)i + 1;
        } else if (s->code[i] == close && last) {
            unsigned at = last - 1;
            last = s->close[at];
            s->close[at] = (unsigned)i + 1;
        }
    }
    while (last) {
        unsigned at = last - 1;
        last = s->close[at];
        s->close[at] = 0;
    }
}

static void pair_all_brackets(struct source *s)
{
    s->close = mem_new(s->file.len + 1, sizeof *s->close);
    pair_brackets(s, '(', ')');
    pair_brackets(s, '[', ']');
    pair_brackets(s, '{', '}');
    pair_brackets(s, '<', '>');
}

/* code_close of the source's own code, without looking for it. */
static size_t close_of(const struct source *s, size_t at, size_t end)
{
    return s->close[at] <= end ? s->close[at] : 0;
}

/* ---- items ---- */

struct item {
    size_t begin, head, end;
    bool function;
}; /* head: where its body or value begins, else its end */

static void drop(struct source *s, size_t begin, size_t end)
{
    s->dropped = mem_grow(s->dropped, (size_t)s->n_dropped + 1, sizeof *s->dropped);
    s->dropped[s->n_dropped++] = (struct span){begin, end};
}

static bool head_has(const struct source *s, const struct item *it, const char *word)
{
    return code_find(s->code, it->begin, it->head, word) < it->head;
}

static bool item_has(const struct source *s, const struct item *it, const char *word)
{
    return code_find(s->code, it->begin, it->end, word) < it->end;
}

static size_t directive_end(const char *code, size_t at, size_t end)
{
    while (at < end && !(code[at] == '\n' && code[at - 1] != '\\'))
        at++;
    return at;
}

static bool begins(const struct source *s, size_t at, const char *word)
{
    return code_find(s->code, at, at + strlen(word), word) == at;
}

static void add_alias(struct source *s, size_t name, size_t name_end, size_t is, size_t is_end)
{
    while (is_end > is && isspace((unsigned char)s->code[is_end - 1]))
        is_end--;
    if (name_end <= name || is_end <= is)
        return;
    s->aliases = mem_grow(s->aliases, (size_t)s->n_aliases + 1, sizeof *s->aliases);
    s->aliases[s->n_aliases++] = (struct alias){text_ndup(s->code + name, name_end - name),
                                                text_ndup(s->code + is, is_end - is)};
}

/* "#define real float": what it stands for may be the type of a parameter. */
static void define(struct source *s, size_t at, size_t end)
{
    static const char *const host[] =
        {"__FILE__",    "__LINE__",           "fprintf", "exit", "cudaError_t",
         "cudaSuccess", "cudaGetErrorString", "assert"};
    size_t name = code_skip(s->code, at, end), name_end = code_word(s->code, name, end);
    for (size_t i = 0; i < sizeof host / sizeof *host; i++)
        if (code_find(s->code, name, end, host[i]) < end) {
            source_note(s, line_of(s, at), "the macro %.*s was left out: it is the host's",
                        (int)(name_end - name), s->code + name);
            drop(s, at, end);
            return;
        }
    if (name_end < end && s->code[name_end] == ' ')
        add_alias(s, name, name_end, code_skip(s->code, name_end, end), end);
}

/* One note for all of them, but for those that something replaces. */
static void include(struct source *s, int line, size_t name, size_t end)
{
    static const char what[] = " left out: device code of a pack stands alone";
    if (!strncmp(s->file.text + name, "\"warpdrill.h\"", 13))
        return;
    const char *instead = header_instead(s->file.text + name);
    if (instead) {
        source_note(s, line, "#include %.*s left out; in its place: %s",
                    (int)(strcspn(s->file.text + name, ">") + 1), s->file.text + name, instead);
        return;
    }
    for (int i = 0; i < s->n_notes; i++) {
        char *old = s->notes[i].text, *at = strncmp(old, "#include ", 9) ? NULL : strstr(old, what);
        if (!at)
            continue;
        s->notes[i].text = text_format("%.*s, %.*s%s", (int)(at - old), old, (int)(end - name),
                                       s->file.text + name, what);
        free(old);
        return;
    }
    source_note(s, line, "#include %.*s%s", (int)(end - name), s->file.text + name, what);
}

static void directive(struct source *s, size_t at, size_t end)
{
    size_t word = code_skip(s->code, at + 1, end), word_end = code_word(s->code, word, end);
    size_t rest = code_skip(s->code, word_end, end);
    int n = (int)(word_end - word), line = line_of(s, at);
    if (n == 6 && begins(s, word, "define")) {
        int before = s->n_dropped;
        define(s, word_end, end);
        if (s->n_dropped > before)
            s->dropped[before].begin = at;
    } else if (n == 7 && begins(s, word, "include")) {
        include(s, line, rest, end);
        drop(s, at, end);       /* warpdrill.h comes back where it is needed */
    } else if (n == 6 && begins(s, word, "pragma") && !begins(s, rest, "unroll")) {
        source_note(s, line, "#%.*s was left out", (int)(end - word), s->file.text + word);
        drop(s, at, end);
    } else if (n == 4 && begins(s, word, "line")) {
        drop(s, at, end);
    }
}

static bool at_line_start(const char *code, size_t at)
{
    while (at > 0 && (code[at - 1] == ' ' || code[at - 1] == '\t'))
        at--;
    return at == 0 || code[at - 1] == '\n';
}

/* All directives, those inside functions too; in the mask they become blanks, so that what follows
 * sees code alone. */
static void directives(struct source *s)
{
    size_t end = s->file.len;
    for (size_t i = 0; i < end; i++)
        if (s->code[i] == '#' && at_line_start(s->code, i)) {
            size_t stop = directive_end(s->code, i, end);
            directive(s, i, stop);
            for (; i < stop; i++)
                if (s->code[i] != '\n')
                    s->code[i] = ' ';
        }
}

static bool is_struct(const struct source *s, const struct item *it)
{
    static const char *const words[] = {"struct", "class", "union", "enum", "typedef", "using"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (head_has(s, it, words[i]))
            return true;
    return false;
}

/* Behind `template <...>`, which may hold an equals sign; `at` where there is none. */
static size_t behind_template(const struct source *s, size_t at, size_t end)
{
    size_t open = begins(s, at, "template") ? code_skip(s->code, at + 8, end) : at;
    size_t close = open > at && s->code[open] == '<' ? close_of(s, open, end) : 0;
    return close ? close : at;
}

static struct item unmatched(size_t at)
{
    return (struct item){.head = at, .end = 0};
}

/* One item from `at`; end 0 when the bracket at head has no other. */
static struct item next_item(const struct source *s, size_t at, size_t end)
{
    struct item it = {.begin = at, .end = end};
    bool value = false, parens = false, overloads = false, structure = false;
    char last = ' ';
    for (size_t i = behind_template(s, at, end), close; i < end; i++) {
        char c = s->code[i];
        if (strchr("([{", c)) {
            if (!(close = close_of(s, i, end)))
                return unmatched(i);
            if (c == '{') {
                if (!it.head) {
                    it.head = i;
                    structure = is_struct(s, &it);
                }
                it.function = !value && (last == ')' || (parens && !structure));
                if (it.function) {
                    it.end = close;
                    return it;
                }
            }
            parens = parens || c == '(';
            last = s->code[close - 1];
            i = close - 1;
        } else if (c == ';') {
            it.head = it.head ? it.head : i;
            it.end = i + 1;
            it.function = parens && !value && last == ')' &&
                          !is_struct(s, &it); /* a prototype, or as good as one */
            return it;
        } else if (!isspace((unsigned char)c)) {
            overloads = overloads || (c == 'o' && begins(s, i, "operator"));
            if (c == '=' && !overloads) {
                value = true;
                it.head = it.head ? it.head : i;
            }
            last = c;
        }
    }
    it.head = it.head ? it.head : end;
    return it;
}

/* ---- what an item is ---- */

static bool is_attribute(const struct source *s, size_t at)
{
    return begins(s, at, "__launch_bounds__") || begins(s, at, "__cluster_dims__") ||
           begins(s, at, "__maxnreg__") || begins(s, at, "__align__") ||
           begins(s, at, "__block_size__") || begins(s, at, "__attribute__");
}

/* The word before the parameters; 0 if the item has none. */
static size_t name_of(const struct source *s, const struct item *it)
{
    size_t name = 0;
    for (size_t i = it->begin; i < it->head; i++) {
        if (s->code[i] == '(') {
            if (!is_attribute(s, name))
                return name;
            size_t close = close_of(s, i, it->end);
            i = (close ? close : it->end) - 1;
        } else if (s->code[i] == '<') {
            size_t close = close_of(s, i, it->head);
            i = close ? close - 1 : i;
        } else if (code_is_word(s->code[i])) {
            name = i;
            i = code_word(s->code, i, it->head) - 1;
        }
    }
    return 0;
}

static void add_kernel(struct source *s, const struct item *it, size_t name)
{
    s->kernels = mem_grow(s->kernels, (size_t)s->n_kernels + 1, sizeof *s->kernels);
    struct kernel *k = &s->kernels[s->n_kernels++];
    *k =
        (struct kernel){.name = text_ndup(s->code + name, code_word(s->code, name, it->end) - name),
                        .begin = it->begin,
                        .name_at = name,
                        .body = it->head,
                        .end = it->end,
                        .is_template = head_has(s, it, "template")};
    source_place(s, name, &k->line, &k->col);
}

static void leave_out(struct source *s, const struct item *it, const char *why)
{
    size_t name = it->function ? name_of(s, it) : 0, length = it->end - it->begin;
    const char *line_end = memchr(s->file.text + it->begin, '\n', length);
    size_t line = line_end ? (size_t)(line_end - s->file.text) - it->begin : length;
    size_t n = name ? code_word(s->code, name, it->end) - name : line;
    drop(s, it->begin, it->end);
    source_note(s, line_of(s, it->begin),
                name ? "%.*s() was left out: %s" : "`%.*s` was left out: %s",
                (int)(n > 60 ? 60 : n), s->file.text + (name ? name : it->begin), why);
}

static void typedefs(struct source *s, const struct item *it)
{
    if (begins(s, it->begin, "typedef") && s->code[it->end - 1] == ';' &&
        !memchr(s->code + it->begin, '{', it->end - it->begin)) {
        size_t last = it->end - 1;
        while (last > it->begin && !code_is_word(s->code[last - 1]))
            last--;
        size_t name = last;
        while (name > it->begin && code_is_word(s->code[name - 1]))
            name--;
        add_alias(s, name, last, code_skip(s->code, it->begin + 7, it->end), name);
    } else if (begins(s, it->begin, "using") && it->head < it->end && s->code[it->head] == '=') {
        size_t name = code_skip(s->code, it->begin + 5, it->end);
        add_alias(s, name, code_word(s->code, name, it->end),
                  code_skip(s->code, it->head + 1, it->end), it->end - 1);
    }
}

/* The word that ends before `end`, behind `from`; malloc'd, NULL where there is none. */
static char *word_before(const struct source *s, size_t from, size_t end)
{
    while (end > from && isspace((unsigned char)s->code[end - 1]))
        end--;
    size_t word = end;
    while (word > from && code_is_word(s->code[word - 1]))
        word--;
    return word < end ? text_ndup(s->code + word, end - word) : NULL;
}

static void add_type(struct source *s, const struct item *it)
{
    static const char *const words[] = {"struct", "class", "union"};
    size_t word = it->head, colon = it->head;
    for (size_t i = 0; i < sizeof words / sizeof *words && word == it->head; i++)
        word = code_find(s->code, behind_template(s, it->begin, it->head), it->head, words[i]);
    if (word == it->head || s->code[it->head] != '{' || head_has(s, it, "enum"))
        return;
    for (size_t i = it->head; i > word; i--)
        colon = s->code[i - 1] == ':' ? i - 1 : colon;       /* a base class */
    size_t behind = code_behind(s->code, it->head, it->end),
           name = code_word(s->code, word, it->head);
    s->types = mem_grow(s->types, (size_t)s->n_types + 1, sizeof *s->types);
    s->types[s->n_types++] =
        (struct type_item){word_before(s, name, colon), word_before(s, behind, it->end - 1),
                           it->begin, it->end};
}

static void classify(struct source *s, const struct item *it)
{
    static const char host[] = "it is the host's, and a pack is device code";
    bool device = head_has(s, it, "__device__") || head_has(s, it, "__constant__") ||
                  head_has(s, it, "__shared__");
    size_t name = it->function ? name_of(s, it) : 0;
    if (head_has(s, it, "__global__")) {
        if (name && s->code[it->head] == '{')
            add_kernel(s, it, name);
        else
            drop(s, it->begin, it->end);        /* a prototype */
    } else if (device) {
        return;
    } else if (it->function) {
        if (!head_has(s, it, "constexpr"))
            leave_out(s, it, host);
    } else if (it->end == it->begin + 1) {
        drop(s, it->begin, it->end);            /* a semicolon by itself */
    } else if (item_has(s, it, "std") || begins(s, it->begin, "using namespace") ||
               (begins(s, it->begin, "namespace") && s->code[it->head] == '=')) {
        leave_out(s, it, "it needs a header, and device code of a pack stands alone");
    } else if (is_struct(s, it)) {
        typedefs(s, it);
        add_type(s, it);
    } else if (!head_has(s, it, "const") && !head_has(s, it, "constexpr") &&
               !head_has(s, it, "static_assert")) {
        leave_out(s, it, host);
    }
}

/* The brace that opens a block of items at `at`, 0 where an item begins instead. `extern "C" {`
 * goes and is set before the kernel again; a namespace stays, since names may be qualified by it.
 */
static size_t block_of(struct source *s, size_t at, size_t end)
{
    size_t open = at;
    while (open < end && !strchr("{;=(", s->code[open]))
        open++;
    bool linkage = begins(s, at, "extern") && s->code[code_skip(s->code, at + 6, end)] == '"';
    if (open == end || s->code[open] != '{' || code_find(s->code, at, open, "struct") < open ||
        (!linkage && code_find(s->code, at, open, "namespace") == open))
        return 0;
    size_t close = close_of(s, open, end);
    if (linkage && close) {
        drop(s, at, open + 1);
        drop(s, close - 1, close);
    }
    return open;
}

/* One item, from *at on. */
static int take_item(struct source *s, size_t *at, size_t end, struct err *err)
{
    struct item it = next_item(s, *at, end);
    if (!it.end || strchr(")]}", s->code[*at]))
        return fail_at(s, it.end ? *at : it.head, err,
                       "brackets that do not match, perhaps since #if and #else each hold one of "
                       "them; device code of one shape was expected");
    classify(s, &it);
    *at = it.end;
    return 0;
}

/* Blocks lie in blocks, as deep as they like: the ends of those around this one are kept in a list.
 */
static int split(struct source *s, struct err *err)
{
    size_t at = 0, end = s->file.len, *around = NULL, depth = 0, room = 0;
    int rc = 0;
    while (!rc && ((at = code_skip(s->code, at, end)) < end || depth > 0)) {
        size_t open = at < end ? block_of(s, at, end) : 0;
        if (at == end) {
            at = end + 1; /* behind the brace */
            end = around[--depth];
        } else if (open && !close_of(s, open, end)) {
            rc = fail_at(s, open, err, "a brace that nothing closes; one for each was expected");
        } else if (open) {
            if (depth == room)
                around = mem_grow(around, room = 2 * room + 8, sizeof *around);
            around[depth++] = end;
            end = close_of(s, open, end) - 1;
            at = open + 1;
        } else {
            rc = take_item(s, &at, end, err);
        }
    }
    free(around);
    return rc;
}

/* ---- opening ---- */

/* Takes s over; the text is there. */
static int read_source(struct source **out, struct source *s, int rc, struct err *err)
{
    *out = NULL;
    if (!rc)
        rc = mend_text(s, err);
    if (!rc) {
        mask(s);
        set_marks(s);
        directives(s);
        pair_all_brackets(s);
        rc = split(s, err);
    }
    if (!rc && !s->n_kernels)
        rc = err_set(err, ERR_MISSING,
                     "%s: there is no kernel in it; a function with __global__ and a body was "
                     "expected",
                     s->file.path);
    if (rc)
        source_free(s);
    else
        *out = s;
    return rc;
}

int source_open(struct source **out, const char *path, struct err *err)
{
    struct source *s = mem_new(1, sizeof *s);
    s->file.path = text_dup(path);
    int rc = slurp(&s->file, err);
    return read_source(out, s, rc, err);
}

int source_read(struct source **out, const char *path, const char *text, size_t len,
                struct err *err)
{
    struct source *s = mem_new(1, sizeof *s);
    s->file = (struct file){text_dup(path), mem_new(len + 2, 1), len};
    memcpy(s->file.text, text, len);
    return read_source(out, s, 0, err);
}

static void kernel_free(struct kernel *k)
{
    for (int i = 0; i < k->n_params; i++) {
        free(k->params[i].name);
        free(k->params[i].type);
    }
    free(k->params);
    free(k->name);
    free(k->launch);
    free(k->guard);
}

void source_free(struct source *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->n_kernels; i++)
        kernel_free(&s->kernels[i]);
    for (int i = 0; i < s->n_aliases; i++) {
        free(s->aliases[i].name);
        free(s->aliases[i].is);
    }
    for (int i = 0; i < s->n_types; i++) {
        free(s->types[i].name);
        free(s->types[i].other);
    }
    for (int i = 0; i < s->n_notes; i++)
        free(s->notes[i].text);
    free(s->types);
    free(s->kernels);
    free(s->aliases);
    free(s->notes);
    free(s->dropped);
    free(s->quotes);
    free(s->code);
    free(s->marks);
    free(s->close);
    free(s->file.path);
    free(s->file.text);
    free(s);
}

struct kernel *source_kernel(const struct source *s, const char *name)
{
    for (int i = 0; i < s->n_kernels; i++)
        if (!strcmp(s->kernels[i].name, name))
            return &s->kernels[i];
    return NULL;
}
