#include "kernels/runner/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/pcsampling.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

enum {
    SHOWN_REASONS = 8,
    MOST_REASONS = 64,
    LONGEST_PERIOD = 20,
    SHORTEST_PERIOD = 8, /* powers of two: below, the hardware drops most samples */
    FEWEST_SAMPLES = 2000,
    MOST_RUNS = 40,
    PATIENCE_MS = 3000,
};
static const double wanted_seconds = 5e-3, wanted_samples = 1e5;

struct tally {
    const struct lines_work *work;
    const struct image *images[CAP_LAUNCHES];   /* of each kernel that is launched */
    const struct image *first;
    uint64_t crcs[CAP_LAUNCHES];
    bool *at_barrier[CAP_LAUNCHES]; /* owned, for each instruction; see image_barrier_waits */
    size_t n_instructions[CAP_LAUNCHES];
    const char *file;                           /* the source's name */
    const struct pcsampling *session;
    int n_lines, n_reasons; /* the last reason is ours: a wait for an mbarrier */
    uint64_t *counts;                           /* [line][reason]; line 0: elsewhere */
    uint64_t all, at_barriers;
    struct plan plan; /* the run with kernels that CUPTI saw being loaded */
    cu_module modules[CAP_LAUNCHES];
};

/* ---- one instruction ---- */

/* The launch that a sample belongs to: by the kernel's name and, where sources share a name, by its
 * cubin. */
static int find_launch(const struct tally *t, const struct pc_sample *s)
{
    const struct msg_run *r = t->work->run;
    int found = -1;
    for (int i = 0; i < r->n_launches; i++)
        if (!strcmp(r->launches[i].kernel, s->function) && (found < 0 || t->crcs[i] == s->crc))
            found = i;
    return found;
}

static int line_of(const struct tally *t, const struct pc_sample *s, int launch)
{
    const struct image *image = t->images[launch];
    if (image != t->first) /* another source: its lines are not these */
        return 0;
    int line =
        pcsampling_line(t->work->cupti, image->bytes, image->len, s->function, s->pc, t->file);
    return line > 0 && line <= t->n_lines ? line : 0;
}

static const char *reason_name(const struct tally *t, int reason)
{
    return reason == t->n_reasons - 1 ? "mbarrier" : pcsampling_reason(t->session, reason);
}

/* To the hardware a wait for an mbarrier is one for a scoreboard, as for memory. */
static int reason_of(const struct tally *t, int reason, bool at_barrier)
{
    return at_barrier && strstr(reason_name(t, reason), "_scoreboard") ? t->n_reasons - 1 : reason;
}

static void take_sample(void *arg, const struct pc_sample *s)
{
    enum { BYTES = 16 }; /* of an instruction */
    struct tally *t = arg;
    int launch = find_launch(t, s);
    if (launch < 0)
        return;
    size_t at = s->pc / BYTES;
    bool at_barrier = at < t->n_instructions[launch] && t->at_barrier[launch][at];
    uint64_t *row = t->counts + (size_t)line_of(t, s, launch) * MOST_REASONS;
    for (int i = 0; i < t->n_reasons - 1; i++) {
        int reason = reason_of(t, i, at_barrier);
        row[reason] += s->counts[i];
        t->all += s->counts[i];
        t->at_barriers += reason != i ? s->counts[i] : 0;
    }
}

/* ---- what is sampled ---- */

static int count_lines(const char *text)
{
    int n = 1;
    for (; *text; text++)
        n += *text == '\n';
    return n < CAP_NUMBERS ? n : CAP_NUMBERS;
}

static int open_tally(struct tally *t, const struct lines_work *w, struct err *err)
{
    const struct msg_run *r = w->run;
    const struct msg_source *source = msg_source_find(w->task->measure, msg_run_first(r)->source);
    *t = (struct tally){.work = w, .file = source->name, .n_lines = count_lines(source->text)};
    t->first = images_find(w->task->images, msg_run_first(r)->source, w->variant);
    for (int i = 0; i < r->n_launches; i++) {
        if (r->launches[i].transfer.kind)
            continue;
        t->images[i] = images_find(w->task->images, r->launches[i].source, w->variant);
        if (!t->images[i] || !t->images[i]->cubin)
            return err_set(err, ERR_UNSUPPORTED,
                           "NVRTC does not know this GPU, so the driver compiled the kernel from "
                           "PTX; its instructions cannot be told apart by source line");
        t->crcs[i] = pcsampling_crc(w->cupti, t->images[i]->bytes, t->images[i]->len);
        t->at_barrier[i] =
            image_barrier_waits(&t->n_instructions[i], t->images[i], r->launches[i].kernel);
    }
    t->counts = mem_new((size_t)(t->n_lines + 1) * MOST_REASONS, sizeof *t->counts);
    return 0;
}

