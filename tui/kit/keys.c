#include "tui/kit/keys.h"

#include <curses.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ---- lists ---- */

static const struct binding general_rows[] = {
    {ACT_UP, "Up", NULL, NULL},
    {ACT_DOWN, "Down", NULL, NULL},
    {ACT_LEFT, "Left", NULL, NULL},
    {ACT_RIGHT, "Right", NULL, NULL},
    {ACT_PAGE_UP, "PgUp", NULL, NULL},
    {ACT_PAGE_DOWN, "PgDn", NULL, NULL},
    {ACT_ENTER, "Enter", NULL, NULL},
    {ACT_TAB, "Tab", NULL, NULL},
    {ACT_BACK, "Esc", NULL, NULL},
    {ACT_HELP, "?", NULL, "this list"},
    {ACT_QUIT, "q", NULL, "leave; everything is saved and goes on where it stood"},
};

static const struct key_list general = {KEY_ROWS(general_rows)};

const struct binding *key_row(const struct key_list *list, size_t i)
{
    for (; list; list = list->more) {
        if (i < list->n)
            return &list->rows[i];
        i -= list->n;
    }
    return i < general.n ? &general.rows[i] : NULL;
}

static bool is_first(const struct key_list *list, const struct binding *row)
{
    const struct binding *b;
    for (size_t i = 0; (b = key_row(list, i)) && b != row; i++)
        if (b->action == row->action)
            return false;
    return true;
}

bool key_row_helps(const struct key_list *list, const struct binding *row)
{
    if (row->action == ACT_QUIT)
        return !(list && list->words) && action_of_key(list, 'q', NULL) == ACT_QUIT;
    return row->help && (row->action != ACT_HELP || is_first(list, row));
}

/* ---- from keys to actions ---- */

static const struct { const char *name; int key[3];
} named[] = {
    {"Enter", {'\r', '\n', KEY_ENTER}}, {"Esc", {KEY_ESCAPE, 0, 0}},
    {"Tab", {KEY_TABULATOR, 0, 0}},     {"Up", {KEY_UP, 0, 0}},
    {"Down", {KEY_DOWN, 0, 0}},         {"Left", {KEY_LEFT, 0, 0}},
    {"Right", {KEY_RIGHT, 0, 0}},       {"PgUp", {KEY_PPAGE, 0, 0}},
    {"PgDn", {KEY_NPAGE, 0, 0}},        {"Home", {KEY_HOME, 0, 0}},
    {"End", {KEY_END, 0, 0}},           {"Space", {' ', 0, 0}},
    {"F1", {KEY_F(1), 0, 0}},           {"Del", {KEY_DC, 0, 0}},
    {"Backspace", {KEY_BACKSPACE, 127, 8}},
};

/* Does one token of `keys` stand for this key? */
static bool token_is(const char *token, size_t len, int key, int *arg)
{
    if (len == 1) {
        *arg = key >= '0' && key <= '9' ? key - '0' : key;
        return key == (unsigned char)token[0];
    }
    if (len == 3 && token[1] == '-') {
        *arg = key - '0';
        return key >= token[0] && key <= token[2];
    }
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (strlen(named[i].name) == len && !memcmp(named[i].name, token, len))
            for (int k = 0; k < 3; k++)
                if (named[i].key[k] && named[i].key[k] == key)
                    return true;
    return false;
}

static bool keys_hold(const char *keys, int key, int *arg)
{
    while (*keys) {
        size_t len = strcspn(keys, " ");
        if (token_is(keys, len, key, arg))
            return true;
        keys += len;
        keys += strspn(keys, " ");
    }
    return false;
}

enum action action_of_key(const struct key_list *list, int key, int *arg)
{
    const struct binding *b;
    int ignored;
    for (size_t i = 0; (b = key_row(list, i)); i++)
        if (keys_hold(b->keys, key, arg ? arg : &ignored))
            return b->action;
    return ACT_NONE;
}

