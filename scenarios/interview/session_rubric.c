/* The rubric: the signals of the interview guide, and a team's own from a file. */
#include "scenarios/interview/session_rubric.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/text/files.h"

static const struct session_signal builtin[] = {
    {"space",
     "names the space before buying",
     {"guesses one cause, or recites optimizations", "two or three causes, none ranked",
      "four or more, two of them rivals", "ranks the rivals and says why each is likely"}},
    {"foresees",
     "says what each result would mean",
     {"buys to see what comes", "says what one result would mean",
      "both outcomes, before the number", "both, and picks the cheapest that tells them apart"}},
    {"numbers",
     "numbers on demand",
     {"none, or off by ten without noticing", "right order, units or bytes slip",
      "within 1.5 x in 60 s, with units", "derives it aloud and bounds the error"}},
    {"updates",
     "updates; neither clings nor folds",
     {"keeps the first idea, or drops it at a word", "moves late, or on news without weight",
      "moves on evidence, stays on an empty pushback",
      "says how far, why, and what would change it"}},
    {"calibrated",
     "says how sure, and is",
     {"certain of it, or it could be anything", "hedges without a number",
      "gives a degree and a check for it", "its degrees agree with what was known then"}},
    {"depth",
     "goes deep on one, and back up",
     {"stays on the surface, or is lost in detail", "one level down when asked",
      "three levels down on the one that matters",
      "down to the instruction, then what it costs the whole"}},
    {"tradeoffs",
     "owns the trade",
     {"a fix without its price", "names a cost when asked", "says what it costs and whom",
      "puts figures on both sides and decides"}},
    {"aloud",
     "can be followed",
     {"silent, or circles", "talks, steps are missing", "symptom, suspects, test, conclusion",
      "sums up unasked; hands over at any moment"}},
};
enum { BUILTIN = sizeof builtin / sizeof *builtin };

void session_rubric_builtin(struct session_plan *p)
{
    memcpy(p->signals, builtin, sizeof builtin);
    p->n_signals = BUILTIN;
}

/* ---- a file ---- */

enum { RUBRIC_K_SIGNALS, RUBRIC_KEYS };
static const struct yaml_key rubric_keys[RUBRIC_KEYS] = {[RUBRIC_K_SIGNALS] = {"signals", true}};
const struct yaml_shape rubric_shape = {"a rubric", rubric_keys, RUBRIC_KEYS};
enum { SIGNAL_K_ID, SIGNAL_K_TITLE, SIGNAL_K_ANCHORS, SIGNAL_KEYS };
static const struct yaml_key signal_keys[SIGNAL_KEYS] = {[SIGNAL_K_ID] = {"id", true},
                                                         [SIGNAL_K_TITLE] = {"title", true},
                                                         [SIGNAL_K_ANCHORS] = {"anchors", true}};
const struct yaml_shape rubric_signal_shape = {"a signal", signal_keys, SIGNAL_KEYS};

static int read_id(struct session_signal *s, const struct yaml *y, struct err *err)
{
    int rc = yaml_string(y, sizeof s->id - 1, false, "an id", err);
    if (rc)
        return rc;
    if (strspn(y->text, "abcdefghijklmnopqrstuvwxyz0123456789-") != y->len)
        return yaml_fail(y, ERR_BAD_REQUEST, err,
                         "'%s'; an id of small letters, digits and dashes was expected", y->text);
    snprintf(s->id, sizeof s->id, "%s", y->text);
    return 0;
}

static int read_anchors(struct session_signal *s, const struct yaml *list, struct err *err)
{
    int rc = yaml_is_list(list, SESSION_MAX_ANCHORS, SESSION_MAX_ANCHORS,
                          "a list of four texts, of grades 1 to 4,", err),
        n = 0;
    for (const struct yaml *y = rc ? NULL : list->first; y && !rc; y = y->next, n++) {
        rc = yaml_string(y, sizeof s->anchors[0] - 1, false, "what such an answer is like", err);
        if (!rc)
            snprintf(s->anchors[n], sizeof s->anchors[n], "%s", y->text);
    }
    return rc;
}

static int read_signal(struct session_plan *p, const struct yaml *y, struct err *err)
{
    const struct yaml *k[SIGNAL_KEYS];
    struct session_signal s = {0};
    int rc = yaml_keys(y, &rubric_signal_shape, k, err);
    if (!rc)
        rc = read_id(&s, k[SIGNAL_K_ID], err);
    if (!rc)
        rc = yaml_string(k[SIGNAL_K_TITLE], sizeof s.title - 1, false, "a title", err);
    if (!rc)
        rc = read_anchors(&s, k[SIGNAL_K_ANCHORS], err);
    if (rc)
        return rc;
    snprintf(s.title, sizeof s.title, "%s", k[SIGNAL_K_TITLE]->text);
    for (int i = 0; i < p->n_signals; i++)
        if (!strcmp(p->signals[i].id, s.id))
            return yaml_fail(k[SIGNAL_K_ID], ERR_BAD_REQUEST, err,
                             "'%s' stands twice; an id of its own was expected", s.id);
    p->signals[p->n_signals++] = s;
    return 0;
}

static int read_rubric(struct session_plan *p, const struct yaml *root, struct err *err)
{
    const struct yaml *k[RUBRIC_KEYS];
    int rc = yaml_keys(root, &rubric_shape, k, err);
    if (!rc)
        rc = yaml_is_list(k[RUBRIC_K_SIGNALS], 1, SESSION_MAX_SIGNALS, "a list of signals", err);
    for (const struct yaml *y = rc ? NULL : k[RUBRIC_K_SIGNALS]->first; y && !rc; y = y->next)
        rc = read_signal(p, y, err);
    return rc;
}

static int read_text(struct session_plan *p, const char *path, const char *text, size_t len,
                     struct err *err)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? text_ndup(path, (size_t)(slash - path)) : text_dup("");
    struct files *files = files_new(folder);
    struct yaml_doc *doc = NULL;
    files_add(files, slash ? slash + 1 : path, text, len);
    int rc = files_check(files, err);
    if (!rc)
        rc = yaml_doc_read(&doc, files, &files->file[0], err);
    if (!rc)
        rc = read_rubric(p, yaml_doc_root(doc), err);
    yaml_doc_free(doc);
    files_free(files);
    free(folder);
    return rc;
}

int session_rubric_read(struct session_plan *p, const char *path, struct err *err)
{
    size_t len = 0;
    char *text = file_read_plain(path, FILE_BYTES_MAX, &len);
    struct session_plan *fresh = mem_new(1, sizeof *fresh);
    int rc = text ? read_text(fresh, path, text, len, err)
                  : err_set(err, ERR_IO, "cannot read %s: %s", path, path_why(errno));
    if (!rc) {
        memcpy(p->signals, fresh->signals, sizeof p->signals);
        p->n_signals = fresh->n_signals;
    }
    free(fresh);
    free(text);
    return rc;
}
