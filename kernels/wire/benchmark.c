#include "kernels/wire/benchmark.h"

#include <string.h>

#include "kernels/wire/message_names.h"

#define IDLE_MOST_US 60000000ll /* of all samples together */

static const char *const inputs_names[] = {"declared", "zeros", "equal"};
static const char *const load_names[] = {"before", "inside"};
static const char *const flush_names[] = {"before", "none", "inside"};
static const char *const clock_names[] = {"events", "host"};
static const char *const stream_names[] = {"same", "side"};
static const char *const synchronise_names[] = {"each", "none"};
static const char *const reduce_names[] = {"median", "mean", "min", "max"};

#define FIELD(m) #m, .is = ROW_WRITTEN, MEMBER(struct msg_benchmark, m)
#define CHOICE(m) \
    {FIELD(m), .kind = ROW_CHOICE, .high = sizeof m##_names / sizeof *m##_names, \
     .names = m##_names}
#define NUMBER(m, least, most, honest) \
    {FIELD(m), .kind = ROW_WHOLE, .low = least, .high = most, .absent = honest}

static const struct row rows[BENCHMARK_FIELDS] = {
    CHOICE(inputs),
    CHOICE(load),
    NUMBER(warm_up, 0, 100, 3),
    NUMBER(idle, 0, 1000000, 0),
    NUMBER(repeat, 1, BENCHMARK_REPEAT_MOST, 20),
    CHOICE(flush),
    CHOICE(clock),
    CHOICE(stream),
    NUMBER(launches, 1, 1000, 1),
    CHOICE(synchronise),
    CHOICE(reduce),
};

static void check_fields(const void *whole, const struct fields *f)
{
    if (msg_benchmark_fault(whole))
        fields_fail(f, NULL, ERR_BAD_REQUEST, "cannot be: it %s", msg_benchmark_fault(whole));
}

const struct codec benchmark_codec = {
    CODEC(struct msg_benchmark, rows), .strict = true, .check = check_fields,
};

struct msg_benchmark msg_benchmark_honest(void)
{
    struct msg_benchmark b;
    for (int i = 0; i < BENCHMARK_FIELDS; i++)
        msg_benchmark_set(&b, i, msg_benchmark_field(i).honest);
    return b;
}

const char *msg_benchmark_fault(const struct msg_benchmark *b)
{
    return (int64_t)b->repeat * b->idle > IDLE_MOST_US
               ? "idles for more than 60 s: repeat times idle is above 60000000 us"
               : NULL;
}

struct benchmark_field msg_benchmark_field(int field)
{
    const struct row *r = &rows[field];
    return (struct benchmark_field){.name = r->key,
                                    .choices = r->names,
                                    .low = (int)r->low,
                                    .high = (int)r->high - (r->kind == ROW_CHOICE),
                                    .honest = (int)r->absent};
}

int msg_benchmark_find(const char *name)
{
    for (int i = 0; i < BENCHMARK_FIELDS; i++)
        if (!strcmp(rows[i].key, name))
            return i;
    return -1;
}

int msg_benchmark_get(const struct msg_benchmark *b, int field)
{
    int value;
    memcpy(&value, (const char *)b + rows[field].at, sizeof value);
    return value;
}

void msg_benchmark_set(struct msg_benchmark *b, int field, int value)
{
    memcpy((char *)b + rows[field].at, &value, sizeof value);
}

/* A value that the fill may make. A quarter of the way, since the middle is often 0. */
static double one_of(const struct msg_fill *f)
{
    switch (f->kind) {
    case FILL_CONSTANT: case FILL_RAMP: return f->a;
    case FILL_UNIFORM: return f->a + (f->b - f->a) / 4;
    case FILL_NORMAL: return f->a + f->b;
    case FILL_ZEROS: case FILL_PERMUTATION: case FILL_HOT: case FILL_ZIPF: case FILL_COUNT: break;
    }
    return 0;
}

struct msg_fill msg_benchmark_fill(const struct msg_benchmark *b, const struct msg_buffer *of)
{
    bool read = of->role == ROLE_INPUT || of->role == ROLE_INOUT;
    if (!read || b->inputs == INPUTS_DECLARED)
        return of->fill;
    if (b->inputs == INPUTS_ZEROS)
        return (struct msg_fill){.kind = FILL_ZEROS};
    return (struct msg_fill){.kind = FILL_CONSTANT, .a = one_of(&of->fill)};
}
