/* The protocol's messages as plain structs, and their codec. kernels/PROTOCOL.md is the prose.
 *
 * Decoding a request is strict: an unknown key, a wrong type or a value over its cap is refused by
 * name. Decoding a reply is lenient: unknown keys are ignored. Strings inside decoded structs are
 * owned by the struct and freed by its _free, which accepts NULL and partly filled structs.
 *
 * In: JSON of the other program, names and text from outside. Out: structs, errors that people
 * read, open files. Callers: every room of both programs but db. First to open: this header, then
 * message_measure.c for a request and message.c for its answer. codec.h is how a field is a row,
 * frame.h a line on the pipe, metric.h the table of what can be measured, err.h what a call
 * returns, path.h the way from a name to a file, confine.h what a process gives up.
 */
#ifndef WD_WIRE_MESSAGE_H
#define WD_WIRE_MESSAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/wire/benchmark.h"
#include "kernels/wire/err.h"
#include "kernels/wire/links.h"
#include "kernels/wire/metric.h"
#include "kernels/wire/transfer.h"

#define WARPDRILL_VERSION "0.1.0" /* of program and runner */
#define PROTOCOL_VERSION 1 /* changes when an old peer would misread a message */
#define METHOD_VERSION 2   /* counts changes of the measuring method; evidence carries it */
#define METHOD_OLDEST 2    /* oldest method whose evidence is still believed */

enum { /* caps; beyond them: ERR_TOO_LARGE naming the cap */
       CAP_SOURCES = 8,
       CAP_SOURCE_BYTES = 256 * 1024,
       CAP_IMAGE_BYTES = 512 * 1024,
       CAP_BUFFERS = 32,
       CAP_LAUNCHES = 64,
       CAP_STEPS = 64,
       CAP_ARGS = 24,
       CAP_MAP_RANK = 5,
       CAP_RUNS = 8,
       CAP_VARIANTS = 128,
       CAP_ITEMS = 160,
       CAP_DEFINES = 32,
       CAP_NUMBERS = 4096,
       CAP_LOG_BYTES = 64 * 1024,
       CAP_WRONG = 16,
       CAP_ITEM_RUNS = 4,
       CAP_STREAMS = 8,
       CAP_CLUSTER = 8,
       CAP_RANKS = 8,
       CAP_DEADLINE_MIN_MS = 1000,
       CAP_DEADLINE_MAX_MS = 600000,
       CAP_ARCHS = 64,
       CAP_KERNELS = 256,
};

/* Reals first. Both kinds of FP8 are those of the OCP: E4M3 has no infinity and one NaN. */
enum elem_type {
    T_F64,
    T_F32,
    T_F16,
    T_BF16,
    T_E4M3,
    T_E5M2,
    T_I64,
    T_I32,
    T_U32,
    T_I8,
    T_U8,
    T_COUNT
};
const char *elem_name(enum elem_type t); /* "f32" */
int elem_size(enum elem_type t);         /* bytes */
bool elem_is_real(enum elem_type t);

enum fill_kind {
    FILL_ZEROS,
    FILL_CONSTANT,
    FILL_RAMP,
    FILL_UNIFORM,
    FILL_NORMAL,
    FILL_PERMUTATION,
    FILL_HOT,
    FILL_ZIPF,
    FILL_COUNT
};
/* constant a; ramp a + b*i; uniform [a,b); normal mean a, sd b; permutation of 0 to count-1; hot:
 * whole numbers below a, 0 with probability b, else any other; zipf: whole numbers below a, k with
 * a weight of about (k + 1.5)^-b */
struct msg_fill { enum fill_kind kind; double a, b; };
const char *fill_fault(
    const struct msg_fill *f); /* why a and b cannot be, "low is above high"; NULL: they can */
/* Can the type hold what fills so many elements? Else *value is one that it cannot. Of normal: what
 * lies a deviation off. */
bool fill_fits(const struct msg_fill *f, int type /* enum elem_type */, double count,
               double *value);

enum buffer_role { ROLE_INPUT, ROLE_OUTPUT, ROLE_INOUT, ROLE_WORKSPACE };
struct msg_buffer {
    char name[32];
    enum elem_type type;
    uint64_t count;
    enum buffer_role role;
    struct msg_fill fill;
};

