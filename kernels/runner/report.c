#include "kernels/runner/report.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/sanitized.h"

static const char mark[] = "=========";

static bool begins(const char *s, const char *with)
{
    return !strncmp(s, with, strlen(with));
}

/* ---- shortening ---- */

/* Behind the parenthesis that closes the one at `s`; NULL when none does. */
static const char *after_arguments(const char *s)
{
    int depth = 0;
    for (; *s; s++) {
        depth += (*s == '(') - (*s == ')');
        if (depth == 0)
            return s + 1;
    }
    return NULL;
}

/* "+0x160" */
static const char *after_offset(const char *s)
{
    if (!begins(s, "+0x"))
        return s;
    for (s += 3; isxdigit((unsigned char)*s);)
        s++;
    return s;
}

static const char *file_of(const char *path)
{
    size_t len = strcspn(path, " ");
    const char *name = path;
    for (const char *c = path; c < path + len; c++)
        name = *c == '/' ? c + 1 : name;
    return name;
}

/* Arguments, offsets in the code and folders tell a reader nothing: "move(float *, int)+0x160 in
 * /tmp/a.cu:7" becomes "move in a.cu:7". */
static void add_short(char *out, size_t size, const char *s)
{
    size_t n = strlen(out);
    while (*s && n + 1 < size) {
        const char *behind = *s == '(' && n && out[n - 1] != ' ' ? after_arguments(s) : NULL;
        const char *next = behind ? after_offset(behind) : after_offset(s);
        if (next != s) {
            s = next;
            continue;
        }
        if (begins(s, " in ")) {
            n += (size_t)snprintf(out + n, size - n, " in ");
            n = n < size ? n : size - 1;
            s = file_of(s + 4);
            continue;
        }
        out[n++] = *s++;
    }
    out[n] = '\0';
}

/* ---- findings ---- */

static bool is_headline(const char *s)
{
    static const char *const heads[] = {"Invalid ",          "Uninitialized ",
                                        "Barrier error",     "Error: Race",
                                        "Warning: Race",     "Race reported",
                                        "Error: Potential ", "Warning: Potential ",
                                        "Misaligned ",       "Out-of-"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (begins(s, heads[i]))
            return true;
    return false;
}

static void count_hazards(struct report *r, const char *s)
{
    const char *bracket = strrchr(s, '[');
    char *end;
    unsigned long long n = bracket ? strtoull(bracket + 1, &end, 10) : 0;
    if (bracket && end > bracket + 1 && begins(end, " hazard"))
        r->hazards += n;
}

static void close_finding(struct report *r)
{
    bool known = !*r->open;
    for (int i = 0; i < r->n_findings; i++)
        known = known || !strcmp(r->findings[i], r->open);
    if (!known && r->n_findings < REPORT_FINDINGS)
        memcpy(r->findings[r->n_findings++], r->open, sizeof r->open);
    r->open[0] = '\0';
}

static void open_finding(struct report *r, const char *s)
{
    r->blocks++;
    s += begins(s, "Error: ") ? 7 : begins(s, "Warning: ") ? 9 : 0;
    if (strstr(s, " access at "))
        add_short(r->open, sizeof r->open, s);
    else
        snprintf(r->open, sizeof r->open, "%s", s); /* "thread(s)" is no list of arguments */
    count_hazards(r, s);
}

/* Where it happened: the first place of an error, both ends of a race. Threads, addresses and
 * backtraces are left out. */
static void add_detail(struct report *r, const char *s)
{
    bool place = begins(s, "at ") && !strstr(r->open, " at "),
         other = begins(s, "and ") && strstr(s, " access at ");
    count_hazards(r, s);
    if (!*r->open || (!place && !other))
        return;
    size_t n = strlen(r->open);
    if (n && r->open[n - 1] == '.')
        r->open[n - 1] = '\0';
    add_short(r->open, sizeof r->open, " ");
    add_short(r->open, sizeof r->open, s);
}

/* ---- the rest ---- */

static void complain(struct report *r, const char *s)
{
    if (!*r->complaint)
        add_short(r->complaint, sizeof r->complaint, s);
}

static void take_sum(struct report *r, const char *s)
{
    const char *number = strstr(s, "SUMMARY: ");
    if (!number || strstr(s, "not printed"))
        return;
    r->sum += strtoull(number + strlen("SUMMARY: "), NULL, 10);
    r->summed = true;
}

void report_line(struct report *r, const char *line)
{
    if (!line) {
        close_finding(r);
        return;
    }
    if (begins(line, SANITIZED_SAYS))
        complain(r, line + strlen(SANITIZED_SAYS));
    if (!begins(line, mark))
        return;
    const char *s = line + strlen(mark);
    bool detail = begins(s, "  ");
    s += strspn(s, " \t");
    if (detail) {
        add_detail(r, s);
        return;
    }
    close_finding(r);
    r->begun = r->begun || begins(s, "COMPUTE-SANITIZER");
    if (is_headline(s))
        open_finding(r, s);
    else if (begins(s, "Program hit"))
        r->calls++;
    else if (strstr(s, "SUMMARY: "))
        take_sum(r, s);
    else if (begins(s, "Error") || begins(s, "Internal"))
        complain(r, s);
}

uint64_t report_count(const struct report *r)
{
    if (r->hazards)
        return r->hazards;
    uint64_t sum = r->sum > r->calls ? r->sum - r->calls : 0;
    return sum > r->blocks ? sum : r->blocks;
}
