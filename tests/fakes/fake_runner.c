/* A scripted runner, for tests of everything that speaks to one: fake_runner SCENARIO [RECORDING].
 *
 *   good           answers describe and measure with canned numbers that depend on the request
 *   whole          the same, of a GPU with every attribute and ceiling; in two runs b is three
 *                  times as fast as a
 *   live           the same, with results of checks that live_answers.h tells
 *   noisy          the same, behind a shell's greeting
 *   slow           progress every 20 ms, one part every 10 of them; can be cancelled
 *   truncated      a part that ends in the middle, then the end
 *   crashing       one part, then SIGABRT
 *   silent         says hello and nothing more
 *   mute           does not even say hello
 *   garbage        bytes that are no message
 *   wrong-version  a hello of another protocol
 *   climbing       its GPU's slug is a path that leads upward
 *   parts          parts without end
 *   progress       progress without end
 *   large          progress of a megabyte, without end
 *   chatter        log without end on stderr, before any hello
 *   no-gpu         describe and measure fail with a remedy
 *
 * With $WARPDRILL_FAKE_THEN it describes itself as SCENARIO says, and then measures as crashing,
 * truncated, garbage, parts, progress or large do. Its origin is $WARPDRILL_FAKE_ORIGIN, its driver
 * $WARPDRILL_FAKE_DRIVER, and there are $WARPDRILL_FAKE_GPUS of its kind, two or more of them with
 * links (fake_links.h). In the file $WARPDRILL_FAKE_BREAK stands a number: so many measure requests
 * are answered (counting over all fake runners), then the link breaks once. With RECORDING
 * (a sealed/evidence file) items whose key it holds are answered from it. A run is refused when it
 * asks for more shared memory than the GPU has, faults when its text shifts by 32, and does not end
 * when that has a `while`. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/frame.h"
#include "kernels/wire/message_device.h"
#include "tests/fakes/fake_links.h"
#include "tests/fakes/live_answers.h"
#include "tests/fakes/runner_parts.h"

enum { SLOW_MS = 20, SLOW_STEPS = 10 };

static const char *scenario;

static json_t *recording;

static struct frame_reader *reader;

static struct frame_writer *writer;

bool plays(const char *name)
{
    return !strcmp(scenario, name);
}

void send_message(json_t *msg)
{
    struct err err = {0};
    if (frame_writer_put(writer, msg, &err) || frame_writer_flush(writer, STDOUT_FILENO, &err) < 0)
        exit(1);
    json_decref(msg);
}

static void send_done(int64_t id, const char *status, const char *code, const char *text,
                      const char *remedy)
{
    json_t *msg = json_pack("{s:s, s:I, s:s, s:s}", "type", "done", "id", (json_int_t)id, "status",
                            status, "log", "");
    if (code)
        json_object_set_new(msg, "error",
                            json_pack("{s:s, s:s, s:s}", "code", code, "text", text, "remedy",
                                      remedy));
    send_message(msg);
}

/* ---- hello and describe ---- */

