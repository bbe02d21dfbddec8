#include "scenarios/supply/client_bounds.h"

#include <string.h>

/* What one request may be answered by, its done apart. */
static size_t answers_to(const json_t *request)
{
    const char *type = json_string_value(json_object_get(request, "type"));
    if (type && !strcmp(type, "measure"))
        return json_array_size(json_object_get(request, "items")) * BOUNDS_ANSWERS;
    if (type && !strcmp(type, "compile")) /* and one that says what compiles */
        return 1 + json_object_size(json_object_get(request, "sources")) *
                       json_array_size(json_object_get(request, "arch"));
    return 1;
}

void bounds_begin(struct client_bounds *b, const json_t *request, int64_t now_ms)
{
    const json_t *deadline = json_object_get(request, "deadline_ms");
    int64_t own = json_is_integer(deadline) ? json_integer_value(deadline) : BOUNDS_DESCRIBE_MS;
    *b = (struct client_bounds){.allowed_ms = own + BOUNDS_SLACK_MS, .most = answers_to(request)};
    b->until_ms = now_ms + b->allowed_ms;
}

void bounds_end(struct client_bounds *b)
{
    b->until_ms = 0;
}

int bounds_line(struct client_bounds *b, size_t len, struct err *err)
{
    b->messages++;
    b->bytes += len;
    if (b->messages > BOUNDS_MESSAGES)
        return err_set(err, ERR_TOO_LARGE,
                       "the runner sent more than %d messages to one request; no runner of "
                       "warpdrill does",
                       BOUNDS_MESSAGES);
    if (b->bytes > BOUNDS_BYTES)
        return err_set(err, ERR_TOO_LARGE,
                       "the runner sent more than %d MiB to one request; no runner of warpdrill "
                       "does",
                       BOUNDS_BYTES >> 20);
    return 0;
}

int bounds_answer(struct client_bounds *b, struct err *err)
{
    if (++b->answers <= b->most)
        return 0;
    return err_set(err, ERR_TOO_LARGE,
                   "the runner sent more than %zu answers to one request; no runner of warpdrill "
                   "does",
                   b->most);
}

int bounds_time(const struct client_bounds *b, int64_t now_ms, struct err *err)
{
    if (b->until_ms == 0 || now_ms < b->until_ms)
        return 0;
    return err_set(err, ERR_TIMEOUT,
                   "the runner was at one request for %lld seconds, longer than it may: it, or its "
                   "GPU, hangs",
                   (long long)(b->allowed_ms / 1000));
}
