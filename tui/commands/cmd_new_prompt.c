/* warpdrill new: one question, and the line that answers it. */
#include "tui/commands/cmd_new.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "kernels/wire/text.h"

void new_read_line(struct asking *a, char out[200])
{
    *out = '\0';
    if (!a->over && !fgets(out, 200, stdin))
        a->over = true;
    size_t n = strlen(out);
    while (n && isspace((unsigned char)out[n - 1]))
        out[--n] = '\0';
    memmove(out, out + strspn(out, " \t"), strlen(out + strspn(out, " \t")) + 1);
    text_clean(out, strlen(out));
}

int new_ask(struct asking *a, const struct prompt *q)
{
    struct err err = {0};
    char line[200];
    if (q->given)
        return q->take(a, q->given, &err) ? cmd_misuse("--%s: %s", q->option, err.text) : CMD_OK;
    while (a->ask && !a->over) {
        fprintf(stderr, "%s: ", q->text);
        new_read_line(a, line);
        if (!*line || !q->take(a, line, &err))
            break;
        fprintf(stderr, "  %s\n", err.text);
    }
    return CMD_OK;
}