static const char *setting(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

static int gpus_here(void) { return atoi(setting("WARPDRILL_FAKE_GPUS", "1")); }

static void say_hello(const json_t *open)
{
    const char *nonce = json_string_value(json_object_get(open, "nonce"));
    json_t *can = json_array();
    for (int p = 0; p < PROBE_COUNT; p++)
        json_array_append_new(can, json_string(wire_probe_name((enum wire_probe)p)));
    if (gpus_here() > 1)
        json_array_append_new(can, json_string("links"));
    if (plays("mute"))
        return;
    while (plays("chatter")) {
        if (fputs("still loading\n", stderr) < 0)
            exit(1);
        poll(NULL, 0, 1);
    }
    if (plays("noisy")) {
        fputs("Welcome to "
              "gpubox.\n{\"type\":\"hello\",\"nonce\":\"another\"}\n\033[31mred\033[0m\n",
              stdout);
        fflush(stdout);
    }
    send_message(json_pack("{s:s, s:i, s:s, s:s, s:i, s:o, s:{}}", "type", "hello", "protocol",
                           plays("wrong-version") ? 99 : PROTOCOL_VERSION, "nonce",
                           nonce ? nonce : "", "runner", "fake", "method", METHOD_VERSION, "can",
                           can, "limits"));
}

static const struct { const char *name; double value;
} attributes[] = {
    {"compute", 9.0},      {"sm_count", 132},
    {"l2_bytes", 4194304}, {"smem_block_optin", SHARED_BLOCK},
    {"mem_bytes", 1.5e11}, {"dram_peak", 4.8e12},
};

enum { ATTRIBUTES = sizeof attributes / sizeof *attributes };

/* What only `whole` describes. */
static const struct { const char *name; double value;
} more_attributes[] = {
    {"smem_sm", 233472}, {"regs_sm", 65536},       {"threads_sm", 2048},
    {"warps_sm", 64},    {"blocks_sm", 32},        {"warp_size", 32},
    {"clock_hz", 2e9},   {"mem_clock_hz", 3.75e9}, {"bus_bits", 5120},
};

static const struct msg_number ceilings[] = {
    {"copy", "B/s", 4.2e12},      {"read", "B/s", 4.4e12},
    {"l2", "B/s", 8e12},          {"fma", "flop/s", 6e13},
    {"launch", "s", 4e-6},        {"launch_next", "s", 1e-6},
    {"peak_dram", "B/s", 4.8e12}, {"peak_fma", "flop/s", 6.7e13},
    {"tensor", "flop/s", 6.2e14}, {"peak_tensor", "flop/s", 9.89e14},
};

enum {
    MORE = sizeof more_attributes / sizeof *more_attributes,
    CEILINGS = sizeof ceilings / sizeof *ceilings
};

/* A GPU that is stuck in an old measurement: nothing is measured before it could be described. */
static bool stuck;

static bool refuse_stuck(int64_t id)
{
    if (stuck)
        send_done(id, "failed", "wedged", "the GPU is stuck in an old measurement",
                  "ask to describe it first");
    return stuck;
}

static void describe(int64_t id)
{
    stuck = stuck && live_says("stuck", "ever");
    if (refuse_stuck(id))
        return;
    struct msg_number attribute[ATTRIBUTES + MORE + 1] = {{.value = 0}}, ceiling[CEILINGS];
    int gpus = gpus_here();
    struct msg_tier tier = {.probe = PROBE_PIPES,
                            .missing = text_dup("unsupported"),
                            .say = text_dup("the fake has no pipes"),
                            .remedy = text_dup("use a real GPU")};
    for (int i = 0; i < ATTRIBUTES; i++) {
        snprintf(attribute[i].name, sizeof attribute[i].name, "%s", attributes[i].name);
        attribute[i].value = attributes[i].value;
    }
    for (int i = 0; i < MORE; i++) {
        snprintf(attribute[ATTRIBUTES + i].name, sizeof attribute[0].name, "%s",
                 more_attributes[i].name);
        attribute[ATTRIBUTES + i].value = more_attributes[i].value;
    }
    memcpy(ceiling, ceilings, sizeof ceiling);
    struct msg_device d = {.id = id,
                           .name = "Fake GPU",
                           .slug = "fake-gpu",
                           .uuid = "00",
                           .attributes = attribute,
                           .n_attributes = ATTRIBUTES + (plays("whole") ? MORE : 0),
                           .ceilings = ceiling,
                           .n_ceilings = plays("whole") ? CEILINGS : 1,
                           .nvrtc = "2.0",
                           .cupti = "3.0",
                           .tiers = &tier,
                           .n_tiers = 1,
                           .links = fake_links};
    if (gpus > 1)
        attribute[d.n_attributes++] = (struct msg_number){.name = "gpus", .value = gpus};
    snprintf(d.origin, sizeof d.origin, "%s", setting("WARPDRILL_FAKE_ORIGIN", "00000000000000aa"));
    snprintf(d.driver, sizeof d.driver, "%s", setting("WARPDRILL_FAKE_DRIVER", "1.0"));
    if (plays("climbing"))
        snprintf(d.slug, sizeof d.slug, "%s",
                 setting("WARPDRILL_FAKE_SLUG", "../../../../../victim"));
    send_message(json_pack("{s:s, s:s, s:s}", "type", "state", "is", "starting", "say",
                           "loading the fake driver"));
    send_message(msg_device_encode(&d));
    send_done(id, "ok", NULL, NULL, NULL);
    free(tier.missing);
    free(tier.say);
    free(tier.remedy);
}

static void links(const json_t *msg)
{
    struct msg_ask_links ask;
    struct err err = {0};
    if (msg_ask_links_decode(&ask, msg, &err) || ask.gpus > gpus_here()) {
        send_done(json_integer_value(json_object_get(msg, "id")), "failed", "unsupported",
                  err.code ? err.text : "there are fewer GPUs here", "ask for fewer");
        return;
    }
    fake_links_measure(ask.gpus);
    fake_links.id = ask.id;
    send_message(msg_links_encode(&fake_links));
    send_done(ask.id, "ok", NULL, NULL, NULL);
}

/* ---- measure ---- */

static double time_of_text(const struct msg_measure *m)
{
    const char *says = strstr(live_text(m, "m"), "fake: time ");
    return says ? strtod(says + strlen("fake: time "), NULL) : 7;
}

static void send_ratio(const struct msg_measure *m, int item)
{
    const struct msg_item *it = &m->items[item];
    const struct msg_shape *shape = msg_shape_of(m, it->variant);
    const struct metric *time = metric_find("time");
    struct msg_value v =
        statistic("ratio",
                  canned(time, shape, it->runs[0][0]) / canned(time, shape, it->runs[1][0]), true);
    char run[16];
    if (plays("live") && live_says("noise", ""))
        v.low = 0.99;
    snprintf(run, sizeof run, "%.7s/%.7s", it->runs[0], it->runs[1]);
    send_values(m, item, run, &v, 1);
}

static bool send_recorded(const struct msg_measure *m, int item)
{
    char key[65];
    size_t i;
    json_t *one;
    bool found = false;
    if (!recording || msg_item_key(key, m, item, NULL))
        return false;
    json_array_foreach(json_object_get(recording, "items"), i, one) {
        struct msg_part p;
        if (strcmp(json_string_value(json_object_get(one, "key")), key) ||
            msg_part_decode(&p, json_object_get(one, "part"), NULL))
            continue;
        p.id = m->id;
        p.item = item;
        p.variant = m->items[item].variant;
        send_message(msg_part_encode(&p));
        msg_part_free(&p);
        found = true;
    }
    return found;
}

static void send_item(const struct msg_measure *m, int item)
{
    const struct msg_item *it = &m->items[item];
    if (send_recorded(m, item))
        return;
    struct live_part live;
    for (int r = 0; r < it->n_runs; r++)
        if (plays("live") && live_answer(&live, m, item, it->runs[r]))
            send_message(msg_part_encode(&live.part));
        else if (it->probe == PROBE_TIMING && live_of(m, "floor", it->runs[r]))
            send_floor(m, item, it->runs[r]);
        else if (it->probe == PROBE_LINES || it->probe == PROBE_SASS)
            send_lines(m, item, it->runs[r]);
        else if (it->probe == PROBE_TIMELINE)
            send_timeline(m, item, it->runs[r]);
        else if (it->probe == PROBE_OUTCOME)
            send_outcome(m, item, it->runs[r]);
        else if (it->probe == PROBE_BENCHMARK)
            send_benchmark(m, item, it->runs[r]);
        else
            send_part(m, item, it->runs[r]);
    if (it->n_runs == 2 && it->probe != PROBE_BENCHMARK)
        send_ratio(m, item);
}

/* Does a cancel arrive within ms? */
static bool cancelled_within(int ms)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    char *line;
    size_t len;
    if (poll(&in, 1, ms) <= 0)
        return false;
    if (frame_reader_fill(reader, STDIN_FILENO, NULL) < 0)
        exit(0);
    return frame_reader_next(reader, &line, &len, NULL) > 0 && strstr(line, "\"cancel\"");
}

