#include "tui/kit/theme.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>

/* A theme is a column; a row is a meaning. Colour -1 is the terminal's own foreground. */
enum { THEME_MONO, THEME_DARK, THEME_LIGHT, THEME_COUNT };
struct look { short colour; attr_t attr; };

static const struct look looks[STYLE_COUNT][THEME_COUNT] = {
    [STYLE_PLAIN] = {{-1, A_NORMAL}, {-1, A_NORMAL}, {-1, A_NORMAL}},
    [STYLE_ACCENT] = {{-1, A_BOLD}, {COLOR_CYAN, A_NORMAL}, {COLOR_BLUE, A_NORMAL}},
    [STYLE_SECOND] = {{-1, A_UNDERLINE}, {COLOR_MAGENTA, A_NORMAL}, {COLOR_MAGENTA, A_NORMAL}},
    [STYLE_GOOD] = {{-1, A_NORMAL}, {COLOR_GREEN, A_NORMAL}, {COLOR_GREEN, A_NORMAL}},
    [STYLE_BAD] = {{-1, A_BOLD}, {COLOR_RED, A_BOLD}, {COLOR_RED, A_BOLD}},
    [STYLE_DIM] = {{-1, A_DIM}, {-1, A_DIM}, {-1, A_DIM}},
    [STYLE_SELECTED] = {{-1, A_REVERSE}, {-1, A_REVERSE}, {-1, A_REVERSE}},
    [STYLE_BOLD] = {{-1, A_BOLD}, {-1, A_BOLD}, {-1, A_BOLD}},
};

static int theme;

/* COLORFGBG is "foreground;background" or "foreground;default;background"; 7 and 15 are the whites.
 */
static bool background_is_light(void)
{
    const char *colours = getenv("COLORFGBG");
    const char *last = colours ? strrchr(colours, ';') : NULL;
    return last && (!strcmp(last, ";7") || !strcmp(last, ";15"));
}

static int theme_choose(void)
{
    const char *none = getenv("NO_COLOR");
    if ((none && *none) || !has_colors() || start_color() == ERR)
        return THEME_MONO;
    if (use_default_colors() == ERR)
        assume_default_colors(COLOR_WHITE, COLOR_BLACK);
    return background_is_light() ? THEME_LIGHT : THEME_DARK;
}

void theme_start(void)
{
    theme = theme_choose();
    if (theme == THEME_MONO)
        return;
    for (short s = 0; s < STYLE_COUNT; s++)
        if (looks[s][theme].colour >= 0)
            init_pair((short)(s + 1), looks[s][theme].colour, -1);
}

int theme_attr(enum style s)
{
    const struct look *look = &looks[s][theme];
    attr_t attr = look->attr;
    if (look->colour >= 0)
        attr |= (attr_t)COLOR_PAIR((int)s + 1);
    return (int)attr;
}
