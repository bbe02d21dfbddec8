#include "scenarios/record/record_head.h"

#include <stdio.h>

int recording_begin(struct recording *out, const struct msg_device *device, const char *when,
                    struct err *err)
{
    json_t *obj = msg_device_encode(device);
    *out = (struct recording){.method = METHOD_VERSION};
    int rc = msg_device_decode(&out->device, obj, err);
    json_decref(obj);
    out->device.uuid[0] = '\0'; /* which card of its kind it was is nobody's business */
    snprintf(out->recorded, sizeof out->recorded, "%s", when);
    snprintf(out->at, sizeof out->at, "%s", when);
    return rc;
}

void recording_sign(struct recording *r, const struct client *c)
{
    r->method = client_method(c);
    snprintf(r->made_by, sizeof r->made_by, "warpdrill %s, runner %s", WARPDRILL_VERSION,
             client_runner(c));
}
