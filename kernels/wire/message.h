/* The protocol's messages as plain structs, and their codec: a header for each conversation, and
 * here the versions, the caps and the sources that several share. kernels/PROTOCOL.md is the prose.
 *
 * Decoding a request is strict: an unknown key, a wrong type or a value over its cap is refused by
 * name. Decoding a reply is lenient: unknown keys are ignored. Strings inside decoded structs are
 * owned by the struct and freed by its _free, which accepts NULL and partly filled structs.
 *
 * In: JSON of the other program, names and text from outside. Out: structs, errors that people
 * read, open files. Callers: every room of both programs but db. First to open: message_measure.h,
 * what is asked, and message_part.h, what comes back; message_runs.h is what runs, element.h the
 * types of numbers, message_compile.h and message_device.h the other two conversations,
 * message_done.h the end of each. codec.h is how a field is a row, frame.h a line on the pipe,
 * metric.h the table of what can be measured, err.h what a call returns, path.h the way from a name
 * to a file, confine.h what a process gives up.
 */
#ifndef WD_WIRE_MESSAGE_H
#define WD_WIRE_MESSAGE_H

#include <stdbool.h>

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
/* What a source is compiled with. */
struct msg_define { char name[32], value[64]; };

#endif
