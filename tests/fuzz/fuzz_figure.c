/* Files of figures that people write: read, left blank by a seed, drawn. */
#include <assert.h>
#include <stdint.h>

#include "tui/practice/figure_draw.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void draw_one(const struct figure_data *f)
{
    struct figure_fill fill;
    struct figure_picture p;
    figure_fill_make(&fill, f, 7);
    struct figure_view view = {.width = 60, .fill = &fill, .part = 0, .blank = 0};
    figure_picture_make(&p, f, &view);
    figure_picture_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct files *fs = files_new("");
    struct figure_set *s = NULL;
    struct err err = {0};
    files_add(fs, "fuzz.yaml", (const char *)data, size);
    if (figure_set_read(&s, fs, &fs->file[0], NULL, 0, &err))
        assert(!s && err.code < 0 && *err.text);
    for (int i = 0; s && i < s->n; i++)
        draw_one(&s->figures[i]);
    figure_set_free(s);
    files_free(fs);
    return 0;
}
