/* Plans: what fits into the minutes, and plans as JSON. */
#include "scenarios/interview/session_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/lot.h"
#include "kernels/wire/fields.h"
#include "kernels/wire/text.h"

static const char *const part_names[] =
    {[PART_SCENARIO] = "scenario", [PART_DRILLS] = "drills", [PART_TALK] = "talk"};
enum { PART_KINDS = 3, LEVEL_MOST = 5, MINUTES_MOST = 480, DRILLS_A_PART = 8 };

const char *session_part_name(enum session_part_kind k)
{
    return part_names[k];
}

int session_plan_minutes(const struct session_plan *p)
{
    int sum = 0;
    for (int i = 0; i < p->n_parts; i++)
        sum += p->parts[i].minutes;
    return sum;
}

/* ---- what the catalogue offers ---- */

struct search {
    const struct catalog *c;
    int level;
    const char *const *avoid; int n_avoid;
    uint64_t random;
    const struct story *taken[2]; int n_taken;
};

static bool is_recorded(const struct variant *v)
{
    const struct files *f = v->story->pack->files;
    char *prefix = text_format("%s/%s/sealed/evidence/", v->story->id, v->id);
    bool found = false;
    for (int i = 0; i < f->n && !found; i++)
        found = !strncmp(f->file[i].path, prefix, strlen(prefix));
    free(prefix);
    return found;
}

static bool is_avoided(const struct search *s, const struct variant *v)
{
    for (int i = 0; i < s->n_avoid; i++)
        if (!strcmp(s->avoid[i], v->full_id) || !strcmp(s->avoid[i], v->story->full_id))
            return true;
    return false;
}

/* Less is better; -1: not to be had. A lacking recording weighs most, then the distance from the
 * level, then a kind that is unusual at this level. */
static int rank(const struct search *s, const struct variant *v)
{
    const struct story *story = v->story;
    int away = story->level - s->level;
    if (v->sealed || is_avoided(s, v) || (!story->counted && s->level > 0))
        return -1;
    for (int i = 0; i < s->n_taken; i++)
        if (!strcmp(s->taken[i]->full_id, story->full_id))
            return -1;
    bool other_kind = s->level <= 1 && strcmp(story->kind, "kernel") != 0;
    int distance = away < 0 ? -2 * away : away > 0 ? 2 * away + 1 : 0;
    return 1000 * !is_recorded(v) + 10 * distance + other_kind;
}

static int variants_in_all(const struct catalog *c)
{
    int n = 0;
    for (int p = 0; p < c->n_packs; p++)
        for (int s = 0; s < c->packs[p]->n_stories; s++)
            n += c->packs[p]->stories[s].n_variants;
    return n;
}

/* The story first, then one of its variants, so that a story with many variants is no more likely
 * than another. */
static const struct variant *pick(struct search *s)
{
    int most = variants_in_all(s->c), n = 0, stories = 0, best = -1;
    const struct variant **fit = mem_new((size_t)most, sizeof *fit), *chosen = NULL;
    for (int p = 0; p < s->c->n_packs; p++)
        for (int t = 0; t < s->c->packs[p]->n_stories; t++) {
            const struct story *story = &s->c->packs[p]->stories[t];
            for (int v = 0; v < story->n_variants; v++) {
                int r = rank(s, story->variants[v]);
                if (r < 0 || (best >= 0 && r > best))
                    continue;
                if (r < best || best < 0)
                    n = stories = 0;
                best = r;
                stories += n == 0 || fit[n - 1]->story != story;
                fit[n++] = story->variants[v];
            }
        }
    int which = stories ? (int)(lot_next(&s->random) % (uint64_t)stories) : 0, first = 0, last = 0;
    for (int at = 0; n > 0 && which >= 0; which--)
        for (first = at; at < n && fit[at]->story == fit[first]->story; at++)
            last = at;
    if (n > 0)
        chosen = fit[first + (int)(lot_next(&s->random) % (uint64_t)(last - first + 1))];
    free(fit);
    return chosen;
}

/* ---- parts ---- */

static struct session_part *add(struct session_plan *p, enum session_part_kind kind, int minutes,
                                const char *title)
{
    struct session_part *part = &p->parts[p->n_parts++];
    *part = (struct session_part){.kind = kind, .minutes = minutes};
    snprintf(part->title, sizeof part->title, "%s", title);
    return part;
}

static void add_talk(struct session_plan *p, int minutes, const char *title, const char *ask)
{
    snprintf(add(p, PART_TALK, minutes, title)->ask, sizeof p->parts->ask, "%s", ask);
}

static bool add_scenario(struct session_plan *p, struct search *s, int minutes)
{
    const struct variant *v = pick(s);
    if (!v)
        return false;
    s->taken[s->n_taken++] = v->story;
    snprintf(add(p, PART_SCENARIO, minutes, v->story->title)->id, sizeof p->parts->id, "%s",
             v->full_id);
    return true;
}

