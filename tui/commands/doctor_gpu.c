/* What doctor finds behind the runner: GPU, software, the tier of each kind of evidence, ceilings.
 */
#include "tui/commands/doctor_areas.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "kernels/wire/tool.h"
#include "scenarios/supply/front.h"
#include "scenarios/supply/links_words.h"
#include "scenarios/formula/quantity.h"

enum { BOUND_MS = 15000, PATIENT_MS = 500 };

static const char *text_or(const char *text, const char *otherwise)
{
    return text && *text ? text : otherwise;
}

static double attribute(const struct msg_device *d, const char *name)
{
    double value = 0;
    return msg_device_number(d, name, &value) ? value : 0;
}

/* ---- GPU ---- */

static void tell_gpu(struct doctor *d, const struct msg_device *g)
{
    char memory[32], l2[32], clock[32], memory_clock[32];
    quantity_show(memory, sizeof memory, attribute(g, "mem_bytes"), "B");
    quantity_show(l2, sizeof l2, attribute(g, "l2_bytes"), "B");
    quantity_show(clock, sizeof clock, attribute(g, "clock_hz"), "Hz");
    quantity_show(memory_clock, sizeof memory_clock, attribute(g, "mem_clock_hz"), "Hz");
    doctor_found(d, "live", "GPU", true, NULL, "%s, compute capability %.1f, %.0f SMs", g->name,
                 attribute(g, "compute"), attribute(g, "sm_count"));
    json_t *numbers = json_object();
    for (int i = 0; i < g->n_attributes; i++)
        json_object_set_new(numbers, g->attributes[i].name, json_real(g->attributes[i].value));
    doctor_add(d, "attributes", numbers);
    doctor_found(d, "live", "memory", true, NULL, "%s, L2 %s", memory, l2);
    doctor_found(d, "live", "clocks", g->n_throttle == 0,
                 g->n_throttle ? "times differ from run to run until this ends" : NULL,
                 "SM %s and memory %s at most%s%s", clock, memory_clock,
                 g->n_throttle ? "; held down by: " : "; not held down now",
                 g->n_throttle ? g->throttle[0] : "");
    for (int i = 1; i < g->n_throttle; i++)
        doctor_found(d, "live", "", false, NULL, "and by: %s", g->throttle[i]);
}

/* ---- software ---- */

/* What each part is for, and where it comes from, when it is not there. */
static const struct { const char *name, *lost, *remedy;
} parts[] = {
    {"NVML", "without it nobody sees throttling", "it comes with the driver (libnvidia-ml1)"},
    {"libnvperf_host", "without it there are no hardware counters",
     "it comes with CUPTI: package cuda-cupti or the CUDA toolkit"},
    {"NCCL", "without it there are no collectives on several GPUs",
     "package libnccl2, or WARPDRILL_NCCL names its file: Python packages keep it as "
     "nvidia/nccl/lib/libnccl.so.2"},
    {"nvdisasm", "without it the compiler's output is shown as PTX",
     "package cuda-nvdisasm or the CUDA toolkit"},
    {"ncu", "warpdrill does not need it", NULL},
    {"compute-sanitizer", "without it there is no memcheck and no racecheck",
     "package cuda-sanitizer-api or the CUDA toolkit"},
    {"Landlock", "without it the compiler could read files of the runner's user",
     "Linux 5.13 or newer, with Landlock among its security modules"},
};

static void tell_version(struct doctor *d, const char *name, const char *version, const char *lost,
                         const char *remedy)
{
    bool there = version && *version;
    doctor_found(d, "software", name, there, there ? NULL : remedy, "%s", there ? version : lost);
}

static void tell_software(struct doctor *d, const struct msg_device *g)
{
    tell_version(d, "driver (libcuda)", g->driver, "not there", "install the NVIDIA driver");
    tell_version(d, "NVRTC", g->nvrtc, "without it nothing can be compiled, so nothing is measured",
                 "package cuda-nvrtc or the CUDA toolkit");
    tell_version(d, "CUPTI", g->cupti, "without it there are no hardware counters",
                 "package cuda-cupti or the CUDA toolkit");
    for (int i = 0; i < g->n_software; i++) {
        const struct msg_software *s = &g->software[i];
        size_t k = 0;
        while (k < sizeof parts / sizeof *parts - 1 && strcmp(parts[k].name, s->name))
            k++;
        bool ours = !strcmp(parts[k].name, s->name);
        tell_version(d, s->name, s->text, ours ? parts[k].lost : "not there",
                     ours ? parts[k].remedy : NULL);
    }
}

