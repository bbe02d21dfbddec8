#include "scenarios/supply/links_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/formula/quantity.h"

/* A figure by its name in formulas; "n/a" where there is none. */
struct shown { char text[32]; };
static struct shown show(const struct msg_links *l, const char *name, const char *unit)
{
    struct shown s = {"n/a"};
    double value;
    if (links_number(l, name, &value))
        quantity_show(s.text, sizeof s.text, value, unit);
    return s;
}

static void __attribute__((format(printf, 3, 4)))
say(struct links_row *row, const char *name, const char *fmt, ...)
{
    va_list args;
    snprintf(row->name, sizeof row->name, "%s", name);
    row->there = true;
    va_start(args, fmt);
    vsnprintf(row->text, sizeof row->text, fmt, args);
    va_end(args);
}

static void say_pairs(struct links_row *row, const struct msg_links *l, const char *name,
                      const char *figure)
{
    char both[48], latency[48], one[48];
    snprintf(one, sizeof one, "%s_copy", figure);
    snprintf(both, sizeof both, "%s_copy_both", figure);
    snprintf(latency, sizeof latency, "%s_latency", figure);
    say(row, name, "%s one way, %s each way at once, %s of 16 bytes", show(l, one, "B/s").text,
        show(l, both, "B/s").text, show(l, latency, "s").text);
}

static void say_missing(struct links_row *row, const char *name, const char *why)
{
    say(row, name, "%.150s", why);
    row->there = false;
}

static void say_sum(struct links_row *row, const struct msg_links *l)
{
    char residual[32], bus[32];
    const struct link_sum *s = &l->all_reduce;
    double best = 0;
    for (int i = 0; i < s->n_points; i++) {
        double b = links_bus(l->gpus, &s->points[i]);
        best = b > best ? b : best;
    }
    quantity_show(bus, sizeof bus, best, "B/s");
    quantity_percent(residual, sizeof residual, s->residual);
    if (s->alpha > 0)
        say(row, "all-reduce", "%s + bytes / (%s), off by %s; bus up to %s",
            show(l, "all_reduce_alpha", "s").text, show(l, "all_reduce_beta", "B/s").text, residual,
            bus);
    else
        say(row, "all-reduce", "bus up to %s; no line fits its times", bus);
}

int links_rows(struct links_row out[LINKS_ROWS], const struct msg_links *l)
{
    if (!l->gpus)
        return 0;
    memset(out, 0, LINKS_ROWS * sizeof *out);
    say_pairs(&out[0], l, "peer copy", "peer");
    if (*l->no_peer)
        say_missing(&out[0], "peer copy", l->no_peer);
    say_pairs(&out[1], l, "staged copy", "staged");
    say(&out[2], "pinned copy", "%s to the device, %s to the host",
        show(l, "to_device", "B/s").text, show(l, "to_host", "B/s").text);
    if (l->all_reduce.n_points)
        say_sum(&out[3], l);
    else
        say_missing(&out[3], "all-reduce", l->no_nccl);
    return LINKS_ROWS;
}

void links_where(char *out, size_t size, const struct msg_links *l)
{
    snprintf(out, size, "%d GPUs%s%s%s%s%s%s", l->gpus, *l->driver ? ", driver " : "", l->driver,
             *l->nccl ? ", NCCL " : "", l->nccl, *l->measured ? ", " : "", l->measured);
}
