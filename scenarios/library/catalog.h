/* All packs that this program can see.
 *
 * In: folders of packs, from the command line, config.yaml and the places where content lies.
 * Out: the packs that can be read, and why others cannot. Callers: tui/app, home and commands.
 * First to open: catalog.c; origin.c knows the places, sealing.h sealed packs, trust.h whose GPU
 * code may run, shelf.h the user's own folder and what is put there from elsewhere. */
#ifndef WD_SCENARIOS_CATALOG_H
#define WD_SCENARIOS_CATALOG_H

#include "scenarios/pack/pack.h"

struct catalog {
    struct pack **packs; int n_packs;
    struct {
        char *where;
        char *text;
        bool absent; /* no pack is there at all */
    } * problems;
    int n_problems; /* packs that could not be read: shown, never fatal; nothing of a sealed half */
    struct pack **drawn; int n_drawn; /* of one variant each (catalog_draw) */
};

/* `dirs`: packs or folders of packs given by --pack; then those of config.yaml (config.h), what
 * came with the program (origin.h), $XDG_DATA_HOME and XDG_DATA_DIRS /warpdrill/packs. Clashing
 * ids: the first wins, the second is a problem that names both places. */
int catalog_open(struct catalog **out, const char *const *dirs, int n_dirs, struct err *err);

/* The same, but of packs that may hold scenario `id` alone, since reading all takes a while; of all
 * where none does. */
int catalog_open_for(struct catalog **out, const char *const *dirs, int n_dirs, const char *id,
                     struct err *err);
void catalog_free(struct catalog *c);

/* "transposed-copy", "first-principles/transposed-copy", ".../a". *variant is NULL when none was
 * named. ERR_MISSING names near misses. */
int catalog_find(const struct catalog *c, const char *id, const struct story **story,
                 const struct variant **variant, struct err *err);

/* The task "dense-product" or "first-principles/dense-product" that is no story's; NULL: none. */
const struct story *catalog_task(const struct catalog *c, const char *id);

/* The variant as this seed draws it, where its story is drawn (pack/model.h), else the variant
 * itself. It lives as long as the catalog. */
int catalog_draw(struct catalog *c, const struct variant *v, uint64_t seed,
                 const struct variant **out, struct err *err);

#endif
