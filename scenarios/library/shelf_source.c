/* Where a pack is from, as a person says it. */
#include "scenarios/library/shelf.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kernels/wire/text.h"

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* A work tree, or a bare repository. */
static bool is_repository(const char *path)
{
    char *dot = text_format("%s/.git", path), *head = text_format("%s/HEAD", path),
         *objects = text_format("%s/objects", path);
    struct stat st;
    bool found = lstat(dot, &st) == 0 || (lstat(head, &st) == 0 && is_folder(objects));
    free(dot);
    free(head);
    free(objects);
    return found;
}

/* The '@' of a tag: behind all of the path, so not that of git@host. NULL: none. */
static const char *tag_sign(const char *text)
{
    const char *at = strrchr(text, '@'), *slash = strrchr(text, '/'), *colon = strrchr(text, ':');
    bool behind = at && at > text && (!slash || at > slash) && (!colon || at > colon);
    bool host = at && !slash && !colon;
    return behind && (!host || !is_folder(text)) ? at : NULL;
}

static bool tag_ok(const char *tag)
{
    return *tag && *tag != '-' && strlen(tag) < 100 && !strstr(tag, "..") &&
           tag[strspn(tag, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-")] ==
               '\0';
}

/* Which of git's transports the text means; NULL: none that is allowed. */
static const char *scheme_of(const char *from)
{
    static const char *const schemes[] = {"https", "ssh", "file"};
    const char *sign = strstr(from, "://");
    for (size_t i = 0; sign && i < sizeof schemes / sizeof *schemes; i++)
        if (strlen(schemes[i]) == (size_t)(sign - from) &&
            !strncmp(from, schemes[i], (size_t)(sign - from)) && sign[3] != '-')
            return schemes[i];
    const char *colon = strchr(from, ':'), *slash = strchr(from, '/');
    bool host = !sign && colon && colon > from && (!slash || colon < slash) && colon[1] != ':' &&
                colon[1];
    return host ? "ssh" : NULL;
}

static int refuse(const char *text, struct err *err)
{
    return err_set(err, ERR_BAD_REQUEST,
                   "'%s' is no folder and nothing that git may clone here; a folder, "
                   "https://HOST/PATH, ssh://HOST/PATH, USER@HOST:PATH or file:///PATH was "
                   "expected, with @TAG behind it for a tag or a branch",
                   text);
}

int shelf_source_read(struct shelf_source *out, const char *text, struct err *err)
{
    size_t n = strlen(text);
    *out = (struct shelf_source){0};
    if (*text == '-' || !n || n >= PATH_MAX || text_first_bad(text, n) < n || strchr(text, '\n'))
        return refuse(n < PATH_MAX && text_first_bad(text, n) >= n ? text : "this text", err);
    const char *at = is_folder(text) ? NULL : tag_sign(text);
    out->from = text_ndup(text, at ? (size_t)(at - text) : n);
    out->tag = at ? text_dup(at + 1) : NULL;
    int rc = 0;
    if (out->tag && !tag_ok(out->tag))
        rc = err_set(err, ERR_BAD_REQUEST,
                     "'%s' is no tag; one of letters, digits and . _ - was expected", out->tag);
    if (!rc && is_folder(out->from)) {
        char *real = realpath(out->from, NULL);
        out->scheme = is_repository(out->from) ? "file" : NULL;
        free(out->from);
        out->from = real ? real : text_dup(text);
        if (out->tag && !out->scheme)
            rc = err_set(err, ERR_BAD_REQUEST, "%s is a plain folder and has no tag %s; a "
                                               "repository of git was expected",
                         out->from, out->tag);
    } else if (!rc && !(out->scheme = scheme_of(out->from))) {
        rc = refuse(text, err);
    }
    if (rc)
        shelf_source_free(out);
    return rc;
}

void shelf_source_free(struct shelf_source *s)
{
    free(s->from);
    free(s->tag);
    *s = (struct shelf_source){0};
}
