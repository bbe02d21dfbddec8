/* Items of masked code: which are kernels, which device code, which the host's. What is no device
 * code is noted and goes. */
#include "scenarios/new/scaffold_source_inside.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

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
            source_note(s, source_line_at(s, at), "the macro %.*s was left out: it is the host's",
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
        char *this = text_ndup(s->file.text + name, end - name);
        bool told = strstr(old, this) != NULL;
        free(this);
        if (told)
            return;
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
    int n = (int)(word_end - word), line = source_line_at(s, at);
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
void source_directives(struct source *s)
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
    size_t close = open > at && s->code[open] == '<' ? source_close(s, open, end) : 0;
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
            if (!(close = source_close(s, i, end)))
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
            size_t close = source_close(s, i, it->end);
            i = (close ? close : it->end) - 1;
        } else if (s->code[i] == '<') {
            size_t close = source_close(s, i, it->head);
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
    source_note(s, source_line_at(s, it->begin),
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

/* Behind the rest of the line where that is a comment, as `} // namespace` has it. */
static size_t behind_comment(const struct source *s, size_t at)
{
    size_t stop = at + strcspn(s->file.text + at, "\n");
    return code_skip(s->code, at, stop) == stop ? stop : at;
}

/* The brace that opens a block of items at `at`, 0 where an item begins instead. `extern "C" {`
 * goes and is set before the kernel again; a namespace stays, since names may be qualified by it,
 * but for one without a name, in which no launch would find a kernel. */
static size_t block_of(struct source *s, size_t at, size_t end)
{
    size_t open = at;
    while (open < end && !strchr("{;=(", s->code[open]))
        open++;
    bool linkage = begins(s, at, "extern") && s->code[code_skip(s->code, at + 6, end)] == '"';
    if (open == end || s->code[open] != '{' || code_find(s->code, at, open, "struct") < open ||
        (!linkage && code_find(s->code, at, open, "namespace") == open))
        return 0;
    size_t close = source_close(s, open, end);
    bool unnamed = begins(s, at, "namespace") && code_skip(s->code, at + 9, end) == open;
    if ((linkage || unnamed) && close) {
        drop(s, at, open + 1);
        drop(s, close - 1, behind_comment(s, close));
    }
    return open;
}

/* One item, from *at on. */
static int take_item(struct source *s, size_t *at, size_t end, struct err *err)
{
    struct item it = next_item(s, *at, end);
    if (!it.end || strchr(")]}", s->code[*at]))
        return source_fail(s, it.end ? *at : it.head, ERR_BAD_REQUEST, err,
                       "brackets that do not match, perhaps since #if and #else each hold one of "
                       "them; device code of one shape was expected");
    classify(s, &it);
    *at = it.end;
    return 0;
}

/* Blocks lie in blocks, as deep as they like: the ends of those around this one are kept in a list.
 */
int source_split(struct source *s, struct err *err)
{
    size_t at = 0, end = s->file.len, *around = NULL, depth = 0, room = 0;
    int rc = 0;
    while (!rc && ((at = code_skip(s->code, at, end)) < end || depth > 0)) {
        size_t open = at < end ? block_of(s, at, end) : 0;
        if (at == end) {
            at = end + 1; /* behind the brace */
            end = around[--depth];
        } else if (open && !source_close(s, open, end)) {
            rc = source_fail(s, open, ERR_BAD_REQUEST, err,
                             "a brace that nothing closes; one for each was expected");
        } else if (open) {
            if (depth == room)
                around = mem_grow(around, room = 2 * room + 8, sizeof *around);
            around[depth++] = end;
            end = source_close(s, open, end) - 1;
            at = open + 1;
        } else {
            rc = take_item(s, &at, end, err);
        }
    }
    free(around);
    return rc;
}
