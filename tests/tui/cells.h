/* A screen that ncurses writes to nowhere, so many rows and columns large; its cells are read back. */
#ifndef WD_TESTS_TUI_CELLS_H
#define WD_TESTS_TUI_CELLS_H

#include <curses.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "tui/kit/draw.h"

enum { CELLS_MOST = 256 };

static inline int cells_begin(const char *rows, const char *columns)
{
    setenv("LINES", rows, 1);
    setenv("COLUMNS", columns, 1);
    if (!setlocale(LC_ALL, "C.UTF-8"))
        return -1;
    FILE *nowhere = fopen("/dev/null", "r+");
    if (!nowhere || !newterm("xterm-256color", nowhere, nowhere))
        return -1;
    draw_start();
    theme_start();
    return 0;
}

/* Without the blanks at its end; until the next call. */
static inline const char *row(int y)
{
    static char text[CELLS_MOST * 8];
    wchar_t cells[CELLS_MOST + 1];
    mvinnwstr(y, 0, cells, COLS < CELLS_MOST ? COLS : CELLS_MOST);
    wcstombs(text, cells, sizeof text);
    size_t n = strlen(text);
    while (n > 0 && text[n - 1] == ' ')
        text[--n] = '\0';
    return text;
}

#endif
