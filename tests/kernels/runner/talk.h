/* The real runner on the fake driver, spoken to over pipes. Messages are waited for with a bound.
 */
#ifndef TESTS_TALK_H
#define TESTS_TALK_H

#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "tests/unit.h"

struct talk { pid_t pid; int to; FILE *from; char folder[64]; };

/* Which libraries there are beside driver and compiler: none, unless a test names its fakes. */
static const char *talk_cupti = "missing/libcupti.so", *talk_nvml = "missing/libnvml.so",
                  *talk_nvrtc = "libfakenvrtc.so";

static void talk_name_library(const char *variable, const char *name)
{
    char *path = text_format("%s/tests/fakes/%s", getenv("BUILD"), name);
    setenv(variable, path, 1);
    free(path);
}

/* What a failing test leaves: the runner and its folder. Both go when the program ends. */
static struct talk talk_left[16];

static void talk_sweep(void)
{
    for (size_t i = 0; i < sizeof talk_left / sizeof *talk_left; i++) {
        char *remove = text_format("rm -rf %s", talk_left[i].folder);
        if (talk_left[i].pid > 0 && kill(talk_left[i].pid, SIGKILL) == 0)
            waitpid(talk_left[i].pid, NULL, 0);
        if (talk_left[i].pid > 0 && system(remove) != 0)
            perror(remove);
        free(remove);
    }
}

static void talk_remember(const struct talk *t)
{
    static bool once;
    size_t i = 0, n = sizeof talk_left / sizeof *talk_left;
    if (!once)
        atexit(talk_sweep);
    once = true;
    while (i + 1 < n && talk_left[i].pid > 0)
        i++;
    talk_left[i] = *t;
}

static void talk_forget(const struct talk *t)
{
    for (size_t i = 0; i < sizeof talk_left / sizeof *talk_left; i++)
        if (talk_left[i].pid == t->pid)
            talk_left[i].pid = 0;
}

/* Started, not opened. `cuda` names the driver's library; NULL is the fake. */
static void talk_start(struct talk *t, const char *cuda)
{
    int in[2], out[2];
    char *program = text_format("%s/warpdrill-runner", getenv("BUILD"));
    snprintf(t->folder, sizeof t->folder, "/tmp/warpdrill-talk-XXXXXX");
    if (!mkdtemp(t->folder) || pipe(in) || pipe(out))
        abort();
    setenv("WARPDRILL_CACHE", t->folder, 1);
    if (cuda)
        setenv("WARPDRILL_CUDA", cuda, 1);
    else
        talk_name_library("WARPDRILL_CUDA", "libfakecuda.so");
    talk_name_library("WARPDRILL_NVRTC", talk_nvrtc);
    talk_name_library("WARPDRILL_CUPTI", talk_cupti);
    talk_name_library("WARPDRILL_NVML", talk_nvml);
    if ((t->pid = fork()) == 0) {
        dup2(in[0], 0), dup2(out[1], 1);
        close(in[0]), close(in[1]), close(out[0]), close(out[1]);
        execl(program, program, (char *)NULL);
        _exit(127);
    }
    close(in[0]), close(out[1]);
    free(program);
    talk_remember(t);
    t->to = in[1];
    t->from = fdopen(out[0], "r");
    setvbuf(t->from, NULL, _IONBF, 0);
}

static inline void talk_open_with(struct talk *t, const char *cuda)
{
    talk_start(t, cuda);
    dprintf(t->to, "{\"type\":\"open\",\"protocol\":1,\"client\":\"test\",\"nonce\":\"n\"}\n");
}

static inline void talk_open(struct talk *t)
{
    talk_open_with(t, NULL);
}

/* The next message of a type, or of any (NULL); NULL at the end or after 20 s of silence. */
static inline json_t *talk_wait(struct talk *t, const char *type)
{
    static char line[1 << 20];
    for (;;) {
        struct pollfd p = {.fd = fileno(t->from), .events = POLLIN};
        if (poll(&p, 1, 20000) <= 0 || !fgets(line, sizeof line, t->from))
            return NULL;
        json_t *m = json_loads(line, 0, NULL);
        if (m && (!type || !strcmp(json_string_value(json_object_get(m, "type")), type)))
            return m;
        json_decref(m);
    }
}

