/* Rows of a block of the notebook: text, numbers and what stands beside them, the metrics of one
 * part. */
#include "tui/play/notebook_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/finding.h"
#include "scenarios/play/headline.h"
#include "scenarios/formula/quantity.h"

enum { TEXT_COLUMNS = 37 };

struct note_row *note_add_row(struct note *n, enum note_kind kind, const char *label)
{
    if ((n->n & (n->n - 1)) == 0)       /* room for 1, 2, 4 ... */
        n->row = mem_grow(n->row, n->n ? 2 * (size_t)n->n : 1, sizeof *n->row);
    struct note_row *r = &n->row[n->n++];
    *r = (struct note_row){ .kind = kind, .share = -1 };
    snprintf(r->label, sizeof r->label, "%s", label);
    return r;
}

/* Bytes of `text` for one row of `columns`: to the last blank, if there is one in its second half.
 */
static size_t row_bytes(const char *text, size_t columns)
{
    size_t len = strnlen(text, columns + 4), cut = columns;    /* and the tail of a character */
    if (len <= columns)
        return len;
    while (cut > columns / 2 && text[cut] != ' ')
        cut--;
    if (text[cut] != ' ')
        cut = columns;
    while (cut < len && text_is_tail(text[cut]))
        cut++;
    return cut;
}

/* Text in rows of the note's columns, cut at words; rows after the first begin with `indent`. */
static void add_wrapped(struct note *n, const char *text, const char *indent)
{
    const char *before = "";
    size_t columns = n->columns > TEXT_COLUMNS ? (size_t)n->columns : TEXT_COLUMNS;
    while (*(text += strspn(text, " ")) ) {
        size_t bytes = row_bytes(text, columns - strlen(before));
        char *line = text_format("%s%.*s", before, (int)bytes, text);
        note_add_row(n, NOTE_TEXT, line);
        free(line);
        text += bytes;
        before = indent;
    }
}

void note_add_text(struct note *n, const char *text)
{
    add_wrapped(n, text, "");
}

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && strcmp(s + n - m, end) == 0;
}

/* Sectors that the same bytes would need: how many there are, times the share of them that was
 * used. Said only where that is what lanes of one width need, 1, 2, 4, 8 or 16: asynchronous copies
 * count among the requests and not among the bytes used. */
static void healthy_sectors(char *out, size_t size, const struct msg_value *v,
                            const struct msg_part *p)
{
    const char *name = strncmp(v->name, "load", 4) == 0 ? "load_efficiency" : "store_efficiency";
    const struct msg_value *used = msg_part_value(p, name);
    if (!used || !used->present || !v->present || used->value > 1.001)
        return;
    double need = v->value * used->value;
    for (int width = 1; width <= 16; width *= 2)
        if (need > 0.9 * width && need < 1.1 * width)
            snprintf(out, size, "%d", width);
}

/* What is healthy for a number beside the others of its part, "" if nothing sensible can be said:
 * sectors per request for this access width, none of what should not be. */
static void note_healthy(char *out, size_t size, const struct msg_value *v,
                         const struct msg_part *p)
{
    out[0] = '\0';
    if (ends_with(v->name, "_sectors_per_request"))
        healthy_sectors(out, size, v, p);
    else if (v->present && v->value > 0 &&
             (strcmp(v->name, "bank_conflicts") == 0 || strcmp(v->name, "local_bytes") == 0 ||
              strcmp(v->name, "local_instructions") == 0 || headline_is_wrong(v->name)))
        snprintf(out, size, "healthy 0");
}

/* "1.2 x" of the compulsory bytes (not where counters are of one launch and those bytes of all),
 * "of 4.8 TB/s" of the peak; the interval of a statistic. */
static void put_in_relation(struct note_row *r, const struct msg_value *v,
                            const struct note_frame *f)
{
    double peak = 0;
    if (strcmp(v->name, "dram_bytes") == 0 && f->work_bytes > 0 &&
        !(f->variant && story_is_pipeline(f->variant->story))) {
        char work[24];
        quantity_show(work, sizeof work, f->work_bytes, "B");
        snprintf(r->value, sizeof r->value, "%.1f x", v->value / f->work_bytes);
        snprintf(r->beside, sizeof r->beside, "the %s", work);
    } else if (strcmp(v->name, "dram_fraction") == 0 && f->device &&
               msg_device_number(f->device, "dram_peak", &peak)) {
        char text[24];
        quantity_show(text, sizeof text, peak, "B/s");
        snprintf(r->beside, sizeof r->beside, "of %s", text);
    } else if (v->n > 1 && v->high > v->low && v->value > 0) {
        snprintf(r->beside, sizeof r->beside, "%s%.1f %%", glyph("±", "+-"),
                 50 * (v->high - v->low) / v->value);
    }
}

void note_show_value(struct note_row *r, const struct msg_value *v)
{
    const struct metric *m = metric_find(v->name);
    r->metric = m;
    r->missing = !v->present;
    r->amount = v->present ? v->value : 0;
    if (!v->present)
        snprintf(r->value, sizeof r->value, "n/a");
    else if (m && m->share)
        quantity_percent(r->value, sizeof r->value, v->value);
    else
        quantity_show(r->value, sizeof r->value, v->value, m ? m->unit : "1");
}

