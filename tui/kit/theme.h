/* Colours have meanings; a theme is a column. NO_COLOR, monochrome terminals and light backgrounds
 * lose nothing, since each meaning also has a sign. */
#ifndef WD_TUI_THEME_H
#define WD_TUI_THEME_H

enum style {
    STYLE_PLAIN,
    STYLE_ACCENT /* you */,
    STYLE_SECOND /* ideal reader, reference */,
    STYLE_GOOD,
    STYLE_BAD,
    STYLE_DIM /* spent, unavailable */,
    STYLE_SELECTED /* reverse */,
    STYLE_BOLD,
    STYLE_COUNT
};
void theme_start(void);      /* after initscr: reads NO_COLOR, the terminal's colours, COLORFGBG */
int theme_attr(enum style s); /* ncurses attributes */

#endif
