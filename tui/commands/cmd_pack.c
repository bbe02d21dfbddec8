/* warpdrill pack: packs from elsewhere, put into the user's own folder of packs. */
#include "tui/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/library/origin.h"
#include "scenarios/library/shelf.h"
#include "scenarios/library/version.h"

static int variants_of(const struct pack *p)
{
    int n = 0;
    for (int i = 0; i < p->n_stories; i++)
        n += p->stories[i].n_variants;
    return n;
}

/* A pack of that id that came with the program would be found first. */
static void warn_shadowed(const struct cmd *c, const struct pack *added)
{
    struct catalog *catalog = NULL;
    if (cmd_catalog(&catalog, c) != CMD_OK)
        return;
    for (int i = 0; i < catalog->n_packs; i++) {
        const struct pack *p = catalog->packs[i];
        if (!strcmp(p->id, added->id) && strcmp(p->files->root, added->files->root))
            fprintf(stderr,
                    "warpdrill: another pack '%s' is found first, in %s; this one is not seen "
                    "beside it\n",
                    p->id, p->files->root);
    }
    catalog_free(catalog);
}

static void say_pack(const struct pack *p)
{
    char version[VERSION_TEXT];
    version_pack(version, p);
    printf("%s: %s%s%s, %d scenario%s, %d variant%s, text %s\n%s\n", p->id, p->title,
           p->version ? ", version " : "", p->version ? p->version : "", p->n_stories,
           p->n_stories == 1 ? "" : "s", variants_of(p), variants_of(p) == 1 ? "" : "s", version,
           p->files->root);
}

static int add(const struct cmd *c)
{
    struct shelf_source source;
    struct pack *p = NULL;
    struct err err = {0};
    if (c->n_args != 2)
        return cmd_misuse("pack add needs a folder or what git clones from");
    if (shelf_source_read(&source, c->args[1], &err))
        return cmd_fail(&err);
    int rc = shelf_add(&p, &source, &err);
    shelf_source_free(&source);
    if (rc)
        return cmd_fail(&err);
    say_pack(p);
    puts("Nothing of it was run; before anything of it runs live, warpdrill asks.");
    warn_shadowed(c, p);
    pack_free(p);
    return CMD_OK;
}

/* ID, or ID@TAG. */
static int update(const struct cmd *c)
{
    struct pack *p = NULL;
    struct err err = {0};
    bool changed;
    if (c->n_args != 2)
        return cmd_misuse("pack update needs the id of a pack, as pack list has it");
    const char *tag = strchr(c->args[1], '@');
    char *id = text_ndup(c->args[1], strcspn(c->args[1], "@"));
    int rc = shelf_update(&p, &changed, id, tag ? tag + 1 : NULL, &err);
    free(id);
    if (rc)
        return cmd_fail(&err);
    say_pack(p);
    puts(changed ? "Progress with it stays: what was begun goes on with the text that it was begun "
                   "with.\nBefore anything of it runs live, warpdrill asks anew."
                 : "Its source has nothing else; nothing was done.");
    pack_free(p);
    return CMD_OK;
}

/* NULL where it cannot be read any more. */
static struct pack *open_entry(const struct shelf_entry *e, struct err *err)
{
    struct pack *p = NULL;
    char *shelf = shelf_folder(), *folder;
    if (!path_below(&folder, shelf, PATH_NAMES(e->id), err))
        pack_open(&p, folder, err);
    free(folder);
    free(shelf);
    return p;
}

static void print_entry(const struct shelf_entry *e)
{
    struct err err = {0};
    struct pack *p = open_entry(e, &err);
    printf("%-20s %-10s %s%s%s%s%.12s\n", e->id, p && p->version ? p->version : "-", e->from,
           *e->tag ? "@" : "", e->tag, *e->commit ? "  " : "", e->commit);
    if (!p)
        fprintf(stderr, "warpdrill: %s\n", err.text);
    pack_free(p);
}

static json_t *encode(const struct shelf_entry *e)
{
    struct err err = {0};
    struct pack *p = open_entry(e, &err);
    json_t *out = json_pack("{s:s, s:s, s:s, s:s, s:s?}", "id", e->id, "from", e->from, "tag",
                            e->tag, "commit", e->commit, "version", p ? p->version : NULL);
    if (!p)
        json_object_set_new(out, "problem", json_string(err.text));
    pack_free(p);
    return out;
}

static int list(const struct cmd *c)
{
    int n;
    struct shelf_entry *all = shelf_list(&n);
    json_t *packs = json_array();
    for (int i = 0; i < n; i++)
        c->json ? (void)json_array_append_new(packs, encode(&all[i])) : print_entry(&all[i]);
    if (c->json)
        cmd_print_json(json_pack("{s:O}", "packs", packs));
    else if (!n)
        fputs(
            "warpdrill: no pack was added here yet; `warpdrill pack add FOLDER|URL` adds one, and "
            "`warpdrill list` has all that are found\n",
            stderr);
    json_decref(packs);
    shelf_list_free(all, n);
    return CMD_OK;
}

static int take_away(const struct cmd *c)
{
    struct err err = {0};
    if (c->n_args != 2)
        return cmd_misuse("pack remove needs the id of a pack, as pack list has it");
    if (shelf_remove(c->args[1], &err))
        return cmd_fail(&err);
    printf("%s is taken away. Progress with it stays, under its ids.\n", c->args[1]);
    return CMD_OK;
}

int cmd_pack_shelf(const struct cmd *c)
{
    const char *what = c->args[0];
    bool is_list = !strcmp(what, "list");
    if (c->json && !is_list)
        return cmd_misuse("--json goes with pack list");
    if (is_list && c->n_args == 1)
        return list(c);
    if (!strcmp(what, "add"))
        return add(c);
    if (!strcmp(what, "update"))
        return update(c);
    if (!strcmp(what, "remove"))
        return take_away(c);
    return cmd_misuse("pack add FOLDER|URL[@TAG], pack list, pack update ID[@TAG] or pack remove "
                      "ID was expected");
}
