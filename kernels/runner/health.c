#include "kernels/runner/health.h"

#include <stdlib.h>
#include <time.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

struct health {
    struct nvml_api nvml;
    nvml_device device;   /* NULL: nothing is known */
    char driver[80];
};

static const struct { unsigned long long bit; const char *name;
} reasons[] = {
    {0x02, "application clocks"}, {0x04, "power cap"},   {0x08, "hardware slowdown"},
    {0x10, "sync boost"},         {0x20, "temperature"}, {0x40, "temperature (hardware)"},
    {0x80, "power brake"},
};
#define HAMPERED (0x08 | 0x20 | 0x40 | 0x80)

struct health *health_new(const struct gpu *g)
{
    struct health *h = mem_new(1, sizeof *h);
    if (api_load_nvml(&h->nvml, NULL) || h->nvml.nvmlInit_v2() != NVML_OK)
        return h;
    if (h->nvml.nvmlDeviceGetHandleByPciBusId_v2(g->facts.pci, &h->device) != NVML_OK)
        h->device = NULL;
    if (h->nvml.nvmlSystemGetDriverVersion &&
        h->nvml.nvmlSystemGetDriverVersion(h->driver, sizeof h->driver) != NVML_OK)
        h->driver[0] = '\0';
    return h;
}

void health_free(struct health *h)
{
    if (h && h->device)
        h->nvml.nvmlShutdown();
    free(h);
}

static unsigned long long throttle_bits(struct health *h)
{
    unsigned long long bits = 0;
    if (!h->device)
        return 0;
    if (h->nvml.nvmlDeviceGetCurrentClocksEventReasons &&
        h->nvml.nvmlDeviceGetCurrentClocksEventReasons(h->device, &bits) == NVML_OK)
        return bits;
    if (h->nvml.nvmlDeviceGetCurrentClocksThrottleReasons &&
        h->nvml.nvmlDeviceGetCurrentClocksThrottleReasons(h->device, &bits) == NVML_OK)
        return bits;
    return 0;
}

void health_look(struct health *h, struct health_look *out)
{
    unsigned milliwatts = 0;
    *out = (struct health_look){.reasons = throttle_bits(h)};
    if (!h->device)
        return;
    if (h->nvml.nvmlDeviceGetPowerUsage &&
        h->nvml.nvmlDeviceGetPowerUsage(h->device, &milliwatts) == NVML_OK)
        out->watts = milliwatts / 1e3;
    if (h->nvml.nvmlDeviceGetEnforcedPowerLimit &&
        h->nvml.nvmlDeviceGetEnforcedPowerLimit(h->device, &milliwatts) == NVML_OK)
        out->watts_allowed = milliwatts / 1e3;
}

int health_throttle(struct health *h, const char **names, int max)
{
    unsigned long long bits = throttle_bits(h);
    int n = 0;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons && n < max; i++)
        if (bits & reasons[i].bit)
            names[n++] = reasons[i].name;
    return n;
}

void health_note(struct msg_part *p, const struct health_look *before,
                 const struct health_look *after)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        bool first = before->reasons & reasons[i].bit, last = after->reasons & reasons[i].bit;
        if (first || last)
            part_note(p, "clocks: %s%s", reasons[i].name,
                      first && last ? ""
                      : first       ? ", before"
                                    : ", after");
    }
    if (after->watts > 0 && after->watts_allowed > 0)
        part_note(p, "board power, not of this kernel alone: %.0f of %.0f W", after->watts,
                  after->watts_allowed);
}

bool health_hampered(const struct health_look *before, const struct health_look *after)
{
    return ((before->reasons | after->reasons) & HAMPERED) != 0;
}

const char *health_driver(const struct health *h)
{
    return h->driver;
}

uint64_t health_memory_errors(struct health *h)
{
    enum { UNCORRECTED = 1, VOLATILE = 0 };
    unsigned long long n = 0;
    if (!h->device || !h->nvml.nvmlDeviceGetTotalEccErrors)
        return 0;
    return h->nvml.nvmlDeviceGetTotalEccErrors(h->device, UNCORRECTED, VOLATILE, &n) == NVML_OK ? n
                                                                                                : 0;
}

static unsigned busy_percent(struct health *h)
{
    struct nvml_utilization now = {0, 0};
    bool known = h->device && h->nvml.nvmlDeviceGetUtilizationRates &&
                 h->nvml.nvmlDeviceGetUtilizationRates(h->device, &now) == NVML_OK;
    return known ? now.gpu : 0;
}

int health_wait_free(struct health *h, struct task *t, struct err *err)
{
    enum { PATIENCE_MS = 5000, BUSY = 90 };
    const struct timespec nap = {0, 100000000};
    int64_t until = os_monotonic_ms() + PATIENCE_MS;
    int rc = 0;
    while (!(rc = task_check(t, err)) && busy_percent(h) >= BUSY) {
        if (os_monotonic_ms() >= until)
            return err_set(err, ERR_WEDGED,
                           "the GPU stays busy although the old worker is gone: something still "
                           "runs on it");
        task_progress(t, "waiting", 0, 0,
                      "waiting for the GPU to come to rest after the old worker was ended");
        nanosleep(&nap, NULL);
    }
    return rc;
}
