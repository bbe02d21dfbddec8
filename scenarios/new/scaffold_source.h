/* A .cu file as its author has it: its kernels, their parameters, and the device part that a
 * scenario takes over.
 *
 * Places are those of one text: the author's file with the headers that lie beside it in the place
 * of their #include; source_origin says where a line stood. Nothing is compiled: comments and
 * literals are told apart, brackets are matched, and the text that is taken over passes the token
 * scanner, as a pack's sources do. */
#ifndef WD_SCENARIOS_SCAFFOLD_SOURCE_H
#define WD_SCENARIOS_SCAFFOLD_SOURCE_H

#include <stdbool.h>

#include "kernels/wire/element.h"
#include "kernels/wire/err.h"
#include "kernels/wire/message.h"
#include "scenarios/text/files.h"

enum kernel_param_kind { KP_BUFFER, KP_WHOLE, KP_WHOLE64, KP_F32, KP_F64 };
struct kernel_param {
    char *name;               /* "arg3" when the kernel gives none */
    char *type; /* as the kernel writes it, without const, restrict and the star: "float4" */
    enum kernel_param_kind kind;
    enum elem_type elem;
    int width;
    bool is_short; /* of a buffer: its elements, how many make one of the kernel's, and whether they
                      are bare 16 bits */
    bool is_const, read, written,
        atomic; /* of a buffer: as far as the body shows; read before it is written */
    char *passed; /* the plain number that the launch passes; NULL: none */
    int line, col;
    int stars;
    bool is_odd, is_known; /* of its type: odd has signs that no plain one has, known is one that a
                              scenario can pass */
    size_t begin, end;               /* bytes of the file, without the comma */
};

/* What a template's parameter stands for: a type (`type` is NULL), or a value of that type. */
struct bound { char *type, *name, *is; };

struct kernel {
    char *name;
    int line, col;
    struct kernel_param *params; int n_params;
    bool is_template; /* and no instance of it is known */
    struct bound *bound; int n_bound; /* of the instance that is taken */
    size_t instance;          /* where the host's code names it; 0: nowhere */
    size_t head_end;          /* behind its `template <...>`; 0: it has none */
    bool uses_shared, uses_dynamic;
    char uses_atomic[32];     /* "atomicAdd"; "": none */
    bool block_each;          /* blockIdx.x by itself, not times blockDim.x: a block owns a row */
    int dims, block_dims;     /* of the grid and of the block: 1 to 3 */
    int block[3];             /* from a launch or __launch_bounds__; 0: no plain numbers there */
    bool has_block;           /* it is the launch's */
    int grid[3];              /* of the launch; 0: no plain numbers there */
    char *grid_formula; /* of the launch, over the kernel's parameters; NULL: not to be said */
    int shared;               /* the same of its dynamic shared memory, bytes */
    char *launch; int launch_line;   /* "<<<grid, 256>>>" of the author's host code; NULL */
    char *guard; /* the parameter that the index is compared with; "" for a product; NULL */
    size_t begin, name_at, body,
        end; /* bytes of the file: the item, the name, the brace, behind the last brace */
};

struct note {
    int line;
    char *text;
}; /* what was left out or changed, or will not compile; line 0: the whole file */

struct source {
    struct file file;         /* path as given; UTF-8, lines end in \n */
    char **headers; int n_headers; /* the paths of those that were put in */
    struct line_origin {
        int part, line; /* part 0: the author's file; else headers[part - 1] */
    } * origins;
    int n_origins; /* of each line; 0: no header was put in */
    const char *revision;     /* as it was in this commit, while it is opened; NULL: as it is */
    char *code;               /* with blanks for comments and literals' insides, 1_000 for 1'000 */
    struct source_mark {
        int line, col;
    } * marks; /* the places of some bytes, so that none is far from one */
    unsigned *close; /* for each open bracket of `code` what stands behind the one that closes it; 0
                        if none does */
    size_t *quotes; int n_quotes;  /* those between digits, as in 1'000 */
    struct kernel *kernels; int n_kernels;
    struct alias {
        char *name, *is;
    } * aliases;
    int n_aliases; /* typedef, using, #define of one type */
    struct type_item {
        char *name, *other;
        size_t begin, end;
    } * types;
    int n_types; /* structures; `other`: what a typedef or variable is called, or NULL */
    struct note *notes; int n_notes;
    struct span { size_t begin, end; } *dropped; int n_dropped;   /* what is no device code */
};

