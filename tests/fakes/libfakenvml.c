/* One healthy device; the plan's `throttle_bits` are its clock event reasons, `throttle_first`
 * those of the first look alone, `driver` its version; 300 of 700 W; `busy_percent` its
 * utilisation. */
#include "kernels/runner/api.h"

#include "tests/fakes/fake.h"

#define DECLARE(name, result, parameters, needed) result name parameters;
NVML_CALLS(DECLARE)

nvml_result nvmlInit_v2(void) { FAKE_CALL(); return 0; }
nvml_result nvmlShutdown(void) { FAKE_CALL(); return 0; }
nvml_result nvmlSystemGetDriverVersion(char *out, unsigned len)
{
    FAKE_CALL();
    snprintf(out, len, "%g", fake_number("driver", 999.1));
    return 0;
}
nvml_result nvmlDeviceGetHandleByPciBusId_v2(const char *id, nvml_device *out)
{
    (void)id;
    FAKE_CALL();
    *out = (nvml_device)(uintptr_t)8;
    return 0;
}
nvml_result nvmlDeviceGetCurrentClocksEventReasons(nvml_device d, unsigned long long *bits)
{
    (void)d;
    FAKE_CALL();
    static int looks;
    *bits = (unsigned long long)fake_number(looks++ ? "throttle_bits" : "throttle_first",
                                            fake_number("throttle_bits", 0));
    return 0;
}
nvml_result nvmlDeviceGetPowerUsage(nvml_device d, unsigned *milliwatts)
{
    (void)d;
    FAKE_CALL();
    *milliwatts = 300000;
    return 0;
}
nvml_result nvmlDeviceGetEnforcedPowerLimit(nvml_device d, unsigned *milliwatts)
{
    (void)d;
    FAKE_CALL();
    *milliwatts = 700000;
    return 0;
}
nvml_result nvmlDeviceGetCurrentClocksThrottleReasons(nvml_device d, unsigned long long *bits)
{
    return nvmlDeviceGetCurrentClocksEventReasons(d, bits);
}
nvml_result nvmlDeviceGetTotalEccErrors(nvml_device d, int corrected, int lifetime,
                                        unsigned long long *n)
{
    (void)d, (void)corrected, (void)lifetime;
    FAKE_CALL();
    *n = 0;
    return 0;
}
nvml_result nvmlDeviceGetUtilizationRates(nvml_device d, struct nvml_utilization *out)
{
    (void)d;
    FAKE_CALL();
    *out = (struct nvml_utilization){(unsigned)fake_number("busy_percent", 0), 0};
    return 0;
}