static int prepare(const struct lines_work *w, struct err *err)
{
    int rc = buffers_restore(w->buffers, POISON_NAN, err);
    if (!rc)
        rc = bench_flush(w->bench, err);
    return rc ? rc : task_wait(w->task, err);
}

static int enqueue_run(void *arg, struct err *err)
{
    const struct lines_work *w = arg;
    return plan_enqueue(w->plan, w->task->gpu, 0, w->plan->n, err);
}

/* How long one run takes; it also loads everything that would be loaded lazily. Before the session,
 * since its spin kernel and a profiler that serialises launches would wait for each other. */
static int time_run(const struct lines_work *w, double *seconds, struct err *err)
{
    struct sample s = {.seconds = 0};
    int rc = prepare(w, err);
    if (!rc)
        rc = bench_sample(w->bench, w->task, enqueue_run, (void *)w, &s, err);
    *seconds = s.seconds > 1e-6 ? s.seconds : 1e-6;
    return rc;
}

static int runs_for(double seconds)
{
    double n = ceil(wanted_seconds / seconds);
    return n > MOST_RUNS / 2 ? MOST_RUNS / 2 : n < 1 ? 1 : (int)n;
}

/* CUPTI tells samples apart only of modules that it saw being loaded: on an H200 those loaded
 * before it counted as of no kernel. So each is loaded once more while the session is open. */
static int load_again(struct tally *t, struct err *err)
{
    const struct lines_work *w = t->work;
    struct gpu *g = w->task->gpu;
    int rc = plan_new(&t->plan, w->task, w->variant, w->run->id, w->buffers, err);
    for (int i = 0; !rc && i < w->run->n_launches; i++) {
        cu_function f = NULL;
        if (!t->images[i])
            continue;
        if (!(rc = GPU(g, err, cuModuleLoadDataEx, &t->modules[i], t->images[i]->bytes, 0, NULL,
                       NULL)) &&
            !(rc = GPU(g, err, cuModuleGetFunction, &f, t->modules[i], w->run->launches[i].kernel)))
            rc = plan_replace(&t->plan, g, i, f, err);
    }
    return rc;
}

static void free_tally(struct tally *t)
{
    struct gpu *g = t->work->task->gpu;
    for (int i = 0; i < CAP_LAUNCHES; i++) {
        free(t->at_barrier[i]);
        if (t->modules[i] && !g->lost)
            GPU(g, NULL, cuModuleUnload, t->modules[i]);
    }
    plan_free(&t->plan);
    free(t->counts);
}

/* As many cycles between two samples as still give the wanted number over all runs. */
static int period_for(const struct gpu_facts *f, double seconds, int runs)
{
    double clock = f->clock_hz > 0 ? f->clock_hz : 1e9;
    int period = (int)floor(log2(seconds * runs * clock * f->sm_count / wanted_samples));
    return period < SHORTEST_PERIOD  ? SHORTEST_PERIOD
           : period > LONGEST_PERIOD ? LONGEST_PERIOD
                                     : period;
}

static int sample_run(struct tally *t, struct pcsampling *session, struct err *err)
{
    const struct lines_work *w = t->work;
    int rc = prepare(w, err);
    if (rc || (rc = pcsampling_start(session, err)))
        return rc;
    rc = plan_enqueue(&t->plan, w->task->gpu, 0, t->plan.n, err);
    if (!rc)
        rc = gpu_wait(w->task->gpu, w->task->until, err);
    if (rc)
        return rc;
    return pcsampling_stop(session, take_sample, t, err);
}

static int sample_runs(struct tally *t, struct pcsampling *session, int runs, struct err *err)
{
    int64_t until = os_monotonic_ms() + PATIENCE_MS;
    int rc = 0;
    for (int i = 0; !rc && i < MOST_RUNS && (i < runs || t->all < FEWEST_SAMPLES); i++) {
        if (i > 0 && os_monotonic_ms() > until)
            break;
        task_progress(t->work->task, "lines", i + 1, runs, "%llu samples of %s",
                      (unsigned long long)t->all, t->work->run->id);
        if (!(rc = sample_run(t, session, err)))
            rc = task_check(t->work->task, err);
    }
    return rc;
}

/* ---- the part ---- */

static uint64_t sum_of_line(const struct tally *t, int line)
{
    uint64_t sum = 0;
    for (int i = 0; i < t->n_reasons; i++)
        sum += t->counts[(size_t)line * MOST_REASONS + (size_t)i];
    return sum;
}

