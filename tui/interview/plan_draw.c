#include "tui/interview/plan_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/app_runner.h"
#include "tui/app/frame.h"

enum { VALUE_X = 16, DETAIL_ROWS = 4 };

static bool is_built_in(const struct session_plan *plan)
{
    struct session_plan own = {0};
    session_rubric_builtin(&own);
    return plan->n_signals == own.n_signals &&
           !memcmp(plan->signals, own.signals, (size_t)own.n_signals * sizeof *own.signals);
}

static void value_text(char *out, size_t size, const struct app *app, const struct plan_page *p,
                       enum plan_row row)
{
    const struct session_plan *plan = &p->now.plan;
    switch (row) {
    case ROW_LEVEL: snprintf(out, size, "%d", plan->level); break;
    case ROW_MINUTES: snprintf(out, size, "%d min", p->now.minutes); break;
    case ROW_EVIDENCE:
        if (!strcmp(plan->tier, "live"))
            snprintf(out, size, "live on %s", app_device(app) ? app_device(app)->name : plan->gpu);
        else if (*plan->gpu || p->recorded.n == 1)
            snprintf(out, size, "recorded on %s",
                     recorded_gpus_name(&p->recorded,
                                        *plan->gpu ? plan->gpu : p->recorded.gpu[0].slug));
        else
            snprintf(out, size, "recorded, on any GPU that a scenario has");
        break;
    case ROW_CANDIDATE:
        snprintf(out, size, "%s", *plan->candidate ? plan->candidate : "no name yet");
        break;
    case ROW_WITHHOLD:
        snprintf(out, size, "%s",
                 plan->withhold ? "yes, until you release them" : "no, with each debrief");
        break;
    case ROW_RUBRIC:
        snprintf(out, size, "%s, %d signals",
                 *p->rubric         ? p->rubric
                 : is_built_in(plan) ? "built in"
                                     : "as in that interview",
                 plan->n_signals);
        break;
    case ROW_PARTS: *out = '\0'; break;
    }
}

static void setting_draw(struct app *app, const struct plan_page *p, enum plan_row row, int y,
                         int w)
{
    static const char *const labels[] = {"level",     "minutes",     "evidence",
                                         "candidate", "scores held", "rubric"};
    bool chosen = p->at == (int)row;
    char value[400];
    draw_text(y, 0, 1, STYLE_ACCENT, chosen ? glyph("▸", ">") : " ");
    draw_text(y, 2, VALUE_X - 3, chosen ? STYLE_ACCENT : STYLE_PLAIN, labels[row]);
    if (p->typing && chosen) {
        textfield_draw(&p->field, y, VALUE_X, w - VALUE_X - 2, STYLE_ACCENT);
        return;
    }
    value_text(value, sizeof value, app, p, row);
    draw_text(y, VALUE_X, w - VALUE_X - 2,
              row == ROW_CANDIDATE && !*p->now.plan.candidate ? STYLE_DIM : STYLE_PLAIN, value);
}

/* What only the interviewer may read. */
static void cause_text(char *out, size_t size, const struct variant *v)
{
    if (!v)
        snprintf(out, size, "not here any more");
    else if (v->sealed)
        snprintf(out, size, "sealed: b opens it");
    else
        snprintf(out, size, "%s", v->story->hypotheses[v->cause]->label);
}

static void part_draw(const struct plan_page *p, int k, int y, int w)
{
    const struct session_part *part = &p->now.plan.parts[k];
    const struct variant *v = plan_variant(&p->stock, part);
    bool chosen = p->at == ROW_PARTS + k, wide = w >= 80;
    int right = wide ? 34 : 9;
    char cause[64];
    draw_text(y, 0, 1, STYLE_ACCENT, chosen ? glyph("▸", ">") : " ");
    draw_textf(y, 2, 2, STYLE_DIM, "%d", k + 1);
    draw_textf(y, 5, 8, chosen ? STYLE_ACCENT : STYLE_PLAIN, "%3d min", part->minutes);
    draw_text(y, 14, 9, STYLE_DIM, session_part_name(part->kind));
    if (plan_was_seen(&p->stock, part->id))
        draw_text(y, 23, 1, STYLE_BAD, "!");
    draw_text(y, 24, w - 25 - right, chosen ? STYLE_ACCENT : STYLE_PLAIN, part->title);
    if (part->kind == PART_DRILLS)
        draw_textf(y, w - right, right - 1, STYLE_DIM, wide ? "%d proposed" : "%d", part->n_drills);
    if (v)
        draw_textf(y, w - right, 8, STYLE_DIM, "level %d", v->story->level);
    if (part->kind != PART_SCENARIO || !wide)
        return;
    cause_text(cause, sizeof cause, v);
    draw_text(y, w - right + 9, right - 10, !v || v->sealed ? STYLE_DIM : STYLE_SECOND, cause);
}