static bool dawdle(int64_t id, int item, int of)
{
    for (int k = 0; k < SLOW_STEPS; k++) {
        send_message(json_pack("{s:s, s:I, s:s, s:i, s:i, s:s}", "type", "progress", "id",
                               (json_int_t)id, "phase", "timing", "at", item * SLOW_STEPS + k, "of",
                               of * SLOW_STEPS, "say", "taking its time"));
        if (cancelled_within(SLOW_MS))
            return true;
    }
    return false;
}

static void send_progress(int64_t id, const char *say)
{
    send_message(json_pack("{s:s, s:I, s:s, s:s}", "type", "progress", "id", (json_int_t)id,
                           "phase", "timing", "say", say));
}

/* What it does once it is asked to measure: as its name says, or as $WARPDRILL_FAKE_THEN. */
static bool does(const char *name)
{
    return plays(name) || !strcmp(setting("WARPDRILL_FAKE_THEN", ""), name);
}

/* Until whoever listens has had enough. */
static void go_on(const struct msg_measure *m)
{
    static char megabyte[(1 << 20) + 1];
    memset(megabyte, 'x', sizeof megabyte - 1);
    while (does("parts"))
        send_item(m, 0);
    while (does("large"))
        send_progress(m->id, megabyte);
    while (does("progress")) {
        send_progress(m->id, "still at it");
        poll(NULL, 0, 1);
    }
}

static void misbehave(const struct msg_measure *m)
{
    go_on(m);
    if (does("garbage")) {
        fputs("\001\002 this is no message \377\n", stdout);
        fflush(stdout);
    }
    if (does("truncated")) {
        fputs("{\"type\":\"part\",\"id\":1,\"item\":0,\"probe\":\"tim", stdout);
        fflush(stdout);
        exit(0);
    }
    if (does("crashing")) {
        send_item(m, 0);
        abort();
    }
}

