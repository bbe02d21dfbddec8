#include "kernels/runner/task.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

enum { PROGRESS_EVERY_MS = 100 };

static bool is_cancel(const struct ipc_message *m, int64_t id)
{
    const char *type = json_string_value(json_object_get(m->head, "type"));
    return type && !strcmp(type, "cancel") &&
           json_integer_value(json_object_get(m->head, "id")) == id;
}

int task_check(struct task *t, struct err *err)
{
    struct ipc_message m = {.head = NULL};
    int rc = ipc_try(t->ipc, &m, err);
    if (rc < 0)
        return rc;
    bool cancelled = rc == 1 && is_cancel(&m, t->id);
    if (rc == 1)
        ipc_message_free(&m);
    if (cancelled)
        return err_set(err, ERR_CANCELLED, "cancelled");
    if (os_monotonic_ms() >= t->until)
        return err_set(err, ERR_TIMEOUT, "the deadline came before the measurement was done");
    return 0;
}

int task_wait(struct task *t, struct err *err)
{
    int rc = gpu_wait(t->gpu, t->until, err);
    return rc ? rc : task_check(t, err);
}

void task_progress(struct task *t, const char *phase, int at, int of, const char *fmt, ...)
{
    int64_t now = os_monotonic_ms();
    char say[160];
    va_list list;
    if (now - t->said < PROGRESS_EVERY_MS)
        return;
    t->said = now;
    va_start(list, fmt);
    vsnprintf(say, sizeof say, fmt, list);
    va_end(list);
    json_t *m = json_pack("{s:s, s:I, s:s, s:i, s:i, s:s}", "type", "progress", "id",
                          (json_int_t)t->id, "phase", phase, "at", at, "of", of, "say", say);
    if (m)
        ipc_send(t->ipc, m, NULL, 0, NULL); /* a lost supervisor shows in the next task_check */
    json_decref(m);
}

void task_refuse(struct task *t, const struct err *why)
{
    if (t->refusal.code)
        return;
    err_copy(&t->refusal, why);
    memcpy(t->refused, t->where, sizeof t->refused);
}

struct msg_part *task_part_new(const struct task *t, enum wire_probe probe, const char *run,
                               int variant)
{
    struct msg_part *p = mem_new(1, sizeof *p);
    p->id = t->id;
    p->item = t->item;
    p->probe = probe;
    p->variant = variant;
    snprintf(p->run, sizeof p->run, "%s", run);
    snprintf(p->tier, sizeof p->tier, "live");
    return p;
}

static struct msg_value *new_value(struct msg_part *p, const char *name)
{
    p->metrics = mem_grow(p->metrics, (size_t)p->n_metrics + 1, sizeof *p->metrics);
    struct msg_value *v = &p->metrics[p->n_metrics++];
    *v = (struct msg_value){.present = false};
    snprintf(v->name, sizeof v->name, "%s", name);
    return v;
}

void part_statistic(struct msg_part *p, const char *name, double value, double low, double high,
                    int n)
{
    if (!isfinite(value) || !isfinite(low) || !isfinite(high)) {
        part_missing(p, name, "internal: the figure came out as no number");
        return;
    }
    struct msg_value *v = new_value(p, name);
    v->present = true;
    v->value = value;
    v->low = low;
    v->high = high;
    v->n = n;
}

void part_value(struct msg_part *p, const char *name, double value)
{
    part_statistic(p, name, value, value, value, 0);
}

static char *format_text(const char *fmt, va_list list)
{
    char text[1024];
    vsnprintf(text, sizeof text, fmt, list);
    text_clean(text, strlen(text));
    return text_dup(text);
}

void part_missing(struct msg_part *p, const char *name, const char *fmt, ...)
{
    va_list list;
    va_start(list, fmt);
    new_value(p, name)->missing = format_text(fmt, list);
    va_end(list);
}

static void append(char ***list, int *n, char *text)
{
    *list = mem_grow(*list, (size_t)*n + 1, sizeof **list);
    (*list)[(*n)++] = text;
}

void part_note(struct msg_part *p, const char *fmt, ...)
{
    va_list list;
    va_start(list, fmt);
    append(&p->notes, &p->n_notes, format_text(fmt, list));
    va_end(list);
}

void part_line(struct msg_part *p, const char *fmt, ...)
{
    va_list list;
    va_start(list, fmt);
    append(&p->lines, &p->n_lines, format_text(fmt, list));
    va_end(list);
}

double *part_series(struct msg_part *p, const char *name, int n)
{
    p->series = mem_grow(p->series, (size_t)p->n_series + 1, sizeof *p->series);
    struct msg_series *s = &p->series[p->n_series++];
    *s = (struct msg_series){.values = mem_new((size_t)n, sizeof *s->values), .n = n};
    snprintf(s->name, sizeof s->name, "%s", name);
    return s->values;
}

void task_part_free(struct msg_part *p)
{
    msg_part_free(p);
    free(p);
}

int task_part_send(struct task *t, struct msg_part *p, struct err *err)
{
    for (int i = 0; i < p->n_metrics; i++)
        t->missing = t->missing || !p->metrics[i].present;
    json_t *m = msg_part_encode(p);
    int rc = m ? ipc_send(t->ipc, m, NULL, 0, err)
               : err_set(err, ERR_INTERNAL, "a part could not be written as JSON");
    json_decref(m);
    task_part_free(p);
    t->parts++;
    return rc;
}
