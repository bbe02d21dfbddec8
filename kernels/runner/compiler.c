#include "kernels/runner/compiler.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/runner/build.h"
#include "kernels/runner/faults.h"
#include "kernels/runner/ipc.h"
#include "kernels/runner/ptx.h"
#include "kernels/runner/walls.h"
#include "kernels/wire/text.h"

enum { OPTIONS_MOST = 64, STACK_BYTES = 64 << 20 };

struct result {
    struct err err;      /* its code 0: it compiled */
    char *log, *ptx, *image;
    size_t ptx_len, image_len;
};

static void free_result(struct result *r)
{
    free(r->log);
    free(r->ptx);
    free(r->image);
}

#define NVRTC(rtc, err, fn, ...) fault_nvrtc((rtc), (rtc)->fn(__VA_ARGS__), #fn, (err))

/* A log that cannot be had is empty: the result tells enough. */
static char *read_log(const struct nvrtc_api *rtc, nvrtc_program program)
{
    size_t n = 0;
    if (rtc->nvrtcGetProgramLogSize(program, &n) != 0 || n == 0)
        return text_dup("");
    char *log = mem_new(n + 1, 1);
    if (rtc->nvrtcGetProgramLog(program, log) != 0)
        log[0] = '\0';
    text_clean(log, strlen(log));
    return log;
}

static int read_ptx(struct result *r, const struct nvrtc_api *rtc, nvrtc_program program)
{
    int rc = NVRTC(rtc, &r->err, nvrtcGetPTXSize, program, &r->ptx_len);
    if (rc)
        return rc;
    r->ptx = mem_new(r->ptx_len + 1, 1);
    return NVRTC(rtc, &r->err, nvrtcGetPTX, program, r->ptx);
}

static int read_cubin(struct result *r, const struct nvrtc_api *rtc, nvrtc_program program)
{
    int rc = NVRTC(rtc, &r->err, nvrtcGetCUBINSize, program, &r->image_len);
    if (rc)
        return rc;
    r->image = mem_new(r->image_len + 1, 1);
    return NVRTC(rtc, &r->err, nvrtcGetCUBIN, program, r->image);
}

static int read_output(struct result *r, const struct nvrtc_api *rtc, nvrtc_program program,
                       bool cubin)
{
    int rc = read_ptx(r, rtc, program);
    if (!rc && cubin)
        return read_cubin(r, rtc, program);
    if (!rc) {
        r->image = text_ndup(r->ptx, r->ptx_len);
        r->image_len = r->ptx_len;
    }
    return rc;
}

/* What ptxas refuses it places in the PTX, which is there then. */
static void place_log(struct result *r, const struct nvrtc_api *rtc, nvrtc_program program,
                      const char *name)
{
    size_t n = 0;
    if (r->err.code != ERR_COMPILE || !strstr(r->log, "ptxas") ||
        rtc->nvrtcGetPTXSize(program, &n) != 0)
        return;
    char *ptx = mem_new(n + 1, 1);
    if (rtc->nvrtcGetPTX(program, ptx) == 0) {
        char *log = ptx_place_log(r->log, ptx, name);
        free(r->log);
        r->log = log;
    }
    free(ptx);
}

static struct result compile(const struct nvrtc_api *rtc, const char *source, const char *header,
                             const char *name, int n_options, const char *const *options,
                             bool cubin)
{
    struct result r = {.log = NULL};
    nvrtc_program program = NULL;
    const char *const headers[] = {header}, *const names[] = {"warpdrill.h"};
    if (NVRTC(rtc, &r.err, nvrtcCreateProgram, &program, source, name, 1, headers, names))
        return r;
    int rc = NVRTC(rtc, &r.err, nvrtcCompileProgram, program, n_options, options);
    r.log = read_log(rtc, program);
    if (!rc)
        read_output(&r, rtc, program, cubin);
    else
        place_log(&r, rtc, program, name);
    rtc->nvrtcDestroyProgram(&program);
    return r;
}

/* NVRTC itself says no more than that there is none left. */
static void tell_limit(struct result *r)
{
    if (r->err.code != ERR_COMPILE || !r->log || !strstr(r->log, "out of memory"))
        return;
    char *log = text_format("%s\nthe compiler ran out of its %.3g GiB of memory", r->log,
                            walls_compiler_memory());
    free(r->log);
    r->log = log;
}

