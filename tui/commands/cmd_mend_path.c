/* `warpdrill mend` without a name: what was diagnosed and can be mended, by level. */
#include "tui/commands/cmd_mend.h"

#include <stdio.h>

#include "scenarios/library/catalog.h"
#include "scenarios/mend/mend_path.h"

static void print_station(const struct mend_station *at, bool next)
{
    const struct story *s = at->v->story;
    printf("  %s %-44s %s: %s; %s\n", next ? ">" : " ", at->v->full_id, s->title,
           s->hypotheses[at->v->cause]->label, at->words);
}

static void print_path(const struct mend_path *p)
{
    int level = 0, next = mend_path_next(p);
    for (int i = 0; i < p->n; i++) {
        if (p->all[i].v->story->level != level)
            printf("level %d\n", level = p->all[i].v->story->level);
        print_station(&p->all[i], i == next);
    }
    if (!p->n)
        puts("Nothing was diagnosed yet that could be mended: warpdrill play ID, then m; or "
             "warpdrill write, which asks for no diagnosis.");
}

int mend_path_list(const struct cmd *c)
{
    struct store *store = NULL;
    struct catalog *catalog = NULL;
    struct mend_path path = {0};
    struct err err = {0};
    int status = cmd_store(&store, c, true);
    if (status == CMD_OK)
        status = cmd_catalog(&catalog, c);
    if (status == CMD_OK && mend_path_read(&path, catalog, store, &err))
        status = cmd_fail(&err);
    else if (status == CMD_OK && c->json)
        cmd_print_json(mend_path_encode(&path));
    else if (status == CMD_OK)
        print_path(&path);
    mend_path_free(&path);
    catalog_free(catalog);
    store_free(store);
    return status;
}
