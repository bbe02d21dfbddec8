#include "scenarios/play/attempt_log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/moment.h"
#include "kernels/wire/codec.h"
#include "kernels/wire/hash.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "scenarios/library/variant_copy.h"
#include "scenarios/play/attempt.h"

enum { CONTENT_FORMAT = 1 };

int64_t attempt_utc_ms(void)
{
    const char *set = getenv("WARPDRILL_NOW_MS");
    return set && *set ? store_moment(strtoll(set, NULL, 10)) : store_clock();
}

void uid_make(char out[33])
{
    unsigned char random[16];
    os_random(random, sizeof random);
    for (size_t i = 0; i < sizeof random; i++)
        snprintf(out + 2 * i, 3, "%02x", random[i]);
}

/* ---- the copy of the scenario ---- */

char *content_make(const struct variant *v, const struct recording *r)
{
    json_t *files = variant_files(v);
    if (r && !story_is_case(v->story)) {     /* exhibits are files of the scenario already */
        char *path =
            text_format("%s/%s/sealed/evidence/%s.json", v->story->id, v->id, r->device.slug);
        json_t *root = recording_encode(r);
        char *text = json_dumps(root, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
        json_object_set_new(files, path, json_string(text));
        json_decref(root);
        free(text);
        free(path);
    }
    json_t *root =
        json_pack("{s:i, s:s, s:s, s:s, s:o}", "format", CONTENT_FORMAT, "pack", v->story->pack->id,
                  "story", v->story->id, "variant", v->id, "files", files);
    if (v->story->model)
        json_object_set_new(root, "seed",
                            json_integer((json_int_t)v->story->pack->files->seed));
    char *text = json_dumps(root, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    json_decref(root);
    return text;
}

static int content_pack(struct pack **pack, const struct variant **variant, const json_t *root,
                        struct err *err)
{
    struct files *files = NULL;
    int rc = files_from_json(&files, json_object_get(root, "files"), err);
    if (rc)
        return rc;
    files->seed = (uint64_t)json_integer_value(json_object_get(root, "seed"));
    rc = pack_load(pack, files, err);
    if (rc)
        return rc;
    const struct story *s = pack_story(*pack, codec_text_of(root, "story"));
    *variant = s ? story_variant(s, codec_text_of(root, "variant")) : NULL;
    if (*variant)
        return 0;
    pack_free(*pack);
    *pack = NULL;
    return err_set(err, ERR_MISSING, "the attempt's copy of its scenario lacks the variant");
}

int content_load(struct pack **pack, const struct variant **variant, const char *text, size_t len,
                 struct err *err)
{
    json_error_t where;
    json_t *root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &where);
    int rc;
    if (!root)
        rc = err_set(err, ERR_BAD_REQUEST, "the attempt's copy of its scenario cannot be read: %s",
                     where.text);
    else if (json_integer_value(json_object_get(root, "format")) != CONTENT_FORMAT)
        rc = err_set(err, ERR_VERSION, "the attempt's copy of its scenario has another format");
    else
        rc = content_pack(pack, variant, root, err);
    json_decref(root);
    return rc;
}

bool content_version(char out[VERSION_TEXT], struct store *store, const char *sha256)
{
    struct pack *pack = NULL;
    const struct variant *v;
    char *text = NULL;
    size_t n = 0;
    *out = '\0';
    if (store_blob_get(store, sha256, &text, &n) == STORE_OK &&
        content_load(&pack, &v, text, n, NULL) == 0)
        version_of(out, v);
    pack_free(pack);
    free(text);
    return *out;
}

char *reveal_encode(const struct msg_device *device, const struct evidence *all)
{
    json_t *root = json_object();
    json_object_set_new(root, "device", msg_device_encode(device));
    json_object_set_new(root, "all", evidence_encode(all));
    char *text = json_dumps(root, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    json_decref(root);
    return text;
}

/* ---- rows ---- */

static const char *state_name(enum phase p)
{
    return p == PHASE_OPEN        ? "open"
           : p == PHASE_REVEALED  ? "revealed"
           : p == PHASE_ABANDONED ? "abandoned"
                                  : "committed";
}

static void row_truth(struct store_attempt *row, const struct investigation *i,
                      const struct debrief *d)
{
    row->cause_right = d->found.is;
    row->on_truth = d->found.held / 100.0;
    snprintf(row->cause, sizeof row->cause, "%s", i->story->hypotheses[i->variant->cause]->id);
    row->scored = d->in_band || strcmp(i->tier, "live") != 0;
    row->score = d->score.total;
    row->score_rule = SCORE_RULE;
}

static void rows_attempt(struct written *w, const struct attempt_facts *f,
                         const struct investigation *i, const struct debrief *d)
{
    struct store_attempt *row = &w->row;
    *row = (struct store_attempt){.started_ms = f->started_ms,
                                  .elapsed_ms = i->elapsed_ms,
                                  .price = i->price,
                                  .cause_right = -1,
                                  .counted = f->counted};
    snprintf(row->uid, sizeof row->uid, "%s", f->uid);
    snprintf(row->content, sizeof row->content, "%s", f->content);
    snprintf(row->scenario, sizeof row->scenario, "%s", i->variant->full_id);
    snprintf(row->title, sizeof row->title, "%s", i->story->title);
    snprintf(row->tier, sizeof row->tier, "%s", i->tier);
    snprintf(row->gpu, sizeof row->gpu, "%.63s", i->gpu);
    snprintf(row->state, sizeof row->state, "%s", state_name(i->phase));
    if (d)
        row_truth(row, i, d);
}

static void rows_beliefs(struct written *w, const struct investigation *i)
{
    int k = i->story->n_hypotheses;
    w->beliefs = mem_new((size_t)(i->n_steps * k), sizeof *w->beliefs);
    for (int s = 0; s < i->n_steps; s++)
        for (int h = 0; h < k; h++) {
            struct store_belief *b = &w->beliefs[w->n_beliefs++];
            b->step = s;
            b->points = i->steps[s].points[h];
            snprintf(b->after, sizeof b->after, "%.23s", i->steps[s].after);
            snprintf(b->hypothesis, sizeof b->hypothesis, "%s", i->story->hypotheses[h]->id);
        }
}

static void rows_score(struct written *w, const struct debrief *d)
{
    w->lines = mem_new(LINE_COUNT, sizeof *w->lines);
    for (int l = 0; l < LINE_COUNT; l++) {
        struct store_score_line *line = &w->lines[w->n_lines++];
        snprintf(line->line, sizeof line->line, "%s", score_line_name((enum score_line_id)l));
        snprintf(line->why, sizeof line->why, "%s", d->why[l]);
        line->points = d->score.line[l];
        line->possible = d->score.possible[l];
    }
}

static const char *typed(const struct investigation *i, const char *estimate)
{
    for (int k = 0; k < i->n_estimates; k++)
        if (i->estimates[k].given && !strcmp(i->estimates[k].id, estimate))
            return i->estimates[k].answer;
    return "";
}

static const char *how_name(const struct graded *g)
{
    switch (g->how) {
    case GRADED_RIGHT: return "right";
    case GRADED_SLIP: return "slip";
    case GRADED_UNREADABLE: return "unreadable";
    case GRADED_WRONG_DIM: return "dimension";
    default: return "wrong";
    }
}

static void row_answer(struct store_answer *a, const struct attempt_facts *f,
                       const struct investigation *i, const struct graded *g)
{
    char hash[HASH_HEX], *name = text_format("%s/%s", f->uid, g->estimate->id);
    hash_bytes(hash, name, strlen(name));
    free(name);
    snprintf(a->uid, sizeof a->uid, "%.32s", hash);
    snprintf(a->item, sizeof a->item, "%.80s#%.40s", i->story->full_id, g->estimate->id);
    snprintf(a->given, sizeof a->given, "%s", typed(i, g->estimate->id));
    snprintf(a->unit, sizeof a->unit, "%s", g->estimate->unit);
    snprintf(a->slip, sizeof a->slip, "%s", g->slip);
    snprintf(a->how, sizeof a->how, "%s", how_name(g));
    a->at_ms = f->started_ms + i->elapsed_ms;
    a->day = store_day(a->at_ms);
    a->seed = (int64_t)(i->seed >> 1);
    a->readable = g->how == GRADED_RIGHT || g->how == GRADED_OFF || g->how == GRADED_SLIP;
    a->value = a->readable ? g->given : 0;
    a->truth = g->truth;
    a->log_error = a->readable && g->given > 0 && g->truth > 0 ? log(g->given / g->truth) : 0;
}

static void rows_answers(struct written *w, const struct attempt_facts *f,
                         const struct investigation *i, const struct debrief *d)
{
    w->answers = mem_new((size_t)d->n_graded, sizeof *w->answers);
    for (int k = 0; k < d->n_graded; k++)
        if (d->graded[k].how < GRADED_SKIPPED)
            row_answer(&w->answers[w->n_answers++], f, i, &d->graded[k]);
}

void written_rows(struct written *w, const struct attempt_facts *f, const struct investigation *i,
                  const struct debrief *d)
{
    rows_attempt(w, f, i, d);
    rows_beliefs(w, i);
    if (!d)
        return;
    rows_score(w, d);
    rows_answers(w, f, i, d);
}

static void add_blob(struct written *w, char *text)
{
    struct store_blob *b = &w->blobs[w->n_blobs++];
    b->bytes = text;
    b->n = strlen(text);
    hash_bytes(b->sha256, text, b->n);
}

void written_event(struct written *w, const struct attempt_facts *f, const struct move *m,
                   json_t *body, const char *blob_name, char *blob)
{
    if (blob) {
        add_blob(w, blob);
        json_object_set_new(body, blob_name, json_string(w->blobs[w->n_blobs - 1].sha256));
    }
    json_object_set_new(body, "elapsed_ms", json_integer(m->elapsed_ms));
    struct store_event *e = &w->event;
    snprintf(e->uid, sizeof e->uid, "%s", m->uid);
    snprintf(e->stream, sizeof e->stream, "attempt:%s", f->uid);
    snprintf(e->kind, sizeof e->kind, "%s", move_name(m->kind));
    snprintf(e->actor, sizeof e->actor, m->scribe ? ACTOR_SCRIBE : "self");
    snprintf(e->audience, sizeof e->audience, "all");
    e->version = 1;
    e->at_ms = m->at_ms;
    e->day = store_day(m->at_ms);
    e->body = json_dumps(body, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    json_decref(body);
}

struct store_change written_change(const struct written *w)
{
    return (struct store_change){.attempt = &w->row,
                                 .lines = w->lines,
                                 .n_lines = w->n_lines,
                                 .beliefs = w->beliefs,
                                 .n_beliefs = w->n_beliefs,
                                 .answers = w->answers,
                                 .n_answers = w->n_answers};
}

void written_free(struct written *w)
{
    if (!w)
        return;
    for (int i = 0; i < w->n_blobs; i++)
        free((void *)w->blobs[i].bytes);
    free(w->event.body);
    free(w->lines);
    free(w->beliefs);
    free(w->answers);
    free(w);
}

/* ---- reading it back ---- */

static int blob_json(json_t **out, struct store *store, const char *sha256, struct err *err)
{
    char *text = NULL;
    size_t n = 0;
    json_error_t where;
    if (store_blob_get(store, sha256, &text, &n) != STORE_OK)
        return err_set(err, ERR_MISSING, "%s", store_message(store));
    *out = json_loadb(text, n, 0, &where);
    free(text);
    return *out ? 0 : err_set(err, ERR_BAD_REQUEST, "stored text cannot be read: %s", where.text);
}

static int load_content(struct logged *l, struct store *store, const json_t *body, struct err *err)
{
    char *text = NULL;
    size_t n = 0;
    snprintf(l->facts.content, sizeof l->facts.content, "%s", codec_text_of(body, "content"));
    l->facts.counted = json_is_true(json_object_get(body, "counted"));
    if (store_blob_get(store, l->facts.content, &text, &n) != STORE_OK)
        return err_set(err, ERR_MISSING, "%s", store_message(store));
    int rc = content_load(&l->pack, &l->variant, text, n, err);
    free(text);
    if (rc == 0)
        l->state = investigation_new(l->variant);
    return rc;
}

/* Evidence travels as a blob's hash; the move's own form holds it whole. */
static int load_evidence(struct move *m, struct store *store, const char *sha256, struct err *err)
{
    json_t *obj = NULL;
    int rc = blob_json(&obj, store, sha256, err);
    if (rc == 0)
        rc = evidence_decode(&m->evidence, obj, err);
    json_decref(obj);
    return rc;
}

static int load_reveal(struct logged *l, struct store *store, const char *sha256, struct err *err)
{
    json_t *obj = NULL;
    struct msg_device device = {0};
    int rc = blob_json(&obj, store, sha256, err);
    if (rc == 0)
        rc = msg_device_decode(&device, json_object_get(obj, "device"), err);
    if (rc == 0)
        rc = evidence_decode(&l->all, json_object_get(obj, "all"), err);
    if (rc == 0) {
        l->debrief = mem_new(1, sizeof *l->debrief);
        rc = debrief_make(l->debrief, l->state, &device, l->all, err);
    }
    msg_device_free(&device);
    json_decref(obj);
    return rc;
}

static int apply_event(struct logged *l, struct store *store, const struct store_event *e,
                       json_t *body, struct err *err)
{
    char evidence[65], reveal[65];
    struct move m = {0};
    snprintf(evidence, sizeof evidence, "%s", codec_text_of(body, "evidence"));
    snprintf(reveal, sizeof reveal, "%s", codec_text_of(body, "reveal"));
    int64_t elapsed = json_integer_value(json_object_get(body, "elapsed_ms"));
    static const char *const ours[] = {"evidence", "reveal",  "elapsed_ms",
                                       "scenario", "content", "counted"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        json_object_del(body, ours[i]);
    int rc = move_decode(&m, e->kind, body, l->state->story, err);
    if (rc)
        return rc;
    snprintf(m.uid, sizeof m.uid, "%s", e->uid);
    m.scribe = !strcmp(e->actor, ACTOR_SCRIBE);
    m.at_ms = e->at_ms;
    m.elapsed_ms = elapsed;
    if (*evidence)
        rc = load_evidence(&m, store, evidence, err);
    if (rc == 0)
        rc = investigation_apply(l->state, &m, err);
    if (rc) {
        move_clear(&m);
        return rc;
    }
    return *reveal ? load_reveal(l, store, reveal, err) : 0;
}

static int load_event(struct logged *l, struct store *store, const struct store_event *e,
                      struct err *err)
{
    json_error_t where;
    json_t *body = json_loads(e->body, 0, &where);
    int rc = body ? 0
                  : err_set(err, ERR_BAD_REQUEST, "event %lld cannot be read: %s",
                            (long long)e->seq, where.text);
    if (rc == 0 && !l->state) {
        l->facts.started_ms = e->at_ms;
        rc = load_content(l, store, body, err);
    }
    if (rc == 0)
        rc = apply_event(l, store, e, body, err);
    json_decref(body);
    return rc;
}

int logged_load(struct logged *out, struct store *store, const char *uid, struct err *err)
{
    char stream[64];
    struct store_event *events = NULL;
    int n = 0;
    *out = (struct logged){0};
    snprintf(out->facts.uid, sizeof out->facts.uid, "%s", uid);
    snprintf(stream, sizeof stream, "attempt:%s", uid);
    int got = store_events(store, stream, &events, &n);
    int rc = got == STORE_OK
                 ? 0
                 : err_set(err, got == STORE_BUSY ? ERR_BUSY : ERR_IO, "%s", store_message(store));
    if (rc == 0 && n == 0)
        rc = err_set(err, ERR_MISSING, "there is no attempt %s", uid);
    out->seq = mem_new((size_t)n, sizeof *out->seq);
    for (int i = 0; rc == 0 && i < n; i++) {
        rc = load_event(out, store, &events[i], err);
        out->seq[out->n_seq++] = events[i].seq;
    }
    store_events_free(events, n);
    if (rc)
        logged_free(out);
    return rc;
}

void logged_free(struct logged *l)
{
    investigation_free(l->state);
    evidence_free(l->all);
    free(l->debrief);
    free(l->seq);
    pack_free(l->pack);
    *l = (struct logged){0};
}
