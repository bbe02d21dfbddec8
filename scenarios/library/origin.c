#include "scenarios/library/origin.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

/* ---- what came with the program ---- */

int origin_shipped_places(char *out[2])
{
    static const char *const beside[] = {"../content/packs", "../share/warpdrill/packs"};
    const char *content = getenv("WARPDRILL_CONTENT");
    if (content && *content) {
        out[0] = text_dup(content);
        return 1;
    }
    char *program = os_program_path(), *slash = program ? strrchr(program, '/') : NULL;
    int n = 0;
    for (; slash && n < 2; n++)
        out[n] = text_format("%.*s/%s", (int)(slash - program), program, beside[n]);
    free(program);
    return n;
}

/* Both real paths; takes `place` over. */
static bool lies_in(const char *real, char *place)
{
    char *there = realpath(place, NULL);
    size_t n = there ? strlen(there) : 0;
    bool in = there && !strncmp(real, there, n) && (real[n] == '/' || !real[n]);
    free(there);
    free(place);
    return in;
}

bool origin_shipped(const char *folder)
{
    char *real = realpath(folder, NULL), *place[2] = {NULL, NULL};
    int n = origin_shipped_places(place);
    bool shipped = false;
    for (int i = 0; i < n; i++) {
        char *drills = text_format("%s/../drills", place[i]);
        bool packs = real && lies_in(real, text_dup(place[i]));
        shipped = shipped || packs || (real && lies_in(real, text_dup(drills)));
        free(drills);
        free(place[i]);
    }
    free(real);
    return shipped;
}

/* ---- of one pack ---- */

/* For one line of a screen. */
static void clean_line(char *s)
{
    text_clean(s, strlen(s));
    for (; *s; s++)
        if (*s == '\n' || *s == '\t')
            *s = '?';
}

void origin_find(struct origin *out, const char *folder)
{
    char *real = realpath(folder, NULL);
    out->shipped = real && origin_shipped(real);
    out->folder = real ? real : text_dup(folder);
    clean_line(out->folder);
}

void origin_free(struct origin *o)
{
    free(o->folder);
    o->folder = NULL;
}

void origin_words(char *out, size_t size, const struct origin *o)
{
    snprintf(out, size, "%s", o->shipped ? "shipped" : o->folder);
}

json_t *origin_encode(const struct origin *o)
{
    return json_pack("{s:s, s:s}", "kind", o->shipped ? "shipped" : "folder", "folder",
                     o->folder); /* cleaned, and so UTF-8 */
}
