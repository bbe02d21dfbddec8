/* warpdrill cards: the sets of cards, one's own in and out. */
#include "tui/commands/commands.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/items.h"
#include "drills/library/card_file.h"
#include "kernels/wire/text.h"

static int seen_of(const struct card_set *set, const struct store_item *items, int n)
{
    int seen = 0;
    for (int k = 0; k < set->n; k++)
        for (int i = 0; i < n; i++)
            seen += !strncmp(items[i].id, "card:", 5) &&
                    !strcmp(items[i].id + 5, set->cards[k].full_id);
    return seen;
}

/* Topics of a set, each once, in the order of its cards. */
static char *topics_of(const struct card_set *set)
{
    char *out = text_dup("");
    for (int i = 0; i < set->n; i++) {
        bool known = false;
        for (int k = 0; k < i; k++)
            known = known || !strcmp(set->cards[k].topic, set->cards[i].topic);
        if (known)
            continue;
        char *more = text_format("%s%s%s", out, *out ? " " : "", set->cards[i].topic);
        free(out);
        out = more;
    }
    return out;
}

/* Without progress nothing was seen, which is no failure. */
static void load_items(const struct cmd *c, struct store_item **items, int *n)
{
    struct store *store = NULL;
    char *path = default_db(c->db);
    *items = NULL;
    *n = 0;
    if (access(path, F_OK) == 0 && cmd_store(&store, c, false) == CMD_OK)
        store_items(store, INT_MAX, items, n);
    store_free(store);
    free(path);
}

static int list_sets(const struct cmd *c, const struct library *l)
{
    struct store_item *items;
    int n_items;
    json_t *all = json_array();
    load_items(c, &items, &n_items);
    for (int i = 0; i < l->n_cards; i++) {
        const struct card_set *set = &l->cards[i];
        char *topics = topics_of(set);
        int seen = seen_of(set, items, n_items);
        if (!c->json)
            printf("%-20s %4d cards, %4d seen  %s\n", set->id, set->n, seen, topics);
        json_array_append_new(all, json_pack("{s:s, s:i, s:i, s:s}", "set", set->id, "cards",
                                             set->n, "seen", seen, "topics", topics));
        free(topics);
    }
    if (c->json)
        cmd_print_json(json_pack("{s:O}", "sets", all));
    json_decref(all);
    free(items);
    return CMD_OK;
}

static int import(const struct cmd *c, const struct library *l)
{
    struct card_import done;
    struct err err = {0};
    int status =
        cards_import(c->args[1], c->set, l, c->keep_good, &done, &err) ? CMD_FAILED : CMD_OK;
    for (int i = 0; i < done.n_notes; i++)
        fprintf(stderr, "%s\n", done.notes[i]);
    if (done.bad > done.n_notes)
        fprintf(stderr, "... and %d more\n", done.bad - done.n_notes);
    if (status != CMD_OK)
        cmd_fail(&err);
    else
        printf("%s: %d new, %d changed, %d as they were, %d left out\n", done.path, done.added,
               done.changed, done.same, done.bad);
    card_import_free(&done);
    return status;
}

/* NULL: there is none, which is said. */
static const struct card_set *find_set(const struct library *l, const char *id)
{
    for (int i = 0; i < l->n_cards; i++)
        if (!strcmp(l->cards[i].id, id))
            return &l->cards[i];
    cmd_misuse("there is no set of cards '%s'; warpdrill cards lists them", id);
    return NULL;
}

static int export(const struct cmd *c, const struct library *l)
{
    const struct card_set *set = find_set(l, c->args[1]);
    if (set)
        cards_export(stdout, set);
    return set ? CMD_OK : CMD_FAILED;
}

/* The cards of a set, one a line, without their answers. */
static int list_set(const struct cmd *c, const struct library *l)
{
    const struct card_set *set = find_set(l, c->args[0]);
    json_t *all = json_array();
    for (int i = 0; set && i < set->n; i++) {
        char *front = card_front(&set->cards[i]);
        for (char *at = front; *at; at++)
            *at = *at == '\n' ? ' ' : *at;
        if (!c->json)
            printf("%-7s %s\n", card_kind_name(set->cards[i].kind), front);
        json_array_append_new(all, json_pack("{s:s, s:s, s:s}", "id", set->cards[i].id, "kind",
                                             card_kind_name(set->cards[i].kind), "front", front));
        free(front);
    }
    if (set && c->json)
        cmd_print_json(json_pack("{s:s, s:O}", "set", set->id, "cards", all));
    json_decref(all);
    return set ? CMD_OK : CMD_FAILED;
}

int cmd_cards(const struct cmd *c)
{
    struct library l;
    int status;
    library_open(&l);
    for (int i = 0; i < l.n_problems; i++)
        fprintf(stderr, "warpdrill: %s\n", l.problems[i].text);
    if (c->n_args == 0)
        status = list_sets(c, &l);
    else if (c->n_args == 2 && !strcmp(c->args[0], "import"))
        status = import(c, &l);
    else if (c->n_args == 2 && !strcmp(c->args[0], "export"))
        status = export(c, &l);
    else if (c->n_args == 1 && strcmp(c->args[0], "import") && strcmp(c->args[0], "export"))
        status = list_set(c, &l);
    else
        status = cmd_misuse("usage: warpdrill cards [SET] | cards import FILE.csv [--set NAME] "
                            "[--keep-good] | cards export SET");
    library_free(&l);
    return status;
}
