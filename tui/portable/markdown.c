/* md_parse for the portable build, where the system has no libmd4c.a: blocks alone (headings, lists, fenced code, paragraphs); marks
 * inside a line stay as they are written. The usual build links libmd4c and leaves this file out. */
#include <md4c.h>
#include <stdbool.h>
#include <string.h>

struct reader {
    const MD_PARSER *to;
    void *ctx;
    MD_BLOCKTYPE open;      /* of the text that is under way: P, H, LI, CODE; DOC: none */
    bool list;
    int rc;
};

static void enter(struct reader *r, MD_BLOCKTYPE type)
{
    MD_BLOCK_OL_DETAIL detail = {.start = 1};
    if (!r->rc)
        r->rc = r->to->enter_block(type, &detail, r->ctx);
}

static void leave(struct reader *r, MD_BLOCKTYPE type)
{
    if (!r->rc)
        r->rc = r->to->leave_block(type, NULL, r->ctx);
}

static void text(struct reader *r, MD_TEXTTYPE type, const char *s, size_t n)
{
    if (!r->rc && n)
        r->rc = r->to->text(type, s, (MD_SIZE)n, r->ctx);
}

static void end_text(struct reader *r)
{
    if (r->open != MD_BLOCK_DOC)
        leave(r, r->open);
    r->open = MD_BLOCK_DOC;
}

static void end_list(struct reader *r)
{
    end_text(r);
    if (r->list)
        leave(r, MD_BLOCK_UL);
    r->list = false;
}

static void begin(struct reader *r, MD_BLOCKTYPE type)
{
    if (type == MD_BLOCK_LI)
        end_text(r);
    else
        end_list(r);
    if (type == MD_BLOCK_LI && !r->list)
        enter(r, MD_BLOCK_UL);
    r->list = type == MD_BLOCK_LI;
    enter(r, type);
    r->open = type;
}

/* A line that goes on with what is under way, or begins a paragraph. */
static void flow(struct reader *r, const char *s, size_t n)
{
    if (r->open == MD_BLOCK_DOC)
        begin(r, MD_BLOCK_P);
    else
        text(r, MD_TEXT_SOFTBR, "\n", 1);
    text(r, MD_TEXT_NORMAL, s, n);
}

static void take_line(struct reader *r, const char *s, size_t n)
{
    size_t blanks = strspn(s, " "), marks;
    blanks = blanks < n ? blanks : n;
    s += blanks;
    n -= blanks;
    marks = strspn(s, "#");
    if (n == 0) {
        end_text(r);
    } else if (marks > 0 && marks < n && s[marks] == ' ') {
        begin(r, MD_BLOCK_H);
        text(r, MD_TEXT_NORMAL, s + marks + 1, n - marks - 1);
        end_text(r);
    } else if (n > 2 && strchr("-*", s[0]) && s[1] == ' ') {
        begin(r, MD_BLOCK_LI);
        text(r, MD_TEXT_NORMAL, s + 2, n - 2);
    } else {
        flow(r, s, n);
    }
}

int md_parse(const MD_CHAR *markdown, MD_SIZE size, const MD_PARSER *parser, void *ctx)
{
    struct reader r = {.to = parser, .ctx = ctx, .open = MD_BLOCK_DOC};
    const char *end = markdown + size;
    for (const char *s = markdown; s < end && !r.rc;) {
        const char *stop = memchr(s, '\n', (size_t)(end - s));
        size_t n = (size_t)((stop ? stop : end) - s);
        bool fence = n >= 3 && !memcmp(s, "```", 3);
        if (fence && r.open == MD_BLOCK_CODE)
            end_text(&r);
        else if (fence)
            begin(&r, MD_BLOCK_CODE);
        else if (r.open == MD_BLOCK_CODE)
            text(&r, MD_TEXT_CODE, s, n + (stop != NULL));
        else
            take_line(&r, s, n);
        s += n + 1;
    }
    end_list(&r);
    return r.rc;
}