/* A tensor map of a buffer, tiled: how TMA finds a box of it (CUtensorMap). Innermost first. */
struct msg_map {
    int rank;                          /* 1 to CAP_MAP_RANK */
    uint64_t size[CAP_MAP_RANK];       /* elements */
    uint64_t pitch[CAP_MAP_RANK - 1];  /* bytes from one row, plane and so on to the next */
    uint32_t box[CAP_MAP_RANK];        /* elements that one copy moves */
    int swizzle;                       /* bytes: 0 (none), 32, 64 or 128 */
};
/* Can there be such a map of so many elements? Else `why` says what is wrong: "pitch[0] is 24 bytes,
 * a multiple of 16 was expected". */
bool map_holds(const struct msg_map *m, enum elem_type type, uint64_t count, char *why, size_t size);

enum arg_kind {
    ARG_BUFFER,
    ARG_I32,
    ARG_I64,
    ARG_F32,
    ARG_F64,
    ARG_MAP,
    ARG_RANK, /* i32: the rank that runs the kernel */
    ARG_PEER, /* that buffer on the next rank */
    ARG_KINDS
};
bool arg_of_buffer(enum arg_kind kind); /* a buffer, a map of one, or one of the next rank */
struct msg_arg {
    enum arg_kind kind;
    int buffer; /* index into buffers; of a map: the one that it maps */
    int64_t i;
    double f;
    struct msg_map map;
};

struct msg_launch {
    char source[16], kernel[64]; /* of a transfer: "" and its name */
    struct msg_transfer transfer;
    int only;                 /* the rank that does it, from 1; 0: every */
    uint32_t grid[3], block[3], shared; /* shared: dynamic bytes */
    int stream;               /* below CAP_STREAMS; launches of one stream run in order */
    uint64_t after; /* bit k: waits for launch k of the run, an earlier one on another stream */
    uint32_t cluster[3];      /* blocks of a thread block cluster; all 0: none is asked for */
    bool cooperative;         /* all blocks are resident at once, and may wait for each other */
    bool programmatic;        /* may begin before the one before it on the stream has ended */
    struct msg_arg args[CAP_ARGS];
    int n_args;
};

/* What the host does in a run, in order. Beside launches these are fixed steps, each of which a
 * driver call stands for (kernels/PROTOCOL.md). */
enum host_step {
    HOST_LAUNCH,
    HOST_SYNC,    /* waits for a stream, or for all */
    HOST_COPY,    /* a whole buffer to the host or from there */
    HOST_ALLOC,   /* device memory that nobody uses */
    HOST_FREE,    /* the latest that is still held */
    HOST_WAIT,    /* the host computes */
    HOST_READ,    /* one element comes to the host, which waits for it */
    HOST_CAPTURE, /* launches up to the next replay are made a graph, once or in each run */
    HOST_REPLAY,  /* that graph is launched */
    HOST_LOAD,    /* the module of the first kernel, once more */
    HOST_COUNT
};
#define WHOLE_DEVICE (-1) /* a stream: all of them */
struct msg_step {
    enum host_step kind;
    int launch, buffer; /* indices into the run's launches, the shape's buffers */
    int stream;
    bool to_device, pinned; /* of a copy */
    bool anew; /* of a capture: in each run, and not before anything is timed */
    bool ptx;  /* of a load: the driver compiles it */
    uint64_t bytes;
    double seconds;
    int only; /* the rank whose host does it, from 1; 0: every */
};
#define WAIT_MOST_S 0.1               /* of one wait */
#define ALLOC_MOST ((int64_t)8 << 30) /* bytes that one step may ask for */
const char *step_name(enum host_step kind);
/* What is wrong with the order of steps, said of step *at; NULL: nothing. */
const char *steps_fault(const struct msg_step *steps, int n, int *at);

struct msg_run {
    char id[16];
    struct msg_launch *launches; int n_launches;
    struct msg_step *steps; int n_steps; /* all that the host does; 0: it only launches, in order */
};
/* What runs in the place of a text that is shown and not compiled: PTX, its SHA-256, and that of
 * the text from which it was made. */
struct msg_image { char *ptx; char sha256[65], of[65]; };
struct msg_source {
    char id[16], name[64];
    char *text;
    struct msg_image image; /* ptx NULL: the text is compiled */
    bool exact; /* compiled for all that the GPU's own architecture has (sm_90a) */
    bool stateless; /* refused when it could tell one launch from another (stateless.h) */
    char key[65]; /* hash of its tokens, or of its image, once msg_item_key asked for it, else "" */
};
struct msg_define { char name[32], value[64]; };
struct msg_work { double bytes, flops; };
struct msg_tolerance { enum { TOL_EXACT, TOL_RELATIVE } kind; double rel, abs; };

