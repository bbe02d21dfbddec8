#include "tui/commands/cmd_place.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "scenarios/library/catalog.h"

bool cmd_holds_manifest(const char *folder)
{
    char *path = text_format("%s/pack.yaml", folder);
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

/* A full path as a person in this folder writes it, where it is here or below; malloc'd. */
static char *from_here(const char *path)
{
    char *here = realpath(".", NULL);
    size_t n = here ? strlen(here) : 0;
    bool is_below = n > 0 && !strncmp(path, here, n) && (path[n] == '/' || !path[n]);
    char *out = text_dup(!is_below ? path : path[n] ? path + n + 1 : ".");
    free(here);
    return out;
}

bool cmd_pack_above(char **pack, char **inside, const char *folder)
{
    enum { LEVELS = 2 };
    char *path = realpath(folder, NULL);
    size_t end = path ? strlen(path) : 0;
    bool found = false;
    for (int level = 0; level <= LEVELS && end > 1 && !found; level++) {
        char *above = text_ndup(path, end);
        found = cmd_holds_manifest(above);
        if (found) {
            *pack = from_here(above);
            *inside = text_dup(path + end + (path[end] == '/'));
        }
        free(above);
        while (!found && end > 0 && path[--end] != '/') {}
    }
    free(path);
    return found;
}

static bool is_found(const struct cmd *c, const char *id)
{
    struct catalog *catalog = NULL;
    const struct story *story;
    const struct variant *variant;
    struct err err;
    bool found = catalog_open_for(&catalog, c->packs, c->n_packs, id, &err) == 0 &&
                 catalog_find(catalog, id, &story, &variant, &err) == 0;
    catalog_free(catalog);
    return found;
}

int cmd_take_folder(struct cmd *c, char **pack, char **id)
{
    char *inside = NULL;
    struct pack *p = NULL;
    struct err err = {0};
    *pack = *id = NULL;
    if (!cmd_pack_above(pack, &inside, c->args[0]))
        return CMD_OK;
    if (!*inside || is_found(c, c->args[0])) {
        free(*pack);
        *pack = NULL;
    } else if (pack_open(&p, *pack, &err) == 0) {
        *id = text_format("%s/%s", p->id, inside);
        memmove(c->packs + 1, c->packs, (size_t)c->n_packs++ * sizeof *c->packs);
        c->packs[0] = *pack;
        c->args[0] = *id;
    }
    pack_free(p);
    free(inside);
    return err.code ? cmd_fail(&err) : CMD_OK;
}
