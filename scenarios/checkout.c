#include "scenarios/checkout.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/files.h"

enum { SMALL_MOST = 4096, CONFIG_MOST = 256 << 10, PACKED_MOST = 8 << 20, LEVELS_MOST = 64 };

/* ---- files ---- */

/* Git's own two hidden names; branches, and what else HEAD may name, are names from outside. NULL:
 * refused. */
static char *read_from(const char *folder, const char *name)
{
    char *path;
    if (!strcmp(name, ".git"))
        return text_format("%s/.git", folder);
    path_inside(&path, folder, name, NULL);
    return path;
}

/* A plain file of at most `most` bytes, NUL-terminated; NULL if it is none, or longer. malloc'd. */
static char *read_plain(const char *folder, const char *name, size_t most)
{
    size_t len;
    char *path = read_from(folder, name), *text = path ? file_read_plain(path, most, &len) : NULL;
    free(path);
    return text;
}

/* The first line without blanks around it; NULL as above. */
static char *read_line(const char *folder, const char *name)
{
    char *text = read_plain(folder, name, SMALL_MOST), *line = NULL;
    if (text) {
        size_t from = strspn(text, " \t"), n = strcspn(text + from, "\r\n");
        while (n > 0 && (text[from + n - 1] == ' ' || text[from + n - 1] == '\t'))
            n--;
        line = text_ndup(text + from, n);
    }
    free(text);
    return line;
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* `path` as seen from `base`. */
static char *path_from(const char *base, const char *path)
{
    return *path == '/' ? text_dup(path) : text_format("%s/%s", base, path);
}

/* The folder of the repository's state for a checkout at `top`: .git, or where a file of that name points (worktrees, submodules). */
static char *state_of(const char *top)
{
    static const char points[] = "gitdir:";
    char *git = text_format("%s/.git", top), *line = is_folder(git) ? NULL : read_line(top, ".git"), *state = NULL;
    if (line && !strncmp(line, points, strlen(points))) {
        const char *to = line + strlen(points);
        state = path_from(top, to + strspn(to, " \t"));
    } else if (!line && is_folder(git)) {
        state = text_dup(git);
    }
    free(line);
    free(git);
    if (state && !is_folder(state)) {
        free(state);
        state = NULL;
    }
    return state;
}

/* What all worktrees share. */
static char *shared_of(const char *state)
{
    char *line = read_line(state, "commondir");
    char *shared = line ? path_from(state, line) : text_dup(state);
    free(line);
    return shared;
}

/* ---- HEAD ---- */

static bool is_commit(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isdigit((unsigned char)s[i]) && !(s[i] >= 'a' && s[i] <= 'f'))
            return false;
    return n == 40 || n == 64;
}

static void take_commit(struct checkout *c, const char *s)
{
    size_t n = s ? strcspn(s, " \t\r\n") : 0;
    if (is_commit(s, n))
        snprintf(c->commit, sizeof c->commit, "%s", s);
}

/* The line "COMMIT NAME" of packed-refs. */
static void find_packed(struct checkout *c, const char *shared, const char *ref)
{
    char *text = read_plain(shared, "packed-refs", PACKED_MOST);
    size_t n = strlen(ref);
    for (const char *line = text; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *blank = strpbrk(line, " \n");
        if (blank && *blank == ' ' && !strncmp(blank + 1, ref, n) && strchr("\r\n", blank[1 + n])) {
            take_commit(c, line);
            break;
        }
    }
    free(text);
}

static bool ref_ok(const char *ref)
{
    return !strncmp(ref, "refs/", 5) && !strstr(ref, "..") && !strstr(ref, "//");
}

static void read_head(struct checkout *c, const char *state, const char *shared)
{
    static const char heads[] = "refs/heads/";
    char *head = read_line(state, "HEAD");
    const char *ref = head && !strncmp(head, "ref:", 4) ? head + 4 + strspn(head + 4, " \t") : NULL;
    if (head && !ref)
        take_commit(c, head);
    if (ref && ref_ok(ref) && strcmp(ref, "refs/heads/.invalid")) { /* that one says: kept in another form */
        const char *name = strncmp(ref, heads, strlen(heads)) ? ref : ref + strlen(heads);
        char *line = read_line(state, ref);     /* of this worktree alone, else shared */
        if (!line)
            line = read_line(shared, ref);
        snprintf(c->branch, sizeof c->branch, "%s", name);
        take_commit(c, line);
        if (!c->commit[0])
            find_packed(c, shared, ref);
        free(line);
    }
    free(head);
}