static void add_drills(struct session_plan *p, int minutes, const char *const *drills, int n,
                       uint64_t *random)
{
    struct session_part *part = add(p, PART_DRILLS, minutes, "Numbers on demand");
    int *order = mem_new((size_t)n, sizeof *order),
        wanted = minutes / 2 < DRILLS_A_PART ? minutes / 2 : DRILLS_A_PART;
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = 0; i < n && part->n_drills < wanted; i++) {
        int j = i + (int)(lot_next(random) % (uint64_t)(n - i)), k = order[j];
        order[j] = order[i];
        if (strlen(drills[k]) < sizeof part->drills[0])
            snprintf(part->drills[part->n_drills++], sizeof part->drills[0], "%s", drills[k]);
    }
    free(order);
}

static const char approach[] = "Tell me how you approach a kernel that is slower than it should "
                               "be. What do you look at first, and why that?";
static const char deeper[] = "Take one kernel that you made faster. How did you know what held it "
                             "back, what did you try, and what did it cost?";
static const char yours[] = "What would you like to know?";

static void name_plan(struct session_plan *p, int minutes)
{
    static const struct {
        int minutes;
        const char *words;
    } lengths[] = {{30, "half an hour"},
                   {60, "one hour"},
                   {90, "an hour and a half"},
                   {120, "two hours"}};
    snprintf(p->title, sizeof p->title, "Kernel diagnosis, %d minutes", minutes);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (lengths[i].minutes == minutes)
            snprintf(p->title, sizeof p->title, "Kernel diagnosis, %s", lengths[i].words);
}

static int round5(double minutes)
{
    return (int)(minutes / 5 + 0.5) * 5;
}

int session_plan_make(struct session_plan *out, const struct catalog *c, const char *const *drills,
                      int n_drills, int level, int minutes, uint64_t seed, const char *const *avoid,
                      int n_avoid, struct err *err)
{
    struct session_plan p = {.level = level, .seed = seed, .tier = "recorded", .withhold = true};
    struct search s = {.c = c, .level = level, .avoid = avoid, .n_avoid = n_avoid, .random = seed};
    if (level < 0 || level > 4)
        return err_set(err, ERR_BAD_REQUEST, "level %d; levels are 0 to 4", level);
    if (minutes < 20 || minutes > 180)
        return err_set(err, ERR_BAD_REQUEST, "%d minutes; an interview has 20 to 180", minutes);
    int begins = minutes >= 45 ? 5 : 3, ends = minutes >= 45 ? 5 : 2;
    int numbers = n_drills == 0 || minutes < 30 ? 0 : minutes < 45 ? 5 : minutes < 90 ? 10 : 15;
    int rest = minutes - begins - ends - numbers;
    int second = rest >= 35 ? rest - round5(rest * 0.6) : 0;
    name_plan(&p, minutes);
    add_talk(&p, begins, "How you work", approach);
    if (!c || !add_scenario(&p, &s, rest - second))
        return err_set(err, ERR_MISSING,
                       "no scenario that could be asked is here: each is sealed, avoided, or there "
                       "is none");
    if (numbers)
        add_drills(&p, numbers, drills, n_drills, &s.random);
    if (second && !add_scenario(&p, &s, second))
        add_talk(&p, second, "Something that you made faster", deeper);
    add_talk(&p, ends, "Your questions", yours);
    session_rubric_builtin(&p);
    *out = p;
    return 0;
}

/* ---- JSON ---- */

static void put(json_t *o, const char *key, const char *s)
{
    char *copy = text_dup(s);
    text_clean(copy, strlen(copy));
    json_object_set_new(o, key, json_string(copy));
    free(copy);
}

static json_t *part_encode(const struct session_part *p)
{
    json_t *o = json_object();
    put(o, "kind", part_names[p->kind]);
    json_object_set_new(o, "minutes", json_integer(p->minutes));
    put(o, "title", p->title);
    if (p->kind == PART_SCENARIO)
        put(o, "id", p->id);
    if (p->kind == PART_TALK)
        put(o, "ask", p->ask);
    if (p->kind == PART_DRILLS) {
        json_t *list = json_array();
        for (int i = 0; i < p->n_drills; i++)
            json_array_append_new(list, json_string(p->drills[i]));
        json_object_set_new(o, "drills", list);
    }
    return o;
}

static json_t *signal_encode(const struct session_signal *s)
{
    json_t *o = json_object(), *list = json_array();
    put(o, "id", s->id);
    put(o, "title", s->title);
    for (int i = 0; i < SESSION_MAX_ANCHORS; i++) {
        char copy[sizeof s->anchors[0]];
        memcpy(copy, s->anchors[i], sizeof copy);
        text_clean(copy, strlen(copy));
        json_array_append_new(list, json_string(copy));
    }
    json_object_set_new(o, "anchors", list);
    return o;
}

