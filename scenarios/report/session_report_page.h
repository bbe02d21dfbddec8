/* What a report says and in which order, written by the pieces of one form. Markdown and HTML are
 * such forms. */
#ifndef WD_SCENARIOS_SESSION_REPORT_PAGE_H
#define WD_SCENARIOS_SESSION_REPORT_PAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum page_kind {
    COLUMN_TEXT,
    COLUMN_LINES /* newlines are kept where the form can */,
    COLUMN_NUMBER
};
struct page_column { const char *name; enum page_kind kind; };
enum page_verdict { VERDICT_NONE, VERDICT_RIGHT, VERDICT_NOT_RIGHT };

/* The pieces that a page is made of. Texts come plain, from anybody, and leave escaped. */
struct page_form {
    void (*open)(FILE *f, const char *title);
    void (*close)(FILE *f);
    void (*heading)(FILE *f, int level, const char *text);               /* 2 to 4 */
    void (*paragraph)(FILE *f, const char *text);
    void (*quotation)(FILE *f, const char *text);                        /* several lines */
    void (*code)(FILE *f, const char *text);                             /* every blank stays */
    void (*facts)(FILE *f, bool begin); /* around a list of facts, which may be empty */
    void (*fact)(FILE *f, const char *name, const char *text, enum page_verdict verdict);
    void (*table)(FILE *f, const struct page_column *columns, int n);
    void (*row)(FILE *f, bool begin);
    void (*cell)(FILE *f, enum page_kind kind, const char *text);        /* n of them in each row */
    void (*table_end)(FILE *f);
    void (*beliefs)(FILE *f, const json_t *scenario);                    /* a chart over time */
};
void report_page(FILE *f, const json_t *report, const struct page_form *form);

#endif
