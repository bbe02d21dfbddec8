/* Any text as an answer, in every unit: finite or refused with a sentence; what is shown of it can
 * be read again. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/play/debrief.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_as(const char *text, const char *unit)
{
    struct quantity q;
    char say[160], shown[64], described[64];
    enum quantity_read read = quantity_read(text, unit, &q, say, sizeof say);
    assert(isfinite(q.value) && (read == QUANTITY_OK) == (say[0] == '\0'));
    dim_describe(described, sizeof described, q.dim);
    dim_unit(shown, sizeof shown, q.dim);
    quantity_show(shown, sizeof shown, q.value, unit);
    quantity_percent(shown, sizeof shown, q.value);
    struct graded g = {0};
    estimate_grade(&g, text, unit, 1e-3, 1.1, NULL, 0, 10);
    assert(g.points >= 0 && g.points <= 10 && g.say[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const units[] = {"1", "s", "B", "B/s", "flop/s", "cycle", "%"};
    char *text = calloc(size + 1, 1);
    if (size)
        memcpy(text, data, size);
    for (size_t u = 0; u < sizeof units / sizeof *units; u++)
        read_as(text, units[u]);
    read_as("5", text);
    struct dim d;
    double factor;
    unit_parse(text, size, &d, &factor);
    free(text);
    return 0;
}
