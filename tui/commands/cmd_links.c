/* warpdrill links: what the links between the GPUs of a host reach, measured by the runner. */
#include "tui/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>

#include "scenarios/formula/quantity.h"
#include "scenarios/supply/links_words.h"

static const char *rate(char out[32], double value)
{
    snprintf(out, 32, "n/a");
    if (value > 0)
        quantity_show(out, 32, value, "B/s");
    return out;
}

static const char *seconds(char out[32], double value)
{
    snprintf(out, 32, "n/a");
    if (value > 0)
        quantity_show(out, 32, value, "s");
    return out;
}

static void print_way(const char *name, const struct link_pair *p, const struct link_way *w)
{
    char one[32], both[32], latency[32];
    printf("  %d to %d  %-8s %12s %12s %12s\n", p->from, p->to, name, rate(one, w->one_way),
           rate(both, w->both_ways), seconds(latency, w->latency));
}

static void print_pairs(const struct msg_links *l)
{
    printf("\nbetween two GPUs  %12s %12s %12s\n", "one way", "each way", "16 bytes");
    for (int i = 0; i < l->n_pairs; i++) {
        print_way("direct", &l->pairs[i], &l->pairs[i].direct);
        print_way("staged", &l->pairs[i], &l->pairs[i].staged);
    }
    if (*l->no_peer)
        printf("  %s\n", l->no_peer);
}

static void print_hosts(const struct msg_links *l)
{
    char up[32], down[32], both[32];
    printf("\npinned memory     %12s %12s %12s\n", "to device", "to host", "each way");
    for (int i = 0; i < l->gpus; i++)
        printf("  GPU %d           %12s %12s %12s\n", i, rate(up, l->hosts[i].to_device),
               rate(down, l->hosts[i].to_host), rate(both, l->hosts[i].both_ways));
}

static void print_sum(const struct msg_links *l)
{
    const struct link_sum *s = &l->all_reduce;
    char bytes[32], time[32], bus[32], fit[32];
    printf("\nall-reduce        %12s %12s %12s\n", "time", "bus", "the line");
    for (int i = 0; i < s->n_points; i++) {
        const struct link_point *p = &s->points[i];
        quantity_show(bytes, sizeof bytes, p->bytes, "B");
        printf("  %-15s %12s %12s %12s\n", bytes, seconds(time, p->seconds),
               rate(bus, links_bus(l->gpus, p)),
               seconds(fit, s->alpha > 0 ? s->alpha + p->bytes / s->beta : 0));
    }
    if (!s->n_points)
        printf("  %s\n", l->no_nccl);
}

static void print_links(const struct msg_links *l)
{
    struct links_row rows[LINKS_ROWS];
    char where[128];
    links_where(where, sizeof where, l);
    printf("%s: %s\n", l->gpu, where);
    print_pairs(l);
    print_hosts(l);
    print_sum(l);
    links_rows(rows, l);
    if (l->all_reduce.alpha > 0)
        printf("  %s\n", rows[LINKS_ROWS - 1].text);
}

/* How many GPUs: two, or what the argument says. */
static int wanted(const struct cmd *c, int *gpus, struct err *err)
{
    char *end = NULL;
    long n = c->n_args ? strtol(c->args[0], &end, 10) : 2;
    *gpus = (int)n;
    if (n >= 2 && n <= LINK_GPUS && !(end && *end))
        return 0;
    return err_set(err, ERR_BAD_REQUEST, "'%s' is no number of GPUs from 2 to %d", c->args[0],
                   LINK_GPUS);
}

int cmd_links(const struct cmd *c)
{
    struct client *client = NULL;
    struct msg_device device = {0};
    struct msg_links links = {0};
    struct err err = {0};
    int gpus;
    if (wanted(c, &gpus, &err))
        return cmd_misuse("%s", err.text);
    if (cmd_connect(&client, &device, c, "none", &err))
        return cmd_fail(&err);
    int rc = cmd_measure_links(client, gpus, c->again, &links, &err);
    if (rc == 0 && c->json)
        cmd_print_json(links_encode(&links));
    else if (rc == 0)
        print_links(&links);
    msg_device_free(&device);
    client_free(client);
    return rc ? cmd_fail(&err) : CMD_OK;
}
