/* warpdrill probe: one piece of evidence, of the suspect alone. */
#include "tui/commands/cmd_probe.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/evidence/request.h"
#include "tui/commands/commands.h"

bool probe_is_sold(const struct story *s, const struct probe *p)
{
    return p->id != SHOP_EXPERIMENT && (!story_is_case(s) || p->id == SHOP_ASK);
}

static int check_name(const struct story *s, const char *probe)
{
    size_t n;
    const struct probe *table = probe_table(&n), *found = probe_by_name(probe);
    if (!strcmp(probe, "symptom") || story_experiment(s, probe) ||
        (found && probe_is_sold(s, found)))
        return CMD_OK;
    fprintf(stderr,
            "warpdrill: there is no probe '%s'; there are, with their prices in minutes: symptom 0",
            probe);
    for (size_t i = 0; i < n; i++)
        if (probe_is_sold(s, &table[i]))
            fprintf(stderr, ", %s %d", table[i].name, story_price(s, table[i].name));
    for (int i = 0; i < s->n_experiments; i++)
        fprintf(stderr, ", %s %d", s->experiments[i].id, s->experiments[i].price);
    fputc('\n', stderr);
    return CMD_USAGE;
}

static void offer(json_t *list, const char *name, const char *title, int price)
{
    json_array_append_new(list, json_pack("{s:s, s:s, s:i}", "probe", name, "title", title, "price",
                                          price));
}

/* Everything that has a price, the free first. */
static json_t *offers(const struct story *s)
{
    json_t *list = json_array();
    size_t n;
    const struct probe *table = probe_table(&n);
    offer(list, "symptom", "what was reported", 0);
    for (size_t i = 0; i < n; i++)
        if (probe_is_sold(s, &table[i]))
            offer(list, table[i].name, table[i].title, story_price(s, table[i].name));
    for (int i = 0; i < s->n_experiments; i++)
        offer(list, s->experiments[i].id, s->experiments[i].title, s->experiments[i].price);
    return list;
}

static int print_offers(const struct cmd *c, const struct variant *v)
{
    json_t *list = offers(v->story), *o;
    size_t i;
    if (!c->json)
        printf("%s  probes and experiments, with their prices in minutes; par %d\n",
               probe_shown_id(c, v), level_par(v->story->level));
    json_array_foreach(list, i, o) if (!c->json)
        printf("  %-20s %2d  %s\n", json_string_value(json_object_get(o, "probe")),
               (int)json_integer_value(json_object_get(o, "price")),
               json_string_value(json_object_get(o, "title")));
    if (c->json)
        cmd_print_json(json_pack("{s:s, s:i, s:O}", "scenario", probe_shown_id(c, v), "par",
                                 level_par(v->story->level), "probes", list));
    json_decref(list);
    return CMD_OK;
}

static int print_questions(const struct cmd *c, const struct story *s)
{
    json_t *list = json_array();
    for (int i = 0; i < s->n_questions; i++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "ask", s->questions[i].ask, "answer",
                                              s->questions[i].answer));
    for (int i = 0; !c->json && i < s->n_questions; i++)
        printf("%s\n    %s\n", s->questions[i].ask, s->questions[i].answer);
    if (c->json)
        cmd_print_json(json_pack("{s:s, s:s, s:O}", "scenario", s->full_id, "probe", "ask",
                                 "questions", list));
    json_decref(list);
    return CMD_OK;
}

/* ---- getting it ---- */

struct listening { struct supply *supply; char last[400]; };

static void on_event(void *ctx, const struct client_event *e)
{
    struct listening *l = ctx;
    supply_event(l->supply, e);
    if ((e->kind == CLIENT_PROGRESS || e->kind == CLIENT_STATE) && *e->say &&
        e->queued_s % 60 == 0 && strcmp(l->last, e->say)) {
        fprintf(stderr, "%s\n", e->say);
        snprintf(l->last, sizeof l->last, "%s", e->say);
    }
}

