#include "kernels/runner/links_kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/ceilings.h"

static char *file_of(struct gpu *g, int gpus, const char *driver)
{
    char what[24];
    snprintf(what, sizeof what, "-links%d", gpus);
    return ceilings_file(g, driver, what);
}

/* The cards by their ids: another one in the place of the second has other links. NULL: the driver
 * does not say. */
static json_t *cards(struct gpu *g, int gpus)
{
    json_t *list = json_array();
    for (int i = 0; i < gpus; i++) {
        struct cu_uuid uuid;
        char text[33];
        cu_device d;
        if (GPU(g, NULL, cuDeviceGet, &d, i) || GPU(g, NULL, cuDeviceGetUuid_v2, &uuid, d)) {
            json_decref(list);
            return NULL;
        }
        for (int k = 0; k < 16; k++)
            snprintf(text + 2 * k, 3, "%02x", (unsigned char)uuid.bytes[k]);
        json_array_append_new(list, json_string(text));
    }
    return list;
}

bool links_load(struct msg_links *out, struct gpu *g, int gpus, const char *driver)
{
    struct err none = {.code = 0};
    char *file = file_of(g, gpus, driver);
    json_t *kept = file ? json_load_file(file, JSON_REJECT_DUPLICATES, NULL) : NULL,
           *here = kept ? cards(g, gpus) : NULL;
    *out = (struct msg_links){.gpus = 0};
    bool same = here && json_equal(here, json_object_get(kept, "cards"));
    if (same && (links_decode(out, json_object_get(kept, "links"), &none) || out->gpus != gpus))
        *out = (struct msg_links){.gpus = 0};
    json_decref(here);
    json_decref(kept);
    free(file);
    return out->gpus > 0;
}

void links_store(const struct msg_links *l, struct gpu *g, const char *driver)
{
    json_t *here = cards(g, l->gpus);
    if (here)
        ceilings_keep(json_pack("{s:o, s:o}", "cards", here, "links", links_encode(l)),
                      file_of(g, l->gpus, driver));
}
