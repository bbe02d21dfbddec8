/* A file line by line, with a bound that holds while a line is read. Memory that runs out ends the
 * program and is no end of the file. */
#ifndef WD_WIRE_LINE_H
#define WD_WIRE_LINE_H

#include <stdio.h>

/* All zero at first; text is the caller's to free. */
struct file_line {
    char *text;
    size_t len, room;
}; /* without its newline, ended by a NUL; may hold NULs */

/* 1 with the next line (the last may lack its newline), 0 at the end, ERR_TOO_LARGE once more than
 * `most` bytes came without a newline, ERR_IO with errno as it was. */
int line_read(struct file_line *l, FILE *f, size_t most);

#endif