/* The next part of a run; NULL when the request ends without. */
static inline json_t *talk_part(struct talk *t, const char *run)
{
    for (json_t *m;;) {
        const char *type, *of;
        if (!(m = talk_wait(t, NULL)) || !(type = json_string_value(json_object_get(m, "type"))) ||
            !strcmp(type, "done")) {
            json_decref(m);
            return NULL;
        }
        if (!strcmp(type, "part") && (of = json_string_value(json_object_get(m, "run"))) &&
            !strcmp(of, run))
            return m;
        json_decref(m);
    }
}

/* The value of a part's metric; -1 when it has none. */
static inline double talk_value(const json_t *part, const char *metric)
{
    const json_t *value =
        json_object_get(json_object_get(json_object_get(part, "metrics"), metric), "value");
    return json_is_number(value) ? json_number_value(value) : -1;
}

/* A text of an object, "" where there is none. */
static inline const char *talk_text(const json_t *object, const char *key)
{
    const char *s = json_string_value(json_object_get(object, key));
    return s ? s : "";
}

/* A note of the part has these words. */
static inline bool talk_notes(const json_t *part, const char *words)
{
    size_t i;
    json_t *note;
    json_array_foreach(json_object_get(part, "notes"), i, note)
        if (strstr(json_string_value(note), words))
            return true;
    return false;
}

/* How a request ended. */
struct talk_answer {
    char status[16], code[24], call[64], text[512], remedy[512];
    int64_t took_ms;
};

static inline void talk_copy(char *to, size_t size, const json_t *from, const char *key)
{
    snprintf(to, size, "%s", talk_text(from, key));
}

static inline struct talk_answer talk_answer(struct talk *t, int id)
{
    struct talk_answer a;
    int64_t begun = os_monotonic_ms();
    json_t *done = talk_wait(t, "done");
    assert_non_null(done);
    a.took_ms = os_monotonic_ms() - begun;
    const json_t *error = json_object_get(done, "error");
    assert_int_equal(json_integer_value(json_object_get(done, "id")), id);
    talk_copy(a.status, sizeof a.status, done, "status");
    talk_copy(a.code, sizeof a.code, error, "code");
    talk_copy(a.call, sizeof a.call, error, "call");
    talk_copy(a.text, sizeof a.text, error, "text");
    talk_copy(a.remedy, sizeof a.remedy, error, "remedy");
    json_decref(done);
    return a;
}

/* Figures that the fake's images cannot give are missing, so that "partial" without an error is as
 * good as "ok". */
static inline bool talk_is_good(const struct talk_answer *a)
{
    return !*a->code && (!strcmp(a->status, "ok") || !strcmp(a->status, "partial"));
}

#define TALK_LAUNCH \
    "{\"source\":\"a\",\"kernel\":\"move\",\"grid\":[2,2],\"block\":[32,8]," \
    "\"args\":[{\"buffer\":\"out\"},{\"buffer\":\"in\"},{\"i32\":64}]}"

/* Every kind of step that a host can take. */
#define TALK_HOSTED \
    "{\"step\":\"alloc\",\"bytes\":4096}," \
    "{\"step\":\"copy\",\"buffer\":\"in\",\"to\":\"device\",\"memory\":\"pinned\",\"stream\":2}," \
    "{\"step\":\"sync\"},{\"step\":\"capture\"}," TALK_LAUNCH ",{\"step\":\"replay\"}," \
    "{\"step\":\"read\",\"buffer\":\"out\"},{\"step\":\"sync\",\"stream\":2}," \
    "{\"step\":\"copy\",\"buffer\":\"out\",\"to\":\"host\",\"memory\":\"pageable\"}," \
    "{\"step\":\"free\"},{\"step\":\"wait\",\"seconds\":0.0005}," TALK_LAUNCH

