/* What is done with the tries that are kept: the way there as a chart, one put back, two
 * compared. */
#include "tui/commands/cmd_mend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/wire/text.h"
#include "scenarios/mend/mend_score.h"
#include "scenarios/text/diff.h"

enum { BAR = 20, CONTEXT = 2 };

/* ---- the way there ---- */

/* Between the suspect, empty, and the target, full. */
static void print_bar(const struct mend_verdict *v)
{
    static const char full[] = "####################", none[] = "....................";
    double shown = mend_shown_share(v), share = shown > 1 ? 1 : shown;
    int n = (int)(BAR * share + 0.5);
    if (shown >= 0)
        printf("|%.*s%.*s|", n, full, BAR - n, none);
    else
        printf(" %*s ", BAR, "");
}

static void print_try(const struct mend_try *t, bool best)
{
    char line[200], when[32] = "";
    time_t at = (time_t)(t->at_ms / 1000);
    struct tm tm;
    if (localtime_r(&at, &tm))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M", &tm);
    mend_headline(line, sizeof line, &t->verdict);
    printf("%3d  %s  ", t->number, when);
    print_bar(&t->verdict);
    printf("  %s%s\n", t->verdict.is == MEND_OPEN ? "laid aside" : line, best ? ", best" : "");
}

static json_t *encode_try(const struct mend_try *t)
{
    json_t *one = mend_encode(&t->verdict);
    json_object_set_new(one, "number", json_integer(t->number));
    json_object_set_new(one, "at_ms", json_integer(t->at_ms));
    json_object_set_new(one, "text", json_string(t->text));
    return one;
}

static void list_json(const struct mending *m, const struct mend_score *score)
{
    json_t *all = json_array();
    for (int i = 0; i < m->tries.n; i++)
        json_array_append_new(all, encode_try(&m->tries.all[i]));
    cmd_print_json(json_pack("{s:s, s:o, s:o}", "scenario", m->v->full_id, "score",
                             mend_score_encode(score), "tries", all));
}

int mend_list(const struct mending *m)
{
    struct mend_score score = mend_score_of(&m->tries);
    char words[240];
    if (m->c->json) {
        list_json(m, &score);
        return CMD_OK;
    }
    for (int i = 0; i < m->tries.n; i++)
        print_try(&m->tries.all[i], m->tries.all[i].number == score.best);
    mend_score_words(words, sizeof words, &score);
    printf("%s: %s\n", m->v->full_id, m->tries.n ? words : "no try yet");
    return CMD_OK;
}

/* ---- one of them ---- */

/* The number of a try at *at, behind which *at stands then; NULL: there is none. */
static const struct mend_try *read_number(const struct mending *m, const char **at)
{
    char *end;
    long k = strtol(*at, &end, 10);
    bool good = **at >= '0' && **at <= '9' && k >= 1 && k <= m->tries.n;
    *at = end;
    return good ? &m->tries.all[k - 1] : NULL;
}

/* `option` took a number that no try has. */
static int no_such_try(const struct mending *m, const char *option, const char *others,
                       const char *typed)
{
    if (!m->tries.n)
        return cmd_misuse("%s: no try yet; each save that a GPU judges is one", m->v->full_id);
    return cmd_misuse("%s needs the number of a try, 1 to %d%s, not '%s'", option, m->tries.n,
                      others, typed);
}

int mend_take_back(struct mending *m)
{
    struct err err = {0};
    const char *at = m->c->back;
    const struct mend_try *t = read_number(m, &at);
    if (!t || *at)
        return no_such_try(m, "--back", "", m->c->back);
    if (mend_replace(&m->place, m->store, m->v->full_id, &m->tries, t->text, &err))
        return cmd_fail(&err);
    printf("%s: the text of try %d\n", m->place.file, t->number);
    return CMD_OK;
}

static void print_diff(const char *from, const char *to)
{
    char *old = mend_listing(from), *new = mend_listing(to);
    struct diff d = {0};
    diff_make(&d, old, new);
    for (int i = 0; i < d.n; i++)
        if (diff_near(&d, i, CONTEXT))
            printf("%c %.*s\n", " -+"[d.line[i].kind], (int)d.line[i].len, d.line[i].text);
    if (!d.in && !d.out)
        puts("the same code");
    diff_free(&d);
    free(old);
    free(new);
}

int mend_compare(struct mending *m)
{
    struct err err = {0};
    const char *at = m->c->diff;
    const struct mend_try *from = read_number(m, &at), *to = NULL;
    bool two = *at == ':';
    at += two;
    if (two)
        to = read_number(m, &at);
    if (!from || *at || (two && !to))
        return no_such_try(m, "--diff", ", or two as 1:2", m->c->diff);
    char *now = NULL;
    if (!two && mend_read(&now, &m->place, &err))
        return cmd_fail(&err);
    printf("--- try %d\n", from->number);
    if (two)
        printf("+++ try %d\n", to->number);
    else
        printf("+++ %s\n", m->place.file);
    print_diff(from->text, two ? to->text : now);
    free(now);
    return CMD_OK;
}
