/* Where the fault is: lines of the suspect, a launch, or a place of a case. */
#include "scenarios/pack/pack_location.h"

#include <string.h>

#include "scenarios/pack/harness.h"
#include "scenarios/pack/pack_benchmark.h"
#include "scenarios/pack/pack_case.h"
#include "scenarios/text/near.h"

enum { CODE = 600 };

static int count_lines(const char *from, const char *to)
{
    int n = 1;
    for (; from < to; from++)
        n += *from == '\n';
    return n;
}

/* Room for one more is there: `also` is no longer than that. */
static void add_span(struct variant *v, int first, int last)
{
    v->spans[v->n_spans].first = first;
    v->spans[v->n_spans++].last = last;
}

/* The lines on which this text stands. */
static int place_text(struct reader *r, struct variant *v, const struct yaml *y)
{
    char *wanted;
    int rc = read_text(r, y, CODE, true, "text of the suspect", &wanted);
    if (rc)
        return rc;
    const char *text = v->suspect->text, *at = strstr(text, wanted);
    const char *hint = yaml_cut_by_comment(y)
                           ? " (a blank and # begin a comment: quote the text if # belongs to it)"
                           : "";
    if (!at)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "this text does not occur in %s; text that occurs exactly once was "
                         "expected%s",
                         v->suspect->path, hint);
    size_t n = strlen(wanted);
    int first = count_lines(text, at);
    add_span(v, first, first + count_lines(wanted, wanted + n - (wanted[n - 1] == '\n')) - 1);
    const char *again = strstr(at + 1, wanted);
    if (again)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "this text occurs in lines %d and %d of %s; text that occurs exactly once "
                         "was expected%s",
                         first, count_lines(text, again), v->suspect->path, hint);
    return 0;
}

/* ---- a launch as the place ---- */

static bool is_called(const struct launch *l, const char *name)
{
    return (l->label && !strcmp(l->label, name)) || !strcmp(l->kernel, name);
}

static int fail_launch(struct reader *r, const struct yaml *y, const struct launch *l, int n)
{
    struct near near = {.word = y->text};
    char hint[96];
    for (int i = 0; i < n; i++)
        near_try(&near, l[i].label ? l[i].label : l[i].kernel);
    return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                     "no launch of the suspect is '%.60s'%s; a label, or the kernel of one launch, "
                     "was expected",
                     y->text, near_hint(&near, hint, sizeof hint));
}

/* Where a launch stands among all that the host does; -1 for one that is not there. */
static int item_of(const struct host_list *steps, int launch)
{
    for (int i = 0; i < steps->n; i++)
        if (steps->item[i].kind == HOST_LAUNCH && steps->item[i].launch == launch)
            return i;
    return steps->n ? -1 : launch;
}

static int find_step(const struct host_list *steps, const char *label)
{
    for (int i = 0; i < steps->n; i++)
        if (steps->item[i].label && !strcmp(steps->item[i].label, label))
            return i;
    return -1;
}

/* The line of the launch or step that y names. A label is one launch's alone, or one step's; a
 * kernel may be that of several. */
static int find_launch(struct reader *r, const struct variant *v, const struct yaml *y, int *line)
{
    int n, found = -1, named = 0;
    const struct launch *l = variant_launches(v, "a", &n);
    const struct host_list *steps = variant_steps(v, "a");
    int rc = yaml_is_scalar(y, "the label or the kernel of a launch", r->err);
    if (rc)
        return rc;
    int step = find_step(steps, y->text);
    for (int i = 0; i < n && step < 0; i++)
        if (l[i].label && !strcmp(l[i].label, y->text)) {
            named = 1;
            found = i;
            break;
        } else if (is_called(&l[i], y->text)) {
            named++;
            found = i;
        }
    if (step < 0 && !named)
        return fail_launch(r, y, l, n);
    if (named > 1)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "%d launches of the suspect are of '%.60s'; the label of one was expected",
                         named, y->text);
    *line = source_launch_line(v->suspect->text, step < 0 ? item_of(steps, found) : step);
    return 0;
}

/* One, or all from it to another. */
static int place_launch(struct reader *r, struct variant *v, const struct yaml *y,
                        const struct yaml *to)
{
    int first, last;
    int rc = find_launch(r, v, y, &first);
    last = rc ? 0 : first;
    if (!rc && to)
        rc = find_launch(r, v, to, &last);
    if (!rc && last < first)
        rc = yaml_fail(to, ERR_BAD_REQUEST, r->err,
                       "'%.60s' stands before '%.60s'; a launch behind it was expected", to->text,
                       y->text);
    if (!rc)
        add_span(v, first, last);
    return rc;
}