/* One setting of everything that a sweep may change. Variant -1 is the request's own. */
struct msg_shape {
    struct msg_buffer *buffers; int n_buffers;
    struct msg_run *runs; int n_runs;
    struct msg_define *define; int n_define;
    struct msg_work work;
    int registers; /* most registers per thread that the compiler may use; 0: its own choice */
};

enum cache_state { CACHE_COLD, CACHE_WARM };
struct msg_item {
    enum wire_probe probe;
    char runs[CAP_ITEM_RUNS][16]; int n_runs; /* timing: one run, or two timed interleaved */
    char against[16]; /* check, poison, benchmark: the run that gives the truth; timing: also, or
                         ""; else "" */
    int variant;                              /* index into variants, or -1 */
    enum cache_state cache;                   /* timing only */
    uint32_t ballast; /* timing: dynamic shared memory added to every launch, bytes */
    int offset; /* check: bytes by which every buffer's base is moved up, 0 to 256 */
    bool fence; /* check: behind each buffer lies a page that is not mapped */
    int repeat;                               /* repeat: launches compared, 2 to 100; else 0 */
    char tool[16]; /* sanitize: memcheck, racecheck, initcheck or synccheck; else "" */
    struct msg_benchmark benchmark; /* benchmark: the program that times the runs; else zero */
    struct msg_baseline {
        char run[16]; /* benchmark: what the runs are compared with; "": nothing */
        struct msg_benchmark care; /* the program that times it */
    } baseline;
    int limit_ms; /* outcome: when a run counts as one that does not end; else 0 */
};

struct msg_measure {
    int64_t id, deadline_ms;
    uint64_t seed; /* below 2^53 */
    int ranks;     /* GPUs of one host that it runs on, each with buffers and a thread of its own */
    struct msg_source *sources; int n_sources;
    struct msg_shape base;
    struct msg_shape *variants; int n_variants; /* each complete, not a difference */
    struct msg_tolerance tolerance;
    struct msg_item *items; int n_items;
};

int msg_measure_decode(struct msg_measure *out, const json_t *msg, struct err *err);
json_t *msg_measure_encode(const struct msg_measure *m); /* new reference */
void msg_measure_free(struct msg_measure *m);            /* frees what it holds, not m */
const struct msg_shape *msg_shape_of(const struct msg_measure *m, int variant);
const struct msg_run *msg_run_find(const struct msg_shape *s, const char *id);
const struct msg_source *msg_source_find(const struct msg_measure *m, const char *id);

/* Compiles every source for every architecture, touching no GPU. */
struct msg_compile {
    int64_t id, deadline_ms;
    struct msg_source *sources; int n_sources;
    struct msg_define *define; int n_define;
    int arch[CAP_ARCHS]; int n_arch; /* 90 for "sm_90" */
    bool listing; /* with the PTX and the machine code of each */
};
int msg_compile_decode(struct msg_compile *out, const json_t *msg, struct err *err);
json_t *msg_compile_encode(const struct msg_compile *m); /* new reference */
void msg_compile_free(struct msg_compile *m);            /* frees what it holds, not m */

/* ---- what comes back ---- */

/* What compiles there: comes before the first msg_compiled. */
struct msg_compiler { int64_t id; char nvrtc[32]; int arch[CAP_ARCHS]; int n_arch; };
int msg_compiler_decode(struct msg_compiler *out, const json_t *msg, struct err *err);
json_t *msg_compiler_encode(const struct msg_compiler *c);

enum compiled { COMPILED_OK, COMPILED_NOT, COMPILED_SKIPPED };
struct msg_compiled {          /* one source for one architecture */
    int64_t id;
    char source[16];
    int arch;
    enum compiled is;
    char **kernels; int n_kernels; /* ok: the kernels' names in the image */
    char *ptx; /* ok, where a listing was asked for and it is no longer than an image; else NULL */
    char *cubin; /* likewise: the machine code in base64 */
    char *figures; /* ok: what the assembler said of each, "Used 21 registers, ..."; NULL: nothing */
    char *log; /* not: what the compiler said, lines as "suspect.cu(12): error: ..." where it named
                  one */
    char *say;                 /* skipped: why it was not tried */
};
int msg_compiled_decode(struct msg_compiled *out, const json_t *msg, struct err *err);
json_t *msg_compiled_encode(const struct msg_compiled *c);
void msg_compiled_free(struct msg_compiled *c);