/* ptxas that tells figures leaves out some errors, too much shared memory among them: then it is
 * asked without. */
static void ask_why(struct result *r, const struct nvrtc_api *rtc, const char *source,
                    const char *header, const char *name, int n_options, const char *const *options)
{
    const char *fewer[OPTIONS_MOST];
    int n = 0;
    if (r->err.code != ERR_COMPILE || !r->log || strstr(r->log, "rror") || strstr(r->log, "fatal"))
        return;
    for (int i = 0; i < n_options; i++)
        if (strcmp(options[i], BUILD_FIGURES) != 0)
            fewer[n++] = options[i];
    struct result again = compile(rtc, source, header, name, n, fewer, true);
    if (n < n_options && again.err.code == ERR_COMPILE) {
        free(r->log);
        r->log = text_dup(again.log);
    }
    free_result(&again);
}

/* NULL with the reason in err. */
static json_t *supported_archs(const struct nvrtc_api *rtc, struct err *err)
{
    int n = 0, archs[256];
    if (NVRTC(rtc, err, nvrtcGetNumSupportedArchs, &n))
        return NULL;
    if (n < 1 || n > (int)(sizeof archs / sizeof *archs)) {
        err_set(err, ERR_UNSUPPORTED, "NVRTC says that it knows %d architectures", n);
        return NULL;
    }
    if (NVRTC(rtc, err, nvrtcGetSupportedArchs, archs))
        return NULL;
    json_t *list = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(list, json_integer(archs[i]));
    return list;
}

static long size_of(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? (long)st.st_size : 0;
}

/* What one version number does not tell apart: the sizes of the library and of its built-in
 * functions. */
static void read_version(char *out, size_t size, const struct nvrtc_api *rtc, int major, int minor)
{
    Dl_info at;
    long library = 0, builtins = 0;
    void *inside;
    memcpy(&inside, &rtc->nvrtcVersion, sizeof inside);
    if (dladdr(inside, &at) && at.dli_fname) {
        const char *slash = strrchr(at.dli_fname, '/');
        char *beside =
            text_format("%.*s/libnvrtc-builtins.so.%d.%d", slash ? (int)(slash - at.dli_fname) : 1,
                        slash ? at.dli_fname : ".", major, minor);
        library = size_of(at.dli_fname);
        builtins = size_of(beside);
        free(beside);
    }
    snprintf(out, size, "%ld-%ld", library, builtins);
}

/* Loads, warms and confines. The warm-up makes NVRTC open all it needs while it still may. */
static json_t *prepare(struct nvrtc_api *rtc, struct err *err)
{
    int major = 0, minor = 0;
    if (api_load_nvrtc(rtc, err) || NVRTC(rtc, err, nvrtcVersion, &major, &minor))
        return NULL;
    json_t *archs = supported_archs(rtc, err), *hello = NULL;
    if (!archs)
        return NULL;
    char option[64], version[32], exact[64];
    const char *options[] = {option};
    snprintf(version, sizeof version, "%d.%d", major, minor);
    snprintf(option, sizeof option, "--gpu-architecture=sm_%d",
             (int)json_integer_value(json_array_get(archs, json_array_size(archs) / 2)));
    struct result r = compile(rtc, "extern \"C\" __global__ void empty() {}\n", "", "warmup.cu", 1,
                              options, true);
    read_version(exact, sizeof exact, rtc, major, minor);
    if (r.err.code) {
        err_copy(err, &r.err);
        err_reword(err, r.err.code == ERR_COMPILE ? ERR_UNSUPPORTED : r.err.code,
                   "NVRTC %s does not compile: %s%s%s", version, r.err.text,
                   r.log && *r.log ? "\n" : "", r.log ? r.log : "");
    } else {
        hello = json_pack("{s:s, s:s, s:s, s:O, s:o}", "type", "hello", "nvrtc", version, "exact",
                          exact, "archs", archs, "walls", walls_compiler());
    }
    json_decref(archs);
    free_result(&r);
    return hello;
}

