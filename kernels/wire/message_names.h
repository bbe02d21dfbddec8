/* What the files of the codec share. */
#ifndef WD_WIRE_MESSAGE_NAMES_H
#define WD_WIRE_MESSAGE_NAMES_H

#include "kernels/wire/codec.h"
#include "kernels/wire/message_measure.h"

enum { CAP_METRICS = 512, CAP_TEXTS = 4096 }; /* of a reply */

/* The rows of those that are nothing but fields. */
extern const char *const elem_names[T_COUNT];
extern const struct codec buffer_codec, work_codec, tolerance_codec, item_codec,
    benchmark_codec;
extern const struct row_own probe_own; /* an enum wire_probe, by its name */

static inline void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

/* The fields `sources` and `define` (optional) of a request, on the way in and out. */
void sources_decode(struct msg_source **out, int *n, const struct fields *f);
void defines_decode(struct msg_define **out, int *n, const struct fields *f);
void sources_free(struct msg_source *sources, int n);
json_t *sources_encode(const struct msg_source *sources, int n);
json_t *defines_encode(const struct msg_define *define, int n);

/* The field `buffers` of a shape. */
void buffers_decode(struct msg_shape *s, const struct fields *f);
/* The buffer that a field names; 0 with the failure where it names none. */
int buffer_take(const struct fields *f, const char *key, const struct msg_shape *s);

/* The field `runs` of a shape whose buffers are known, in a request whose sources are. */
void runs_decode(struct msg_shape *s, const struct fields *f, const struct msg_measure *m);
json_t *run_encode(const struct msg_run *r, const struct msg_shape *s);

/* What is asked, of shapes that are known. */
void item_decode(struct msg_item *it, const struct fields *f, const struct msg_measure *m);
void tolerance_decode(struct msg_tolerance *t, const struct fields *parent);

/* An argument of a launch, of a shape whose buffers are known. */
struct msg_arg arg_decode(const struct fields *f, const struct msg_shape *s, int ranks);
json_t *arg_encode(const struct msg_arg *a, const struct msg_shape *s);

/* Work of several ranks: {"step":"collective",...} or {"step":"peer_copy",...}. */
bool transfer_is(const struct fields *f);
void transfer_decode(struct msg_launch *out, const struct fields *f, const struct msg_shape *s,
                 int ranks);
json_t *transfer_encode(const struct msg_launch *l, const struct msg_shape *s);
/* The field `rank`: from 1, 0 where there is none. */
int rank_decode(const struct fields *f, int ranks);

/* A step of the host other than a launch. */
void step_decode(struct msg_step *out, const struct fields *f, const struct msg_shape *s,
                 int ranks);
json_t *step_encode(const struct msg_step *step, const struct msg_shape *s);

#endif
