#include "tui/commands/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/supply/front.h"

/* ---- what is not for others ---- */

static void replace(char *text, size_t size, const char *what, const char *by)
{
    for (char *at = strstr(text, what); at; at = strstr(at + strlen(by), what)) {
        char *rest = text_dup(at + strlen(what));
        snprintf(at, size - (size_t)(at - text), "%s%s", by, rest);
        free(rest);
    }
}

static bool is_plain_word(const char *word)
{
    static const char *const plain[] = {"ssh", "srun", "salloc", "env", "exec", "warpdrill-runner"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (!strcmp(word, plain[i]))
            return true;
    return strlen(word) < 3 || *word == '-' || strpbrk(word, "=/") != NULL;
}

/* Hosts and users stand in the command that reaches them, and in what it says. */
static void hide_hosts(char *text, size_t size, const char *command)
{
    char *words = text_dup(command), *save = NULL;
    for (char *word = strtok_r(words, " \t'\"@", &save); word;
         word = strtok_r(NULL, " \t'\"@", &save))
        if (!is_plain_word(word))
            replace(text, size, word, "HOST");
    free(words);
}

static void hide(const struct doctor *d, char *text, size_t size)
{
    const char *home = getenv("HOME");
    if (home && strlen(home) > 1)
        replace(text, size, home, "~");
    if (front_is_far(d->runner))
        hide_hosts(text, size, d->runner);
    text_clean(text, strlen(text));
}

/* ---- findings ---- */

void doctor_found(struct doctor *d, const char *area, const char *name, bool ok, const char *remedy,
                  const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text / 2, fmt, ap);
    va_end(ap);
    hide(d, text, sizeof text);
    json_t *one =
        json_pack("{s:s, s:s, s:b, s:s}", "area", area, "name", name, "ok", (int)ok, "say", text);
    if (remedy && *remedy)
        json_object_set_new(one, "remedy", json_string(remedy));
    json_array_append_new(d->findings, one);
}

void doctor_add(struct doctor *d, const char *key, json_t *value)
{
    size_t n = json_array_size(d->findings);
    json_object_set_new(json_array_get(d->findings, n - 1), key, value);
}
