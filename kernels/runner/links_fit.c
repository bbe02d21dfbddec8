#include "kernels/runner/links_fit.h"

#include <math.h>

/* With x = 1 / seconds and y = bytes / seconds the model is alpha x + y / beta = 1. */
bool links_fit(struct link_sum *s)
{
    double xx = 0, xy = 0, yy = 0, x1 = 0, y1 = 0, errors = 0;
    s->alpha = s->beta = s->residual = 0;
    for (int i = 0; i < s->n_points; i++) {
        double x = 1 / s->points[i].seconds, y = s->points[i].bytes / s->points[i].seconds;
        xx += x * x;
        xy += x * y;
        yy += y * y;
        x1 += x;
        y1 += y;
    }
    double det = xx * yy - xy * xy;
    double alpha = (x1 * yy - y1 * xy) / det, per_byte = (y1 * xx - x1 * xy) / det;
    if (!(det > 1e-12 * xx * yy && alpha > 0 && per_byte > 0))
        return false;
    for (int i = 0; i < s->n_points; i++) {
        const struct link_point *p = &s->points[i];
        double off = (alpha + per_byte * p->bytes) / p->seconds - 1;
        errors += off * off;
    }
    s->alpha = alpha;
    s->beta = 1 / per_byte;
    s->residual = sqrt(errors / s->n_points);
    return true;
}