/* ---- walls ---- */

static bool has_wall(const char *walls, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = walls; (at = strstr(at, name)); at += n)
        if ((at == walls || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return false;
}

/* Of every process that touches what a pack brings: what it gave up. */
static void tell_wall(struct doctor *d, const char *process, const char *walls, const char *files,
                      const char *no_files)
{
    bool calls = has_wall(walls, "calls"),
         closed = has_wall(walls, "files") || has_wall(walls, "writes");
    doctor_found(d, "walls", process, calls && closed,
                 calls && closed
                     ? NULL
                     : "Linux 5.13 or newer with Landlock, on x86-64 or arm64, has all of them",
                 "%s; %s%s", closed ? files : no_files,
                 calls ? "starts no program, opens no socket, looks into no other process"
                       : "may start programs and use the network",
                 has_wall(walls, "memory") ? "; its memory is limited" : "");
    doctor_add(d, "walls", json_string(walls));
}

static void tell_walls(struct doctor *d, const struct msg_device *g)
{
    if (!g->walls.known) {
        doctor_found(d, "walls", "runner", false, "copy this build's warpdrill-runner there",
                     "this runner does not say which it has");
        return;
    }
    tell_wall(d, "compiler", g->walls.compiler, "opens no file", "may open your files");
    tell_wall(d, "worker", g->walls.worker,
              "reads files, changes them only in /dev, the temporary folder and its cache",
              "may read and change your files");
}

/* ---- tiers ---- */

static const struct msg_tier *tier_of(const struct msg_device *g, int probe)
{
    for (int i = 0; g && i < g->n_tiers; i++)
        if ((int)g->tiers[i].probe == probe)
            return &g->tiers[i];
    return NULL;
}

static bool is_computed(const struct msg_tier *t)
{
    return t->ok && t->say && !strncmp(t->say, "computed", 8);
}

static const char *tier_name(const struct doctor *d, const struct msg_tier *t, int probe)
{
    if (t && t->ok)
        return is_computed(t) ? "computed" : "live";
    return d->recorded[probe] ? "recorded" : "missing";
}

/* g NULL: no GPU was reached, and that is said elsewhere. */
static void tell_tiers(struct doctor *d, const struct msg_device *g)
{
    for (int p = 0; p < PROBE_COUNT; p++) {
        const struct msg_tier *t = tier_of(g, p);
        const char *tier = tier_name(d, t, p),
                   *why = t   ? text_or(t->say, t->ok ? "" : text_or(t->missing, "no reason given"))
                            : g ? "this runner does not offer it"
                              : "";
        bool had = strcmp(tier, "missing") != 0;
        doctor_found(d, "evidence", wire_probe_name((enum wire_probe)p), had, t ? t->remedy : NULL,
                     "%s%s%s", t && is_computed(t) ? "" : tier,
                     *why && !(t && is_computed(t)) ? ": " : "", why);
        doctor_add(d, "tier", json_string(tier));
    }
    doctor_found(d, "evidence", "source", true, NULL, "computed: it is in the pack");
    doctor_add(d, "tier", json_string("computed"));
}

/* Of the probe that always takes counters: refused, it is either missing or computed, and says why.
 */
static void tell_permission(struct doctor *d, const struct msg_device *g)
{
    const struct msg_tier *t = tier_of(g, PROBE_MEMORY);
    if (t)
        doctor_found(d, "live", "counters", t->ok && !is_computed(t), t->remedy, "%s",
                     t->ok && !is_computed(t)
                         ? "permitted"
                         : text_or(t->say, text_or(t->missing, "not to be had")));
}

/* ---- ceilings ---- */

/* "peak_dram" of what is measured as copy, read or write; else "peak_NAME". */
static double theory_of(const struct msg_device *g, const char *name)
{
    char peak[64];
    double value = 0;
    bool dram = !strcmp(name, "copy") || !strcmp(name, "read") || !strcmp(name, "write");
    snprintf(peak, sizeof peak, "peak_%s", dram ? "dram" : name);
    return msg_device_ceiling(g, peak, &value) ? value : dram ? attribute(g, "dram_peak") : 0;
}

static void tell_ceilings(struct doctor *d, const struct msg_device *g)
{
    for (int i = 0; i < g->n_ceilings; i++) {
        const struct msg_number *c = &g->ceilings[i];
        char value[32], theory[32] = "", share[32] = "";
        double peak = theory_of(g, c->name);
        if (!strncmp(c->name, "peak_", 5))
            continue;
        quantity_show(value, sizeof value, c->value, c->unit);
        if (peak > 0) {
            quantity_show(theory, sizeof theory, peak, c->unit);
            quantity_percent(share, sizeof share, c->value / peak);
        }
        doctor_found(d, "ceilings", c->name, true, NULL, "%14s%s%s%s%s%s", value,
                     peak > 0 ? "   " : "", share, peak > 0 ? " of " : "", theory,
                     peak > 0 ? " in theory" : "");
        doctor_add(d, "value", json_real(c->value));
        doctor_add(d, "unit", json_string(c->unit));
        if (peak > 0)
            doctor_add(d, "theory", json_real(peak));
    }
    double copy;
    if (!msg_device_ceiling(g, "copy", &copy))
        doctor_found(d, "ceilings", "measured", true, NULL,
                     "not yet; the first live scenario measures them in a second");
}

/* Of a host with one GPU there is nothing to say. */
static void tell_links(struct doctor *d, const struct msg_device *g)
{
    struct links_row rows[LINKS_ROWS];
    char where[160];
    int n = links_rows(rows, &g->links);
    if (attribute(g, "gpus") < 2)
        return;
    for (int i = 0; i < n; i++)
        doctor_found(d, "links", rows[i].name, rows[i].there, NULL, "%s", rows[i].text);
    links_where(where, sizeof where, &g->links);
    doctor_found(d, "links", "measured", true, NULL, "%s",
                 n ? where : "not yet; \"warpdrill links\" measures them in some seconds");
    if (n)
        doctor_add(d, "links", links_encode(&g->links));
}

static void tell_runner(struct doctor *d, const struct client *client)
{
    bool same = client_method(client) == METHOD_VERSION;
    doctor_found(d, "live", "runner", same,
                 same ? NULL : "copy this build's warpdrill-runner there",
                 "version %s, measuring method %d%s", client_runner(client), client_method(client),
                 same ? "" : "; this warpdrill has another method");
}

static void tell_device(struct doctor *d, const struct client *client, const struct msg_device *g)
{
    tell_runner(d, client);
    tell_gpu(d, g);
    tell_permission(d, g);
    tell_software(d, g);
    tell_walls(d, g);
    tell_tiers(d, g);
    tell_ceilings(d, g);
    tell_links(d, g);
}

/* ---- asking ---- */

/* One line that is overwritten, for a person who waits; gone when the report comes. */
static void show_waiting(const char *say)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%.78s\033[K", say);
}

struct asking { char say[400]; bool shown; int64_t began; };

static int take_event(struct doctor *d, const struct client *client, struct asking *a,
                      const struct client_event *e, struct err *err)
{
    if (e->kind == CLIENT_STATE || e->kind == CLIENT_PROGRESS)
        snprintf(a->say, sizeof a->say, "%s", e->say);
    if (e->kind == CLIENT_DEVICE)
        tell_device(d, client, e->device);
    if (e->kind == CLIENT_LOST)
        return err_set(err, ERR_LOST, "%s", e->say);
    if (e->kind == CLIENT_DONE && (e->done->status == DONE_OK || e->done->status == DONE_PARTIAL))
        return 1;
    if (e->kind == CLIENT_DONE)
        return err_set(err, ERR_NO_GPU, "%s%s%s", text_or(e->done->text, "no GPU"),
                       e->done->remedy ? ". " : "", text_or(e->done->remedy, ""));
    return 0;
}

/* Waits for the description, at most BOUND_MS. Returns 1 when it came, or why not. */
static int await_device(struct doctor *d, struct client *client, struct err *err)
{
    struct asking a = {.say = "looking for a GPU", .began = os_monotonic_ms()};
    int rc = 0;
    while (rc == 0) {
        struct client_event e;
        struct pollfd fds[3];
        while (rc == 0 && client_event(client, &e))
            rc = take_event(d, client, &a, &e, err);
        int64_t passed = os_monotonic_ms() - a.began, left = BOUND_MS - passed;
        if (rc == 0 && left <= 0)
            rc = err_set(err, ERR_TIMEOUT,
                         "no description of a GPU came within %d seconds; the last news: %s",
                         BOUND_MS / 1000, a.say);
        if (rc != 0)
            break;
        if (passed >= PATIENT_MS) {
            show_waiting(a.say);
            a.shown = true;
        }
        int wait = client_timeout_ms(client),
            most = passed < PATIENT_MS ? PATIENT_MS - (int)passed : (int)left;
        poll(fds, (nfds_t)client_fds(client, fds, 3), wait < 0 || wait > most ? most : wait);
        client_step(client);
    }
    if (a.shown)
        show_waiting("");
    return rc;
}

/* ---- without a GPU: does it compile at least? ---- */

static void take_compiler(void *ctx, const struct client_event *e)
{
    char *nvrtc = ctx;
    if (e->kind == CLIENT_COMPILER)
        snprintf(nvrtc, sizeof e->compiler->nvrtc, "%s", e->compiler->nvrtc);
}

static void tell_disassembler(struct doctor *d)
{
    char *program = tool_find("nvdisasm");
    doctor_found(d, "software", "nvdisasm", program != NULL,
                 program ? NULL : "package cuda-nvdisasm or the CUDA toolkit", "%s",
                 program ? program : "without it what is compiled is told as PTX, not as SASS");
    free(program);
}

static void tell_compiler(struct doctor *d, struct client *client)
{
    struct msg_source source = {.id = "a", .name = "empty.cu",
                                .text = "extern \"C\" __global__ void empty() {}\n"};
    struct msg_compile request = {.deadline_ms = BOUND_MS, .sources = &source, .n_sources = 1,
                                  .arch = {90}, .n_arch = 1};
    char nvrtc[sizeof ((struct msg_compiler *)0)->nvrtc] = "";
    struct err err = {0};
    int64_t id = client_compile(client, &request, &err);
    if (id > 0)
        client_wait(client, id, take_compiler, nvrtc, &err);
    if (*nvrtc) {
        doctor_found(d, "software", "NVRTC", true, NULL,
                     "%s: \"warpdrill mend ID --arch sm_90\" compiles for a GPU that is not there",
                     nvrtc);
        tell_disassembler(d);
    } else {
        doctor_found(d, "software", "NVRTC", false,
                     "package cuda-nvrtc or the CUDA toolkit, or --runner for a machine that has "
                     "it",
                     "not there, so that nothing of your own can be compiled");
    }
}

static int count_lines(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static const char *how_reached(const char *command)
{
    if (!front_is_far(command))
        return strstr(command, "warpdrill-runner") ? "a runner on this machine"
                                                   : "a runner by a command of its own";
    return strstr(command, "srun") || strstr(command, "salloc") ? "a runner under Slurm"
                                                                : "a runner behind ssh";
}

void doctor_gpu(struct doctor *d)
{
    static const char remedy[] =
        "live evidence needs an NVIDIA GPU: here, or through --runner \"ssh HOST "
        "warpdrill-runner\" or \"srun --unbuffered ... warpdrill-runner\"";
    struct client *client = NULL;
    struct err err = {0};
    doctor_found(d, "live", "command", true, NULL, "%s", how_reached(d->runner));
    int rc = client_open(&client, d->runner, &err);
    if (rc == 0 && client_describe(client, "cached", &err) > 0)
        rc = await_device(d, client, &err);
    if (rc < 0) {
        doctor_found(d, "live", "runner", false, remedy, "%s", err.text);
        if (client && client_alive(client))
            tell_compiler(d, client);
        tell_tiers(d, NULL);
    }
    int lines = client ? count_lines(client_greeting(client)) : 0;
    if (client && *client_greeting(client))
        doctor_found(d, "live", "greeting", true,
                     "harmless, but a shell start-up file that prints slows the link",
                     "%d line%s came before its hello", lines, lines == 1 ? "" : "s");
    client_free(client);
}
