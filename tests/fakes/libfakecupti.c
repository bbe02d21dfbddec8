/* A profiler of two passes. A counter's value is the plan's number of that name, else 1; a name whose
 * number is below zero is one that the chip does not have. Calls out of order answer 999. */
#include "kernels/runner/api.h"

#include "tests/fakes/fake.h"

#define DECLARE(name, result, parameters, needed) result name parameters;
CUPTI_CALLS(DECLARE)

enum { IMAGE_BYTES = 64, PASSES = 2, OUT_OF_ORDER = 999 };
static int attached, enabled, started, passes, decoded;
static char object; /* its address is every handle */

#define IN_ORDER(condition) \
    do { \
        FAKE_CALL(); \
        if (!(condition)) \
            return OUT_OF_ORDER; \
    } while (0)

cupti_result cuptiGetVersion(uint32_t *version) { FAKE_CALL(); *version = 130001; return 0; }
cupti_result cuptiGetResultString(cupti_result e, const char **out)
{
    *out = e == CUPTI_PRIVILEGES ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES" : "CUPTI_ERROR_OF_THE_FAKE";
    return 0;
}

/* ---- the device ---- */

cupti_result cuptiProfilerInitialize(struct cupti_init *p) { (void)p; IN_ORDER(!attached); attached = 1; return 0; }
cupti_result cuptiProfilerDeInitialize(struct cupti_init *p) { (void)p; IN_ORDER(attached && !enabled); attached = 0; return 0; }
cupti_result cuptiProfilerDeviceSupported(struct cupti_supported *p)
{
    IN_ORDER(attached);
    p->supported = p->architecture = p->sli = p->vgpu = p->confidential = p->cmp = p->wsl = CUPTI_SUPPORTED;
    return 0;
}
cupti_result cuptiDeviceGetChipName(struct cupti_chip *p) { IN_ORDER(attached); p->chip = "FK100"; return 0; }
cupti_result cuptiProfilerGetCounterAvailability(struct cupti_availability *p)
{
    IN_ORDER(attached);
    if (p->image)
        memset(p->image, 1, IMAGE_BYTES);
    p->image_size = IMAGE_BYTES;
    return 0;
}

/* ---- the host ---- */

cupti_result cuptiProfilerHostInitialize(struct cupti_host_init *p) { IN_ORDER(p->availability && p->availability[IMAGE_BYTES - 1] == 1); p->host = &object; return 0; }
cupti_result cuptiProfilerHostDeinitialize(struct cupti_host_deinit *p) { IN_ORDER(p->host == &object); return 0; }
cupti_result cuptiProfilerHostGetSupportedChips(struct cupti_host_chips *p)
{
    static const char *const chips[] = {"FK100"};
    FAKE_CALL();
    p->n = 1;
    p->chips = chips;
    return 0;
}
cupti_result cuptiProfilerHostConfigAddMetrics(struct cupti_host_add *p)
{
    IN_ORDER(p->host == &object);
    for (size_t i = 0; i < p->n; i++)
        if (fake_number(p->names[i], 1) < 0)
            return CUPTI_BAD_METRIC;
    return 0;
}
cupti_result cuptiProfilerHostGetConfigImageSize(struct cupti_host_config_size *p) { IN_ORDER(p->host == &object); p->bytes = IMAGE_BYTES; return 0; }
cupti_result cuptiProfilerHostGetConfigImage(struct cupti_host_config *p) { IN_ORDER(p->bytes == IMAGE_BYTES); memset(p->image, 2, p->bytes); return 0; }
cupti_result cuptiProfilerHostGetNumOfPasses(struct cupti_host_passes *p) { IN_ORDER(p->image[0] == 2); p->passes = PASSES; return 0; }
cupti_result cuptiProfilerHostEvaluateToGpuValues(struct cupti_host_evaluate *p)
{
    IN_ORDER(decoded && p->data[0] == 3 && p->range == 0);
    for (size_t i = 0; i < p->n; i++)
        p->values[i] = fake_number(p->names[i], 1);
    return 0;
}

/* ---- the range profiler ---- */

cupti_result cuptiRangeProfilerEnable(struct cupti_range_enable *p) { IN_ORDER(attached && !enabled && p->ctx); enabled = 1; p->object = &object; return 0; }
cupti_result cuptiRangeProfilerDisable(struct cupti_range_object *p) { IN_ORDER(enabled && p->object == &object); enabled = started = 0; return 0; }
cupti_result cuptiRangeProfilerGetCounterDataSize(struct cupti_range_data_size *p) { IN_ORDER(enabled && p->n > 0); p->bytes = IMAGE_BYTES; return 0; }
cupti_result cuptiRangeProfilerCounterDataImageInitialize(struct cupti_range_data_init *p) { IN_ORDER(enabled && p->bytes == IMAGE_BYTES); memset(p->data, 3, p->bytes); return 0; }
cupti_result cuptiRangeProfilerSetConfig(struct cupti_range_set *p)
{
    IN_ORDER(enabled && p->range == CUPTI_AUTO_RANGE && p->replay == CUPTI_USER_REPLAY && p->config[0] == 2 && p->data[0] == 3);
    passes = decoded = 0;
    return 0;
}
cupti_result cuptiRangeProfilerStart(struct cupti_range_object *p) { IN_ORDER(enabled && !started && p->object == &object); started = 1; return 0; }
cupti_result cuptiRangeProfilerStop(struct cupti_range_stop *p)
{
    IN_ORDER(started);
    started = 0;
    p->all_submitted = ++passes == PASSES;
    return 0;
}
cupti_result cuptiRangeProfilerDecodeData(struct cupti_range_decode *p) { IN_ORDER(passes == PASSES); p->dropped = 0; decoded = 1; return 0; }
cupti_result cuptiRangeProfilerGetCounterDataInfo(struct cupti_range_info *p) { IN_ORDER(decoded && p->data_size == IMAGE_BYTES); p->ranges = 1; return 0; }
