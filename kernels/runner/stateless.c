#include "kernels/runner/stateless.h"

#include <ctype.h>
#include <string.h>

enum { NAMES = 256 };

/* ---- words of PTX ---- */

struct word { const char *at; size_t n; };

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' || c == '%';
}

/* The next one behind w; n 0: there is none. */
static struct word next_word(struct word w)
{
    const char *at = w.at + w.n;
    struct word next = {at, 0};
    while (*next.at && !in_word(*next.at))
        next.at++;
    while (in_word(next.at[next.n]))
        next.n++;
    return next;
}

static bool is_word(struct word w, const char *text)
{
    return w.n == strlen(text) && !strncmp(w.at, text, w.n);
}

static bool begins(struct word w, const char *text)
{
    return w.n >= strlen(text) && !strncmp(w.at, text, strlen(text));
}

/* ---- what is refused ---- */

static bool tells_launch(struct word w)
{
    static const char *const registers[] = {"%clock", "%globaltimer", "%gridid", "%pm",
                                            "%envreg"};
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
        if (begins(w, registers[i]))
            return true;
    return false;
}

/* ---- memory of the module's own ---- */

/* Constants by which a text only names numbers are declared too; nothing refers to those. */
struct names {
    struct word name[NAMES];
    int n, uses[NAMES];
    bool many;
};

/* Tables by which the compiler's own sine and cosine reduce large arguments. */
static bool is_of_compiler(struct word w)
{
    return is_word(w, "__cudart_i2opi_f") || is_word(w, "__cudart_i2opi_d") ||
           is_word(w, "__cudart_sin_cos_coeffs");
}

static bool is_name(struct word w)
{
    if (is_of_compiler(w))
        return false;
    return isalpha((unsigned char)*w.at) || *w.at == '_' || *w.at == '$' || *w.at == '%';
}

/* `.global` alone declares; `ld.global` is one word, and behind `.ptr` it describes a parameter. */
static bool declares_memory(struct word before, struct word w)
{
    return is_word(w, ".global") && !is_word(before, ".ptr");
}

/* Whatever is named up to the semicolon. */
static void take_names(struct names *all, struct word w)
{
    const char *end = w.at + strcspn(w.at, ";");
    for (w = next_word(w); w.n && w.at < end; w = next_word(w)) {
        if (!is_name(w))
            continue;
        all->many = all->many || all->n == NAMES;
        if (all->n < NAMES)
            all->name[all->n++] = w;
    }
}

static void count_use(struct names *all, struct word w)
{
    for (int i = 0; i < all->n; i++)
        all->uses[i] += all->name[i].n == w.n && !strncmp(all->name[i].at, w.at, w.n);
}

/* The first that is used anywhere but where it is declared; n 0: none. */
static struct word find_used(const char *ptx)
{
    struct names all = {.n = 0};
    struct word before = {ptx, 0};
    for (struct word w = next_word(before); w.n; before = w, w = next_word(w))
        if (declares_memory(before, w))
            take_names(&all, w);
    for (struct word w = next_word((struct word){ptx, 0}); w.n && all.n; w = next_word(w))
        count_use(&all, w);
    for (int i = 0; i < all.n; i++)
        if (all.uses[i] > 1 || all.many)
            return all.name[i];
    return (struct word){ptx, 0};
}

static int refuse(const char *name, const char *what, struct word w, struct err *err)
{
    return err_set(err, ERR_PERMISSION, "%s: %s (%.*s in its PTX)", name, what, (int)w.n, w.at);
}

int stateless_check_ptx(const char *name, const char *ptx, struct err *err)
{
    struct word before = {ptx, 0};
    for (struct word w = next_word(before); w.n; before = w, w = next_word(w)) {
        if (tells_launch(w))
            return refuse(name,
                          "reads a clock or the number of its launch, by which it could tell that "
                          "it is timed",
                          w, err);
        if (is_word(before, ".extern") && is_word(w, ".func"))
            return refuse(name,
                          "calls the device's runtime: printing, the heap and assertions change "
                          "what is timed, and the heap outlives a launch; a workspace or shared "
                          "memory was expected",
                          w, err);
    }
    struct word used = find_used(ptx);
    if (!used.n)
        return 0;
    return refuse(name,
                  "has memory of its own, which outlives a launch; a workspace, shared memory or, "
                  "for a table, __constant__ was expected",
                  used, err);
}

int stateless_check(const struct build_plan *p, const struct msg_measure *m, struct err *err)
{
    size_t i;
    json_t *use;
    int rc = 0;
    json_array_foreach(p->uses, i, use) {
        const char *id = json_string_value(json_object_get(use, "source"));
        const struct msg_source *s = id ? msg_source_find(m, id) : NULL;
        int at = (int)json_integer_value(json_object_get(use, "build"));
        if (!rc && s && s->stateless)
            rc = stateless_check_ptx(s->name, p->builds[at].ptx, err);
    }
    return rc;
}