/* A count of launches alone says little: "18 of 20". */
static void put_of_all(struct note_row *r, const struct msg_value *v, const struct msg_part *p)
{
    const struct msg_value *all = msg_part_value(p, "repeats");
    if (strcmp(v->name, "identical_repeats") == 0 && v->present && all && all->present)
        snprintf(r->value, sizeof r->value, "%.0f of %.0f", v->value, all->value);
}

void note_add_number(struct note *n, const struct msg_part *p, const struct msg_value *v,
                     const struct note_frame *f)
{
    const struct metric *m = metric_find(v->name);
    struct note_row *r = note_add_row(n, NOTE_NUMBER, m ? m->label : v->name);
    note_show_value(r, v);
    put_of_all(r, v, p);
    note_healthy(r->beside, sizeof r->beside, v, p);
    r->spare = strncmp(r->beside, "healthy", 7) == 0;
    if (!v->present)
        return;
    if (m && m->share)
        r->share = v->value;
    else if (ends_with(v->name, "_sectors_per_request"))
        r->share = v->value / 32;
    put_in_relation(r, v, f);
}

static bool worth_showing(const struct msg_value *v)
{
    const struct metric *m = metric_find(v->name);
    return v->present || !m || m->everywhere;
}

/* Behind the runner's word for its kind: "nothing: no such instruction was executed". */
static const char *reason_text(const char *missing)
{
    size_t n = strspn(missing, "abcdefghijklmnopqrstuvwxyz-");
    return n && !strncmp(missing + n, ": ", 2) ? missing + n + 2 : missing;
}

/* Each reason once, however many metrics share it. */
void note_add_reasons(struct note *n, const struct msg_part *p)
{
    for (int i = 0; i < p->n_metrics; i++) {
        const char *why = p->metrics[i].missing;
        bool said = p->metrics[i].present || !why || !worth_showing(&p->metrics[i]);
        for (int k = 0; k < i && !said; k++)
            said = !p->metrics[k].present && p->metrics[k].missing &&
                   strcmp(p->metrics[k].missing, why) == 0;
        if (!said) {
            char *text = text_format("n/a: %s", reason_text(why));
            note_add_text(n, text);
            free(text);
        }
    }
}

static void add_heads(struct note *n, const struct msg_part *p)
{
    char healthy[24];
    bool known = false;
    for (int i = 0; i < p->n_metrics && !known; i++)
        if (ends_with(p->metrics[i].name, "_sectors_per_request")) {
            note_healthy(healthy, sizeof healthy, &p->metrics[i], p);
            known = healthy[0] != '\0';
        }
    if (!known)
        return;
    struct note_row *r = note_add_row(n, NOTE_HEAD, "");
    snprintf(r->value, sizeof r->value, "here");
    snprintf(r->beside, sizeof r->beside, "healthy");
}

void note_add_metrics(struct note *n, const struct msg_part *p, const struct note_frame *f)
{
    add_heads(n, p);
    size_t known;
    const struct metric *table =
        metric_of_probe(p->probe, &known); /* the order of the table: what decides comes first */
    for (size_t k = 0; k < known; k++) {
        const struct msg_value *v = msg_part_value(p, table[k].name);
        if (v && worth_showing(v))
            note_add_number(n, p, v, f);
    }
    note_add_reasons(n, p);
}

/* A finding per line: none is cut. What is within the tolerance is said to be. */
static void add_lines(struct note *n, const struct msg_part *p, const struct note_frame *f)
{
    const struct msg_value *off = msg_part_value(p, "max_error");
    char text[80];
    if (f->variant && off && off->present) {
        tolerance_text(text, sizeof text, &f->variant->story->tolerance);
        note_add_text(n, text);
    }
    for (int i = 0; i < p->n_lines; i++) {
        char *line = f->variant ? finding_line(p, i, &f->variant->story->tolerance)
                                : text_dup(p->lines[i]);
        add_wrapped(n, line, "  ");
        free(line);
    }
}

void note_add_texts(struct note *n, const struct msg_part *p, const struct note_frame *f)
{
    for (int i = 0; i < p->n_notes; i++) {
        int first = n->n;
        char *note = finding_note(p, i, f->variant);
        if (strcmp(note, "cold") != 0 && strcmp(note, "warm") != 0)
            note_add_text(n, note);
        free(note);
        for (int k = first; k < n->n && strncmp(p->notes[i], "differing", 9) == 0; k++)
            n->row[k].metric = metric_find("identical_repeats");
    }
    const char *caveat = finding_caveat(p, f->variant);
    if (caveat)
        note_add_text(n, caveat);
    if (p->probe == PROBE_SASS && p->n_lines > 0)
        note_add_text(n, "the listing: i, or Tab");
    if (p->probe != PROBE_SASS)
        add_lines(n, p, f);
}
