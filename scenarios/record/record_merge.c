#include "scenarios/record/record_merge.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/evidence/request.h"

static void say(const struct merge_options *o, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void say(const struct merge_options *o, const char *fmt, ...)
{
    char text[1600];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    text_clean(text, strlen(text));
    if (o->say)
        o->say(o->ctx, text);
}

static char *folder_of(const struct variant *v)
{
    return text_format("%s/%s/sealed/evidence/", v->story->id, v->id);
}

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), k = strlen(end);
    return n >= k && !strcmp(s + n - k, end);
}

static bool is_in(const struct file *f, const char *folder)
{
    return !strncmp(f->path, folder, strlen(folder)) && ends_with(f->path, ".json");
}

/* Does it belong: the GPU that its name says, and an answer to everything that is asked here? */
static int admit(struct recording **out, const struct variant *v, const struct file *f,
                 struct err *err)
{
    char *folder = folder_of(v);
    int rc = recording_decode(out, f->text, f->len, f->path, err);
    char *name = rc ? NULL : text_format("%s%s.json", folder, (*out)->device.slug);
    if (!rc && strcmp(name, f->path) != 0)
        rc = err_set(err, ERR_BAD_REQUEST, "its GPU is %s, which its name does not say",
                     (*out)->device.slug);
    if (!rc)
        rc = request_fresh(v, *out, err);
    free(folder);
    free(name);
    return rc;
}

/* Writes it, unless a dry run; tells. */
static void take(struct evidence_file *here, const struct file *f, const struct recording *theirs,
                 const char *how, const struct merge_options *o, struct merge_count *count)
{
    struct err err = {0};
    char what[200];
    recording_provenance(what, sizeof what, theirs);
    if (!o->dry_run && evidence_file_copy(here, f->text, f->len, &err)) {
        say(o, "%s: not taken: %s", f->path, err.text);
        count->refused++;
        return;
    }
    say(o, "%s: %s%s (%s)", f->path, o->dry_run ? "would be " : "", how, what);
    count->taken++;
}

static void compare(struct evidence_file *here, const struct file *f,
                    const struct recording *theirs, const struct merge_options *o,
                    struct merge_count *count)
{
    char ours[200], how[300];
    if (here->text && here->len == f->len && !memcmp(here->text, f->text, f->len)) {
        say(o, "%s: the same here", f->path);
        count->same++;
        return;
    }
    if (here->was)
        recording_provenance(ours, sizeof ours, here->was);
    if (!here->text)
        snprintf(how, sizeof how, "taken: there was none of this GPU here");
    else if (!here->was)
        snprintf(how, sizeof how, "taken in place of a file that cannot be read as evidence");
    else
        snprintf(how, sizeof how, "taken in place of %s (%s)",
                 strcmp(theirs->at, here->was->at) > 0 ? "an older one"
                                                       : "one that is not older, as asked",
                 ours);
    if (!here->was || o->replace || strcmp(theirs->at, here->was->at) > 0) {
        take(here, f, theirs, how, o, count);
        return;
    }
    say(o, "%s: ours stays, it is not older (%s; theirs is of %s); --replace takes theirs", f->path,
        ours, *theirs->at ? theirs->at : "no date");
    count->kept++;
}

static void merge_file(const struct variant *v, const struct file *f, const struct merge_options *o,
                       struct merge_count *count)
{
    struct recording *theirs = NULL;
    struct evidence_file here = {.path = NULL};
    struct err err = {0};
    char *path;
    int rc = path_inside(&path, v->story->pack->files->root, f->path, &err);
    if (rc == 0)
        rc = admit(&theirs, v, f, &err);
    if (rc == 0)
        rc = evidence_file_open(&here, path, &err);
    if (rc == 0) {
        compare(&here, f, theirs, o, count);
    } else {
        bool named = !strncmp(err.text, f->path, strlen(f->path)) &&
                     !strncmp(err.text + strlen(f->path), ": ", 2);
        say(o, "%s: does not belong here: %s", f->path,
            err.text + (named ? strlen(f->path) + 2 : 0));
        count->refused++;
    }
    evidence_file_close(&here);
    recording_free(theirs);
    free(path);
}

void record_merge(const struct variant *v, const struct files *from,
                  const struct merge_options *options, struct merge_count *count)
{
    char *folder = folder_of(v);
    for (int i = 0; i < from->n; i++)
        if (is_in(&from->file[i], folder))
            merge_file(v, &from->file[i], options, count);
    free(folder);
}

void record_merge_rest(const struct pack *p, const struct files *from,
                       const struct merge_options *options, struct merge_count *count)
{
    for (int i = 0; i < from->n; i++) {
        const struct file *f = &from->file[i];
        bool known = !strstr(f->path, "/sealed/evidence/") || !ends_with(f->path, ".json");
        for (int s = 0; s < p->n_stories && !known; s++)
            for (int k = 0; k < p->stories[s].n_variants && !known; k++) {
                char *folder = folder_of(p->stories[s].variants[k]);
                known = is_in(f, folder);
                free(folder);
            }
        if (!known) {
            say(options, "%s: %s has no such scenario", f->path, p->id);
            count->refused++;
        }
    }
}
