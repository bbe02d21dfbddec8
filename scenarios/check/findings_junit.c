/* The elements are those that all readers of JUnit's XML know: testsuites, testsuite, testcase,
 * failure, skipped. */
#include "scenarios/check/findings_junit.h"

#include <string.h>

/* Texts are UTF-8 without control characters (findings_add). */
static void put_text(FILE *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        case '\n': fputs("&#10;", out); break;
        default: fputc(*text, out); break;
        }
}

static void put_attribute(FILE *out, const char *name, const char *text)
{
    fprintf(out, " %s=\"", name);
    put_text(out, text);
    fputc('"', out);
}

/* "FOLDER/FILE:LINE:COL", as far as it is known. */
static void put_place(FILE *out, const struct finding *x, const char *folder)
{
    put_text(out, folder);
    if (x->file) {
        fputc('/', out);
        put_text(out, x->file);
    }
    if (x->line)
        fprintf(out, ":%d:%d", x->line, x->col);
}

static void put_finding(FILE *out, const struct finding *x, const char *folder, bool fails)
{
    const char *element = fails ? "failure" : "skipped";
    fputs("    <testcase", out);
    put_attribute(out, "classname", x->scenario);
    put_attribute(out, "name", x->rule->id);
    fprintf(out, ">\n      <%s", element);
    put_attribute(out, "message", x->text);
    fputc('>', out);
    put_place(out, x, folder);
    if (x->gpu) {
        fputs(" on ", out);
        put_text(out, x->gpu);
    }
    fprintf(out, "</%s>\n    </testcase>\n", element);
}

void junit_begin(FILE *out)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"warpdrill check\">\n", out);
}

void junit_end(FILE *out)
{
    fputs("</testsuites>\n", out);
}

void junit_add(FILE *out, const struct findings *f, const char *name, const char *folder,
               bool strict)
{
    int failed = f->n_errors + (strict ? f->n_warnings : 0);
    fputs("  <testsuite", out);
    put_attribute(out, "name", name);
    fprintf(out, " tests=\"%d\" failures=\"%d\" skipped=\"%d\">\n", f->n ? f->n : 1, failed,
            f->n - failed);
    for (int i = 0; i < f->n; i++)
        put_finding(out, &f->all[i], folder, strict || f->all[i].rule->grade == GRADE_ERROR);
    if (!f->n) {
        fputs("    <testcase", out);
        put_attribute(out, "classname", name);
        fputs(" name=\"check\"/>\n", out);
    }
    fputs("  </testsuite>\n", out);
}
