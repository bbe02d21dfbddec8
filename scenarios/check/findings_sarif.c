/* Findings as SARIF 2.1.0, the form in which code hosts show what a checker says beside the line.
 * Reference: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0. */
#include "scenarios/check/findings_sarif.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

/* One of `rules`, so that each finding can name its rule by place too. */
static json_t *encode_rule(const struct rule *r)
{
    return json_pack("{s:s, s:{s:s}, s:{s:s}, s:{s:s}}", "id", r->id, "shortDescription", "text",
                     r->means, "help", "text", r->mend, "defaultConfiguration", "level",
                     grade_name(r->grade));
}

static json_t *encode_rules(void)
{
    size_t n;
    const struct rule *rules = rule_table(&n);
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, encode_rule(&rules[i]));
    return list;
}

/* A path as a URI: relative as it was given, absolute with its scheme. malloc'd. */
static char *uri_of(const char *folder, const char *file)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    size_t n = strlen(folder), len = 0, room = 3 * (n + strlen(file)) + 16;
    char *out = mem_new(room, 1);
    while (n && folder[n - 1] == '/')
        n--;
    char *path = text_format("%.*s/%s", (int)n, folder, file);
    const char *at = path;
    if (*at == '/')
        len = (size_t)snprintf(out, room, "file://");
    while (at[0] == '.' && at[1] == '/')
        at += 2;
    for (; *at; at++)
        len += (size_t)snprintf(out + len, room - len, strchr(plain, *at) ? "%c" : "%%%02X",
                                (unsigned char)*at);
    free(path);
    return out;
}

static json_t *encode_place(const struct finding *x, const char *folder)
{
    char *uri = uri_of(folder, x->file);
    json_t *place = json_pack("{s:{s:s}}", "artifactLocation", "uri", uri);
    if (x->line)
        json_object_set_new(place, "region",
                            json_pack("{s:i, s:i}", "startLine", x->line, "startColumn", x->col));
    free(uri);
    return place;
}

/* A finding of no file in particular stands at the pack's manifest: readers drop what has no
 * place. */
static json_t *encode_finding(const struct finding *x, const char *folder)
{
    size_t n;
    struct finding at_pack = {.file = (char *)(uintptr_t)"pack.yaml"};
    const struct rule *rules = rule_table(&n);
    char *text = text_format("%s%s%s%s", x->gpu ? "on " : "", x->gpu ? x->gpu : "",
                             x->gpu ? ": " : "", x->text);
    json_t *place = encode_place(x->file ? x : &at_pack, folder);
    json_t *out = json_pack("{s:s, s:i, s:s, s:{s:s}, s:[{s:o, s:[{s:s, s:s}]}]}", "ruleId",
                            x->rule->id, "ruleIndex", (int)(x->rule - rules), "level",
                            grade_name(x->rule->grade), "message", "text", text, "locations",
                            "physicalLocation", place, "logicalLocations", "fullyQualifiedName",
                            x->scenario, "kind", "module");
    free(text);
    return out;
}

json_t *sarif_begin(void)
{
    return json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:s, s:[]}]}", "$schema",
                     "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs",
                     "tool", "driver", "name", "warpdrill", "version", WARPDRILL_VERSION, "rules",
                     encode_rules(), "columnKind", "unicodeCodePoints", "results");
}

void sarif_add(json_t *sarif, const struct findings *f, const char *folder)
{
    json_t *run = json_array_get(json_object_get(sarif, "runs"), 0);
    json_t *results = json_object_get(run, "results");
    for (int i = 0; i < f->n; i++)
        json_array_append_new(results, encode_finding(&f->all[i], folder));
}