/* ---- config: the address of a remote ---- */

/* [remote "origin"] as `remote.origin`; other forms as something that nobody asks for. */
static void section_name(char *out, size_t size, const char *line)
{
    size_t n = strcspn(line, " \t\"]");
    const char *quote = line[n] ? strchr(line + n, '"') : NULL;
    const char *end = quote ? strchr(quote + 1, '"') : NULL;
    if (end)
        snprintf(out, size, "%.*s.%.*s", (int)n, line, (int)(end - quote - 1), quote + 1);
    else
        snprintf(out, size, "%.*s", (int)n, line);
}

/* The value up to the end of the line or a comment, without quotes and blanks at its end. */
static void value_text(char *out, size_t size, const char *s)
{
    size_t len = 0;
    bool quoted = false;
    for (s += strspn(s, " \t"); *s && (quoted || !strchr("#;", *s)); s++) {
        if (*s == '"')
            quoted = !quoted;
        else if (len + 1 < size)
            out[len++] = *s == '\\' && s[1] ? *++s : *s;
    }
    while (len > 0 && isspace((unsigned char)out[len - 1]))
        len--;
    out[len] = '\0';
}

/* The last value of `key` in `section`, as git takes it; empty when there is none. section NULL: of the first remote. */
static void config_get(char *out, size_t size, const char *config, const char *section, const char *key)
{
    char here[160] = "", line[1024], wanted[160];
    snprintf(wanted, sizeof wanted, "%s", section ? section : "");
    *out = '\0';
    for (const char *at = config; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\r\n"), at);
        const char *s = line + strspn(line, " \t");
        size_t n = strlen(key);
        if (*s == '[')
            section_name(here, sizeof here, s + 1);
        else if (!strncasecmp(s, key, n) && s[n + strspn(s + n, " \t")] == '=' && (section || !strncmp(here, "remote.", 7)) &&
                 (!*wanted || !strcmp(here, wanted))) {
            value_text(out, size, strchr(s, '=') + 1);
            snprintf(wanted, sizeof wanted, "%s", here);
        }
    }
}

/* In place: scheme://user:password@host/path?query is scheme://host/path, user@host:path is host:path. */
static void strip_secrets(char *url)
{
    char *scheme = strstr(url, "://"), *host = scheme ? scheme + 3 : url;
    size_t authority = strcspn(host, "/");
    if (scheme && strchr(host, '@') && !memchr(host, '@', authority))
        authority = (size_t)(strrchr(host, '@') - host) + 1; /* a password with a slash in it: rather too much goes */
    for (size_t n = authority; n > 0; n--)
        if (host[n - 1] == '@' && (scheme || strchr(host + n, ':'))) {
            memmove(host, host + n, strlen(host + n) + 1);
            break;
        }
    if (scheme)
        url[strcspn(url, "?#")] = '\0';
}

static void read_remote(struct checkout *c, const char *shared)
{
    char *config = read_plain(shared, "config", CONFIG_MOST), name[100] = "", section[160], url[1024] = "";
    if (!config)
        return;
    if (c->branch[0]) {
        snprintf(section, sizeof section, "branch.%s", c->branch);
        config_get(name, sizeof name, config, section, "remote");
    }
    snprintf(section, sizeof section, "remote.%s", *name ? name : "origin");
    config_get(url, sizeof url, config, section, "url");
    if (!*url)
        config_get(url, sizeof url, config, NULL, "url");
    strip_secrets(url);
    snprintf(c->remote, sizeof c->remote, "%.*s", (int)sizeof c->remote - 1, url);
    free(config);
}

/* ---- finding it ---- */

static void read_state(struct checkout *c, const char *state)
{
    char *shared = shared_of(state);
    read_head(c, state, shared);
    read_remote(c, shared);
    free(shared);
}

bool checkout_find(struct checkout *out, const char *folder)
{
    char *top = text_dup(folder), *state = NULL;
    *out = (struct checkout){.commit = ""};
    for (int level = 0; level < LEVELS_MOST && *top && !state; level++) {
        char *slash = strrchr(top, '/');
        state = state_of(top);
        *(slash ? slash : top) = '\0';
    }
    if (state)
        read_state(out, state);
    free(state);
    free(top);
    return state != NULL;
}
