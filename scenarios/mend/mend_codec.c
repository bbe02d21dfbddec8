/* A verdict as JSON, and back: what the log keeps and what --json prints. */
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/mend/mend_verdict.h"

static json_t *encode_time(const struct mend_time *t)
{
    return t->there ? json_pack("{s:f, s:f, s:f}", "value", t->value, "low", t->low, "high",
                                t->high)
                    : json_null();
}

json_t *mend_encode(const struct mend_verdict *v)
{
    json_t *times = json_object(), *metrics = json_object();
    for (int s = 0; s < MEND_SIDES; s++)
        json_object_set_new(times, mend_side_word((enum mend_side)s), encode_time(&v->time[s]));
    for (int i = 0; i < v->n_metrics; i++)
        json_object_set_new(metrics, v->metric[i].name, json_real(v->metric[i].value));
    return json_pack("{s:s, s:s, s:s, s:i, s:f, s:f, s:o, s:o, s:o, s:o, s:f, s:f, s:s}", "verdict",
                     mend_is_word(v->is), "reason", mend_reason_word(v->reason), "why", v->why,
                     "checks", v->checks, "largest_difference", v->error, "allowed", v->allowed,
                     "times", times, "against_target", encode_time(&v->against), "gap_closed",
                     v->has_share ? json_real(v->share) : json_null(), "metrics", metrics,
                     "first_seconds", v->first_seconds, "seconds", v->seconds, "gpu", v->gpu);
}

static void decode_time(struct mend_time *t, const json_t *from)
{
    if (!json_is_object(from))
        return;
    t->there = true;
    t->value = json_number_value(json_object_get(from, "value"));
    t->low = json_number_value(json_object_get(from, "low"));
    t->high = json_number_value(json_object_get(from, "high"));
}

static void copy(char *out, size_t size, const json_t *from, const char *key)
{
    const char *text = json_string_value(json_object_get(from, key));
    text_copy_clean(out, size, text ? text : "");
}

static enum mend_is is_of(const char *word)
{
    for (int is = MEND_RIGHT; is <= MEND_NOT_JUDGED; is++)
        if (!strcmp(word, mend_is_word((enum mend_is)is)))
            return (enum mend_is)is;
    return MEND_OPEN;
}

void mend_decode(struct mend_verdict *out, const json_t *from)
{
    char word[24];
    const char *name;
    json_t *value;
    *out = (struct mend_verdict){0};
    copy(word, sizeof word, from, "verdict");
    out->is = is_of(word);
    copy(word, sizeof word, from, "reason");
    out->reason = mend_reason_find(word);
    copy(out->why, sizeof out->why, from, "why");
    copy(out->gpu, sizeof out->gpu, from, "gpu");
    out->checks = (int)json_integer_value(json_object_get(from, "checks"));
    out->error = json_number_value(json_object_get(from, "largest_difference"));
    out->allowed = json_number_value(json_object_get(from, "allowed"));
    out->first_seconds = json_number_value(json_object_get(from, "first_seconds"));
    out->seconds = json_number_value(json_object_get(from, "seconds"));
    const json_t *times = json_object_get(from, "times"), *share = json_object_get(from,
                                                                                   "gap_closed");
    for (int s = 0; s < MEND_SIDES; s++)
        decode_time(&out->time[s], json_object_get(times, mend_side_word((enum mend_side)s)));
    decode_time(&out->against, json_object_get(from, "against_target"));
    out->has_share = json_is_number(share);
    out->share = json_number_value(share);
    json_object_foreach(json_object_get(from, "metrics"), name, value) {
        if (out->n_metrics == MEND_METRICS_MOST || !metric_find(name))
            continue;
        struct msg_value *m = &out->metric[out->n_metrics++];
        *m = (struct msg_value){.present = true, .value = json_number_value(value)};
        m->low = m->high = m->value;
        text_copy_clean(m->name, sizeof m->name, name);
    }
}
