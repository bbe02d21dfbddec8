/* warpdrill doctor: one report to paste: what works here, tier by tier, and what would make the
 * rest work. */
#include "tui/commands/doctor_areas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "tui/commands/commands.h"

enum { WIDTH = 100, INDENT = 38, MARGIN = WIDTH - INDENT };

/* ---- printing ---- */

/* How many bytes of `text` fit into MARGIN columns, ending at a word. */
static size_t line_length(const char *text)
{
    size_t n = strcspn(text, "\n"), end = 0;
    if (n <= MARGIN)
        return n;
    for (size_t i = 1; i <= MARGIN; i++)
        if (text[i] == ' ' && text[i - 1] != ' ')
            end = i;
    for (end = end ? end : MARGIN; !end || text_is_tail(text[end]); end--)
        continue; /* never in the middle of a character */
    return end;
}

static void print_wrapped(const char *text)
{
    for (bool first = true; *text || first; first = false) {
        size_t n = line_length(text);
        if (!first)
            printf("%*s", INDENT, "");
        printf("%.*s\n", (int)n, text);
        text += n;
        text += strspn(text, " \n");
    }
}

static void print_findings(const json_t *list)
{
    size_t i;
    json_t *one;
    const char *area = "";
    json_array_foreach(list, i, one) {
        const char *now, *name, *say, *remedy = NULL;
        int ok;
        json_unpack(one, "{s:s, s:s, s:b, s:s, s?s}", "area", &now, "name", &name, "ok", &ok, "say",
                    &say, "remedy", &remedy);
        bool other = strcmp(now, area) != 0;
        printf("%s%-10s  %-3s  %-19.19s  ", other && i ? "\n" : "", other ? now : "",
               ok ? "ok" : "no", name);
        print_wrapped(say);
        if (remedy) {
            printf("%*s", INDENT, "");
            print_wrapped(remedy);
        }
        area = now;
    }
}

static void tell_program(struct doctor *d)
{
    struct utsname u;
    bool known = uname(&u) == 0;
    doctor_found(d, "program", "warpdrill", true, NULL, "%s, protocol %d, measuring method %d",
                 WARPDRILL_VERSION, PROTOCOL_VERSION, METHOD_VERSION);
    doctor_found(d, "program", "system", true, NULL, "%s %s %s, %ld processors",
                 known ? u.sysname : "", known ? u.release : "", known ? u.machine : "",
                 sysconf(_SC_NPROCESSORS_ONLN));
}

/* Packs are looked through before the runner is asked, and told after it. */
static void examine(struct doctor *d)
{
    json_t *packs = d->findings;
    doctor_packs(d);
    d->findings = json_array();
    tell_program(d);
    doctor_gpu(d);
    json_array_extend(d->findings, packs);
    json_decref(packs);
    doctor_caches(d);
    doctor_store(d);
    doctor_terminal(d);
}

int cmd_doctor(const struct cmd *c)
{
    struct doctor d = {.cmd = c, .runner = default_runner(c->runner), .findings = json_array()};
    examine(&d);
    if (c->json)
        cmd_print_json(
            json_pack("{s:s, s:O}", "version", WARPDRILL_VERSION, "findings", d.findings));
    else
        print_findings(d.findings);
    json_decref(d.findings);
    json_decref(d.gpus);
    catalog_free(d.catalog);
    free(d.runner);
    return CMD_OK;
}