/* Counts down in the file; at 0 the file and the link go. */
static void maybe_break(void)
{
    const char *path = setting("WARPDRILL_FAKE_BREAK", NULL);
    FILE *f = path ? fopen(path, "r+") : NULL;
    int left = 1;
    if (!f)
        return;
    if (fscanf(f, "%d", &left) == 1 && left > 0) {
        rewind(f);
        fprintf(f, "%d\n", left - 1);
    }
    fclose(f);
    if (left <= 0) {
        unlink(path);
        _exit(1);
    }
}

/* A kernel that faults ends its request, one that crashes the runner the link. */
static bool refuse_text(const struct msg_measure *m)
{
    static const struct { const char *word, *code, *text; } words[] = {
        {"compile", "compile", "mine.cu(3): error: identifier \"foo\" is undefined"},
        {"launch", "launch", "too many resources requested for launch"},
        {"hangs", "timeout", "nothing came for 60 s"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (live_of(m, words[i].word, "m")) {
            send_done(m->id, "failed", words[i].code, words[i].text, "mend the text");
            return true;
        }
    return false;
}

static void measure_live(const struct msg_measure *m)
{
    static bool begun;
    mended_time = time_of_text(m);
    stuck = stuck || (!begun && (live_says("stuck", "once") || live_says("stuck", "ever")));
    begun = true;
    if (refuse_stuck(m->id) || refuse_text(m))
        return;
    if (live_says("gone", ""))
        exit(1);
    for (int i = 0; i < m->n_items; i++) {
        const struct msg_item *it = &m->items[i];
        if (it->probe == PROBE_REPEAT && live_says("crash", it->runs[0]))
            exit(1);
        if (it->probe == PROBE_CHECK && !it->offset && !it->fence &&
            live_of(m, "fault", it->runs[0])) {
            send_done(m->id, "failed", "fault", "an illegal address", "mend the kernel");
            return;
        }
        send_item(m, i);
    }
    send_done(m->id, "ok", NULL, NULL, NULL);
}

static void measure(const json_t *msg)
{
    struct err err = {0};
    struct msg_measure m;
    if (plays("silent"))
        return;
    if (msg_measure_decode(&m, msg, &err)) {
        send_done(json_integer_value(json_object_get(msg, "id")), "failed", err_name(err.code),
                  err.text, "send a proper request");
        return;
    }
    maybe_break();
    misbehave(&m);
    bool stopped = false;
    if (plays("live")) {
        measure_live(&m);
        msg_measure_free(&m);
        return;
    }
    for (int i = 0; i < m.n_items && !stopped && !does("garbage"); i++) {
        stopped = plays("slow") && dawdle(m.id, i, m.n_items);
        if (!stopped)
            send_item(&m, i);
    }
    send_done(m.id, stopped ? "cancelled" : "ok", NULL, NULL, NULL);
    msg_measure_free(&m);
}

/* ---- */

static void answer(const json_t *msg)
{
    const char *type = json_string_value(json_object_get(msg, "type"));
    int64_t id = json_integer_value(json_object_get(msg, "id"));
    if (!type)
        return;
    if (!strcmp(type, "open"))
        say_hello(msg);
    else if (plays("no-gpu") && id)
        send_done(id, "failed", "no-gpu", "there is no NVIDIA driver here",
                  "name a machine that has one with --runner");
    else if (!strcmp(type, "describe") && !plays("silent"))
        describe(id);
    else if (!strcmp(type, "links"))
        links(msg);
    else if (!strcmp(type, "measure"))
        measure(msg);
    else if (!strcmp(type, "compile"))
        send_done(id, "failed", "unsupported", "the fake has no compiler", "name another runner");
}

int main(int argc, char **argv)
{
    char *line;
    size_t len;
    scenario = argc > 1 ? argv[1] : "good";
    recording = argc > 2 ? json_load_file(argv[2], 0, NULL) : NULL;
    reader = frame_reader_new();
    writer = frame_writer_new();
    fputs("fake_runner: a line of log\n", stderr);
    while (frame_reader_fill(reader, STDIN_FILENO, NULL) >= 0)
        while (frame_reader_next(reader, &line, &len, NULL) > 0) {
            json_t *msg = NULL;
            if (frame_parse(&msg, line, len, NULL) == 0)
                answer(msg);
            json_decref(msg);
        }
    frame_reader_free(reader);
    frame_writer_free(writer);
    json_decref(recording);
    return 0;
}
