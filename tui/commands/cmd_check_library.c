#include "tui/commands/cmd_check_library.h"

#include <stdio.h>
#include <stdlib.h>

#include "scenarios/check/library_report.h"

static void print_findings(const struct findings *f)
{
    for (int i = 0; i < f->n; i++)
        fprintf(stderr, "warpdrill: %s: %s: %s [%s]\n", f->all[i].scenario,
                grade_name(f->all[i].rule->grade), f->all[i].text, f->all[i].rule->id);
}

static void print_report(const struct library_report *r, const struct openings *o,
                         const struct findings *f)
{
    char *text = library_report_text(r);
    fputs(text, stdout);
    free(text);
    if (o->n_closed)
        printf("\n%d variants are sealed, so they are left out; --passphrase-file FILE opens "
               "them\n",
               o->n_closed);
    printf("\n%d %s, %d %s; %d %s, %d %s\n", r->n_stories,
           r->n_stories == 1 ? "story" : "stories", r->n_openings,
           r->n_openings == 1 ? "variant" : "variants", f->n_errors,
           f->n_errors == 1 ? "error" : "errors", f->n_warnings,
           f->n_warnings == 1 ? "warning" : "warnings");
}

static void print_data(const struct library_report *r, const struct openings *o,
                       const struct findings *f)
{
    json_t *out = library_report_encode(r);
    json_object_set_new(out, "format", json_integer(1));
    json_object_set_new(out, "sealed", json_integer(o->n_closed));
    json_object_set_new(out, "findings", findings_encode(f));
    json_object_set_new(out, "errors", json_integer(f->n_errors));
    json_object_set_new(out, "warnings", json_integer(f->n_warnings));
    cmd_print_json(out);
}

int cmd_check_library(const struct cmd *c, const struct openings *o)
{
    struct library_report r;
    struct findings f = {0};
    library_report_make(&r, o);
    library_report_judge(&f, &r, o);
    if (c->json) {
        print_data(&r, o, &f);
    } else {
        print_findings(&f);
        print_report(&r, o, &f);
    }
    int status = f.n_errors || (c->strict && f.n_warnings) ? CMD_FAILED : CMD_OK;
    findings_free(&f);
    library_report_free(&r);
    return status;
}
