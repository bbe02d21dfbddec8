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

/* The old text may be an argument of the new one, so it is written beside it first. */
static int set(struct err *err, int code, const char *fmt, va_list ap)
{
    char text[sizeof err->text];
    int n = vsnprintf(text, sizeof text, fmt, ap);
    if (n < 0)
        snprintf(text, sizeof text, "(unprintable error)");
    text_clean(text, strlen(text));
    err->code = code;
    memcpy(err->text, text, sizeof text);
    return code;
}

int err_set(struct err *err, int code, const char *fmt, ...)
{
    va_list ap;
    if (!err)
        return code;
    va_start(ap, fmt);
    set(err, code, fmt, ap);
    va_end(ap);
    err->call[0] = '\0';
    err->remedy = NULL;
    return code;
}

int err_reword(struct err *err, int code, const char *fmt, ...)
{
    va_list ap;
    if (!err)
        return code;
    va_start(ap, fmt);
    set(err, code, fmt, ap);
    va_end(ap);
    return code;
}

void err_advise(struct err *err, const char *call, const char *remedy)
{
    if (err && call)
        snprintf(err->call, sizeof err->call, "%s", call);
    if (err && remedy)
        err->remedy = remedy;
}

int err_copy(struct err *to, const struct err *from)
{
    if (to && to != from)
        *to = *from;
    return from->code;
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
