/* An estimate's question, whole at every size, and the field below it. Reads only. */
#include "tui/play/investigation_question.h"

#include <stdio.h>
#include <string.h>

int estimate_number(const struct investigation_screen *s, const struct estimate *e)
{
    return (int)(e - s->story->estimates) + 1;
}

bool estimate_is_late(const struct investigation_screen *s)
{
    return s->ui == UI_NUMBERS;
}

/* Bytes over the free time are as good as a yardstick, so they wait for it: who is asked before
 * works them out of the sizes. A question across GPUs comes behind the commitment. */
static bool tells_bytes(const struct investigation_screen *s)
{
    return s->bytes > 0 &&
           (s->buy.asking->across || investigation_has_yardstick(state_of(s)));
}

/* "Sizes: rows = 4096." or "", and once it may be told "At least 1.4 GB to move." */
static void sizes_and_bytes(char *out, size_t size, const struct investigation_screen *s)
{
    char bytes[32];
    snprintf(out, size, "%s", s->sizes);
    if (!tells_bytes(s))
        return;
    quantity_show(bytes, sizeof bytes, s->bytes, "B");
    snprintf(out, size, "%s%sAt least %s to move.", s->sizes, s->sizes[0] ? " " : "", bytes);
}

static struct rect below(struct rect r, int rows)
{
    return (struct rect){ r.y + rows, r.x, r.h > rows ? r.h - rows : 0, r.w };
}

static int question_draw(const struct investigation_screen *s, struct rect r)
{
    const struct other_gpu *other = s->buy.asking->across ? state_of(s)->other : NULL;
    int n = draw_wrapped(r, 0, STYLE_BOLD, s->buy.asking->ask);
    char sizes[300];
    sizes_and_bytes(sizes, sizeof sizes, s);
    if (sizes[0])
        n += draw_wrapped(below(r, n), 0, STYLE_PLAIN, sizes);
    if (other && investigation_device(s)) {
        char both[OTHER_GPU_SAYS];
        other_gpu_says(both, sizeof both, s->story, investigation_device(s), s->time, other);
        n += draw_wrapped(below(r, n), 0, STYLE_PLAIN, both);
    }
    return n;
}

int estimate_more_rows(const struct investigation_screen *s, int columns)
{
    return s->buy.asking ? question_draw(s, (struct rect){ 0, 1, 0, columns - 2 }) - 1 : 0;
}

void estimate_draw_rule(const struct investigation_screen *s, const struct layout *l)
{
    char title[32];
    if (s->buy.asking)
        snprintf(title, sizeof title, "ESTIMATE %d OF %d", estimate_number(s, s->buy.asking),
                 investigation_estimates(state_of(s)));
    draw_rule(l->status_rule, 0, l->title.w, s->buy.asking ? title : NULL,
              s->taken[0] ? s->taken : NULL);
}

void estimate_draw_question(const struct investigation_screen *s, const struct layout *l)
{
    question_draw(s, (struct rect){ l->status, 1, l->todo - l->status, l->title.w - 2 });
}

static void field_hint(const struct investigation_screen *s, char *out, size_t size)
{
    const char *unit = s->buy.asking->unit;
    if (s->skipping)
        snprintf(out, size, "Enter again skips it: 0 of its %.1f points",
                 (double)score_line_possible(LINE_ESTIMATES) /
                     investigation_estimates(state_of(s)));
    else
        snprintf(out, size, "%s; Enter twice skips it",
                 strcmp(unit, "s") == 0     ? "such as 40 us"
                 : strcmp(unit, "1") == 0   ? "such as 48 or 3e9"
                 : strcmp(unit, "B") == 0   ? "such as 40 MB"
                 : strcmp(unit, "B/s") == 0 ? "such as 3 TB/s"
                                            : unit);
}

void estimate_draw_field(const struct investigation_screen *s, int y, int columns)
{
    int x = 1 + draw_text(y, 1, 20, STYLE_DIM, "your estimate:") + 1;
    char hint[80];
    field_hint(s, hint, sizeof hint);
    int tail = columns >= 80 || s->skipping ? draw_columns(hint) + 3
                                            : 0; /* at 80 columns that leaves 21 to type in */
    textfield_draw(&s->field, y, x, columns - x - tail - 1, STYLE_ACCENT);
    if (tail)
        draw_right(y, columns - 1, tail, STYLE_DIM, hint);
}

const char *estimate_keys(const struct investigation_screen *s, int columns)
{
    bool brief = columns < 80;
    if (!estimate_is_late(s))
        return brief ? "Enter takes it   empty twice: skips it   Esc cancels"
                     : "Enter takes it   Esc cancels   Ctrl-U clears";
    if (s->in.hooks)
        return brief ? "Enter takes it   empty twice: skips it" : "Enter takes it   Ctrl-U clears";
    return brief ? "Enter takes it   empty twice: skips it   Esc home"
                 : "Enter takes it   Esc goes home, saved   Ctrl-U clears";
}
