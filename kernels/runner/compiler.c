#include "kernels/runner/compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/api.h"
#include "kernels/runner/ipc.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

enum { OPTIONS_MOST = 64 };

struct result {
    bool ok;
    char *log, *ptx, *image;
    size_t ptx_len, image_len;
};

static void free_result(struct result *r)
{
    free(r->log);
    free(r->ptx);
    free(r->image);
}

static char *read_log(const struct nvrtc_api *rtc, nvrtc_program program)
{
    size_t n = 0;
    if (rtc->nvrtcGetProgramLogSize(program, &n) != 0 || n == 0)
        return text_dup("");
    char *log = mem_new(n + 1, 1);
    rtc->nvrtcGetProgramLog(program, log);
    text_clean(log, strlen(log));
    return log;
}

static void read_output(struct result *r, const struct nvrtc_api *rtc, nvrtc_program program, bool cubin)
{
    if (rtc->nvrtcGetPTXSize(program, &r->ptx_len) == 0 && r->ptx_len > 0) {
        r->ptx = mem_new(r->ptx_len + 1, 1);
        rtc->nvrtcGetPTX(program, r->ptx);
    }
    if (cubin && rtc->nvrtcGetCUBINSize(program, &r->image_len) == 0 && r->image_len > 0) {
        r->image = mem_new(r->image_len, 1);
        rtc->nvrtcGetCUBIN(program, r->image);
    } else if (r->ptx) {
        r->image = text_ndup(r->ptx, r->ptx_len);
        r->image_len = r->ptx_len;
    }
    r->ok = r->image_len > 0;
}

static struct result compile(const struct nvrtc_api *rtc, const char *source, const char *header, const char *name,
                             int n_options, const char *const *options, bool cubin)
{
    struct result r = {0};
    nvrtc_program program = NULL;
    const char *const headers[] = {header}, *const names[] = {"warpdrill.h"};
    int rc = rtc->nvrtcCreateProgram(&program, source, name, 1, headers, names);
    if (rc == 0) {
        rc = rtc->nvrtcCompileProgram(program, n_options, options);
        r.log = read_log(rtc, program);
        if (rc == 0)
            read_output(&r, rtc, program, cubin);
        rtc->nvrtcDestroyProgram(&program);
    }
    if (rc != 0 && (!r.log || !*r.log)) {
        free(r.log);
        r.log = text_format("%s: NVRTC says %s", name, rtc->nvrtcGetErrorString(rc));
    }
    return r;
}

static json_t *supported_archs(const struct nvrtc_api *rtc)
{
    json_t *list = json_array();
    int n = 0, archs[256];
    if (rtc->nvrtcGetNumSupportedArchs(&n) != 0 || n < 1 || n > 256 || rtc->nvrtcGetSupportedArchs(archs) != 0)
        return list;
    for (int i = 0; i < n; i++)
        json_array_append_new(list, json_integer(archs[i]));
    return list;
}

/* Loads, warms and confines. The warm-up makes NVRTC open all it needs while it still may. */
static json_t *prepare(struct nvrtc_api *rtc, struct err *err)
{
    int major = 0, minor = 0;
    if (api_load_nvrtc(rtc, err))
        return NULL;
    if (rtc->nvrtcVersion(&major, &minor) != 0) {
        err_set(err, ERR_UNSUPPORTED, "NVRTC does not tell its version");
        return NULL;
    }
    json_t *archs = supported_archs(rtc);
    char option[64], version[32];
    const char *options[] = {option};
    snprintf(version, sizeof version, "%d.%d", major, minor);
    snprintf(option, sizeof option, "--gpu-architecture=sm_%d",
             (int)json_integer_value(json_array_get(archs, json_array_size(archs) / 2)));
    struct result r = compile(rtc, "extern \"C\" __global__ void empty() {}\n", "", "warmup.cu", 1, options, true);
    if (!r.ok)
        err_set(err, ERR_UNSUPPORTED, "NVRTC %s does not compile: %s", version, r.log ? r.log : "");
    json_t *hello = !r.ok ? NULL : json_pack("{s:s, s:s, s:O, s:b}", "type", "hello", "nvrtc", version, "archs", archs,
                                             "confined", os_confine_no_files());
    json_decref(archs);
    free_result(&r);
    return hello;
}

static int answer(struct ipc *c, const struct nvrtc_api *rtc, const struct ipc_message *m)
{
    const char *options[OPTIONS_MOST];
    const char *name = json_string_value(json_object_get(m->head, "name"));
    json_t *list = json_object_get(m->head, "options");
    int n = 0;
    for (size_t i = 0; i < json_array_size(list) && n < OPTIONS_MOST; i++)
        options[n++] = json_string_value(json_array_get(list, i));
    if (m->n_blobs != 2 || !name)
        return ERR_BAD_REQUEST;
    struct result r = compile(rtc, m->blobs[0], m->blobs[1], name, n, options,
                              json_is_true(json_object_get(m->head, "cubin")));
    json_t *head = json_pack("{s:s, s:O, s:b, s:s}", "type", "compiled", "ticket", json_object_get(m->head, "ticket"),
                             "ok", r.ok, "log", r.log ? r.log : "");
    struct ipc_blob blobs[] = {{r.ptx, r.ptx_len}, {r.image, r.image_len}};
    int rc = ipc_send(c, head, blobs, r.ok ? 2 : 0, NULL);
    json_decref(head);
    free_result(&r);
    return rc;
}

int compiler_main(int fd)
{
    struct ipc *c = ipc_new(fd);
    struct nvrtc_api rtc;
    struct ipc_message m;
    struct err err = {0};
    json_t *hello = prepare(&rtc, &err);
    bool ready = hello != NULL;
    if (!hello)
        hello = json_pack("{s:s, s:s}", "type", "hello", "missing", err.text);
    int rc = ipc_send(c, hello, NULL, 0, NULL);
    json_decref(hello);
    while (ready && rc == 0 && ipc_recv(c, &m, NULL) == 1) {
        rc = answer(c, &rtc, &m);
        ipc_message_free(&m);
    }
    ipc_free(c);
    return 0;
}
