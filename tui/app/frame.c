#include "tui/app/frame.h"

#include "tui/app/app_runner.h"

void frame_draw(struct app *app, const struct frame *f, const char *what,
                const struct key_list *keys)
{
    frame_draw_digits(app, f, what, keys, 9);
}

void frame_draw_digits(struct app *app, const struct frame *f, const char *what,
                       const struct key_list *keys, int digits)
{
    int w = f->body.w;
    char line[256];
    const char *gpu = app_gpu_state(app), *said = app_said(app);
    int n = draw_columns(gpu);
    draw_text(f->title, 1, w - 2, STYLE_BOLD, "warpdrill");
    draw_text(f->title, 13, w - 16 - n, STYLE_PLAIN, what);
    draw_right(f->title, w - 1, w - 14, STYLE_DIM, gpu);
    draw_rule(f->rule, 0, w, NULL, NULL);
    if (said) {
        draw_text(f->rule, 0, 1, STYLE_PLAIN, " ");
        int end = 1 + draw_text(f->rule, 1, w - 2, STYLE_ACCENT, said);
        draw_text(f->rule, end, 1, STYLE_PLAIN, " ");
    }
    key_line_digits(line, sizeof line, keys, w - 2, digits);
    draw_text(f->keys, 1, w - 2, STYLE_DIM, line);
}