/* Why compute-sanitizer brought no figure: it was ended. Stands in the sentence of the missing
 * metric, so that a client need not try it again. */
#define SANITIZE_CUT "did not end in its share of the time"

struct msg_value { /* one metric: value, or missing with a reason; never both, never zero for absent
                    */
    char name[48];
    bool present;
    double value, low, high;   /* SI base units; low == high == value when it is not a statistic */
    int n;                     /* samples behind it; 0 when it is not a statistic */
    char *missing;             /* reason code and sentence: "permission: ..."; NULL when present */
};
struct msg_series { char name[48]; double *values; int n; };

struct msg_part {              /* one piece of evidence */
    int64_t id;
    int item;
    enum wire_probe probe;
    char run[16];              /* "a"; for a pair's ratio "a/b" */
    int variant;               /* -1: the request's own shape */
    char tier[12];             /* "live", "recorded", "computed" */
    struct msg_value *metrics; int n_metrics;
    struct msg_series *series; int n_series;
    char **lines; int n_lines; /* text evidence: PTX, build options, wrong elements */
    char **notes; int n_notes; /* "cold", "throttled", "verdict: slower", "limiter: registers" */
};
int msg_part_decode(struct msg_part *out, const json_t *msg, struct err *err);
json_t *msg_part_encode(const struct msg_part *p);
/* A copy that owns all of its own; `to` is overwritten. */
void msg_part_copy(struct msg_part *to, const struct msg_part *from);
void msg_part_free(struct msg_part *p);
const struct msg_value *msg_part_value(const struct msg_part *p,
                                       const char *metric); /* NULL if not there */
/* What a clock said of the run: the time, of a benchmark what it reports. NULL: a part of another
 * probe, or without it. */
const struct msg_value *msg_part_time(const struct msg_part *p);
bool msg_part_note(const struct msg_part *p, const char *note);

struct msg_number { char name[48], unit[12]; double value; };
struct msg_tier { enum wire_probe probe; bool ok; char *missing, *say, *remedy; };
struct msg_software { char name[24], text[48]; }; /* "nvdisasm", "13.0"; "" when it is not there */
struct msg_device {
    int64_t id;
    char name[96], slug[64], uuid[48];
    char origin[17]; /* 16 hex digits: which card of which machine, naming neither; "" from older
                        runners */
    struct msg_number *attributes;
    int n_attributes; /* compute, sm_count, l2_bytes, smem_block_optin, ... */
    struct msg_number *ceilings; int n_ceilings;     /* measured: copy (B/s), launch (s), ... */
    char driver[32], nvrtc[32], cupti[32];           /* versions; "" when absent */
    struct msg_tier *tiers; int n_tiers;
    char **throttle; int n_throttle;
    struct msg_software *software;
    int n_software; /* what else is installed there; empty from older runners */
    struct msg_walls {
        bool known;
        char compiler[64], worker[64];
    } walls; /* "files calls memory"; not known from older runners */
    struct msg_links links; /* of two GPUs of its host; gpus 0: nobody measured them */
};
int msg_device_decode(struct msg_device *out, const json_t *msg, struct err *err);
json_t *msg_device_encode(const struct msg_device *d);
void msg_device_free(struct msg_device *d);
bool msg_device_number(const struct msg_device *d, const char *name, double *out); /* attribute */
/* Also one of the links, "peer_copy". */
bool msg_device_ceiling(const struct msg_device *d, const char *name, double *out);

enum done_status { DONE_OK, DONE_PARTIAL, DONE_CANCELLED, DONE_FAILED };
struct msg_done {
    int64_t id; bool has_id;
    enum done_status status;
    int code;                             /* ERR_* when failed, partial or cancelled for a reason */
    char call[64], where[128];            /* "cuLaunchKernel", "timing of a" */
    char *text, *remedy, *log;            /* NULL when absent */
};
int msg_done_decode(struct msg_done *out, const json_t *msg, struct err *err);
json_t *msg_done_encode(const struct msg_done *d);
void msg_done_free(struct msg_done *d);

/* Key of one item's evidence: SHA-256 over canonical JSON of the item, the runs and variant that it
 * names with their launches, the buffers, defines, work and tolerance that those use, and the token
 * hash of each source used. Not in it: seed, deadline, prose, other items. Fails when a source
 * cannot be scanned. */
int msg_item_key(char out[65], const struct msg_measure *m, int item, struct err *err);

#endif