/* ---- the key line ---- */

/* "scen|arios" is "scen" where there is no room for "scenarios". */
static void name_text(char *out, size_t size, const char *name, bool brief)
{
    size_t cut = strcspn(name, "|");
    snprintf(out, size, "%.*s%s", (int)cut, name, brief || !name[cut] ? "" : name + cut + 1);
}

/* "Enter lock", "+ more": the first spelling of the key and the row's name; 0: left out. */
static int entry_text(char *out, size_t size, const struct binding *b, int digits, bool brief)
{
    char name[32];
    int len = (int)strcspn(b->keys, " ");
    bool range = b->action == ACT_DIGIT && len == 3 && b->keys[2] - '0' > digits;
    if (range && b->keys[0] - '0' > digits)
        return 0;
    if (range)
        return digits > b->keys[0] - '0'
                   ? snprintf(out, size, "%c-%d %s", b->keys[0], digits, b->name)
                   : snprintf(out, size, "%d %s", digits, b->name);
    name_text(name, sizeof name, b->name, brief);
    return snprintf(out, size, "%.*s %s", len, b->keys, name);
}

/* The key line's tail names help. */
static bool is_named(const struct binding *b)
{
    return b->name && b->action != ACT_HELP;
}

static bool must_stand(const struct key_list *list, const struct binding *b)
{
    return list && b->name && b->action != ACT_NONE &&
           (b->action == list->must[0] || b->action == list->must[1]);
}

static int kept_columns(const struct key_list *list, int digits, bool brief)
{
    const struct binding *b;
    char entry[64];
    int kept = 0;
    for (size_t i = 0; (b = key_row(list, i)); i++)
        if (must_stand(list, b))
            kept += entry_text(entry, sizeof entry, b, digits, brief) + 2;
    return kept;
}

/* false: something had to be left out. */
static bool line_make(char *out, size_t size, const struct key_list *list, int w, int digits,
                      bool brief, const char *tail)
{
    int left = w - (int)strlen(tail) - kept_columns(list, digits, brief), at = 0;
    bool all = left >= 0;
    const struct binding *b;
    char entry[64];
    out[0] = '\0';
    for (size_t i = 0; (b = key_row(list, i)); i++) {
        if (!is_named(b))
            continue;
        int n = entry_text(entry, sizeof entry, b, digits, brief) + 2;
        if (n == 2)
            continue;
        if (must_stand(list, b))
            left += n;
        if (n > left || (size_t)(at + n) >= size) {
            all = false;
            continue;
        }
        at += snprintf(out + at, size - (size_t)at, "%s  ", entry);
        left -= n;
    }
    snprintf(out + at, size - (size_t)at, "%s", tail);
    return all;
}

void key_line(char *out, size_t size, const struct key_list *list, int w)
{
    key_line_digits(out, size, list, w, 9);
}

/* With all words where they fit, else with shorter names, else without what has no room. */
void key_line_digits(char *out, size_t size, const struct key_list *list, int w, int digits)
{
    static const struct attempt {
        bool brief;
        const char *tail;
    } quitting[] = {{false, "? help  q quit"}, {false, "? help  q"}, {true, "? help  q"}},
      staying[] = {{false, "? help"}, {true, "? help"}}, alone[] = {{false, ""}, {true, ""}};
    bool listed = list && list->only_listed,
         quits = !listed && action_of_key(list, 'q', NULL) == ACT_QUIT;
    const struct attempt *tries = listed ? alone : quits ? quitting : staying;
    const char *least = listed ? "" : !quits ? "?" : w >= 98 ? "? help  q quit" : "? q";
    for (size_t i = 0; i < (quits ? 3 : 2); i++)
        if (line_make(out, size, list, w, digits, tries[i].brief, tries[i].tail))
            return;
    line_make(out, size, list, w, digits, true, least);
}
