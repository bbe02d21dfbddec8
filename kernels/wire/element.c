/* Types of elements, and what fills a buffer of them. */
#include "kernels/wire/element.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels/wire/message_names.h"

const char *const elem_names[T_COUNT] = {"f64", "f32", "f16", "bf16", "e4m3", "e5m2",
                                         "i64", "i32", "u32", "i8",   "u8"};
static const int elem_sizes[T_COUNT] = {8, 4, 2, 2, 1, 1, 8, 4, 4, 1, 1};

const char *fill_fault(const struct msg_fill *f)
{
    bool counts = f->kind == FILL_HOT || f->kind == FILL_ZIPF;
    if (f->kind == FILL_UNIFORM && f->b < f->a)
        return "high is below low";
    if (f->kind == FILL_NORMAL && f->b < 0)
        return "sd is negative";
    if (counts && !(f->a >= 1 && f->a == floor(f->a)))
        return "below is not a whole number of at least 1";
    if (f->kind == FILL_HOT && !(f->b >= 0 && f->b <= 1))
        return "share is not between 0 and 1";
    return f->kind == FILL_ZIPF && !(f->b >= 0 && f->b <= 10) ? "exponent is not between 0 and 10"
                                                              : NULL;
}

static bool holds(enum elem_type t, double v)
{
    static const struct { double low, high;
    } range[T_COUNT] = {[T_F64] = {-DBL_MAX, DBL_MAX},
                        [T_F32] = {-FLT_MAX, FLT_MAX},
                        [T_F16] = {-65504, 65504},
                        [T_BF16] = {-FLT_MAX, FLT_MAX},
                        [T_E4M3] = {-448, 448},
                        [T_E5M2] = {-57344, 57344},
                        [T_I64] = {-9223372036854775808.0, 9223372036854774784.0},
                        [T_I32] = {-2147483648.0, 2147483647},
                        [T_U32] = {0, 4294967295.0},
                        [T_I8] = {-128, 127},
                        [T_U8] = {0, 255}};
    return v >= range[t].low && v <= range[t].high;
}

/* Integers take the floor, so the open end of a range is one less. */
static double highest(const struct msg_fill *f, bool whole)
{
    return whole && f->b > f->a ? ceil(f->b) - 1 : f->b;
}

bool fill_fits(const struct msg_fill *f, int type, double count, double *value)
{
    enum elem_type t = (enum elem_type)type;
    bool whole = !elem_is_real(t);
    double ends[2] = {0, 0};
    switch (f->kind) {
    case FILL_CONSTANT: ends[0] = f->a; break;
    case FILL_RAMP: ends[0] = f->a, ends[1] = f->a + f->b * (count - 1); break;
    case FILL_UNIFORM: ends[0] = f->a, ends[1] = highest(f, whole); break;
    case FILL_NORMAL: ends[0] = f->a - f->b, ends[1] = f->a + f->b; break;
    case FILL_PERMUTATION: ends[1] = count - 1; break;
    case FILL_HOT: case FILL_ZIPF: ends[1] = f->a - 1; break;
    case FILL_ZEROS: case FILL_COUNT: break;
    }
    for (int i = 0; i < 2; i++)
        if (!holds(t, whole ? floor(ends[i]) : ends[i])) {
            *value = ends[i];
            return false;
        }
    return true;
}

const char *elem_name(enum elem_type t)
{
    return elem_names[t];
}

int elem_size(enum elem_type t)
{
    return elem_sizes[t];
}

bool elem_is_real(enum elem_type t)
{
    return t < T_I64;
}