static int ask(struct evidence **out, struct supply *s, struct client *client, const char *probe,
               struct err *err)
{
    struct listening l = {.supply = s};
    const char *missing = strcmp(probe, "symptom") ? supply_missing(s, probe) : NULL;
    if (missing && client)
        return err_set(err, ERR_UNSUPPORTED, "%s: %s", probe, missing);
    int rc = supply_ask(s, probe, err);
    while (rc == 0 && supply_poll(s) == SUPPLY_WORKING)
        rc = client_wait_any(client, on_event, &l, err);
    if (rc == 0 && supply_poll(s) == SUPPLY_FAILED)
        rc = err_set(err, ERR_INTERNAL, "%s", supply_say(s, NULL, NULL));
    if (rc == 0)
        *out = supply_take(s);
    return rc;
}

static int probe_with(const struct cmd *c, const struct variant *v, struct supply *s,
                      struct client *client)
{
    struct err err = {0};
    struct evidence *e = NULL;
    if (ask(&e, s, client, c->args[1], &err))
        return cmd_fail(&err);
    probe_show(c, v, s, e);
    return CMD_OK;
}

static int probe_recorded(const struct cmd *c, const struct variant *v)
{
    struct err err = {0};
    struct supply *s = NULL;
    int rc = supply_recorded(&s, v, c->gpu, &err);
    if (rc == ERR_MISSING && !c->gpu && !strcmp(c->args[1], "source")) {
        probe_show(c, v, NULL,
                 request_source(v, NULL)); /* it lies in the pack, whatever was recorded */
        return CMD_OK;
    }
    if (rc)
        return cmd_fail(&err);
    int status = probe_with(c, v, s, NULL);
    supply_free(s);
    return status;
}

static int probe_live(const struct cmd *c, const struct variant *v)
{
    struct err err = {0};
    struct client *client = NULL;
    struct msg_device device;
    struct supply *s = NULL;
    if (cmd_connect(&client, &device, c, "cached", &err))
        return cmd_fail(&err);
    int status = supply_live(&s, v, client, &device, c->seed, &err) ? cmd_fail(&err)
                                                                    : probe_with(c, v, s, client);
    supply_free(s);
    client_free(client);
    msg_device_free(&device);
    return status;
}

int cmd_probe(const struct cmd *c)
{
    struct catalog *catalog = NULL;
    const struct variant *v = NULL;
    struct pack *opened = NULL;
    bool live = c->tier && !strcmp(c->tier, "live");
    if (c->tier && !live && strcmp(c->tier, "recorded"))
        return cmd_misuse("--tier is recorded or live, not '%s'", c->tier);
    if (live && c->gpu)
        return cmd_misuse("--gpu names a recording; live evidence comes from the runner's GPU");
    int status = cmd_catalog_for(&catalog, c, c->args[0]);
    if (status == CMD_OK)
        status = cmd_variant(&v, catalog, c, c->args[0]);
    if (status == CMD_OK && c->n_args < 2) {
        status = print_offers(c, v);
        catalog_free(catalog);
        return status;
    }
    if (status == CMD_OK)
        status = check_name(v->story, c->args[1]);
    if (status == CMD_OK && live && story_is_case(v->story))
        status = cmd_misuse("%s is a case: its evidence lies in the pack, and nothing of it runs",
                            v->full_id);
    if (status == CMD_OK && live && strcmp(c->args[1], "ask"))
        status = cmd_trust(c, v->story->pack);
    if (status == CMD_OK)
        status = cmd_open_variant(&v, &opened, c, false);
    if (status == CMD_OK && !strcmp(c->args[1], "ask"))
        status = print_questions(c, v->story);
    else if (status == CMD_OK)
        status = live ? probe_live(c, v) : probe_recorded(c, v);
    pack_free(opened);
    catalog_free(catalog);
    return status;
}
