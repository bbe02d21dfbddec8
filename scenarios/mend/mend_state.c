#include "scenarios/mend/mend_state.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "kernels/wire/token.h"

enum { ALIASES = 64, WORD = 64 };

struct words {
    const struct token_text *tokens;
    const char *name, *at;
    char alias[ALIASES][WORD]; /* macros that stand for __device__ */
    int n_aliases, depth;      /* depth: of braces */
    struct err *err;
};

static int line_of(const struct words *w, const char *at)
{
    int line = 0;
    for (const char *c = w->tokens->text; c < at; c++)
        line += *c == '\n';
    return line < w->tokens->lines ? w->tokens->line_of[line] : 0;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_word(const char *at, size_t n, const char *word)
{
    return n == strlen(word) && !strncmp(at, word, n);
}

static bool is_device(const struct words *w, const char *at, size_t n)
{
    for (int i = 0; i < w->n_aliases; i++)
        if (is_word(at, n, w->alias[i]))
            return true;
    return is_word(at, n, "__device__");
}

static bool is_clock(const char *at, size_t n)
{
    static const char *const words[] = {"clock", "clock64", "globaltimer", "__globaltimer",
                                        "clock_hi", "globaltimer_lo", "globaltimer_hi"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(at, n, words[i]))
            return true;
    return false;
}

/* ---- macros ---- */

static bool holds_device(const struct words *w, const char *from, const char *end)
{
    for (const char *at = from; at < end;) {
        size_t n = 0;
        while (at + n < end && in_word(at[n]))
            n++;
        if (n && is_device(w, at, n))
            return true;
        at += n ? n : 1;
    }
    return false;
}

/* "#define NAME ... __device__ ...": from here on NAME says it too. */
static void read_directive(struct words *w, const char *end)
{
    const char *at = w->at + 1;
    at += strspn(at, " ");
    if (strncmp(at, "define ", 7))
        return;
    at += 7 + strspn(at + 7, " ");
    size_t n = 0;
    while (in_word(at[n]))
        n++;
    if (n < WORD && w->n_aliases < ALIASES && holds_device(w, at + n, end))
        snprintf(w->alias[w->n_aliases++], WORD, "%.*s", (int)n, at);
}

/* ---- declarations ---- */

/* What begins here ends at one of these: a function at its parenthesis. Lists of attributes have
 * their own. */
static bool declares_state(const char *from)
{
    bool fixed = false, points = false;
    for (const char *at = from; *at;) {
        size_t n = 0;
        while (in_word(at[n]))
            n++;
        fixed = fixed || is_word(at, n, "const") || is_word(at, n, "constexpr") ||
                is_word(at, n, "__constant__") || is_word(at, n, "__shared__");
        if (is_word(at, n, "__launch_bounds__") || is_word(at, n, "__align__") ||
            is_word(at, n, "alignas")) {
            at += n + strcspn(at + n, ")");
            at += *at == ')';
            continue;
        }
        points = points || *at == '*';
        if (*at == '(')
            return false;
        if (strchr(";=[{", *at))
            return !fixed || points;
        at += n ? n : 1;
    }
    return false;
}

static int refuse(const struct words *w, const char *at, const char *what)
{
    return err_set(w->err, ERR_PERMISSION, "%s:%d: %s", w->name, line_of(w, at), what);
}

static int read_word(struct words *w, size_t n)
{
    static const char state[] =
        "a variable that outlives a launch, in which a kernel could count its launches; a "
        "workspace or shared memory was expected";
    const char *at = w->at;
    if (is_clock(at, n))
        return refuse(w, at, "reads a clock, by which a kernel could tell that it is timed");
    if (is_word(at, n, "__managed__") || !strncmp(at, "__cudart", strlen("__cudart")))
        return refuse(w, at, state);
    if (is_device(w, at, n) && declares_state(at + n))
        return refuse(w, at, state);
    if (is_word(at, n, "static") && w->depth > 0 && declares_state(at + n))
        return refuse(w, at, state);
    return 0;
}

static int read_all(struct words *w)
{
    bool fresh = true; /* at the beginning of a line */
    int rc = 0;
    for (w->at = w->tokens->text; rc == 0 && *w->at;) {
        size_t n = 0;
        while (in_word(w->at[n]))
            n++;
        if (fresh && *w->at == '#') {
            n = strcspn(w->at, "\n");
            read_directive(w, w->at + n);
        } else if (n) {
            rc = read_word(w, n);
        }
        fresh = *w->at == '\n';
        w->depth += (*w->at == '{') - (*w->at == '}');
        w->at += n ? n : 1;
    }
    return rc;
}

int mend_state_check(const char *name, const char *text, struct err *err)
{
    struct token_text tokens = {0};
    int rc = token_scan(&tokens, text, strlen(text), err);
    struct words w = {.tokens = &tokens, .name = name, .err = err};
    if (rc == 0)
        rc = read_all(&w);
    token_free(&tokens);
    return rc;
}