/* One transposition of 64 x 64 whose kernel behaves as said, checked against the reference; run h
 * takes steps of a host around it. */
static inline void talk_send(struct talk *t, const char *type, int id, const char *behaviour,
                             int deadline_ms, const char *item)
{
    dprintf(t->to,
            "{\"type\":\"%s\",\"id\":%d,\"deadline_ms\":%d,\"sources\":{\"a\":{\"name\":\"a."
            "cu\",\"text\":\"// fake: %s 1e-4\\nvoid "
            "move();\\n\"},\"r\":{\"name\":\"r.cu\",\"text\":\"// the "
            "truth\\n\"},\"o\":{\"name\":\"o.cu\",\"text\":\"// fake: move 1e-3\\nvoid move();\\n\"}},"
            "\"buffers\":[{\"name\":\"in\",\"type\":\"f32\",\"count\":4096,\"fill\":{"
            "\"kind\":\"uniform\",\"low\":-1,\"high\":1}},{\"name\":\"out\",\"type\":\"f32\","
            "\"count\":4096,\"role\":\"output\"}],\"runs\":{\"a\":[{\"source\":\"a\",\"kernel\":"
            "\"move\",\"grid\":[2,2],\"block\":[32,8],\"args\":[{\"buffer\":\"out\"},{\"buffer\":"
            "\"in\"},{\"i32\":64}]}],\"a2\":[{\"source\":\"a\",\"kernel\":\"move\",\"grid\":[2,2],"
            "\"block\":[32,8],\"args\":[{\"buffer\":\"out\"},{\"buffer\":\"in\"},{\"i32\":64}]}],"
            "\"h\":[" TALK_HOSTED "],\"s\":[{\"source\":\"a\",\"kernel\":\"move\",\"grid\":[2,2],"
            "\"block\":[32,8],\"shared\":300000,\"args\":[{\"buffer\":\"out\"},{\"buffer\":\"in\"},"
            "{\"i32\":64}]}],\"o\":[{\"source\":\"o\",\"kernel\":\"move\",\"grid\":[2,2],\"block\":[32,8],"
            "\"args\":[{\"buffer\":\"out\"},{\"buffer\":\"in\"},{\"i32\":64}]}],"
            "\"r\":[{\"source\":\"r\",\"kernel\":\"reference\",\"grid\":[16],\"block\":[256],"
            "\"args\":[{\"buffer\":\"out\"},{\"buffer\":\"in\"},{\"i32\":64}]}]},\"work\":{"
            "\"bytes\":32768,\"flops\":0},\"tolerance\":{\"kind\":\"relative\",\"rel\":0,\"abs\":"
            "1e-6},\"items\":[%s]}\n",
            type, id, deadline_ms, behaviour, item);
}

static inline void talk_measure(struct talk *t, int id, const char *behaviour, int deadline_ms,
                                const char *item)
{
    talk_send(t, "measure", id, behaviour, deadline_ms, item);
}

/* The exit status of a runner that is ending; its input stays open till then. */
static inline int talk_reap(struct talk *t)
{
    int status = -1;
    char *remove = text_format("rm -rf %s", t->folder);
    waitpid(t->pid, &status, 0);
    talk_forget(t);
    if (t->to >= 0)
        close(t->to);
    fclose(t->from);
    if (system(remove))
        status = -1;
    free(remove);
    return status;
}

/* The runner's exit status after the end of its input. */
static inline int talk_close(struct talk *t)
{
    close(t->to);
    t->to = -1;
    return talk_reap(t);
}

/* The only request ends with this status, and so does the runner. */
static inline void talk_end(struct talk *t, const char *status)
{
    json_t *done = talk_wait(t, "done");
    assert_string_equal(talk_text(done, "status"), status);
    json_decref(done);
    assert_int_equal(talk_close(t), 0);
}

#endif