static const char *seen_words(enum plan_seen seen)
{
    static const char *const words[] = {
        [SEEN_NEVER] = "",
        [SEEN_STORY] = " This candidate was shown this story before, with another cause.",
        [SEEN_VARIANT] = " This candidate was shown it before.",
    };
    return words[seen];
}

/* What stands behind the chosen row. */
static void detail_text(char *out, size_t size, const struct plan_page *p)
{
    static const char *const helps[] = {
        [ROW_LEVEL] =
            "From 0 to 4. Another level is another plan: parts are picked anew; u takes it back. "
            "host --seed N, at this level and in these minutes, proposes the same again.",
        [ROW_MINUTES] =
            "From 20 to 180. Parts that were changed by hand stay as they are, and have to sum up.",
        [ROW_EVIDENCE] =
            "Recorded evidence is the same each time; live evidence is measured on the GPU that is "
            "used here, and where it fails recorded evidence steps in.",
        [ROW_CANDIDATE] = "Enter: type a name or a sign, such as C-07. It stands on the report, "
                          "and what somebody of that name was shown before is avoided.",
        [ROW_WITHHOLD] =
            "Held back, scores appear on the candidate's screen when you release them, and here "
            "once the rubric is filled; else both see them with each debrief.",
        [ROW_RUBRIC] =
            "Enter: type the path of your team's rubric (YAML); empty for the built-in one.",
    };
    if (p->at < ROW_PARTS) {
        snprintf(out, size, "%s", helps[p->at]);
        return;
    }
    const struct session_part *part = &p->now.plan.parts[p->at - ROW_PARTS];
    const struct variant *v = plan_variant(&p->stock, part);
    char cause[64];
    cause_text(cause, sizeof cause, v);
    if (part->kind == PART_SCENARIO)
        snprintf(out, size, "%s%s%s: %s.%s%s", part->id, v ? ", a " : "", v ? v->story->kind : "",
                 cause,
                 v && v->story->counted ? ""
                 : v                    ? " A warm-up."
                                        : "",
                 seen_words(plan_was_seen(&p->stock, part->id)));
    else if (part->kind == PART_TALK)
        snprintf(out, size, "%s", part->ask);
    else {
        *out = '\0';
        for (int d = 0; d < part->n_drills; d++) {
            const struct drill *drill = library_drill(p->stock.library, part->drills[d]);
            const char *title = drill ? drill->title : part->drills[d];
            snprintf(out + strlen(out), size - strlen(out), "%s%s", d ? "; " : "", title);
        }
    }
}

int plan_parts_shown(const struct app *app)
{
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    return f.body.h - 2 - ROW_PARTS - DETAIL_ROWS;
}

struct rect plan_parts_rect(const struct app *app)
{
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    int y = f.body.y + 2 + ROW_PARTS;
    return (struct rect){y, 0, f.rule - y, f.body.w};
}

static void sum_text(char *out, size_t size, const struct plan_page *p)
{
    int sum = session_plan_minutes(&p->now.plan), off = sum - p->now.minutes;
    if (off == 0)
        snprintf(out, size, "%d min, as planned", sum);
    else
        snprintf(out, size, "%d min: %d too %s", sum, abs(off), off > 0 ? "many" : "few");
}

void plan_page_draw(struct app *app, const struct plan_page *p, const struct key_list *keys)
{
    struct frame f;
    char right[64], title[48], detail[900];
    layout_frame(&f, app_rows(app), app_columns(app));
    int w = f.body.w, y = f.body.y, shown = plan_parts_shown(app);
    frame_draw(app, &f, "host   a plan", keys);
    draw_rule(y++, 0, w, "INTERVIEW", "causes only on this screen");
    if (*p->trouble) {
        draw_wrapped((struct rect){ y + 1, 2, f.body.h - 3, w - 4 }, 0, STYLE_BAD, p->trouble);
        return;
    }
    for (int row = 0; row < ROW_PARTS; row++)
        setting_draw(app, p, (enum plan_row)row, y++, w);
    sum_text(right, sizeof right, p);
    snprintf(title, sizeof title, "PARTS, seed %llu", (unsigned long long)p->now.plan.seed);
    draw_rule(y, 0, w, title, NULL);
    int from = w - 4 - draw_columns(right);
    draw_text(y, from, 1, STYLE_PLAIN, " ");
    draw_text(y, w - 3, 1, STYLE_PLAIN, " ");
    draw_right(y++, w - 3, draw_columns(right), strstr(right, "too") ? STYLE_BAD : STYLE_PLAIN,
               right);
    for (int k = p->top; k < p->now.plan.n_parts && k < p->top + shown; k++)
        part_draw(p, k, y + k - p->top, w);
    detail_text(detail, sizeof detail, p);
    draw_wrapped((struct rect){f.rule - DETAIL_ROWS + 1, 2, DETAIL_ROWS - 1, w - 4}, 0, STYLE_DIM,
                 detail);
}
