/* A tree of all phrases, a byte a node. A node falls back to the node of its longest proper end, so
 * that no byte of a text is read twice; owners flow down the same way, once, before questions. */
#include "scenarios/check/phrases.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include "kernels/wire/text.h"

enum { ROOT, NONE = -1 };

struct node { int child, next, fall, who; unsigned char byte; };
enum stage { ADDING, READING, ASKING };

struct phrases {
    struct node *node; int n;
    int *end; int n_ends;   /* the node of each phrase */
    int *order;             /* nodes, shorter ones first */
    enum stage stage;
    size_t steps;
};

static int node_new(struct phrases *p, unsigned char byte, int next)
{
    p->node = mem_more(p->node, (size_t)p->n, sizeof *p->node);
    p->node[p->n] = (struct node){NONE, next, ROOT, PHRASE_NOBODYS, byte};
    return p->n++;
}

struct phrases *phrases_new(void)
{
    struct phrases *p = mem_new(1, sizeof *p);
    node_new(p, 0, NONE);
    return p;
}

void phrases_free(struct phrases *p)
{
    if (!p)
        return;
    free(p->node);
    free(p->end);
    free(p->order);
    free(p);
}

static int child_of(struct phrases *p, int at, unsigned char byte)
{
    int child = p->node[at].child;
    for (p->steps++; child != NONE && p->node[child].byte != byte; p->steps++)
        child = p->node[child].next;
    return child;
}

int phrases_add(struct phrases *p, const char *bytes, size_t n)
{
    int at = ROOT;
    assert(p->stage == ADDING);
    for (size_t i = 0; i < n; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        int child = child_of(p, at, byte);
        if (child == NONE) {
            child = node_new(p, byte, p->node[at].child);
            p->node[at].child = child;
        }
        at = child;
    }
    p->end = mem_more(p->end, (size_t)p->n_ends, sizeof *p->end);
    p->end[p->n_ends] = at;
    return p->n_ends++;
}

/* Where a text that stands at `at` stands after one byte more. */
static int step(struct phrases *p, int at, unsigned char byte)
{
    int child = child_of(p, at, byte);
    while (child == NONE && at != ROOT) {
        at = p->node[at].fall;
        child = child_of(p, at, byte);
    }
    return child == NONE ? ROOT : child;
}

static void link_up(struct phrases *p)
{
    int n = 0;
    p->order = mem_grow(NULL, (size_t)p->n, sizeof *p->order);
    p->order[n++] = ROOT;
    for (int k = 0; k < n; k++) {
        int from = p->order[k];
        for (int c = p->node[from].child; c != NONE; c = p->node[c].next) {
            if (from != ROOT)
                p->node[c].fall = step(p, p->node[from].fall, p->node[c].byte);
            p->order[n++] = c;
        }
    }
    p->stage = READING;
}

static void own(struct node *n, int who)
{
    if (n->who == PHRASE_NOBODYS)
        n->who = who;
    else if (who != PHRASE_NOBODYS && who != n->who)
        n->who = PHRASE_SHARED;
}

void phrases_read(struct phrases *p, const char *text, size_t n, int who)
{
    int at = ROOT;
    assert(p->stage != ASKING);
    if (p->stage == ADDING)
        link_up(p);
    for (size_t i = 0; i < n; i++) {
        at = step(p, at, (unsigned char)text[i]);
        own(&p->node[at], who);
    }
}

/* Who has a phrase has every end of it too. */
static void settle(struct phrases *p)
{
    if (p->stage == ADDING)
        link_up(p);
    for (int k = p->n - 1; k > 0; k--) {
        const struct node *n = &p->node[p->order[k]];
        own(&p->node[n->fall], n->who);
    }
    p->stage = ASKING;
}

int phrases_owner(struct phrases *p, int phrase)
{
    if (p->stage != ASKING)
        settle(p);
    return p->end[phrase] == ROOT ? PHRASE_NOBODYS : p->node[p->end[phrase]].who;
}

size_t phrases_steps(const struct phrases *p)
{
    return p->steps;
}
