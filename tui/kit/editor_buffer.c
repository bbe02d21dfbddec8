#include "tui/kit/editor_buffer.h"

#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "kernels/wire/text.h"

enum { STEPS_MOST = 1000 };

/* ---- steps ---- */

static void step_free(struct editor_step *s)
{
    free(s->removed);
    free(s->added);
}

static void forget_redo(struct editor_buffer *b)
{
    while (b->n_steps > b->done)
        step_free(&b->steps[--b->n_steps]);
}

static struct editor_step *step_new(struct editor_buffer *b)
{
    if (b->n_steps == STEPS_MOST) {
        step_free(&b->steps[0]);
        memmove(b->steps, b->steps + 1, (size_t)(STEPS_MOST - 1) * sizeof *b->steps);
        b->n_steps--;
    }
    if (b->n_steps == b->room) {
        b->room = b->room ? 2 * b->room : 16;
        b->steps = mem_grow(b->steps, (size_t)b->room, sizeof *b->steps);
    }
    struct editor_step *s = &b->steps[b->n_steps++];
    memset(s, 0, sizeof *s);
    b->done = b->n_steps;
    return s;
}

/* Replaces [at, at + n_old) by bytes; knows nothing of steps. */
static void splice(struct editor_buffer *b, size_t at, size_t n_old, const char *bytes, size_t n)
{
    memmove(b->bytes + at + n, b->bytes + at + n_old, b->len - at - n_old + 1);
    memcpy(b->bytes + at, bytes, n);
    b->len += n - n_old;
}

static char *joined(char *a, size_t n_a, const char *b, size_t n_b)
{
    char *out = mem_grow(a, n_a + n_b + 1, 1);
    memcpy(out + n_a, b, n_b);
    out[n_a + n_b] = '\0';
    return out;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t';
}

/* Typing goes on where it was, and no new word begins. */
static bool goes_on(const struct editor_buffer *b, const char *bytes, size_t n)
{
    const struct editor_step *s = b->open && b->done > 0 ? &b->steps[b->done - 1] : NULL;
    if (!s || s->n_removed || s->at + s->n_added != b->at || n > 4 || bytes[0] == '\n')
        return false;
    return is_blank(bytes[0]) || !is_blank(s->added[s->n_added - 1]);
}

static void change_insert(struct editor_buffer *b, const char *bytes, size_t n)
{
    bool on = goes_on(b, bytes, n);
    forget_redo(b);
    struct editor_step *s = on ? &b->steps[b->done - 1] : step_new(b);
    if (!on)
        s->at = s->cursor = b->at;
    s->added = joined(s->added, s->n_added, bytes, n);
    s->n_added += n;
    splice(b, b->at, 0, bytes, n);
    b->at += n;
    b->open = n <= 4;
}

/* ---- clean text that fits ---- */

/* A copy with newlines for line ends; *n follows. */
static char *cleaned(const char *bytes, size_t *n)
{
    char *out = mem_new(*n + 1, 1);
    size_t used = 0;
    for (size_t i = 0; i < *n; i++) {
        if (bytes[i] == '\r' && i + 1 < *n && bytes[i + 1] == '\n')
            continue;
        out[used++] = bytes[i] == '\r' ? '\n' : bytes[i];
    }
    text_clean(out, used);
    *n = used;
    return out;
}

bool editor_buffer_insert(struct editor_buffer *b, const char *bytes, size_t n)
{
    char *clean = cleaned(bytes, &n);
    size_t fits = text_cut(clean, n, EDITOR_BYTES - b->len);
    if (fits > 0)
        change_insert(b, clean, fits);
    free(clean);
    return fits == n;
}

void editor_buffer_delete(struct editor_buffer *b, size_t from, size_t to)
{
    if (from >= to)
        return;
    struct editor_step *s = b->open && b->done > 0 ? &b->steps[b->done - 1] : NULL;
    bool on = s && !s->n_added && (to == s->at || from == s->at);
    forget_redo(b);
    if (!on) {
        s = step_new(b);
        s->at = from;
        s->cursor = b->at;
    }
    if (on && to == s->at) { /* backwards: what goes now stood before what went */
        char *all =
            joined(text_ndup(b->bytes + from, to - from), to - from, s->removed, s->n_removed);
        free(s->removed);
        s->removed = all;
        s->at = from;
    } else {
        s->removed = joined(s->removed, s->n_removed, b->bytes + from, to - from);
    }
    s->n_removed += to - from;
    splice(b, from, to - from, "", 0);
    b->at = from;
    b->open = true;
}

