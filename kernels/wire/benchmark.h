/* A benchmark as a record: the steps of a timing program in a fixed order, each with one setting.
 * The runner executes it as it stands, mistakes and all. Zero is the honest setting of every
 * choice. kernels/PROTOCOL.md says what each field does. */
#ifndef WD_WIRE_BENCHMARK_H
#define WD_WIRE_BENCHMARK_H

#include <stdint.h>

struct msg_fill;
struct msg_buffer;

enum benchmark_inputs { INPUTS_DECLARED, INPUTS_ZEROS, INPUTS_EQUAL };
enum benchmark_load { LOAD_BEFORE, LOAD_INSIDE };
enum benchmark_flush { FLUSH_BEFORE, FLUSH_NONE, FLUSH_INSIDE };
enum benchmark_clock { CLOCK_EVENTS, CLOCK_HOST };
enum benchmark_stream { STREAM_SAME, STREAM_SIDE };
enum benchmark_synchronise { SYNCHRONISE_EACH, SYNCHRONISE_NONE };
enum benchmark_reduce { REDUCE_MEDIAN, REDUCE_MEAN, REDUCE_MIN, REDUCE_MAX };

struct msg_benchmark {
    enum benchmark_inputs inputs;
    enum benchmark_load load;
    int warm_up;
    int idle; /* us */
    int repeat;
    enum benchmark_flush flush;
    enum benchmark_clock clock;
    enum benchmark_stream stream;
    int launches;
    enum benchmark_synchronise synchronise;
    enum benchmark_reduce reduce;
};

enum { BENCHMARK_FIELDS = 11, BENCHMARK_REPEAT_MOST = 1000 };

struct msg_benchmark msg_benchmark_honest(void);

/* Why fields that are each within their bounds cannot stand together; NULL: they can. */
const char *msg_benchmark_fault(const struct msg_benchmark *b);

/* The fields in the order in which the program takes them. choices: NULL of a number, else the
 * names of the values from low to high. */
struct benchmark_field {
    const char *name; /* "warm_up", as on the wire and in files */
    const char *const *choices;
    int low, high, honest;
};
struct benchmark_field msg_benchmark_field(int field);
int msg_benchmark_find(const char *name); /* -1 if unknown */
int msg_benchmark_get(const struct msg_benchmark *b, int field);
void msg_benchmark_set(struct msg_benchmark *b, int field, int value);

/* What a buffer is filled with. Equal: one value, out of the middle of those that the declared fill
 * makes; indices become 0. A buffer that is only written keeps its fill. */
struct msg_fill msg_benchmark_fill(const struct msg_benchmark *b, const struct msg_buffer *of);

#endif
