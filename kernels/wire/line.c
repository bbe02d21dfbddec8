#include "kernels/wire/line.h"

#include "kernels/wire/err.h"
#include "kernels/wire/text.h"

enum { ROOM_FIRST = 4096 };

static void put(struct file_line *l, char byte)
{
    if (l->len + 1 >= l->room) {
        l->room = l->room ? 2 * l->room : ROOM_FIRST;
        l->text = mem_grow(l->text, l->room, 1);
    }
    l->text[l->len++] = byte;
    l->text[l->len] = '\0';
}

int line_read(struct file_line *l, FILE *f, size_t most)
{
    int c;
    l->len = 0;
    while ((c = getc_unlocked(f)) != EOF && c != '\n') {
        if (l->len == most)
            return ERR_TOO_LARGE;
        put(l, (char)c);
    }
    if (c == EOF && ferror(f))
        return ERR_IO;
    if (c == EOF && l->len == 0)
        return 0;
    if (l->len == 0) {  /* an empty line is text too */
        put(l, '\0');
        l->len = 0;
    }
    return 1;
}
