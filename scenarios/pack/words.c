/* Cutting texts into words, and fitting words to patterns. */
#include "scenarios/pack/words.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

/* ---- cutting ---- */

enum sort { SORT_NONE, SORT_SMALL, SORT_CAPITAL, SORT_DIGIT };

static enum sort sort_of(unsigned char c)
{
    if (islower(c) || c >= 0x80)
        return SORT_SMALL;
    return isupper(c) ? SORT_CAPITAL : isdigit(c) ? SORT_DIGIT : SORT_NONE;
}

/* Does a new word begin at s[i]? "loadTile", "HTTPServer", "copy16". */
static bool is_cut(const char *s, size_t i, size_t len)
{
    enum sort before = sort_of((unsigned char)s[i - 1]), here = sort_of((unsigned char)s[i]);
    if (before == here)
        return here == SORT_CAPITAL && i + 1 < len &&
               sort_of((unsigned char)s[i + 1]) == SORT_SMALL;
    return !(before == SORT_CAPITAL && here == SORT_SMALL);
}

static void add_word(struct words *out, const char *text, size_t at, size_t len)
{
    out->word = mem_more(out->word, (size_t)out->n, sizeof *out->word);
    struct word_at *w = &out->word[out->n++];
    *w = (struct word_at){.at = at, .len = len};
    for (size_t i = 0; i < len && i < sizeof w->text - 1; i++)
        w->text[i] = (char)tolower((unsigned char)text[at + i]);
}

void words_cut(struct words *out, const char *text, size_t len)
{
    *out = (struct words){0};
    for (size_t i = 0; i < len;) {
        size_t from = i;
        if (sort_of((unsigned char)text[i]) == SORT_NONE) {
            i++;
            continue;
        }
        do
            i++;
        while (i < len && sort_of((unsigned char)text[i]) != SORT_NONE && !is_cut(text, i, len));
        add_word(out, text, from, i - from);
    }
}

void words_free(struct words *w)
{
    free(w->word);
    *w = (struct words){0};
}

/* ---- matching ---- */

/* `word` against the n bytes of one word of a pattern. */
static bool fits(const char *word, const char *pattern, size_t n)
{
    bool open_end = n && pattern[n - 1] == '*', open_begin = n && *pattern == '*';
    char core[WORD_BYTES] = "";
    pattern += open_begin;
    n -= (size_t)open_begin + (open_end && n > (size_t)open_begin);
    if (n >= sizeof core)
        return false;
    memcpy(core, pattern, n);
    const char *at = open_begin ? strstr(word, core) : strncmp(word, core, n) == 0 ? word : NULL;
    return at && (open_end || at[n] == '\0');
}

/* "bankconflict": the words of the pattern, run together in one. */
static bool fits_joined(const char *word, const char *pattern, size_t n)
{
    char joined[2 * WORD_BYTES];
    size_t k = 0;
    for (size_t i = 0; i < n && k < sizeof joined; i++)
        if (pattern[i] != ' ')
            joined[k++] = pattern[i];
    return memchr(pattern, ' ', n) && fits(word, joined, k);
}

/* How many words from w->word[from] on fit the n bytes of one pattern: 0 when they do not. */
static int fit_length(const struct words *w, int from, const char *pattern, size_t n)
{
    int k = from;
    if (fits_joined(w->word[from].text, pattern, n))
        return 1;
    for (size_t i = 0; i < n; k++) {
        const char *blank = memchr(pattern + i, ' ', n - i);
        size_t len = blank ? (size_t)(blank - pattern) - i : n - i;
        if (k == w->n || !fits(w->word[k].text, pattern + i, len))
            return 0;
        i += len + (blank != NULL);
    }
    return k - from;
}

/* ---- lists of patterns ---- */

enum { OTHER = PATTERN_LETTERS - 1 };

static int letter_of(char c)
{
    if (c >= 'a' && c <= 'z')
        return c - 'a';
    return c >= '0' && c <= '9' ? 26 + c - '0' : OTHER;
}

static void add_pattern(struct patterns *p, const char *text, size_t len)
{
    assert(p->n < PATTERNS_MOST);
    uint64_t bit = (uint64_t)1 << p->n;
    p->one[p->n].text = text;
    p->one[p->n++].len = len;
    if (len && *text != '*')
        p->by_letter[letter_of(*text)] |= bit;
    for (int k = 0; len && *text == '*' && k < PATTERN_LETTERS; k++)
        p->by_letter[k] |= bit;
}

void patterns_cut(struct patterns *out, const char *list)
{
    memset(out, 0, sizeof *out);
    for (const char *p = list; *p;) {
        size_t len = strcspn(p, "|");
        add_pattern(out, p, len);
        p += len + (p[len] == '|');
    }
}

int patterns_find(const struct patterns *p, const struct words *w, int *n)
{
    for (int from = 0; from < w->n; from++) {
        uint64_t may = p->by_letter[letter_of(w->word[from].text[0])];
        for (int k = 0; may; k++, may >>= 1) {
            if (!(may & 1))
                continue;
            *n = fit_length(w, from, p->one[k].text, p->one[k].len);
            if (*n > 0)
                return from;
        }
    }
    return -1;
}
