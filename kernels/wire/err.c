#include "kernels/wire/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernels/wire/text.h"

static const struct { int code; const char *name; } codes[] = {
    {ERR_OK, "ok"}, {ERR_IO, "io"}, {ERR_BAD_REQUEST, "bad-request"}, {ERR_TOO_LARGE, "too-large"},
    {ERR_VERSION, "version"}, {ERR_NO_GPU, "no-gpu"}, {ERR_PERMISSION, "permission"},
    {ERR_UNSUPPORTED, "unsupported"}, {ERR_COMPILE, "compile"}, {ERR_LAUNCH, "launch"},
    {ERR_FAULT, "fault"}, {ERR_TIMEOUT, "timeout"}, {ERR_MEMORY, "memory"}, {ERR_BUSY, "busy"},
    {ERR_LOST, "lost"}, {ERR_WEDGED, "wedged"}, {ERR_INTERNAL, "internal"},
    {ERR_CANCELLED, "cancelled"}, {ERR_MISSING, "missing"},
};

int err_set(struct err *err, int code, const char *fmt, ...)
{
    if (!err)
        return code;
    /* The old text may be an argument of the new one, so it is written beside it first. */
    char text[sizeof err->text];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (n < 0)
        n = snprintf(text, sizeof text, "(unprintable error)");
    text_clean(text, strlen(text));
    err->code = code;
    memcpy(err->text, text, sizeof text);
    return code;
}

const char *err_name(int code)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].code == code)
            return codes[i].name;
    return "internal";
}

int err_from_name(const char *name)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (!strcmp(codes[i].name, name))
            return codes[i].code;
    return ERR_INTERNAL;
}
