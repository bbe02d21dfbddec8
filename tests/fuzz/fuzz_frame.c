/* Bytes as they may come down a pipe: cut into lines, parsed, decoded. Whatever decodes as a
 * measure request must survive being encoded and decoded again, key and all. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "kernels/wire/frame.h"
#include "kernels/wire/hash.h"
#include "kernels/wire/message_compile.h"
#include "kernels/wire/message_device.h"
#include "kernels/wire/message_done.h"
#include "kernels/wire/message_measure.h"
#include "kernels/wire/message_part.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_measure(const json_t *msg)
{
    struct msg_measure m, again;
    struct err err = {0};
    char a[HASH_HEX], b[HASH_HEX];
    if (msg_measure_decode(&m, msg, &err)) {
        assert(err.code < 0 && *err.text);
        return;
    }
    json_t *encoded = msg_measure_encode(&m);
    int rc = msg_measure_decode(&again, encoded, &err);
    assert(rc == 0);
    for (int i = 0; i < m.n_items; i++) {
        rc = msg_item_key(a, &m, i, &err);
        assert(msg_item_key(b, &again, i, &err) == rc && (rc || !strcmp(a, b)));
    }
    json_decref(encoded);
    msg_measure_free(&m);
    msg_measure_free(&again);
}

static void check_compile(const json_t *msg)
{
    struct msg_compile m, again;
    struct err err = {0};
    if (msg_compile_decode(&m, msg, &err)) {
        assert(err.code < 0 && *err.text);
        return;
    }
    json_t *encoded = msg_compile_encode(&m);
    int rc = msg_compile_decode(&again, encoded, &err);
    assert(rc == 0 && again.n_arch == m.n_arch && again.n_define == m.n_define);
    json_decref(encoded);
    msg_compile_free(&m);
    msg_compile_free(&again);
}

static void check_replies(const json_t *msg)
{
    struct msg_part part;
    struct msg_device device;
    struct msg_done done;
    struct msg_compiler compiler;
    struct msg_compiled compiled;
    if (msg_compiler_decode(&compiler, msg, NULL) == 0)
        json_decref(msg_compiler_encode(&compiler));
    if (msg_compiled_decode(&compiled, msg, NULL) == 0)
        json_decref(msg_compiled_encode(&compiled));
    if (msg_part_decode(&part, msg, NULL) == 0)
        json_decref(msg_part_encode(&part));
    if (msg_device_decode(&device, msg, NULL) == 0)
        json_decref(msg_device_encode(&device));
    if (msg_done_decode(&done, msg, NULL) == 0)
        json_decref(msg_done_encode(&done));
    msg_part_free(&part);
    msg_device_free(&device);
    msg_done_free(&done);
    msg_compiled_free(&compiled);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct frame_reader *r = frame_reader_new();
    struct err err = {0};
    char *line;
    size_t len;
    int rc;
    /* In two pieces, so that a line is also found across reads. */
    frame_reader_push(r, (const char *)data, size / 2);
    for (int piece = 0; piece < 2; piece++) {
        while ((rc = frame_reader_next(r, &line, &len, &err)) != 0) {
            json_t *msg = NULL;
            if (rc > 0 && frame_parse(&msg, line, len, &err) == 0) {
                check_measure(msg);
                check_compile(msg);
                check_replies(msg);
                json_decref(msg);
            }
        }
        if (piece == 0)
            frame_reader_push(r, (const char *)data + size / 2, size - size / 2);
    }
    frame_reader_free(r);
    return 0;
}