/* The reason with most samples of those not taken yet; -1: none is left. */
static int next_reason(const struct tally *t, uint64_t taken)
{
    uint64_t most = 0;
    int best = -1;
    for (int i = 0; i < t->n_reasons; i++) {
        uint64_t sum = 0;
        for (int line = 1; line <= t->n_lines; line++)
            sum += t->counts[(size_t)line * MOST_REASONS + (size_t)i];
        if (sum > most && !(taken >> i & 1)) {
            most = sum;
            best = i;
        }
    }
    return best;
}

static void add_reasons(const struct tally *t, const double *lines, int n, struct msg_part *p)
{
    uint64_t taken = 0;
    for (int shown = 0, reason; shown < SHOWN_REASONS && (reason = next_reason(t, taken)) >= 0;
         shown++) {
        char name[48];
        snprintf(name, sizeof name, "stall_%.40s", reason_name(t, reason));
        double *values = part_series(p, name, n);
        taken |= (uint64_t)1 << reason;
        for (int k = 0; k < n; k++)
            values[k] = (double)t->counts[(size_t)lines[k] * MOST_REASONS + (size_t)reason];
    }
}

static int add_lines(const struct tally *t, struct msg_part *p)
{
    int n = 0, top = 0;
    for (int line = 1; line <= t->n_lines; line++)
        n += sum_of_line(t, line) > 0;
    double *lines = part_series(p, "line", n), *samples = part_series(p, "samples", n);
    for (int line = 1, k = 0; line <= t->n_lines; line++) {
        uint64_t sum = sum_of_line(t, line);
        if (sum == 0)
            continue;
        lines[k] = line;
        samples[k++] = (double)sum;
        top = top == 0 || sum > sum_of_line(t, top) ? line : top;
    }
    add_reasons(t, lines, n, p);
    return top;
}

static void add_notes(const struct tally *t, int period, struct msg_part *p)
{
    uint64_t elsewhere = sum_of_line(t, 0), dropped = pcsampling_dropped(t->session);
    part_note(p, "a sample of each SM every %d cycles", 1 << period);
    if (t->work->run->n_launches > 1)
        part_note(p, "of all %d launches together", t->work->run->n_launches);
    if (elsewhere)
        part_note(p, "elsewhere: %.1f %% of the samples fell on no line of %s",
                  100.0 * (double)elsewhere / (double)t->all, t->file);
    if (dropped)
        part_note(p, "dropped: %llu samples beside those kept, by the hardware",
                  (unsigned long long)dropped);
    if (pcsampling_overflowed(t->session))
        part_note(p, "some runs were lost, since the hardware's buffer was full");
}

static int fill_part(const struct tally *t, int period, struct msg_part *p, struct err *err)
{
    if (t->all == 0)
        return err_set(err, ERR_UNSUPPORTED,
                       "the profiler gave no samples of this kernel (%llu counted, %llu dropped)",
                       (unsigned long long)pcsampling_total(t->session),
                       (unsigned long long)pcsampling_dropped(t->session));
    int top = add_lines(t, p);
    part_value(p, "samples", (double)t->all);
    part_value(p, "mbarrier_share", (double)t->at_barriers / (double)t->all);
    if (top) {
        part_value(p, "top_line", top);
        part_value(p, "top_line_share", (double)sum_of_line(t, top) / (double)t->all);
    } else {
        part_missing(p, "top_line", "nothing: no sample fell on a line of %s", t->file);
        part_missing(p, "top_line_share", "nothing: no sample fell on a line of %s", t->file);
    }
    add_notes(t, period, p);
    return 0;
}

int lines_collect(const struct lines_work *w, struct msg_part *p, struct err *err)
{
    struct tally t;
    struct pcsampling *session = NULL;
    double seconds = 0;
    int rc = open_tally(&t, w, err), runs = 0, period = 0;
    if (!rc)
        rc = time_run(w, &seconds, err);
    if (!rc) {
        runs = runs_for(seconds);
        period = period_for(&w->task->gpu->facts, seconds, runs);
        rc = pcsampling_open(&session, w->task->gpu, w->cupti, period, err);
    }
    if (!rc) {
        t.session = session;
        t.n_reasons = pcsampling_reasons(session) + 1;
        if (!(rc = load_again(&t, err)))
            rc = sample_runs(&t, session, runs, err);
    }
    if (!rc)
        rc = fill_part(&t, period, p, err);
    pcsampling_close(session);
    free_tally(&t);
    return rc;
}