bool editor_buffer_replace(struct editor_buffer *b, const char *text)
{
    size_t n = strlen(text);
    char *clean = cleaned(text, &n), *old = text_ndup(b->bytes, b->len);
    size_t n_old = b->len, cursor = b->at;
    forget_redo(b);
    splice(b, 0, b->len, "", 0);
    size_t fits = text_cut(clean, n, EDITOR_BYTES - b->len);
    splice(b, 0, 0, clean, fits);
    struct editor_step *s = step_new(b);
    *s = (struct editor_step){.n_removed = n_old,
                              .removed = old,
                              .cursor = cursor,
                              .added = text_ndup(clean, fits),
                              .n_added = fits};
    b->at = b->len;
    b->open = false;
    free(clean);
    return fits == n;
}

void editor_buffer_close(struct editor_buffer *b)
{
    b->open = false;
}

void editor_buffer_init(struct editor_buffer *b, const char *text)
{
    memset(b, 0, sizeof *b);
    b->bytes = mem_new(EDITOR_BYTES + 1, 1);
    if (text)
        editor_buffer_replace(b, text);
    b->done = 0;
    forget_redo(b);
}

void editor_buffer_free(struct editor_buffer *b)
{
    b->done = 0;
    forget_redo(b);
    free(b->steps);
    free(b->bytes);
    memset(b, 0, sizeof *b);
}

/* ---- back and forth ---- */

bool editor_buffer_undo(struct editor_buffer *b)
{
    b->open = false;
    if (b->done == 0)
        return false;
    const struct editor_step *s = &b->steps[--b->done];
    splice(b, s->at, s->n_added, s->removed ? s->removed : "", s->n_removed);
    b->at = s->cursor;
    return true;
}

bool editor_buffer_redo(struct editor_buffer *b)
{
    b->open = false;
    if (b->done == b->n_steps)
        return false;
    const struct editor_step *s = &b->steps[b->done++];
    splice(b, s->at, s->n_removed, s->added ? s->added : "", s->n_added);
    b->at = s->at + s->n_added;
    return true;
}

/* ---- places ---- */

static size_t take(const struct editor_buffer *b, size_t at, utf8proc_int32_t *c)
{
    utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)b->bytes + at,
                                          (utf8proc_ssize_t)(b->len - at), c);
    return n > 0 ? (size_t)n : 1;
}

size_t editor_buffer_next(const struct editor_buffer *b, size_t at)
{
    utf8proc_int32_t before, c, state = 0;
    if (at >= b->len)
        return b->len;
    at += take(b, at, &before);
    while (at < b->len) {
        size_t n = take(b, at, &c);
        if (utf8proc_grapheme_break_stateful(before, c, &state))
            break;
        before = c;
        at += n;
    }
    return at;
}

/* A newline ends every grapheme, so that it is enough to begin after the last one. */
size_t editor_buffer_previous(const struct editor_buffer *b, size_t at)
{
    size_t from = at > 0 ? at - 1 : 0, next;
    while (from > 0 && b->bytes[from - 1] != '\n')
        from--;
    while ((next = editor_buffer_next(b, from)) < at)
        from = next;
    return from;
}

size_t editor_buffer_word_right(const struct editor_buffer *b, size_t at)
{
    while (at < b->len && !is_blank(b->bytes[at]))
        at++;
    while (at < b->len && is_blank(b->bytes[at]))
        at++;
    return at;
}

size_t editor_buffer_word_left(const struct editor_buffer *b, size_t at)
{
    while (at > 0 && is_blank(b->bytes[at - 1]))
        at--;
    while (at > 0 && !is_blank(b->bytes[at - 1]))
        at--;
    return at;
}
