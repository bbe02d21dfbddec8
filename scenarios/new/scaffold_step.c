/* The launches of the author's host code in their order, and what the host does between them. */
#include "scenarios/new/scaffold_step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/new/scaffold_source_inside.h"

/* ---- launches ---- */

static int by_place(const void *a, const void *b)
{
    const struct step_item *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

static int fail_many(const struct source *s, struct err *err)
{
    return err_set(err, ERR_TOO_LARGE,
                   "%s: more than %d launches; a step of at most %d launches was expected, each "
                   "written out",
                   s->file.path, STEP_LAUNCHES, STEP_LAUNCHES);
}

static int add_launches(struct step *p, struct kernel *k, struct err *err)
{
    struct launch_found l;
    for (size_t from = 0; source_launch_next(&l, p->source, k, from); from = l.at + 1) {
        if (p->n == STEP_LAUNCHES) {
            source_launch_free(&l);
            return fail_many(p->source, err);
        }
        p->items[p->n++] =
            (struct step_item){.kernel = k, .launch = l, .at = l.at, .line = l.line};
    }
    return 0;
}

/* A kernel's parameters are read before its launches: they say what is passed by their names. */
static int find_launches(struct step *p, struct err *err)
{
    struct source *s = p->source;
    int rc = 0;
    for (int i = 0; !rc && i < s->n_kernels; i++) {
        struct launch_found l;
        if (!source_launch_next(&l, s, &s->kernels[i], 0))
            continue;
        source_launch_free(&l);
        p->kernels[p->n_kernels++] = &s->kernels[i];
        rc = p->n_kernels == STEP_LAUNCHES ? fail_many(s, err)
                                           : source_params(s, &s->kernels[i], err);
        if (!rc)
            rc = add_launches(p, &s->kernels[i], err);
    }
    if (!rc && p->n < 2)
        rc = err_set(err, ERR_MISSING,
                     "%s: %s; several, as name<<<grid, block>>>(...), were expected of a step. "
                     "--kind kernel makes a draft of one, --kind pipeline without --from a small "
                     "whole step",
                     s->file.path, p->n ? "one launch in it" : "no launch in it");
    qsort(p->items, (size_t)p->n, sizeof *p->items, by_place);
    return rc;
}

/* "smooth", or "smooth 2" where it is launched several times. */
static void set_labels(struct step *p)
{
    for (int i = 0; i < p->n; i++) {
        int before = 0, all = 0;
        for (int k = 0; k < p->n; k++) {
            all += p->items[k].kernel == p->items[i].kernel;
            before += k < i && p->items[k].kernel == p->items[i].kernel;
        }
        snprintf(p->items[i].label, sizeof p->items[i].label, all > 1 ? "%.20s %d" : "%.24s%.0d",
                 p->items[i].kernel->name, all > 1 ? before + 1 : 0);
    }
}

/* ---- the host between them ---- */

static const struct step_buffer *buffer_called(const struct step *p, const char *name)
{
    for (int i = 0; i < p->n_buffers; i++)
        if (!strcmp(p->buffers[i].name, name))
            return &p->buffers[i];
    return NULL;
}

/* What stands as argument n of the call whose bracket is at `open`; malloc'd, "" for none. */
static char *argument(const struct source *s, size_t open, int n)
{
    size_t close = code_behind(s->code, open, s->file.len) - 1, at = open + 1;
    int depth = 0;
    for (; at < close && n; at++) {
        depth += (strchr("([{", s->code[at]) != NULL) - (strchr(")]}", s->code[at]) != NULL);
        n -= depth == 0 && s->code[at] == ',';
    }
    size_t end = at;
    for (depth = 0; end < close && !(depth == 0 && s->code[end] == ','); end++)
        depth += (strchr("([{", s->code[end]) != NULL) - (strchr(")]}", s->code[end]) != NULL);
    return text_ndup(s->code + at, end - at);
}

/* Is that name of the host's passed first to a call that gives pinned memory? */
static bool is_pinned(const struct source *s, const char *host)
{
    static const char *const calls[] = {"cudaMallocHost", "cudaHostAlloc", "cudaHostRegister"};
    while (*host && !code_is_word(*host))
        host++;
    char *word = text_ndup(host, code_word(host, 0, strlen(host)));
    bool pinned = false;
    for (size_t i = 0; *word && !pinned && i < sizeof calls / sizeof *calls; i++)
        for (size_t at = 0, end = s->file.len;
             !pinned && (at = code_find(s->code, at, end, calls[i])) < end; at++) {
            size_t open = code_skip(s->code, at + strlen(calls[i]), end);
            char *first = s->code[open] == '(' ? argument(s, open, 0) : text_dup("");
            pinned = code_find(first, 0, strlen(first), word) < strlen(first);
            free(first);
        }
    free(word);
    return pinned;
}

/* "copy: phi, to: host, memory: pageable", or "read: phi" for one element; NULL where it is of
 * nothing that the step has. */
static char *copy_step(const struct step *p, size_t open)
{
    char *to = argument(p->source, open, 0), *from = argument(p->source, open, 1),
         *bytes = argument(p->source, open, 2), *way = argument(p->source, open, 3), *out = NULL;
    bool down = strstr(way, "DeviceToHost") != NULL, up = strstr(way, "HostToDevice") != NULL;
    char name[STEP_NAME];
    step_pack_name(name, p, down ? from : to);
    bool one = strstr(bytes, "sizeof") && !strchr(bytes, '*');
    if ((down || up) && buffer_called(p, name))
        out = down && one ? text_format("read: %s", name)
                          : text_format("copy: %s, to: %s, memory: %s", name,
                                        down ? "host" : "device",
                                        is_pinned(p->source, down ? to : from) ? "pinned"
                                                                               : "pageable");
    free(to);
    free(from);
    free(bytes);
    free(way);
    return out;
}

static void add_host(struct step *p, char *host, size_t at)
{
    if (!host || p->n == STEP_ITEMS) {
        free(host);
        return;
    }
    p->items[p->n] = (struct step_item){.host = host, .at = at};
    int col;
    source_place(p->source, at, &p->items[p->n].line, &col);
    const char *path;
    int line = source_origin(&path, p->source, p->items[p->n].line);
    snprintf(p->items[p->n].label, sizeof p->items->label, "%s %d",
             path == p->source->file.path ? "line" : "header, line", line);
    p->n++;
}

static void find_calls(struct step *p, const char *call, size_t from, size_t end)
{
    const struct source *s = p->source;
    for (size_t at = from; (at = code_find(s->code, at, end, call)) < end; at++) {
        size_t open = code_skip(s->code, at + strlen(call), end);
        if (s->code[open] != '(')
            continue;
        char *copy = strstr(call, "Memcpy") ? copy_step(p, open) : NULL;
        const char *instead =
            strstr(call, "Memcpy")   ? "a step copies a buffer of its launches to the host or back"
            : strstr(call, "Memset") ? "a kernel that writes those bytes takes its place"
                                     : "{alloc: BYTES} and {free: latest} among the launches take its place";
        if (strstr(call, "Synchronize"))
            add_host(p, text_dup("sync: device"), at);
        else if (copy)
            add_host(p, copy, at);
        else
            source_note(p->source, source_line_at(s, at), "%s() in the step was left out: %s",
                        call, instead);
    }
}

/* A loop with a block: from its brace to what closes it. Begun with {0}, in order of the text. */
struct loop {
    size_t open, end, at;
    size_t next[2]; /* of each word, so that none is looked for twice */
};

static bool next_loop(struct loop *l, const struct source *s)
{
    static const char *const words[] = {"for", "while"};
    size_t len = s->file.len;
    for (size_t from = l->end ? l->at + 1 : 0; from < len; from = l->at + 1) {
        for (int w = 0; w < 2; w++)
            if (!from || l->next[w] < from)
                l->next[w] = code_find(s->code, from, len, words[w]);
        int w = l->next[1] < l->next[0];
        l->at = l->next[w];
        if (l->at >= len)
            return false;
        size_t head = code_skip(s->code, l->at + strlen(words[w]), len),
               close = s->code[head] == '(' ? source_close(s, head, len) : 0;
        l->open = code_skip(s->code, close ? close : head, len);
        l->end = s->code[l->open] == '{' ? source_close(s, l->open, len) : 0;
        if (l->end)
            return true;
    }
    return false;
}

/* The end of the block that the last launch stands in. */
static size_t block_end(const struct source *s, size_t at)
{
    int depth = 0;
    for (; at < s->file.len && depth >= 0; at++)
        depth += (s->code[at] == '{') - (s->code[at] == '}');
    return at;
}

/* Between the first launch and the last, or in the whole of the loop that all of them stand in;
 * waits also behind it. */
static void find_host(struct step *p)
{
    static const char *const between[] = {"cudaMemcpy",      "cudaMemcpyAsync", "cudaMalloc",
                                          "cudaMallocAsync", "cudaFree",        "cudaMemset",
                                          "cudaMemsetAsync"};
    static const char *const waits[] = {"cudaDeviceSynchronize", "cudaStreamSynchronize"};
    size_t first = p->items[0].at, last = p->items[p->n - 1].at;
    struct loop l = {0}, all = {0};
    while (next_loop(&l, p->source))
        if (l.open < first && last < l.end)
            all = l; /* the innermost comes last */
    size_t from = all.end ? all.open : first, to = all.end ? all.end : last;
    for (size_t i = 0; i < sizeof between / sizeof *between; i++)
        find_calls(p, between[i], from, to);
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        find_calls(p, waits[i], first, block_end(p->source, last));
    qsort(p->items, (size_t)p->n, sizeof *p->items, by_place);
}

/* A loop around launches is one turn of it here. */
static void note_loops(struct step *p)
{
    struct source *s = p->source;
    struct loop l = {0};
    while (next_loop(&l, s)) {
        bool around = false;
        for (int i = 0; i < p->n; i++)
            around = around || (p->items[i].at > l.open && p->items[i].at < l.end);
        if (around)
            source_note(s, source_line_at(s, l.at),
                        "a loop around launches: the draft has one turn of it; launches that "
                        "repeat are written out");
    }
}

/* The fourth of "<<<grid, block, shared, stream>>>", with what closes it; "" where it is absent or
 * the stream of all. */
static const char *stream_of(const char *launch)
{
    const char *at = launch + strspn(launch, "<");
    int depth = 0, commas = 0;
    for (; *at && commas < 3; at++) {
        depth += (strchr("([{", *at) != NULL) - (strchr(")]}", *at) != NULL);
        commas += depth == 0 && *at == ',';
    }
    at += strspn(at, " \t\n");
    bool own = commas == 3 && strcmp(at, "0>>>") && strncmp(at, "nullptr", 7) &&
               strncmp(at, "NULL", 4);
    return own ? at : "";
}

/* One stream for all of them, whichever, is the draft's. */
static void note_streams(struct step *p)
{
    const char *first = stream_of(p->items[0].launch.text);
    const struct step_item *own = NULL;
    bool same = true;
    for (int i = 0; i < p->n; i++) {
        const char *stream = stream_of(p->items[i].launch.text);
        same = same && !strcmp(stream, first);
        own = own || !*stream ? own : &p->items[i];
    }
    if (!same)
        source_note(p->source, own->line,
                    "%s has a stream of its own: the draft has all launches in one; `stream` and "
                    "`after` of a launch say otherwise",
                    own->kernel->name);
}

/* ---- all of it ---- */

int step_read(struct step *out, struct source *s, struct err *err)
{
    *out = (struct step){.source = s};
    int rc = find_launches(out, err);
    if (rc)
        return rc;
    set_labels(out);
    rc = step_args(out, err);
    if (rc)
        return rc;
    note_loops(out);
    note_streams(out);
    find_host(out);
    return 0;
}

void step_free(struct step *p)
{
    for (int i = 0; i < p->n; i++) {
        if (p->items[i].kernel)
            source_launch_free(&p->items[i].launch);
        free(p->items[i].host);
        free(p->items[i].grid);
        free(p->items[i].args);
        free(p->items[i].unsaid);
    }
    for (int i = 0; i < p->n_buffers; i++)
        free(p->buffers[i].count);
    for (int i = 0; i < p->n_sizes; i++)
        free(p->sizes[i].formula);
    free(p->elements);
}
