/* Recorded answers: the items of a request, looked up by their keys. */
#include "scenarios/evidence/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/exhibit_table.h"
#include "scenarios/evidence/source_lines.h"

void request_mark(struct msg_part *part, const struct msg_item *item, int index)
{
    const char *note = item->cache == CACHE_WARM ? "warm" : "cold";
    part->item = index;
    part->variant = item->variant;
    if (item->probe != PROBE_TIMING || msg_part_note(part, note))
        return;
    part->notes = mem_grow(part->notes, (size_t)part->n_notes + 1, sizeof *part->notes);
    part->notes[part->n_notes++] = text_dup(note);
}

static const char *name_of_run(const char *run)
{
    static const char *const names[] = {"suspect", "fix", "best", "half", "rest"};
    int k = run[0] - 'a';
    if (*run == 'o' || *run == 'p')
        return "baseline";
    return k >= 0 && k < (int)(sizeof names / sizeof *names) ? names[k] : "reference";
}

void request_describe_item(char *out, size_t size, const struct variant *v,
                           const struct msg_measure *m, int item)
{
    const struct msg_item *it = &m->items[item];
    const char *first = name_of_run(it->runs[0]);
    int n = snprintf(out, size, "%s of %s %s", wire_probe_name(it->probe), v->full_id, first);
    if (it->n_runs > 1 && n > 0 && (size_t)n < size)
        n += snprintf(out + n, size - (size_t)n, " and %s", name_of_run(it->runs[1]));
    if (it->variant >= 0 && n > 0 && (size_t)n < size)
        snprintf(out + n, size - (size_t)n, ", step %d of an experiment", it->variant + 1);
    else if (it->cache == CACHE_WARM && n > 0 && (size_t)n < size)
        snprintf(out + n, size - (size_t)n, ", warm");
}

/* Copies the parts of one key into e; returns how many. */
static int take_key(struct evidence *e, const struct recording *r, const char *key,
                    const struct msg_measure *m, int index)
{
    int found = 0;
    for (int i = 0; i < r->n_items; i++)
        if (!strcmp(r->items[i].key, key)) {
            struct msg_part *copy = evidence_add(e, &r->items[i].part);
            request_mark(copy, &m->items[index], index);
            source_lines_find(copy, m);
            found++;
        }
    return found;
}

/* Looks every item up. `missing`, when not NULL, receives the items that were not found, a sentence
 * each line. */
static int take_all(struct evidence *e, const struct variant *v, const struct recording *r,
                    const struct msg_measure *m, char **missing, struct err *err)
{
    int absent = 0;
    for (int i = 0; i < m->n_items; i++) {
        char key[65], what[160];
        int rc = msg_item_key(key, m, i, err);
        if (rc)
            return rc;
        if (take_key(e, r, key, m, i))
            continue;
        request_describe_item(what, sizeof what, v, m, i);
        if (missing) {
            char *longer =
                text_format("%s%s%s", *missing ? *missing : "", *missing ? "; " : "", what);
            free(*missing);
            *missing = longer;
        }
        absent++;
    }
    return absent;
}

static int recall(struct evidence **out, const struct variant *v, const struct recording *r,
                  const char *probe, bool whole, struct err *err)
{
    struct msg_measure m;
    char *missing = NULL;
    int rc = request_build(&m, v, &r->device, probe, 0, err);
    if (rc)
        return rc;
    struct evidence *e = evidence_new(probe, "recorded", r->device.name);
    rc = take_all(e, v, r, &m, &missing, err);
    if (rc > 0)
        rc = whole || e->n_parts == 0 ? err_set(err, ERR_MISSING,
                                                "not recorded on %s, or stale since a source or a "
                                                "size changed: %s (warpdrill record brings it)",
                                                r->device.name, missing)
                                      : 0;
    free(missing);
    msg_measure_free(&m);
    if (rc) {
        evidence_free(e);
        return rc;
    }
    *out = e;
    return 0;
}

int request_recall(struct evidence **out, const struct variant *v, const struct recording *r,
                   const char *probe, struct err *err)
{
    return story_is_case(v->story) ? exhibits_recall(out, v, r, probe, err)
                                   : recall(out, v, r, probe, true, err);
}

static int check_fix(struct evidence **out, const struct variant *v, const struct recording *r,
                     struct err *err)
{
    for (int i = 0; i < (*out)->n_parts; i++)
        if (!strcmp((*out)->parts[i].run, "b"))
            return 0;
    evidence_free(*out);
    *out = NULL;
    return err_set(err, ERR_MISSING,
                   "the fix of %s was not recorded on %s (warpdrill record brings it)", v->full_id,
                   r->device.name);
}

int request_recall_all(struct evidence **out, const struct variant *v, const struct recording *r,
                       struct err *err)
{
    if (story_is_case(v->story))
        return exhibits_recall(out, v, r, "all", err);
    int rc = recall(out, v, r, "all", false, err);
    return rc ? rc : check_fix(out, v, r, err);
}

/* Everything that "all" would ask, measured by a method that is believed. */
static int recall_whole(struct evidence **out, const struct variant *v, const struct recording *r,
                        struct err *err)
{
    if (r->method < METHOD_OLDEST || r->method > METHOD_VERSION)
        return err_set(err, ERR_MISSING,
                       "recorded on %s by measuring method %d; this program believes %d to %d "
                       "(warpdrill record brings it up to date)",
                       r->device.name, r->method, METHOD_OLDEST, METHOD_VERSION);
    return recall(out, v, r, "all", true, err);
}

/* Exhibits of a case are read, and held against the story, whenever it is loaded. */
int request_fresh(const struct variant *v, const struct recording *r, struct err *err)
{
    struct evidence *e = NULL;
    int rc = story_is_case(v->story) ? 0 : recall_whole(&e, v, r, err);
    evidence_free(rc ? NULL : e);
    return rc;
}

int request_recall_fresh(struct evidence **out, const struct variant *v, const struct recording *r,
                         struct err *err)
{
    if (story_is_case(v->story))
        return exhibits_recall(out, v, r, "all", err);
    int rc = recall_whole(out, v, r, err);
    return rc ? rc : check_fix(out, v, r, err);
}

void request_keep(struct recording *r, const char *key, const struct msg_part *part,
                  const struct msg_measure *m, int item)
{
    struct msg_part *copy = recording_append(r, key, part);
    request_mark(copy, &m->items[item], 0);
    source_lines_keep(copy, m);
    copy->id = 0;
    copy->variant = -1; /* the key says which sizes; the place in one request says nothing */
    snprintf(copy->tier, sizeof copy->tier, "recorded");
}