/* Reads path, with the headers that lie beside it, and finds its kernels; parameters are not looked
 * at yet. With a revision all is as it was in that commit of the repository of git that it lies in.
 * Fails with a place where brackets do not match, on text that is not UTF-8, on more than
 * CAP_SOURCE_BYTES. */
int source_open_at(struct source **out, const char *path, const char *revision, struct err *err);
/* The same of a text that is there already. */
int source_read(struct source **out, const char *path, const char *text, size_t len,
                struct err *err);
void source_free(struct source *s);
struct kernel *source_kernel(const struct source *s, const char *name);    /* NULL if unknown */

/* Reads the parameters of k and how its body uses them. Templates and types that a scenario cannot
 * pass are refused at their place. */
int source_params(struct source *s, struct kernel *k, struct err *err);

/* Takes the instance `<float, 256>` of a template; false where it is none of this kernel. */
bool source_instance_as(struct source *s, struct kernel *k, const char *list);
/* "<typename T, int B>" of a template, in one line; NULL: it is none. malloc'd. */
char *source_template_list(const struct source *s, const struct kernel *k);

/* From the first launch of k in the file and its bounds, as far as they have plain numbers. */
void source_launch(const struct source *s, struct kernel *k);

/* One launch in the author's host code. */
struct launch_found {
    const struct kernel *k;
    size_t at; int line;            /* of its name */
    char *text;                     /* "<<<grid, 256>>>" */
    int block[3], grid[3], shared;  /* plain numbers; 0: none there */
    char *grid_formula;             /* over the kernel's parameters; NULL: not to be said */
    char *args[CAP_ARGS], *numbers[CAP_ARGS]; /* as they stand; the plain number each is, or NULL */
    size_t arg_at[CAP_ARGS];        /* of each, the byte where it begins */
    int n_args;
};
/* The next launch of k at or after that byte; false: none. What it holds is the caller's. */
bool source_launch_next(struct launch_found *l, const struct source *s, const struct kernel *k,
                        size_t from);
void source_launch_free(struct launch_found *l);

/* The list alone, of any kernel: what each parameter is as far as its text says, `is_known` where
 * that is enough. False where even their number is not sure: macros or directives in the list, a
 * template, two kernels of this name. */
bool source_signature(struct source *s, struct kernel *k);
/* The masked code of [begin, end) in one line, cut to size. */
void source_line(char *out, size_t size, const struct source *s, size_t begin, size_t end);
size_t source_list_end(const struct source *s,
                       const struct kernel *k); /* behind the bracket that closes its parameters */

/* The device part with those n kernels alone, `extern "C"`, and what it needs of headers that are
 * not there. malloc'd. `prelude` (may be NULL) receives that latter part alone, malloc'd: what
 * other sources need for the types of the parameters. */
int source_take(char **out, char **prelude, struct source *s, const struct kernel *const *k, int n,
                struct err *err);

/* file_place of the source, in bounded time: it is asked for every item. */
void source_place(const struct source *s, size_t at, int *line, int *col);
/* Where a line stood before headers were put in: its number there, and the file. */
int source_origin(const char **path, const struct source *s, int line);
/* The same to be shown: "line 7", or "rms.cuh:7" of a header. malloc'd. */
char *source_where(const struct source *s, int line);
void source_note(struct source *s, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* What to write in the place of the header that text begins with ("<cuda_fp16.h>"); NULL where
 * there is nothing to say. */
const char *header_instead(const char *text);

/* ---- words of the masked code; shared by the parts of this module ---- */

bool code_is_word(char c);
/* The next place at or after `from`, before `end`, where `word` stands by itself; end if nowhere.
 */
size_t code_find(const char *code, size_t from, size_t end, const char *word);
/* Behind the bracket that closes the one at `at`; 0 if none does before end. */
size_t code_close(const char *code, size_t at, size_t end);
size_t code_behind(const char *code, size_t at, size_t end);  /* the same; end if none does */
size_t code_skip(const char *code, size_t at, size_t end);    /* blanks and line ends */
size_t code_word(const char *code, size_t at,
                 size_t end); /* behind the word that begins at `at`; `at` if none */

#endif