/* A step of the benchmark, or what it reports. */
static int place_step(struct reader *r, struct variant *v, const struct yaml *y)
{
    int step = BENCHMARK_FIELDS;
    int rc = yaml_is_scalar(y, "a step of the benchmark", r->err);
    if (!rc && !story_is_harness(v->story))
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err,
                       "a step as the location in a story that is no harness; text or a launch "
                       "was expected");
    if (!rc && v->benchmark.baseline_file && !strcmp(y->text, "baseline"))
        step++;
    else if (!rc && strcmp(y->text, "report"))
        rc = find_step_of_benchmark(r, y, &step);
    if (!rc)
        add_span(v, variant_benchmark_line(v, step), variant_benchmark_line(v, step));
    return rc;
}

/* Exactly one of `text`, with its file, `launch` and `step`. */
static int place_first(struct reader *r, struct variant *v, const struct yaml *y,
                       const struct yaml *const *k, int format)
{
    const struct yaml *launch = k[LOCATION_K_LAUNCH], *other = k[LOCATION_K_FILE],
                      *to = k[LOCATION_K_TO], *step = k[LOCATION_K_STEP];
    if (launch && format < FORMAT_OWN_LAUNCHES)
        return yaml_fail(launch->key, ERR_BAD_REQUEST, r->err,
                         "a launch as the location in format %d; format: %d was expected above",
                         format, FORMAT_OWN_LAUNCHES);
    other = other ? other : k[LOCATION_K_TEXT];
    if (launch && other)
        return yaml_fail(other->key, ERR_BAD_REQUEST, r->err,
                         "'%s' beside a launch; one place was expected", other->key->text);
    if (step && (launch || other))
        return yaml_fail(step->key, ERR_BAD_REQUEST, r->err,
                         "'step' beside another place; one place was expected");
    if (step)
        return place_step(r, v, step);
    if (to && !launch)
        return yaml_fail(to->key, ERR_BAD_REQUEST, r->err,
                         "'to' without 'launch'; the first of the launches was expected");
    if (launch)
        return place_launch(r, v, launch, to);
    for (int i = LOCATION_K_FILE; i <= LOCATION_K_TEXT; i++)
        if (!k[i])
            return yaml_fail(y, ERR_BAD_REQUEST, r->err, "no '%s'; %s was expected to have it",
                             location_shape.key[i].name, location_shape.what);
    int rc = yaml_is_scalar(k[LOCATION_K_FILE], v->kind->suspect, r->err);
    if (!rc && strcmp(k[LOCATION_K_FILE]->text, v->kind->suspect))
        rc = yaml_fail(k[LOCATION_K_FILE], ERR_BAD_REQUEST, r->err, "'%.60s'; %s was expected",
                       k[LOCATION_K_FILE]->text, v->kind->suspect);
    return rc ? rc : place_text(r, v, k[LOCATION_K_TEXT]);
}

static int place_location(struct reader *r, struct variant *v, const struct yaml *y,
                          const struct yaml *const *k, int format)
{
    const struct yaml *also = k[LOCATION_K_ALSO];
    int rc = place_first(r, v, y, k, format);
    v->location_line = v->n_spans ? v->spans[0].first : 0;
    if (!rc && also)
        rc = yaml_is_list(also, 1, MAX_SPANS - 1, "a list of texts of the suspect", r->err);
    for (const struct yaml *t = rc || !also ? NULL : also->first; t && !rc; t = t->next)
        rc = place_text(r, v, t);
    return rc;
}

static int read_place(struct reader *r, struct variant *v, const struct yaml *y)
{
    const struct yaml *k[PLACE_KEYS];
    int rc = yaml_keys(y, &place_shape, k, r->err);
    return rc ? rc : find_place(r, k[PLACE_K_PLACE], v->story, &v->location_line);
}

int read_location(struct reader *r, struct variant *v, const struct yaml *y,
                  const struct yaml *root, int format)
{
    const struct yaml *k[LOCATION_KEYS];
    bool healthy = v->pair == PAIR_HEALTHY;
    if (healthy && y)
        return yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                         "a location in a healthy pair; none was expected, since nothing is wrong");
    if (!healthy && !y)
        return yaml_fail(root, ERR_BAD_REQUEST, r->err,
                         "no 'location'; the %s that is at fault was expected",
                         story_is_case(v->story) ? "place" : "line of the suspect");
    if (healthy)
        return 0;
    if (story_is_case(v->story))
        return read_place(r, v, y);
    int rc = yaml_keys(y, &location_shape, k, r->err);
    return rc ? rc : place_location(r, v, y, k, format);
}