static void add_error(json_t *to, const struct err *err)
{
    json_object_set_new(to, "code", json_string(err_name(err->code)));
    json_object_set_new(to, "call", json_string(err->call));
    json_object_set_new(to, "remedy", json_string(err->remedy ? err->remedy : ""));
}

/* What a person reads of a failure: the compiler's own words where it has some. */
static json_t *describe_result(const struct result *r, json_t *ticket)
{
    bool mute = r->err.code && (!r->log || !*r->log),
         foreign = r->err.code && r->err.code != ERR_COMPILE;
    char *text = mute ? text_dup(r->err.text)
                      : text_format("%s%s%s", foreign ? r->err.text : "", foreign ? "\n" : "",
                                    r->log ? r->log : "");
    json_t *head = json_pack("{s:s, s:O, s:b, s:s}", "type", "compiled", "ticket", ticket, "ok",
                             !r->err.code, "log", text);
    if (head && r->err.code)
        add_error(head, &r->err);
    free(text);
    return head;
}

/* One source, which is compiled beside others unless it is to be alone. */
struct order { const struct nvrtc_api *rtc; struct ipc *ipc; struct ipc_message message; };

static pthread_mutex_t speaking = PTHREAD_MUTEX_INITIALIZER;

static void answer(const struct order *o)
{
    const struct ipc_message *m = &o->message;
    const char *options[OPTIONS_MOST];
    const char *name = json_string_value(json_object_get(m->head, "name"));
    json_t *list = json_object_get(m->head, "options"),
           *ticket = json_object_get(m->head, "ticket");
    int n = 0;
    for (size_t i = 0; i < json_array_size(list) && n < OPTIONS_MOST; i++)
        options[n++] = json_string_value(json_array_get(list, i));
    if (m->n_blobs != 2 || !name || !ticket)
        return;
    struct result r = compile(o->rtc, m->blobs[0], m->blobs[1], name, n, options,
                              json_is_true(json_object_get(m->head, "cubin")));
    ask_why(&r, o->rtc, m->blobs[0], m->blobs[1], name, n, options);
    tell_limit(&r);
    json_t *head = describe_result(&r, ticket);
    struct ipc_blob blobs[] = {{r.ptx, r.ptx_len}, {r.image, r.image_len}};
    pthread_mutex_lock(&speaking);
    ipc_send(o->ipc, head, blobs, r.err.code ? 0 : 2, NULL); /* who is gone is seen by the loop */
    pthread_mutex_unlock(&speaking);
    json_decref(head);
    free_result(&r);
}

static void *work(void *arg)
{
    struct order *o = arg;
    walls_compiler_thread();
    answer(o);
    ipc_message_free(&o->message);
    free(o);
    return NULL;
}

/* False where this process can have no thread more. */
static bool hand_on(const struct order *o)
{
    struct order *own = mem_new(1, sizeof *own);
    pthread_attr_t how;
    pthread_t thread;
    *own = *o;
    pthread_attr_init(&how);
    pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&how, STACK_BYTES);
    bool began = pthread_create(&thread, &how, work, own) == 0;
    pthread_attr_destroy(&how);
    if (!began)
        free(own);
    return began;
}

/* What is to be alone gets this thread, whose stack may grow. */
static void serve(struct order *o)
{
    const json_t *head = o->message.head;
    walls_compiler_time(json_integer_value(json_object_get(head, "left_ms")),
                        (int)json_integer_value(json_object_get(head, "beside")));
    if (!json_is_true(json_object_get(head, "alone")) && hand_on(o))
        return;
    answer(o);
    ipc_message_free(&o->message);
}

int compiler_main(int fd)
{
    struct nvrtc_api rtc;
    struct err err = {0};
    struct order o = {.rtc = &rtc, .ipc = ipc_new(fd)};
    json_t *hello = prepare(&rtc, &err);
    bool ready = hello != NULL;
    if (!hello) {
        hello = json_pack("{s:s, s:s}", "type", "hello", "missing", err.text);
        add_error(hello, &err);
    }
    int rc = ipc_send(o.ipc, hello, NULL, 0, NULL);
    json_decref(hello);
    while (ready && rc == 0 && ipc_recv(o.ipc, &o.message, NULL) == 1)
        serve(&o);
    _exit(0); /* a thread may still be at work, for nobody */
}