json_t *session_plan_encode(const struct session_plan *p)
{
    char seed[24];
    json_t *o = json_object(), *parts = json_array(), *signals = json_array();
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)p->seed);
    put(o, "title", p->title);
    put(o, "candidate", p->candidate);
    json_object_set_new(o, "level", json_integer(p->level));
    put(o, "seed", seed);
    put(o, "tier", p->tier);
    put(o, "gpu", p->gpu);
    json_object_set_new(o, "withhold", json_boolean(p->withhold));
    for (int i = 0; i < p->n_parts; i++)
        json_array_append_new(parts, part_encode(&p->parts[i]));
    for (int i = 0; i < p->n_signals; i++)
        json_array_append_new(signals, signal_encode(&p->signals[i]));
    json_object_set_new(o, "parts", parts);
    json_object_set_new(o, "signals", signals);
    return o;
}

static void text_at(const struct fields *f, const char *key, char *out, size_t size)
{
    fields_text(f, key, out, size);
    text_clean(out, strlen(out));
}

static void strings_decode(const struct fields *f, const char *key, char *out, size_t size,
                           int most, int *n)
{
    json_t *list = fields_array(f, key, (size_t)most), *value;
    size_t i;
    json_array_foreach(list, i, value) {
        if (f->state->code)
            return;
        if (!json_is_string(value) || json_string_length(value) >= size ||
            strlen(json_string_value(value)) != json_string_length(value)) {
            fields_fail(f, key, ERR_BAD_REQUEST, "must hold texts of at most %zu bytes", size - 1);
            return;
        }
        snprintf(out + i * size, size, "%s", json_string_value(value));
        text_clean(out + i * size, strlen(out + i * size));
        *n = (int)i + 1;
    }
}

static void part_decode(struct session_part *p, const struct fields *f)
{
    fields_only(f, "kind minutes title id ask drills");
    p->kind = (enum session_part_kind)fields_choice(f, "kind", part_names, PART_KINDS);
    p->minutes = (int)fields_whole(f, "minutes", 1, MINUTES_MOST);
    text_at(f, "title", p->title, sizeof p->title);
    if (fields_has(f, "id"))
        text_at(f, "id", p->id, sizeof p->id);
    if (fields_has(f, "ask"))
        text_at(f, "ask", p->ask, sizeof p->ask);
    if (fields_has(f, "drills"))
        strings_decode(f, "drills", p->drills[0], sizeof p->drills[0], DRILLS_A_PART, &p->n_drills);
    if (p->kind == PART_SCENARIO && !p->id[0])
        fields_fail(f, "id", ERR_BAD_REQUEST, "is missing: a scenario has one");
}

static void signal_decode(struct session_signal *s, const struct fields *f)
{
    int n = 0;
    fields_only(f, "id title anchors");
    text_at(f, "id", s->id, sizeof s->id);
    text_at(f, "title", s->title, sizeof s->title);
    strings_decode(f, "anchors", s->anchors[0], sizeof s->anchors[0], SESSION_MAX_ANCHORS, &n);
    if (!s->id[0])
        fields_fail(f, "id", ERR_BAD_REQUEST, "is empty");
}

static uint64_t seed_decode(const struct fields *f)
{
    const char *s = fields_string(f, "seed");
    if (!*s || strlen(s) > 20 || strspn(s, "0123456789") != strlen(s))
        fields_fail(f, "seed", ERR_BAD_REQUEST, "must be a whole number as text");
    return strtoull(s, NULL, 10);
}

static void plan_decode(struct session_plan *p, const struct fields *f)
{
    size_t i;
    json_t *value;
    fields_only(f, "title candidate level seed tier gpu withhold parts signals");
    text_at(f, "title", p->title, sizeof p->title);
    text_at(f, "candidate", p->candidate, sizeof p->candidate);
    p->level = (int)fields_whole(f, "level", 0, LEVEL_MOST);
    p->seed = seed_decode(f);
    text_at(f, "tier", p->tier, sizeof p->tier);
    text_at(f, "gpu", p->gpu, sizeof p->gpu);
    p->withhold = fields_bool(f, "withhold");
    json_t *parts = fields_array(f, "parts", SESSION_MAX_PARTS),
           *signals = fields_array(f, "signals", SESSION_MAX_SIGNALS);
    json_array_foreach(parts, i, value) {
        struct fields g = fields_enter(f, value, "parts[%zu]", i);
        part_decode(&p->parts[p->n_parts++], &g);
    }
    json_array_foreach(signals, i, value) {
        struct fields g = fields_enter(f, value, "signals[%zu]", i);
        struct session_signal *s = &p->signals[p->n_signals++];
        signal_decode(s, &g);
        for (int k = 0; k < p->n_signals - 1; k++)
            if (!strcmp(p->signals[k].id, s->id))
                fields_fail(&g, "id", ERR_BAD_REQUEST, "is that of another signal");
    }
}

int session_plan_decode(struct session_plan *out, const json_t *j, struct err *err)
{
    struct session_plan *p = mem_new(1, sizeof *p);
    struct err local = {0};
    struct fields_state state = {.err = &local};
    struct fields f = fields_open(&state, j);
    plan_decode(p, &f);
    if (!state.code)
        *out = *p;
    free(p);
    return state.code ? err_set(err, state.code, "the plan: %s", local.text) : 0;
}
