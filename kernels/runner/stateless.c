#include "kernels/runner/stateless.h"

#include <ctype.h>
#include <string.h>

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

/* `.global` alone declares; `ld.global` is one word, and behind `.ptr` it describes a parameter. */
static bool declares_memory(struct word before, struct word w)
{
    return is_word(w, ".global") && !is_word(before, ".ptr");
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
        if (declares_memory(before, w))
            return refuse(name,
                          "has memory of its own, which outlives a launch; a workspace, shared "
                          "memory or __constant__ was expected",
                          w, err);
    }
    return 0;
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
