/* The Markdown that a pack may use (FORMAT.md, "Prose"), block by block: headings, paragraphs,
 * lists, fenced code, and inside a line `code`, *stress* and **strong**, whose marks are dropped.
 * Whatever else Markdown has stands as it is written. */
#ifndef WD_TUI_MARKDOWN_H
#define WD_TUI_MARKDOWN_H

#include <stdbool.h>
#include <stddef.h>

enum markdown_kind { MARKDOWN_PARAGRAPH, MARKDOWN_HEADING, MARKDOWN_ITEM, MARKDOWN_CODE };
enum { MARKDOWN_DEPTH = 8 };

struct markdown_block {
    enum markdown_kind kind;
    const char *text;       /* ends in a NUL; lines of code end in newlines; lasts for the call */
    int depth;              /* of the list that it stands in, 1 to MARKDOWN_DEPTH; 0: none */
    int number;             /* of an item, 0: it has a bullet */
    bool begins_list;
};

typedef void markdown_take(void *user, const struct markdown_block *b);

/* In time linear in the text, which is UTF-8. */
void markdown_read(const char *text, markdown_take *take, void *user);

#endif
